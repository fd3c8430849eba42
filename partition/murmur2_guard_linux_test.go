package partition

import (
	"math/rand/v2"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"
)

// A fenced block of memory lies between two pages that cannot be touched.
type fenced []byte

func newFenced(t *testing.T, pages int) fenced {
	t.Helper()
	page := syscall.Getpagesize()
	all, err := syscall.Mmap(-1, 0, (pages+2)*page, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal("mmap:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(all); err != nil {
			t.Error("munmap:", err)
		}
	})
	inner := all[page : (pages+1)*page]
	if err := syscall.Mprotect(inner, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		t.Fatal("mprotect:", err)
	}
	return inner
}

// lastOf returns the last n values that fit into the block.
func lastOf[T any](block fenced, n int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	start := len(block) - n*size
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(block[start:]))), n)
}

// TestMurmur2TableFenced puts arenas directly behind and directly before a page
// that cannot be read, and the ends and hashes of their keys likewise: a table's
// hashes touch nothing beyond them.
func TestMurmur2TableFenced(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a fault names the key lengths
	arena, ends, hashes := newFenced(t, 4), newFenced(t, 1), newFenced(t, 1)
	random := rand.New(rand.NewPCG(7, 5))
	for i := range arena {
		arena[i] = byte(random.Uint32())
	}
	check := func(lengths []int, atEnd bool) {
		defer func() {
			if fault := recover(); fault != nil {
				t.Fatalf("lengths %d, arena at end %t: %v", lengths, atEnd, fault)
			}
		}()
		table := KeyTable{ends: lastOf[int](ends, len(lengths))}
		size := 0
		for i, length := range lengths {
			size += length
			table.ends[i] = size
		}
		table.arena = arena[:size:size]
		if atEnd {
			table.arena = arena[len(arena)-size:]
		}
		got := lastOf[uint32](hashes, len(lengths))
		table.Murmur2(got)
		for i := range lengths {
			if want := textbookMurmur2(table.Key(i)); got[i] != want {
				t.Fatalf("lengths %d, key %d: got %08x, want %08x", lengths, i, got[i], want)
			}
		}
	}
	for range 5000 {
		lengths := make([]int, 1+random.IntN(40))
		longest := []int{3, 9, 20, 40, 300}[random.IntN(5)]
		for i := range lengths {
			lengths[i] = random.IntN(longest + 1)
		}
		check(lengths, false)
		check(lengths, true)
	}
	for length := range 70 { // all of one length, both fences at once where that fills the block
		count := min(len(arena)/max(length, 1), len(ends)/int(unsafe.Sizeof(0)))
		lengths := make([]int, count)
		for i := range lengths {
			lengths[i] = length
		}
		check(lengths, false)
		check(lengths, true)
	}
}
