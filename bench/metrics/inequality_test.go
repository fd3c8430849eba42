package metrics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/keyspread/keyspread/bench/metrics"
	"pgregory.net/rapid"
)

// TestInequality asserts exact values, computed independently.
func TestInequality(t *testing.T) {
	for _, row := range []struct {
		loads                          []int64
		gini, entropy, cv, maxOverMean float64
	}{
		{[]int64{1, 1, 1, 1}, 0, 1, 0, 1},
		{[]int64{1, 0, 0, 0}, .75, 0, 1.732051, 4},
		{[]int64{10, 20, 30, 40}, .25, .923220, .447214, 1.6},
		{[]int64{1, 2, 3, 4, 5, 6}, .277778, .927790, .487950, 1.714286},
		{[]int64{5, 0, 5, 1, 1, 0}, .555556, .638316, 1.080123, 2.5},
		{[]int64{100, 1, 1, 1, 1, 1}, .785714, .149621, 2.108293, 5.714286},
		{[]int64{97, 73, 81, 76, 93, 79}, .0578, .9969, .1058, 1.1663}, // B02 of the public cases
	} {
		tolerance := 5.1e-7
		if row.loads[0] == 97 {
			tolerance = 5.1e-5
		}
		near(t, "Gini", metrics.Gini(row.loads), row.gini, tolerance)
		near(t, "entropy", metrics.Entropy(row.loads), row.entropy, tolerance)
		near(t, "CV", metrics.CV(row.loads), row.cv, tolerance)
		near(t, "imbalance", metrics.Imbalance(row.loads), row.maxOverMean, tolerance)
		near(t, "ceiling share", metrics.CeilingShare(row.loads), 1/row.maxOverMean, tolerance)
	}
}

func TestInequalityOfOneOrNone(t *testing.T) {
	near(t, "Gini of one partition", metrics.Gini([]int64{5}), 0, 0)
	near(t, "entropy of one partition", metrics.Entropy([]int64{5}), 1, 0)
	near(t, "ceiling share of one partition", metrics.CeilingShare([]int64{5}), 1, 0)
	if h := metrics.Entropy([]int64{5, 0}); h != 0 || math.Signbit(h) {
		t.Errorf("entropy of one busy partition of two: %v, want 0 without a sign", h)
	}
	for _, loads := range [][]int64{{0}, {0, 0}} {
		for what, f := range map[string]func([]int64) float64{"Gini": metrics.Gini, "entropy": metrics.Entropy, "ceiling share": metrics.CeilingShare} {
			if got := f(loads); !math.IsNaN(got) {
				t.Errorf("%s of %v: got %v, want NaN", what, loads, got)
			}
		}
	}
}

// TestInequalityProperties: the bounds, the definition of Gini as a double sum,
// and that neither order nor scale of the loads matters.
func TestInequalityProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		loads := rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 1, 30).Draw(rt, "loads")
		loads[0]++ // some load
		n, total := float64(len(loads)), 0.0
		var differences float64
		for _, a := range loads {
			total += float64(a)
			for _, b := range loads {
				differences += math.Abs(float64(a - b))
			}
		}
		gini, entropy := metrics.Gini(loads), metrics.Entropy(loads)
		if want := differences / (2 * n * total); math.Abs(gini-want) > 1e-12 {
			rt.Fatalf("Gini %v, by the double sum %v", gini, want)
		}
		if gini < 0 || gini > 1-1/n+1e-12 || entropy < 0 || entropy > 1 {
			rt.Fatalf("Gini %v, entropy %v out of bounds", gini, entropy)
		}
		if c := metrics.CeilingShare(loads); c < 1/n-1e-12 || c > 1+1e-12 {
			rt.Fatalf("ceiling share %v out of bounds", c)
		}
		other := slices.Clone(loads)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		rng.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		for i := range other {
			other[i] *= 1000
		}
		for what, f := range map[string]func([]int64) float64{"Gini": metrics.Gini, "entropy": metrics.Entropy, "ceiling share": metrics.CeilingShare, "CV": metrics.CV} {
			if a, b := f(loads), f(other); math.Abs(a-b) > 1e-12*max(1, a) {
				rt.Fatalf("%s: %v, of scaled loads in another order %v", what, a, b)
			}
		}
	})
}
