package workload

import "math"

// Zipf gives the key of rank i the weight
//
//	p_i = i^−S / (1^−S + 2^−S + … + n^−S)
//
// for any S > 0: 0.5 is mild, 0.99 is YCSB's default, at 2 one key has more than
// half of the records.
type Zipf struct {
	S float64 // exponent, above 0
}

func (z Zipf) String() string { return "zipf:" + number(z.S) }

func (z Zipf) problem() (parameter int, what, fix string) {
	if !(z.S > 0) || !isFinite(z.S) {
		return 0, "S is not above 0", "write for example zipf:1.05, or uniform for equal keys"
	}
	return 0, "", ""
}

func (z Zipf) fill(w []float64, first, n int) { fillPowers(w, float64(first), z.S) }

// fillPowers sets w[j] to (x+j)^−s, x above 0. Where neighbours hardly differ, it
// computes one power for many and the others from it by the binomial series
//
//	(c+d)^−s = c^−s · (1 + t)^−s,   t = d/c,   (1 + t)^−s = 1 − s·t·(1 − (s+1)/2·t·(1 − …))
//
// which is several times faster than a power each and rounds no worse.
func fillPowers(w []float64, x, s float64) {
	const (
		small = 1.0 / 256 // largest t and s·t: what the series leaves out is below small^8
		few   = 4         // fewer neighbours are not worth a series
	)
	for len(w) > 0 {
		run := 1
		if reach := x * small / math.Max(1, s); reach > few {
			run = min(len(w), int(math.Min(2*reach, blockSize)))
		}
		if run == 1 {
			w[0] = math.Pow(x, -s)
		} else {
			half := float64(run-1) / 2
			centre := x + half
			power, inverse := math.Pow(centre, -s), 1/centre
			for j := range w[:run] {
				t := (float64(j) - half) * inverse
				series := 1 - (s+6)/7*t
				series = 1 - (s+5)/6*t*series
				series = 1 - (s+4)/5*t*series
				series = 1 - (s+3)/4*t*series
				series = 1 - (s+2)/3*t*series
				series = 1 - (s+1)/2*t*series
				w[j] = power - power*s*t*series
			}
		}
		w, x = w[run:], x+float64(run)
	}
}
