package workload

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Multinomial draws how many of the given records each key gets if every record
// chooses a key independently, with the given weights: what counting the events
// would give, without the events. The time depends on the number of keys only.
// The counts add up to records, 0 to [MaxRecords].
//
// Weights are in any unit, zero or more, finite and not all zero. They need not
// be in order.
//
// The counts are a function of weights, records, seed and stream, whatever the
// number of processors; streams serve to draw several tables from one seed.
func Multinomial(weights []float64, records int64, seed, streamNumber uint64) ([]int64, error) {
	if err := checkWeights(weights, records); err != nil {
		return nil, err
	}
	// Blocks of keys share the records first, one after another; then each block
	// shares its own among its keys, with a random stream of its own. That is the
	// same distribution, and blocks can be drawn at the same time.
	blocks := blocksOf(len(weights))
	rest := make([]float64, blocks+1)
	blockWeights := make([]float64, blocks)
	parallel(blocks, func(b int) {
		start, end := blockBounds(b, len(weights))
		var rest [blockSize + 1]float64
		blockWeights[b] = suffixSums(rest[:end-start+1], weights[start:end])
	})
	suffixSums(rest, blockWeights)
	inBlock := make([]int64, blocks)
	share(inBlock, blockWeights, rest, records, stream(seed, streamNumber, 0))

	counts := make([]int64, len(weights))
	parallel(blocks, func(b int) {
		if inBlock[b] == 0 {
			return
		}
		start, end := blockBounds(b, len(weights))
		var buffer [blockSize + 1]float64
		rest := buffer[:end-start+1]
		suffixSums(rest, weights[start:end])
		share(counts[start:end], weights[start:end], rest, inBlock[b], stream(seed, streamNumber, uint64(b)+1))
	})
	return counts, nil
}

// suffixSums sets rest[i] to the sum of the weights from i on and returns the
// sum of all. What is left to share is summed up from the end instead of
// subtracted from the beginning: where weights fall steeply, subtraction would
// leave nothing but rounding errors for the last ones.
func suffixSums(rest, weights []float64) float64 {
	sum := 0.0
	rest[len(weights)] = 0
	for i := len(weights) - 1; i >= 0; i-- {
		sum += weights[i]
		rest[i] = sum
	}
	return sum
}

// share distributes the records among the weights: each gets a binomial part of
// what those before it left.
func share(counts []int64, weights, rest []float64, records int64, random rand.Source) {
	for i, w := range weights {
		if records == 0 {
			return
		}
		// Neither is a difference from 1, so that both keep their digits. The last
		// weight above zero has q = 0 and takes all.
		counts[i] = binomial(random, records, w/rest[i], rest[i+1]/rest[i])
		records -= counts[i]
	}
}

// Expected returns the counts closest to what each key is expected to have: each
// is its share of the records rounded down, or up for those with the largest
// remainders, until the sum is records (the method of Hamilton, or largest
// remainders). Among equal remainders earlier keys come first. Nothing is
// random; the arguments are those of [Multinomial].
func Expected(weights []float64, records int64) ([]int64, error) {
	if err := checkWeights(weights, records); err != nil {
		return nil, err
	}
	total := pairwiseSum(weights)
	counts := make([]int64, len(weights))
	remainders := make([]float64, len(weights))
	left := records
	for i, w := range weights {
		whole, remainder := math.Modf(w / total * float64(records))
		counts[i], remainders[i] = int64(whole), remainder
		left -= counts[i]
	}
	if left == 0 {
		return counts, nil
	}
	var order []int // of those that may get one more
	for i, w := range weights {
		if w > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(remainders[b], remainders[a]), cmp.Compare(a, b))
	})
	for at := 0; left > 0; at = (at + 1) % len(order) {
		counts[order[at]]++
		left--
	}
	// Near 2^53 records the products themselves are rounded, some of them up.
	for at := 0; left < 0; at = (at + 1) % len(order) {
		if i := order[len(order)-1-at]; counts[i] > 0 {
			counts[i]--
			left++
		}
	}
	return counts, nil
}

// checkWeights returns an error unless records can be shared by the weights.
func checkWeights(weights []float64, records int64) error {
	if records < 0 || records > MaxRecords {
		return fmt.Errorf("cannot share %d records: want 0 to %d", records, int64(MaxRecords))
	}
	sum := 0.0
	for i, w := range weights {
		if !(w >= 0) {
			return fmt.Errorf("weight %d is %g: want zero or more", i, w)
		}
		sum += w
	}
	switch {
	case sum == 0:
		return errors.New("there is no weight above zero")
	case math.IsInf(sum, 0):
		return errors.New("the weights add up to infinity: divide them all by the largest")
	}
	return nil
}
