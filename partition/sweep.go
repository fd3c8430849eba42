package partition

import (
	"context"
	"math/bits"
	"slices"
)

// A Histogram is what each of a number of partitions receives.
type Histogram struct {
	Partitions int
	Records    []int64 // of partition 0, 1, …
	Keys       []int64 // how many distinct keys
}

// Limits of a sweep. The first two follow from measurements: with more bins in a
// histogram, or fewer keys in a block, the processor waits for memory.
const (
	sweepBins  = 1 << 14 // of a histogram for several counts: 128 KiB
	sweepBlock = 1 << 16 // keys that are counted in one histogram after another: 768 KiB
	sweepBatch = 1 << 21 // bins that are held at a time, unless one histogram has more
)

// Sweep calls yield with the histogram of the table at every count, each once, in
// no particular order; counts are 1 to [MaxPartitions]. The digests must be those
// of the table. Keys that the client does not place by their bytes are in no
// histogram. The histogram is yield's only until it returns.
//
// The result is that of [Digests.Place] at every count. Where the partition is a
// remainder (see [Reduction.Dividend]) it is had faster: since h mod n =
// (h mod L) mod n for every n that divides L, the keys are counted by remainder at
// few common multiples L, and these histograms folded. Each key takes about a
// nanosecond for each multiple, of which 1…1000 have 262. Up to 2^21 bins are held
// at a time, or as many as the largest count has partitions, of 8 bytes, or 16
// where totals are very large.
//
// The error is that of the context, which is looked at often enough to stop within
// a tenth of a second.
func (d *Digests) Sweep(ctx context.Context, t *KeyTable, counts []int, yield func(Histogram)) error {
	for _, n := range counts {
		checkCount(n)
	}
	if d.Len() != t.Len() {
		panic("the digests are those of another table")
	}
	if d.narrow == nil || d.client.Reduction.Dividend == nil {
		return d.sweepSlowly(ctx, t, counts, yield)
	}
	s := newSweep(d, t)
	multiples := commonMultiples(counts, max(1, min(sweepBins, d.Len())))
	slices.SortStableFunc(multiples, func(a, b multiple) int { return a.bins - b.bins })
	for len(multiples) > 0 {
		batch, bins := 0, 0
		for batch == 0 || batch < len(multiples) && bins+multiples[batch].bins <= sweepBatch {
			bins += multiples[batch].bins
			batch++
		}
		if err := s.run(ctx, multiples[:batch], yield); err != nil {
			return err
		}
		multiples = multiples[batch:]
	}
	return nil
}

// sweepSlowly places every key at every count.
func (d *Digests) sweepSlowly(ctx context.Context, t *KeyTable, counts []int, yield func(Histogram)) error {
	placements := make([]Placement, d.Len())
	for _, n := range slices.Compact(slices.Sorted(slices.Values(counts))) {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.Place(placements, n)
		h := Histogram{n, make([]int64, n), make([]int64, n)}
		for i, placement := range placements {
			if p, ok := placement.Partition(); ok {
				h.Records[p] += t.records[i]
				h.Keys[p]++
			}
		}
		yield(h)
	}
	return nil
}

// A sweep counts the keys of a table by remainder.
type sweep struct {
	digests *Digests
	table   *KeyTable

	// A bin is one word with the number of keys in its low bits and the records
	// above, as long as both totals fit; else records and keys are apart. Zero
	// means apart.
	keyBits int

	zero struct{ records, keys int64 } // of keys that are always in partition 0

	dividends []uint32 // of the block's keys
	weights   []uint64 // what each key adds to its bin
	ones      []uint64 // what each adds to a bin of keys; nil if they are not apart
}

func newSweep(d *Digests, t *KeyTable) *sweep {
	s := &sweep{digests: d, table: t}
	var records int64
	keys := 0
	for i, r := range t.records {
		switch {
		case d.hashes(i):
			records += r
			keys++
		case d.rules[i] == PartitionZero:
			s.zero.records += r
			s.zero.keys++
		}
	}
	block := min(sweepBlock, d.Len())
	s.dividends, s.weights = make([]uint32, 0, block), make([]uint64, 0, block)
	if keyBits := bits.Len(uint(keys)); keyBits+bits.Len64(uint64(records)) <= 64 {
		s.keyBits = keyBits
	}
	if s.keyBits == 0 {
		s.ones = slices.Repeat([]uint64{1}, block)
	}
	return s
}

// A tally is a histogram of remainders.
type tally struct {
	divisor
	bins []uint64 // as in sweep.keyBits
	keys []uint64 // nil if they are not apart
}

// run yields the histograms of the counts of the multiples.
func (s *sweep) run(ctx context.Context, multiples []multiple, yield func(Histogram)) error {
	tallies := make([]tally, len(multiples))
	for i, m := range multiples {
		tallies[i] = tally{divisor: newDivisor(m.bins), bins: make([]uint64, m.bins)}
		if s.ones != nil {
			tallies[i].keys = make([]uint64, m.bins)
		}
	}
	for from := 0; from < s.digests.Len(); from += sweepBlock {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.load(from, min(from+sweepBlock, s.digests.Len()))
		for i := 0; i < len(tallies); i += 2 {
			a, b := tallies[i], tallies[min(i+1, len(tallies)-1)]
			if i+1 == len(tallies) {
				b = tally{divisor: newDivisor(1), bins: make([]uint64, 1), keys: make([]uint64, 1)} // to no purpose
			}
			count(a.divisor, b.divisor, a.bins, b.bins, s.dividends, s.weights)
			if s.ones != nil {
				count(a.divisor, b.divisor, a.keys, b.keys, s.dividends, s.ones)
			}
		}
	}
	for i, m := range multiples {
		for _, n := range m.counts {
			if err := ctx.Err(); err != nil {
				return err
			}
			yield(s.histogram(tallies[i], n))
		}
	}
	return nil
}

// load makes keys from…to-1 the current block.
func (s *sweep) load(from, to int) {
	s.dividends, s.weights = s.dividends[:0], s.weights[:0]
	dividend := s.digests.client.Reduction.Dividend
	for i := from; i < to; i++ {
		if !s.digests.hashes(i) {
			continue
		}
		s.dividends = append(s.dividends, dividend(s.digests.narrow[i]))
		weight := uint64(s.table.records[i])
		if s.ones == nil {
			weight = weight<<s.keyBits | 1
		}
		s.weights = append(s.weights, weight)
	}
}

// count adds the weight of each key to the bin of its remainder by a, and to that
// by b. Two at a time take less than twice the time of one.
func count(a, b divisor, binsOfA, binsOfB []uint64, dividends []uint32, weights []uint64) {
	binsOfA, binsOfB = binsOfA[:a.n], binsOfB[:b.n]
	weights = weights[:len(dividends)]
	for i, x := range dividends {
		weight := weights[i]
		binsOfA[a.remainder(x)] += weight
		binsOfB[b.remainder(x)] += weight
	}
}

// histogram folds a tally to n partitions.
func (s *sweep) histogram(t tally, n int) Histogram {
	h := Histogram{n, make([]int64, n), make([]int64, n)}
	bins := folded(t.bins, n)
	switch {
	case t.keys == nil:
		for p, bin := range bins {
			h.Records[p] = int64(bin >> s.keyBits)
			h.Keys[p] = int64(bin & (1<<s.keyBits - 1))
		}
	default:
		keys := folded(t.keys, n)
		for p := range n {
			h.Records[p], h.Keys[p] = int64(bins[p]), int64(keys[p])
		}
	}
	h.Records[0] += s.zero.records
	h.Keys[0] += s.zero.keys
	return h
}

// folded returns the sums of the bins whose indexes have the same remainder by n,
// which divides their number.
func folded(bins []uint64, n int) []uint64 {
	sums := slices.Clone(bins[:n])
	for from := n; from < len(bins); from += n {
		part := bins[from : from+n]
		for i := range sums {
			sums[i] += part[i]
		}
	}
	return sums
}
