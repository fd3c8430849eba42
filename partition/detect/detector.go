package detect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/keyspread/keyspread/partition"
	"github.com/twmb/murmur3"
)

// Alpha bounds the probability that a [Detector] names a client for keys
// that no client placed.
const Alpha = 0.001

const (
	maxKeys      = 1 << 20 // distinct keys that are scored; of more, a sample is
	maxSightings = 16      // partitions remembered of one key; a key seen on more says nothing
	maxSplitKeys = 10      // keys listed in Detection.Several
)

// A Detector finds out which clients wrote a topic, from samples of keys and
// the partitions they were read from. Its memory grows with the number of
// distinct keys, up to about a million of them. Make one with [New],
// call [Detector.Add] for every sample and then [Detector.Verdict]; the order
// of the samples does not matter.
type Detector struct {
	clients   []*partition.Client
	encodings []partition.KeyEncoding
	counts    []int

	anyEncoding bool // none was given

	samples, nullSamples, emptySamples int

	highest     int     // highest partition seen, -1 before the first sample
	null, empty []int32 // partitions of the null and of the empty key, ascending

	// Distinct keys, without the null and the empty key. Few keys are seen on
	// several partitions, so that seen holds a partition or, below zero, the
	// place in several.
	index    map[string]int32
	keys     []string
	seen     []int32
	repeated []bool    // more than one sample
	several  [][]int32 // partitions, ascending; nil if there are more than maxSightings

	// Of more than maxKeys keys those are kept whose token ends in this
	// many zero bits. Which ones stay depends on the set of keys only.
	level uint
}

// New returns a detector that compares samples with what clients do to
// keys in encodings, on a topic with one of the partition counts. Without
// clients it takes every preset for Kafka; clients that ignore keys are skipped.
// Without encodings it takes Raw, and others if that explains nothing. Without
// counts it finds the partition count, too. New panics if a count is not in 1…[partition.MaxPartitions].
func New(clients []*partition.Client, encodings []partition.KeyEncoding, counts []int) *Detector {
	for _, n := range counts {
		if err := partition.CheckCount(n); err != nil {
			panic(err)
		}
	}
	if len(clients) == 0 {
		clients = slices.DeleteFunc(partition.Clients(), func(c *partition.Client) bool { return c.System != "Kafka" })
	}
	anyEncoding := len(encodings) == 0
	if anyEncoding {
		encodings = []partition.KeyEncoding{partition.Raw}
	}
	return &Detector{
		clients:   slices.DeleteFunc(unique(clients), (*partition.Client).IgnoresKey),
		encodings: unique(encodings),

		anyEncoding: anyEncoding,
		counts:      unique(counts),
		highest:     -1,
		index:       make(map[string]int32),
	}
}

// Add takes one record: the text of its key, which null says is absent, and the
// partition at that it was read from. The error says that at is no partition.
func (d *Detector) Add(text string, null bool, at int) error {
	if at < 0 || at >= partition.MaxPartitions {
		return fmt.Errorf("partition %d is out of range: want 0 to %d", at, partition.MaxPartitions-1)
	}
	d.samples++
	d.highest = max(d.highest, at)
	switch p := int32(at); {
	case null:
		d.nullSamples++
		d.null = insert(d.null, p)
	case text == "":
		d.emptySamples++
		d.empty = insert(d.empty, p)
	default:
		d.addKey(text, p)
	}
	return nil
}

func (d *Detector) addKey(text string, p int32) {
	if d.level > 0 && !d.sampled(text) {
		return
	}
	if i, ok := d.index[text]; ok {
		d.repeated[i] = true
		d.see(i, p)
		return
	}
	text = strings.Clone(text) // the caller's may be part of a larger line
	d.index[text] = int32(len(d.keys))
	d.keys = append(d.keys, text)
	d.seen = append(d.seen, p)
	d.repeated = append(d.repeated, false)
	for len(d.keys) > maxKeys {
		d.thin()
	}
}

// see records that key i was also seen on partition p.
func (d *Detector) see(i, p int32) {
	switch at := d.seen[i]; {
	case at == p:
	case at >= 0:
		d.seen[i] = ^int32(len(d.several))
		d.several = append(d.several, []int32{min(at, p), max(at, p)})
	case d.several[^at] != nil:
		more := insert(d.several[^at], p)
		if len(more) > maxSightings {
			more = nil
		}
		d.several[^at] = more
	}
}

// sampled reports whether a key belongs to the sample at the present level. The
// token is a hash that no Kafka client uses, so that the choice has nothing to
// do with the partition.
func (d *Detector) sampled(text string) bool {
	return token(text)&(1<<d.level-1) == 0
}

func token(text string) uint64 { return murmur3.StringSum64(text) }

// thin raises the level, which drops about half of the keys.
func (d *Detector) thin() {
	old := *d
	d.level++
	d.index, d.keys, d.seen, d.repeated, d.several = make(map[string]int32), nil, nil, nil, nil
	for i, text := range old.keys {
		if !d.sampled(text) {
			continue
		}
		at := old.seen[i]
		if at < 0 {
			d.several = append(d.several, old.several[^at])
			at = ^int32(len(d.several) - 1)
		}
		d.index[text] = int32(len(d.keys))
		d.keys = append(d.keys, text)
		d.seen = append(d.seen, at)
		d.repeated = append(d.repeated, old.repeated[i])
	}
}

// sightings appends to dst the partitions on which key i was seen, none if they
// are too many to say anything.
func (d *Detector) sightings(dst []int32, i int) []int32 {
	if at := d.seen[i]; at < 0 {
		return append(dst, d.several[^at]...)
	}
	return append(dst, d.seen[i])
}

// A Detection is what a [Detector] found out.
type Detection struct {
	Finding    Finding
	Conclusion string   // the finding in words
	Warnings   []string // what limits it

	Samples      int // records seen
	NullSamples  int // of them without a key: left out, clients place them by other rules
	EmptySamples int // of them with an empty key: left out for the same reason
	Keys         int // other distinct keys, those of the sample if there is one
	Sampled      int // 1 if all distinct keys were scored, else 1 of so many was: 2, 4, 8, …
	Pairs        int // distinct pairs of a key and a partition it was seen on
	Unexplained  int // pairs that none of the Writers accounts for
	Partitions   int // largest partition count among the Writers; without any, that of the best score

	// Scores holds every hypothesis that was compared with all keys, best first
	// by likelihood: those for the given partition counts and the Writers. Of
	// many only the first are kept.
	Scores []Score

	// Writers explain the samples together. There is none if no client does,
	// one unless several wrote to the topic, and at most three.
	Writers []Writer

	SeveralKeys int        // keys seen on more than one partition
	Several     []SplitKey // the first of them, most partitions first
}

// A Finding classifies a [Detection].
type Finding uint8

const (
	NoKeys          Finding = iota // there is no key to judge by
	NoMatch                        // no client's mapping explains the keys
	Ambiguous                      // several do equally well, or there are too few keys to tell from chance
	OneWriter                      // one mapping explains 99 % of the pairs or more
	SeveralWriters                 // two or three mappings explain the keys
	PartlyExplained                // one mapping explains more than chance does, but not all
)

var findingNames = [...]string{"no keys", "no match", "ambiguous", "one writer", "several writers", "partly explained"}

// String returns the finding in words.
func (f Finding) String() string {
	if int(f) < len(findingNames) {
		return findingNames[f]
	}
	return fmt.Sprintf("Finding(%d)", uint8(f))
}

// A Score says how well one hypothesis explains the keys. Every distinct key
// counts once, however many records it has.
type Score struct {
	Clients     []string // names of the clients that agree on every key; defaults of libraries first
	Mappings    []string // their hashes and reductions, as in "murmur2, mask"; several if these keys cannot tell
	Encoding    partition.KeyEncoding
	Partitions  int
	Description string  // all of that in words, long lists of clients cut short
	Match       int     // keys seen on the predicted partition, perhaps among others
	Keys        int     // keys that the hypothesis predicts
	Undecided   int     // other keys: no value of the encoding, or refused by the client
	Share       float64 // Match / Keys, 0 without keys
	Chance      float64 // Share to expect of a mapping that has nothing to do with these keys
	Log10P      float64 // decimal logarithm of the probability that such a mapping has Match or more
	Significant bool    // improbable by chance even as the best of all hypotheses; of a second or third writer, in what the others leave
}

// A Writer is one of the explanations of a [Detection].
type Writer struct {
	Score          // over all keys, not only those of this writer
	Weight float64 // estimated share of the pairs that this writer wrote
}

// A SplitKey is a key that was seen on several partitions.
type SplitKey struct {
	Key        string
	Partitions []int // ascending; empty if more than 16
}

// insert adds p to an ascending set.
func insert(set []int32, p int32) []int32 {
	at, found := slices.BinarySearch(set, p)
	if found {
		return set
	}
	return slices.Insert(set, at, p)
}

// unique returns list without repetitions, in order of first appearance.
func unique[T comparable](list []T) []T {
	var kept []T
	for _, v := range list {
		if !slices.Contains(kept, v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// splitKeys returns the number of keys seen on several partitions, and those that
// were seen on the most.
func (d *Detector) splitKeys() (int, []SplitKey) {
	var all []SplitKey
	for i, at := range d.seen {
		if at < 0 {
			all = append(all, SplitKey{Key: d.keys[i], Partitions: ints(d.several[^at])})
		}
	}
	size := func(s SplitKey) int {
		if s.Partitions == nil {
			return maxSightings + 1
		}
		return len(s.Partitions)
	}
	slices.SortFunc(all, func(a, b SplitKey) int {
		return cmp.Or(cmp.Compare(size(b), size(a)), strings.Compare(a.Key, b.Key))
	})
	return len(all), slices.Clone(all[:min(len(all), maxSplitKeys)])
}

func ints(list []int32) []int {
	var out []int
	for _, v := range list {
		out = append(out, int(v))
	}
	return out
}
