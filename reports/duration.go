package reports

import (
	"fmt"
	"math"
)

// Seconds returns a time in its two largest units: "0.25 s", "48 s", "2 min 13 s",
// "5 h 20 min", "3 d 4 h". NaN is "n/a".
func Seconds(s float64) string {
	switch {
	case math.IsNaN(s):
		return "n/a"
	case math.IsInf(s, 0) || math.Abs(s) >= 1e15:
		return fmt.Sprintf("%g s", s)
	case s > 0 && s < 0.01:
		return "< 0.01 s"
	case s < 9.95:
		return fmt.Sprintf("%.2g s", s)
	}
	for _, u := range []struct {
		size, part  int64
		name, parts string
	}{{86400, 3600, "d", "h"}, {3600, 60, "h", "min"}, {60, 1, "min", "s"}} {
		whole := int64(math.Round(s/float64(u.part))) * u.part
		if whole < u.size {
			continue
		}
		text := Count(whole/u.size) + " " + u.name
		if rest := whole % u.size / u.part; rest > 0 {
			text += fmt.Sprintf(" %d %s", rest, u.parts)
		}
		return text
	}
	return fmt.Sprintf("%.0f s", s)
}
