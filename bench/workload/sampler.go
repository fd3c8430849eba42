package workload

import "math/rand/v2"

// A Sampler draws keys, one after another: independent, and each with its
// weight. The caller owns the randomness. Draws do not allocate, and a sampler
// that is only drawn from may be shared by goroutines.
//
// [Alias] takes any weights and is the faster one as long as its table stays in
// the cache; [ZipfSampler] needs no table.
type Sampler interface {
	// Draw returns the index of a key, its rank in order of weight from 0.
	Draw(random rand.Source) int

	// DrawBatch sets every element to a key, the same as Draw would one by one.
	DrawBatch(keys []int32, random rand.Source)
}

// stream returns the random stream of one piece of work. Pieces that differ in
// any of the three numbers have streams that are independent of each other, even
// where the numbers are neighbours.
func stream(seed, stream, index uint64) *rand.PCG {
	high := mix(mix(seed) + stream)
	return rand.NewPCG(high, mix(high+index))
}

// mix is the output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014),
// with its increment: a bijection that sends neighbours far apart.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// unit returns a number in [0, 1), a multiple of 2^−53.
func unit(random rand.Source) float64 { return float64(random.Uint64()>>11) * 0x1p-53 }
