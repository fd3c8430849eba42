package partition

import "encoding/binary"

// Constants of Kafka's MurmurHash2. The seed and the two mixing constants are
// those of org.apache.kafka.common.utils.Utils.murmur2.
const (
	murmur2Seed = 0x9747b28c
	murmur2M    = 0x5bd1e995
	murmur2R    = 24
)

// Murmur2 returns the 32-bit MurmurHash2 of key as Kafka's Java client computes
// it: seed 0x9747b28c, little-endian words, unsigned tail bytes. The client's
// partition is this value with its top bit cleared, modulo the partition count.
// [Murmur2Batch] is the same for many keys.
//
// Source: Kafka, clients/src/main/java/org/apache/kafka/common/utils/Utils.java.
func Murmur2(key []byte) uint32 {
	h := murmur2Seed ^ uint32(len(key))
	last := len(key) - 4
	if last < 0 {
		return murmur2Short(h, key)
	}
	i := 0
	for ; i <= last-4; i += 8 { // two words at a time
		pair := binary.LittleEndian.Uint64(key[i : i+8])
		h = murmur2Mix(murmur2Mix(h, uint32(pair)), uint32(pair>>32))
	}
	if i <= last {
		h = murmur2Mix(h, binary.LittleEndian.Uint32(key[i:i+4]))
	}
	// The one to three bytes that are left are the top of the last four.
	if tail := uint(len(key)) & 3; tail != 0 {
		h ^= binary.LittleEndian.Uint32(key[last:]) >> (32 - 8*tail)
		h *= murmur2M
	}
	return murmur2Final(h)
}

// murmur2Short finishes the hash of a key of fewer than four bytes.
func murmur2Short(h uint32, key []byte) uint32 {
	for i, b := range key {
		h ^= uint32(b) << (8 * i)
	}
	if len(key) > 0 {
		h *= murmur2M
	}
	return murmur2Final(h)
}

// murmur2Mix mixes one word of a key into the hash.
func murmur2Mix(h, word uint32) uint32 {
	word *= murmur2M
	word ^= word >> murmur2R
	return h*murmur2M ^ word*murmur2M
}

// murmur2Final is the mix at the end.
func murmur2Final(h uint32) uint32 {
	h ^= h >> 13
	h *= murmur2M
	return h ^ h>>15
}
