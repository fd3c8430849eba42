package partition

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestDivisor compares with %, at the edges and for random numbers.
func TestDivisor(t *testing.T) {
	edges := []uint32{0, 1, 2, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 2, 1<<32 - 1}
	check := func(x uint32, n int) {
		if got := newDivisor(n).remainder(x); got != uint64(x)%uint64(n) {
			t.Fatalf("%d mod %d: got %d, want %d", x, n, got, uint64(x)%uint64(n))
		}
	}
	random := rand.New(rand.NewPCG(3, 1))
	for n := 1; n <= 3000; n++ {
		for _, x := range edges {
			check(x, n)
		}
		for range 100 {
			x := random.Uint32()
			check(x, n)
			check(x-x%uint32(n), n)   // the least with its quotient
			check(x-x%uint32(n)-1, n) // the most with the one before
		}
	}
	for range 1_000_000 {
		n := 1 + random.IntN(MaxPartitions)>>random.IntN(31)
		x := random.Uint32()
		check(x, n)
		check(x-x%uint32(n), n)
		check(x-x%uint32(n)-1, n)
	}
}

// TestDividend: a reduction that is a remainder is that of its dividend.
func TestDividend(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 2))
	remainders := map[string]bool{}
	for _, c := range Clients() {
		r := c.Reduction
		if r.Dividend == nil {
			continue
		}
		remainders[r.Name] = true
		for _, h := range append([]uint32{0, 1, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 1}, random.Uint32(), random.Uint32(), random.Uint32()) {
			for _, n := range []int{1, 2, 3, 12, 1000, 1 << 20, 1<<31 - 1} {
				if got, want := int(r.Dividend(h)%uint32(n)), r.Of32(h, int32(n)); got != want {
					t.Errorf("%s of %#x at %d: the dividend gives %d, the reduction %d", r.Name, h, n, got, want)
				}
			}
		}
	}
	for _, name := range []string{"mask", "unsigned", "abs-after", "abs-before", "zero-min-abs"} {
		if !remainders[name] {
			t.Errorf("%s has no dividend", name)
		}
	}
}

// TestCommonMultiples: every count is in one multiple, which it divides and which
// keeps the limit, and 1…1000 take few.
func TestCommonMultiples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 50), rapid.IntRange(1, 3000)), 1, 300).Draw(t, "counts")
		limit := rapid.IntRange(1, 4000).Draw(t, "limit")
		var covered []int
		for _, m := range commonMultiples(counts, limit) {
			if len(m.counts) == 0 || m.bins > limit && !cmp.Equal(m.counts, []int{m.bins}) {
				t.Fatalf("%d bins for %d", m.bins, m.counts)
			}
			for _, n := range m.counts {
				if m.bins%n != 0 {
					t.Fatalf("%d does not divide %d", n, m.bins)
				}
			}
			covered = append(covered, m.counts...)
		}
		slices.Sort(covered)
		if want := slices.Compact(slices.Sorted(slices.Values(counts))); !slices.Equal(covered, want) {
			t.Fatalf("got counts %d, want %d", covered, want)
		}
	})
	if got := len(commonMultiples(upTo(1000), sweepBins)); got != 262 {
		t.Errorf("1…1000 take %d multiples, want 262", got)
	}
}

func upTo(n int) []int {
	counts := make([]int, n)
	for i := range counts {
		counts[i] = i + 1
	}
	return counts
}

// weighted returns a table of keys with random records, among them the null and
// the empty key and bytes that are no text.
func weighted(t testing.TB, random *rand.Rand, keys int, records func() int64) *KeyTable {
	t.Helper()
	var table KeyTable
	for i := range keys {
		key := fmt.Appendf(nil, "user-%d", i)
		switch i {
		case 0:
			key = nil
		case 1:
			key = []byte{}
		case 2:
			key = []byte{0xff, 0x80}
		}
		if _, err := table.Add(key, records(), 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	return &table
}

// TestSweep compares every client's histogram at every count 1…3000 with %, key by
// key: few keys with totals that leave a bin's word room for keys, and totals that
// do not.
func TestSweep(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for name, table := range map[string]*KeyTable{
		"light": weighted(t, random, 500, func() int64 { return random.Int64N(1000) }),
		"heavy": weighted(t, random, 60, func() int64 { return random.Int64N(math.MaxInt64 / 60) }),
		"many":  weighted(t, random, sweepBlock+1000, func() int64 { return random.Int64N(3) }),
	} {
		counts := upTo(3000)
		if name == "many" {
			counts = append(upTo(20), 997, 1000, 2999)
		}
		swept := map[string]bool{} // clients that share a mapping are taken once
		for _, c := range Clients() {
			mapping := fmt.Sprint(c.Hash.Name, c.Reduction.Name, c.Null, c.Empty, c.Keyed)
			if swept[mapping] || name == "many" && c.Reduction.Dividend == nil {
				continue
			}
			swept[mapping] = true
			counts := counts
			if c.Reduction.Dividend == nil { // placed at one count after another
				counts = upTo(300)
			}
			t.Run(name+"/"+c.Name, func(t *testing.T) { checkSweep(t, table, c, counts) })
		}
	}
}

func checkSweep(t *testing.T, table *KeyTable, c *Client, counts []int) {
	d := NewDigests(table, c)
	placements := make([]Placement, d.Len())
	records, keys := make([]int64, slices.Max(counts)), make([]int64, slices.Max(counts))
	var seen []int
	err := d.Sweep(context.Background(), table, counts, func(got Histogram) {
		n := got.Partitions
		seen = append(seen, n)
		want := Histogram{n, records[:n], keys[:n]}
		clear(want.Records)
		clear(want.Keys)
		d.Place(placements, n)
		for i, placement := range placements {
			if p, ok := placement.Partition(); ok {
				want.Records[p] += table.Records(i)
				want.Keys[p]++
			}
		}
		if !slices.Equal(got.Records, want.Records) || !slices.Equal(got.Keys, want.Keys) {
			t.Fatalf("at %d: got\n%+v, want\n%+v", n, got, want)
		}
	})
	slices.Sort(seen)
	if err != nil || !slices.Equal(seen, counts) {
		t.Errorf("%d histograms of %d counts, %v", len(seen), len(counts), err)
	}
}

// TestSweepCounts takes few, repeated and very large counts, and no key at all.
func TestSweepCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	java, err := Lookup("java")
	if err != nil {
		t.Fatal(err)
	}
	for _, keys := range []int{0, 1, 3, 5000} {
		table := weighted(t, random, keys, func() int64 { return random.Int64N(10) })
		checkSweep(t, table, java, []int{1})
		checkSweep(t, table, java, []int{7, 13, 40_000, 80_000, 3_000_000})
		calls := 0
		if err := NewDigests(table, java).Sweep(context.Background(), table, []int{6, 12, 6}, func(Histogram) { calls++ }); err != nil || calls != 2 {
			t.Errorf("%d calls for 6, 12 and 6, %v", calls, err)
		}
	}
}

// TestSweepStops: a sweep ends with its context, on both ways.
func TestSweepStops(t *testing.T) {
	table := weighted(t, rand.New(rand.NewPCG(3, 5)), 100, func() int64 { return 1 })
	for _, name := range []string{"java", "cassandra"} {
		c, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		err = NewDigests(table, c).Sweep(ctx, table, upTo(100), func(Histogram) {
			if calls++; calls == 3 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || calls != 3 {
			t.Errorf("%s: %d calls and %v after cancelling in the third", name, calls, err)
		}
	}
}
