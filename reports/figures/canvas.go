package figures

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/keyspread/keyspread/reports"
)

// The size of a figure in points, and how finely PNG resolves it.
const (
	width  vg.Length = 720
	height vg.Length = 400
	dpi              = 192
)

// canvas is a drawing surface in one format.
type canvas struct {
	draw.Canvas
	format string
	output io.WriterTo
}

func newCanvas(format string) (*canvas, error) {
	c := &canvas{format: format}
	var sized vg.CanvasSizer
	switch format {
	case "svg":
		svg := &measuredSVG{Canvas: vgsvg.New(width, height)}
		sized, c.output = svg, svg
	case "png":
		img := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
		sized, c.output = img, vgimg.PngCanvas{Canvas: img}
	case "pdf":
		pdf := outlinedPDF{vgpdf.New(width, height)}
		sized, c.output = pdf, pdf
	default:
		return nil, fmt.Errorf("unknown figure format %q: want %s", format, strings.Join(Formats(), ", "))
	}
	c.Canvas = draw.New(sized)
	return c, nil
}

// line writes one line at the top of area, unless s is empty, and takes it and the
// gap below it from the area.
func (c *canvas) line(area *draw.Canvas, s string, sty text.Style, gap vg.Length) {
	if s == "" {
		return
	}
	area.FillText(sty, vg.Point{X: area.Min.X, Y: area.Max.Y}, fit(c.show(s, sty), sty, area.Max.X-area.Min.X))
	area.Max.Y -= sty.Height(" ") + gap
}

// show returns s as it may be drawn: without characters that hide, and those
// that the font lacks as escapes.
func (c *canvas) show(s string, sty text.Style) string {
	return c.spell(reports.EscapeText(s), sty)
}

// spell returns s, which is escaped already, with an escape for each character
// that the font lacks. SVG is left alone: its viewer has more fonts.
func (c *canvas) spell(s string, sty text.Style) string {
	if c.format == "svg" {
		return s
	}
	face := sty.Handler.Cache().Lookup(sty.Font, sty.Font.Size)
	var b strings.Builder
	for _, r := range s {
		switch {
		case drawable(face, r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// write encodes the drawing. summary is escaped already.
func (c *canvas) write(w io.Writer, title, summary string) error {
	var b bytes.Buffer
	if _, err := c.output.WriteTo(&b); err != nil {
		return err
	}
	out := b.Bytes()
	switch c.format {
	case "svg":
		out = describe(out, or(reports.EscapeText(title), "load per partition"), summary)
	case "pdf":
		out = pdfDate.ReplaceAll(out, []byte("Date (D:20000101000000)"))
	}
	_, err := w.Write(out)
	return err
}

// pdfDate is the time stamp that the PDF library insists on. The replacement has
// the same length, since the file's index holds byte offsets.
var pdfDate = regexp.MustCompile(`Date \(D:[0-9]{14}\)`)
