package partition

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// textbookMurmur2 is MurmurHash2 byte by byte, in the order of Java's code: the
// plain loop that the others must equal.
func textbookMurmur2(key []byte) uint32 {
	const m = 1540483477
	h := uint32(2538058380) ^ uint32(len(key))
	words := len(key) / 4
	for i := range words {
		k := uint32(key[4*i]) + uint32(key[4*i+1])<<8 + uint32(key[4*i+2])<<16 + uint32(key[4*i+3])<<24
		k *= m
		k ^= k >> 24
		k *= m
		h *= m
		h ^= k
	}
	tail := key[4*words:]
	for i := len(tail) - 1; i >= 0; i-- {
		h ^= uint32(tail[i]) << (8 * i)
		if i == 0 {
			h *= m
		}
	}
	h ^= h >> 13
	h *= m
	h ^= h >> 15
	return h
}

// checkBatch compares Murmur2Batch and KeyTable.Murmur2 with the plain loop.
// Guards around the hashes show a write out of place.
func checkBatch(t interface {
	Helper()
	Fatalf(string, ...any)
}, keys [][]byte) {
	t.Helper()
	const guard = 0xdeadbeef
	var table KeyTable
	for _, key := range keys {
		if key == nil {
			key = []byte{} // a table holds one null key at most
		}
		if _, err := table.Add(key, 1, 0, 0); err != nil {
			t.Fatalf("add %x: %v", key, err)
		}
	}
	for _, form := range []struct {
		name string
		hash func(hashes []uint32)
	}{
		{"Murmur2Batch", func(hashes []uint32) { Murmur2Batch(hashes, keys) }},
		{"KeyTable.Murmur2", table.Murmur2},
	} {
		hashes := make([]uint32, len(keys)+1)
		for i := range hashes {
			hashes[i] = guard
		}
		form.hash(hashes)
		for i, key := range keys {
			if want := textbookMurmur2(key); hashes[i] != want {
				t.Fatalf("%s: key %d of %d, %x: got %08x, want %08x", form.name, i, len(keys), key, hashes[i], want)
			}
		}
		if hashes[len(keys)] != guard {
			t.Fatalf("%s wrote behind the hashes of %d keys", form.name, len(keys))
		}
	}
}

// TestMurmur2Lengths takes every length from 0 to 64, in bytes that make a
// signed tail or a byte beyond the key visible.
func TestMurmur2Lengths(t *testing.T) {
	for length := range 65 {
		for _, fill := range []byte{0x00, 0x5a, 0x80, 0xff} {
			around := make([]byte, length+16)
			for i := range around {
				around[i] = ^fill
			}
			key := around[8 : 8+length]
			for i := range key {
				key[i] = fill
			}
			if got, want := Murmur2(key), textbookMurmur2(key); got != want {
				t.Errorf("%d bytes %02x: got %08x, want %08x", length, fill, got, want)
			}
		}
	}
}

// TestMurmur2BatchNeighbours takes four neighbours of all combinations of
// lengths from 0 to 40: every pair of lengths for two of them, in all six
// positions, beside two fixed ones.
func TestMurmur2BatchNeighbours(t *testing.T) {
	const longest = 40
	data := make([]byte, 4*longest)
	binary.LittleEndian.PutUint64(data, 0x8000ff7f01020304)
	for i := 8; i < len(data); i++ {
		data[i] = data[i-8]*167 + byte(i)
	}
	keys := make([][]byte, 4)
	for first := range 4 {
		for second := range first {
			for a := range longest + 1 {
				for b := range longest + 1 {
					for i := range keys {
						keys[i] = data[i*longest:][:17+i]
					}
					keys[first] = keys[first][:a]
					keys[second] = keys[second][:b]
					checkBatch(t, keys)
				}
			}
		}
	}
}

// TestMurmur2BatchSizes takes batches of 0 to 9 keys, with null and empty ones.
func TestMurmur2BatchSizes(t *testing.T) {
	for size := range 10 {
		keys := make([][]byte, size)
		for i := range keys {
			keys[i] = fmt.Appendf(nil, "user-%0*d", i, i)
		}
		checkBatch(t, keys)
		if size > 0 {
			keys[size/2] = []byte{}
			checkBatch(t, keys)
			keys[size/2] = nil
			checkBatch(t, keys)
		}
	}
}

func TestMurmur2BatchProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 40), 0, 9).Draw(t, "keys")
		checkBatch(t, keys)
	})
}

// TestMurmur2TableWithNull checks that the null key is hashed as the empty one,
// which is what a caller who looks at its rule may ignore.
func TestMurmur2TableWithNull(t *testing.T) {
	var table KeyTable
	for _, key := range [][]byte{[]byte("a"), nil, []byte("user-1042"), {}} {
		if _, err := table.Add(key, 1, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	hashes := make([]uint32, table.Len())
	table.Murmur2(hashes)
	for i, key := range []string{"a", "", "user-1042", ""} {
		if want := textbookMurmur2([]byte(key)); hashes[i] != want {
			t.Errorf("key %d %q: got %08x, want %08x", i, key, hashes[i], want)
		}
	}
}

func TestMurmur2BatchPanicsWhenHashesAreShort(t *testing.T) {
	var table KeyTable
	keys := [][]byte{[]byte("a"), []byte("b")}
	for _, key := range keys {
		if _, err := table.Add(key, 1, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	for name, hash := range map[string]func([]uint32){
		"Murmur2Batch":     func(hashes []uint32) { Murmur2Batch(hashes, keys) },
		"KeyTable.Murmur2": table.Murmur2,
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic for one hash and two keys", name)
				}
			}()
			hash(make([]uint32, 1))
		}()
	}
}

func TestMurmur2BatchDoesNotAllocate(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	set := randomKeys(random, 1000, func() int { return random.IntN(41) })
	hashes := make([]uint32, len(set.keys))
	if n := testing.AllocsPerRun(10, func() { Murmur2Batch(hashes, set.keys) }); n != 0 {
		t.Errorf("Murmur2Batch: %v allocations", n)
	}
	if n := testing.AllocsPerRun(10, func() { set.table.Murmur2(hashes) }); n != 0 {
		t.Errorf("KeyTable.Murmur2: %v allocations", n)
	}
}

// FuzzMurmur2Batch cuts data into keys of the given lengths.
func FuzzMurmur2Batch(f *testing.F) {
	f.Add([]byte("user-1042user-8831user-2207user-77519"), []byte{9, 9, 9, 10})
	f.Add([]byte("\xa7\xd6\x50\x6c\x33\x34\xf6\xa5\xff\x80\x00"), []byte{4, 0, 4, 3})
	f.Add(make([]byte, 200), []byte{40, 40, 40, 40, 39, 1, 0})
	f.Fuzz(func(t *testing.T, data, lengths []byte) {
		var keys [][]byte
		for _, length := range lengths {
			n := min(int(length), len(data))
			keys = append(keys, data[:n])
			data = data[n:]
		}
		checkBatch(t, keys)
	})
}
