package figures_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/reports/figures"
)

// hot is a figure of n partitions of which one holds the top key and one in ten
// is overloaded.
func hot(n int) figures.LoadBars {
	f := figures.LoadBars{
		Title: fmt.Sprintf("orders by customer over %d partitions", n), Subtitle: "java client, 1,234 keys, modelled",
		Load: make([]float64, n), TopKey: "LAS-LAX", TopPartition: n / 2,
	}
	for i := range f.Load {
		f.Load[i] = float64(30000 + 1000*(i%7))
		if i%10 == 3 {
			f.Load[i] *= 1.4
		}
	}
	f.TopLoad = 25000
	f.Load[f.TopPartition] += f.TopLoad
	for _, x := range f.Load {
		f.Fair += x / float64(n)
	}
	return f
}

func render(t *testing.T, f figures.LoadBars, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// drawing is what an SVG shows.
type drawing struct {
	texts  []string
	fills  map[string]int // colour to number of shapes
	dashed int
}

// parse reads an SVG and fails the test if it is not well-formed.
func parse(t *testing.T, svg []byte) drawing {
	t.Helper()
	d := drawing{fills: map[string]int{}}
	fill := regexp.MustCompile(`fill:(#[0-9A-F]{6})`)
	dec := xml.NewDecoder(bytes.NewReader(svg))
	var inText bool
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return d
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
			if inText {
				d.texts = append(d.texts, "")
			}
			for _, a := range token.Attr {
				if a.Name.Local != "style" || token.Name.Local != "path" {
					continue
				}
				if strings.Contains(a.Value, "stroke-dasharray") {
					d.dashed++
				}
				if m := fill.FindStringSubmatch(a.Value); m != nil {
					d.fills[m[1]]++
				}
			}
		case xml.CharData:
			if inText {
				d.texts[len(d.texts)-1] += string(token)
			}
		case xml.EndElement:
			inText = false
		}
	}
}

const (
	blue       = "#56B4E9"
	orange     = "#E69F00"
	vermillion = "#D55E00"
)

func TestSVG(t *testing.T) {
	svg := render(t, hot(12), "svg")
	golden(t, "loads-12.svg", string(svg))
	for _, n := range []int{1, 2, 3, 12, 100} {
		f := hot(n)
		d := parse(t, render(t, f, "svg"))
		var over int
		for _, x := range f.Load {
			if x > figures.Overloaded*f.Fair {
				over++
			}
		}
		// Each colour in use has one square in the legend.
		want := map[string]int{vermillion: 2}
		if over > 0 {
			want[orange] = over + 1
		}
		if over < n {
			want[blue] = n - over + 1
		}
		for _, colour := range []string{blue, orange, vermillion} {
			if d.fills[colour] != want[colour] {
				t.Errorf("%d partitions: %d shapes in %s, want %d", n, d.fills[colour], colour, want[colour])
			}
		}
		if d.dashed != 1 {
			t.Errorf("%d partitions: %d dashed lines, want the fair share", n, d.dashed)
		}
		text := strings.Join(d.texts, "\n")
		for _, want := range []string{f.Title, f.Subtitle, "top key LAS-LAX: ", " % of records", "fair share", "records per partition", "partition", "×"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d partitions: no text %q in\n%s", n, want, text)
			}
		}
	}
}

// Labels of partitions must not run into each other, however many there are.
func TestManyPartitions(t *testing.T) {
	for n, last := range map[int]string{60: "55", 100: "95", 1000: "950", 20000: "18,000"} {
		d := parse(t, render(t, hot(n), "svg"))
		var labels int
		var found bool
		for _, s := range d.texts {
			if strings.Trim(s, "0123456789,") == "" {
				labels++
			}
			found = found || s == last
		}
		if labels > 40 || !found {
			t.Errorf("%d partitions: %d labels, last %q found: %v", n, labels, last, found)
		}
	}
}

func TestHostileNames(t *testing.T) {
	f := hot(3)
	f.Title = "<b>\"&' \x1b[31m\x00\uffff 日本"
	f.Subtitle = "</text><script>alert(1)</script>"
	f.TopKey = "a\u202e<&\">\xff" + strings.Repeat("long", 20) + "-tail"
	f.XLabel, f.YLabel, f.Unit = "<x>", "<y>", "<u>"
	svg := render(t, f, "svg")
	text := strings.Join(parse(t, svg).texts, "\n")
	for _, want := range []string{`<b>"&' \x1b[31m\x00\uffff 日本`, f.Subtitle, `top key a\u202e<&">\xff`, "…", "-tail", "<x>", "<y>", "% of <u>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no text %q in\n%s", want, text)
		}
	}
	if bytes.Contains(svg, []byte("<script")) {
		t.Error("a name became markup")
	}
	for _, format := range figures.Formats() {
		render(t, f, format)
	}
	f.TopKey = ""
	if text := strings.Join(parse(t, render(t, f, "svg")).texts, "\n"); !strings.Contains(text, "top key (empty)") {
		t.Errorf("the empty key has no name in\n%s", text)
	}
}

func TestNothingToDraw(t *testing.T) {
	f := figures.LoadBars{Load: make([]float64, 12), TopPartition: -1}
	d := parse(t, render(t, f, "svg"))
	if text := strings.Join(d.texts, "\n"); d.dashed != 0 || d.fills[blue] != 0 || !strings.Contains(text, "no records") {
		t.Errorf("loads of zero: %+v", d)
	}
	render(t, f, "png")
}

func TestDeterminism(t *testing.T) {
	for _, format := range figures.Formats() {
		for _, n := range []int{12, 1000} {
			if !bytes.Equal(render(t, hot(n), format), render(t, hot(n), format)) {
				t.Errorf("two %s of %d partitions differ", format, n)
			}
		}
	}
}

func TestPNGSize(t *testing.T) {
	image, err := png.DecodeConfig(bytes.NewReader(render(t, hot(12), "png")))
	if err != nil || image.Width != 1920 {
		t.Errorf("%+v, %v, want 1920 pixels", image, err)
	}
}

func TestRefuses(t *testing.T) {
	for want, change := range map[string]func(*figures.LoadBars){
		"no partitions":                   func(f *figures.LoadBars) { f.Load = nil },
		"the load of partition 1 is NaN":  func(f *figures.LoadBars) { f.Load[1] = math.NaN() },
		"the load of partition 2 is +Inf": func(f *figures.LoadBars) { f.Load[2] = math.Inf(1) },
		"the load of partition 0 is -1":   func(f *figures.LoadBars) { f.Load[0] = -1 },
		"the fair share is NaN":           func(f *figures.LoadBars) { f.Fair = math.NaN() },
		"the load of the top key is -1":   func(f *figures.LoadBars) { f.TopLoad = -1 },
		"in partition 3 of 3":             func(f *figures.LoadBars) { f.TopPartition = 3 },
		"exceeds":                         func(f *figures.LoadBars) { f.TopLoad = 1e9 },
	} {
		f := hot(3)
		change(&f)
		var b bytes.Buffer
		if err := f.Write(&b, "svg"); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%v and %d bytes, want %q and none", err, b.Len(), want)
		}
	}
	if err := hot(3).Write(io.Discard, "gif"); err == nil || !strings.Contains(err.Error(), "svg, png, pdf") {
		t.Errorf("format gif: %v", err)
	}
}

// No finite input may break the layout.
func TestExtremes(t *testing.T) {
	for _, x := range []float64{5e-324, 1e-300, 1e-9, 0.3, 1, 999, 9999, 10000, 1e15, 1e21, 1e300} {
		f := figures.LoadBars{Load: []float64{x, x / 2, 0}, Fair: x / 2, TopKey: "k", TopPartition: 0, TopLoad: x / 2}
		d := parse(t, render(t, f, "svg"))
		if len(d.texts) > 30 || len(d.texts) < 6 {
			t.Errorf("loads up to %g: %d texts %q", x, len(d.texts), d.texts)
		}
		for _, s := range d.texts {
			if strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
				t.Errorf("loads up to %g: text %q", x, s)
			}
		}
	}
}

func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	paths, err := hot(12).Save(dir, "orders")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(dir, "orders.svg"), filepath.Join(dir, "orders.png")}
	if fmt.Sprint(paths) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", paths, want)
	}
	for i, format := range []string{"svg", "png"} {
		if got, err := os.ReadFile(want[i]); err != nil || !bytes.Equal(got, render(t, hot(12), format)) {
			t.Errorf("%s differs from what Write gives: %v", want[i], err)
		}
	}
	bad := hot(3)
	bad.Load[0] = math.NaN()
	if _, err := bad.Save(filepath.Join(dir, "unmade"), "x"); err == nil {
		t.Error("NaN was saved")
	}
	if _, err := os.Stat(filepath.Join(dir, "unmade")); err == nil {
		t.Error("a failed save made a directory")
	}
	for _, base := range []string{"", ".", "..", "a/b", "../x"} {
		if paths, err := hot(3).Save(dir, base); err == nil {
			t.Errorf("base %q saved %q", base, paths)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, format := range []string{"svg", "png"} {
		for _, n := range []int{12, 1000} {
			b.Run(fmt.Sprintf("%s/partitions=%d", format, n), func(b *testing.B) {
				f := hot(n)
				for b.Loop() {
					if err := f.Write(io.Discard, format); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
