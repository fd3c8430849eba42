package figures

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// measuredSVG is an SVG canvas whose texts keep their width where the viewer
// lacks the font. Embedding the font instead would cost 400 kB a weight.
type measuredSVG struct {
	*vgsvg.Canvas
	widths []vg.Length // of each text drawn, 0 where it cannot be known
}

// FillString implements vg.Canvas.
func (c *measuredSVG) FillString(face font.Face, at vg.Point, s string) {
	width := face.Width(s)
	if strings.ContainsFunc(s, func(r rune) bool { return !drawable(face, r) }) {
		width = 0
	}
	c.widths = append(c.widths, width)
	c.Canvas.FillString(face, at, s)
}

// WriteTo writes the document.
func (c *measuredSVG) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if _, err := c.Canvas.WriteTo(&b); err != nil {
		return 0, err
	}
	// Signs of markup in drawn text are entities, so these match markup only.
	svg := bytes.ReplaceAll(b.Bytes(), []byte(`style="font-family:Liberation Sans;`),
		[]byte(`style="font-family:'Liberation Sans',Arial,Helvetica,sans-serif;`))
	texts := bytes.Split(svg, []byte("<text "))
	out := bytes.Clone(texts[0])
	for i, text := range texts[1:] {
		out = append(out, "<text "...)
		if width := c.widths[i]; width > 0 {
			out = fmt.Appendf(out, `textLength="%.5g" lengthAdjust="spacingAndGlyphs" `, width.Points())
		}
		out = append(out, text...)
	}
	n, err := w.Write(out)
	return int64(n), err
}

// describe adds a title and a description for screen readers.
func describe(svg []byte, title, description string) []byte {
	const root = `xmlns:xlink="http://www.w3.org/1999/xlink"`
	described := fmt.Sprintf("%s role=\"img\">\n<title>%s</title>\n<desc>%s</desc>", root, html.EscapeString(title), html.EscapeString(description))
	return bytes.Replace(svg, []byte(root+">"), []byte(described), 1)
}
