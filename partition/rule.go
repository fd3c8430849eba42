package partition

import "fmt"

// A Rule says what a client does with one kind of key: null, empty or any
// other. Only [Hashed] and [PartitionZero] lead to a partition that the key
// alone determines.
type Rule uint8

const (
	Hashed          Rule = iota // hashed like any other key; a null key as the empty one
	PartitionZero               // always partition 0
	Sticky                      // one partition for a batch or a number of bytes, then another
	StickyRandom                // one random partition for a linger time, then another
	Random                      // a random partition for each record
	RandomAvailable             // a random partition for each record, among those with a leader
	RoundRobin                  // the partitions in turn
	Refused                     // the client cannot take such a key
)

var ruleNames = [...]string{
	Hashed:          "hashed",
	PartitionZero:   "partition 0",
	Sticky:          "sticky",
	StickyRandom:    "random, sticky",
	Random:          "random",
	RandomAvailable: "random among available",
	RoundRobin:      "round robin",
	Refused:         "refused",
}

// String returns the rule in the words used in tables and reasons.
func (r Rule) String() string {
	if int(r) < len(ruleNames) {
		return ruleNames[r]
	}
	return fmt.Sprintf("Rule(%d)", uint8(r))
}

// Decides reports whether the key alone determines the partition.
func (r Rule) Decides() bool { return r == Hashed || r == PartitionZero }

// A Placement is where a client puts a key: a partition from 0 to n-1, or the
// [Rule] by which the client decides without the key. Negative values encode
// the rule, so that a million placements stay four bytes each.
type Placement int32

// undecided returns the Placement of a key that the client does not place by
// its bytes.
func undecided(r Rule) Placement { return -Placement(r) - 1 }

// Decided reports whether the key alone determines the partition.
func (p Placement) Decided() bool { return p >= 0 }

// Partition returns the partition; ok is false if the client does not decide
// from the key.
func (p Placement) Partition() (partition int, ok bool) {
	if p < 0 {
		return 0, false
	}
	return int(p), true
}

// Rule returns why the placement is not decided, or [Hashed] if it is.
func (p Placement) Rule() Rule {
	if p >= 0 {
		return Hashed
	}
	return Rule(-p - 1)
}

// String returns the partition in decimal, or the rule in words.
func (p Placement) String() string {
	if p >= 0 {
		return fmt.Sprint(int32(p))
	}
	return p.Rule().String()
}
