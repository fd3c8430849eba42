//go:build !purego

package partition

import "golang.org/x/sys/cpu"

const (
	murmur2Lanes     = 8
	murmur2CallMax   = 1 << 12 // groups in one call: assembly cannot be preempted
	murmur2SingleMax = 64      // keys hashed one by one, at most, before groups are tried again
)

var murmur2AVX2 = cpu.X86.HasAVX2

// murmur2Groups hashes keys that stand one after another in the arena, eight in
// the eight lanes of a register, and returns how many of the groups of eight,
// at least one, it has done. The first key starts at *ends, four or more bytes
// into the arena; the ends of the keys follow. It stops before a group
//
//   - in which one key is so much longer than the others that hashing them one
//     by one is faster: 4 × longest > total + 256 bytes, which was measured;
//   - that stands so near to the arena's end that lanes which go on with the
//     longest key would leave the arena;
//   - of more than 2³¹-1 bytes. Lengths have 32 bits, offsets in the arena 64, so
//     that the size of the arena itself has no limit.
//
// It loads the lanes one by one: VPGATHERDD measured no faster, and microcode
// against Downfall (CVE-2022-40982) slows it down on many processors.
//
//go:noescape
func murmur2Groups(hashes *uint32, arena []byte, ends *int, groups int) (done int)

// murmur2Wide hashes the first keys of the table, all but fewer than eight, and
// returns how many.
func (t *KeyTable) murmur2Wide(hashes []uint32) (done int) {
	if !murmur2AVX2 {
		return 0
	}
	single := 1 // the first keys are hashed one by one, until four bytes are behind
	for {
		groups := min((len(hashes)-done)/murmur2Lanes, murmur2CallMax)
		if groups == 0 {
			return done
		}
		n := 0
		if done > 0 && t.ends[done-1] >= 4 {
			n = murmur2Groups(&hashes[done], t.arena, &t.ends[done-1], groups)
			done += n * murmur2Lanes
		}
		// Where groups are refused, the next ones may well be, and to ask costs a
		// tenth of hashing them: ask less often, until more goes well than not.
		if n*murmur2Lanes >= single {
			single = murmur2Lanes
		}
		if n < groups {
			stop := min(done+single, len(hashes))
			t.murmur2Each(hashes, done, stop)
			done = stop
			single = min(2*single, murmur2SingleMax)
		}
	}
}
