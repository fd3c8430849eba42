package bench

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/keyspread/keyspread/bench/metrics"
)

// ObservedSpread returns the spread of records that were counted per partition,
// of which no keys are known: partition 0 first, at least one partition, no count
// negative, their sum in the range of int64.
func ObservedSpread(records []int64) *Spread {
	r := &Spread{
		Client: "observed", Partitions: len(records), Unit: "partition", Basis: "measured",
		Load: make([]Load, len(records)), TopKeys: []TopKey{}, Undecided: []Undecided{}, Warnings: []string{},
	}
	for p, n := range records {
		r.Load[p] = Load{Partition: p, Records: n}
		r.Records += n
	}
	r.measure(records, make([]int64, len(records)))
	r.Judge()
	if r.Verdict != nil {
		_, _, warning := metrics.JudgeLoads(r.Unit, records)
		r.Warnings = append(r.Warnings, warning)
	}
	return r
}

// Judge sets the verdict and its reason from the other figures. Call it again
// after changing a figure, or the name of a key. The verdict of a compact spread
// stays.
func (r *Spread) Judge() {
	if r.Imbalance == nil {
		r.Verdict, r.Reason = nil, "no record is placed by its key"
		return
	}
	if r.Compact() {
		return
	}
	var verdict metrics.Verdict
	if r.HotKey == nil {
		records, _ := r.loads()
		verdict, r.Reason, _ = metrics.JudgeLoads(r.Unit, records)
	} else {
		records, keys := r.loads()
		verdict, r.Reason = r.figures(records, keys).Judge()
	}
	r.Verdict = &verdict
}

// measure sets the figures that follow from records and keys per partition alone.
func (r *Spread) measure(records, keys []int64) {
	r.Imbalance = finite(metrics.Imbalance(records))
	r.CeilingShare = finite(metrics.CeilingShare(records))
	r.CV = finite(metrics.CV(records))
	r.Gini = finite(metrics.Gini(records))
	r.Entropy = finite(metrics.Entropy(records))
	r.Idle = metrics.Idle(records)

	var test metrics.ChiSquare
	if r.Keys == 0 && r.Records > 0 {
		r.Counted, test = "records", metrics.RecordCounts(records)
	} else {
		r.Counted, test = "keys", metrics.KeyCounts(keys)
	}
	r.ChiSquared, r.PValue = finite(test.Statistic), finite(test.P)
}

// occupy sets the occupancy if there are few keys.
func (r *Spread) occupy(keys []int64) {
	placed, most := int(sum(keys)), int(slices.Max(keys))
	if placed == 0 || placed >= metrics.FewKeysPerPartition*r.Partitions {
		return
	}
	o := metrics.NewOccupancy(placed, r.Partitions)
	r.Occupancy = &Occupancy{
		KeysMax: most, KeysMaxExpected: o.Mean(), KeysMaxPValue: 1 - o.AtMost(most-1),
		IdleExpected: metrics.ExpectedIdle(placed, r.Partitions),
	}
}

// figures returns what a verdict is made of, beside the records and keys per
// partition; there must be a hot key.
func (r *Spread) figures(records, keys []int64) metrics.Figures {
	f := metrics.Figures{
		Unit: r.Unit, Partitions: r.Partitions, Imbalance: *r.Imbalance, Idle: r.Idle,
		Records: sum(records), Keys: int(sum(keys)), KeysMax: int(slices.Max(keys)),
		HotKey: r.HotKey.name(), HotKeyRecords: r.HotKey.Records, HotKeyExcess: orNaN(r.HotKey.ExcessShare),
		TopRecords: r.HotKey.Records,
		PValue:     orNaN(r.PValue), ImbalancePValue: orNaN(r.ImbalancePValue),
	}
	for _, k := range r.TopKeys { // the first that is placed by its bytes is the heaviest
		if k.Partition != nil {
			f.TopRecords = max(f.TopRecords, k.Records)
			break
		}
	}
	return f
}

// loads returns the records and keys of the partitions.
func (r *Spread) loads() (records, keys []int64) {
	records, keys = make([]int64, len(r.Load)), make([]int64, len(r.Load))
	for p, l := range r.Load {
		records[p], keys[p] = l.Records, int64(l.Keys)
	}
	return records, keys
}

// heaviest returns the partition with most records, the first of several.
func heaviest(records []int64) int { return slices.Index(records, slices.Max(records)) }

func sum(loads []int64) int64 {
	var all int64
	for _, load := range loads {
		all += load
	}
	return all
}

// nameRunes is how much of a long key a sentence shows.
const nameRunes = 64

// name returns the key as a sentence shows it.
func (k TopKey) name() string {
	switch {
	case k.Key == nil:
		return "null"
	case k.KeyHex != "":
		return shortened("0x" + k.KeyHex)
	case *k.Key == "" || *k.Key == "null" || strings.ContainsAny(*k.Key, " \t\""):
		return strconv.Quote(shortened(*k.Key))
	}
	return shortened(*k.Key)
}

func shortened(text string) string {
	if utf8.RuneCountInString(text) <= nameRunes {
		return text
	}
	return string([]rune(text)[:nameRunes]) + "…"
}

func orNaN(f *float64) float64 {
	if f == nil {
		return math.NaN()
	}
	return *f
}
