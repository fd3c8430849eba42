package figures

import (
	"fmt"
	"image/color"
	"math"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/keyspread/keyspread/reports"
)

// Sizes of a heat map, in points.
const (
	gridLeast   vg.Length = 5   // cells from here on have lines between them
	widestCell  vg.Length = 140 // a matrix of few cells is not a wall
	tallestCell vg.Length = 76
)

// draw draws the figure from the top: title, subtitle, legend, matrix.
func (f HeatMap) draw(c *canvas) {
	g := f.grid()
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())

	area := draw.Crop(c.Canvas, margin, -margin, margin, -margin)
	c.line(&area, f.Title, titleStyle, 5)
	c.line(&area, f.Subtitle, subtitleStyle, 0)
	area.Max.Y -= 11
	area.Max.Y -= f.drawLegend(c, g, area) + 14
	c.line(&area, or(f.YLabel, "from partition"), axisStyle, 5)

	bottom := tickStyle.Height(" ") + axisStyle.Height(" ") + 10
	left := tickStyle.Width(reports.Count(int64(f.Rows-1))) + 8
	m := matrix{HeatMap: f, flowGrid: g, canvas: c}
	m.Min = vg.Point{X: area.Min.X + left, Y: area.Min.Y + bottom}
	m.Max = area.Max
	m.Max.X = min(m.Max.X, m.Min.X+vg.Length(g.columns.bins)*widestCell)
	m.Min.Y = max(m.Min.Y, m.Max.Y-vg.Length(g.rows.bins)*tallestCell)
	m.draw()
}

// drawLegend draws the two scales at the top of area and returns their height.
func (f HeatMap) drawLegend(c *canvas, g flowGrid, area draw.Canvas) vg.Length {
	const scale, gap, between vg.Length = 72, 7, 24
	const steps = 48
	height := legendStyle.Height(" ")
	x, y := area.Min.X, area.Max.Y
	if g.most == 0 {
		return 0
	}
	for _, e := range []struct {
		text  string
		shown bool
		ramp  ramp
	}{{"stay", g.blue, blues}, {"move", g.orange, oranges}} {
		if !e.shown {
			continue
		}
		middle := y - height*0.56
		for i := range steps {
			from := x + scale*vg.Length(i)/steps
			to := x + scale // to the end, so that no seam shows between steps
			fillRectangle(c.Canvas, e.ramp.at(float64(i)/(steps-1)), from, middle-5.5, to, middle+5.5)
		}
		c.FillText(legendStyle, vg.Point{X: x + scale + gap, Y: y}, e.text)
		x += scale + gap + legendStyle.Width(e.text) + between
	}
	note := c.spell(fmt.Sprintf("darker: more %s, up to %s in a cell%s", f.unit(), si(g.most), g.binText()), axisStyle)
	c.FillText(axisStyle, vg.Point{X: x, Y: y}, fit(note, axisStyle, area.Max.X-x))
	return height
}

// binText says how many partitions share a cell, if any do.
func (g flowGrid) binText() string {
	if g.rows.size == 1 && g.columns.size == 1 {
		return ""
	}
	return fmt.Sprintf(" of %d × %d partitions", g.rows.size, g.columns.size)
}

// A matrix is the cells of a heat map on their part of a canvas.
type matrix struct {
	HeatMap
	flowGrid
	vg.Rectangle
	canvas *canvas
}

// x returns the left edge of column i, on a pixel's edge, where a filled cell is
// sharp; y the upper edge of row i.
func (m matrix) x(i float64) vg.Length { return snap(m.Min.X + m.width()*vg.Length(i)) }
func (m matrix) y(i float64) vg.Length { return snap(m.Max.Y - m.height()*vg.Length(i)) }

// width and height are those of one partition.
func (m matrix) width() vg.Length  { return (m.Max.X - m.Min.X) / vg.Length(m.Columns) }
func (m matrix) height() vg.Length { return (m.Max.Y - m.Min.Y) / vg.Length(m.Rows) }

func snap(at vg.Length) vg.Length { return vg.Length(math.Round(float64(at/pixel))) * pixel }

func (m matrix) draw() {
	cell := vg.Point{X: m.width() * vg.Length(m.columns.size), Y: m.height() * vg.Length(m.rows.size)}
	m.drawGrid(cell)
	labels, sty := m.labels(cell)
	for row := range m.rows.bins {
		for column := range m.columns.bins {
			at := row*m.columns.bins + column
			stays, moves := m.stays[at], m.moves[at]
			if stays+moves == 0 {
				continue
			}
			fill := oranges.at((stays + moves) / m.most)
			if stays >= moves {
				fill = blues.at((stays + moves) / m.most)
			}
			left, right := m.edges(column, m.columns, m.x)
			top, bottom := m.edges(row, m.rows, m.y)
			if cell.X >= gridLeast && cell.Y >= gridLeast {
				right -= pixel
				bottom += pixel
			}
			fillRectangle(m.canvas.Canvas, fill, left, bottom, right, top)
			if labels {
				sty.Color = color.White
				if lightness(fill) > 0.55 {
					sty.Color = ink
				}
				m.canvas.FillText(sty, vg.Point{X: (left + right) / 2, Y: (top+bottom)/2 + sty.Height(" ")*0.56}, si(stays+moves))
			}
		}
	}
	frame := draw.LineStyle{Color: muted, Width: 0.8}
	m.canvas.StrokeLines(frame, []vg.Point{m.Min, {X: m.Max.X, Y: m.Min.Y}, m.Max, {X: m.Min.X, Y: m.Max.Y}, m.Min})
	m.drawTicks()
	if m.most == 0 {
		sty := axisStyle
		sty.XAlign = draw.XCenter
		m.canvas.FillText(sty, vg.Point{X: (m.Min.X + m.Max.X) / 2, Y: (m.Min.Y + m.Max.Y) / 2}, m.canvas.spell("no "+m.unit(), sty))
	}
}

// edges returns where bin i begins and ends.
func (m matrix) edges(i int, b binning, at func(float64) vg.Length) (begin, end vg.Length) {
	return at(float64(i * b.size)), at(float64(min((i+1)*b.size, b.n)))
}

// labels reports whether the largest value fits into a cell, and in which style.
func (m matrix) labels(cell vg.Point) (bool, text.Style) {
	for _, size := range []vg.Length{11, 9, 7.5} {
		sty := style(size, ink, xfont.WeightNormal)
		sty.XAlign = draw.XCenter
		if sty.Width("0")+4 > cell.X {
			continue
		}
		widest := vg.Length(0)
		for at := range m.stays {
			widest = max(widest, sty.Width(si(m.stays[at]+m.moves[at])))
		}
		if widest+4 <= cell.X && sty.Height(" ") <= cell.Y {
			return true, sty
		}
	}
	return false, text.Style{}
}

// drawGrid draws light lines between cells that are large enough.
func (m matrix) drawGrid(cell vg.Point) {
	if cell.X < gridLeast || cell.Y < gridLeast {
		return
	}
	line := draw.LineStyle{Color: grid, Width: pixel}
	for i := 1; i < m.columns.bins; i++ {
		x := m.x(float64(i*m.columns.size)) - pixel/2
		m.canvas.StrokeLine2(line, x, m.Min.Y, x, m.Max.Y)
	}
	for i := 1; i < m.rows.bins; i++ {
		y := m.y(float64(i*m.rows.size)) + pixel/2
		m.canvas.StrokeLine2(line, m.Min.X, y, m.Max.X, y)
	}
}

// drawTicks numbers rows and columns, as many as fit.
func (m matrix) drawTicks() {
	line := draw.LineStyle{Color: muted, Width: 0.8}
	sty := tickStyle
	sty.XAlign = draw.XCenter
	label := sty.Width(reports.Count(int64(m.Columns-1))) + 8
	for i := 0; i < m.Columns; i += partitionStep(float64(m.width()), float64(label)) {
		x := m.Min.X + m.width()*(vg.Length(i)+0.5)
		m.canvas.StrokeLine2(line, x, m.Min.Y, x, m.Min.Y-4)
		m.canvas.FillText(sty, vg.Point{X: x, Y: m.Min.Y - 5}, reports.Count(int64(i)))
	}
	axis := axisStyle
	axis.XAlign = draw.XCenter
	m.canvas.FillText(axis, vg.Point{X: (m.Min.X + m.Max.X) / 2, Y: m.Min.Y - 7 - sty.Height(" ")}, m.canvas.show(or(m.XLabel, "to partition"), axis))

	sty.XAlign = draw.XRight
	for i := 0; i < m.Rows; i += partitionStep(float64(m.height()), float64(sty.Height(" "))) {
		y := m.Max.Y - m.height()*(vg.Length(i)+0.5)
		m.canvas.StrokeLine2(line, m.Min.X, y, m.Min.X-4, y)
		m.canvas.FillText(sty, vg.Point{X: m.Min.X - 6, Y: y + sty.Height(" ")*0.56}, reports.Count(int64(i)))
	}
}
