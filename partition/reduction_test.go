package partition

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// An edgeKey is a key whose hash is at an edge of int32, found by brute force,
// with the partition among 12 that each client gives it. Most other keys cannot
// tell the reductions apart.
type edgeKey struct {
	key  string // text, or
	hex  string // bytes in hexadecimal
	hash Hash
	sum  uint32
	want map[string]int // client → partition among 12
}

func (e edgeKey) bytes(t *testing.T) []byte {
	if e.hex == "" {
		return []byte(e.key)
	}
	key, err := hex.DecodeString(e.hex)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

var javaHash = word("javahash", 32, javaStringHash)

var edgeKeys = []edgeKey{
	{hex: "a7d6506c", hash: murmur2Hash, sum: 0x80000000, want: map[string]int{"java": 0, "unmasked-murmur2": 8}},
	{hex: "3334f6a5", hash: murmur2Hash, sum: 0x80000001, want: map[string]int{"java": 1, "unmasked-murmur2": 9}},
	{hex: "a5d4305c", hash: murmur2Hash, sum: 0xffffffff, want: map[string]int{"java": 7, "unmasked-murmur2": 3}},
	{hex: "027d5343", hash: murmur2Hash, sum: 0x7fffffff, want: map[string]int{"java": 7, "unmasked-murmur2": 7}},
	{hex: "e3871844", hash: murmur2Hash, sum: 0, want: map[string]int{"java": 0, "unmasked-murmur2": 0}},
	{hex: "039d77d8", hash: murmur2Hash, sum: 1, want: map[string]int{"java": 1, "unmasked-murmur2": 1}},
	{key: "1468509572224", hash: fnv1aHash, sum: 0x80000000, want: map[string]int{
		"sarama": 8, "sarama-reference": 0, "librdkafka-fnv1a": 8, "librdkafka-fnv1a-random": 8,
		"kafka-go-hash": 8, "kafka-go-reference": 0, "franz-go-sarama-hasher": 8,
	}},
	{key: "user-596894489", hash: fnv1aHash, sum: 0xffffffff, want: map[string]int{
		"sarama": 1, "sarama-reference": 7, "librdkafka-fnv1a": 1, "librdkafka-fnv1a-random": 1,
		"kafka-go-hash": 1, "kafka-go-reference": 7, "franz-go-sarama-hasher": 3,
	}},
	{key: "user-1289048077", hash: fnv1aHash, sum: 0x7fffffff, want: map[string]int{
		"sarama": 7, "sarama-reference": 7, "librdkafka-fnv1a": 7, "franz-go-sarama-hasher": 7,
	}},
	{key: "user-1227980079", hash: fnv1aHash, sum: 0, want: map[string]int{
		"sarama": 0, "sarama-reference": 0, "librdkafka-fnv1a": 0, "franz-go-sarama-hasher": 0,
		"pulsar-java": 9, "pulsar-go": 5, // of its Java hash
	}},
	{hex: "4e85ec36", hash: crc32Hash, sum: 0x80000000, want: map[string]int{"librdkafka": 8, "sarama-crc32": 8, "kafka-go-crc32": 8, "ruby-kafka": 8}},
	{hex: "ffffffff", hash: crc32Hash, sum: 0xffffffff, want: map[string]int{"librdkafka": 3, "sarama-crc32": 3, "kafka-go-crc32": 3, "ruby-kafka": 3}},
	{hex: "9d0ad96d", hash: crc32Hash, sum: 0, want: map[string]int{"librdkafka": 0, "sarama-crc32": 0}},
	{key: "user-5059189685", hash: crc32Hash, sum: 0, want: map[string]int{"librdkafka": 0, "sarama-crc32": 0}},
	{key: "polygenelubricants", hash: javaHash, sum: 0x80000000, want: map[string]int{"spring-hashcode": 0, "pulsar-java": 0}},
	{key: "TT0124", hash: javaHash, sum: negative(1811064189), want: map[string]int{"spring-hashcode": 9, "pulsar-java": 11}},
}

// negative returns -i as the bits of an int32.
func negative(i uint32) uint32 { return -i }

func TestEdgeKeys(t *testing.T) {
	for _, edge := range edgeKeys {
		key := edge.bytes(t)
		if got := edge.hash.Sum32(key); got != edge.sum {
			t.Errorf("%s of %q: got %08x, want %08x", edge.hash.Name, key, got, edge.sum)
		}
		for client, want := range edge.want {
			c, err := Lookup(client)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Place(key, 12); got != Placement(want) {
				t.Errorf("%s, %q (%s %08x): got %v, want %d", client, key, edge.hash.Name, edge.sum, got, want)
			}
		}
	}
	// crc32 with the reduction of sarama's custom partitioner is another mapping.
	if got := absAfter.Of32(0xffffffff, 12); got != 1 {
		t.Errorf("abs-after of ffffffff: got %d, want 1", got)
	}
}

// words are the reductions of a 32-bit hash that clients use.
var words = []Reduction{mask, unsigned, absAfter, absBefore, zeroMinAbs}

// equal reports whether two reductions are the same function.
func equal(a, b Reduction) bool {
	same := func(r Reduction) string {
		if r.Name == absBefore.Name {
			return absAfter.Name
		}
		return r.Name
	}
	return same(a) == same(b)
}

// TestEdgeKeysCatchWrongReductions gives each client each other client's
// reduction and requires that an edge key notices.
func TestEdgeKeysCatchWrongReductions(t *testing.T) {
	checked := 0
	for _, c := range Clients() {
		for _, wrong := range words {
			if c.Reduction.Of32 == nil || equal(c.Reduction, wrong) {
				continue
			}
			rows, noticed := 0, false
			for _, edge := range edgeKeys {
				if want, ok := edge.want[c.Name]; ok {
					rows++
					noticed = noticed || wrong.Of32(c.Hash.Sum32(edge.bytes(t)), 12) != want
				}
			}
			if rows > 1 {
				checked++
				if !noticed {
					t.Errorf("%s with %s instead of %s: no edge key shows it", c.Name, wrong.Name, c.Reduction.Name)
				}
			}
		}
	}
	if checked < 40 {
		t.Errorf("only %d pairs of client and wrong reduction were checked", checked)
	}
}

// TestWhatCountsCanShow says which partition counts reveal which mistake, so
// that nobody tests on powers of two alone: 1 and 2 hide every one, other powers
// of two hide a missing mask, and keys with a non-negative hash hide all.
func TestWhatCountsCanShow(t *testing.T) {
	const keys = 400
	random := rand.New(rand.NewPCG(7, 7))
	groups := []struct {
		name   string
		counts []int32
	}{
		{"1, 2", []int32{1, 2}},
		{"powers of two", []int32{4, 8, 16, 64, 128, 1024}},
		{"others", []int32{3, 6, 7, 10, 12, 24, 50, 97, 100, 1000, 10000}},
	}
	for _, mistake := range []struct {
		right, wrong Reduction
		hidden       string // a group that cannot show it, besides 1 and 2
	}{
		{mask, unsigned, "powers of two"},
		{mask, absAfter, ""},
		{absAfter, mask, ""},
		{absAfter, unsigned, ""},
		{unsigned, absAfter, ""},
		{zeroMinAbs, mask, ""},
	} {
		for _, group := range groups {
			for _, n := range group.counts {
				negative, shown := 0, 0
				for range keys {
					h := random.Uint32()
					differs := mistake.right.Of32(h, n) != mistake.wrong.Of32(h, n)
					if h < 1<<31 {
						if differs {
							t.Fatalf("%s and %s differ for %08x, n=%d, which is not negative", mistake.right.Name, mistake.wrong.Name, h, n)
						}
						continue
					}
					negative++
					if differs {
						shown++
					}
				}
				hidden := group.name == "1, 2" || group.name == mistake.hidden
				// An absolute value coincides for few negative hashes at large counts,
				// for half of them at n = 4; a missing mask never does.
				enough := negative / 3
				if mistake.right.Name == mask.Name && mistake.wrong.Name == unsigned.Name {
					enough = negative
				}
				if hidden && shown != 0 || !hidden && shown < enough {
					t.Errorf("%s for %s, n=%d: differs for %d of %d negative hashes, hidden: %v (random seed 7,7)",
						mistake.wrong.Name, mistake.right.Name, n, shown, negative, hidden)
				}
			}
		}
	}
}

// TestNaiveAbs shows why no client's reduction is a plain absolute value: it is
// not defined for one hash.
func TestNaiveAbs(t *testing.T) {
	h := int32(math.MinInt32)
	if h < 0 {
		h = -h
	}
	if p := h % 12; p >= 0 {
		t.Errorf("|-2^31| rem 12 = %d; expected a negative partition", p)
	}
}

// edgeHashes and edgeCounts are added to random ones.
var (
	edgeHashes = []uint32{0, 1, 2, 1<<31 - 2, 1<<31 - 1, 1 << 31, 1<<31 + 1, math.MaxUint32 - 1, math.MaxUint32}
	edgeCounts = []int32{1, 2, 3, 6, 7, 12, 16, 97, 1 << 14, 1<<14 + 1, 1 << 30, math.MaxInt32 - 1, math.MaxInt32}
)

func drawHash(t *rapid.T) uint32 {
	return rapid.OneOf(rapid.SampledFrom(edgeHashes), rapid.Uint32()).Draw(t, "hash")
}

func drawCount(t *rapid.T) int32 {
	return rapid.OneOf(rapid.SampledFrom(edgeCounts), rapid.Int32Min(1)).Draw(t, "n")
}

func TestAbsBeforeEqualsAbsAfter(t *testing.T) {
	check := func(h uint32, n int32) error {
		if before, after := absBefore.Of32(h, n), absAfter.Of32(h, n); before != after {
			return fmt.Errorf("%08x, n=%d: abs-before gives %d, abs-after %d", h, n, before, after)
		}
		return nil
	}
	for _, h := range edgeHashes {
		for _, n := range edgeCounts {
			if err := check(h, n); err != nil {
				t.Error(err)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if err := check(drawHash(t), drawCount(t)); err != nil {
			t.Fatal(err)
		}
	})
}

func TestMaskEqualsUnsignedForPowersOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHash(t)
		for n := int32(1); n > 0; n <<= 1 {
			if a, b := mask.Of32(h, n), unsigned.Of32(h, n); a != b {
				t.Fatalf("%08x, n=%d: mask gives %d, unsigned %d", h, n, a, b)
			}
		}
	})
}

// TestReductionsByDefinition compares each with its formula in wide integers.
func TestReductionsByDefinition(t *testing.T) {
	abs := func(i int64) int64 { return max(i, -i) }
	rapid.Check(t, func(t *rapid.T) {
		h, n := drawHash(t), drawCount(t)
		i, u, wide := int64(int32(h)), int64(h), int64(n)
		spring := abs(i) % wide
		if i == math.MinInt32 {
			spring = 0
		}
		for _, c := range []struct {
			r    Reduction
			want int64
		}{
			{mask, u % (1 << 31) % wide},
			{unsigned, u % wide},
			{absAfter, abs(i % wide)},
			{absBefore, abs(i) % wide},
			{zeroMinAbs, spring},
		} {
			if got := c.r.Of32(h, n); int64(got) != c.want {
				t.Fatalf("%s of %08x, n=%d: got %d, want %d", c.r.Name, h, n, got, c.want)
			}
		}
	})
}

// TestPlacementsAreInRange takes every client's reduction over the whole range of
// its digest.
func TestPlacementsAreInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawCount(t)
		word := rapid.OneOf(rapid.SampledFrom([]uint64{0, 1, math.MaxInt64, 1 << 63, math.MaxUint64}), rapid.Uint64())
		hi, lo := word.Draw(t, "hi"), word.Draw(t, "lo")
		for _, c := range Clients() {
			if c.IgnoresKey() {
				continue
			}
			d := Digest{Hi: hi, Lo: lo}
			if c.Hash.Bits < 128 {
				d.Hi = 0
			}
			if c.Hash.Bits < 64 {
				d.Lo &= 1<<c.Hash.Bits - 1
			}
			if p := c.Reduce(d, int(n)); p < 0 || p >= int(n) {
				t.Fatalf("%s, digest %x, n=%d: partition %d is out of range", c.Name, d, n, p)
			}
		}
	})
}

func TestCountsOutOfRangePanic(t *testing.T) {
	java, err := Lookup("java")
	if err != nil {
		t.Fatal(err)
	}
	beyond := uint64(MaxPartitions) + 1 // negative where int has 32 bits
	for _, n := range []int{math.MinInt, -1, 0, int(beyond)} {
		if CheckCount(n) == nil {
			t.Errorf("CheckCount(%d) allows it", n)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Place with n=%d did not panic", n)
				}
			}()
			java.Place([]byte("key"), n)
		}()
	}
}

// TestFlinkKeyGroups asserts the default maximum parallelism at the values where
// it steps.
func TestFlinkKeyGroups(t *testing.T) {
	for parallelism, want := range map[int]int{
		1: 128, 2: 128, 85: 128, 86: 256, 170: 256, 171: 256, 172: 512, 341: 512, 342: 1024,
		21845: 32768, 21846: 32768, 32768: 32768, MaxPartitions: 32768,
	} {
		if got := FlinkKeyGroups(parallelism); got != want {
			t.Errorf("parallelism %d: got %d, want %d", parallelism, got, want)
		}
	}
}
