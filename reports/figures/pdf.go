package figures

import (
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// outlinedPDF is a PDF canvas that draws text as shapes. As of gonum/plot
// v0.17.0 vgpdf takes text for Windows-1252, which garbles "×" and most keys,
// and loses bold fonts. The price is that the text cannot be selected.
type outlinedPDF struct{ *vgpdf.Canvas }

// FillString implements vg.Canvas.
func (c outlinedPDF) FillString(face plotfont.Face, at vg.Point, s string) {
	var buf sfnt.Buffer
	// At as many pixels per em as the font has units, coordinates are exact.
	em := fixed.I(int(face.Face.UnitsPerEm()))
	scale := face.Font.Size / vg.Length(em)

	var path vg.Path
	var previous sfnt.GlyphIndex
	for i, r := range s {
		// Errors mean a font without the table asked for; Liberation has all.
		glyph, _ := face.Face.GlyphIndex(&buf, r)
		if i > 0 {
			kern, _ := face.Face.Kern(&buf, previous, glyph, em, font.HintingNone)
			at.X += vg.Length(kern) * scale
		}
		point := func(p fixed.Point26_6) vg.Point { // the font's y grows downwards
			return vg.Point{X: at.X + vg.Length(p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
		}
		segments, _ := face.Face.LoadGlyph(&buf, glyph, em, nil)
		for _, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				path.Move(point(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(point(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(point(s.Args[0]), point(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
			}
		}
		advance, _ := face.Face.GlyphAdvance(&buf, glyph, em, font.HintingNone)
		at.X += vg.Length(advance) * scale
		previous = glyph
	}
	if path != nil {
		c.Fill(path)
	}
}
