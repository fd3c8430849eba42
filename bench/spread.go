package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/keyspread/keyspread/bench/metrics"
	"github.com/keyspread/keyspread/partition"
)

// TopKeys is how many of the heaviest keys a [Spread] lists.
const TopKeys = 10

// A Spread is how one client spreads a key source over a number of partitions.
// It is modelled: the client's mapping applied to the keys, no broker asked.
type Spread struct {
	Client      string      `json:"client"`
	Partitions  int         `json:"partitions"`
	Unit        string      `json:"unit"`        // what is loaded: partition, shard, node, subtask
	KeyEncoding string      `json:"keyEncoding"` // how key texts became bytes
	Basis       string      `json:"basis"`       // modelled
	Records     int64       `json:"records"`     // all records of the source
	Keys        int         `json:"keys"`        // all distinct keys of the source
	Bytes       int64       `json:"bytes"`       // all bytes, 0 if the source does not say
	Imbalance   *float64    `json:"imbalance"`   // heaviest partition / mean, ≥ 1; null without load
	CV          *float64    `json:"cv"`          // of records per partition; null without load
	CVExpected  *float64    `json:"cvExpected"`  // what hashing these weights at random gives
	Idle        int         `json:"idle"`        // partitions without records
	TopKeys     []TopKey    `json:"topKeys"`     // heaviest first
	Load        []Load      `json:"load"`        // one entry a partition
	Undecided   []Undecided `json:"undecided"`   // records that the client does not place by key
	Warnings    []string    `json:"warnings"`
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
	top        []int // heaviest keys first
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
		top:        heaviest(keys, TopKeys),
	}
}

// Spread places every key among n partitions, 1 to [partition.MaxPartitions],
// and sums up. It needs memory for n loads; a Spreader is not for concurrent
// use.
func (s *Spreader) Spread(n int) *Spread {
	s.digests.Place(s.placements, n)
	client := s.digests.Client()
	records, bytes := s.keys.Total()
	result := &Spread{
		Client: client.Name, Partitions: n, Unit: client.Unit,
		KeyEncoding: s.encoding.String(), Basis: "modelled",
		Records: records, Keys: s.keys.Len(), Bytes: bytes,
		Load: make([]Load, n),
	}

	var weights metrics.Concentration
	undecided := map[partition.Rule]Undecided{}
	for i, placement := range s.placements {
		p, ok := placement.Partition()
		if !ok {
			u := undecided[placement.Rule()]
			u.Records += s.keys.Records(i)
			u.Keys++
			undecided[placement.Rule()] = u
			continue
		}
		l := &result.Load[p]
		l.Records += s.keys.Records(i)
		l.Bytes += s.keys.Bytes(i)
		l.Keys++
		weights.Add(s.keys.Records(i))
	}

	loads := make([]int64, n)
	for p := range result.Load {
		result.Load[p].Partition = p
		loads[p] = result.Load[p].Records
	}
	result.Imbalance = finite(metrics.Imbalance(loads))
	result.CV = finite(metrics.CV(loads))
	result.CVExpected = finite(metrics.ExpectedCV(n, weights.S2()))
	result.Idle = metrics.Idle(loads)
	result.TopKeys = s.topKeys()
	result.Undecided = sorted(undecided)
	result.Warnings = warnings(client, result.Undecided)
	return result
}

// topKeys describes the heaviest keys as they are placed now.
func (s *Spreader) topKeys() []TopKey {
	total, _ := s.keys.Total()
	list := make([]TopKey, 0, len(s.top))
	for _, i := range s.top {
		k := TopKey{KeyText: partition.NewKeyText(s.keys.Key(i), s.encoding), Records: s.keys.Records(i)}
		if total > 0 {
			k.Share = float64(k.Records) / float64(total)
		}
		if p, ok := s.placements[i].Partition(); ok {
			k.Partition = &p
		}
		list = append(list, k)
	}
	return list
}

// heaviest returns the indexes of the n keys with most records, heaviest first;
// among equals the one seen first.
func heaviest(keys *partition.KeyTable, n int) []int {
	heavier := func(a, b int) int {
		return cmp.Or(cmp.Compare(keys.Records(b), keys.Records(a)), cmp.Compare(a, b))
	}
	var top []int
	for i := range keys.Len() {
		if len(top) == n {
			if heavier(top[n-1], i) < 0 {
				continue
			}
			top = top[:n-1]
		}
		at, _ := slices.BinarySearchFunc(top, i, heavier)
		top = slices.Insert(top, at, i)
	}
	return top
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
