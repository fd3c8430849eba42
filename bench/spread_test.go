package bench_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
	"pgregory.net/rapid"
)

// table returns a key table with the given records; a nil key is the null key.
func table(t testing.TB, keys [][]byte, records []int64) *partition.KeyTable {
	t.Helper()
	var table partition.KeyTable
	for i, key := range keys {
		if _, err := table.Add(key, records[i], 10*records[i], 0); err != nil {
			t.Fatal(err)
		}
	}
	return &table
}

func client(t testing.TB, name string) *partition.Client {
	t.Helper()
	c, err := partition.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestConstantKey is B08 of the public cases: one key, 15 partitions, one used.
// https://github.com/boom-astro/boom/issues/194
func TestConstantKey(t *testing.T) {
	keys := table(t, [][]byte{[]byte("ztf")}, []int64{1000})
	for name, want := range map[string]int{"rust-rdkafka": 10, "java": 9} {
		got := bench.NewSpreader(keys, client(t, name), partition.Raw).Spread(15)
		if *got.Imbalance != 15 || got.Idle != 14 || *got.TopKeys[0].Partition != want || got.Load[want].Records != 1000 {
			t.Errorf("%s: imbalance %v, idle %d, partition %d", name, *got.Imbalance, got.Idle, *got.TopKeys[0].Partition)
		}
	}
}

// TestHotKey is B03 of the public cases: 80 % of the records have one key. More
// partitions make the imbalance worse and hardly help the hot one.
// https://github.com/j3-signalroom/kafka_cluster-topic-key_distribution_analyzer-tool
func TestHotKey(t *testing.T) {
	keys, records := [][]byte{[]byte("hot-key")}, []int64{8000}
	for i := range 2000 {
		keys, records = append(keys, fmt.Appendf(nil, "cold-key-%d", i)), append(records, 1)
	}
	spreader := bench.NewSpreader(table(t, keys, records), client(t, "java"), partition.Raw)
	for _, row := range []struct {
		n, partition     int
		share, imbalance float64
	}{{3, 0, .8668, 2.6}, {6, 3, .8344, 5.01}, {12, 3, .8179, 9.81}} {
		got := spreader.Spread(row.n)
		share := float64(got.Load[row.partition].Records) / 10000
		if *got.TopKeys[0].Partition != row.partition || math.Abs(share-row.share) > 1e-9 || math.Abs(*got.Imbalance-row.imbalance) > 0.006 {
			t.Errorf("at %d: partition %d, share %v, imbalance %v; want %v", row.n, *got.TopKeys[0].Partition, share, *got.Imbalance, row)
		}
	}
}

// TestSpreadAddsUp compares a spread with the mapping applied key by key, and
// asserts that nothing is lost between loads and undecided records.
func TestSpreadAddsUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom([]string{"java", "librdkafka", "sarama", "kafka-go", "spring-hashcode", "kinesis", "cassandra", "redis-cluster"}).Draw(rt, "client")
		n := rapid.IntRange(1, 40).Draw(rt, "partitions")
		texts := rapid.SliceOfNDistinct(rapid.SliceOfN(rapid.Byte(), 0, 20), 1, 60, func(b []byte) string { return string(b) }).Draw(rt, "keys")
		var keys [][]byte
		var records []int64
		for _, text := range texts {
			keys = append(keys, append([]byte{}, text...))
		}
		if rapid.Bool().Draw(rt, "null key") {
			keys = append(keys, nil)
		}
		for range keys {
			records = append(records, rapid.Int64Range(0, 1000).Draw(rt, "records"))
		}

		c := client(t, name)
		got := bench.NewSpreader(table(t, keys, records), c, partition.Raw).Spread(n)
		want := make([]bench.Load, n)
		undecided := int64(0)
		total := int64(0)
		for i, key := range keys {
			total += records[i]
			p, ok := c.Place(key, n).Partition()
			if !ok {
				undecided += records[i]
				continue
			}
			want[p].Records += records[i]
			want[p].Bytes += 10 * records[i]
			want[p].Keys++
		}
		sum, apart := int64(0), int64(0)
		for p := range want {
			want[p].Partition = p
			if got.Load[p] != want[p] {
				rt.Fatalf("partition %d: got %+v, want %+v", p, got.Load[p], want[p])
			}
			sum += got.Load[p].Records
		}
		for _, u := range got.Undecided {
			apart += u.Records
		}
		if apart != undecided || sum+apart != total || got.Records != total {
			rt.Fatalf("loads %d and undecided %d of %d records; want undecided %d of %d", sum, apart, got.Records, undecided, total)
		}
		if (got.Imbalance == nil) != (sum == 0) {
			rt.Fatalf("imbalance %v with %d records placed", got.Imbalance, sum)
		}
		if got.Imbalance != nil && (*got.Imbalance < 1-1e-12 || *got.Imbalance > float64(n)+1e-9) {
			rt.Fatalf("imbalance %v is not in 1…%d", *got.Imbalance, n)
		}
		for i := 1; i < len(got.TopKeys); i++ {
			if got.TopKeys[i].Records > got.TopKeys[i-1].Records {
				rt.Fatalf("top keys are not sorted: %+v", got.TopKeys)
			}
		}
		if _, err := json.Marshal(got); err != nil {
			rt.Fatal(err)
		}
	})
}

// TestSpreadShowsKeys asserts that keys come back as the user wrote them.
func TestSpreadShowsKeys(t *testing.T) {
	key, err := partition.Int64.AppendKey(nil, "8831")
	if err != nil {
		t.Fatal(err)
	}
	got := bench.NewSpreader(table(t, [][]byte{key}, []int64{1}), client(t, "java"), partition.Int64).Spread(12)
	if *got.TopKeys[0].Key != "8831" || *got.TopKeys[0].Partition != 0 || got.KeyEncoding != "int64" {
		t.Errorf("got %q on %d (%s), want 8831 on 0 (int64)", *got.TopKeys[0].Key, *got.TopKeys[0].Partition, got.KeyEncoding)
	}
	got = bench.NewSpreader(table(t, [][]byte{{0xc3, 0x28}, nil}, []int64{2, 1}), client(t, "java"), partition.Raw).Spread(12)
	if *got.TopKeys[0].Key != "\ufffd(" || got.TopKeys[0].KeyHex != "c328" || got.TopKeys[1].Key != nil {
		t.Errorf("got %+v", got.TopKeys)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "null or empty key") {
		t.Errorf("warnings %q do not mention the null key", got.Warnings)
	}
}
