package workload

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// LogNormal gives the keys weights that follow a log-normal law: the key of rank
// i of n has the share that the law gives to the i-th of n equal parts of a
// population, the heaviest part first. With F(q) = Φ(Φ⁻¹(q) + Sigma), the share
// of the top q of the population and Φ the normal distribution,
//
//	p_i = F(i/n) − F((i−1)/n)
//
// so that the shares of top keys are those of the law at any number of keys: at
// Sigma = 1.5 the top 10 % have 58.6 %.
//
// Mu scales all weights alike and so does not change shares. It is there because
// the law is written with it, and a fit of real data gives both.
type LogNormal struct {
	Mu    float64 // mean of the logarithm of the weight, any number
	Sigma float64 // its standard deviation, 0 (equal keys) or more
}

func (l LogNormal) String() string { return "lognormal:" + number(l.Mu) + "," + number(l.Sigma) }

func (l LogNormal) problem() (parameter int, what, fix string) {
	if !isFinite(l.Mu) {
		return 0, "MU is not a finite number", "write for example lognormal:0,1.5"
	}
	if !(l.Sigma >= 0) || !isFinite(l.Sigma) {
		return 1, "SIGMA is below 0", "write for example lognormal:0,1.5"
	}
	return 0, "", ""
}

// fill uses n·p_i. At both ends it is a difference of F; between them, where that
// would cancel, the midpoint rule with its corrections for the integral of the
// law's quantile g over the i-th part:
//
//	n·p_i = g + h²/24·g″ + h⁴/1920·g⁗ + …    at q = (i−½)/n,  h = 1/n
//	g(q)  = exp(−Sigma·z − Sigma²/2)         z = Φ⁻¹(q)
//
// Since z′ = 1/φ(z) =: r and r′ = z·r², the k-th derivative is g·r^k·P_k(z) with
// P_1 = −Sigma and P_(k+1) = P_k′ + (k·z − Sigma)·P_k.
func (l LogNormal) fill(w []float64, first, n int) {
	const (
		ends   = 64   // parts at each end by difference
		fourth = 4096 // parts at each end for which the fourth derivative counts
	)
	s, h := l.Sigma, 1/float64(n)
	for j := range w {
		i := first + j
		near := min(i, n+1-i) // rank from the nearer end
		if near <= ends {
			w[j] = l.part(i, n)
			continue
		}
		z := normalQuantile(2*i-1, 2*n)
		r := h * math.Sqrt(2*math.Pi) * math.Exp(z*z/2)
		p2 := s*s - s*z
		correction := r * r / 24 * p2
		if near <= fourth {
			p3 := -s + (2*z-s)*p2
			p3Derivative := 2*p2 - s*(2*z-s)
			p4 := p3Derivative + (3*z-s)*p3
			correction += r * r * r * r / 1920 * p4
		}
		g := math.Exp(-s * (z + s/2))
		w[j] = g + g*correction
	}
}

// part returns n·p_i as a difference of F.
func (l LogNormal) part(i, n int) float64 {
	lower := normalQuantile(i-1, n) + l.Sigma
	upper := normalQuantile(i, n) + l.Sigma
	if lower > 0 {
		lower, upper = -upper, -lower // the same difference in the tail where F is small
	}
	return float64(n) * (normalCDF(upper) - normalCDF(lower))
}

func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// normalQuantile returns Φ⁻¹(i/n) for i from 0 to n, to full precision in both
// tails.
func normalQuantile(i, n int) float64 {
	if i > n-i {
		return -mathext.NormalQuantile(float64(n-i) / float64(n))
	}
	return mathext.NormalQuantile(float64(i) / float64(n))
}
