package workload

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/keyspread/keyspread/partition"
)

// ZipfSampler draws ranks of a [Zipf] law in constant time and memory, at any
// number of keys and for any exponent above 0, by rejection-inversion (Hörmann
// and Derflinger, ACM TOMACS 6, 1996).
//
//	H(x)  = (x^(1−s) − 1)/(1−s), ln x at s = 1: the integral of x^−s from 1 to x
//	u     uniform between H(1.5) − 1 and H(n+½)
//	x     = H⁻¹(u), k = x rounded and held in [1, n]
//	accept k if k − x ≤ c or u ≥ H(k+½) − k^−s;  c = 2 − H⁻¹(H(2.5) − 2^−s)
//
// The first test accepts nearly always, so that a draw takes 1.00 to 1.02 trials
// and hardly ever the power of the second test.
type ZipfSampler struct {
	s         float64 // exponent
	t         float64 // 1 − s
	inverse   float64 // 1 / t, or 0 if t is so near to 0 that log1p is needed
	keys      int     // n
	low, span float64 // u is between low and low + span
	c         float64
}

// NewZipfSampler returns a sampler for s above 0 and 1 to [partition.MaxKeys]
// keys.
func NewZipfSampler(s float64, keys int) (*ZipfSampler, error) {
	if _, what, _ := (Zipf{s}).problem(); what != "" {
		return nil, fmt.Errorf("cannot sample a Zipf law with the exponent %g: want one above 0", s)
	}
	if keys < 1 || keys > partition.MaxKeys {
		return nil, fmt.Errorf("cannot sample %d keys: want 1 to %d", keys, partition.MaxKeys)
	}
	z := &ZipfSampler{s: s, t: 1 - s, keys: keys}
	if math.Abs(z.t) > 1.0/64 {
		z.inverse = 1 / z.t
	}
	z.low = z.integral(1.5) - 1
	z.span = z.integral(float64(keys)+0.5) - z.low
	z.c = 2 - z.inverseIntegral(z.integral(2.5)-math.Exp2(-s))
	return z, nil
}

// Draw takes one word from random for each trial.
func (z *ZipfSampler) Draw(random rand.Source) int {
	for {
		if rank, ok := z.trial(unit(random)); ok {
			return rank - 1
		}
	}
}

// DrawBatch does what Draw does for each element.
func (z *ZipfSampler) DrawBatch(keys []int32, random rand.Source) {
	for i := range keys {
		keys[i] = int32(z.Draw(random))
	}
}

// trial returns a rank from 1 for a number in [0, 1), and whether it is accepted.
func (z *ZipfSampler) trial(fraction float64) (rank int, accepted bool) {
	u := z.low + fraction*z.span
	x := z.inverseIntegral(u)
	rank = z.keys
	if x < float64(z.keys) {
		rank = max(1, int(x+0.5))
	}
	k := float64(rank)
	return rank, k-x <= z.c || u >= z.integral(k+0.5)-math.Exp(-z.s*math.Log(k))
}

// integral is H.
func (z *ZipfSampler) integral(x float64) float64 {
	log := math.Log(x)
	if z.t == 0 {
		return log
	}
	return math.Expm1(z.t*log) / z.t
}

// inverseIntegral is H⁻¹. Far from s = 1 the logarithm loses nothing to
// cancellation that matters, and log and exp are cheaper than log1p.
func (z *ZipfSampler) inverseIntegral(u float64) float64 {
	switch {
	case z.t == 0:
		return math.Exp(u)
	case z.inverse != 0:
		return math.Exp(math.Log(max(0, 1+z.t*u)) * z.inverse)
	}
	return math.Exp(math.Log1p(max(-1, z.t*u)) / z.t)
}
