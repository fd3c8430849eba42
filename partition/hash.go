package partition

import (
	"hash/crc32"
)

// A Hash turns key bytes into a [Digest].
type Hash struct {
	Name  string                  // murmur2, crc32, fnv1a, …
	Bits  int                     // width of the digest: 14 (Redis slots), 32, 64 or 128
	Sum   func(key []byte) Digest // never fails; keys the client refuses are not hashed
	Sum32 func(key []byte) uint32 // the same for a hash of up to 32 bits; nil for wider ones
}

// word makes a Hash of a function with up to 32 bits.
func word(name string, bits int, sum32 func(key []byte) uint32) Hash {
	return Hash{
		Name:  name,
		Bits:  bits,
		Sum32: sum32,
		Sum:   func(key []byte) Digest { return Digest{Lo: uint64(sum32(key))} },
	}
}

var (
	murmur2Hash = word("murmur2", 32, Murmur2)
	crc32Hash   = word("crc32", 32, crc32.ChecksumIEEE)
	fnv1aHash   = word("fnv1a", 32, FNV1a)
)

// FNV1a returns the 32-bit Fowler–Noll–Vo hash (variant 1a) of key: offset
// basis 0x811c9dc5, prime 0x01000193.
func FNV1a(key []byte) uint32 {
	const prime = 0x01000193
	h := uint32(0x811c9dc5)
	for _, b := range key {
		h = (h ^ uint32(b)) * prime
	}
	return h
}
