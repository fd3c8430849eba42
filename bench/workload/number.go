package workload

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parseWhole parses a whole number of zero or more, with spaces around it or
// none. It is written by hand because strconv takes a string, and this runs once
// a row.
func parseWhole(text []byte) (int64, bool) {
	const safeDigits = 18 // cannot overflow
	if len(text) == 0 || len(text) > safeDigits {
		return parseWholeSlow(text)
	}
	var n int64
	for _, c := range text {
		digit := c - '0'
		if digit > 9 {
			return parseWholeSlow(text)
		}
		n = 10*n + int64(digit)
	}
	return n, true
}

func parseWholeSlow(text []byte) (int64, bool) {
	text = bytes.Trim(text, " ")
	if !isDigits(text) {
		return 0, false
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil
}

// isInteger reports whether text is a whole number of any size and sign, with
// spaces around it or none.
func isInteger(text []byte) bool {
	return isDigits(bytes.TrimPrefix(bytes.Trim(text, " "), []byte("-")))
}

func isDigits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

// wholeProblem says why text, which parseWhole refused, is not a whole number of
// things, and what to write instead.
func wholeProblem(text []byte, things string) (problem, fix string) {
	s := strings.Trim(string(text), " ")
	problem = "not a whole number of " + things
	if s == "" {
		return "empty, so not a number of " + things, "write 0 if there are none, or " + skipFix
	}
	if isInteger(text) {
		if s[0] == '-' {
			return "negative, so not a number of " + things, skipFix
		}
		return fmt.Sprintf("larger than %d", int64(math.MaxInt64)), skipFix
	}
	// 1e3, 1,000 and 1000.0 are whole numbers that somebody formatted.
	plain := strings.NewReplacer(",", "", "_", "", " ", "", "'", "").Replace(s)
	f, err := strconv.ParseFloat(plain, 64)
	if (err == nil || errors.Is(err, strconv.ErrRange)) && f >= 0 && f < 1<<53 && f == math.Trunc(f) {
		return problem, fmt.Sprintf("write %.0f, or %s", f, skipFix)
	}
	return problem, "write digits only, or " + skipFix
}
