package metrics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/keyspread/keyspread/bench/metrics"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v ± %v", what, got, want, tolerance)
	}
}

// B02 of the public cases: https://github.com/travisdesell/ngafid2.0/pull/307
func TestUploadConsumers(t *testing.T) {
	loads := []int64{97, 73, 81, 76, 93, 79}
	near(t, "imbalance", metrics.Imbalance(loads), 1.166, 0.0005)
	near(t, "CV", metrics.CV(loads), 0.106, 0.0005) // dividing by 5 gives 0.116
}

func TestBounds(t *testing.T) {
	near(t, "imbalance of equal loads", metrics.Imbalance([]int64{7, 7, 7}), 1, 0)
	near(t, "imbalance of one busy partition of 15", metrics.Imbalance(append(make([]int64, 14), 9)), 15, 1e-12)
	near(t, "CV of equal loads", metrics.CV([]int64{7, 7, 7}), 0, 0)
	if got := metrics.Idle([]int64{0, 3, 0}); got != 2 {
		t.Errorf("idle: got %d, want 2", got)
	}
	for what, got := range map[string]float64{
		"imbalance": metrics.Imbalance([]int64{0, 0}), "CV": metrics.CV([]int64{0, 0}),
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s without load: got %v, want NaN", what, got)
		}
	}
}

// TestExpectedCVOfZipf asserts exact values of S2 and of the expected CV for
// Zipf weights, computed independently in exact arithmetic. Weights are scaled
// to integers, which costs less than the tolerance.
func TestExpectedCVOfZipf(t *testing.T) {
	for _, row := range []struct {
		keys                   int
		s                      float64
		s2                     float64
		cv6, cv12, cv50, cv100 float64
	}{
		{100, 1.0, .060760001, .5512, .8175, 1.7255, 2.4526},
		{1000, 0.8, .0094409393, .2173, .3223, .6802, .9668},
		{10000, 0.5, .00024829051, .0352, .0523, .1103, .1568},
		{10000, 0.99, .01591742, .2821, .4184, .8831, 1.2553},
		{10000, 1.0, .017169954, .2930, .4346, .9172, 1.3038},
		{10000, 2.0, .40004864, 1.4143, 2.0977, 4.4275, 6.2932},
		{1000000, 1.0, .00794076, .1993, .2955, .6238, .8866},
	} {
		var c metrics.Concentration
		for i := 1; i <= row.keys; i++ {
			c.Add(int64(math.Round(1e15 * math.Pow(float64(i), -row.s))))
		}
		near(t, "S2", c.S2(), row.s2, 1e-6*row.s2)
		for n, want := range map[int]float64{6: row.cv6, 12: row.cv12, 50: row.cv50, 100: row.cv100} {
			near(t, "expected CV", metrics.ExpectedCV(n, c.S2()), want, 0.00005001)
		}
	}
}

// TestExpectedCVIsTheMean places weighted keys at random many times: the mean of
// CV² must meet the formula, and a formula off by one partition must not.
func TestExpectedCVIsTheMean(t *testing.T) {
	const keys, partitions, rounds = 50, 8, 20000
	var c metrics.Concentration
	weights := make([]int64, keys)
	for i := range weights {
		weights[i] = int64(100000 / (i + 1))
		c.Add(weights[i])
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var mean, m2 float64
	for round := range rounds {
		loads := make([]int64, partitions)
		for _, w := range weights {
			loads[rng.IntN(partitions)] += w
		}
		cv := metrics.CV(loads)
		delta := cv*cv - mean
		mean += delta / float64(round+1)
		m2 += delta * (cv*cv - mean)
	}
	sigma := math.Sqrt(m2 / rounds / rounds)
	want := math.Pow(metrics.ExpectedCV(partitions, c.S2()), 2)
	near(t, "mean CV²", mean, want, 5*sigma) // α < 1e-6
	if wrong := math.Pow(metrics.ExpectedCV(partitions+1, c.S2()), 2); math.Abs(mean-wrong) <= 5*sigma {
		t.Errorf("the test cannot tell %d partitions from %d", partitions, partitions+1)
	}
}
