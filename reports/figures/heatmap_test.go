package figures_test

import (
	"bytes"
	"image/png"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/reports/figures"
)

// modulo is the flow of hashes 0, 1, 2, … from n to m partitions.
func modulo(n, m int) figures.HeatMap {
	f := figures.HeatMap{Title: "orders by customer", Subtitle: "modelled", Rows: n, Columns: m}
	for h := range n * m {
		f.Cells = append(f.Cells, figures.Cell{Row: h % n, Column: h % m, Value: 10})
	}
	return f
}

func heat(t *testing.T, f figures.HeatMap, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const darkBlue, darkOrange = "#08519C", "#A63603"

func TestHeatMap(t *testing.T) {
	golden(t, "churn-6-8.svg", string(heat(t, modulo(6, 8), "svg")))
	for _, row := range []struct{ n, m, stays, moves int }{
		{6, 8, 6, 18}, {6, 12, 6, 6}, {12, 6, 6, 6}, {1, 1, 1, 0}, {1, 5, 1, 4}, {24, 36, 24, 48},
	} {
		d := parse(t, heat(t, modulo(row.n, row.m), "svg"))
		// Each colour in use ends a scale of the legend.
		stays, moves := row.stays+1, row.moves
		if moves > 0 {
			moves++
		}
		if d.fills[darkBlue] != stays || d.fills[darkOrange] != moves {
			t.Errorf("%d to %d: %d cells stay, %d move; want %d, %d", row.n, row.m, d.fills[darkBlue], d.fills[darkOrange], stays, moves)
		}
		text := strings.Join(d.texts, "\n")
		for _, want := range []string{"orders by customer", "modelled", "from partition", "to partition", "stay", "in a cell"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d to %d: no text %q in\n%s", row.n, row.m, want, text)
			}
		}
	}
}

// Large matrices share cells, and say so; nothing is lost in the sums.
func TestHeatMapAggregates(t *testing.T) {
	f := modulo(100, 1000)
	svg := heat(t, f, "svg")
	if text := strings.Join(parse(t, svg).texts, "\n"); !strings.Contains(text, "of 1 × 10 partitions") || !strings.Contains(text, "950") {
		t.Errorf("texts are\n%s", text)
	}
	if !bytes.Contains(svg, []byte("90.0 % of keys are off the diagonal; the most go from 0 to 0 to 9: 1,000")) {
		t.Errorf("the description is missing in\n%s", svg[:600])
	}
	for _, size := range [][2]int{{1, 100_000}, {100_000, 1}, {999, 1001}, {101, 101}} {
		f := figures.HeatMap{Rows: size[0], Columns: size[1]}
		for i := range 1000 {
			f.Cells = append(f.Cells, figures.Cell{Row: i * 7919 % size[0], Column: i * 6101 % size[1], Value: 1})
		}
		svg := heat(t, f, "svg")
		if d := parse(t, svg); len(d.texts) > 80 || len(svg) > 1<<20 {
			t.Errorf("%v: %d texts, %d bytes", size, len(d.texts), len(svg))
		}
	}
}

func TestHeatMapIsRobust(t *testing.T) {
	f := modulo(2, 3)
	f.Title, f.Subtitle, f.Unit = "<b>\x1b[31m\u202e日本", "</text><script>alert(1)</script>", "<u>"
	f.XLabel, f.YLabel = "<x>", "<y>"
	svg := heat(t, f, "svg")
	text := strings.Join(parse(t, svg).texts, "\n")
	for _, want := range []string{`<b>\x1b[31m\u202e日本`, f.Subtitle, "<x>", "<y>", "more <u>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no text %q in\n%s", want, text)
		}
	}
	if bytes.Contains(svg, []byte("<script")) {
		t.Error("a name became markup")
	}
	for _, format := range figures.Formats() {
		if !bytes.Equal(heat(t, f, format), heat(t, f, format)) {
			t.Errorf("two %s differ", format)
		}
	}
	for _, x := range []float64{5e-324, 1e-9, 1, 1e15, 1e300} {
		g := figures.HeatMap{Rows: 2, Columns: 2, Cells: []figures.Cell{{0, 0, x}, {0, 1, x}, {1, 1, x / 3}}}
		for _, s := range parse(t, heat(t, g, "svg")).texts {
			if strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
				t.Errorf("values of %g: text %q", x, s)
			}
		}
	}
	empty := figures.HeatMap{Rows: 3, Columns: 4}
	if text := strings.Join(parse(t, heat(t, empty, "svg")).texts, "\n"); !strings.Contains(text, "no keys") {
		t.Errorf("nothing says that there is nothing in\n%s", text)
	}
	image, err := png.DecodeConfig(bytes.NewReader(heat(t, modulo(50, 64), "png")))
	if err != nil || image.Width != 1920 {
		t.Errorf("%+v, %v, want 1920 pixels", image, err)
	}
}

func TestHeatMapRefuses(t *testing.T) {
	for want, cell := range map[string]figures.Cell{
		"cell 2, 0 is outside 2 × 3":  {2, 0, 1},
		"cell 0, 3 is outside 2 × 3":  {0, 3, 1},
		"cell -1, 0 is outside 2 × 3": {-1, 0, 1},
		"cell 1, 1 is NaN":            {1, 1, math.NaN()},
		"cell 1, 1 is +Inf":           {1, 1, math.Inf(1)},
		"cell 1, 1 is -1":             {1, 1, -1},
	} {
		f := figures.HeatMap{Rows: 2, Columns: 3, Cells: []figures.Cell{cell}}
		var b bytes.Buffer
		if err := f.Write(&b, "svg"); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%v and %d bytes, want %q and none", err, b.Len(), want)
		}
	}
	if err := (figures.HeatMap{Columns: 3}).Write(io.Discard, "svg"); err == nil || !strings.Contains(err.Error(), "no partitions") {
		t.Errorf("no rows: %v", err)
	}
	if err := modulo(2, 3).Write(io.Discard, "gif"); err == nil || !strings.Contains(err.Error(), "svg, png, pdf") {
		t.Errorf("format gif: %v", err)
	}
}

func TestHeatMapSave(t *testing.T) {
	dir := t.TempDir()
	paths, err := modulo(6, 8).Save(dir, "orders")
	if err != nil || len(paths) != 2 {
		t.Fatalf("%q, %v", paths, err)
	}
	if got, err := os.ReadFile(paths[0]); err != nil || !bytes.Equal(got, heat(t, modulo(6, 8), "svg")) {
		t.Errorf("%s differs from what Write gives: %v", paths[0], err)
	}
	if _, err := modulo(6, 8).Save(dir, "../x"); err == nil {
		t.Error("a path was taken for a name")
	}
}

func BenchmarkHeatMap(b *testing.B) {
	f := modulo(999, 100)
	for _, format := range []string{"svg", "png"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				if err := f.Write(io.Discard, format); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
