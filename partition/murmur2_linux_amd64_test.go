//go:build !purego

package partition

import (
	"math/rand/v2"
	"syscall"
	"testing"
)

// TestMurmur2GroupsDone shows that keys of equal lengths do go through the
// assembly: results alone would not show that it refuses everything.
func TestMurmur2GroupsDone(t *testing.T) {
	if !murmur2AVX2 {
		t.Skip("no AVX2")
	}
	const groups = 3
	for length := 4; length <= 300; length++ {
		set := randomKeys(rand.New(rand.NewPCG(7, 6)), 1+8*groups+8, func() int { return length })
		hashes := make([]uint32, 8*groups)
		if n := murmur2Groups(&hashes[0], set.table.arena, &set.table.ends[0], groups); n != groups {
			t.Errorf("keys of %d bytes: %d of %d groups done", length, n, groups)
		}
	}
}

func TestMurmur2WithoutAVX2(t *testing.T) {
	defer func(has bool) { murmur2AVX2 = has }(murmur2AVX2)
	murmur2AVX2 = false
	random := rand.New(rand.NewPCG(7, 7))
	checkBatch(t, keysOf(random, 4, 16, 16, 16, 16, 16, 16, 16, 16, 16, 36, 3, 0))
}

// TestMurmur2GroupsBeyond4GiB hashes keys on both sides of 2³¹ and 2³² in a large
// arena of which only these pages exist, and tries to pass off a huge key as a
// short one.
func TestMurmur2GroupsBeyond4GiB(t *testing.T) {
	if !murmur2AVX2 {
		t.Skip("no AVX2")
	}
	arena, err := syscall.Mmap(-1, 0, 1<<32+1<<16, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("mmap:", err)
	}
	defer syscall.Munmap(arena)
	random := rand.New(rand.NewPCG(7, 8))
	for _, middle := range []int{1 << 31, 1 << 32} {
		ends := []int{middle - 100}
		for range 8 {
			ends = append(ends, ends[len(ends)-1]+20+random.IntN(10))
		}
		for i := ends[0]; i < ends[8]; i++ {
			arena[i] = byte(random.Uint32())
		}
		hashes := make([]uint32, 8)
		if n := murmur2Groups(&hashes[0], arena, &ends[0], 1); n != 1 {
			t.Fatalf("around %d: refused", middle)
		}
		for i, got := range hashes {
			if want := textbookMurmur2(arena[ends[i]:ends[i+1]]); got != want {
				t.Errorf("around %d: key %d: got %08x, want %08x", middle, i, got, want)
			}
		}
	}
	for _, huge := range []int{1<<31 - 112, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 16} {
		for lane := range 8 {
			ends := []int{16}
			for i := range 8 {
				length := 16
				if i == lane {
					length = huge
				}
				ends = append(ends, ends[i]+length)
			}
			hashes := make([]uint32, 8)
			if n := murmur2Groups(&hashes[0], arena, &ends[0], 1); n != 0 {
				t.Errorf("key %d of %d bytes: not refused", lane, huge)
			}
		}
	}
}
