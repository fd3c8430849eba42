package figures

import (
	"image/color"
	"strings"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Okabe and Ito's sky blue, orange and vermillion, ordered from calm to alarm;
// they differ in lightness too, so that a grey print still tells them apart.
var (
	blue       = color.NRGBA{0x56, 0xb4, 0xe9, 0xff}
	orange     = color.NRGBA{0xe6, 0x9f, 0x00, 0xff}
	vermillion = color.NRGBA{0xd5, 0x5e, 0x00, 0xff}

	ink   = color.NRGBA{0x1f, 0x23, 0x28, 0xff} // titles, fair share
	muted = color.NRGBA{0x57, 0x60, 0x6a, 0xff} // axes and labels; 6:1 on white
	grid  = color.NRGBA{0xe4, 0xe7, 0xea, 0xff}
)

// style returns a text style of the given size in points. Positions given with
// it are the top left of the text.
func style(size vg.Length, ink color.Color, weight xfont.Weight) text.Style {
	return text.Style{
		Color: ink,
		Font: font.From(font.Font{
			Typeface: "Liberation", Variant: "Sans", Weight: weight,
		}, size),
		XAlign:  draw.XLeft,
		YAlign:  draw.YTop,
		Handler: plot.DefaultTextHandler,
	}
}

var (
	titleStyle    = style(17, ink, xfont.WeightBold)
	subtitleStyle = style(12, muted, xfont.WeightNormal)
	legendStyle   = style(11.5, ink, xfont.WeightNormal)
	axisStyle     = style(11.5, muted, xfont.WeightNormal)
	tickStyle     = style(11, muted, xfont.WeightNormal)
	noteStyle     = style(11.5, ink, xfont.WeightBold)
)

// fit returns s, cut at the end where it would be wider than width.
func fit(s string, sty text.Style, width vg.Length) string {
	if sty.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	low, high := 0, len(runes) // the longest part that fits is in [low, high)
	for low+1 < high {
		if mid := (low + high) / 2; sty.Width(string(runes[:mid])+"…") <= width {
			low = mid
		} else {
			high = mid
		}
	}
	return strings.TrimRight(string(runes[:low]), " ") + "…"
}

// shorten cuts the middle out of s where it has more than most characters: keys
// often differ only at their ends.
func shorten(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	head := most * 2 / 3
	return string(runes[:head]) + "…" + string(runes[len(runes)-(most-head-1):])
}

// drawable reports whether the font has a glyph for r.
func drawable(face font.Face, r rune) bool {
	var buf sfnt.Buffer
	glyph, err := face.Face.GlyphIndex(&buf, r)
	return err == nil && glyph != 0
}
