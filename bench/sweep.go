package bench

import (
	"context"

	"github.com/keyspread/keyspread/partition"
)

// sweepHeaviest is how many of the heaviest keys are searched for the heaviest
// one of a partition before all keys are. Among n partitions some n keys must be
// looked at.
const sweepHeaviest = 1 << 16

// Sweep returns a compact spread at every count, in the order given, in a time
// that makes a thousand counts usual: see [partition.Digests.Sweep]. A compact
// spread is that of [Spreader.Spread] without what tells of single partitions (the
// load and the top keys) and without what takes long to compute (the occupancy and
// the reason of the verdict). The verdict is the same; it knows no placement test.
//
// A result takes about a kilobyte. The error is that of the context.
func (s *Spreader) Sweep(ctx context.Context, counts []int) ([]*Spread, error) {
	s.weigh()
	swept := make(map[int]*Spread, len(counts))
	err := s.digests.Sweep(ctx, s.keys, counts, func(h partition.Histogram) {
		swept[h.Partitions] = s.compact(h)
	})
	if err != nil {
		return nil, err
	}
	results := make([]*Spread, len(counts))
	for i, n := range counts {
		results[i] = swept[n]
	}
	return results, nil
}

// Compact reports whether the spread is one of a sweep, of which loads, top keys,
// reason and occupancy are left out.
func (r *Spread) Compact() bool { return len(r.Load) == 0 }

// compact returns the compact spread of a histogram.
func (s *Spreader) compact(h partition.Histogram) *Spread {
	r := s.blank(h.Partitions)
	s.measure(r, h.Records, h.Keys)
	if r.Imbalance == nil {
		r.Judge()
		return r
	}
	p := heaviest(h.Records)
	r.HotKey = s.hotKey(s.heaviestKey(p, h.Partitions), h.Partitions, h.Records[p])
	verdict := r.figures(h.Records, h.Keys).Verdict()
	r.Verdict = &verdict
	return r
}

// heaviestKey returns the heaviest key in partition p of n, which has one; among
// equals the one seen first.
func (s *Spreader) heaviestKey(p, n int) int {
	if s.heaviest == nil {
		s.heaviest = heaviestKeys(s.keys, sweepHeaviest)
	}
	for _, i := range s.heaviest {
		if at, ok := s.digests.PlaceKey(i, n).Partition(); ok && at == p {
			return i
		}
	}
	heaviest := -1
	for i := range s.keys.Len() {
		if heaviest >= 0 && s.keys.Records(i) <= s.keys.Records(heaviest) {
			continue
		}
		if at, ok := s.digests.PlaceKey(i, n).Partition(); ok && at == p {
			heaviest = i
		}
	}
	return heaviest
}
