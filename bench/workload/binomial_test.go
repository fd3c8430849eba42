package workload

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// exactBinomial returns P(X = k) from the definition.
func exactBinomial(k, n int, p float64) float64 {
	logFactorial := func(n int) float64 { l, _ := math.Lgamma(float64(n) + 1); return l }
	return math.Exp(logFactorial(n) - logFactorial(k) - logFactorial(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// TestBinomialFits covers inversion, rejection, their border at n·p = 10, and p
// above ½, by chi-square with every value a cell. The counter-examples are p off
// by 1 % and counts off by one, or by a tenth of the standard deviation.
func TestBinomialFits(t *testing.T) {
	for _, c := range []struct {
		n int
		p float64
	}{
		{1, 0.5}, {2, 0.4}, {5, 0.3}, {10, 0.5}, {19, 0.5}, {20, 0.5}, {21, 0.49}, {33, 0.3}, {34, 0.3}, {35, 0.3},
		{50, 0.9}, {100, 0.0999}, {100, 0.1001}, {100, 0.5}, {150, 0.2}, {300, 0.1}, {1000, 0.002}, {1000, 0.009},
		{1000, 0.3}, {1000, 0.999}, {5000, 0.5}, {20_000, 0.1}, {100_000, 0.00003}, {100_000, 0.0002}, {100_000, 0.01},
	} {
		name := fmt.Sprintf("n=%d p=%g", c.n, c.p)
		small := min(c.p, 1-c.p)
		deviation := math.Sqrt(float64(c.n) * small * (1 - small))
		// Enough draws to tell p from p + 1 % of the smaller of p and 1−p: that adds
		// draws · n · small/(1−small) / 10⁴ to chi-square, whose own standard deviation
		// is √(2·cells).
		cells := min(float64(c.n), 8*deviation)
		enough := (80 + 10*math.Sqrt(2*cells)) * 1e4
		draws := int(max(20_000, enough*(1-small)/(small*float64(c.n))))
		shift := int(math.Ceil(deviation / 10))
		counts := make([]int64, c.n+1)
		random := rand.NewPCG(uint64(c.n), math.Float64bits(c.p))
		for range draws {
			counts[Binomial(random, int64(c.n), c.p)]++
		}
		weights, wrong, shifted := make([]float64, c.n+1), make([]float64, c.n+1), make([]float64, c.n+1)
		for k := range weights {
			weights[k] = exactBinomial(k, c.n, c.p)
			wrong[k] = exactBinomial(k, c.n, c.p+0.01*small)
			shifted[(k+shift)%(c.n+1)] = weights[k]
		}
		wantFit(t, name, counts, weights, wrong)
		if c.n > 1 {
			wantFit(t, name, counts, weights, shifted)
		}
	}
}

// TestBinomialPoisson compares with the Poisson limit, which is off by p.
func TestBinomialPoisson(t *testing.T) {
	for _, mean := range []float64{0.01, 0.2, 0.3, 3, 3.99, 4.01, 9.9, 10.1, 25} {
		off, draws := 1.01, int(max(30_000, 1.2e6/mean))
		if mean < 0.1 {
			off, draws = 1.03, 10_000_000
		}
		counts, weights, wrong := make([]int64, 100), make([]float64, 100), make([]float64, 100)
		random := rand.NewPCG(1, 5)
		for range draws {
			counts[Binomial(random, 1e12, mean/1e12)]++
		}
		for k := range weights {
			weights[k] = distuv.Poisson{Lambda: mean}.Prob(float64(k))
			wrong[k] = distuv.Poisson{Lambda: mean * off}.Prob(float64(k))
		}
		wantFit(t, fmt.Sprint("mean ", mean), counts, weights, wrong)
	}
}

// TestBinomialHuge compares with the exact distribution function, in cells of
// about equal probability. The counter-example is a mean off by a twentieth of
// the standard deviation: at 1e12 trials and p = 0.3 that is 1 in 13 million.
func TestBinomialHuge(t *testing.T) {
	const cells, draws = 40, 60_000
	for _, c := range []struct {
		n int64
		p float64
	}{{1e6, 0.5}, {1e9, 0.01}, {1e12, 1e-7}, {1e12, 0.3}, {1e12, 0.9999999}} {
		x := newExact(c.n, c.p)
		if math.Abs(x.total-1) > 1e-9 {
			t.Errorf("n=%d p=%g: probabilities add up to 1 %+g", c.n, c.p, x.total-1)
		}
		shift := math.Max(1, x.deviation/20)
		edges, weights, wrong := make([]float64, cells), make([]float64, cells), make([]float64, cells)
		for i := range edges {
			// Cells are up to and including their edge.
			edges[i] = math.Floor(float64(c.n)*c.p + x.deviation*normalQuantile(i+1, cells))
			weights[i], wrong[i] = x.upTo(edges[i]), x.upTo(edges[i]-shift)
		}
		for i := cells - 1; i > 0; i-- {
			weights[i] -= weights[i-1]
			wrong[i] -= wrong[i-1]
		}
		counts := make([]int64, cells)
		random := rand.NewPCG(12, 13)
		for range draws {
			k := float64(Binomial(random, c.n, c.p))
			i := 0
			for k > edges[i] {
				i++
			}
			counts[i]++
		}
		wantFit(t, fmt.Sprintf("n=%d p=%g", c.n, c.p), counts, weights, wrong)
	}
}

// An exact is the distribution function of a binomial, summed up term by term
// from the mode, where logBinomial gives the first term.
type exact struct {
	first            float64   // number of the first term that counts
	sums             []float64 // P(X ≤ first + i)
	total, deviation float64
}

func newExact(n int64, p float64) *exact {
	trials, q := float64(n), 1-p
	mode := math.Floor((trials + 1) * p)
	x := &exact{deviation: math.Sqrt(trials * p * q)}
	reach := math.Ceil(7 * x.deviation)
	x.first = math.Max(0, mode-reach)
	last := math.Min(trials, mode+reach)
	x.sums = make([]float64, int(last-x.first)+1)
	// logBinomial leaves out what depends on n alone: δ(n) + ½·ln n − ½·ln 2π.
	atMode := math.Exp(logBinomial(mode, trials, p, q) + logRoot(trials) - 0.5*math.Log(2*math.Pi))
	term := atMode
	for k := mode; k <= last; k++ {
		x.sums[int(k-x.first)] = term
		term *= (trials - k) * p / ((k + 1) * q)
	}
	term = atMode
	for k := mode; k > x.first; k-- {
		term *= k * q / ((trials - k + 1) * p)
		x.sums[int(k-1-x.first)] = term
	}
	for i := range x.sums {
		x.total += x.sums[i]
		x.sums[i] = x.total
	}
	return x
}

func (x *exact) upTo(k float64) float64 {
	i := k - x.first
	switch {
	case i < 0:
		return 0
	case i >= float64(len(x.sums)):
		return x.total
	}
	return x.sums[int(i)]
}

// TestBinomialNormal compares the largest n with the normal limit, whose error is
// of the order of 1/n at p = ½.
func TestBinomialNormal(t *testing.T) {
	const cells, draws = 50, 100_000
	counts, weights, wrong := make([]int64, cells), make([]float64, cells), make([]float64, cells)
	random := rand.NewPCG(14, 15)
	for range draws {
		z := (float64(Binomial(random, MaxRecords, 0.5)) - MaxRecords/2) / math.Sqrt(MaxRecords/4)
		counts[min(cells-1, int(cells*normalCDF(z)))]++
	}
	for i := range weights {
		weights[i] = 1
		wrong[i] = normalCDF(normalQuantile(i+1, cells)/1.04) - normalCDF(normalQuantile(i, cells)/1.04)
	}
	wantFit(t, "2^53 trials", counts, weights, wrong) // the counter-example: a deviation off by 4 %
}

// TestBinomialMoments compares mean and variance over many draws with np and npq,
// within five standard errors, and checks that a p off by 1 % would be noticed.
func TestBinomialMoments(t *testing.T) {
	const draws = 200_000
	for _, c := range []struct {
		n int64
		p float64
	}{{1e3, 0.02}, {1e7, 1e-6}, {1e8, 0.25}, {1e12, 1e-9}, {1e15, 0.6}} {
		mean, variance := float64(c.n)*c.p, float64(c.n)*c.p*(1-c.p)
		random := rand.NewPCG(16, 17)
		var sum, squares float64
		for range draws {
			d := float64(Binomial(random, c.n, c.p)) - mean
			sum += d
			squares += d * d
		}
		error := math.Sqrt(variance / draws)
		if off := sum / draws; math.Abs(off) > 5*error {
			t.Errorf("n=%d p=%g: mean off by %g, standard error %g", c.n, c.p, off, error)
		}
		if 0.01*mean < 5*error {
			t.Errorf("n=%d p=%g: 1 %% of the mean is within 5 standard errors", c.n, c.p)
		}
		// The variance of the squares is npq·(1 − 6pq) + 2(npq)².
		error = math.Sqrt((variance*(1-6*c.p*(1-c.p)) + 2*variance*variance) / draws)
		if off := squares/draws - variance; math.Abs(off) > 5*error {
			t.Errorf("n=%d p=%g: variance off by %g, standard error %g", c.n, c.p, off, error)
		}
	}
}

// TestLogBinomial compares differences of logBinomial with exact arithmetic: the
// product of n−i+1 over i times p/q, in integers and big floats.
func TestLogBinomial(t *testing.T) {
	for _, c := range []struct {
		n, from, to int64
		p           float64
	}{
		{20, 0, 20, 0.5}, {30, 3, 0, 0.1}, {100, 50, 80, 0.5}, {100, 100, 90, 0.9}, {1e5, 1000, 1300, 0.01},
		{1e9, 1e7, 1e7 + 2000, 0.01}, {1e12, 3e11, 3e11 + 3000, 0.3}, {1e12, 1e5 - 1000, 1e5 + 1000, 1e-7},
		{MaxRecords, MaxRecords / 2, MaxRecords/2 - 3000, 0.5},
	} {
		const precision = 300
		ratio := big.NewFloat(1).SetPrec(precision)
		p := big.NewFloat(c.p).SetPrec(precision)
		odds := new(big.Float).Quo(p, new(big.Float).SetPrec(precision).Sub(big.NewFloat(1), p))
		whole := func(n int64) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(n) }
		low, high := min(c.from, c.to), max(c.from, c.to)
		for i := low + 1; i <= high; i++ {
			ratio.Mul(ratio, odds)
			ratio.Mul(ratio, whole(c.n-i+1))
			ratio.Quo(ratio, whole(i))
		}
		if c.from > c.to {
			ratio.Quo(whole(1), ratio)
		}
		mantissa := new(big.Float)
		exponent := ratio.MantExp(mantissa)
		m, _ := mantissa.Float64()
		want := math.Log(m) + float64(exponent)*math.Ln2
		n := float64(c.n)
		got := logBinomial(float64(c.to), n, c.p, 1-c.p) - logBinomial(float64(c.from), n, c.p, 1-c.p)
		// n·p is rounded to 2^−53 of itself: so much the law may be off.
		mean := n * c.p
		tolerance := 1e-12*math.Max(1, math.Abs(want)) + mean*0x1p-52*math.Abs(float64(c.to-c.from))/(mean*(1-c.p))
		if math.Abs(got-want) > tolerance {
			t.Errorf("n=%d p=%g, ln P(%d)/P(%d) = %.15g, want %.15g", c.n, c.p, c.to, c.from, got, want)
		}
	}
}

// TestAcceptRatio checks that every way of deciding has its border where the exact
// formula has it.
func TestAcceptRatio(t *testing.T) {
	for _, n := range []float64{30, 100, 1e4, 1e6, 1e9, 1e12} {
		for _, p := range []float64{1e-8, 1e-3, 0.1, 0.35, 0.5} {
			mode := math.Floor((n + 1) * p)
			if mode < inversionMean {
				continue
			}
			for distance := 0.0; distance <= 7*math.Sqrt(n*p); distance = math.Ceil(distance*1.1 + 1) {
				for _, k := range []float64{mode - distance, mode + distance} {
					if k < 0 || k > n {
						continue
					}
					ratio := math.Exp(logBinomial(k, n, p, 1-p) - logBinomial(mode, n, p, 1-p))
					if !acceptRatio(ratio*(1-1e-9), k, n, p, 1-p) || acceptRatio(ratio*(1+1e-9), k, n, p, 1-p) {
						t.Errorf("n=%g p=%g k=%g: the border is not at %g", n, p, k, ratio)
					}
				}
			}
		}
	}
}

// TestLog1mp compares the series with the standard library.
func TestLog1mp(t *testing.T) {
	for p := 1e-300; p <= 0.5; p *= 1.37 {
		if got, want := log1mp(p), math.Log1p(-p); math.Abs(got-want) > 4e-16*math.Abs(want) {
			t.Errorf("ln(1 − %g) = %g, want %g", p, got, want)
		}
	}
}

// TestLogRatioBounds checks the bounds that spare the exact formula.
func TestLogRatioBounds(t *testing.T) {
	for _, n := range []float64{500, 1e4, 1e6, 1e9, 1e12} {
		for _, p := range []float64{1e-9, 1e-6, 1e-3, 0.1, 0.3, 0.49, 0.5} {
			q := 1 - p
			variance := n * p * q
			mode := math.Floor((n + 1) * p)
			for distance := 21.0; distance < variance/2-1 && distance < 40*math.Sqrt(variance); distance = math.Ceil(distance * 1.3) {
				low, high := logRatioBounds(distance, variance)
				for _, k := range []float64{mode - distance, mode + distance} {
					if k < 0 || k > n {
						continue
					}
					got := logBinomial(k, n, p, q) - logBinomial(mode, n, p, q)
					if slack := 1e-9 * (1 + math.Abs(got)); got < low-slack || got > high+slack {
						t.Errorf("n=%g p=%g k=%g: %g is not between %g and %g", n, p, k, got, low, high)
					}
				}
			}
		}
	}
}

func TestBinomialEdges(t *testing.T) {
	random := rand.NewPCG(1, 2)
	for _, c := range []struct {
		n         int64
		p         float64
		low, high int64
	}{
		{0, 0.5, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}, {MaxRecords, 0, 0, 0}, {MaxRecords, 1, MaxRecords, MaxRecords},
		{1, 0.5, 0, 1}, {MaxRecords, 5e-324, 0, 0}, {1e12, 1e-30, 0, 0}, {MaxRecords, 1 - 0x1p-53, MaxRecords - 20, MaxRecords},
		{1e12, 0.5, 4e11, 6e11}, {3, 0.9999, 0, 3}, {MaxRecords, 1e-15, 0, 60},
	} {
		for range 1000 {
			if got := Binomial(random, c.n, c.p); got < c.low || got > c.high {
				t.Errorf("n=%d p=%g: %d is not between %d and %d", c.n, c.p, got, c.low, c.high)
			}
		}
	}
	if allocs := testing.AllocsPerRun(100, func() { Binomial(random, 1e12, 0.3) }); allocs != 0 {
		t.Errorf("%g allocations", allocs)
	}
	for _, c := range []struct {
		n int64
		p float64
	}{{-1, 0.5}, {MaxRecords + 1, 0.5}, {1, -0.1}, {1, 1.1}, {1, math.NaN()}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for n=%d p=%g", c.n, c.p)
				}
			}()
			Binomial(random, c.n, c.p)
		}()
	}
}
