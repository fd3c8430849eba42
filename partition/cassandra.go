package partition

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// cassandraHash is the token of Cassandra's Murmur3Partitioner, as an unsigned
// 64-bit pattern.
var cassandraHash = Hash{Name: "murmur3-cassandra", Bits: 64, Sum: func(key []byte) Digest {
	return Digest{Lo: uint64(cassandraToken(key))}
}}

// cassandraToken returns the token of a partition key: the first half of
// MurmurHash3 x64 128 with seed 0, in which the tail bytes are signed, so that a
// tail byte of 0x80 or more gives another value than the published hash. The
// server maps the empty key to the minimum token, and moves a key that hashes to
// the minimum to the maximum.
//
// Source: Cassandra, utils/MurmurHash.java and dht/Murmur3Partitioner.java; the
// signed tail: https://github.com/apache/cassandra-gocql-driver/issues/1033.
func cassandraToken(key []byte) int64 {
	if len(key) == 0 {
		return math.MinInt64
	}
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	var h1, h2 uint64
	length := uint64(len(key))

	for len(key) >= 16 {
		k1 := binary.LittleEndian.Uint64(key)
		k2 := binary.LittleEndian.Uint64(key[8:])
		h1 ^= bits.RotateLeft64(k1*c1, 31) * c2
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= bits.RotateLeft64(k2*c2, 33) * c1
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
		key = key[16:]
	}

	var k1, k2 uint64
	for i, b := range key {
		signed := uint64(int64(int8(b)))
		if i < 8 {
			k1 ^= signed << (8 * i)
		} else {
			k2 ^= signed << (8 * (i - 8))
		}
	}
	h2 ^= bits.RotateLeft64(k2*c2, 33) * c1
	h1 ^= bits.RotateLeft64(k1*c1, 31) * c2

	h1 ^= length
	h2 ^= length
	h1 += h2
	h2 += h1
	h1 = fmix64(h1) + fmix64(h2)
	if int64(h1) == math.MinInt64 {
		return math.MaxInt64
	}
	return int64(h1)
}

// fmix64 is the final mix of MurmurHash3 x64 128.
func fmix64(k uint64) uint64 {
	k ^= k >> 33
	k *= 0xff51afd7ed558ccd
	k ^= k >> 33
	k *= 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}

// evenTokens gives each of n nodes an equal range of tokens, from the smallest
// token on. Real rings place nodes by configuration; this is our convention.
var evenTokens = Reduction{
	Name:    "even-tokens",
	Formula: "((token + 2^63)·n) >> 64",
	Reduce: func(d Digest, n int) int {
		hi, _ := bits.Mul64(d.Lo+1<<63, uint64(n))
		return int(hi)
	},
}
