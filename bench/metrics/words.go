package metrics

import (
	"math"
	"strconv"
)

// Numbers in the sentences of a verdict, rounded as reports round them.

// ratio returns "2.60×", "12.0×" or "120×".
func ratio(x float64) string {
	decimals := 2
	switch {
	case x >= 99.95:
		decimals = 0
	case x >= 9.995:
		decimals = 1
	}
	return strconv.FormatFloat(x, 'f', decimals, 64) + "×"
}

// percent returns a share as "80 %" or "2.6 %", and what would round to nothing
// or to everything without being it as "< 0.1 %" or "> 99 %".
func percent(share float64) string {
	x := share * 100
	switch {
	case x > 0 && x < 0.05:
		return "< 0.1 %"
	case x < 9.95:
		return strconv.FormatFloat(x, 'f', 1, 64) + " %"
	case x >= 99.5 && x < 100:
		return "> 99 %"
	}
	return strconv.FormatFloat(x, 'f', 0, 64) + " %"
}

// pValue returns "p = 0.23", "p = 0.0031" or "p < 0.0001".
func pValue(p float64) string {
	switch {
	case p < 0.0001:
		return "p < 0.0001"
	case p >= 0.095:
		return "p = " + strconv.FormatFloat(p, 'f', 2, 64)
	}
	decimals := 1 - int(math.Floor(math.Log10(p))) // two significant digits
	return "p = " + strconv.FormatFloat(p, 'f', decimals, 64)
}
