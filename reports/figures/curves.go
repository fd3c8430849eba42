package figures

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/keyspread/keyspread/reports"
)

// Curves is a figure of imbalance against partition count, a line for each of
// several clients, both axes logarithmic. Where counts are closer than can be
// seen, the line goes through the medians of neighbours and a band from the least
// to the greatest of them.
type Curves struct {
	// Title and Subtitle stand above; either may be empty.
	Title, Subtitle string
	// Lines are what is compared, at least one.
	Lines []Line
	// TopShare is the share of the heaviest key, from 0 to 1. The dashed line
	// max(1, TopShare · count) is what no hash of whole keys gets below. 0 draws the
	// line at 1.
	TopShare float64
	// XLabel names the counts: "partitions" when empty.
	XLabel string
}

// A Line is the imbalance of one client at several counts.
type Line struct {
	Name   string
	Points []Point // at least one, counts ascending
}

// A Point is the imbalance at one count, both 1 or more.
type Point struct{ Count, Imbalance float64 }

// largestPoint is the largest count and imbalance that a curve has.
const largestPoint = 1e12

// Write draws the figure as "svg", "png" (1920 pixels wide) or "pdf". It refuses a
// figure without points, counts that do not ascend, and numbers that are out of
// range; nothing is written then.
func (f Curves) Write(w io.Writer, format string) error {
	return write(w, f, format)
}

// Save writes base.svg and base.png into dir, which it creates if need be, and
// returns their paths. Each file is whole or not there.
func (f Curves) Save(dir, base string) ([]string, error) { return save(dir, base, f) }

func (f Curves) name() string { return or(f.Title, "imbalance against partition count") }

func (f Curves) check() error {
	if len(f.Lines) == 0 {
		return errors.New("no lines")
	}
	if !(f.TopShare >= 0 && f.TopShare <= 1) { // NaN is refused, too
		return fmt.Errorf("the share of the heaviest key is %g: want 0 to 1", f.TopShare)
	}
	for _, l := range f.Lines {
		if len(l.Points) == 0 {
			return fmt.Errorf("line %q has no points", l.Name)
		}
		before := 0.0
		for _, p := range l.Points {
			if !(p.Count >= 1 && p.Count <= largestPoint && p.Imbalance >= 1 && p.Imbalance <= largestPoint) {
				return fmt.Errorf("line %q: imbalance %g at %g: want both from 1 to %g", l.Name, p.Imbalance, p.Count, largestPoint)
			}
			if p.Count <= before {
				return fmt.Errorf("line %q: count %g comes after %g", l.Name, p.Count, before)
			}
			before = p.Count
		}
	}
	return nil
}

// span returns the least and the greatest count, and the greatest imbalance that
// is drawn.
func (f Curves) span() (least, greatest, peak float64) {
	least, peak = math.Inf(1), 1
	for _, l := range f.Lines {
		least = min(least, l.Points[0].Count)
		greatest = max(greatest, l.Points[len(l.Points)-1].Count)
		for _, p := range l.Points {
			peak = max(peak, p.Imbalance)
		}
	}
	return least, greatest, max(peak, f.floor(greatest))
}

// floor returns what no hash of whole keys gets below.
func (f Curves) floor(count float64) float64 { return max(1, f.TopShare*count) }

// summary is the figure in words, for those who cannot see it. The result is
// escaped.
func (f Curves) summary() string {
	least, greatest, _ := f.span()
	s := fmt.Sprintf("imbalance at %s to %s %s", si(least), si(greatest), f.counted())
	for _, l := range f.Lines {
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		s += fmt.Sprintf("; %s: from %s at %s to %s at %s", reports.EscapeText(l.Name),
			reports.Ratio(first.Imbalance), si(first.Count), reports.Ratio(last.Imbalance), si(last.Count))
	}
	if f.TopShare > 0 {
		s += fmt.Sprintf("; the heaviest key has %s of the records", reports.Percent(f.TopShare))
	}
	return s
}

// counted is XLabel, escaped.
func (f Curves) counted() string { return or(reports.EscapeText(f.XLabel), "partitions") }
