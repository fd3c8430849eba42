package bench_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
)

// counts returns first…last.
func counts(first, last int) []int {
	var list []int
	for n := first; n <= last; n++ {
		list = append(list, n)
	}
	return list
}

// TestSpreaderSweep: a compact spread is a spread, less what it leaves out.
func TestSpreaderSweep(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	keys, records := [][]byte{nil, {}, {0xff}}, []int64{70, 80, 90}
	for i := range 3000 {
		keys, records = append(keys, fmt.Appendf(nil, "user-%d", i)), append(records, int64(random.ExpFloat64()*20))
	}
	const hot = 1500
	heavy := append([]int64{}, records...)
	heavy[hot] = 20_000
	for name, records := range map[string][]int64{"even": records, "hot key": heavy, "no records": make([]int64, len(records))} {
		for _, c := range []string{"java", "librdkafka", "ruby-kafka", "sarama", "spring-hashcode", "kafka-go", "cassandra", "flink"} {
			spreader := bench.NewSpreader(table(t, keys, records), client(t, c), partition.Raw)
			list := append(counts(1, 150), 997, 12, 400) // 12 twice
			swept, err := spreader.Sweep(context.Background(), list)
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range list {
				want := spreader.Spread(n)
				want.Load, want.TopKeys, want.Occupancy = []bench.Load{}, []bench.TopKey{}, nil
				if want.Imbalance != nil {
					want.Reason = ""
				}
				if diff := cmp.Diff(want, swept[i]); diff != "" {
					t.Fatalf("%s, %s at %d (-spread +sweep):\n%s", name, c, n, diff)
				}
			}
		}
	}
}

// TestSpreaderSweepManyKeys: the heaviest key of the heaviest partition is found where it
// is not one of the heaviest of all.
func TestSpreaderSweepManyKeys(t *testing.T) {
	var keys partition.KeyTable
	for i := range 300_000 {
		if _, err := keys.Add(fmt.Appendf(nil, "user-%d", i), 1, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	spreader := bench.NewSpreader(&keys, client(t, "java"), partition.Raw)
	list := []int{900_001, 900_002, 900_003, 900_004}
	swept, err := spreader.Sweep(context.Background(), list)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range list {
		if diff := cmp.Diff(spreader.Spread(n).HotKey, swept[i].HotKey); diff != "" {
			t.Errorf("at %d (-spread +sweep):\n%s", n, diff)
		}
	}
}

// TestSpreadsSweeps: many counts, or few of very many partitions, are swept.
func TestSpreadsSweeps(t *testing.T) {
	spreader := bench.NewSpreader(table(t, [][]byte{[]byte("a"), []byte("b")}, []int64{3, 1}), client(t, "java"), partition.Raw)
	for _, row := range []struct {
		counts          []int
		compact, tested bool
	}{
		{counts(1, 16), false, true},
		{counts(1, 17), false, false},
		{counts(1, 64), false, false},
		{counts(1, 65), true, false},
		{[]int{bench.ListedPartitions, 1}, true, false},
	} {
		results, err := spreader.Spreads(context.Background(), row.counts, 1)
		if err != nil || len(results) != len(row.counts) {
			t.Fatalf("%d results of %d counts, %v", len(results), len(row.counts), err)
		}
		if r := results[1]; r.Compact() != row.compact || (r.PlacementTest != nil) != row.tested || r.Partitions != row.counts[1] {
			t.Errorf("%d counts: compact %v, tested %v at %d", len(row.counts), r.Compact(), r.PlacementTest != nil, r.Partitions)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := spreader.Spreads(ctx, counts(1, 100), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}

// TestFloor: no imbalance is below the floor, and one key alone reaches it.
func TestFloor(t *testing.T) {
	spreader := bench.NewSpreader(table(t, [][]byte{[]byte("a"), []byte("b"), nil}, []int64{3, 1, 100}), client(t, "java"), partition.Raw)
	for n, want := range map[int]float64{1: 1, 2: 1.5, 8: 6} { // the null key is not placed by its bytes
		r := spreader.Spread(n)
		if *r.Floor != want || *r.Imbalance < *r.Floor {
			t.Errorf("at %d: floor %v, imbalance %v, want %v", n, *r.Floor, *r.Imbalance, want)
		}
	}
}

// BenchmarkSpreaderSweep makes the results of 1…1000 partitions, figures included.
func BenchmarkSpreaderSweep(b *testing.B) {
	for _, size := range []int{5000, 1_000_000} {
		b.Run(fmt.Sprintf("keys=%d", size), func(b *testing.B) {
			random := rand.New(rand.NewPCG(42, 1))
			var keys partition.KeyTable
			for i := range size {
				if _, err := keys.Add(fmt.Appendf(nil, "user-%d", i), int64(random.ExpFloat64()*100), 0, 0); err != nil {
					b.Fatal(err)
				}
			}
			spreader := bench.NewSpreader(&keys, client(b, "java"), partition.Raw)
			list := counts(1, 1000)
			for b.Loop() {
				if _, err := spreader.Sweep(context.Background(), list); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size)/float64(len(list)), "ns/key/count")
		})
	}
}
