package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/keyspread/keyspread/partition"
)

// result returns the result of a rule, which has yet to pass.
func (k *checker) result(rule string, unit Unit) *RuleResult {
	line := k.lines[rule]
	if line == 0 { // a proposal that the contract does not speak of
		line = k.LineOf(map[string]string{RuleAllowedGrowth: RulePartitions, RuleAllowedClients: clientField}[rule])
	}
	return &RuleResult{Rule: rule, Unit: unit, Line: line}
}

// unmeasured ends the sentence of a limit on keys where there are none.
func (k *checker) unmeasured() string {
	if records, _ := k.keys.Total(); records == 0 {
		return "cannot be measured: there are no records"
	}
	if k.client.IgnoresKey() {
		return fmt.Sprintf("cannot be measured: %s ignores the key (%s)", k.client.Name, k.client.Keyed)
	}
	return fmt.Sprintf("cannot be measured: %s places none of the records by their key", k.client.Name)
}

func (k *checker) maxImbalance() *RuleResult {
	if k.MaxImbalance == 0 {
		return nil
	}
	r := k.result(RuleMaxImbalance, Ratio)
	r.Limit, r.Observed = &k.MaxImbalance, k.spread.Imbalance
	if r.Observed == nil {
		r.Message = "imbalance " + k.unmeasured()
		return r
	}
	r.Passed = *r.Observed <= *r.Limit
	heaviest := k.spread.Load[0]
	for _, l := range k.spread.Load {
		if l.Records > heaviest.Records {
			heaviest = l
		}
	}
	observed, limit := apart(*r.Observed, *r.Limit, 1, "×")
	share := percent(float64(heaviest.Records) / float64(k.sample.records))
	if r.Passed {
		r.Message = fmt.Sprintf("imbalance %s ≤ %s: %s %d, the heaviest of %d, has %s of the records", observed, limit, k.spread.Unit, heaviest.Partition, k.checked.Partitions, share)
		return r
	}
	r.Message = fmt.Sprintf("imbalance %s > %s: %s %d of %d has %s of the records", observed, limit, k.spread.Unit, heaviest.Partition, k.checked.Partitions, share)
	if hot := k.spread.HotKey; hot != nil {
		r.Message += fmt.Sprintf(", key %s alone %s", keyName(k.showKey(hot.KeyText)), percent(float64(hot.Records)/float64(k.sample.records)))
	}
	return r
}

func (k *checker) maxKeyShare() *RuleResult {
	if k.MaxKeyShare == 0 {
		return nil
	}
	r := k.result(RuleMaxKeyShare, Share)
	r.Limit = &k.MaxKeyShare
	if k.sample.top < 0 {
		r.Message = "the heaviest key's share " + k.unmeasured()
		return r
	}
	share := float64(k.keys.Records(k.sample.top)) / float64(k.sample.records)
	r.Observed, r.Passed = &share, share <= k.MaxKeyShare
	observed, limit := apart(share, k.MaxKeyShare, 100, " %")
	sign := "≤"
	if !r.Passed {
		sign = ">"
	}
	name := keyName(k.showKey(partition.NewKeyText(k.keys.Key(k.sample.top), k.KeyEncoding)))
	r.Message = fmt.Sprintf("share %s %s %s: key %s has %d of %d records", observed, sign, limit, name, k.keys.Records(k.sample.top), k.sample.records)
	return r
}

func (k *checker) minDistinctKeys() *RuleResult {
	if k.MinDistinctKeys == 0 {
		return nil
	}
	r := k.countKeys(RuleMinDistinctKeys, k.MinDistinctKeys)
	if r.Passed {
		r.Message = fmt.Sprintf("cardinality %d ≥ %d: enough distinct keys", k.sample.keys, k.MinDistinctKeys)
	} else {
		r.Message = fmt.Sprintf("cardinality %d < %d: too few distinct keys", k.sample.keys, k.MinDistinctKeys)
		if k.client.IgnoresKey() {
			r.Message += fmt.Sprintf(", since %s ignores the key (%s)", k.client.Name, k.client.Keyed)
		}
	}
	return r
}

// enoughKeys is the rule partitions: each can have a key of its own.
func (k *checker) enoughKeys() *RuleResult {
	n := k.checked.Partitions
	r := k.countKeys(RulePartitions, n)
	if r.Passed {
		r.Message = fmt.Sprintf("cardinality %d ≥ %d: every %s can have a key", k.sample.keys, n, k.spread.Unit)
		return r
	}
	r.Message = fmt.Sprintf("cardinality %d < %d: %s", k.sample.keys, n, idle(n-k.sample.keys, k.spread.Unit, "stays", "stay"))
	if k.acceptsIdle() {
		r.Passed = true
		r.Message += fmt.Sprintf(", which minDistinctKeys %d accepts", k.MinDistinctKeys)
		k.warn("%s", r.Message)
	}
	return r
}

// idle says how many partitions have no key of their own.
func idle(n int, unit, one, several string) string {
	verb := several
	if n == 1 {
		verb = one
	}
	return fmt.Sprintf("at least %s %s idle", plural(n, unit), verb)
}

// acceptsIdle reports whether the contract says that its partitions may be more
// than its keys.
func (k *checker) acceptsIdle() bool {
	return k.MinDistinctKeys > 0 && k.MinDistinctKeys < k.Contract.Partitions
}

// countKeys is the result of a rule that wants a number of distinct keys.
func (k *checker) countKeys(rule string, least int) *RuleResult {
	r := k.result(rule, Keys)
	limit, observed := float64(least), float64(k.sample.keys)
	r.Limit, r.Observed, r.Passed = &limit, &observed, k.sample.keys >= least
	return r
}

func (k *checker) allowedGrowth() *RuleResult {
	n, present := k.checked.Partitions, k.Contract.Partitions
	if k.AllowedGrowth == nil && n == present {
		return nil
	}
	r := k.result(RuleAllowedGrowth, Partitions)
	observed := float64(n)
	r.Observed, r.Passed = &observed, n == present || k.mayGrowTo(n)
	for _, count := range k.AllowedGrowth {
		r.Allowed = append(r.Allowed, strconv.Itoa(count))
	}
	switch {
	case n == present:
		r.Message = fmt.Sprintf("%s, the present count", plural(n, k.spread.Unit))
		if moves := k.moves(); len(moves) > 0 {
			r.Message += "; allowed growth: " + strings.Join(moves, ", ")
		}
	case r.Passed:
		r.Message = fmt.Sprintf("growth from %d to %s", present, k.proposedMove())
	case n < present:
		r.Message = fmt.Sprintf("%d instead of %s: a topic cannot shrink", n, plural(present, k.spread.Unit))
	case len(k.AllowedGrowth) == 0:
		r.Message = fmt.Sprintf("growth from %d to %s: the contract allows none", present, k.proposedMove())
	default:
		r.Message = fmt.Sprintf("growth from %d to %s: not one of %s", present, k.proposedMove(), join(r.Allowed, "or"))
	}
	return r
}

// moves says of each allowed count what growing to it moves, of the first few.
func (k *checker) moves() []string {
	var list []string
	for i, g := range k.verdict.Growth {
		if i == shownMoves {
			return append(list, fmt.Sprintf("and %d more", len(k.verdict.Growth)-i))
		}
		list = append(list, g.move())
	}
	return list
}

// shownMoves is how many counts a sentence lists with what they move.
const shownMoves = 4

func (k *checker) proposedMove() string {
	at := slices.IndexFunc(k.verdict.Growth, func(g Growth) bool { return g.Proposed })
	return k.verdict.Growth[at].move()
}

func (g Growth) move() string {
	clean := "no clean split"
	if g.CleanSplit {
		clean = "clean split"
	}
	if g.KeysMovedShare == nil {
		return fmt.Sprintf("%d (%s)", g.Partitions, clean)
	}
	return fmt.Sprintf("%d (%s of keys move, %s)", g.Partitions, percent(*g.KeysMovedShare), clean)
}

func (k *checker) allowedClients() *RuleResult {
	if k.AllowedClients == nil && k.client == k.Client {
		return nil
	}
	r := k.result(RuleAllowedClients, Share)
	all := 1.0
	r.Limit, r.Observed, r.Passed = &all, &all, true
	for _, client := range k.AllowedClients {
		r.Allowed = append(r.Allowed, client.Name)
	}
	var problems, alike []string
	for _, c := range k.verdict.Clients {
		if c.Share == nil {
			r.Observed = nil
		} else if r.Observed != nil && *c.Share < *r.Observed {
			r.Observed = c.Share
		}
		switch {
		case !c.Allowed && len(k.AllowedClients) == 0:
			problems = append(problems, fmt.Sprintf("%s instead of %s: the contract allows no other client (%s)", c.Client, k.Client.Name, k.likeness(c)))
		case !c.Allowed:
			problems = append(problems, fmt.Sprintf("%s instead of %s: not one of %s (%s)", c.Client, k.Client.Name, join(r.Allowed, "or"), k.likeness(c)))
		case c.First != nil || c.Keys == 0:
			problems = append(problems, fmt.Sprintf("%s %s", c.Client, k.likeness(c)))
		default:
			alike = append(alike, c.Client)
		}
	}
	switch {
	case len(problems) > 0:
		r.Passed, r.Message = false, strings.Join(problems, "; ")
	case len(alike) == 0:
		r.Message = fmt.Sprintf("%s and no other client", k.Client.Name)
	case len(alike) == 1:
		r.Message = fmt.Sprintf("%s places all keys as %s does", alike[0], k.Client.Name)
	default:
		r.Message = fmt.Sprintf("%s place all keys as %s does", join(alike, "and"), k.Client.Name)
	}
	return r
}

// likeness says how far a client agrees with the contract's.
func (k *checker) likeness(c ClientResult) string {
	if records, _ := k.keys.Total(); records == 0 {
		return fmt.Sprintf("cannot be compared with %s: there are no records", k.Client.Name)
	}
	if c.Keys == 0 {
		return fmt.Sprintf("cannot be compared with %s: neither places a key by its bytes", k.Client.Name)
	}
	if c.First == nil {
		return fmt.Sprintf("places all keys as %s does", k.Client.Name)
	}
	return fmt.Sprintf("places %s of the keys (%d of %d) as %s does, the first difference is key %s: %s instead of %s",
		percent(*c.Share), c.Alike, c.Keys, k.Client.Name, keyName(c.First.KeyText), c.First.Other, c.First.Present)
}

// doubts adds what keeps the contract and is still worth knowing.
func (k *checker) doubts() {
	if k.acceptsIdle() && k.sample.keys >= k.checked.Partitions { // else the rule says so
		k.warn("minDistinctKeys %d is below the %s: the contract accepts that some stay idle", k.MinDistinctKeys, plural(k.Contract.Partitions, k.spread.Unit))
	}
	if s := k.sample; s.keys < k.keys.Len() && len(k.spread.Undecided) == 0 {
		k.warn("%s without records: they count for no rule", plural(k.keys.Len()-s.keys, "key"))
	}
	balanced := k.MaxImbalance > 0 && k.spread.Imbalance != nil && *k.spread.Imbalance <= k.MaxImbalance
	for _, g := range k.verdict.Growth {
		if !g.Allowed || g.Proposed {
			continue
		}
		// What is broken already needs no warning of growth.
		if balanced && g.Imbalance != nil && *g.Imbalance > k.MaxImbalance {
			observed, limit := apart(*g.Imbalance, k.MaxImbalance, 1, "×")
			k.warn("growth to %d is allowed, but there the imbalance would be %s > %s", g.Partitions, observed, limit)
		}
		if k.sample.keys >= k.checked.Partitions && g.Partitions > k.sample.keys && !k.acceptsIdle() {
			k.warn("growth to %d is allowed, but there %s", g.Partitions, idle(g.Partitions-k.sample.keys, k.spread.Unit, "would stay", "would stay"))
		}
	}
	for _, client := range k.AllowedClients {
		k.doubtClient(client)
	}
}

// doubtClient warns of an allowed client that agrees on this sample at this count,
// and may not on other keys or counts.
func (k *checker) doubtClient(client *partition.Client) {
	at := slices.IndexFunc(k.verdict.Clients, func(c ClientResult) bool { return c.Client == client.Name })
	own := partition.Mapping{Client: k.Client, Encoding: k.KeyEncoding}
	if at < 0 || k.verdict.Clients[at].First != nil || own.Equal(partition.Mapping{Client: client, Encoding: k.KeyEncoding}) {
		return
	}
	for _, g := range k.verdict.Growth {
		if r := k.compare(client, g.Partitions); g.Allowed && r.First != nil {
			k.warn("%s places all keys as %s does at %d, but at %d, which is allowed, %s of them", client.Name, k.Client.Name, k.checked.Partitions, g.Partitions, percent(*r.Share))
			return
		}
	}
	k.warn("%s places these keys as %s does at %d, though it is another mapping (%s, %s): other keys or counts may differ",
		client.Name, k.Client.Name, k.checked.Partitions, client.Hash.Name, client.Reduction.Name)
}

func (k *checker) warn(format string, args ...any) {
	k.verdict.Warnings = append(k.verdict.Warnings, fmt.Sprintf(format, args...))
}
