package figures_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports/figures"
)

// rising is a figure of lines at counts first…last.
func rising(lines, first, last int) figures.Curves {
	f := figures.Curves{Title: "imbalance against partition count", Subtitle: "25,000 records in 3,190 keys", TopShare: 0.02}
	for i := range lines {
		l := figures.Line{Name: fmt.Sprint("client-", i)}
		for n := first; n <= last; n++ {
			x := float64(n)
			l.Points = append(l.Points, figures.Point{Count: x, Imbalance: 1 + x/50*(1.3+0.3*math.Sin(x*float64(i+1)))})
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

func renderCurves(t *testing.T, f figures.Curves, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCurvesSVG(t *testing.T) {
	svg := renderCurves(t, rising(2, 1, 300), "svg")
	golden(t, "curves-300.svg", string(svg))
	d := parse(t, svg)
	text := strings.Join(d.texts, "\n")
	for _, want := range []string{"client-0", "client-1", "band: least to greatest", "top key 2.0 %", "partitions", "100", "1×", "5×"} {
		if !strings.Contains(text, want) {
			t.Errorf("no text %q in\n%s", want, text)
		}
	}
	if d.dashed != 1 {
		t.Errorf("%d dashed lines, want the floor", d.dashed)
	}

	f := rising(1, 24, 48)
	f.TopShare = 0
	text = strings.Join(parse(t, renderCurves(t, f, "svg")).texts, "\n")
	if strings.Contains(text, "band") || strings.Contains(text, "top key") || !strings.Contains(text, "even") {
		t.Errorf("a few counts without a heavy key: texts\n%s", text)
	}
	if d := parse(t, renderCurves(t, rising(8, 24, 48), "svg")); d.dashed != 1+2*2 {
		t.Errorf("%d dashed lines of 8 lines, want the floor, and two with their legend", d.dashed)
	}
}

// TestCurvesExtremes: no count and no imbalance breaks the layout.
func TestCurvesExtremes(t *testing.T) {
	for _, points := range [][]figures.Point{
		{{1, 1}}, {{12, 3}}, {{1, 1}, {1000000, 1}}, {{6, 1}, {7, 1.0001}}, {{1, 1}, {2, 1e12}}, {{1e11, 5}, {1e12, 7}}, {{1, 1}, {1e12, 1e12}}, {{999, 1.01}, {1000, 1.02}, {1001, 1.015}},
	} {
		for _, share := range []float64{0, 1e-300, 0.3, 1} {
			f := figures.Curves{Lines: []figures.Line{{Name: "java", Points: points}}, TopShare: share}
			d := parse(t, renderCurves(t, f, "svg"))
			if len(d.texts) < 4 || len(d.texts) > 60 {
				t.Errorf("%v: %d texts %q", points, len(d.texts), d.texts)
			}
			for _, s := range d.texts {
				if strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
					t.Errorf("%v: text %q", points, s)
				}
			}
		}
	}
}

func TestCurvesDeterminism(t *testing.T) {
	for _, format := range figures.Formats() {
		if f := rising(3, 1, 200); !bytes.Equal(renderCurves(t, f, format), renderCurves(t, f, format)) {
			t.Errorf("two %s differ", format)
		}
	}
}

func TestCurvesRefuses(t *testing.T) {
	for want, change := range map[string]func(*figures.Curves){
		"no lines":                 func(f *figures.Curves) { f.Lines = nil },
		`line "a" has no points`:   func(f *figures.Curves) { f.Lines = []figures.Line{{Name: "a"}} },
		"imbalance NaN at 3":       func(f *figures.Curves) { f.Lines[0].Points[2].Imbalance = math.NaN() },
		"imbalance 0.5 at 3":       func(f *figures.Curves) { f.Lines[0].Points[2].Imbalance = 0.5 },
		"at 0: want both":          func(f *figures.Curves) { f.Lines[0].Points[0].Count = 0 },
		"count 2 comes after 2":    func(f *figures.Curves) { f.Lines[0].Points[2].Count = 2 },
		"imbalance 1e+13 at 3":     func(f *figures.Curves) { f.Lines[0].Points[2].Imbalance = 1e13 },
		"heaviest key is NaN":      func(f *figures.Curves) { f.TopShare = math.NaN() },
		"heaviest key is 1.5: wan": func(f *figures.Curves) { f.TopShare = 1.5 },
	} {
		f := rising(1, 1, 5)
		change(&f)
		var b bytes.Buffer
		if err := f.Write(&b, "svg"); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%v and %d bytes, want %q and none", err, b.Len(), want)
		}
	}
	if err := rising(1, 1, 5).Write(io.Discard, "gif"); err == nil || !strings.Contains(err.Error(), "svg, png, pdf") {
		t.Errorf("format gif: %v", err)
	}
}

// spreads returns the spreads of a few keys under some clients at counts 1…n.
func spreads(t *testing.T, n int, clients ...string) []*bench.Spread {
	t.Helper()
	var keys partition.KeyTable
	for i := range 100 {
		if _, err := keys.Add(fmt.Appendf(nil, "user-%d", i), int64(1+i%7), 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	var counts []int
	for i := range n {
		counts = append(counts, i+1)
	}
	var results []*bench.Spread
	for _, name := range clients {
		client, err := partition.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		more, err := bench.NewSpreader(&keys, client, partition.Raw).Spreads(context.Background(), counts, 1)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, more...)
	}
	return results
}

// TestSweep: clients that agree share a line, one that ignores keys has none, and
// the floor is that of the heaviest key.
func TestSweep(t *testing.T) {
	f, ok := figures.Sweep(spreads(t, 100, "java", "librdkafka", "kafka-go", "franz-go", "kafkajs"))
	if !ok || len(f.Lines) != 2 || f.Lines[0].Name != "java, franz-go and 1 more" || f.Lines[1].Name != "librdkafka" {
		t.Fatalf("%v, lines %+v", ok, f.Lines)
	}
	if len(f.Lines[0].Points) != 100 || math.Abs(f.TopShare-7.0/395) > 1e-9 {
		t.Errorf("%d points, share of the top key %v", len(f.Lines[0].Points), f.TopShare)
	}
	if _, ok := figures.Sweep(spreads(t, 100, "kafka-go")); ok {
		t.Error("a figure of a client that ignores keys")
	}
}

// TestSaveSpreads: few counts have a figure each, many share one.
func TestSaveSpreads(t *testing.T) {
	for n, want := range map[int]string{2: "spread-java-1.svg spread-java-1.png spread-java-2.svg spread-java-2.png", 17: "imbalance.svg imbalance.png", 100: "imbalance.svg imbalance.png"} {
		dir := t.TempDir()
		paths, err := figures.SaveSpreads(dir, spreads(t, n, "java"))
		var names []string
		for _, path := range paths {
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
			names = append(names, filepath.Base(path))
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%d counts: %s, %v; want %s", n, got, err, want)
		}
	}
	if paths, err := figures.SaveSpreads(t.TempDir(), spreads(t, 100, "kafka-go")); err != nil || len(paths) > 0 {
		t.Errorf("a client that ignores keys: %q, %v", paths, err)
	}
}
