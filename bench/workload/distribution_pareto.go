package workload

import "math"

// Pareto gives the keys weights that follow a Pareto law with tail exponent A:
// the key of rank i of n has the share that the law gives to the i-th of n equal
// parts of a population, the heaviest part first. With F(q) = q^(1−1/A), the
// share of the top q of the population,
//
//	p_i = F(i/n) − F((i−1)/n)
//
// so that the shares of top keys are those of the law at any number of keys: at
// A = 1.16 the top 20 % have 80 %. The weights are not quantiles at (i−½)/n:
// with A near 1 the shares of those are 10 % off even at a million keys, since
// most of the law's mean lies within its last quantile.
type Pareto struct {
	A float64 // tail exponent, above 1: at 1 and below the law has no mean and so no shares
}

func (p Pareto) String() string { return "pareto:" + number(p.A) }

func (p Pareto) problem() (parameter int, what, fix string) {
	if !(p.A > 1) || !isFinite(p.A) {
		return 0, "A is not above 1, so that the mean is infinite and the heaviest key has every record", "write for example pareto:1.16"
	}
	return 0, "", ""
}

// fill uses n·p_i in units of n^(1−t), t = 1 − 1/A:
//
//	i^t − (i−1)^t  =  t·c^(t−1) · (1 + (t−1)(t−2)/24/c² + (t−1)(t−2)(t−3)(t−4)/1920/c⁴ + …),   c = i − ½
//
// the midpoint rule for the integral of t·x^(t−1) with its corrections.
func (p Pareto) fill(w []float64, first, n int) {
	const exact = 512 // ranks computed without the series, which leaves out less than c^−6/400
	t := 1 - 1/p.A
	for len(w) > 0 && first <= exact {
		i := float64(first)
		w[0] = -math.Pow(i, t) * math.Expm1(t*math.Log1p(-1/i)) // no cancellation
		w, first = w[1:], first+1
	}
	x := float64(first) - 0.5
	fillPowers(w, x, 1-t)
	second := (t - 1) * (t - 2) / 24
	fourth := second * (t - 3) * (t - 4) / 80
	for j := range w {
		c := x + float64(j)
		r := 1 / (c * c)
		w[j] *= t + t*r*(second+fourth*r)
	}
}
