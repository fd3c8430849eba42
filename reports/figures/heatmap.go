package figures

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/keyspread/keyspread/reports"
)

// HeatMap is a figure of a flow: what goes from each row to each column. What
// stays on the diagonal is drawn in one colour, what moves in another, darker
// the more there is.
//
// Where there are too many rows or columns to see, neighbours share a cell, 2, 5,
// 10, 20, … of them, and the figure says how many. A cell of both is drawn as
// what it has more of.
type HeatMap struct {
	// Title and Subtitle stand above; either may be empty.
	Title, Subtitle string
	// Rows and Columns are how many there are, 1 or more.
	Rows, Columns int
	// Cells hold what goes from a row to a column; the rest is 0. Several for one
	// place are summed.
	Cells []Cell
	// YLabel and XLabel name rows and columns: "from partition" and "to partition"
	// when empty.
	YLabel, XLabel string
	// Unit is what is counted: "keys" when empty.
	Unit string
}

// A Cell is the flow from one row to one column.
type Cell struct {
	Row, Column int
	Value       float64
}

// Write draws the figure as "svg", "png" (1920 pixels wide) or "pdf". It refuses
// cells outside the matrix and values that are negative or not finite; nothing is
// written then.
func (f HeatMap) Write(w io.Writer, format string) error {
	return write(w, f, format)
}

// Save writes base.svg and base.png into dir, which it creates if need be, and
// returns their paths. Each file is whole or not there.
func (f HeatMap) Save(dir, base string) ([]string, error) { return save(dir, base, f) }

func (f HeatMap) name() string { return or(f.Title, "flow between partitions") }

func (f HeatMap) check() error {
	if f.Rows < 1 || f.Columns < 1 {
		return errors.New("no partitions")
	}
	for _, c := range f.Cells {
		if c.Row < 0 || c.Row >= f.Rows || c.Column < 0 || c.Column >= f.Columns {
			return fmt.Errorf("cell %d, %d is outside %d × %d", c.Row, c.Column, f.Rows, f.Columns)
		}
		// The negation catches NaN.
		if !(c.Value >= 0 && c.Value <= largest) {
			return fmt.Errorf("cell %d, %d is %g: want a number from 0 to %g", c.Row, c.Column, c.Value, largest)
		}
	}
	return nil
}

// The most cells in a line that can be told apart.
const (
	mostRows    = 100
	mostColumns = 100
)

// A flowGrid is the flow as it is drawn.
type flowGrid struct {
	rows, columns   binning
	stays, moves    []float64 // of the drawn cells, row by row
	most            float64   // in one drawn cell
	mostRow         int       // its place
	mostColumn      int
	staying, moving float64 // sums
	blue, orange    bool    // whether a cell has the colour of what stays, of what moves
}

// A binning joins every size of n neighbours.
type binning struct{ n, size, bins int }

func bin(n, most int) binning {
	size := partitionStep(1/float64(n), 1/float64(most))
	return binning{n, size, (n + size - 1) / size}
}

func (f HeatMap) grid() flowGrid {
	g := flowGrid{rows: bin(f.Rows, mostRows), columns: bin(f.Columns, mostColumns)}
	cells := g.rows.bins * g.columns.bins
	g.stays, g.moves = make([]float64, cells), make([]float64, cells)
	for _, c := range f.Cells {
		at := c.Row/g.rows.size*g.columns.bins + c.Column/g.columns.size
		if c.Row == c.Column {
			g.stays[at] += c.Value
			g.staying += c.Value
		} else {
			g.moves[at] += c.Value
			g.moving += c.Value
		}
		if sum := g.stays[at] + g.moves[at]; sum > g.most {
			g.most, g.mostRow, g.mostColumn = sum, at/g.columns.bins, at%g.columns.bins
		}
	}
	for at, stays := range g.stays {
		g.blue = g.blue || stays > 0 && stays >= g.moves[at]
		g.orange = g.orange || g.moves[at] > stays
	}
	return g
}

// name says which partitions a bin holds: "3", or "30 to 39".
func (b binning) name(i int) string {
	if b.size == 1 {
		return fmt.Sprint(i)
	}
	return fmt.Sprintf("%d to %d", i*b.size, min((i+1)*b.size, b.n)-1)
}

// unit is Unit, escaped.
func (f HeatMap) unit() string { return or(reports.EscapeText(f.Unit), "keys") }

// summary is the figure in words, for those who cannot see it. The result is
// escaped.
func (f HeatMap) summary() string {
	g := f.grid()
	s := fmt.Sprintf("%s rows, %s columns", reports.Count(int64(f.Rows)), reports.Count(int64(f.Columns)))
	if g.most == 0 {
		return s + ", no " + f.unit()
	}
	moving := g.moving / (g.moving + g.staying)
	if math.IsNaN(moving) { // sums overflowed
		moving = 1
	}
	return s + fmt.Sprintf(", %s of %s are off the diagonal; the most go from %s to %s: %s",
		reports.Percent(moving), f.unit(), g.rows.name(g.mostRow), g.columns.name(g.mostColumn), si(g.most))
}
