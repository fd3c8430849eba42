package reports

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/keyspread/keyspread/bench"
)

// A benchFile collects results in the Go benchmark format, see
// https://pkg.go.dev/golang.org/x/perf/benchfmt:
//
//	Unit imbalance assume=exact better=lower
//	BenchmarkSpread/client=java/partitions=12 1 1.11231 imbalance 0.103174 cv
//
// The figures are computed, not timed, so that one line says all of a result and
// benchstat is told to take it as exact. Names hold no input, so that the lines of
// two inputs are compared; a comment names it.
type benchFile struct {
	units []string
	lines []string
}

// A benchUnit is one figure of a benchmark line: left out if it does not exist.
type benchUnit struct {
	unit, better string // better: lower, higher or empty
	value        *float64
}

// count is a figure that is a whole number.
func count(n int64) *float64 {
	f := float64(n)
	return &f
}

// add adds a line, and its units to those that are declared. A line without
// figures is left out: the format has none.
func (b *benchFile) add(name string, figures ...benchUnit) {
	line := "Benchmark" + name + " 1"
	before := len(line)
	for _, f := range figures {
		if f.value == nil {
			continue
		}
		declared := "Unit " + f.unit + " assume=exact"
		if f.better != "" {
			declared += " better=" + f.better
		}
		b.units = append(b.units, declared)
		line += " " + benchValue(*f.value) + " " + f.unit
	}
	if len(line) > before {
		b.lines = append(b.lines, line)
	}
}

// benchValue returns a whole number exactly and others with six digits, two more
// than benchstat shows.
func benchValue(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// comment adds a line that readers of the format pass over.
func (b *benchFile) comment(text string) {
	b.lines = append(b.lines, "# "+EscapeText(text))
}

func (b *benchFile) write(w io.Writer) error {
	var out bytes.Buffer
	for _, line := range append(unique(b.units), b.lines...) {
		out.WriteString(line + "\n")
	}
	_, err := w.Write(out.Bytes())
	return err
}

// benchName returns a text as part of a benchmark's name: without spaces, and
// without the signs that divide a name.
func benchName(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !visible(r) || strings.ContainsRune("/=*\\", r) {
			return '_'
		}
		return r
	}, s)
}

// spreads adds a line for each spread.
func (b *benchFile) spreads(results []*bench.Spread) {
	if input := results[0].Input; input != "" {
		b.comment("input: " + input)
	}
	for _, r := range results {
		name := "Spread/client=" + benchName(r.Client)
		if r.KeyEncoding != "" && r.KeyEncoding != "raw" {
			name += "/keyEncoding=" + benchName(r.KeyEncoding)
		}
		name += fmt.Sprintf("/%ss=%d", benchName(r.Unit), r.Partitions)
		figures := []benchUnit{
			{"imbalance", "lower", r.Imbalance}, {"cv", "lower", r.CV}, {"cv-by-chance", "", r.CVExpected},
			{"gini", "lower", r.Gini}, {"entropy", "higher", r.Entropy},
		}
		if r.Imbalance != nil {
			figures = append(figures, benchUnit{"idle", "lower", count(int64(r.Idle))})
		}
		b.add(name, figures...)
	}
}

// churns adds a line for each change and each count of the sweep.
func (b *benchFile) churns(changes []*bench.Churn, sweep *bench.SweepResult) {
	if input := (SavedChurns{changes, sweep}).input(); input != "" {
		b.comment("input: " + input)
	}
	for _, r := range changes {
		b.moved(r.From, r.To, bench.Reach{
			KeysMoved: r.KeysMoved, KeysMovedShare: r.KeysMovedShare, ExpectedShare: r.ExpectedShare, OptimumShare: r.OptimumShare,
			RecordsMoved: r.RecordsMoved, RecordsMovedShare: r.RecordsMovedShare,
		})
	}
	if sweep == nil {
		return
	}
	for _, r := range sweep.Counts {
		to := bench.Side{Client: sweep.To.Client, KeyEncoding: sweep.To.KeyEncoding, Partitions: r.Partitions}
		b.moved(sweep.From, to, r)
	}
}

// moved adds a line for what a change moves.
func (b *benchFile) moved(from, to bench.Side, r bench.Reach) {
	b.add("Churn"+benchChange(from, to),
		benchUnit{"keys-moved", "lower", count(int64(r.KeysMoved))}, benchUnit{"keys-moved-share", "lower", r.KeysMovedShare},
		benchUnit{"expected-share", "", r.ExpectedShare}, benchUnit{"optimum-share", "", &r.OptimumShare},
		benchUnit{"records-moved", "lower", count(r.RecordsMoved)}, benchUnit{"records-moved-share", "lower", r.RecordsMovedShare},
	)
}

// benchChange names a change within a benchmark's name. What both sides share is
// named once.
func benchChange(from, to bench.Side) string {
	var name string
	both := func(one, other, a, b string) {
		if a == b {
			name += "/" + one + "=" + benchName(a)
		} else {
			name += fmt.Sprintf("/from%s=%s/to%[1]s=%[3]s", other, benchName(a), benchName(b))
		}
	}
	both("client", "Client", from.Client, to.Client)
	if from.KeyEncoding != "raw" || to.KeyEncoding != "raw" {
		both("keyEncoding", "KeyEncoding", from.KeyEncoding, to.KeyEncoding)
	}
	return name + fmt.Sprintf("/from=%d/to=%d", from.Partitions, to.Partitions)
}

// benchmarked is what a [Result] has that can be written as benchmark lines.
type benchmarked interface{ bench(b *benchFile) }

func (s SavedSpreads) bench(b *benchFile) { b.spreads(s) }

func (s SavedChurns) bench(b *benchFile) { b.churns(s.Changes, s.Sweep) }
