package plan

import (
	"cmp"
	"slices"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
)

// The rules of a contract, named by its fields, in the order in which a [Verdict]
// lists them.
const (
	RuleMaxImbalance    = "maxImbalance"
	RuleMaxKeyShare     = "maxKeyShare"
	RuleMinDistinctKeys = "minDistinctKeys"
	RulePartitions      = "partitions"
	RuleAllowedGrowth   = "allowedGrowth"
	RuleAllowedClients  = "allowedClients"
)

// Options say what is checked and how it is shown. The zero value checks the
// topic as the contract describes it.
type Options struct {
	// Partitions and Client are a proposal: what somebody wants to change of the
	// topic, such as a pull request that touches its partition count. Partitions is
	// 1…[MaxPartitions]; 0 and nil are the contract's.
	Partitions int
	Client     *partition.Client

	// ShowKey returns what the verdict shows of a key, such as a hash of it; nil
	// shows the key.
	ShowKey func(partition.KeyText) partition.KeyText
}

// A Verdict is whether keys keep a contract, and why. It is modelled: the
// client's mapping applied to the keys, no broker asked.
type Verdict struct {
	Topic       string         `json:"topic"`
	Contract    string         `json:"contract"`    // the contract's file
	Line        int            `json:"line"`        // where it begins there
	Input       string         `json:"input"`       // name of the key source, for whoever reads the result later
	Client      string         `json:"client"`      // that was checked
	Partitions  int            `json:"partitions"`  // that were checked
	Unit        string         `json:"unit"`        // what is counted: partition, shard, node, subtask
	Present     Side           `json:"present"`     // what the contract says the topic is
	KeyEncoding string         `json:"keyEncoding"` // how key texts became bytes
	Basis       string         `json:"basis"`       // modelled
	Records     int64          `json:"records"`     // placed by their key; the figures are of these
	Keys        int            `json:"keys"`        // distinct, with records and placed by their bytes
	Kept        bool           `json:"kept"`        // every rule passed
	Rules       []RuleResult   `json:"rules"`       // of the rules that the contract states
	Growth      []Growth       `json:"growth"`      // every count that is allowed or proposed, in rising order
	Clients     []ClientResult `json:"clients"`     // every client that is allowed or proposed, beside the contract's own
	Warnings    []string       `json:"warnings"`    // what keeps the contract and is still worth knowing
}

// A Side is a client and a partition count.
type Side struct {
	Client     string `json:"client"`
	Partitions int    `json:"partitions"`
}

// A RuleResult is what became of one rule.
type RuleResult struct {
	Rule     string   `json:"rule"`
	Limit    *float64 `json:"limit"`             // in Unit; null where Allowed says it all
	Observed *float64 `json:"observed"`          // in Unit; null if there was nothing to measure, which breaks the rule
	Unit     Unit     `json:"unit"`              // of both
	Allowed  []string `json:"allowed,omitempty"` // counts or clients
	Passed   bool     `json:"passed"`
	Message  string   `json:"message"` // one sentence
	Line     int      `json:"line"`    // of the rule in the contract's file, 0 if there is none
}

// A Unit is the unit of a limit.
type Unit string

// The units of limits.
const (
	Ratio      Unit = "ratio"      // how many times
	Share      Unit = "share"      // in [0, 1]
	Keys       Unit = "keys"       // distinct ones
	Partitions Unit = "partitions" // a count of them
)

// A Growth says what the topic would be at a larger partition count, or at any
// other that is proposed.
type Growth struct {
	Partitions        int      `json:"partitions"`
	Allowed           bool     `json:"allowed"`        // the contract lists it
	Proposed          bool     `json:"proposed"`       // it is what is checked
	KeysMoved         int      `json:"keysMoved"`      // from the present client and count to the checked client and this count
	KeysMovedShare    *float64 `json:"keysMovedShare"` // null without keys
	RecordsMoved      int64    `json:"recordsMoved"`
	RecordsMovedShare *float64 `json:"recordsMovedShare"`
	CleanSplit        bool     `json:"cleanSplit"` // see partition.Change.CleanSplit
	Imbalance         *float64 `json:"imbalance"`  // there; null without load
}

// A ClientResult compares where a client places the keys with where the
// contract's own does, at the partition count that is checked. Keys that neither
// places by their bytes do not count.
type ClientResult struct {
	Client   string      `json:"client"`
	Allowed  bool        `json:"allowed"`  // the contract lists it
	Proposed bool        `json:"proposed"` // it is what is checked
	Keys     int         `json:"keys"`     // compared
	Alike    int         `json:"alike"`    // on the same partition
	Share    *float64    `json:"share"`    // alike / keys; null without keys
	First    *Difference `json:"first"`    // the first key that differs; null if none does
}

// A Difference is a key that two clients place differently.
type Difference struct {
	partition.KeyText
	Present string `json:"present"` // the partition under the contract's client, or how it decides without the key
	Other   string `json:"other"`   // the same under the other client
}

// Check compares the keys of a sample, which were read with the contract's key
// encoding, with the contract, as if what is proposed had been accepted. Each rule
// that is stated gives one result, in a fixed order:
//
//   - maxImbalance: the imbalance of the records is at most the limit.
//   - maxKeyShare: so is the heaviest key's share of the records.
//   - minDistinctKeys: there are at least so many distinct keys.
//   - partitions, always: there are at least as many distinct keys as partitions,
//     else some are idle for good. A contract that states minDistinctKeys below its
//     partitions accepts that; it is a warning then.
//   - allowedGrowth, if stated or another count is proposed: the count is the
//     present one, or a larger one that is listed.
//   - allowedClients, if stated or another client is proposed: the client is the
//     present one or a listed one, and every listed client places every key of the
//     sample as the present one does.
//
// What cannot be measured, because the client places no key by its bytes, breaks
// the limits on it: a contract never passes for want of data. The first three
// rules get no harder to keep when their limit is loosened, and allowedGrowth
// when a count is added.
func (c *Contract) Check(keys *partition.KeyTable, o Options) *Verdict {
	return newChecker(c, keys, o).check()
}

// A checker holds what the rules look at.
type checker struct {
	*Contract
	keys    *partition.KeyTable
	checked Side
	client  *partition.Client // that is checked
	showKey func(partition.KeyText) partition.KeyText
	sample  sample
	spread  *bench.Spread // at the count that is checked
	verdict *Verdict
}

func newChecker(c *Contract, keys *partition.KeyTable, o Options) *checker {
	k := &checker{Contract: c, keys: keys, client: cmp.Or(o.Client, c.Client), showKey: o.ShowKey}
	if k.showKey == nil {
		k.showKey = func(key partition.KeyText) partition.KeyText { return key }
	}
	k.checked = Side{k.client.Name, cmp.Or(o.Partitions, c.Partitions)}
	k.sample = newSample(keys, k.client.ForEncoding(c.KeyEncoding))
	return k
}

func (k *checker) check() *Verdict {
	spreader := bench.NewSpreader(k.keys, k.client, k.KeyEncoding)
	k.spread = spreader.Spread(k.checked.Partitions)
	k.verdict = &Verdict{
		Topic: k.Topic, Contract: k.Name, Line: k.Line,
		Client: k.checked.Client, Partitions: k.checked.Partitions, Unit: k.spread.Unit,
		Present: Side{k.Client.Name, k.Contract.Partitions}, KeyEncoding: k.KeyEncoding.String(),
		Basis: "modelled", Records: k.sample.records, Keys: k.sample.keys, Kept: true,
		Growth: k.growth(spreader), Clients: k.compareClients(), Warnings: slices.Clone(k.spread.Warnings),
	}
	for _, rule := range []func() *RuleResult{
		k.maxImbalance, k.maxKeyShare, k.minDistinctKeys, k.enoughKeys, k.allowedGrowth, k.allowedClients,
	} {
		if r := rule(); r != nil {
			k.verdict.Rules = append(k.verdict.Rules, *r)
			k.verdict.Kept = k.verdict.Kept && r.Passed
		}
	}
	k.doubts()
	return k.verdict
}

// A sample is what the limits on keys look at: the keys that have records and
// that the client places by their bytes.
type sample struct {
	keys    int
	records int64 // of all keys that are on some partition
	top     int   // the heaviest key, the first of several; -1 if there is none
}

func newSample(keys *partition.KeyTable, client *partition.Client) sample {
	s := sample{top: -1}
	for i := range keys.Len() {
		rule := client.RuleOf(keys.Key(i))
		if rule != partition.Hashed && rule != partition.PartitionZero || keys.Records(i) == 0 {
			continue
		}
		s.keys++
		s.records += keys.Records(i)
		if s.top < 0 || keys.Records(i) > keys.Records(s.top) {
			s.top = i
		}
	}
	return s
}

// growth describes every count that is allowed or proposed.
func (k *checker) growth(spreader *bench.Spreader) []Growth {
	list := []Growth{}
	for _, n := range k.AllowedGrowth {
		if n > k.Contract.Partitions {
			list = append(list, Growth{Partitions: n, Allowed: true})
		}
	}
	if n := k.checked.Partitions; n != k.Contract.Partitions && !k.mayGrowTo(n) {
		list = append(list, Growth{Partitions: n})
	}
	slices.SortFunc(list, func(a, b Growth) int { return cmp.Compare(a.Partitions, b.Partitions) })
	if len(list) == 0 {
		return list
	}
	// The keys are bytes already. There is no error without an encoding.
	mapping := func(c *partition.Client) partition.Mapping {
		return partition.Mapping{Client: c.ForEncoding(k.KeyEncoding), Encoding: partition.Raw}
	}
	churner, _ := bench.NewChurner(k.keys, partition.Side{Mapping: mapping(k.Client), Partitions: k.Contract.Partitions}, mapping(k.client))
	for i := range list {
		g := &list[i]
		g.Proposed = g.Partitions == k.checked.Partitions
		churn := churner.Churn(g.Partitions)
		g.KeysMoved, g.KeysMovedShare = churn.KeysMoved, churn.KeysMovedShare
		g.RecordsMoved, g.RecordsMovedShare = churn.RecordsMoved, churn.RecordsMovedShare
		g.CleanSplit = churn.CleanSplit
		g.Imbalance = spreader.Spread(g.Partitions).Imbalance
	}
	return list
}

// mayGrowTo reports whether the contract lists a count that the topic can grow
// to.
func (k *checker) mayGrowTo(n int) bool {
	return n > k.Contract.Partitions && slices.Contains(k.AllowedGrowth, n)
}

// compareClients compares every client that is allowed or proposed with the
// contract's own.
func (k *checker) compareClients() []ClientResult {
	list := []ClientResult{}
	others := slices.Clone(k.AllowedClients)
	if !slices.Contains(others, k.client) {
		others = append(others, k.client)
	}
	for _, other := range others {
		if other == k.Client {
			continue
		}
		r := k.compare(other, k.checked.Partitions)
		r.Allowed, r.Proposed = slices.Contains(k.AllowedClients, other), other == k.client
		list = append(list, r)
	}
	return list
}

// compare compares a client with the contract's own at n partitions.
func (k *checker) compare(other *partition.Client, n int) ClientResult {
	here, there := make([]partition.Placement, k.keys.Len()), make([]partition.Placement, k.keys.Len())
	partition.NewDigests(k.keys, k.Client.ForEncoding(k.KeyEncoding)).Place(here, n)
	partition.NewDigests(k.keys, other.ForEncoding(k.KeyEncoding)).Place(there, n)
	r := ClientResult{Client: other.Name}
	for i := range here {
		switch {
		case !here[i].Decided() && !there[i].Decided():
			continue
		case here[i] == there[i]:
			r.Alike++
		case r.First == nil:
			r.First = &Difference{k.showKey(partition.NewKeyText(k.keys.Key(i), k.KeyEncoding)), here[i].String(), there[i].String()}
		}
		r.Keys++
	}
	if r.Keys > 0 {
		share := float64(r.Alike) / float64(r.Keys)
		r.Share = &share
	}
	return r
}
