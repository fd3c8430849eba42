package metrics_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/keyspread/keyspread/bench/metrics"
	"pgregory.net/rapid"
)

// TestOccupancy asserts exact values, computed independently in rational
// arithmetic.
func TestOccupancy(t *testing.T) {
	for _, row := range []struct {
		keys, partitions int
		mean             float64
		median, p99      int
	}{
		{6, 6, 2.408179, 2, 4}, {12, 6, 3.929197, 4, 6}, {60, 6, 14.160827, 14, 19}, {600, 6, 112.836578, 112, 128},
		{10, 10, 2.748689, 3, 5}, {100, 10, 15.124527, 15, 20}, {1000, 10, 115.663582, 115, 130},
		{12, 12, 2.875992, 3, 5}, {120, 12, 15.451174, 15, 21}, {1200, 12, 116.611319, 116, 131},
		{50, 50, 3.805455, 4, 6}, {500, 50, 17.761747, 18, 23},
		{100, 100, 4.232595, 4, 6}, {1000, 100, 18.761660, 19, 24},
	} {
		o := metrics.NewOccupancy(row.keys, row.partitions)
		near(t, fmt.Sprintf("E[max] of %d on %d", row.keys, row.partitions), o.Mean(), row.mean, 5.1e-7)
		if median, p99 := o.Quantile(.5), o.Quantile(.99); median != row.median || p99 != row.p99 {
			t.Errorf("%d on %d: median %d, p99 %d; want %d, %d", row.keys, row.partitions, median, p99, row.median, row.p99)
		}
	}
	near(t, "P(max = 1) of 6 on 6", metrics.NewOccupancy(6, 6).AtMost(1), 5./324, 1e-12)
}

// TestOccupancyIsTheCount compares with the number of placements, counted in
// integers by the recurrence over keys: of the (m+1)-th key's N · W(m, N)
// placements those are lost in which it is the (c+1)-th on its partition.
//
//	W(m+1, N) = N W(m, N) - N C(m, c) W(m-c, N-1)
func TestOccupancyIsTheCount(t *testing.T) {
	worst := 0.0
	for partitions := 1; partitions <= 12; partitions++ {
		for _, keys := range []int{0, 1, 2, 3, 7, 12, 25, 60} {
			o := metrics.NewOccupancy(keys, partitions)
			for c := 0; c <= keys+1; c++ {
				want := atMost(keys, partitions, c)
				worst = max(worst, math.Abs(o.AtMost(c)-want))
				near(t, fmt.Sprintf("P(max ≤ %d) of %d on %d", c, keys, partitions), o.AtMost(c), want, 1e-11)
			}
		}
	}
	for _, row := range [][3]int{{600, 60, 20}, {600, 60, 17}, {1500, 150, 22}, {900, 3, 330}} {
		got, want := metrics.NewOccupancy(row[0], row[1]).AtMost(row[2]), atMost(row[0], row[1], row[2])
		worst = max(worst, math.Abs(got-want))
		near(t, fmt.Sprintf("P(max ≤ %d) of %d on %d", row[2], row[0], row[1]), got, want, 1e-11)
	}
	t.Logf("largest error: %.2g", worst)
}

// atMost returns P(max ≤ c) by counting placements.
func atMost(keys, partitions, c int) float64 {
	ways := make([]*big.Int, keys+1) // W(m, N-1), from N-1 = 0
	for m := range ways {
		ways[m] = big.NewInt(0)
	}
	ways[0] = big.NewInt(1)
	for n := int64(1); n <= int64(partitions); n++ {
		next := make([]*big.Int, keys+1)
		next[0] = big.NewInt(1)
		choose := big.NewInt(0) // C(m, c)
		for m := range keys {
			switch {
			case m == c:
				choose.SetInt64(1)
			case m > c:
				choose.Mul(choose, big.NewInt(int64(m)))
				choose.Div(choose, big.NewInt(int64(m-c)))
			}
			next[m+1] = new(big.Int).Set(next[m])
			if m >= c {
				next[m+1].Sub(next[m+1], new(big.Int).Mul(choose, ways[m-c]))
			}
			next[m+1].Mul(next[m+1], big.NewInt(n))
		}
		ways = next
	}
	all := new(big.Int).Exp(big.NewInt(int64(partitions)), big.NewInt(int64(keys)), nil)
	p, _ := new(big.Rat).SetFrac(ways[keys], all).Float64()
	return p
}

func TestOccupancyIsADistribution(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		keys := rapid.IntRange(0, 3000).Draw(rt, "keys")
		partitions := rapid.IntRange(1, 500).Draw(rt, "partitions")
		o := metrics.NewOccupancy(keys, partitions)
		least := (keys + partitions - 1) / partitions
		last := 0.0
		for c := -1; c <= keys; c++ {
			p := o.AtMost(c)
			if p < last || p > 1 {
				rt.Fatalf("P(max ≤ %d) = %v after %v", c, p, last)
			}
			last = p
		}
		if last != 1 || o.AtMost(least-1) != 0 {
			rt.Fatalf("from %v to %v", o.AtMost(least-1), last)
		}
		if m := o.Mean(); m < float64(least) || m > float64(keys) {
			rt.Fatalf("mean %v", m)
		}
		if q := o.Quantile(.9); o.AtMost(q) < .9 || o.AtMost(q-1) >= .9 && q > least {
			rt.Fatalf("P(max ≤ %d) = %v is no 0.9-quantile", q, o.AtMost(q))
		}
	})
}

// B05 of the public cases: 12 country codes on 48 partitions.
// https://www.michal-drozd.com/en/blog/kafka-partition-skew-contracts/
func TestExpectedIdle(t *testing.T) {
	near(t, "idle", metrics.ExpectedIdle(12, 48), 37.28, 0.005)
	near(t, "idle without keys", metrics.ExpectedIdle(0, 1), 1, 0)
	near(t, "idle of one partition", metrics.ExpectedIdle(1, 1), 0, 0)
	near(t, "idle of two", metrics.ExpectedIdle(2, 2), .5, 1e-15)
}

func BenchmarkOccupancy(b *testing.B) {
	for _, size := range [][2]int{{100, 10}, {1200, 12}, {10_000, 1000}, {100_000, 10_000}} {
		b.Run(fmt.Sprintf("keys=%d/partitions=%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				metrics.NewOccupancy(size[0], size[1])
			}
		})
	}
}
