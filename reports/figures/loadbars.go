package figures

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/keyspread/keyspread/reports"
)

// Overloaded is the multiple of the fair share above which a bar is drawn in
// the warmer colour.
const Overloaded = 1.2

// LoadBars is a figure of one bar per partition.
type LoadBars struct {
	// Title and Subtitle stand above the bars; either may be empty.
	Title, Subtitle string
	// Load is the load of each partition, usually in records.
	Load []float64
	// Fair is what each partition would carry if all carried the same, in the
	// unit of Load: the dashed line. 0 draws none.
	Fair float64
	// TopKey is the heaviest key. Its load TopLoad is shaded within the bar of
	// TopPartition and named in the legend. TopPartition -1 or TopLoad 0 draws
	// none.
	TopKey       string
	TopPartition int
	TopLoad      float64
	// XLabel and YLabel name the axes: "partition" and "<Unit> per partition" when
	// empty.
	XLabel, YLabel string
	// Unit is what is counted, for the legend's "12.4 % of records": "records"
	// when empty.
	Unit string
}

// Formats returns the names that [LoadBars.Write] takes.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// Write draws the figure as "svg", "png" (1920 pixels wide) or "pdf". It refuses
// a figure without partitions and loads that are not finite, negative, or
// smaller than the top key's; nothing is written then.
func (f LoadBars) Write(w io.Writer, format string) error {
	return write(w, f, format)
}

// Save writes base.svg and base.png into dir, which it creates if need be, and
// returns their paths. Each file is whole or not there; when the second fails
// the first stays and its path is returned beside the error.
func (f LoadBars) Save(dir, base string) ([]string, error) {
	return save(dir, base, f)
}

func (f LoadBars) name() string { return f.Title }

// largest is the greatest load that leaves room for sums and axes.
const largest = 1e300

func (f LoadBars) check() error {
	if len(f.Load) == 0 {
		return errors.New("no partitions")
	}
	amount := func(what string, x float64) error {
		// The negation catches NaN.
		if !(x >= 0 && x <= largest) {
			return fmt.Errorf("%s is %g: want a number from 0 to %g", what, x, largest)
		}
		return nil
	}
	for i, x := range f.Load {
		if err := amount(fmt.Sprintf("the load of partition %d", i), x); err != nil {
			return err
		}
	}
	if err := amount("the fair share", f.Fair); err != nil {
		return err
	}
	if err := amount("the load of the top key", f.TopLoad); err != nil {
		return err
	}
	if !f.hasTop() {
		return nil
	}
	if f.TopPartition >= len(f.Load) {
		return fmt.Errorf("the top key is in partition %d of %d", f.TopPartition, len(f.Load))
	}
	// Sums of floating-point numbers in different orders differ a little.
	if load := f.Load[f.TopPartition]; f.TopLoad > load*(1+1e-9) {
		return fmt.Errorf("the top key's load %g exceeds %g, that of its partition %d", f.TopLoad, load, f.TopPartition)
	}
	return nil
}

func (f LoadBars) hasTop() bool { return f.TopPartition >= 0 && f.TopLoad > 0 }

// heaviest returns the first partition with the greatest load.
func (f LoadBars) heaviest() int {
	at := 0
	for i, x := range f.Load {
		if x > f.Load[at] {
			at = i
		}
	}
	return at
}

// overloaded reports whether partition i is above the alarm level.
func (f LoadBars) overloaded(i int) bool {
	return f.Fair > 0 && f.Load[i] > Overloaded*f.Fair
}

// topShare is the top key's share of all load, in [0, 1].
func (f LoadBars) topShare() float64 {
	var sum float64
	for _, x := range f.Load {
		sum += x * 1e-10 // the sum of many large loads must not overflow
	}
	return math.Min(1, f.TopLoad*1e-10/sum)
}

// summary is the figure in words, for those who cannot see it. The result is
// escaped.
func (f LoadBars) summary() string {
	s := fmt.Sprintf("%s partitions", reports.Count(int64(len(f.Load))))
	at := f.heaviest()
	s += fmt.Sprintf(", the heaviest is %d with %s", at, si(f.Load[at]))
	if f.Fair > 0 {
		s += fmt.Sprintf(", %s the fair share of %s", reports.Ratio(f.Load[at]/f.Fair), si(f.Fair))
	}
	if f.hasTop() {
		s += fmt.Sprintf("; %s, in partition %d", f.topText(), f.TopPartition)
	}
	return s
}

// topText names the top key and its share. The result is escaped.
func (f LoadBars) topText() string {
	key := shorten(reports.EscapeText(reports.KeyCell([]byte(f.TopKey))), 32)
	return fmt.Sprintf("top key %s: %s of %s", key, reports.Percent(f.topShare()), f.unit())
}

// unit is Unit, escaped.
func (f LoadBars) unit() string { return or(reports.EscapeText(f.Unit), "records") }

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
