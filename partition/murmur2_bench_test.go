package partition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
	_ "unsafe" // for go:linkname

	"github.com/twmb/franz-go/pkg/kgo"
)

// franzMurmur2 is franz-go's own hash, which it does not export: the very
// function that its default partitioner calls, reached by name through the
// linker, so that a comparison with it measures hashing and nothing else. (The
// linker's ban on this concerns the standard library only. Should franz-go
// rename the function, the tests do not link, and say so.)
//
//go:linkname franzMurmur2 github.com/twmb/franz-go/pkg/kgo.murmur2
func franzMurmur2(b []byte) uint32

// A keySet is a set of keys in both forms, slices of one block of memory and a
// table.
type keySet struct {
	keys  [][]byte
	table KeyTable
	bytes int
}

// randomKeys returns count keys of random bytes.
func randomKeys(random *rand.Rand, count int, length func() int) *keySet {
	set := new(keySet)
	var arena []byte
	for range count {
		for range length() {
			arena = append(arena, byte(random.Uint32()))
		}
		if _, err := set.table.Add(arena[set.bytes:len(arena):len(arena)], 1, 0, 0); err != nil {
			panic(err)
		}
		set.bytes = len(arena)
	}
	start := 0
	for _, end := range set.table.ends {
		set.keys = append(set.keys, arena[start:end:end])
		start = end
	}
	return set
}

// BenchmarkMurmur2 compares Murmur2Batch with other ways to hash the same keys
// in the same run. They take turns, pass by pass, so that a change of the
// processor's frequency falls on all of them alike, and each is judged by its
// fastest pass, so that a busy neighbour falls on none. A ratio x-… is the
// other's time divided by Murmur2Batch's.
//
//	x-franz-go            franz-go's murmur2, called directly in a loop over the keys
//	x-franz-go-partition  what a user of franz-go can call: Partition of its key partitioner. Besides
//	                      the hash it includes an interface call, a function value, a test for a null
//	                      key, the mask and the modulo
//	x-textbook            a plain loop, byte by byte (textbookMurmur2)
//	x-single              this package's Murmur2, called in a loop over the keys
//	x-table               this package's KeyTable.Murmur2
//
// x-franz-go-table is x-franz-go divided by x-table: franz-go's time in units of
// KeyTable.Murmur2's, which hashes eight keys at a time where it can.
//
// ns/key and MB/s are Murmur2Batch's.
func BenchmarkMurmur2(b *testing.B) {
	const count = 1 << 14 // so many that the order of mixed lengths cannot be learnt
	random := rand.New(rand.NewPCG(42, 0))
	fixed := func(n int) func() int { return func() int { return n } }
	for _, c := range []struct {
		name   string
		length func() int
	}{
		{"4", fixed(4)},
		{"8", fixed(8)},
		{"16", fixed(16)},
		{"23", fixed(23)},
		{"36", fixed(36)},
		{"64", fixed(64)},
		{"mixed-8-40", func() int { return 8 + random.IntN(33) }},
		{"mixed-user", func() int { return len(fmt.Sprint("user-", int(random.ExpFloat64()*1e4))) }},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkMurmur2(b, randomKeys(random, count, c.length)) })
	}
}

func benchmarkMurmur2(b *testing.B, set *keySet) {
	hashes := make([]uint32, len(set.keys))
	record := new(kgo.Record)
	partitioner := kgo.StickyKeyPartitioner(nil).ForTopic("t")
	ways := []struct {
		unit string
		pass func()
		best time.Duration
	}{
		{unit: "batch", pass: func() { Murmur2Batch(hashes, set.keys) }},
		{unit: "x-franz-go", pass: func() {
			for i, key := range set.keys {
				hashes[i] = franzMurmur2(key)
			}
		}},
		{unit: "x-franz-go-partition", pass: func() {
			for i, key := range set.keys {
				record.Key = key
				hashes[i] = uint32(partitioner.Partition(record, 12))
			}
		}},
		{unit: "x-textbook", pass: func() {
			for i, key := range set.keys {
				hashes[i] = textbookMurmur2(key)
			}
		}},
		{unit: "x-single", pass: func() {
			for i, key := range set.keys {
				hashes[i] = Murmur2(key)
			}
		}},
		{unit: "x-table", pass: func() { set.table.Murmur2(hashes) }},
	}
	for i := range ways {
		ways[i].best = math.MaxInt64
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range ways {
			start := time.Now()
			ways[i].pass()
			ways[i].best = min(ways[i].best, time.Since(start))
		}
	}
	batch := ways[0].best.Seconds()
	for _, way := range ways[1:] {
		b.ReportMetric(way.best.Seconds()/batch, way.unit)
	}
	b.ReportMetric(ways[1].best.Seconds()/ways[5].best.Seconds(), "x-franz-go-table")
	b.ReportMetric(batch*1e9/float64(len(set.keys)), "ns/key")
	b.ReportMetric(float64(set.bytes)/batch/1e6, "MB/s")
	b.ReportMetric(0, "ns/op") // of all ways together: no use
}

// BenchmarkPlace places one key of 16 bytes at a time.
func BenchmarkPlace(b *testing.B) {
	keys := randomKeys(rand.New(rand.NewPCG(42, 1)), 1<<10, func() int { return 16 }).keys
	for _, name := range []string{"java", "librdkafka", "sarama", "kafkajs-legacy"} {
		c, err := Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var sum Placement
			i := 0
			for b.Loop() {
				sum += c.Place(keys[i%len(keys)], 12)
				i++
			}
			if sum < 0 {
				b.Fatal("a key was not placed")
			}
		})
	}
}

func TestPlaceDoesNotAllocate(t *testing.T) {
	key := []byte("user-000000001042")
	for _, c := range Clients() {
		if n := testing.AllocsPerRun(10, func() { c.Place(key, 12) }); n != 0 {
			t.Errorf("%s: %v allocations", c.Name, n)
		}
	}
}
