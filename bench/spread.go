package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/keyspread/keyspread/bench/metrics"
	"github.com/keyspread/keyspread/partition"
)

// TopKeys is how many of the heaviest keys a [Spread] lists.
const TopKeys = 10

// Limits of [Spreader.Spreads]. With more counts it is a sweep, in which less is
// told of each.
const (
	TestedCounts     = 16        // compared with random placements, a tenth of a second each
	ListedCounts     = 64        // with the loads of their partitions,
	ListedPartitions = 4_000_000 // of so many together
)

// A Spread is how one client spreads a key source over a number of partitions.
// It is modelled: the client's mapping applied to the keys, no broker asked; or,
// from [ObservedSpread], measured: loads that were counted, their keys unknown.
// Figures that do not exist are null.
type Spread struct {
	Input           string           `json:"input"`  // name of the key source, for whoever reads the result later
	Client          string           `json:"client"` // or observed
	Partitions      int              `json:"partitions"`
	Unit            string           `json:"unit"`            // what is loaded: partition, shard, node, subtask
	KeyEncoding     string           `json:"keyEncoding"`     // how key texts became bytes
	Basis           string           `json:"basis"`           // modelled or measured
	Records         int64            `json:"records"`         // all records of the source
	Keys            int              `json:"keys"`            // all distinct keys of the source, 0 if unknown
	Bytes           int64            `json:"bytes"`           // all bytes, 0 if the source does not say
	Imbalance       *float64         `json:"imbalance"`       // heaviest partition / mean, ≥ 1; null without load
	Verdict         *metrics.Verdict `json:"verdict"`         // few-keys, hot-key, uneven or fair; null without load
	Reason          string           `json:"reason"`          // of the verdict, one sentence
	Floor           *float64         `json:"floor"`           // the least imbalance that any hash of whole keys can have
	CeilingShare    *float64         `json:"ceilingShare"`    // mean / heaviest partition: the usable share of all partitions' capacity
	CV              *float64         `json:"cv"`              // of records per partition; null without load
	CVExpected      *float64         `json:"cvExpected"`      // what hashing these weights at random gives
	Gini            *float64         `json:"gini"`            // of records per partition, 0 = even
	Entropy         *float64         `json:"entropy"`         // of records per partition, 0…1 = even
	Idle            int              `json:"idle"`            // partitions without records
	ChiSquared      *float64         `json:"chiSquared"`      // partitions - 1 degrees of freedom
	PValue          *float64         `json:"pValue"`          // of chiSquared; null if too few are counted
	Counted         string           `json:"counted"`         // what chiSquared counts: keys, or records if keys are unknown
	ImbalancePValue *float64         `json:"imbalancePValue"` // of the placement test; null if not tested
	PlacementTest   *PlacementTest   `json:"placementTest"`   // how it was tested; null if not
	Occupancy       *Occupancy       `json:"occupancy"`       // null unless there are few keys
	HotKey          *HotKey          `json:"hotKey"`          // the heaviest key on the heaviest partition
	TopKeys         []TopKey         `json:"topKeys"`         // heaviest first; empty if the load is left out
	Load            []Load           `json:"load"`            // one entry a partition, or left out: see Compact
	Undecided       []Undecided      `json:"undecided"`       // records that the client does not place by key
	Warnings        []string         `json:"warnings"`
}

// A PlacementTest says how an imbalance was compared with random placements, so
// that the result can be had again.
type PlacementTest struct {
	Placements int    `json:"placements"` // how many were drawn
	Keys       int    `json:"keys"`       // how many were placed
	ExactKeys  int    `json:"exactKeys"`  // how many of these one by one, the heaviest
	RandomSeed uint64 `json:"randomSeed"`
}

// An Occupancy sets the distinct keys per partition beside what equal random keys
// would do.
type Occupancy struct {
	KeysMax         int     `json:"keysMax"`         // most keys on one partition
	KeysMaxExpected float64 `json:"keysMaxExpected"` // exact
	KeysMaxPValue   float64 `json:"keysMaxPValue"`   // P(keysMax or more), exact
	IdleExpected    float64 `json:"idleExpected"`    // partitions without keys, exact
}

// A HotKey is the heaviest key on the heaviest partition.
type HotKey struct {
	TopKey
	ExcessShare *float64 `json:"excessShare"` // its part of the partition's excess over the mean; null without excess
}

// A TopKey is one of the heaviest keys.
type TopKey struct {
	partition.KeyText
	Records   int64   `json:"records"`
	Share     float64 `json:"share"`     // of all records of the source
	Partition *int    `json:"partition"` // null if the client does not decide from the key
}

// A Load is what one partition receives.
type Load struct {
	Partition int   `json:"partition"`
	Records   int64 `json:"records"`
	Keys      int   `json:"keys"`
	Bytes     int64 `json:"bytes"`
}

// An Undecided is the part of a source that the client places without looking
// at the key, or not at all. It is in no partition's load.
type Undecided struct {
	Rule    string `json:"rule"` // what the client does instead: sticky, random, …
	Records int64  `json:"records"`
	Keys    int    `json:"keys"`
}

// A Spreader holds the keys of a source hashed under one client, so that any
// number of partition counts costs one pass of hashing.
type Spreader struct {
	keys       *partition.KeyTable
	encoding   partition.KeyEncoding
	digests    *partition.Digests
	placements []partition.Placement
	top        []int            // heaviest keys first
	weights    *metrics.Weights // of the keys that the client places, nil before the first result
	undecided  []Undecided      // the other keys
	heaviest   []int            // the heaviest keys that the client places, first the heaviest; nil before a sweep
}

// NewSpreader hashes the keys under the client. The keys were read with the
// given encoding, which decides how they are shown and what clients hash that
// see an object instead of bytes.
func NewSpreader(keys *partition.KeyTable, client *partition.Client, encoding partition.KeyEncoding) *Spreader {
	return &Spreader{
		keys:       keys,
		encoding:   encoding,
		digests:    partition.NewDigests(keys, client.ForEncoding(encoding)),
		placements: make([]partition.Placement, keys.Len()),
		top:        heaviestKeys(keys, TopKeys),
	}
}

// Spreads returns the spread at every count, in the order given. Up to
// [TestedCounts] of them are also tested against random placements, drawn from
// the random seed; with more, [Spread.ImbalancePValue] is nil. More than
// [ListedCounts], or counts of more than [ListedPartitions] together, are left to
// [Spreader.Sweep]. The error is that of the context, which is looked at between
// counts.
func (s *Spreader) Spreads(ctx context.Context, counts []int, seed uint64) ([]*Spread, error) {
	partitions := 0
	for _, n := range counts {
		partitions += n
	}
	if len(counts) > ListedCounts || partitions > ListedPartitions {
		return s.Sweep(ctx, counts)
	}
	results := make([]*Spread, 0, len(counts))
	for _, n := range counts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := s.Spread(n)
		if len(counts) <= TestedCounts {
			s.Test(r, seed)
		}
		results = append(results, r)
	}
	return results, nil
}

// Spread places every key among n partitions, 1 to [partition.MaxPartitions],
// and sums up, without the placement test (see [Spreader.Test]). It needs memory
// for n loads; a Spreader is not for concurrent use.
func (s *Spreader) Spread(n int) *Spread {
	s.weigh()
	s.digests.Place(s.placements, n)
	result := s.blank(n)
	result.Load = make([]Load, n)
	heaviestOf := make([]int32, n) // 1 + index of the heaviest key
	for i, placement := range s.placements {
		p, ok := placement.Partition()
		if !ok {
			continue
		}
		records := s.keys.Records(i)
		l := &result.Load[p]
		l.Records += records
		l.Bytes += s.keys.Bytes(i)
		l.Keys++
		if h := heaviestOf[p]; h == 0 || records > s.keys.Records(int(h-1)) {
			heaviestOf[p] = int32(i + 1)
		}
	}
	for p := range result.Load {
		result.Load[p].Partition = p
	}

	records, keys := result.loads()
	s.measure(result, records, keys)
	result.occupy(keys)
	for _, i := range s.top {
		result.TopKeys = append(result.TopKeys, s.topKey(i, n))
	}
	if result.Imbalance != nil {
		p := heaviest(records)
		result.HotKey = s.hotKey(int(heaviestOf[p]-1), n, records[p])
	}
	result.Judge()
	return result
}

// weigh takes from the keys what is the same at any partition count.
func (s *Spreader) weigh() {
	if s.weights != nil {
		return
	}
	s.weights = &metrics.Weights{}
	undecided := map[partition.Rule]Undecided{}
	for i := range s.keys.Len() {
		rule, records := s.digests.Rule(i), s.keys.Records(i)
		if rule.Decides() {
			s.weights.Add(records)
			continue
		}
		u := undecided[rule]
		u.Records += records
		u.Keys++
		undecided[rule] = u
	}
	s.undecided = sorted(undecided)
}

// blank returns a spread over n partitions without figures.
func (s *Spreader) blank(n int) *Spread {
	client := s.digests.Client()
	records, bytes := s.keys.Total()
	return &Spread{
		Client: client.Name, Partitions: n, Unit: client.Unit,
		KeyEncoding: s.encoding.String(), Basis: "modelled",
		Records: records, Keys: s.keys.Len(), Bytes: bytes,
		TopKeys: []TopKey{}, Load: []Load{},
		Undecided: slices.Clone(s.undecided), Warnings: warnings(client, s.undecided),
	}
}

// measure sets the figures that follow from loads and the weights of keys.
func (s *Spreader) measure(r *Spread, records, keys []int64) {
	r.measure(records, keys)
	r.CVExpected = finite(metrics.ExpectedCV(r.Partitions, s.weights.S2()))
	r.Floor = finite(metrics.Floor(s.weights.Heaviest(), s.weights.Records(), r.Partitions))
}

// Test compares a spread of this Spreader with random placements of the same
// keys, see [metrics.Weights.PlacementTest], and judges it again. The result is
// determined by the random seed. Nothing happens to a spread without load, a compact
// one, or one of more than [metrics.PlacementPartitionsMax] partitions.
func (s *Spreader) Test(r *Spread, seed uint64) {
	if r.Imbalance == nil || r.Compact() {
		return
	}
	records, _ := r.loads()
	r.ImbalancePValue = finite(s.weights.PlacementTest(r.Partitions, slices.Max(records), seed))
	if r.ImbalancePValue == nil {
		return
	}
	r.PlacementTest = &PlacementTest{
		Placements: metrics.Placements, Keys: s.weights.Keys(),
		ExactKeys: min(s.weights.Keys(), metrics.PlacementKeys), RandomSeed: seed,
	}
	r.Judge()
}

// hotKey describes key i, the heaviest of a partition with so many records.
func (s *Spreader) hotKey(i, n int, load int64) *HotKey {
	mean := float64(s.weights.Records()) / float64(n)
	return &HotKey{
		TopKey:      s.topKey(i, n),
		ExcessShare: finite(metrics.ExcessShare(s.keys.Records(i), load, mean, n)),
	}
}

// topKey describes key i as it is placed among n partitions.
func (s *Spreader) topKey(i, n int) TopKey {
	k := TopKey{KeyText: partition.NewKeyText(s.keys.Key(i), s.encoding), Records: s.keys.Records(i)}
	if total, _ := s.keys.Total(); total > 0 {
		k.Share = float64(k.Records) / float64(total)
	}
	if p, ok := s.digests.PlaceKey(i, n).Partition(); ok {
		k.Partition = &p
	}
	return k
}

// heaviestKeys returns the indexes of the n keys with most records, heaviest
// first; among equals the one seen first.
func heaviestKeys(keys *partition.KeyTable, n int) []int {
	heavier := func(a, b int) int {
		return cmp.Or(cmp.Compare(keys.Records(b), keys.Records(a)), cmp.Compare(a, b))
	}
	var top []int // sorted as far as it was cut
	for i := range keys.Len() {
		if len(top) >= n && keys.Records(i) <= keys.Records(top[n-1]) {
			continue
		}
		if top = append(top, i); len(top) == 2*n {
			slices.SortFunc(top, heavier)
			top = top[:n]
		}
	}
	slices.SortFunc(top, heavier)
	return top[:min(n, len(top))]
}

func sorted(undecided map[partition.Rule]Undecided) []Undecided {
	list := make([]Undecided, 0, len(undecided))
	for rule := range partition.Refused + 1 {
		if u, ok := undecided[rule]; ok {
			u.Rule = rule.String()
			list = append(list, u)
		}
	}
	return list
}

func warnings(client *partition.Client, undecided []Undecided) []string {
	list := []string{}
	if client.IgnoresKey() {
		return append(list, fmt.Sprintf("%s ignores the key (%s): no record is placed by its key and the order of a key's records is not kept", client.Name, client.Keyed))
	}
	for _, u := range undecided {
		if u.Rule == partition.Refused.String() {
			list = append(list, fmt.Sprintf("%d keys with %d records cannot be keys of %s and are left out of the loads", u.Keys, u.Records, client.Name))
		} else {
			list = append(list, fmt.Sprintf("%d records have a null or empty key, which %s does not place by key (%s): they are left out of the loads", u.Records, client.Name, u.Rule))
		}
	}
	return list
}

// finite returns nil for NaN, which JSON cannot hold.
func finite(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}
