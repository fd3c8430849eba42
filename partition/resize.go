package partition

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Mapping is how the text of a key becomes a place: the encoding makes bytes
// of it and the client hashes and reduces those.
type Mapping struct {
	Client   *Client
	Encoding KeyEncoding
}

// A Side is one side of a [Change]: a mapping onto a number of partitions.
type Side struct {
	Mapping
	Partitions int // 1…MaxPartitions
}

// A Change is a move from one side to another: of the partition count, the
// client, the key encoding, or any mixture. Its methods say what theory knows of
// it without looking at a single key.
type Change struct{ From, To Side }

// client returns the mapping's client as it sees keys of the encoding.
func (m Mapping) client() *Client { return m.Client.ForEncoding(m.Encoding) }

// Equal reports whether two mappings place every key that both of them hash
// alike, at every partition count.
func (m Mapping) Equal(o Mapping) bool {
	return m == o || m.Encoding == o.Encoding && alike(m.client(), o.client())
}

func alike(a, b *Client) bool {
	return a.Hash.Name == b.Hash.Name && a.Reduction.Name == b.Reduction.Name && a.Keyed == b.Keyed &&
		a.Reduction.Name != streamRanges // of which every stream has its own
}

// Expected returns the share of keys that the change moves if hashes are uniform,
// in [0, 1], and the formula with its reason. Where no formula is known the share
// is NaN and the reason says why.
//
// One hash on both sides, reduced by a remainder (see [Change.remainders]), over
// the residues of 32-bit hashes, of which the last round is incomplete: the error
// is at most lcm/2^31.
//
//	moved = 1 − f·min(N, M) / lcm(N, M)
//
// One hash, cut into n equal ranges (Kinesis, Cassandra): the sum of what range p
// of N and range p of M have in common. Redis Cluster and Flink have few slots or
// key groups; they are counted.
//
// Two hashes that have nothing to do with one another, or one hash of unrelated
// bytes: both sides are independent, and P(h1 mod N = h2 mod M) is the sum over
// min(N, M) partitions of 1/N · 1/M:
//
//	moved = 1 − 1/max(N, M)
//
// Not every two hashes are unrelated, see [related].
func (c Change) Expected() (share float64, reason string) {
	from, to := c.From.client(), c.To.client()
	n, m := c.From.Partitions, c.To.Partitions
	for _, side := range []*Client{from, to} {
		if side.IgnoresKey() {
			return math.NaN(), side.Name + " ignores the key"
		}
	}
	if c.From == c.To {
		return 0, "nothing changes"
	}
	if c.From.Encoding != c.To.Encoding || from.Hash.Name != to.Hash.Name {
		if why := related(from, to); why != "" {
			return math.NaN(), why
		}
		return 1 - 1/float64(max(n, m)), "1 − 1/max(N, M), as for unrelated hashes"
	}
	if f, ok := c.remainders(); ok {
		formula := "1 − min(N, M)/lcm(N, M)"
		if f < 1 {
			formula = fmt.Sprintf("1 − f·min(N, M)/lcm(N, M), f = %.4g since %s and %s part where the hash has its top bit set", f, from.Reduction.Name, to.Reduction.Name)
		}
		return 1 - f*float64(min(n, m))/lcm(n, m), formula
	}
	if from.Reduction.Name == to.Reduction.Name {
		switch from.Reduction.Name {
		case evenRanges.Name, evenTokens.Name:
			return 1 - commonRanges(min(n, m), max(n, m)), "1 − what equal ranges have in common"
		case evenSlots.Name:
			return movedOf(from.Reduction, RedisSlots, n, m), "counted over the 16384 slots"
		case flinkSubtask.Name:
			groups := max(FlinkKeyGroups(n), FlinkKeyGroups(m))
			return movedOf(from.Reduction, groups, n, m), fmt.Sprintf("counted over %d key groups", groups)
		}
	}
	return math.NaN(), fmt.Sprintf("no formula for %s to %s", from.Reduction.Name, to.Reduction.Name)
}

// A fold is what a reduction by remainder does to a 32-bit hash whose top bit is
// set and whose other bits are x: it takes the remainder of x, of 2^31 + x or of
// 2^31 − x. Without the top bit all of them take that of x.
type fold uint8

const (
	clears  fold = iota // x
	keeps               // 2^31 + x
	negates             // 2^31 − x
)

var folds = map[string]fold{
	mask.Name: clears, unsigned.Name: keeps,
	absAfter.Name: negates, absBefore.Name: negates, zeroMinAbs.Name: negates, // -2^31 alone differs
}

// remainders returns the factor f by which fewer keys stay than min/lcm, and
// whether both sides take remainders of one hash at all.
//
// With x uniform, a key stays on partition a < min(N, M) if two congruences hold,
// modulo N and modulo M. Both have one solution below the lcm if they agree
// modulo g = gcd(N, M), else none. Without the top bit they read x ≡ a and agree
// for every a. With it, by folds:
//
//	the same:                  they agree for every a            f = 1
//	clears and keeps:          x ≡ a, 2^31 + x ≡ a: if g | 2^31  f = 1, else (1 + 0)/2
//	negates and another:       2a ≡ 0 or 2^31, for gcd(2, g) of g residues a:
//	                                                             f = (1 + gcd(2, g)/g)/2
func (c Change) remainders() (f float64, ok bool) {
	from, to := c.From.client(), c.To.client()
	a, known := folds[from.Reduction.Name]
	b, also := folds[to.Reduction.Name]
	if !known || !also || c.From.Encoding != c.To.Encoding || from.Hash.Name != to.Hash.Name {
		return 0, false
	}
	g := gcd(c.From.Partitions, c.To.Partitions)
	agree := 1.0 // share of partitions a for which the congruences agree
	switch {
	case a == b:
	case a != negates && b != negates:
		if g&(g-1) != 0 { // no power of two
			agree = 0
		}
	default:
		agree = float64(gcd(2, g)) / float64(g)
	}
	return (1 + agree) / 2, true
}

// commonRanges returns the share of [0, 1) on which floor(u·n) = floor(u·m), for
// n ≤ m: range p of m begins below range p of n and ends first.
//
//	Σ ((p+1)/m − p/n) for p < n/(m−n)
func commonRanges(n, m int) float64 {
	if n == m {
		return 1
	}
	d := m - n
	count := float64((n + d - 1) / d)
	return (count*float64(n) - float64(d)*count*(count-1)/2) / float64(n) / float64(m)
}

// movedOf returns the share of the values 0…size-1 that a reduction puts
// elsewhere among m than among n.
func movedOf(r Reduction, size, n, m int) float64 {
	moved := 0
	for h := range size {
		if r.Of32(uint32(h), int32(n)) != r.Of32(uint32(h), int32(m)) {
			moved++
		}
	}
	return float64(moved) / float64(size)
}

// related says why two placements of a key, by different hashes or of different
// bytes, are not as good as independent, or nothing if they are.
//
// A hash that mixes scatters even bytes that differ in one place. The others do
// not: the sum of two CRC-32s of keys of one length depends on where and by what
// the keys differ only, so that a changed prefix moves all keys of a length or
// none. FNV-1a and Java's hash code keep the parity of the bytes in their last
// bit, so that between the two of them every key moves if N and M are even.
func related(a, b *Client) string {
	if a.Hash.Name != b.Hash.Name && family(a.Hash) != family(b.Hash) {
		return ""
	}
	if a.Hash.Name == b.Hash.Name && mixes(a.Hash) {
		return ""
	}
	if a.Hash.Name == b.Hash.Name {
		return fmt.Sprintf("%s does not mix: related keys have related hashes, so the share depends on the keys", a.Hash.Name)
	}
	return fmt.Sprintf("%s and %s are related hashes, so the share depends on the keys", a.Hash.Name, b.Hash.Name)
}

// family names what hashes have in common.
func family(h Hash) string {
	switch name := h.Name; {
	case strings.HasPrefix(name, "murmur3("):
		return "murmur3 of a hash code" // of one number as int and long the same
	case name == fnv1aHash.Name, strings.HasPrefix(name, "javahash"), strings.HasSuffix(name, ".hashCode"):
		return "parity"
	default:
		return name
	}
}

func mixes(h Hash) bool {
	switch h.Name {
	case murmur2Hash.Name, "kafkajs-float", md5Hash.Name, cassandraHash.Name, "murmur3(javahash)":
		return true
	}
	return false
}

// Optimum returns the share of keys that any method must move for loads to be
// even again, in [0, 1): |N−M| / max(N, M). It is 0 if the count stays.
func (c Change) Optimum() float64 {
	n, m := c.From.Partitions, c.To.Partitions
	return float64(max(n, m)-min(n, m)) / float64(max(n, m))
}

// Shrinks reports whether there are fewer partitions after the change.
func (c Change) Shrinks() bool { return c.To.Partitions < c.From.Partitions }

// CleanSplit reports whether M = kN and the keys of a partition split into k that
// receive from no other, whatever the keys are: with a remainder partition p
// feeds exactly p, p+N, …, p+(k−1)N, with ranges kp … kp+k−1. A change that moves
// nothing is a clean split with k = 1. For Flink it is false where the default
// number of key groups changes, though groups may still fall apart neatly.
func (c Change) CleanSplit() bool { return c.clean(c.From.Partitions, c.To.Partitions) }

// clean reports whether the partition among `few` follows from the one among
// `many`, whichever side is which.
func (c Change) clean(few, many int) bool {
	if many%few != 0 || c.From.client().IgnoresKey() || c.To.client().IgnoresKey() {
		return false
	}
	if few == 1 {
		return true
	}
	if f, ok := c.remainders(); ok {
		return f == 1
	}
	if !c.From.Equal(c.To.Mapping) {
		return false
	}
	return c.From.client().Reduction.Name != flinkSubtask.Name || FlinkKeyGroups(few) == FlinkKeyGroups(many)
}

// Split says in words how partitions feed one another, whatever the keys are.
func (c Change) Split() string {
	n, m := c.From.Partitions, c.To.Partitions
	unit := c.To.Client.Unit
	_, remainders := c.remainders()
	switch {
	case c.From.client().IgnoresKey() || c.To.client().IgnoresKey():
		return "records are not placed by their key"
	case n == m && c.CleanSplit():
		return "no key moves"
	case c.CleanSplit() && n == 1:
		return fmt.Sprintf("clean split: %s 0 feeds all", unit)
	case c.CleanSplit() && remainders:
		return fmt.Sprintf("clean split: %s p feeds exactly %s", unit, every("p", n, m/n))
	case c.CleanSplit():
		return fmt.Sprintf("clean split: %s p feeds exactly %s", unit, run("p", m/n))
	case c.clean(m, n) && m == 1:
		return fmt.Sprintf("clean merge: %s 0 receives all", unit)
	case c.clean(m, n) && remainders:
		return fmt.Sprintf("clean merge: %s q receives exactly %s", unit, every("q", m, n/m))
	case c.clean(m, n):
		return fmt.Sprintf("clean merge: %s q receives exactly %s", unit, run("q", n/m))
	case remainders && c.From.Equal(c.To.Mapping):
		each := lcm(n, m)
		return fmt.Sprintf("no clean split: each old %s feeds up to %.0f new ones and each new one is fed by up to %.0f", unit, each/float64(n), each/float64(m))
	}
	return "no clean split"
}

// every spells p, p+n, …, k places.
func every(p string, n, k int) string {
	switch k {
	case 2:
		return fmt.Sprintf("%s and %s+%d", p, p, n)
	case 3:
		return fmt.Sprintf("%s, %s+%d and %s+%d", p, p, n, p, 2*n)
	}
	return fmt.Sprintf("%s, %s+%d, …, %s+%d", p, p, n, p, (k-1)*n)
}

// run spells kp … kp+k-1.
func run(p string, k int) string {
	if k == 2 {
		return fmt.Sprintf("2%s and 2%s+1", p, p)
	}
	return fmt.Sprintf("%d%s … %d%s+%d", k, p, k, p, k-1)
}

// A Reach is a partition count that a change could lead to.
type Reach struct {
	Partitions int
	Expected   float64 // share of keys that move, NaN if no formula is known
	Optimum    float64 // the least possible
	CleanSplit bool
}

// Sweep returns the change to every count above From.Partitions up to largest,
// cheapest first; among equals the smaller count.
func (c Change) Sweep(largest int) []Reach {
	var list []Reach
	for m := c.From.Partitions + 1; m <= largest; m++ {
		c.To.Partitions = m
		expected, _ := c.Expected()
		list = append(list, Reach{m, expected, c.Optimum(), c.CleanSplit()})
	}
	slices.SortStableFunc(list, func(a, b Reach) int { return cmp.Compare(a.Expected, b.Expected) })
	return list
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// lcm is a float64 since the product of two partition counts may need 62 bits;
// the quotients taken of it are exact as long as it is below 2^53.
func lcm(a, b int) float64 { return float64(a/gcd(a, b)) * float64(b) }
