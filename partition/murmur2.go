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
//
// Source: Kafka, clients/src/main/java/org/apache/kafka/common/utils/Utils.java.
func Murmur2(key []byte) uint32 {
	h := murmur2Seed ^ uint32(len(key))
	for len(key) >= 4 {
		k := binary.LittleEndian.Uint32(key) * murmur2M
		k ^= k >> murmur2R
		h = h*murmur2M ^ k*murmur2M
		key = key[4:]
	}
	switch len(key) {
	case 3:
		h ^= uint32(key[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(key[1]) << 8
		fallthrough
	case 1:
		h ^= uint32(key[0])
		h *= murmur2M
	}
	h ^= h >> 13
	h *= murmur2M
	return h ^ h>>15
}
