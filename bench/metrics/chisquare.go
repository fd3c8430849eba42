package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A ChiSquare is the result of Pearson's chi-square test of counts that a fair
// hash would make equal on average.
type ChiSquare struct {
	// Statistic is Σ (count - e)²/e with e the mean count; near DF if the hash
	// is fair, 0 for a single partition, NaN without counts.
	Statistic float64
	// DF is the number of degrees of freedom, partitions - 1.
	DF int
	// P is the probability that a fair hash gives this statistic or a larger
	// one, in [0, 1]; 1 for a single partition. It is NaN where the chi-square
	// distribution is no usable approximation: for total² < 10 · partitions or a
	// total below 10, the limits of Koehler and Larntz, An Empirical
	// Investigation of Goodness-of-Fit Statistics for Sparse Multinomials, JASA
	// 75 (1980). [Occupancy] is exact there.
	P float64
}

// KeyCounts tests the numbers of distinct keys per partition: does the hash
// spread these keys as chance would? It must not be given records. Distinct keys
// are placed independently of one another, but the records of one key go
// together, so that any stream in which keys repeat fails the test however good
// the hash is; for weighted keys there is [Weights.PlacementTest].
func KeyCounts(keys []int64) ChiSquare { return chiSquare(keys) }

// RecordCounts is the same test of records per partition, for loads of which no
// keys are known. It holds only if records are independent, as when every key
// occurs once. Where keys repeat, P is too small: a large P still speaks for a
// fair hash, a small one says nothing.
func RecordCounts(records []int64) ChiSquare { return chiSquare(records) }

func chiSquare(counts []int64) ChiSquare {
	n := float64(len(counts))
	var total float64
	for _, c := range counts {
		total += float64(c)
	}
	c := ChiSquare{Statistic: math.NaN(), DF: max(len(counts)-1, 0), P: math.NaN()}
	if total == 0 {
		return c
	}
	mean := total / n
	c.Statistic = 0
	for _, count := range counts {
		d := float64(count) - mean
		c.Statistic += d * d / mean
	}
	switch {
	case c.DF == 0:
		c.P = 1
	case total >= 10 && total*total >= 10*n:
		c.P = distuv.ChiSquared{K: float64(c.DF)}.Survival(c.Statistic)
	}
	return c
}
