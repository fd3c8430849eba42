package figures

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// logTicks marks a logarithmic axis at as many round numbers as have room.
type logTicks struct {
	length vg.Length                    // of the axis
	whole  bool                         // whole numbers only
	label  func(v float64) string       // of a mark
	apart  func(label string) vg.Length // least distance between the middles of labels
}

// roundNumbers are the marks of one decade, from most to fewest, in thousandths.
var roundNumbers = [][]int{
	steps(10), steps(20), steps(50), steps(100), steps(200), steps(500),
	{1000, 1500, 2000, 3000, 4000, 5000, 6000, 8000}, {1000, 1500, 2000, 3000, 5000, 7000}, {1000, 2000, 3000, 5000}, {1000, 2000, 5000}, {1000, 3000}, {1000},
}

// steps returns the multiples of a step in [1000, 10000).
func steps(step int) []int {
	var list []int
	for n := 1000; n < 10000; n += step {
		list = append(list, n)
	}
	return list
}

// Ticks implements plot.Ticker.
func (t logTicks) Ticks(min, max float64) []plot.Tick {
	var ticks []plot.Tick
	for _, round := range roundNumbers {
		if ticks = t.marks(min, max, round); t.fit(ticks, min, max) {
			break
		}
	}
	return ticks
}

// marks returns the round numbers on the axis.
func (t logTicks) marks(min, max float64, round []int) []plot.Tick {
	var ticks []plot.Tick
	for exponent := int(math.Floor(math.Log10(min) + 1e-9)); math.Pow10(exponent) <= max; exponent++ {
		for _, n := range round {
			v := float64(n) * math.Pow10(exponent) / 1000
			if v < min*(1-1e-9) || v > max || t.whole && v != math.Trunc(v) {
				continue
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: t.label(v)})
		}
	}
	return ticks
}

// fit reports whether the labels are far enough apart.
func (t logTicks) fit(ticks []plot.Tick, min, max float64) bool {
	for i := 1; i < len(ticks); i++ {
		distance := vg.Length(math.Log(ticks[i].Value/ticks[i-1].Value)/math.Log(max/min)) * t.length
		if distance < (t.apart(ticks[i-1].Label)+t.apart(ticks[i].Label))/2 {
			return false
		}
	}
	return true
}
