package figures

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/keyspread/keyspread/reports"
)

const (
	margin    vg.Length = 20 // around the figure
	sideNote  vg.Length = 76 // right of the bars, for the fair share's label
	headroom            = 1.12
	thinSlot  vg.Length = 3  // points per partition below which bars touch
	widestBar vg.Length = 90 // a figure of one partition is not a wall
)

// dashes is the fair share's line: 6 points drawn, 4 left out.
var dashes = []vg.Length{6, 4}

// draw draws the figure from the top: title, subtitle, legend, bars.
func (f LoadBars) draw(c *canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())

	area := draw.Crop(c.Canvas, margin, -margin, margin, -margin)
	c.line(&area, f.Title, titleStyle, 5)
	c.line(&area, f.Subtitle, subtitleStyle, 0)
	area.Max.Y -= 11
	if height := c.legend(area, f.legend()); height > 0 {
		area.Max.Y -= height + 14
	}
	c.line(&area, or(f.YLabel, or(f.Unit, "records")+" per partition"), axisStyle, 5)
	f.drawBars(c, area)
}

// entry is one colour of the legend. The dashed line is not among them: it has
// its label beside it.
type entry struct {
	text   string // escaped
	fill   color.Color
	dashes []vg.Length // of a line; nil for a square
}

func (f LoadBars) legend() []entry {
	var calm, hot bool
	for i, load := range f.Load {
		hot = hot || f.overloaded(i)
		calm = calm || load > 0 && !f.overloaded(i)
	}
	times := strconv.FormatFloat(Overloaded, 'g', -1, 64) + "× fair share"
	var entries []entry
	switch {
	case calm && f.Fair > 0:
		entries = append(entries, entry{text: "up to " + times, fill: blue})
	case calm && f.hasTop():
		entries = append(entries, entry{text: "other keys", fill: blue})
	}
	if hot {
		entries = append(entries, entry{text: "above " + times, fill: orange})
	}
	if f.hasTop() {
		entries = append(entries, entry{text: f.topText(), fill: vermillion})
	}
	return entries
}

// legend draws a legend at the top of area, in as many lines as it needs, and
// returns their height.
func (c *canvas) legend(area draw.Canvas, entries []entry) vg.Length {
	const swatch, gap, between, leading vg.Length = 11, 6, 20, 5
	if len(entries) == 0 {
		return 0
	}
	height := legendStyle.Height(" ")
	x, y := area.Min.X, area.Max.Y
	for _, e := range entries {
		label := fit(c.spell(e.text, legendStyle), legendStyle, area.Max.X-area.Min.X-swatch-gap)
		w := swatch + gap + legendStyle.Width(label)
		if x > area.Min.X && x+w > area.Max.X {
			x, y = area.Min.X, y-height-leading
		}
		// The middle of capitals, which is below that of the line.
		middle := y - height*0.56
		if e.dashes == nil {
			fillRectangle(c.Canvas, e.fill, x, middle-swatch/2, x+swatch, middle+swatch/2)
		} else {
			c.StrokeLine2(draw.LineStyle{Color: e.fill, Width: 2.5, Dashes: e.dashes}, x, middle, x+swatch, middle)
		}
		c.FillText(legendStyle, vg.Point{X: x + swatch + gap, Y: y}, label)
		x += w + between
	}
	return area.Max.Y - y + height
}

var fairLine = draw.LineStyle{Color: ink, Width: 1.4, Dashes: dashes}

// drawBars draws axes, grid, bars and the fair share into area.
func (f LoadBars) drawBars(c *canvas, area draw.Canvas) {
	peak := f.Load[f.heaviest()]
	top := math.Max(peak, f.Fair) * headroom
	if top < 1e-300 {
		top = 1
	}
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Min, p.X.Max = -0.5, float64(len(f.Load))-0.5
	p.Y.Min, p.Y.Max = 0, top
	p.X.Padding, p.Y.Padding = 0, 4
	p.X.Label.Text = c.show(or(f.XLabel, "partition"), axisStyle)
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
	p.Y.Tick.Marker = loadTicks{}
	if peak == 0 && f.Fair == 0 {
		p.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}}
	}

	area = draw.Crop(area, 0, -sideNote, 0, 0)
	last := reports.Count(int64(len(f.Load) - 1))
	slot := float64(area.Max.X-area.Min.X-40) / float64(len(f.Load))
	p.X.Tick.Marker = partitionTicks{len(f.Load), partitionStep(slot, float64(tickStyle.Width(last))+8)}

	p.Add(gridLines{}, bars{f}, fairShare{f})
	p.Draw(area)
	if peak == 0 {
		sty := axisStyle
		sty.XAlign = draw.XCenter
		data := p.DataCanvas(area)
		c.FillText(sty, data.Center(), c.spell("no "+f.unit(), sty))
	}
}

// gridLines draws a light line at every mark of the vertical axis.
type gridLines struct{}

// Plot implements plot.Plotter.
func (gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if tick.Value > 0 { // the axis itself is at 0
			c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.8}, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
		}
	}
}

// fairShare draws the dashed line and, right of it, its value.
type fairShare struct{ LoadBars }

// Plot implements plot.Plotter.
func (f fairShare) Plot(c draw.Canvas, p *plot.Plot) {
	if f.Fair == 0 {
		return
	}
	_, y := p.Transforms(&c)
	at := y(f.Fair)
	c.StrokeLine2(fairLine, c.Min.X, at, c.Max.X, at)
	beside := c.Max.X + 8
	c.FillText(legendStyle, vg.Point{X: beside, Y: at + legendStyle.Height(" ")}, "fair share")
	c.FillText(noteStyle, vg.Point{X: beside, Y: at}, si(f.Fair))
}

func fillRectangle(c draw.Canvas, fill color.Color, x0, y0, x1, y1 vg.Length) {
	c.SetColor(fill)
	c.Fill(vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}.Path())
}
