package reports_test

import (
	"math"
	"testing"

	"github.com/keyspread/keyspread/reports"
)

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0 s", 0.009: "< 0.01 s", 0.25: "0.25 s", 9.4: "9.4 s", 48: "48 s", 59.4: "59 s", 59.7: "1 min", 60: "1 min", 133.08: "2 min 13 s", 3599.6: "1 h",
		3600: "1 h", 19200: "5 h 20 min", 86399: "1 d", 273600: "3 d 4 h", 86400e4: "10,000 d", 1e15: "1e+15 s", math.Inf(1): "+Inf s",
	} {
		if got := reports.Seconds(s); got != want {
			t.Errorf("%g: got %q, want %q", s, got, want)
		}
	}
	if got := reports.Seconds(math.NaN()); got != "n/a" {
		t.Error(got)
	}
}
