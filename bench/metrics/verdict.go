package metrics

import (
	"fmt"
	"math"
	"strings"
)

// A Verdict is what is to be said of a balance, in one word.
type Verdict string

const (
	FewKeys Verdict = "few-keys" // too few distinct keys for any hash to be even
	HotKey  Verdict = "hot-key"  // one key makes the imbalance
	Uneven  Verdict = "uneven"   // a large imbalance, or a small one that is not chance
	Fair    Verdict = "fair"     // nothing to see
)

// The limits between verdicts.
const (
	FewKeysPerPartition = 10   // distinct keys per partition; fewer are few
	UnevenImbalance     = 1.2  // larger is uneven whatever its cause
	HotKeyExcess        = 0.5  // part of the excess that makes a key hot
	Significance        = 0.01 // p below it is not chance
)

// Figures are what a verdict is made of. Keys and records are those that are
// placed by key.
type Figures struct {
	Unit       string // what is loaded: partition, shard, node, subtask
	Partitions int
	Keys       int     // distinct
	Records    int64   // at least 1
	Imbalance  float64 // of records
	Idle       int     // partitions without records
	KeysMax    int     // most distinct keys on one partition

	TopRecords int64 // of the heaviest key of all

	// The heaviest key on the heaviest partition: its name as a reader should
	// see it, its records, and [ExcessShare].
	HotKey        string
	HotKeyRecords int64
	HotKeyExcess  float64

	PValue          float64 // of [KeyCounts]; NaN if undefined
	ImbalancePValue float64 // of [Weights.PlacementTest]; NaN if not tested
}

// ExcessShare returns how much of a partition's excess over the mean load is one
// key's doing: the part that would be gone if the key's records were spread over
// all n partitions,
//
//	key · (1 - 1/n) / (load - mean)
//
// It is above 1 if the partition's other keys are lighter than their fair share,
// and NaN if the partition has no excess.
func ExcessShare(key, load int64, mean float64, n int) float64 {
	if excess := float64(load) - mean; excess > 0 {
		return float64(key) * (1 - 1/float64(n)) / excess
	}
	return math.NaN()
}

// Judge returns the verdict, the first that applies:
//
//	few-keys  fewer than [FewKeysPerPartition] distinct keys per partition
//	hot-key   imbalance > [UnevenImbalance], and the heaviest key of the heaviest
//	          partition has at least [HotKeyExcess] of that partition's excess
//	uneven    imbalance > [UnevenImbalance], or one of the two p-values that
//	          exist is below [Significance]
//	fair      otherwise
//
// and the reason, one sentence of words and figures: the imbalance, the share of
// the top key, and whether chance does as much.
func (f Figures) Judge() (Verdict, string) {
	switch v := f.Verdict(); v {
	case FewKeys:
		return v, f.reason(f.share(f.hot()), f.fewKeys())
	case HotKey:
		return v, f.reason(f.share(true), f.floor())
	default:
		return v, f.reason(f.share(false), f.noise())
	}
}

// Verdict returns the verdict of [Figures.Judge] without its reason, which may
// take some milliseconds to find.
func (f Figures) Verdict() Verdict {
	chance := !(f.PValue < Significance) && !(f.ImbalancePValue < Significance)
	switch {
	case f.Keys < FewKeysPerPartition*f.Partitions:
		return FewKeys
	case f.hot():
		return HotKey
	case f.Imbalance > UnevenImbalance || !chance:
		return Uneven
	default:
		return Fair
	}
}

// hot reports whether one key makes the imbalance.
func (f Figures) hot() bool { return f.Imbalance > UnevenImbalance && f.HotKeyExcess >= HotKeyExcess }

// reason joins the parts of a sentence that are not empty.
func (f Figures) reason(parts ...string) string {
	var b strings.Builder
	b.WriteString("imbalance " + ratio(f.Imbalance))
	if f.Partitions == 1 {
		return b.String() + ": one " + f.Unit + " takes everything"
	}
	for _, part := range parts {
		if part != "" {
			b.WriteString("; " + part)
		}
	}
	return b.String()
}

// share tells of the heaviest key.
func (f Figures) share(hot bool) string {
	switch {
	case f.Keys == 1:
		return ""
	case !hot:
		return fmt.Sprintf("no key has more than %s of the records", percent(float64(f.TopRecords)/float64(f.Records)))
	}
	excess := "all of the excess"
	if f.HotKeyExcess < 1 {
		excess = percent(f.HotKeyExcess) + " of the excess"
	}
	return fmt.Sprintf("key %s alone has %s of the records, %s", f.HotKey, percent(float64(f.HotKeyRecords)/float64(f.Records)), excess)
}

// floor tells what no hash can mend: some partition has at least the heaviest key,
// which need not be the hot one. A key below the fair share is heavy only by the company it has, which may
// be chance.
func (f Figures) floor() string {
	floor := Floor(max(f.TopRecords, f.HotKeyRecords), f.Records, f.Partitions)
	if floor <= 1 {
		return f.noise()
	}
	return fmt.Sprintf("no hash of whole keys gets below %s", ratio(floor))
}

// fewKeys sets the occupancy beside the expected one.
func (f Figures) fewKeys() string {
	if f.Keys == 1 {
		return fmt.Sprintf("the only key can use one of %d %ss, %d stay idle", f.Partitions, f.Unit, f.Partitions-1)
	}
	occupancy := NewOccupancy(f.Keys, f.Partitions)
	usable := ""
	if f.Keys < f.Partitions {
		usable = fmt.Sprintf("can use at most %d of ", f.Keys)
	} else {
		usable = "on "
	}
	p := f.PValue
	if math.IsNaN(p) { // too sparse for chi-square, so the most crowded partition alone decides
		p = 1 - occupancy.AtMost(f.KeysMax-1)
	}
	return fmt.Sprintf("%d keys %s%d %ss: up to %d on one (expected %.1f) and %d idle (expected %.1f) is %s",
		f.Keys, usable, f.Partitions, f.Unit, f.KeysMax, occupancy.Mean(), f.Idle, ExpectedIdle(f.Keys, f.Partitions),
		judged(p, fmt.Sprintf("what %d random keys would do", f.Keys), fmt.Sprintf("more uneven than %d random keys would be", f.Keys)))
}

// noise tells whether chance does as much.
func (f Figures) noise() string {
	weights := judged(f.ImbalancePValue, fmt.Sprintf("random placement of these %d keys does as much", f.Keys), fmt.Sprintf("random placement of these %d keys rarely does as much", f.Keys))
	keys := judged(f.PValue, "the keys are spread as a fair hash spreads them", "the keys are spread less evenly than a fair hash spreads them")
	switch {
	case math.IsNaN(f.ImbalancePValue):
		return keys
	case f.PValue < Significance:
		return weights + "; " + keys
	default:
		return weights
	}
}

// JudgeLoads returns the verdict on records per partition of which no keys are
// known, its reason, and the warning that goes with it: few-keys for fewer than
// [FewKeysPerPartition] records per partition, since keys are not more than
// records; else uneven for an imbalance above [UnevenImbalance], else fair.
// [RecordCounts] gives the p in the reason. It does not change the verdict,
// because keys with many records make it small under any hash. There must be at
// least one record.
func JudgeLoads(unit string, loads []int64) (v Verdict, reason, warning string) {
	var records int64
	for _, l := range loads {
		records += l
	}
	imbalance := Imbalance(loads)
	if len(loads) == 1 {
		v, reason = Fair, Figures{Unit: unit, Partitions: 1, Imbalance: imbalance}.reason()
		if records < FewKeysPerPartition {
			v = FewKeys
		}
		return v, reason, loadsWarning
	}
	test := RecordCounts(loads)
	noun := "records"
	if records == 1 {
		noun = "record"
	}
	subject := fmt.Sprintf("imbalance %s; %d %s on %d %ss", ratio(imbalance), records, noun, len(loads), unit)
	switch {
	case records < FewKeysPerPartition*int64(len(loads)):
		v = FewKeys
		subject += ": too few to say"
		if !math.IsNaN(test.P) {
			subject += "; they are " + judged(test.P, "consistent with a fair hash", "more uneven than independent records make them")
		}
		return v, subject, loadsWarning
	case imbalance > UnevenImbalance:
		v = Uneven
	default:
		v = Fair
	}
	return v, subject + " are " + judged(test.P, "consistent with a fair hash", "more uneven than independent records would be, as keys with many records are under any hash"), loadsWarning
}

const loadsWarning = "no keys are known: p tests records as if they were independent, each with a key of its own; keys with many records make it too small"

// judged returns one of two statements with its p; nothing without p.
func judged(p float64, chance, significant string) string {
	switch {
	case math.IsNaN(p):
		return ""
	case p < Significance:
		return significant + ": " + pValue(p)
	default:
		return chance + ": " + pValue(p)
	}
}
