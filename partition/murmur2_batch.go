package partition

import "encoding/binary"

// Murmur2Batch stores the [Murmur2] of keys[i] in hashes[i]. It panics if hashes
// is shorter than keys. A null key hashes as the empty one.
func Murmur2Batch(hashes []uint32, keys [][]byte) {
	// This is the body of Murmur2 once more, because a call costs as much as
	// hashing four bytes. It does not interleave keys by hand: one key's
	// multiplications wait for one another, but the next keys' do not wait for
	// them, and the processor starts those meanwhile. The limit is then the number
	// of multiplications: three a word, one for a tail, one at the end. Four keys
	// in step need as many, run out of registers, and measured no faster for keys
	// of 8, 16, 23, 36 and 64 bytes.
	hashes = hashes[:len(keys)]
	for j, key := range keys {
		h := murmur2Seed ^ uint32(len(key))
		last := len(key) - 4
		if last < 0 {
			hashes[j] = murmur2Short(h, key)
			continue
		}
		i := 0
		for ; i <= last-4; i += 8 {
			pair := binary.LittleEndian.Uint64(key[i : i+8])
			h = murmur2Mix(murmur2Mix(h, uint32(pair)), uint32(pair>>32))
		}
		if i <= last {
			h = murmur2Mix(h, binary.LittleEndian.Uint32(key[i:i+4]))
		}
		if tail := uint(len(key)) & 3; tail != 0 {
			h ^= binary.LittleEndian.Uint32(key[last:]) >> (32 - 8*tail)
			h *= murmur2M
		}
		hashes[j] = murmur2Final(h)
	}
}

// Murmur2 stores the [Murmur2] of key i of the table in hashes[i]. It panics if
// hashes is shorter than the table. The null key hashes as the empty one.
//
// On amd64 with AVX2 it hashes eight keys at a time, unless the module is built
// with the tag purego.
func (t *KeyTable) Murmur2(hashes []uint32) {
	hashes = hashes[:len(t.ends)]
	t.murmur2Each(hashes, t.murmur2Wide(hashes), len(hashes))
}

// murmur2Each hashes the keys from i to before stop, one by one.
func (t *KeyTable) murmur2Each(hashes []uint32, i, stop int) {
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	hashes = hashes[i:stop]
	for j, end := range t.ends[i:stop] {
		hashes[j] = Murmur2(t.arena[start:end])
		start = end
	}
}
