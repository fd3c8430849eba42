package bench_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
	"pgregory.net/rapid"
)

// mapping returns what "java" or "java/avro:1" names.
func mapping(t testing.TB, name string) partition.Mapping {
	t.Helper()
	name, encoding, ok := strings.Cut(name, "/")
	if !ok {
		encoding = "raw"
	}
	e, err := partition.ParseKeyEncoding(encoding)
	if err != nil {
		t.Fatal(err)
	}
	return partition.Mapping{Client: client(t, name), Encoding: e}
}

func churner(t testing.TB, keys *partition.KeyTable, from string, n int, to string) *bench.Churner {
	t.Helper()
	c, err := bench.NewChurner(keys, partition.Side{Mapping: mapping(t, from), Partitions: n}, mapping(t, to))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// users returns the keys user-0, user-1, … with one record each.
func users(t testing.TB, n int) *partition.KeyTable {
	return texts(t, n, func(i int) string { return fmt.Sprintf("user-%d", i) })
}

func texts(t testing.TB, n int, key func(i int) string) *partition.KeyTable {
	t.Helper()
	var keys [][]byte
	var records []int64
	for i := range n {
		keys, records = append(keys, []byte(key(i))), append(records, 1)
	}
	return table(t, keys, records)
}

// TestChurnCounts asserts exact numbers of moved keys, of user-0 to user-99999
// under Kafka's mapping, from an independent program.
func TestChurnCounts(t *testing.T) {
	keys := users(t, 100_000)
	for _, row := range []struct{ n, m, moved int }{
		{6, 7, 85_807}, {6, 8, 75_091}, {6, 12, 50_086}, {12, 18, 66_541}, {12, 24, 49_944},
		{12, 16, 100_000 - 25_118}, {10, 11, 100_000 - 9_078}, {100, 101, 100_000 - 1_031}, {50, 100, 100_000 - 49_908},
		{12, 12, 0},
	} {
		got := churner(t, keys, "java", row.n, "java").Churn(row.m)
		if got.KeysMoved != row.moved || got.Keys != 100_000 || got.RecordsMoved != int64(row.moved) || got.BytesMoved != 10*int64(row.moved) {
			t.Errorf("%d to %d: %d keys, %d records, %d bytes moved; want %d keys", row.n, row.m, got.KeysMoved, got.RecordsMoved, got.BytesMoved, row.moved)
		}
		if math.Abs(*got.KeysMovedShare-*got.ExpectedShare) > 0.005 {
			t.Errorf("%d to %d: share %v, expected %v", row.n, row.m, *got.KeysMovedShare, *got.ExpectedShare)
		}
	}
}

// TestChurnOfUUIDs is R01 of the public cases: random UUIDs against the theory.
// https://github.com/karafka/karafka/issues/2804 and https://github.com/apache/pulsar/issues/23603
func TestChurnOfUUIDs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	keys := texts(t, 100_000, func(int) string {
		var b [16]byte
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80 // version 4
		h := hex.EncodeToString(b[:])
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	})
	for _, row := range []struct {
		n, m  int
		moved float64
	}{
		{5, 10, .5}, {6, 8, .75}, {6, 12, .5}, {10, 11, .9091}, {10, 15, .6667}, {10, 20, .5}, {12, 18, .6667}, {12, 24, .5},
		{16, 17, .9412}, {30, 60, .5}, {48, 64, .75},
	} {
		for _, name := range []string{"java", "librdkafka", "sarama", "pulsar-java"} {
			got := churner(t, keys, name, row.n, name).Churn(row.m)
			if math.Abs(*got.ExpectedShare-row.moved) > 0.00005 || math.Abs(*got.KeysMovedShare-*got.ExpectedShare) > 0.005 {
				t.Errorf("%s %d to %d: %v moved, expected %v, want %v", name, row.n, row.m, *got.KeysMovedShare, *got.ExpectedShare, row.moved)
			}
		}
	}
}

// TestCleanSplit asserts that growing to a multiple feeds exactly p, p+N, ….
func TestCleanSplit(t *testing.T) {
	keys := users(t, 20_000)
	for _, n := range []int{1, 3, 6, 12} {
		for k := 1; k <= 5; k++ {
			got := churner(t, keys, "java", n, "java").Churn(k * n)
			if !got.CleanSplit {
				t.Errorf("%d to %d is no clean split", n, k*n)
			}
			if len(got.Flow) != k*n {
				t.Errorf("%d to %d: %d cells, want one for each new partition", n, k*n, len(got.Flow))
			}
			for i, f := range got.Flow {
				if f.From != i/k || f.To != i/k+n*(i%k) {
					t.Errorf("%d to %d: cell %d is %d to %d", n, k*n, i, f.From, f.To)
				}
			}
		}
	}
	if churner(t, keys, "java", 12, "java").Churn(18).CleanSplit {
		t.Error("12 to 18 is called a clean split")
	}
}

// TestChangeOfMapping asserts what moves when the client or the key encoding
// changes, with the count or without.
func TestChangeOfMapping(t *testing.T) {
	ids := texts(t, 50_000, func(i int) string { return fmt.Sprint(100_000 + i) })
	for _, row := range []struct {
		from     string
		n        int
		to       string
		m        int
		expected float64 // NaN for none
		same     bool
	}{
		{"kafkajs-legacy", 12, "kafkajs", 12, 11. / 12, false},
		{"java/avro:1", 12, "java/avro:2", 12, 11. / 12, false},
		{"java/raw", 12, "java/int64", 12, 11. / 12, false},
		{"java/raw", 12, "java/json", 24, 23. / 24, false},
		{"librdkafka", 12, "java", 18, 17. / 18, false},
		{"java", 12, "unmasked-murmur2", 12, .5, false},
		{"java", 16, "unmasked-murmur2", 16, 0, false},
		{"java", 12, "kafkajs", 12, 0, true},
		{"java", 12, "java", 12, 0, true},
		{"java/int64", 12, "franz-go/int64", 24, .5, true},
		{"sarama/avro:1", 12, "sarama/avro:2", 12, math.NaN(), false},
		{"spring-hashcode/int32", 12, "spring-hashcode/int64", 12, math.NaN(), false},
	} {
		got := churner(t, ids, row.from, row.n, row.to).Churn(row.m)
		if got.SameMapping != row.same || got.Keys != 50_000 {
			t.Errorf("%s to %s: same mapping %v, %d keys", row.from, row.to, got.SameMapping, got.Keys)
		}
		if math.IsNaN(row.expected) {
			if got.ExpectedShare != nil || got.ExpectedBy == "" {
				t.Errorf("%s to %s: expected %v (%s), want none with a reason", row.from, row.to, *got.ExpectedShare, got.ExpectedBy)
			}
			continue
		}
		if math.Abs(*got.ExpectedShare-row.expected) > 1e-12 || math.Abs(*got.KeysMovedShare-row.expected) > 0.007 {
			t.Errorf("%s/%d to %s/%d: %v moved, expected %v (%s), want %v", row.from, row.n, row.to, row.m, *got.KeysMovedShare, *got.ExpectedShare, got.ExpectedBy, row.expected)
		}
		if row.expected == 0 && got.KeysMoved != 0 {
			t.Errorf("%s to %s: %d keys moved, want none", row.from, row.to, got.KeysMoved)
		}
	}
	// A long and an int of the same number have one hash code: the formula for
	// unrelated hashes would say 91.7 %.
	if got := churner(t, ids, "spring-hashcode/int32", 12, "spring-hashcode/int64").Churn(12); got.KeysMoved != 0 {
		t.Errorf("%d keys moved from int to long", got.KeysMoved)
	}
}

// TestTextsOfOneKey asserts that texts which both sides encode alike are one key,
// and that they are shown in one spelling.
func TestTextsOfOneKey(t *testing.T) {
	spelled := table(t, [][]byte{[]byte("7"), []byte("007"), []byte("8"), nil}, []int64{1, 2, 4, 8})
	got := churner(t, spelled, "java/int64", 3, "java/int64").Churn(7)
	if got.Keys != 2 || got.Records != 7 || len(got.Undecided) != 1 || got.Undecided[0] != (bench.UndecidedFlow{From: "sticky", To: "sticky", Keys: 1, Records: 8}) {
		t.Errorf("%d keys, %d records, undecided %+v", got.Keys, got.Records, got.Undecided)
	}
	for _, k := range got.TopMoved {
		if *k.Key != "7" && *k.Key != "8" {
			t.Errorf("key %q", *k.Key)
		}
	}
	if got := churner(t, spelled, "java", 3, "java/int64").Churn(7); got.Keys != 3 {
		t.Errorf("raw to int64: %d keys, want 3 texts", got.Keys)
	}
}

func TestEncodingErrors(t *testing.T) {
	keys := table(t, [][]byte{[]byte("1"), nil, []byte("user-7")}, []int64{1, 1, 1})
	for _, row := range [][2]string{{"java", "java/int64"}, {"java/int64", "java"}, {"java/int64", "java/int64"}} {
		_, err := bench.NewChurner(keys, partition.Side{Mapping: mapping(t, row[0]), Partitions: 6}, mapping(t, row[1]))
		var wrong *bench.EncodingError
		if !errors.As(err, &wrong) || wrong.Text != "user-7" || wrong.Encoding != partition.Int64 || !strings.Contains(err.Error(), `"user-7"`) {
			t.Errorf("%v: %v", row, err)
		}
	}
}

// TestSidesThatDoNotDecide asserts that what a client does not place by the key
// is counted apart.
func TestSidesThatDoNotDecide(t *testing.T) {
	keys := table(t, [][]byte{[]byte("a"), {}, nil}, []int64{1, 10, 100})
	got := churner(t, keys, "java", 6, "librdkafka").Churn(6)
	want := []bench.UndecidedFlow{
		{From: "hashed", To: "random, sticky", Keys: 1, Records: 10}, {From: "sticky", To: "random, sticky", Keys: 1, Records: 100},
	}
	if got.Keys != 1 || got.Records != 1 || fmt.Sprint(got.Undecided) != fmt.Sprint(want) || len(got.Warnings) != 2 {
		t.Errorf("%d keys, %d records, undecided %+v, warnings %q", got.Keys, got.Records, got.Undecided, got.Warnings)
	}
	got = churner(t, keys, "kafka-go", 6, "java").Churn(6)
	if got.Keys != 0 || got.KeysMovedShare != nil || got.ExpectedShare != nil {
		t.Errorf("kafka-go: %+v", got)
	}
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
}

func TestTenantsTouched(t *testing.T) {
	var keys partition.KeyTable
	java := client(t, "java")
	for i := range 40 {
		key := fmt.Appendf(nil, "user-%d", i)
		tenant := 3 // no name
		switch moves := java.Place(key, 6) != java.Place(key, 12); {
		case i >= 30:
		case moves:
			tenant = i % 2
		default:
			tenant = 1 + i%2
		}
		if _, err := keys.Add(key, 1, 0, tenant); err != nil {
			t.Fatal(err)
		}
	}
	keys.SetTenants([]string{"all move", "some move", "none moves", ""})
	got := churner(t, &keys, "java", 6, "java").Churn(12)
	if got.Tenants != 3 || got.TenantsTouched != 2 {
		t.Errorf("%d of %d tenants touched, want 2 of 3", got.TenantsTouched, got.Tenants)
	}
}

// TestEffects asserts the arithmetic of what a change does to running systems.
func TestEffects(t *testing.T) {
	c := churner(t, users(t, 100_000), "java", 12, "java")
	c.Parameters = bench.EffectParameters{Lag: 120_000, DrainRate: 2_000, StateBytes: 10e9, RestoreRate: 50e6}
	got := c.Churn(18).Effects
	if got.Order.Keys != 66_541 || *got.Order.WindowSeconds != 60 {
		t.Errorf("order: %+v", got.Order)
	}
	if got.State.Of != "state" || got.State.BytesMoved != 6_654_100_000 || *got.State.SecondsAll != 200 || math.Abs(*got.State.SecondsMoved-133.082) > 1e-9 {
		t.Errorf("state: %+v", got.State)
	}
	// R02 of the public cases: a consumer that takes offsets for versions.
	// https://www.slideshare.net/Dainius/dont-change-the-partition-count-for-kafka-topics
	if got.Compaction != (bench.Compaction{KeysLeftBehind: 66_541, OffsetAsVersion: "fail"}) {
		t.Errorf("compaction: %+v", got.Compaction)
	}
	if got := c.Churn(12).Effects.Compaction; got != (bench.Compaction{OffsetAsVersion: "pass"}) {
		t.Errorf("compaction without a change: %+v", got)
	}

	c.Parameters = bench.EffectParameters{}
	got = c.Churn(18).Effects
	if got.Order.WindowSeconds != nil || got.State.Of != "records" || got.State.BytesMoved != 665_410 || got.Parameters.RestoreRate != bench.DefaultRestoreRate {
		t.Errorf("without parameters: %+v", got)
	}
	if got := churner(t, users(t, 10), "redis-cluster", 3, "redis-cluster").Churn(6).Effects; got != nil {
		t.Errorf("a system without topics: %+v", got)
	}
}

// TestCoPartitioned is J01 of the public cases: a stream of 6 partitions joins
// tables of 6, not one of 1. https://github.com/confluentinc/ksql/issues/7275
func TestCoPartitioned(t *testing.T) {
	keys := users(t, 100)
	judge := func(from string, n int, to string, m int) string {
		c := churner(t, keys, from, n, to)
		c.Parameters.CoPartitioned = []int{6, 1, 12}
		var list []string
		for _, p := range c.Churn(m).Effects.CoPartitioned {
			list = append(list, fmt.Sprintf("%d:%v:%v", p.Partitions, p.Before, p.After))
			if p.After != (p.Reason == "") {
				t.Errorf("%+v", p)
			}
		}
		return strings.Join(list, " ")
	}
	for got, want := range map[string]string{
		judge("java", 6, "java", 6):     "6:true:true 1:false:false 12:false:false",
		judge("java", 6, "java", 12):    "6:true:false 1:false:false 12:false:true",
		judge("java", 6, "kafkajs", 12): "6:true:false 1:false:false 12:false:true",
		judge("java", 6, "sarama", 6):   "6:true:false 1:false:false 12:false:false",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestShrinkingWarns(t *testing.T) {
	for name, want := range map[string]int{"java": 1, "pulsar-java": 1, "redis-cluster": 0} {
		found := 0
		for _, warning := range churner(t, users(t, 10), name, 12, name).Churn(6).Warnings {
			if strings.Contains(warning, "cannot reduce a partition count: this is a new topic") {
				found++
			}
		}
		if found != want {
			t.Errorf("%s: %d warnings that a topic cannot shrink, want %d", name, found, want)
		}
	}
}

func TestSweep(t *testing.T) {
	c := churner(t, users(t, 20_000), "java", 12, "java")
	got, err := c.Sweep(48, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Counts) != 36 || got.Keys != 20_000 {
		t.Fatalf("%d counts, %d keys", len(got.Counts), got.Keys)
	}
	for i, r := range got.Counts {
		want := c.Churn(r.Partitions)
		if r.KeysMoved != want.KeysMoved || r.RecordsMoved != want.RecordsMoved || *r.ExpectedShare != *want.ExpectedShare || r.CleanSplit != want.CleanSplit {
			t.Errorf("%d: %+v, want %+v", r.Partitions, r, want)
		}
		if r.CleanSplit != (r.Partitions%12 == 0) {
			t.Errorf("%d: clean split %v", r.Partitions, r.CleanSplit)
		}
		if i > 0 {
			before := got.Counts[i-1]
			if *before.ExpectedShare > *r.ExpectedShare || *before.ExpectedShare == *r.ExpectedShare && before.Partitions > r.Partitions {
				t.Errorf("%d comes before %d", before.Partitions, r.Partitions)
			}
		}
	}
	stop := errors.New("stop")
	if _, err := c.Sweep(48, func() error { return stop }); err != stop {
		t.Errorf("got %v", err)
	}
	// Without a formula the keys decide.
	ids, err := churner(t, users(t, 1000), "sarama/avro:1", 12, "sarama/avro:2").Sweep(20, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(ids.Counts); i++ {
		if ids.Counts[i].KeysMoved < ids.Counts[i-1].KeysMoved {
			t.Errorf("not sorted: %+v", ids.Counts)
		}
	}
}

// TestChurnConserves asserts that nothing is lost: rows and columns of the flow
// are the loads of the two spreads, and sums are the totals.
func TestChurnConserves(t *testing.T) {
	names := []string{"java", "librdkafka", "sarama", "kafka-go", "spring-hashcode", "kinesis", "cassandra", "redis-cluster", "flink", "unmasked-murmur2"}
	encodings := []string{"raw", "json", "avro:1", "avro:2"}
	rapid.Check(t, func(rt *rapid.T) {
		source := rapid.SliceOfNDistinct(rapid.StringN(0, 12, -1), 1, 60, rapid.ID[string]).Draw(rt, "keys")
		var keys [][]byte
		var records []int64
		for _, text := range source {
			keys = append(keys, []byte(text))
		}
		if rapid.Bool().Draw(rt, "null key") {
			keys = append(keys, nil)
		}
		for range keys {
			records = append(records, rapid.Int64Range(0, 1000).Draw(rt, "records"))
		}
		from := partition.Side{
			Mapping:    mapping(t, rapid.SampledFrom(names).Draw(rt, "from")+"/"+rapid.SampledFrom(encodings).Draw(rt, "from encoding")),
			Partitions: rapid.IntRange(1, 40).Draw(rt, "n"),
		}
		to := mapping(t, rapid.SampledFrom(names).Draw(rt, "to")+"/"+rapid.SampledFrom(encodings).Draw(rt, "to encoding"))
		m := rapid.IntRange(1, 40).Draw(rt, "m")

		c, err := bench.NewChurner(table(t, keys, records), from, to)
		if err != nil {
			rt.Fatal(err)
		}
		got := c.Churn(m)
		if _, err := json.Marshal(got); err != nil {
			rt.Fatal(err)
		}

		rows, columns := make([]bench.Load, from.Partitions), make([]bench.Load, m)
		var sum, moved bench.Load
		for i, f := range got.Flow {
			for _, l := range []*bench.Load{&rows[f.From], &columns[f.To], &sum} {
				l.Keys += f.Keys
				l.Records += f.Records
			}
			if f.From != f.To {
				moved.Keys += f.Keys
				moved.Records += f.Records
			}
			if i > 0 && (got.Flow[i-1].From > f.From || got.Flow[i-1].From == f.From && got.Flow[i-1].To >= f.To) {
				rt.Fatalf("flow is not sorted: %+v", got.Flow)
			}
		}
		if sum.Keys != got.Keys || sum.Records != got.Records || moved.Keys != got.KeysMoved || moved.Records != got.RecordsMoved {
			rt.Fatalf("flow has %+v, of it moved %+v; totals %+v", sum, moved, got)
		}
		total, apart := int64(0), got.Records
		for _, r := range records {
			total += r
		}
		undecided := 0
		for _, u := range got.Undecided {
			apart += u.Records
			undecided += u.Keys
		}
		if apart != total || got.Keys+undecided != len(keys) {
			rt.Fatalf("%d records and %d keys with the undecided, want %d and %d", apart, got.Keys+undecided, total, len(keys))
		}
		if undecided > 0 {
			return // then a side's spread may hold more than the flow
		}
		for _, check := range []struct {
			side partition.Side
			sums []bench.Load
		}{{from, rows}, {partition.Side{Mapping: to, Partitions: m}, columns}} {
			encoded := make([][]byte, len(keys))
			for i, key := range keys {
				if encoded[i], err = check.side.Encoding.AppendKey(nil, string(key)); err != nil {
					rt.Fatal(err)
				}
			}
			spread := bench.NewSpreader(table(t, encoded, records), check.side.Client, check.side.Encoding).Spread(check.side.Partitions)
			for p, l := range spread.Load {
				if l.Keys != check.sums[p].Keys || l.Records != check.sums[p].Records {
					rt.Fatalf("%s: partition %d has %+v, the flow %+v", check.side.Client.Name, p, l, check.sums[p])
				}
			}
		}
	})
}

func BenchmarkChurn(b *testing.B) {
	keys := users(b, 1_000_000)
	for _, counts := range [][2]int{{12, 24}, {100, 101}} {
		b.Run(fmt.Sprintf("from=%d/to=%d", counts[0], counts[1]), func(b *testing.B) {
			c := churner(b, keys, "java", counts[0], "java")
			for b.Loop() {
				c.Churn(counts[1])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ns/key")
		})
	}
}
