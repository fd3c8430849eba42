package partition

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// keysOf returns keys of the given lengths, neighbours in random bytes.
func keysOf(random *rand.Rand, lengths ...int) [][]byte {
	keys := make([][]byte, len(lengths))
	for i, length := range lengths {
		keys[i] = make([]byte, length)
		for j := range keys[i] {
			keys[i][j] = byte(random.Uint32())
		}
	}
	return keys
}

// TestMurmur2TablePairs takes all pairs of lengths from 0 to 40 beside six keys
// of one length in a group of eight, at places that differ from pair to pair.
func TestMurmur2TablePairs(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for a := range 41 {
		for b := range 41 {
			for _, others := range []int{0, 5, 16, 39} {
				lengths := make([]int, 1+8+3)
				for i := range lengths {
					lengths[i] = others
				}
				lengths[0], lengths[9] = 4, 48 // room on both sides of the group
				at := random.Perm(8)
				lengths[1+at[0]], lengths[1+at[1]] = a, b
				checkBatch(t, keysOf(random, lengths...))
			}
		}
	}
}

// TestMurmur2TableSizes takes tables of 0 to 40 keys of one length.
func TestMurmur2TableSizes(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	for size := range 41 {
		for _, length := range []int{0, 1, 3, 4, 7, 8, 16, 23, 300} {
			lengths := make([]int, size)
			for i := range lengths {
				lengths[i] = length
			}
			checkBatch(t, keysOf(random, lengths...))
		}
	}
}

// TestMurmur2TableUnequal takes long keys among short ones, from none to so many
// that most groups of eight are refused.
func TestMurmur2TableUnequal(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	for range 300 {
		lengths := make([]int, random.IntN(400))
		every, short, long := 1+random.IntN(60), 1+random.IntN(30), 1+random.IntN(300)
		for i := range lengths {
			lengths[i] = random.IntN(short)
			if random.IntN(every) == 0 {
				lengths[i] = long
			}
		}
		checkBatch(t, keysOf(random, lengths...))
	}
}

// TestMurmur2Each hashes the whole table one by one, as is done without AVX2.
func TestMurmur2Each(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 4))
	set := randomKeys(random, 1000, func() int { return 1 + random.IntN(60) })
	hashes := make([]uint32, len(set.keys))
	set.table.murmur2Each(hashes, 0, len(hashes))
	for i, key := range set.keys {
		if want := textbookMurmur2(key); hashes[i] != want {
			t.Fatalf("key %d, %x: got %08x, want %08x", i, key, hashes[i], want)
		}
	}
}

func TestMurmur2TableProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(0, rapid.SampledFrom([]int{5, 20, 40, 300}).Draw(t, "longest"))
		lengths := rapid.SliceOfN(length, 0, 40).Draw(t, "lengths")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		checkBatch(t, keysOf(random, lengths...))
	})
}

// FuzzMurmur2Table makes keys of the given lengths, up to 300, of data over and
// over.
func FuzzMurmur2Table(f *testing.F) {
	f.Add([]byte("user-1042user-8831user-2207"), []byte{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9})
	f.Add([]byte("\xa7\xd6\x50\x6c\x33\x34\xf6\xa5\xff\x80\x00"), []byte{4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 90, 1, 2, 3})
	f.Add([]byte{0x80}, []byte{4, 255, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0, 36, 3, 2, 1})
	f.Fuzz(func(t *testing.T, data, lengths []byte) {
		if len(data) == 0 || len(lengths) > 200 {
			return
		}
		keys := make([][]byte, len(lengths))
		next := 0
		for i, length := range lengths {
			keys[i] = make([]byte, int(length)+max(0, int(length)-240)*3)
			for j := range keys[i] {
				keys[i][j] = data[next%len(data)]
				next++
			}
		}
		checkBatch(t, keys)
	})
}
