package partition

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// MaxPartitions is the largest partition count that a mapping accepts: Kafka
// counts partitions in a signed 32-bit integer.
const MaxPartitions = math.MaxInt32

// A Client is one way in which real clients of a partitioned system place a
// key: a hash, a reduction to n partitions, and what happens to null and empty
// keys. The registry holds one for every library and option; see [Clients].
type Client struct {
	Name      string    // preset name, as in --client
	Aliases   []string  // other names for the same mapping: wrappers and frameworks
	System    string    // the partitioned system: Kafka, Pulsar, Flink, …
	Unit      string    // what the number 0…n-1 counts: partition, shard, node, subtask
	Hash      Hash      // hash of the serialized key
	Reduction Reduction // from the hash to 0…n-1
	Null      Rule      // what happens to a null key
	Empty     Rule      // what happens to an empty key
	Keyed     Rule      // what happens to any other key: Hashed, unless the client ignores keys
	Default   bool      // the library does this unless told otherwise
	Option    string    // how it is chosen in the library; empty if there is no choice
	Text      bool      // keys are text: invalid UTF-8 is refused
	MaxCount  int       // most partitions the system allows, 0 if only [MaxPartitions] limits it
	MaxRunes  int       // longest key in characters, 0 if only the system's record size limits it
	Size      int       // length of every key in bytes, 0 if it is free: a Java Long has 8
	Checked   Check     // how far this entry was verified
	Version   string    // versions of the library it was verified against
	Source    string    // where the mapping is defined
	Caveats   []string  // what a reader of its placements must know each time
	Notes     []string  // what else a user of this preset should know
}

// A Check says how an entry of the registry was verified.
type Check string

const (
	Run  Check = "run"  // compared with the real client's code, key by key
	Read Check = "read" // read in the client's source, not executed
	Doc  Check = "doc"  // taken from documentation
)

// A Digest is the hash of a key, before it is reduced to a partition count. A
// 32-bit hash is in the low half of Lo, a 64-bit hash in Lo, a 128-bit hash in
// both.
type Digest struct{ Hi, Lo uint64 }

// Place returns where the client puts key when the topic has n partitions: the
// partition, or the rule by which the client decides without the key. A nil
// key is a null key. Place panics if n is not in 1…[MaxPartitions], because the
// count is the caller's own; keys are data and never panic.
func (c *Client) Place(key []byte, n int) Placement {
	checkCount(n)
	switch rule := c.RuleOf(key); rule {
	case Hashed:
		return Placement(c.Reduction.Reduce(c.Hash.Sum(key), n))
	case PartitionZero:
		return 0
	default:
		return undecided(rule)
	}
}

// Digest hashes key once, for [Client.Reduce] at many partition counts. If the
// client does not hash this key, rule says what it does instead and the digest
// is zero.
func (c *Client) Digest(key []byte) (d Digest, rule Rule) {
	if rule = c.RuleOf(key); rule != Hashed {
		return Digest{}, rule
	}
	return c.Hash.Sum(key), Hashed
}

// Reduce returns the partition of a key with digest d among n partitions, for a
// digest obtained with rule Hashed. Together with [Client.Digest] it gives what
// [Client.Place] gives.
func (c *Client) Reduce(d Digest, n int) int {
	checkCount(n)
	return c.Reduction.Reduce(d, n)
}

// Settle returns the placement of a key that [Client.Digest] answered with d
// and rule.
func (c *Client) Settle(d Digest, rule Rule, n int) Placement {
	switch rule {
	case Hashed:
		return Placement(c.Reduce(d, n))
	case PartitionZero:
		return 0
	default:
		return undecided(rule)
	}
}

// RuleOf returns what the client does with key: a key is placed by its bytes if it
// is [Hashed].
func (c *Client) RuleOf(key []byte) Rule {
	switch {
	case key == nil:
		return c.Null
	case c.Size > 0 && len(key) != c.Size:
		return Refused
	case len(key) == 0:
		return c.Empty
	case c.Keyed != Hashed:
		return c.Keyed
	case c.Text && !utf8.Valid(key):
		return Refused
	case c.MaxRunes > 0 && utf8.RuneCount(key) > c.MaxRunes:
		return Refused
	}
	return Hashed
}

// Why says in words why a key is not placed by its bytes: what the client does
// instead, or why it cannot take the key. It is empty for a key that is placed.
func (c *Client) Why(key []byte) string {
	rule := c.RuleOf(key)
	switch {
	case rule == Hashed || rule == PartitionZero:
		return ""
	case rule != Refused:
		return rule.String()
	case key == nil:
		return "a null key is not allowed"
	case c.Size > 0 && len(key) != c.Size:
		return fmt.Sprintf("%d bytes long instead of %d", len(key), c.Size)
	case len(key) == 0:
		return "an empty key is not allowed"
	case c.Text && !utf8.Valid(key):
		return "not valid UTF-8"
	default:
		return fmt.Sprintf("longer than %d characters", c.MaxRunes)
	}
}

// Raw returns in decimal the number that the client reduces to one of n
// partitions: the signed 32-bit hash, or the slot, token, hash key or key group
// of the system.
func (c *Client) Raw(d Digest, n int) string {
	if c.Reduction.Through != nil {
		return strconv.Itoa(c.Reduction.Through(d, n))
	}
	switch c.Hash.Bits {
	case 128:
		return d.Big().String()
	case 64:
		return strconv.FormatInt(int64(d.Lo), 10)
	default:
		return strconv.FormatInt(int64(int32(d.Lo)), 10)
	}
}

// Like returns the preset that makes the client's library place keys as another
// client does, if there is one and it is not c itself.
func (c *Client) Like(other *Client) (alike *Client, ok bool) {
	for i := range registry {
		r := &registry[i]
		if r.Source != c.Source || r.Name == c.Name || r.Hash.Name != other.Hash.Name || r.Reduction.Name != other.Reduction.Name {
			continue
		}
		// Of two, rather the one that spreads null keys, as defaults do.
		if alike == nil || alike.Null == Hashed || alike.Null == PartitionZero {
			alike = r
		}
	}
	return alike, alike != nil
}

// IgnoresKey reports whether the client never looks at the key, so that records
// of one key are spread and their order is lost.
func (c *Client) IgnoresKey() bool { return c.Keyed != Hashed }

// Allows returns an error if the system behind the client cannot have n
// partitions (nodes, subtasks, …), although a mapping to so many is defined.
func (c *Client) Allows(n int) error {
	if c.MaxCount > 0 && n > c.MaxCount {
		return fmt.Errorf("%s has at most %d %ss, not %d", c.Name, c.MaxCount, c.Unit, n)
	}
	return CheckCount(n)
}

// CheckCount returns an error unless n is a possible partition count,
// 1…[MaxPartitions].
func CheckCount(n int) error {
	if n < 1 || n > MaxPartitions {
		return fmt.Errorf("partition count %d is out of range: want 1 to %d", n, MaxPartitions)
	}
	return nil
}

func checkCount(n int) {
	if n < 1 || n > MaxPartitions {
		panic(CheckCount(n))
	}
}
