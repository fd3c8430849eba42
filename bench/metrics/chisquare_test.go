package metrics_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/keyspread/keyspread/bench/metrics"
	"pgregory.net/rapid"
)

// TestChiSquareCriticalValues asserts P at tabled critical values. Two large
// counts that lie d above and below the mean e have the statistic 2d²/e.
func TestChiSquareCriticalValues(t *testing.T) {
	for _, row := range []struct {
		df       int
		at5, at1 float64
	}{{5, 11.070, 15.086}, {11, 19.675, 24.725}, {23, 35.172, 41.638}, {49, 66.339, 74.919}, {99, 123.225, 134.642}} {
		for p, critical := range map[float64]float64{.05: row.at5, .01: row.at1} {
			const e = 1e14
			counts := make([]int64, row.df+1)
			for i := range counts {
				counts[i] = e
			}
			d := int64(math.Sqrt(critical * e / 2))
			counts[0] += d
			counts[1] -= d
			got := metrics.KeyCounts(counts)
			near(t, "statistic", got.Statistic, critical, 1e-6*critical)
			// The table has three decimals; dP/dx is below P.
			near(t, fmt.Sprintf("P of %v at df %d", critical, row.df), got.P, p, p*0.0006)
			if got.DF != row.df {
				t.Errorf("df %d, want %d", got.DF, row.df)
			}
		}
	}
}

// Cases B01, B02 and B07 of the public ones.
func TestChiSquareOfCases(t *testing.T) {
	for _, row := range []struct {
		url          string
		counts       []int64
		statistic, p float64
	}{
		{"https://gist.github.com/mageddo/343e3da94be8305f200d7d2111fef6d5",
			[]int64{1, 2, 2, 4, 0, 3, 7, 2, 2, 5, 6, 1, 5, 4, 3, 1, 5, 1, 3, 5}, 23.16, .23},
		{"https://github.com/travisdesell/ngafid2.0/pull/307",
			[]int64{97, 73, 81, 76, 93, 79}, 5.59, .35},
		{"https://github.com/spring-cloud/spring-cloud-stream/issues/3117",
			[]int64{0, 1, 1, 1, 4, 4, 6, 3}, 12, .10},
	} {
		got := metrics.KeyCounts(row.counts)
		near(t, row.url+": statistic", got.Statistic, row.statistic, .0051)
		near(t, row.url+": p", got.P, row.p, .0051)
	}
}

// TestChiSquareUndefined: one partition, nothing counted, and too little for the
// chi-square distribution to be an approximation.
func TestChiSquareUndefined(t *testing.T) {
	if got := metrics.KeyCounts([]int64{7}); got != (metrics.ChiSquare{P: 1}) {
		t.Errorf("one partition: %+v, want statistic 0, df 0, p 1", got)
	}
	if got := metrics.KeyCounts([]int64{0, 0, 0}); !math.IsNaN(got.Statistic) || !math.IsNaN(got.P) || got.DF != 2 {
		t.Errorf("nothing counted: %+v", got)
	}
	// Two keys of a hundred partitions meet once in a hundred times; chi-square
	// would say once in a hundred million.
	meet := make([]int64, 100)
	meet[3] = 2
	if got := metrics.KeyCounts(meet); !math.IsNaN(got.P) || math.Abs(got.Statistic-198) > 1e-9 {
		t.Errorf("two keys on 100 partitions: %+v", got)
	}
	if got := metrics.KeyCounts([]int64{9, 0}); !math.IsNaN(got.P) {
		t.Errorf("nine keys: %+v", got)
	}
}

func TestChiSquareProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		counts := rapid.SliceOfN(rapid.Int64Range(0, 1000), 2, 40).Draw(rt, "counts")
		counts[0] += 1000
		got := metrics.KeyCounts(counts)
		if !(got.Statistic >= 0) || !(got.P >= 0 && got.P <= 1) {
			rt.Fatalf("%+v", got)
		}
		counts[0]++ // already the largest: the further away
		if more := metrics.KeyCounts(counts); more.P > got.P+1e-12 {
			rt.Fatalf("p rose from %v to %v", got.P, more.P)
		}
	})
}
