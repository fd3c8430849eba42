package bench

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/keyspread/keyspread/bench/workload"
	"github.com/keyspread/keyspread/partition"
)

// A Churn is what a change of partition count, client or key encoding moves. It
// is modelled: both mappings applied to the keys, no broker asked.
//
// Keys, records, bytes and flow are those that both sides place by the key; what
// either does not is in Undecided, and in no other figure.
type Churn struct {
	Input             string          `json:"input"` // name of the key source, for whoever reads the result later
	From              Side            `json:"from"`
	To                Side            `json:"to"`
	Basis             string          `json:"basis"` // modelled
	Keys              int             `json:"keys"`
	KeysMoved         int             `json:"keysMoved"`
	KeysMovedShare    *float64        `json:"keysMovedShare"` // of keys; null without keys
	ExpectedShare     *float64        `json:"expectedShare"`  // of keys, for uniform hashes; null if no formula is known
	ExpectedBy        string          `json:"expectedBy"`     // the formula, or why there is none
	OptimumShare      float64         `json:"optimumShare"`   // of keys, the least for even loads
	Records           int64           `json:"records"`
	RecordsMoved      int64           `json:"recordsMoved"` // records of moved keys, had they come after the change
	RecordsMovedShare *float64        `json:"recordsMovedShare"`
	Bytes             int64           `json:"bytes"` // 0 if the source does not say
	BytesMoved        int64           `json:"bytesMoved"`
	Tenants           int             `json:"tenants"`        // 0 if the source does not say
	TenantsTouched    int             `json:"tenantsTouched"` // with at least one moved key
	CleanSplit        bool            `json:"cleanSplit"`     // see partition.Change.CleanSplit
	Split             string          `json:"split"`          // how partitions feed one another, in words
	SameMapping       bool            `json:"sameMapping"`    // only the count changes
	TopMoved          []MovedKey      `json:"topMoved"`       // heaviest first
	Flow              []Flow          `json:"flow"`           // cells with keys, by from, then to
	Undecided         []UndecidedFlow `json:"undecided"`
	Effects           *Effects        `json:"effects"` // on running systems; null for systems without topics
	Warnings          []string        `json:"warnings"`
}

// A Side is one side of a change.
type Side struct {
	Client      string `json:"client"`
	Partitions  int    `json:"partitions"`
	KeyEncoding string `json:"keyEncoding"`
	Unit        string `json:"unit"` // what is counted: partition, shard, node, subtask
}

// A Flow is what goes from one partition to one partition.
type Flow struct {
	From    int   `json:"from"`
	To      int   `json:"to"`
	Keys    int   `json:"keys"`
	Records int64 `json:"records"`
}

// A MovedKey is one of the heaviest keys that move.
type MovedKey struct {
	partition.KeyText
	Records int64   `json:"records"`
	Share   float64 `json:"share"` // of Churn.Records
	From    int     `json:"from"`
	To      int     `json:"to"`
}

// An UndecidedFlow is the part of a source that a side does not place by the
// key. From and To say what each client does instead; "hashed" is placed.
type UndecidedFlow struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Keys    int    `json:"keys"`
	Records int64  `json:"records"`
}

// A SweepResult compares the partition counts that a topic could grow to.
type SweepResult struct {
	Input    string   `json:"input"` // name of the key source
	From     Side     `json:"from"`
	To       Mapping  `json:"to"`
	Largest  int      `json:"largest"`
	Basis    string   `json:"basis"` // modelled
	Keys     int      `json:"keys"`
	Records  int64    `json:"records"`
	Counts   []Reach  `json:"counts"` // least movement first
	Warnings []string `json:"warnings"`
}

// A Mapping is a side without a partition count.
type Mapping struct {
	Client      string `json:"client"`
	KeyEncoding string `json:"keyEncoding"`
}

// A Reach is one partition count of a sweep, with the figures of a [Churn].
type Reach struct {
	Partitions        int      `json:"partitions"`
	ExpectedShare     *float64 `json:"expectedShare"`
	OptimumShare      float64  `json:"optimumShare"`
	KeysMoved         int      `json:"keysMoved"`
	KeysMovedShare    *float64 `json:"keysMovedShare"`
	RecordsMoved      int64    `json:"recordsMoved"`
	RecordsMovedShare *float64 `json:"recordsMovedShare"`
	CleanSplit        bool     `json:"cleanSplit"`
}

// A Churner holds the keys of a source hashed under both mappings of a change,
// so that any number of target counts costs one pass of hashing.
type Churner struct {
	// Parameters are what else is known of the topic, for Churn.Effects.
	Parameters EffectParameters

	from    partition.Side
	to      partition.Mapping
	keys    *partition.KeyTable   // weights and texts
	textual partition.KeyEncoding // turns a key of the table into its text
	digests *partition.Digests    // under the new mapping
	before  []partition.Placement // under the old one
	after   []partition.Placement // at the count looked at last
}

// NewChurner hashes the keys of a table under both mappings. Keys of the table
// are texts, read as [partition.Raw], and are encoded here for each side; a null
// key is null on both. The error names a text that is no value of a side's
// encoding. Texts that both sides encode alike into one key, such as 7 and 07 as
// int64, are one key.
func NewChurner(texts *partition.KeyTable, from partition.Side, to partition.Mapping) (*Churner, error) {
	c := &Churner{from: from, to: to, keys: texts}
	source := texts
	if from.Encoding == to.Encoding && from.Encoding != partition.Raw {
		merged, err := merge(texts, from.Encoding)
		if err != nil {
			return nil, err
		}
		c.keys, c.textual, source = merged, from.Encoding, merged
	} else {
		var err error
		if source, err = encode(texts, from.Encoding); err != nil {
			return nil, err
		}
	}
	c.before = make([]partition.Placement, source.Len())
	partition.NewDigests(source, from.Client.ForEncoding(from.Encoding)).Place(c.before, from.Partitions)

	if from.Encoding != to.Encoding {
		var err error
		if source, err = encode(texts, to.Encoding); err != nil {
			return nil, err
		}
	}
	c.digests = partition.NewDigests(source, to.Client.ForEncoding(to.Encoding))
	c.after = make([]partition.Placement, source.Len())
	return c, nil
}

// An EncodingError says that the text of a key is no value of a key encoding.
type EncodingError struct {
	Text     string
	Encoding partition.KeyEncoding
	Err      error
}

func (e *EncodingError) Error() string {
	return fmt.Sprintf("key %q has no %s form: %v", e.Text, e.Encoding, e.Err)
}

func (e *EncodingError) Unwrap() error { return e.Err }

// encode returns a table of the encoded keys, without weights.
func encode(texts *partition.KeyTable, encoding partition.KeyEncoding) (*partition.KeyTable, error) {
	if encoding == partition.Raw {
		return texts, nil
	}
	var table partition.KeyTable
	err := encoded(texts, encoding, func(_ int, key []byte) error {
		_, err := table.Add(key, 0, 0, 0)
		return err
	})
	return &table, err
}

// merge returns a table of the encoded keys with the weights of their texts.
func merge(texts *partition.KeyTable, encoding partition.KeyEncoding) (*partition.KeyTable, error) {
	counter := workload.NewCounter()
	err := encoded(texts, encoding, func(i int, key []byte) error {
		return counter.Add(key, texts.Records(i), texts.Bytes(i), texts.Tenant(i))
	})
	return counter.Table(), err
}

// encoded calls use with every key of the table encoded, nil for the null key. The
// bytes are only valid during the call.
func encoded(texts *partition.KeyTable, encoding partition.KeyEncoding, use func(i int, key []byte) error) error {
	var buf []byte
	for i := range texts.Len() {
		text := texts.Key(i)
		if text == nil {
			if err := use(i, nil); err != nil {
				return err
			}
			continue
		}
		key, err := encoding.AppendKey(buf[:0], string(text))
		if err != nil {
			return &EncodingError{string(text), encoding, err}
		}
		if err := use(i, key); err != nil {
			return err
		}
		buf = key
	}
	return nil
}

// change returns the change to m partitions.
func (c *Churner) change(m int) partition.Change {
	return partition.Change{From: c.from, To: partition.Side{Mapping: c.to, Partitions: m}}
}

// Churn compares the placements before with those among m partitions, 1 to
// [partition.MaxPartitions]. A Churner is not for concurrent use.
func (c *Churner) Churn(m int) *Churn {
	c.digests.Place(c.after, m)
	change := c.change(m)
	expected, by := change.Expected()
	r := &Churn{
		From: side(c.from), To: side(change.To), Basis: "modelled",
		ExpectedShare: finite(expected), ExpectedBy: by, OptimumShare: change.Optimum(),
		CleanSplit: change.CleanSplit(), Split: change.Split(), SameMapping: change.From.Equal(c.to),
	}
	flows := map[[2]partition.Placement]Flow{}
	undecided := map[[2]partition.Rule]UndecidedFlow{}
	touched := map[string]bool{} // tenants, and whether a key of theirs moves
	for i, before := range c.before {
		after, records := c.after[i], c.keys.Records(i)
		if !before.Decided() || !after.Decided() {
			rules := [2]partition.Rule{before.Rule(), after.Rule()}
			u := undecided[rules]
			u.Keys++
			u.Records += records
			undecided[rules] = u
			continue
		}
		cell := [2]partition.Placement{before, after}
		f := flows[cell]
		f.Keys++
		f.Records += records
		flows[cell] = f

		moved := before != after
		r.Keys++
		r.Records += records
		r.Bytes += c.keys.Bytes(i)
		if moved {
			r.KeysMoved++
			r.RecordsMoved += records
			r.BytesMoved += c.keys.Bytes(i)
		}
		if tenant := c.keys.Tenant(i); tenant != "" {
			touched[tenant] = touched[tenant] || moved
		}
	}
	for _, moved := range touched {
		r.Tenants++
		if moved {
			r.TenantsTouched++
		}
	}
	r.KeysMovedShare = share(int64(r.KeysMoved), int64(r.Keys))
	r.RecordsMovedShare = share(r.RecordsMoved, r.Records)
	r.Flow = flowList(flows)
	r.Undecided = undecidedList(undecided)
	r.TopMoved = c.topMoved(r.Records)
	if hasTopics(c.from.Client) && hasTopics(c.to.Client) {
		r.Effects = effects(r, c.Parameters)
	}
	r.Warnings = changeWarnings(change, r.Undecided)
	return r
}

// topMoved lists the heaviest of the keys that move now, among equals the one
// seen first.
func (c *Churner) topMoved(total int64) []MovedKey {
	var top []int
	for i, before := range c.before {
		if after := c.after[i]; before == after || !before.Decided() || !after.Decided() {
			continue
		}
		if len(top) == TopKeys {
			if c.keys.Records(i) <= c.keys.Records(top[TopKeys-1]) {
				continue
			}
			top = top[:TopKeys-1]
		}
		at := len(top)
		for at > 0 && c.keys.Records(top[at-1]) < c.keys.Records(i) {
			at--
		}
		top = slices.Insert(top, at, i)
	}
	list := make([]MovedKey, len(top))
	for at, i := range top {
		list[at] = MovedKey{
			KeyText: partition.NewKeyText(c.keys.Key(i), c.textual), Records: c.keys.Records(i),
			From: int(c.before[i]), To: int(c.after[i]),
		}
		if total > 0 {
			list[at].Share = float64(list[at].Records) / float64(total)
		}
	}
	return list
}

// Sweep compares every partition count above the present one up to largest:
// how many keys and records move, the least first. Where no formula is known the
// keys decide alone. Between counts it asks whether to stop and returns the
// error that says so.
func (c *Churner) Sweep(largest int, stop func() error) (*SweepResult, error) {
	r := &SweepResult{
		From: side(c.from), To: Mapping{c.to.Client.Name, c.to.Encoding.String()}, Largest: largest,
		Basis: "modelled", Counts: []Reach{}, Warnings: []string{},
	}
	for _, reach := range c.change(c.from.Partitions).Sweep(largest) {
		if err := stop(); err != nil {
			return nil, err
		}
		c.digests.Place(c.after, reach.Partitions)
		count := Reach{
			Partitions: reach.Partitions, ExpectedShare: finite(reach.Expected),
			OptimumShare: reach.Optimum, CleanSplit: reach.CleanSplit,
		}
		r.Keys, r.Records = 0, 0
		for i, before := range c.before {
			after := c.after[i]
			if !before.Decided() || !after.Decided() {
				continue
			}
			r.Keys++
			r.Records += c.keys.Records(i)
			if before != after {
				count.KeysMoved++
				count.RecordsMoved += c.keys.Records(i)
			}
		}
		count.KeysMovedShare = share(int64(count.KeysMoved), int64(r.Keys))
		count.RecordsMovedShare = share(count.RecordsMoved, r.Records)
		r.Counts = append(r.Counts, count)
	}
	slices.SortStableFunc(r.Counts, func(a, b Reach) int {
		if a.ExpectedShare != nil && b.ExpectedShare != nil {
			return cmp.Compare(*a.ExpectedShare, *b.ExpectedShare)
		}
		return cmp.Compare(a.KeysMoved, b.KeysMoved)
	})
	return r, nil
}

func side(s partition.Side) Side {
	return Side{Client: s.Client.Name, Partitions: s.Partitions, KeyEncoding: s.Encoding.String(), Unit: s.Client.Unit}
}

// share returns part / all, nil if there is nothing.
func share(part, all int64) *float64 { return finite(float64(part) / float64(all)) }

func flowList(flows map[[2]partition.Placement]Flow) []Flow {
	list := make([]Flow, 0, len(flows))
	for cell, f := range flows {
		f.From, f.To = int(cell[0]), int(cell[1])
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b Flow) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return list
}

func undecidedList(undecided map[[2]partition.Rule]UndecidedFlow) []UndecidedFlow {
	list := []UndecidedFlow{}
	for from := range partition.Refused + 1 {
		for to := range partition.Refused + 1 {
			if u, ok := undecided[[2]partition.Rule{from, to}]; ok {
				u.From, u.To = from.String(), to.String()
				list = append(list, u)
			}
		}
	}
	return list
}

// changeWarnings lists doubts about the figures and about the change itself.
func changeWarnings(change partition.Change, undecided []UndecidedFlow) []string {
	list := []string{}
	from, to := change.From.Client, change.To.Client
	if change.Shrinks() && hasTopics(to) {
		list = append(list, to.System+" cannot reduce a partition count: this is a new topic")
	}
	if from.System != to.System {
		list = append(list, fmt.Sprintf("%s and %s are different systems: this is a migration, nothing moves by itself", from.System, to.System))
	}
	for _, u := range undecided {
		list = append(list, fmt.Sprintf("%d keys with %d records are not placed by the key on both sides (before: %s, after: %s): they are counted apart",
			u.Keys, u.Records, u.From, u.To))
	}
	for _, client := range slices.Compact([]*partition.Client{from, to}) {
		for _, caveat := range client.Caveats {
			list = append(list, client.Name+": "+caveat)
		}
	}
	if from.System == "Flink" && to.System == "Flink" && change.From.Partitions != change.To.Partitions &&
		partition.FlinkKeyGroups(change.From.Partitions) != partition.FlinkKeyGroups(change.To.Partitions) {
		list = append(list, "flink: the default number of key groups differs between the two parallelisms; a job restored from a savepoint keeps its own, and then fewer keys move")
	}
	return list
}

// hasTopics reports whether the client writes to topics, whose records stay where
// they are when the partition count grows.
func hasTopics(client *partition.Client) bool {
	return client.System == "Kafka" || client.System == "Pulsar"
}
