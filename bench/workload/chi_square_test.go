package workload

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// alpha is how improbable a result must be for a statistical test to fail, on
// either side: a fit that is too good is no random sample. Seeds are fixed.
const alpha = 1e-6

// chiSquareP returns the probability that independent draws from cells with the
// given weights, in any unit, fit as badly as what was observed, or worse.
// Neighbouring cells are pooled until at least 5 draws are expected.
func chiSquareP(observed []int64, weights []float64) float64 {
	var draws, total float64
	for i, n := range observed {
		draws += float64(n)
		total += weights[i]
	}
	var statistic, n, expected, lastN, lastExpected float64
	cells := 0
	for i := range observed {
		n += float64(observed[i])
		expected += weights[i] / total * draws
		if expected >= 5 {
			statistic += (n - expected) * (n - expected) / expected
			lastN, lastExpected = n, expected
			n, expected = 0, 0
			cells++
		}
	}
	if cells > 0 && (n > 0 || expected > 0) { // what is left joins the last cell
		statistic -= (lastN - lastExpected) * (lastN - lastExpected) / lastExpected
		lastN, lastExpected = lastN+n, lastExpected+expected
		statistic += (lastN - lastExpected) * (lastN - lastExpected) / lastExpected
	}
	if cells < 2 {
		return math.NaN()
	}
	return distuv.ChiSquared{K: float64(cells - 1)}.Survival(statistic)
}

// fits reports whether a probability is that of an ordinary sample.
func fits(p float64) bool { return p > alpha && p < 1-alpha }

// wantFit fails the test unless the observed counts fit the weights, and unless
// they do not fit the counter-example: otherwise the test could not have told.
func wantFit(t *testing.T, name string, observed []int64, weights, wrong []float64) {
	t.Helper()
	if p := chiSquareP(observed, weights); !fits(p) {
		t.Errorf("%s: chi-square p = %g", name, p)
	}
	if p := chiSquareP(observed, wrong); fits(p) {
		t.Errorf("%s: the counter-example fits, too: p = %g", name, p)
	}
}

// TestChiSquareP compares with hand-computed values: 8² / 50 · 2 = 2.56 at one
// degree of freedom, and a table's 95 % quantile 5.991 at two.
func TestChiSquareP(t *testing.T) {
	if p := chiSquareP([]int64{42, 58}, []float64{1, 1}); math.Abs(p-0.109598583) > 1e-8 {
		t.Errorf("p = %.9f", p)
	}
	// 3·k²/100·2 = 5.991 for cells 100+k, 100, 100-k has k = 17.308
	if p := chiSquareP([]int64{100 + 17, 100, 100 - 17}, []float64{2, 2, 2}); math.Abs(p-math.Exp(-2*17*17/200.)) > 1e-12 {
		t.Errorf("p = %.9f", p)
	}
	// The two small cells and the last are pooled: nothing left to compare but 50:50.
	if p := chiSquareP([]int64{50, 2, 1, 47}, []float64{50, 2, 2, 46}); math.Abs(p-1) > 1e-12 {
		t.Errorf("p = %.9f", p)
	}
}
