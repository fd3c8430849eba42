package partition

import "math/bits"

// Bounds of Flink's default maximum parallelism.
const (
	flinkMinKeyGroups = 1 << 7
	flinkMaxKeyGroups = 1 << 15
)

// flinkHash returns the non-negative number whose remainder by the maximum
// parallelism is the key group: MurmurHash3 (x86, 32 bit) of the one int that
// is the key object's hash code, made non-negative.
//
// Source: Flink, MathUtils.murmurHash and KeyGroupRangeAssignment.
func flinkHash(hashCode uint32) uint32 {
	k := hashCode * 0xcc9e2d51
	k = bits.RotateLeft32(k, 15) * 0x1b873593
	h := bits.RotateLeft32(k, 13)*5 + 0xe6546b64
	h ^= 4 // length in bytes
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	h ^= h >> 16
	switch i := int32(h); {
	case i >= 0:
		return h
	case i != -1<<31:
		return uint32(-i)
	default:
		return 0
	}
}

// FlinkKeyGroups returns the number of key groups (the maximum parallelism)
// that Flink chooses for an operator of the given parallelism: the next power of
// two at or above one and a half times it, held in 128…32768.
func FlinkKeyGroups(parallelism int) int {
	want := uint64(parallelism) + uint64(parallelism)/2
	return int(min(max(uint64(1)<<bits.Len64(want-1), flinkMinKeyGroups), flinkMaxKeyGroups))
}

// flinkSubtask reduces a hash to one of n subtasks through its key group.
var flinkSubtask = func() Reduction {
	group := func(h uint32, n int) int { return int(h % uint32(FlinkKeyGroups(n))) }
	r := narrow("key-group", "floor((u mod P)·n / P), P = default maximum parallelism", func(h uint32, n int32) int {
		return int(int64(group(h, int(n))) * int64(n) / int64(FlinkKeyGroups(int(n))))
	})
	r.Through = func(d Digest, n int) int { return group(uint32(d.Lo), n) }
	return r
}()

// flinkOf makes Flink's hash of the hash code of one Java key type.
func flinkOf(name string, hashCode func(key []byte) uint32) Hash {
	return word("murmur3("+name+")", 31, func(key []byte) uint32 { return flinkHash(hashCode(key)) })
}
