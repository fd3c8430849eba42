package metrics

import (
	"math"
	"slices"
)

// Gini returns the Gini coefficient of the loads, in [0, 1 - 1/n]: 0 if all are
// equal, 1 - 1/n if one partition has everything. It is exact, from the sorted
// loads:
//
//	G = ΣΣ |x_i - x_j| / (2 n Σx) = Σ_i (2i - n - 1) x_(i) / (n Σx)      i = 1…n, ascending
//
// The second sum is taken in pairs from both ends, whose terms are all positive,
// so that nothing cancels. One partition gives 0, no load NaN.
func Gini(loads []int64) float64 {
	sorted := slices.Sorted(slices.Values(loads))
	n := len(sorted)
	var total, sum float64
	for _, l := range sorted {
		total += float64(l)
	}
	for i := range n / 2 {
		sum += float64(n-1-2*i) * float64(sorted[n-1-i]-sorted[i])
	}
	return sum / (float64(n) * total)
}

// Entropy returns the entropy of the loads' shares q as a part of the largest
// possible one, in [0, 1]:
//
//	H = -Σ q ln q / ln n
//
// 1 is even, 0 is everything on one of several partitions; a single partition
// counts as even. It is NaN if there is no load.
func Entropy(loads []int64) float64 {
	var total float64
	for _, l := range loads {
		total += float64(l)
	}
	switch {
	case total == 0:
		return math.NaN()
	case len(loads) == 1:
		return 1
	}
	var h float64
	for _, l := range loads {
		if l > 0 {
			q := float64(l) / total
			h -= q * math.Log(q)
		}
	}
	return min(max(h/math.Log(float64(len(loads))), 0), 1)
}
