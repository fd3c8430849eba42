package figures

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"github.com/keyspread/keyspread/reports"
)

// loadTicks marks an axis of loads at about five round numbers, all in one SI
// unit.
type loadTicks struct{}

// Ticks implements plot.Ticker. min is 0 on every axis of loads.
func (loadTicks) Ticks(min, max float64) []plot.Tick {
	step := roundStep((max - min) / 5)
	unit := unitOf(math.Floor(max/step) * step)
	decimals := 0
	for d := step / unit.size; decimals < 12 && math.Abs(d-math.Round(d)) > 1e-6*d; decimals++ {
		d *= 10
	}
	var ticks []plot.Tick
	for i := 0; ; i++ {
		v := float64(i) * step
		if v > max {
			return ticks
		}
		label := "0"
		if i > 0 {
			label = decimal(v/unit.size, decimals) + unit.name
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
}

// roundStep returns the smallest of 1, 2, 2.5 and 5 times a power of ten that is
// at least x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 2.5, 5, 10} {
		if m*power >= x*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// partitionTicks marks every step-th partition.
type partitionTicks struct{ partitions, step int }

// Ticks implements plot.Ticker.
func (t partitionTicks) Ticks(_, _ float64) []plot.Tick {
	var ticks []plot.Tick
	for i := 0; i < t.partitions; i += t.step {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: reports.Count(int64(i))})
	}
	return ticks
}

// partitionStep returns 1, 2, 5, 10, 20, 50, …, the first that keeps labels of
// the given width apart on slots of the given width.
func partitionStep(slot, label float64) int {
	for power := 1; ; power *= 10 {
		for _, m := range []int{1, 2, 5} {
			if float64(m*power)*slot >= label {
				return m * power
			}
		}
	}
}

type unit struct {
	size float64
	name string
}

// unitOf returns the SI unit in which a number up to x is shown. Below 10,000
// thousands separators read better.
func unitOf(x float64) unit {
	for _, u := range []unit{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}} {
		if x >= u.size {
			return u
		}
	}
	if x >= 1e4 {
		return unit{1e3, "k"}
	}
	return unit{1, ""}
}

// si returns x with three significant digits and its SI unit: "41.7k", "9,731",
// "0.25".
func si(x float64) string {
	u := unitOf(x * (1 + 1e-12))
	v := x / u.size
	if u.size == 1 && v >= 100 {
		return decimal(v, 0)
	}
	if v >= 999.5 && u.size < 1e15 { // would round to 1000 of the unit
		u = unitOf(u.size * 1000)
		v = x / u.size
	}
	if v >= 999.5 || v > 0 && v < 0.001 {
		return strconv.FormatFloat(v, 'g', 3, 64) + u.name
	}
	text := strconv.FormatFloat(v, 'g', 3, 64)
	if v >= 1 || v == 0 {
		v, _ = strconv.ParseFloat(text, 64)
		return strconv.FormatFloat(v, 'f', -1, 64) + u.name
	}
	return text + u.name
}

// decimal returns v with the given decimals and thousands separators, or in
// scientific notation where those would be absurd.
func decimal(v float64, decimals int) string {
	if v >= 1e6 || decimals > 6 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	if decimals == 0 {
		return reports.Count(int64(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}
