package reports_test

import (
	"math"
	"testing"

	"github.com/keyspread/keyspread/reports"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{reports.Count(0), "0"},
		{reports.Count(999), "999"},
		{reports.Count(1000), "1,000"},
		{reports.Count(1234567), "1,234,567"},
		{reports.Count(-100), "-100"},
		{reports.Count(-1234), "-1,234"},
		{reports.Count(math.MinInt64), "-9,223,372,036,854,775,808"},

		{reports.Percent(0.134), "13.4 %"},
		{reports.Percent(0), "0.0 %"},
		{reports.Percent(1), "100.0 %"},
		{reports.Percent(1.5), "150.0 %"},
		{reports.Percent(-0.25), "-25.0 %"},
		{reports.Percent(-1e-9), "0.0 %"},
		{reports.Percent(1e-9), "< 0.1 %"},
		{reports.Percent(1 - 1e-9), "> 99.9 %"},
		{reports.Percent(math.NaN()), "n/a"},

		{reports.Ratio(2.61), "2.61×"},
		{reports.Ratio(1), "1.00×"},
		{reports.Ratio(9.994), "9.99×"},
		{reports.Ratio(9.996), "10.0×"},
		{reports.Ratio(12.34), "12.3×"},
		{reports.Ratio(99.96), "100×"},
		{reports.Ratio(4567.8), "4,568×"},
		{reports.Ratio(1e30), "1e+30×"},
		{reports.Ratio(math.Inf(1)), "Inf×"},
		{reports.Ratio(math.NaN()), "n/a"},

		{reports.Bytes(0), "0 B"},
		{reports.Bytes(1023), "1023 B"},
		{reports.Bytes(1024), "1.0 KiB"},
		{reports.Bytes(1572864), "1.5 MiB"},
		{reports.Bytes(1<<20 - 1), "1.0 MiB"},
		{reports.Bytes(-2048), "-2.0 KiB"},
		{reports.Bytes(math.MaxInt64), "8.0 EiB"},

		{reports.CSV.Count(1234567), "1234567"},
		{reports.CSV.Percent(0.134), "0.134"},
		{reports.CSV.Ratio(2.61), "2.61"},
		{reports.CSV.Ratio(math.NaN()), ""},
		{reports.CSV.Bytes(1572864), "1572864"},
		{reports.Text.Bytes(1572864), "1.5 MiB"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
