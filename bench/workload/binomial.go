package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Binomial returns how many of n independent trials succeed, each with
// probability p. It is exact for every n from 0 to [MaxRecords], takes a time
// that does not grow with n, and does not allocate. It panics if n is out of
// range or p is not in [0, 1].
func Binomial(random rand.Source, n int64, p float64) int64 {
	if n < 0 || n > MaxRecords || !(p >= 0 && p <= 1) {
		panic(fmt.Sprintf("binomial of %d trials with probability %g: want 0 to %d trials and a probability in [0, 1]", n, p, int64(MaxRecords)))
	}
	return binomial(random, n, p, 1-p)
}

// inversionMean is the mean below which a draw is by inversion. The transformed
// rejection is proved from 10 on.
const inversionMean = 10

// binomial is Binomial with q = 1 − p, which the caller may know more precisely
// than p tells.
func binomial(random rand.Source, n int64, p, q float64) int64 {
	switch {
	case p > q:
		return n - binomial(random, n, q, p)
	case n == 0 || p == 0:
		return 0
	case float64(n)*p < inversionMean:
		return binomialByInversion(random, float64(n), p, q)
	}
	return binomialByRejection(random, float64(n), p, q)
}

// binomialByInversion returns the smallest k for which P(X ≤ k) is at least a
// uniform number, adding up probabilities from k = 0 on (Kachitvichyanukul and
// Schmeiser, CACM 31, 1988: algorithm BINV). n·p is below inversionMean, p at
// most ½.
func binomialByInversion(random rand.Source, n, p, q float64) int64 {
	for {
		u := unit(random)
		mean := n * p
		if mean < 0.25 && u <= 1-mean {
			return 0 // since (1−p)^n ≥ 1 − np: no exponential for keys that hardly occur
		}
		odds := p / q
		a := (n + 1) * odds          // P(X = k) / P(X = k−1) = a/k − odds
		f := math.Exp(n * log1mp(p)) // P(X = k)
		sum := f                     // P(X ≤ k)
		k := 0
		// Where the sum exceeds u cannot be predicted, and a wrong guess of the
		// processor costs more than the terms: so they are added many at a time, and
		// those that are below u are counted by the signs of the differences. Four
		// terms wait for one multiplication and one addition.
		step := 8
		if mean > 4 {
			step = 16
		}
		for j := 0; j < len(reciprocals) && sum < u; j += step {
			for i := j; i < j+step; i += 4 {
				r := reciprocals[i : i+4 : i+4]
				f1 := a*r[0] - odds
				f2 := f1 * (a*r[1] - odds)
				f3 := f2 * (a*r[2] - odds)
				f4 := f3 * (a*r[3] - odds)
				sum1 := sum + f*f1
				sum2 := sum + f*(f1+f2)
				sum3 := sum + f*(f1+f2+f3)
				k += below(sum, u) + below(sum1, u) + below(sum2, u) + below(sum3, u)
				sum += f * (f1 + f2 + (f3 + f4))
				f *= f4
			}
		}
		// Else the sum lost its last digits, or u lies above all of them.
		if sum >= u && float64(k) <= n {
			return int64(k)
		}
	}
}

// below returns 1 if x is below y and 0 if not, without a branch.
func below(x, y float64) int { return int(math.Float64bits(x-y) >> 63) }

// reciprocals holds 1/k for k from 1 on, so many that P(X > k) is below 1e-70 at
// a mean of inversionMean.
var reciprocals = func() (r [112]float64) {
	for i := range r {
		r[i] = 1 / float64(i+1)
	}
	return r
}()

// log1mp returns ln(1−p), p in [0, ½]. Most keys of a large source have a tiny p,
// for which a few terms of the series are exact and cheaper.
func log1mp(p float64) float64 {
	if p < 1e-4 {
		return -p * (1 + p*(1./2+p*(1./3+p*(1./4)))) // leaves out p^5/5
	}
	return math.Log1p(-p)
}

// binomialByRejection is the transformed rejection with squeeze of Hörmann (The
// generation of binomial random variates, J. Statist. Comput. Simul. 46, 1993:
// algorithm BTRS). n·p is at least inversionMean, p at most ½. Three quarters of
// all draws need two uniform numbers and no logarithm; most others one.
func binomialByRejection(random rand.Source, n, p, q float64) int64 {
	mean := n * p
	deviation := math.Sqrt(mean * q)
	b := 1.15 + 2.53*deviation
	a := -0.0873 + 0.0248*b + 0.01*p
	squeeze := 0.92 - 4.2/b
	for {
		v := unit(random)
		u := unit(random) - 0.5
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + mean + 0.5)
		if us >= 0.07 && v <= squeeze {
			return int64(k)
		}
		if k < 0 || k > n {
			continue
		}
		alpha := (2.83 + 5.1/b) * deviation
		v *= alpha / (a/(us*us) + b)
		if acceptRatio(v, k, n, p, q) {
			return int64(k)
		}
	}
}

// acceptRatio reports whether v ≤ P(X = k) / P(X = mode). It takes the cheapest
// way that decides (Kachitvichyanukul and Schmeiser as above: steps 5.1 to 5.3 of
// algorithm BTPE).
func acceptRatio(v, k, n, p, q float64) bool {
	mode := math.Floor((n + 1) * p)
	distance := math.Abs(k - mode)
	variance := n * p * q
	if distance <= 20 {
		// P(X = i) / P(X = i−1) = (n+1)/i·p/q − p/q
		odds := p / q
		a := (n + 1) * odds
		ratio := 1.0
		for i := mode + 1; i <= k; i++ {
			ratio *= a/i - odds
		}
		for i := k + 1; i <= mode; i++ {
			v *= a/i - odds
		}
		return v <= ratio
	}
	logV := math.Log(v)
	if distance < variance/2-1 {
		low, high := logRatioBounds(distance, variance)
		if logV <= low {
			return true
		}
		if logV > high {
			return false
		}
	}
	return logV <= logBinomial(k, n, p, q)-logBinomial(mode, n, p, q)
}

// logRatioBounds returns bounds of ln P(X = k)/P(X = mode) for a k at a distance
// from the mode between 20 and variance/2 − 1.
func logRatioBounds(distance, variance float64) (low, high float64) {
	relative := distance / variance
	normal := -distance * relative / 2
	slack := relative * ((distance*(distance/3+0.625)+1./6)/variance + 0.5)
	return normal - slack, normal + slack
}

// logBinomial returns the logarithm of P(X = k) but for a term that depends on n
// alone, by Loader's saddle-point expansion (Fast and accurate computation of
// binomial probabilities, 2000). Differences of log-factorials would lose all
// digits at n = 1e12; here every term is as small as the result.
//
//	ln P(X = k) = δ(n) − δ(k) − δ(n−k) − D(k, np) − D(n−k, nq) − ½·ln(2π·k·(n−k)/n)
//
// where δ is stirlingError and D is deviance.
func logBinomial(k, n, p, q float64) float64 {
	rest := n - k
	excess := k - n*p
	d := deviance(k, n*p, excess) + deviance(rest, n*q, -excess)
	// At k = 0 the term ½·ln k + δ(k) is the logarithm of 0! without Stirling's
	// formula, −½·ln 2π; likewise at k = n.
	return -d - logRoot(k) - logRoot(rest)
}

// logRoot returns δ(k) + ½·ln k, the logarithm of k!/(k/e)^k less ½·ln 2π.
func logRoot(k float64) float64 {
	if k == 0 {
		return -0.5 * math.Log(2*math.Pi)
	}
	return stirlingError(k) + 0.5*math.Log(k)
}

// deviance returns k·ln(k/mean) + mean − k, given excess = k − mean. Near the
// mean it is a series of v = (k−mean)/(k+mean), without cancellation:
//
//	k·ln(k/mean) = 2k·(v + v³/3 + v⁵/5 + …)
func deviance(k, mean, excess float64) float64 {
	if k == 0 {
		return mean
	}
	if math.Abs(excess) >= 0.1*(k+mean) {
		return k*math.Log(k/mean) - excess
	}
	v := excess / (k + mean)
	v2 := v * v
	sum := excess * v // k·2v − excess
	term := 2 * k * v
	for i := 3.0; ; i += 2 {
		term *= v2
		next := sum + term/i
		if next == sum {
			return sum
		}
		sum = next
	}
}

// stirlingErrors holds stirlingError of 0 to 15, where its series is too short.
var stirlingErrors = func() (e [16]float64) {
	for k := 1; k < len(e); k++ {
		x := float64(k)
		logFactorial, _ := math.Lgamma(x + 1)
		e[k] = logFactorial - (0.5*math.Log(2*math.Pi*x) + x*math.Log(x) - x)
	}
	return e
}()

// stirlingError returns δ(k) = ln k! − ln(√(2πk)·(k/e)^k), k ≥ 1.
func stirlingError(k float64) float64 {
	if k < float64(len(stirlingErrors)) {
		return stirlingErrors[int(k)]
	}
	r := 1 / (k * k)
	return (1./12 - (1./360-(1./1260-(1./1680-1./1188*r)*r)*r)*r) / k
}
