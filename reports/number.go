package reports

import (
	"math"
	"strconv"
	"strings"
)

// Count returns n with thousands separators: "1,234,567".
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// Percent returns a share in [0, 1] as a percentage with one decimal: "13.4 %".
// A share that would round to nothing or to everything without being it reads
// "< 0.1 %" or "> 99.9 %". Changes may be negative or above 1. NaN is "n/a".
func Percent(share float64) string {
	text := fixed(share*100, 1)
	switch {
	case math.IsNaN(share):
		return "n/a"
	case share > 0 && text == "0.0":
		return "< 0.1 %"
	case share < 1 && text == "100.0":
		return "> 99.9 %"
	}
	return text + " %"
}

// Ratio returns how many times: "2.61×". It has two decimals below 10, one below
// 100, else none. NaN is "n/a".
func Ratio(x float64) string {
	if math.IsNaN(x) {
		return "n/a"
	}
	if math.IsInf(x, 0) {
		return strings.TrimPrefix(strconv.FormatFloat(x, 'f', -1, 64), "+") + "×"
	}
	switch a := math.Abs(x); {
	case a < 9.995:
		return fixed(x, 2) + "×"
	case a < 99.95:
		return fixed(x, 1) + "×"
	case a < 1<<53:
		return Count(int64(math.Round(x))) + "×"
	}
	return strconv.FormatFloat(x, 'g', 3, 64) + "×"
}

// Bytes returns n bytes in binary units with one decimal: "1.5 MiB", "512 B".
func Bytes(n int64) string {
	x := float64(n)
	if math.Abs(x) < 1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	units := []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	x /= 1024
	// 1023.95 would round to 1024.0 of a unit.
	for math.Abs(x) >= 1023.95 && len(units) > 1 {
		x, units = x/1024, units[1:]
	}
	return fixed(x, 1) + " " + units[0]
}

// fixed formats x with the given decimals and never as "-0.0".
func fixed(x float64, decimals int) string {
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

// Count returns n for a cell of the format: "1,234,567", but bare digits in CSV,
// where a script reads them.
func (f Format) Count(n int64) string {
	if f == CSV {
		return strconv.FormatInt(n, 10)
	}
	return Count(n)
}

// Percent returns a share for a cell of the format: "13.4 %", but in CSV the
// share itself, "0.134".
func (f Format) Percent(share float64) string {
	if f == CSV {
		return bare(share)
	}
	return Percent(share)
}

// Ratio returns x for a cell of the format: "2.61×", but "2.61" in CSV.
func (f Format) Ratio(x float64) string {
	if f == CSV {
		return bare(x)
	}
	return Ratio(x)
}

// Bytes returns n for a cell of the format: "1.5 MiB", but bytes in CSV.
func (f Format) Bytes(n int64) string {
	if f == CSV {
		return strconv.FormatInt(n, 10)
	}
	return Bytes(n)
}

// bare is the shortest text that reads back as x, empty for NaN: a CSV column
// of numbers stays one.
func bare(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
