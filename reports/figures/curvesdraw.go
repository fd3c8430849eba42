package figures

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/keyspread/keyspread/reports"
)

// lineColours are Okabe and Ito's, the darker first. Lines beyond them repeat the
// colours, dashed.
var lineColours = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, vermillion, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff}, orange, blue,
}

// neighbours is how close counts are drawn as one, in points.
const neighbours vg.Length = 5

// bandAlpha is how opaque a band is, of 255.
const bandAlpha uint8 = 0x38

// draw draws the figure from the top: title, subtitle, legend, lines.
func (f Curves) draw(c *canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())

	area := draw.Crop(c.Canvas, margin, -margin, margin, -margin)
	c.line(&area, f.Title, titleStyle, 5)
	c.line(&area, f.Subtitle, subtitleStyle, 0)
	area.Max.Y -= 11
	var entries []entry
	for i, l := range f.Lines {
		style := lineStyle(i)
		entries = append(entries, entry{reports.EscapeText(l.Name), style.Color, style.Dashes})
	}
	if f.crowded(area.Max.X - area.Min.X - sideNote) {
		entries = append(entries, entry{text: "line: median, band: least to greatest of neighbouring counts", fill: grid})
	}
	area.Max.Y -= c.legend(area, entries) + 14
	c.line(&area, "imbalance: heaviest / mean", axisStyle, 5)
	f.drawLines(c, draw.Crop(area, 0, -sideNote-12, 0, 0))
}

// drawLines draws axes, grid, lines and the floor into area.
func (f Curves) drawLines(c *canvas, area draw.Canvas) {
	least, greatest, peak := f.span()
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	around := max(0.05*math.Log(greatest/least)/math.Log(10), 0.01)
	p.X.Min, p.X.Max = least*math.Exp(-around), greatest*math.Exp(around)
	p.Y.Min, p.Y.Max = 1, max(1.1, math.Pow(peak, 1.06))
	p.X.Padding, p.Y.Padding = 4, 4
	p.X.Label.Text = c.show(f.counted(), axisStyle)
	p.X.Label.TextStyle = axisStyle
	p.X.Label.TextStyle.XAlign, p.X.Label.TextStyle.YAlign = draw.XCenter, draw.YBottom
	p.X.Label.Padding = 4
	p.X.Width, p.X.Color = 1, muted
	p.Y.Width = 0
	p.X.Tick.Length, p.Y.Tick.Length = 4, 0
	p.X.Tick.Width, p.X.Tick.Color = 0.8, muted
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		x, y := axis.Tick.Label.XAlign, axis.Tick.Label.YAlign
		axis.Tick.Label = tickStyle
		axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = x, y
	}
	count := func(v float64) string { return si(v) }
	p.X.Tick.Marker = logTicks{length: area.Max.X - area.Min.X - 40, whole: true, label: count,
		apart: func(label string) vg.Length { return tickStyle.Width(label) + 12 }}
	p.Y.Tick.Marker = logTicks{length: area.Max.Y - area.Min.Y - 40, label: ratioTick,
		apart: func(string) vg.Length { return 2 * tickStyle.Height(" ") }}

	p.Add(logGrid{}, curveLines{f}, curveFloor{f})
	p.Draw(area)
}

// ratioTick returns "1×", "1.25×".
func ratioTick(v float64) string { return si(v) + "×" }

// logGrid draws a light line at every mark of the vertical axis.
type logGrid struct{}

// Plot implements plot.Plotter.
func (logGrid) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.8}, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
}

// curveLines draws the bands, then the lines above them.
type curveLines struct{ Curves }

// Plot implements plot.Plotter.
func (f curveLines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	joined := make([][]spot, len(f.Lines))
	for i, l := range f.Lines {
		joined[i] = join(l.Points, x, y)
		band := lineColours[i%len(lineColours)]
		band.A = bandAlpha
		c.SetColor(band)
		c.Fill(outlineOf(joined[i]))
	}
	for i, spots := range joined {
		var path []vg.Point
		for _, s := range spots {
			path = append(path, vg.Point{X: s.x, Y: s.median})
		}
		if len(path) == 1 { // a line of no length
			path = append(path, vg.Point{X: path[0].X + 2, Y: path[0].Y})
		}
		c.StrokeLines(lineStyle(i), path)
	}
}

func lineStyle(i int) draw.LineStyle {
	style := draw.LineStyle{Color: lineColours[i%len(lineColours)], Width: 1.8}
	if round := i / len(lineColours); round > 0 {
		style.Dashes = []vg.Length{vg.Length(1 + 2*round), 2}
	}
	return style
}

// crowded reports whether an axis of the given length is too short for all counts.
func (f Curves) crowded(length vg.Length) bool {
	least, greatest, _ := f.span()
	for _, l := range f.Lines {
		if n := len(l.Points); n > 1 {
			nearest := vg.Length(math.Log(l.Points[n-1].Count/l.Points[n-2].Count)/math.Log(greatest/least)) * length
			if nearest < neighbours {
				return true
			}
		}
	}
	return false
}

// A spot is where neighbouring points of a line are drawn.
type spot struct{ x, low, median, high vg.Length }

// join joins points that are neighbours: as far apart as that, or alone.
func join(points []Point, x, y func(float64) vg.Length) []spot {
	var spots []spot
	for len(points) > 0 {
		first := x(points[0].Count)
		n := 1
		for n < len(points) && x(points[n].Count) < first+neighbours {
			n++
		}
		heights := make([]vg.Length, n)
		for i, p := range points[:n] {
			heights[i] = y(p.Imbalance)
		}
		slices.Sort(heights)
		spots = append(spots, spot{
			x:   (first + x(points[n-1].Count)) / 2,
			low: heights[0], median: (heights[(n-1)/2] + heights[n/2]) / 2, high: heights[n-1],
		})
		points = points[n:]
	}
	return spots
}

// outlineOf returns the outline from the lows to the highs of spots.
func outlineOf(spots []spot) vg.Path {
	var path vg.Path
	path.Move(vg.Point{X: spots[0].x, Y: spots[0].low})
	for _, s := range spots[1:] {
		path.Line(vg.Point{X: s.x, Y: s.low})
	}
	for _, s := range slices.Backward(spots) {
		path.Line(vg.Point{X: s.x, Y: s.high})
	}
	path.Close()
	return path
}

// curveFloor draws the dashed line of the floor and, right of it, what it is.
type curveFloor struct{ Curves }

// Plot implements plot.Plotter.
func (f curveFloor) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	_, greatest, _ := f.span()
	path := []vg.Point{{X: c.Min.X, Y: y(f.floor(p.X.Min))}}
	if corner := 1 / f.TopShare; corner > p.X.Min && corner < greatest {
		path = append(path, vg.Point{X: x(corner), Y: y(1)})
	}
	end := vg.Point{X: x(greatest), Y: y(f.floor(greatest))}
	c.StrokeLines(fairLine, append(path, end))
	beside, height := c.Max.X+8, legendStyle.Height(" ")
	if f.floor(greatest) == 1 {
		c.FillText(legendStyle, vg.Point{X: beside, Y: end.Y + height/2}, "even")
		return
	}
	at := max(end.Y, c.Min.Y+height)
	c.FillText(noteStyle, vg.Point{X: beside, Y: at + height}, "top key "+reports.Percent(f.TopShare))
	c.FillText(legendStyle, vg.Point{X: beside, Y: at}, "no hash is below")
}
