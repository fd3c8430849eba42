package figures

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/keyspread/keyspread/reports"
)

// bars draws the loads and writes the heaviest one's multiple of the fair share
// above it.
type bars struct{ LoadBars }

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	slot := (c.Max.X - c.Min.X) / vg.Length(len(b.Load))
	if slot < thinSlot {
		b.plotThin(c, x, y)
	} else {
		bar := min(slot*0.78, widestBar)
		for i, load := range b.Load {
			if load == 0 {
				continue
			}
			middle := x(float64(i))
			fillRectangle(c, b.fill(i), middle-bar/2, y(0), middle+bar/2, y(load))
		}
		if b.hasTop() {
			middle := x(float64(b.TopPartition))
			fillRectangle(c, vermillion, middle-bar/2, y(0), middle+bar/2, y(b.topLoad()))
		}
	}
	b.plotPeak(c, x, y)
}

func (b bars) fill(i int) color.Color {
	if b.overloaded(i) {
		return orange
	}
	return blue
}

// pixel is one in PNG, in points. Edges of thin bars lie between pixels: a bar
// spread over two would blend with its neighbour's colour.
const pixel vg.Length = 72.0 / dpi

// thinnestTop is the least width at which the top key's bar is still seen among
// a thousand.
const thinnestTop = 4 * pixel

// plotThin draws bars that touch as one outline: drawn one by one, their blurred
// edges would show as stripes. Overloaded ones are drawn again on top.
func (b bars) plotThin(c draw.Canvas, x, y func(float64) vg.Length) {
	fill := func(fill color.Color, path vg.Path) {
		c.SetColor(fill)
		c.Fill(path)
	}
	// The time to fill grows with the square of the corners in a line of pixels,
	// so in pieces; each reaches into the next, which hides the seam.
	const piece = 64
	for from := 0; from < len(b.Load); from += piece {
		fill(blue, outline(from, b.Load[from:min(from+piece+1, len(b.Load))], pixel, x, y))
	}
	for from := 0; from < len(b.Load); from++ {
		to := from
		for to < len(b.Load) && b.overloaded(to) {
			to++
		}
		if to > from {
			fill(orange, outline(from, b.Load[from:to], pixel, x, y))
			from = to
		}
	}
	if b.hasTop() {
		at := b.TopPartition
		fill(b.fill(at), outline(at, b.Load[at:at+1], thinnestTop, x, y))
		fill(vermillion, outline(at, []float64{b.topLoad()}, thinnestTop, x, y))
	}
}

// outline returns the outline of the loads of consecutive partitions, at
// least as wide as given. Where several share a pixel the heaviest counts.
func outline(first int, loads []float64, least vg.Length, x, y func(float64) vg.Length) vg.Path {
	snap := func(i int) vg.Length {
		return vg.Length(math.Round(float64(x(float64(i)-0.5)/pixel))) * pixel
	}
	left, end := snap(first), snap(first+len(loads))
	if extra := least - (end - left); extra > pixel/2 {
		left -= vg.Length(math.Floor(float64(extra/pixel/2))) * pixel
		end = left + least
	}
	var path vg.Path
	path.Move(vg.Point{X: left, Y: y(0)})
	var high float64
	for i, load := range loads {
		high = math.Max(high, load)
		right := snap(first + i + 1)
		if i == len(loads)-1 {
			right = end
		} else if right <= left {
			continue
		}
		path.Line(vg.Point{X: left, Y: y(high)})
		path.Line(vg.Point{X: right, Y: y(high)})
		left, high = right, 0
	}
	path.Line(vg.Point{X: end, Y: y(0)})
	path.Close()
	return path
}

// topLoad is the top key's part of its bar, from the axis up.
func (b bars) topLoad() float64 { return math.Min(b.TopLoad, b.Load[b.TopPartition]) }

// plotPeak writes "2.61×" above the heaviest bar.
func (b bars) plotPeak(c draw.Canvas, x, y func(float64) vg.Length) {
	at := b.heaviest()
	if b.Fair == 0 || b.Load[at] == 0 {
		return
	}
	sty := noteStyle
	sty.XAlign = draw.XCenter
	label := reports.Ratio(b.Load[at] / b.Fair)
	half := sty.Width(label) / 2
	pt := vg.Point{X: x(float64(at)), Y: y(b.Load[at]) + sty.Height(" ") + 3}
	pt.X = min(max(pt.X, c.Min.X+half), c.Max.X-half)
	// White behind the text, where a grid line may run.
	fillRectangle(c, color.White, pt.X-half-2, pt.Y-sty.Height(" "), pt.X+half+2, pt.Y)
	c.FillText(sty, pt, label)
}
