package metrics

import "math"

// Imbalance returns the heaviest load divided by the mean load, 1 or more: how
// many times the fair share the hottest partition carries. It is NaN if there is
// no load at all.
func Imbalance(loads []int64) float64 {
	var total float64
	var heaviest int64
	for _, l := range loads {
		total += float64(l)
		heaviest = max(heaviest, l)
	}
	return float64(heaviest) * float64(len(loads)) / total
}

// CeilingShare returns mean load / heaviest load, in (0, 1], the inverse of
// [Imbalance]: the share of the partitions' joint capacity that the key source
// can use. Once its rate saturates the hottest partition the others are still
// this full on average, so n partitions that each bear r records/s bear
// n · r · CeilingShare together: 0.2 of 6 partitions is little more than one. It
// is NaN if there is no load.
func CeilingShare(loads []int64) float64 { return 1 / Imbalance(loads) }

// Floor returns the least imbalance that any hash of whole keys can have on n
// partitions, 1 or more: the heaviest key, on a partition of its own, against the
// mean of all records,
//
//	max(1, key · n / records)
//
// It is NaN if there are no records.
func Floor(key, records int64, n int) float64 {
	return max(1, float64(key)*float64(n)/float64(records))
}

// CV returns the coefficient of variation of the loads: population standard
// deviation (dividing by n, not n-1) over mean. It is NaN if there is no load.
func CV(loads []int64) float64 {
	var total float64
	for _, l := range loads {
		total += float64(l)
	}
	mean := total / float64(len(loads))
	var squares float64
	for _, l := range loads {
		d := float64(l) - mean
		squares += d * d
	}
	return math.Sqrt(squares/float64(len(loads))) / mean
}

// ExpectedCV returns the root mean square of the CV that hashing keys at random
// onto n partitions gives, where s2 is the [Concentration] of their
// weights:
//
//	CV = sqrt((n-1) · S2)
//
// One hash is one draw: a single CV a little above or below this is chance. The
// formula is exact for the mean of CV² over random hashes.
func ExpectedCV(n int, s2 float64) float64 {
	return math.Sqrt(float64(n-1) * s2)
}

// A Concentration accumulates S2 = Σ p², the sum of squared shares of the keys:
// 1/K for K equal keys, 1 for a single one. Its inverse is the effective number
// of keys. The zero value is ready to use.
type Concentration struct{ sum, squares float64 }

// Add adds a key with the given number of records.
func (c *Concentration) Add(records int64) {
	w := float64(records)
	c.sum += w
	c.squares += w * w
}

// S2 returns Σ p², in (0, 1], or NaN if nothing was added.
func (c *Concentration) S2() float64 { return c.squares / (c.sum * c.sum) }

// Idle returns the number of partitions without load.
func Idle(loads []int64) int {
	idle := 0
	for _, l := range loads {
		if l == 0 {
			idle++
		}
	}
	return idle
}
