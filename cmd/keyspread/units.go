package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// byteUnits are the units of amounts of bytes, longest first.
var byteUnits = []struct {
	name string
	size float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// parseBytes returns an amount of bytes: 512, 512B, 10GB, 2.5GiB.
func parseBytes(text string) (float64, error) {
	number, size := strings.TrimSpace(text), 1.0
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, size = strings.TrimSpace(rest), u.size
			break
		}
	}
	x, err := positive(number)
	if err != nil || x*size > math.MaxInt64/2 {
		return 0, errors.New("want an amount above 0 as in 500MB or 2GiB")
	}
	return x * size, nil
}

// parseByteRate returns bytes a second: 50MB/s.
func parseByteRate(text string) (float64, error) {
	x, err := parseBytes(strings.TrimSuffix(text, "/s"))
	if err != nil {
		return 0, errors.New("want a rate above 0 as in 50MB/s")
	}
	return x, nil
}

// parseRate returns records a second: 5000/s or 5000.
func parseRate(text string) (float64, error) {
	x, err := positive(strings.TrimSpace(strings.TrimSuffix(text, "/s")))
	if err != nil {
		return 0, errors.New("want records a second above 0 as in 5000/s")
	}
	return x, nil
}

// positive returns a finite number above 0.
func positive(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0) || math.IsInf(x, 0) {
		return 0, errors.New("not a number above 0")
	}
	return x, nil
}
