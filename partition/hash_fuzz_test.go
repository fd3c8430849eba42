package partition

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"math"
	"math/big"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/IBM/sarama"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/murmur3"
)

// Every fuzz target here compares with an implementation that shares no code
// with ours: another library, or the definition written another way (bit by bit,
// in exact arithmetic, backwards). Run one with
//
//	go test ./partition -fuzz '^FuzzMurmur2$' -fuzztime 45s

// trapKeys are keys that catch known mistakes: hashes at the edges of int32,
// every length, signed tails, text that is not valid, tags.
func trapKeys() [][]byte {
	var keys [][]byte
	for _, s := range []string{
		"a7d6506c", "3334f6a5", "a5d4305c", "027d5343", "e3871844", "039d77d8", // murmur2
		"4e85ec36", "ffffffff", "9d0ad96d", // crc32
		"c328", "eda080", "f09f98", "ff", "c080", "feff0069", // no UTF-8
	} {
		key, err := hex.DecodeString(s)
		if err != nil {
			panic(err)
		}
		keys = append(keys, key)
	}
	for _, s := range []string{
		"", "21", "foobar", "a-little-bit-long-string", "user-1042",
		"1468509572224", "user-596894489", "user-1289048077", "user-1227980079", "user-5059189685", // fnv1a, crc32
		"polygenelubricants", "TT0124", "thingäöüÄÖÜ", "\U0001F600", "a\x00b", // javahash
		"{user1000}.following", "foo{}{bar}", "foo{{bar}}zap", "foo{bar}{zap}", "{}", "}{a}", // tags
		"123456789", "fd7af248-ce5c-46a5-93d7-1c0c9005b99d",
	} {
		keys = append(keys, []byte(s))
	}
	for length := 1; length <= 40; length++ {
		keys = append(keys, bytes.Repeat([]byte{0x80 + byte(length)}, length))
	}
	return keys
}

// trapCounts are partition counts at which wrong reductions show, and the limits.
var trapCounts = []int{1, 2, 3, 6, 7, 12, 16, 50, 97, 1000, 1024, 1 << 30, MaxPartitions}

// seed adds every trap key, with counts in turn.
func seed(f *testing.F) {
	for i, key := range trapKeys() {
		f.Add(key, uint32(trapCounts[i%len(trapCounts)]))
	}
}

// anyCount makes a partition count of any number.
func anyCount(n uint32) int { return int(n%MaxPartitions) + 1 }

// placer returns a function that checks a client's placement.
func placer(t *testing.T, key []byte, n int) func(client string, want int) {
	return func(client string, want int) {
		t.Helper()
		c, err := Lookup(client)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Place(key, n); got != Placement(want) {
			t.Fatalf("%s, key %x, n=%d: got %v, want %d", client, key, n, got, want)
		}
	}
}

// saramaPartition asks one of sarama's own partitioners.
func saramaPartition(t *testing.T, p sarama.Partitioner, key []byte, n int) int {
	got, err := p.Partition(&sarama.ProducerMessage{Key: sarama.ByteEncoder(key)}, int32(n))
	if err != nil {
		t.Fatal(err)
	}
	return int(got)
}

// franzPartitioner returns franz-go's partitioner of keys.
func franzPartitioner(hasher kgo.PartitionerHasher) func(key []byte, n int) int {
	p := kgo.StickyKeyPartitioner(hasher).ForTopic("t")
	return func(key []byte, n int) int { return p.Partition(&kgo.Record{Key: key}, n) }
}

func FuzzMurmur2(f *testing.F) {
	franz := franzPartitioner(nil)
	murmur2 := sarama.NewMurmur2Partitioner("t")
	seed(f)
	f.Fuzz(func(t *testing.T, key []byte, n uint32) {
		key = append([]byte{}, key...) // never null
		got := Murmur2(key)
		if want := franzMurmur2(key); got != want {
			t.Fatalf("%x: got %08x, franz-go's hash is %08x", key, got, want)
		}
		if want := textbookMurmur2(key); got != want {
			t.Fatalf("%x: got %08x, the definition gives %08x", key, got, want)
		}
		// At 2^31 partitions, where int has room for them, the partition is the
		// masked hash itself.
		if all := uint64(1) << 31; strconv.IntSize > 32 {
			if want := franz(key, int(all)); int(got&0x7fffffff) != want {
				t.Fatalf("%x: masked hash is %08x, franz-go's %08x", key, got&0x7fffffff, want)
			}
		}
		for _, n := range []int{anyCount(n), 1, 2, 97, 1024, MaxPartitions} {
			check := placer(t, key, n)
			check("franz-go", franz(key, n))
			check("sarama-murmur2", saramaPartition(t, murmur2, key, n))
			for _, client := range []string{"java", "librdkafka-murmur2", "kafka-go-murmur2", "kafka-python", "aiokafka", "kafkajs"} {
				check(client, franz(key, n))
			}
		}
	})
}

func FuzzFNV1a(f *testing.F) {
	standard := func(key []byte) uint32 {
		h := fnv.New32a()
		h.Write(key)
		return h.Sum32()
	}
	var (
		hash          = sarama.NewHashPartitioner("t")
		referenceHash = sarama.NewReferenceHashPartitioner("t")
		compatible    = franzPartitioner(kgo.SaramaCompatHasher(standard))
		misnamed      = franzPartitioner(kgo.SaramaHasher(standard))
	)
	seed(f)
	f.Fuzz(func(t *testing.T, key []byte, n uint32) {
		key = append([]byte{}, key...)
		if got, want := FNV1a(key), standard(key); got != want {
			t.Fatalf("%x: got %08x, want %08x", key, got, want)
		}
		for _, n := range []int{anyCount(n), 3, 12, 97, 1024} {
			check := placer(t, key, n)
			absolute := saramaPartition(t, hash, key, n)
			check("sarama", absolute)
			check("kafka-go-hash", absolute)
			check("librdkafka-fnv1a", absolute)
			check("sarama", compatible(key, n))
			reference := saramaPartition(t, referenceHash, key, n)
			check("sarama-reference", reference)
			check("kafka-go-reference", reference)
			if math.MaxInt > math.MaxUint32 { // the preset is its answer on 64-bit platforms
				check("franz-go-sarama-hasher", misnamed(key, n))
			}
		}
	})
}

// bitwiseCRC32 is CRC-32 (IEEE, reflected) one bit at a time.
func bitwiseCRC32(key []byte) uint32 {
	crc := uint32(math.MaxUint32)
	for _, b := range key {
		for bit := range 8 {
			feedback := crc&1 ^ uint32(b)>>bit&1
			crc >>= 1
			if feedback == 1 {
				crc ^= 0xedb88320
			}
		}
	}
	return ^crc
}

func FuzzCRC32(f *testing.F) {
	consistent := sarama.NewConsistentCRCHashPartitioner("t")
	seed(f)
	f.Fuzz(func(t *testing.T, key []byte, n uint32) {
		key = append([]byte{}, key...)
		hash := bitwiseCRC32(key)
		if d := crc32Hash.Sum(key); d != (Digest{Lo: uint64(hash)}) {
			t.Fatalf("%x: got %08x, want %08x", key, d.Lo, hash)
		}
		for _, n := range []int{anyCount(n), 7, 840} {
			check := placer(t, key, n)
			want := int(int64(hash) % int64(n))
			check("sarama-crc32", saramaPartition(t, consistent, key, n))
			for _, client := range []string{"sarama-crc32", "librdkafka-consistent", "kafka-go-crc32-consistent", "ruby-kafka"} {
				check(client, want) // the hash of the empty key is 0
			}
			if len(key) > 0 {
				check("librdkafka", want)
				check("kafka-go-crc32", want)
			}
		}
	})
}

// polynomial returns the sum of units[i]·31^(last-i), wrapping: the definition in
// the documentation of String.hashCode, summed from the end.
func polynomial[T byte | uint16](units []T) uint32 {
	var sum int32
	power := int32(1)
	for _, unit := range slices.Backward(units) {
		sum += int32(unit) * power
		power *= 31
	}
	return uint32(sum)
}

func FuzzJavaStringHash(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, key []byte, n uint32) {
		if got, want := pulsarGoHash(key), polynomial(key); got != want {
			t.Fatalf("pulsar-go, %x: got %08x, want %08x", key, got, want)
		}
		if !utf8.Valid(key) {
			return // not a Java string: refused before hashing
		}
		want := polynomial(utf16.Encode([]rune(string(key))))
		if got := javaStringHash(key); got != want {
			t.Fatalf("%q: got %08x, want %08x", key, got, want)
		}
	})
}

// A double is a JavaScript number that happens to be whole: every operation is
// done exactly and then rounded to 53 bits, ties to even.
type double struct{ *big.Float }

func newDouble(i int64) double {
	return double{new(big.Float).SetPrec(53).SetMode(big.ToNearestEven).SetInt64(i)}
}

func (a double) times(b double) double {
	return double{new(big.Float).SetPrec(53).SetMode(big.ToNearestEven).Mul(a.Float, b.Float)}
}

func (a double) plus(b double) double {
	return double{new(big.Float).SetPrec(53).SetMode(big.ToNearestEven).Add(a.Float, b.Float)}
}

// int32 is ToInt32 of ECMAScript: truncate, modulo 2^32, read as signed.
func (a double) int32() int32 {
	i, _ := a.Int(nil)
	i.Mod(i, big.NewInt(1<<32)) // Euclidean: 0…2^32-1
	return int32(uint32(i.Uint64()))
}

func (a double) xor(b int32) double { return newDouble(int64(a.int32() ^ b)) }

// unsignedShift is a >>> n.
func (a double) unsignedShift(n uint) int32 { return int32(uint32(a.int32()) >> n) }

// exactKafkaJS is KafkaJS's legacy hash in these numbers.
func exactKafkaJS(key []byte) uint32 {
	m := newDouble(0x5bd1e995)
	unit := func(i int) int32 {
		if i >= len(key) {
			return 0
		}
		return int32(key[i])
	}
	h := newDouble(-1756908916).xor(int32(len(key)))    // 0x9747b28c as int32
	for i := 0; float64(i) < float64(len(key))/4; i++ { // not floored
		k := newDouble(0)
		for j := range 4 {
			k = k.plus(newDouble(int64(unit(4*i+j) << (8 * j))))
		}
		k = k.times(m)
		k = k.xor(k.unsignedShift(24))
		k = k.times(m)
		h = h.times(m)
		h = h.xor(k.int32())
	}
	rest := len(key) % 4
	for j := rest - 1; j >= 0; j-- {
		h = h.xor(unit(len(key)-rest+j) << (8 * j))
	}
	if rest > 0 {
		h = h.times(m)
	}
	h = h.xor(h.unsignedShift(13))
	h = h.times(m)
	return uint32(h.xor(h.unsignedShift(15)).int32())
}

func FuzzKafkaJSFloat(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, key []byte, n uint32) {
		if len(key) > 1<<12 {
			key = key[:1<<12] // exact arithmetic is slow
		}
		key = append([]byte{}, key...)
		want := exactKafkaJS(key)
		if got := kafkaJSFloat(key); got != want {
			t.Fatalf("%x: got %d, want %d", key, int32(got), int32(want))
		}
		placer(t, key, anyCount(n))("kafkajs-legacy", int(want&0x7fffffff)%anyCount(n))
	})
}

// signedMurmur3 is the first half of MurmurHash3 x64 128 in int64, laid out as
// Cassandra's Java code is, in which bytes are signed when the tail is gathered.
// With signed false it is the published algorithm, which twmb/murmur3 checks.
func signedMurmur3(key []byte, signed bool) int64 {
	var c1, c2 uint64 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	var h1, h2 int64
	rotate := func(v int64, n int) int64 { return v<<n | int64(uint64(v)>>(64-n)) }
	first := func(k int64) int64 { return rotate(k*int64(c1), 31) * int64(c2) }
	second := func(k int64) int64 { return rotate(k*int64(c2), 33) * int64(c1) }
	at := func(i int) int64 {
		if signed && i >= len(key)&^15 {
			return int64(int8(key[i]))
		}
		return int64(key[i])
	}
	gather := func(from, to int) (k int64) {
		for i := to - 1; i >= from; i-- {
			k ^= at(i) << (8 * (i - from))
		}
		return k
	}
	block := 0
	for ; block+16 <= len(key); block += 16 {
		h1 ^= first(gather(block, block+8))
		h1 = (rotate(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= second(gather(block+8, block+16))
		h2 = (rotate(h2, 31)+h1)*5 + 0x38495ab5
	}
	half := min(block+8, len(key))
	h2 ^= second(gather(half, len(key)))
	h1 ^= first(gather(block, half))

	mix := func(v int64) int64 {
		var m1, m2 uint64 = 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53
		v ^= int64(uint64(v) >> 33)
		v *= int64(m1)
		v ^= int64(uint64(v) >> 33)
		v *= int64(m2)
		return v ^ int64(uint64(v)>>33)
	}
	h1 ^= int64(len(key))
	h2 ^= int64(len(key))
	h1 += h2
	h2 += h1
	return mix(h1) + mix(h2)
}

func FuzzCassandraToken(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, key []byte, n uint32) {
		published, _ := murmur3.Sum128(key)
		if got := signedMurmur3(key, false); got != int64(published) {
			t.Fatalf("%x: this test's own murmur3 gives %d, twmb/murmur3 %d", key, got, int64(published))
		}
		got := cassandraToken(key)
		want := signedMurmur3(key, true)
		switch {
		case len(key) == 0:
			want = math.MinInt64
		case want == math.MinInt64:
			want = math.MaxInt64
		case !slices.ContainsFunc(key[len(key)&^15:], func(b byte) bool { return b >= 0x80 }):
			if want != int64(published) {
				t.Fatalf("%x: no signed tail byte, but %d is not the published %d", key, want, int64(published))
			}
		}
		if got != want {
			t.Fatalf("%x: got %d, want %d", key, got, want)
		}
		nodes := new(big.Int).Add(big.NewInt(want), new(big.Int).Lsh(big.NewInt(1), 63))
		nodes.Mul(nodes, big.NewInt(int64(anyCount(n)))).Rsh(nodes, 64)
		placer(t, append([]byte{}, key...), anyCount(n))("cassandra", int(nodes.Int64()))
	})
}

// bitwiseCRC16 is CRC-16/XMODEM as a division of polynomials, one bit at a time,
// with the sixteen zero bits at the end written out.
func bitwiseCRC16(data []byte) uint16 {
	var remainder uint32
	for _, b := range append(slices.Clone(data), 0, 0) {
		for bit := 7; bit >= 0; bit-- {
			remainder = remainder<<1 | uint32(b)>>bit&1
			if remainder&0x10000 != 0 {
				remainder ^= 0x11021
			}
		}
	}
	return uint16(remainder)
}

var tagPattern = regexp.MustCompile(`(?s)^[^{]*\{([^}]+)\}`)

func FuzzRedisSlot(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, key []byte, n uint32) {
		tag := key
		if match := tagPattern.FindSubmatch(key); match != nil {
			tag = match[1]
		}
		want := uint32(bitwiseCRC16(tag) % 16384)
		if got := redisSlot(key); got != want {
			t.Fatalf("%q, tag %q: got slot %d, want %d", key, tag, got, want)
		}
		node := int(uint64(want) * uint64(anyCount(n)) / 16384)
		placer(t, append([]byte{}, key...), anyCount(n))("redis-cluster", node)
	})
}

// exactShard is the definition of evenRanges in exact arithmetic.
func exactShard(d *big.Int, n int) int {
	width := new(big.Int).Lsh(big.NewInt(1), 128)
	width.Div(width, big.NewInt(int64(n)))
	shard := new(big.Int).Div(d, width)
	if last := big.NewInt(int64(n - 1)); shard.Cmp(last) > 0 {
		shard = last
	}
	return int(shard.Int64())
}

func FuzzEvenRanges(f *testing.F) {
	for _, n := range []uint32{0, 1, 2, 6, 9, MaxPartitions - 1, 1 << 30, 12345678} {
		f.Add(uint64(0), uint64(0), n)
		f.Add(uint64(math.MaxUint64), uint64(math.MaxUint64), n)
		f.Add(uint64(1)<<63, uint64(0), n)
		f.Add(uint64(0x5555555555555555), uint64(0x5555555555555555), n)
	}
	f.Fuzz(func(t *testing.T, hi, lo uint64, random uint32) {
		limit := new(big.Int).Lsh(big.NewInt(1), 128)
		for _, n := range []int{anyCount(random), 1, 2, 3, 7, MaxPartitions} {
			d := Digest{Hi: hi, Lo: lo}
			digests := []*big.Int{d.Big(), new(big.Int).Sub(limit, big.NewInt(1))}
			// Both sides of the border of a shard, of the last one too.
			width := new(big.Int).Div(limit, big.NewInt(int64(n)))
			for _, k := range []int64{int64(hi % uint64(n)), int64(n - 1), int64(n)} {
				border := new(big.Int).Mul(width, big.NewInt(k))
				digests = append(digests, border, new(big.Int).Sub(border, big.NewInt(1)))
			}
			for _, want := range digests {
				if want.Sign() < 0 || want.Cmp(limit) >= 0 {
					continue
				}
				var d Digest
				d.Lo = new(big.Int).And(want, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
				d.Hi = new(big.Int).Rsh(want, 64).Uint64()
				if got, want := evenRanges.Reduce(d, n), exactShard(want, n); got != want {
					t.Fatalf("%016x%016x among %d shards: got %d, want %d", d.Hi, d.Lo, n, got, want)
				}
			}
		}
	})
}

// keyGroups restates Flink's default maximum parallelism as a search: the
// smallest power of two from 128 on that reaches one and a half times the
// parallelism, but no more than 32768.
func keyGroups(parallelism int) int {
	groups := 128
	for groups < 32768 && groups < parallelism+parallelism/2 {
		groups *= 2
	}
	return groups
}

func FuzzFlink(f *testing.F) {
	seed(f)
	for _, parallelism := range []uint32{84, 85, 170, 341, 21845, 32767, 32768} {
		f.Add([]byte("user-1042"), parallelism)
	}
	f.Fuzz(func(t *testing.T, key []byte, n uint32) {
		parallelism := anyCount(n)
		groups := keyGroups(parallelism)
		if got := FlinkKeyGroups(parallelism); got != groups {
			t.Fatalf("parallelism %d: got %d key groups, want %d", parallelism, got, groups)
		}
		if len(key) == 0 || !utf8.Valid(key) {
			return
		}
		// Flink's hash of an int is MurmurHash3 of its four bytes, little-endian.
		code := polynomial(utf16.Encode([]rune(string(key))))
		hash := int32(murmur3.Sum32(binary.LittleEndian.AppendUint32(nil, code)))
		switch {
		case hash == math.MinInt32:
			hash = 0
		case hash < 0:
			hash = -hash
		}
		if got := flinkHash(code); got != uint32(hash) {
			t.Fatalf("hash code %d: got %d, want %d", int32(code), got, hash)
		}
		hi, lo := bits.Mul64(uint64(int(hash)%groups), uint64(parallelism))
		subtask, _ := bits.Div64(hi, lo, uint64(groups))
		placer(t, key, parallelism)("flink", int(subtask))
	})
}

// FuzzPlace asks every client for every kind of key: it must not panic, a
// decided placement must be in range, and hashing once and reducing later must
// give the same. Clients of Java objects are asked as they take text, an Integer,
// a Long and a UUID.
func FuzzPlace(f *testing.F) {
	for i, key := range trapKeys() {
		f.Add(key, i%7 == 0, uint32(trapCounts[i%len(trapCounts)]-1))
	}
	clients := Clients()
	for _, c := range Clients() {
		for _, e := range []KeyEncoding{Int32, Int64, UUID} {
			if object := c.ForEncoding(e); object != c {
				clients = append(clients, object)
			}
		}
	}
	f.Add([]byte{0x80, 0, 0, 0}, false, uint32(11))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0x22, 0x7f}, false, uint32(11))
	f.Fuzz(func(t *testing.T, key []byte, null bool, random uint32) {
		if key = append([]byte{}, key...); null {
			key = nil
		}
		for _, n := range []int{anyCount(random), 1, 12, MaxPartitions} {
			for _, c := range clients {
				got := c.Place(key, n)
				if p, ok := got.Partition(); ok && (p < 0 || p >= n) {
					t.Fatalf("%s, key %x, n=%d: partition %d is out of range", c.Name, key, n, p)
				}
				d, rule := c.Digest(key)
				if later := c.Settle(d, rule, n); got != later {
					t.Fatalf("%s, key %x, n=%d: Place gives %v, Digest and Settle %v", c.Name, key, n, got, later)
				}
				if rule != Hashed {
					if d != (Digest{}) || got.Decided() != (rule == PartitionZero) {
						t.Fatalf("%s, key %x, n=%d: digest %v, placement %v for a key that is %v", c.Name, key, n, d, got, rule)
					}
					continue
				}
				if bits.Len64(d.Hi) > max(0, c.Hash.Bits-64) || c.Hash.Bits < 64 && bits.Len64(d.Lo) > c.Hash.Bits {
					t.Fatalf("%s, key %x: digest %v is wider than %d bits", c.Name, key, d, c.Hash.Bits)
				}
				if c.Hash.Sum32 != nil {
					if d != (Digest{Lo: uint64(c.Hash.Sum32(key))}) {
						t.Fatalf("%s, key %x: Sum and Sum32 differ", c.Name, key)
					}
				}
				if c.Reduction.Of32 != nil {
					if narrow := c.Reduction.Of32(uint32(d.Lo), int32(n)); narrow != c.Reduce(d, n) {
						t.Fatalf("%s, key %x, n=%d: Of32 gives %d, Reduce %d", c.Name, key, n, narrow, c.Reduce(d, n))
					}
				}
			}
		}
	})
}
