package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/bench/metrics"
	"github.com/keyspread/keyspread/partition"
)

// numbered returns a table of keys with one record each: prefix and a number
// from first to last.
func numbered(t testing.TB, prefix string, first, last int) *partition.KeyTable {
	t.Helper()
	var keys [][]byte
	for i := first; i <= last; i++ {
		keys = append(keys, fmt.Appendf(nil, "%s%d", prefix, i))
	}
	return table(t, keys, slices.Repeat([]int64{1}, len(keys)))
}

func spread(t testing.TB, keys *partition.KeyTable, name string, n int) *bench.Spread {
	t.Helper()
	spreads, err := bench.NewSpreader(keys, client(t, name), partition.Raw).Spreads(context.Background(), []int{n}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return spreads[0]
}

func keyCounts(r *bench.Spread) []int {
	var counts []int
	for _, l := range r.Load {
		counts = append(counts, l.Keys)
	}
	return counts
}

// check compares a figure that must exist.
func check(t *testing.T, what string, got *float64, want, tolerance float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: null, want %v", what, want)
	} else if !(math.Abs(*got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v ± %v", what, *got, want, tolerance)
	}
}

func checkVerdict(t *testing.T, r *bench.Spread, want metrics.Verdict, reason string) {
	t.Helper()
	if r.Verdict == nil || *r.Verdict != want || !strings.Contains(r.Reason, reason) {
		t.Errorf("%s on %d: %v, %q; want %s, %q", r.Client, r.Partitions, r.Verdict, r.Reason, want, reason)
	}
}

// TestChiSquaredOfUsers asserts the statistics of user-0 … user-99999, computed
// independently; p to three decimals where it was.
func TestChiSquaredOfUsers(t *testing.T) {
	keys := numbered(t, "user-", 0, 99_999)
	for _, row := range []struct {
		client    string
		n         int
		statistic float64
		p         float64
		counts    []int
	}{
		{"java", 6, 5.246, .387, []int{16711, 16589, 16593, 16489, 16840, 16778}},
		{"java", 12, 10.721, .467, nil}, {"java", 50, 50.283, .422, nil}, {"java", 100, 111.870, .178, nil},
		{"librdkafka", 6, 3.533, 0, nil}, {"librdkafka", 12, 9.068, 0, nil}, {"librdkafka", 50, 45.272, 0, nil}, {"librdkafka", 100, 99.112, 0, nil},
	} {
		r := bench.NewSpreader(keys, client(t, row.client), partition.Raw).Spread(row.n)
		check(t, fmt.Sprintf("%s on %d: chi-squared", row.client, row.n), r.ChiSquared, row.statistic, 0.00051)
		if row.p > 0 {
			check(t, fmt.Sprintf("%s on %d: p", row.client, row.n), r.PValue, row.p, 0.00051)
		}
		if row.counts != nil && !slices.Equal(keyCounts(r), row.counts) {
			t.Errorf("%s on %d: %v, want %v", row.client, row.n, keyCounts(r), row.counts)
		}
		checkVerdict(t, r, metrics.Fair, "as a fair hash spreads them")
	}
}

// TestNearlyConsecutiveIDs is B01 of the public cases: what 62 random keys would
// do. https://gist.github.com/mageddo/343e3da94be8305f200d7d2111fef6d5
func TestNearlyConsecutiveIDs(t *testing.T) {
	r := spread(t, numbered(t, "", 72313, 72374), "java", 20)
	if want := []int{1, 2, 2, 4, 0, 3, 7, 2, 2, 5, 6, 1, 5, 4, 3, 1, 5, 1, 3, 5}; !slices.Equal(keyCounts(r), want) {
		t.Fatalf("%v, want %v", keyCounts(r), want)
	}
	check(t, "imbalance", r.Imbalance, 2.258, .0005)
	check(t, "CV", r.CV, .611, .0005)
	check(t, "chi-squared", r.ChiSquared, 23.16, .005)
	check(t, "p", r.PValue, .23, .005)
	// Equal keys: the placement test must meet the exact distribution.
	exact := r.Occupancy.KeysMaxPValue
	check(t, "p of the imbalance", r.ImbalancePValue, exact, 5*math.Sqrt(exact*(1-exact)/metrics.Placements))
	checkVerdict(t, r, metrics.FewKeys, "is what 62 random keys would do: p = 0.23")
}

// TestObservedLoads is B02: six consumers, keys unknown.
// https://github.com/travisdesell/ngafid2.0/pull/307
func TestObservedLoads(t *testing.T) {
	r := bench.ObservedSpread([]int64{97, 73, 81, 76, 93, 79})
	check(t, "imbalance", r.Imbalance, 1.166, .0005)
	check(t, "CV", r.CV, .106, .0005)
	check(t, "Gini", r.Gini, .058, .0005)
	check(t, "chi-squared", r.ChiSquared, 5.59, .005)
	check(t, "p", r.PValue, .35, .005)
	checkVerdict(t, r, metrics.Fair, "are consistent with a fair hash: p = 0.35")
	if r.Records != 499 || r.Counted != "records" || r.Basis != "measured" || len(r.Warnings) != 1 || r.HotKey != nil {
		t.Errorf("%+v", r)
	}
	if r = bench.ObservedSpread([]int64{0, 0}); r.Verdict != nil || r.Imbalance != nil || r.Idle != 2 {
		t.Errorf("without load: %+v", r)
	}
}

// TestHotKeyVerdict is B03: 80 % of the records have one key.
// https://github.com/j3-signalroom/kafka_cluster-topic-key_distribution_analyzer-tool
func TestHotKeyVerdict(t *testing.T) {
	keys, records := [][]byte{[]byte("hot-key")}, []int64{8000}
	for i := range 2000 {
		keys, records = append(keys, fmt.Appendf(nil, "cold-key-%d", i)), append(records, 1)
	}
	for n, imbalance := range map[int]float64{3: 2.6, 6: 5.01, 12: 9.81} {
		r := spread(t, table(t, keys, records), "java", n)
		checkVerdict(t, r, metrics.HotKey, "key hot-key alone has 80 % of the records, > 99 % of the excess; no hash of whole keys gets below "+fmt.Sprintf("%.2f×", .8*float64(n)))
		check(t, "ceiling share", r.CeilingShare, 1/imbalance, .005/imbalance)
		if *r.HotKey.Key != "hot-key" || *r.HotKey.Partition != *r.TopKeys[0].Partition {
			t.Errorf("hot key %+v", r.HotKey)
		}
	}
}

// TestCountryCodes is B05: 12 countries on 48 partitions.
// https://www.michal-drozd.com/en/blog/kafka-partition-skew-contracts/
func TestCountryCodes(t *testing.T) {
	want := map[string]int{"US": 8, "DE": 13, "GB": 9, "FR": 6, "CZ": 38, "PL": 36, "AT": 41, "HU": 15, "IT": 33, "ES": 16, "NL": 2, "SE": 12}
	var keys [][]byte
	var records []int64
	for country := range want {
		keys, records = append(keys, []byte(country)), append(records, 20)
		if country == "US" {
			records[len(records)-1] = 880 // 80 %
		}
	}
	r := spread(t, table(t, keys, records), "java", 48)
	for country, p := range want {
		if r.Load[p].Keys != 1 {
			t.Errorf("%s is not on partition %d", country, p)
		}
	}
	check(t, "imbalance", r.Imbalance, 38.4, 1e-9)
	if r.Idle != 36 || r.Occupancy == nil || math.Abs(r.Occupancy.IdleExpected-37.28) > .005 {
		t.Errorf("idle %d, occupancy %+v", r.Idle, r.Occupancy)
	}
	if r.PValue != nil {
		t.Errorf("12 keys are too few for chi-square on 48 partitions, p = %v", *r.PValue)
	}
	checkVerdict(t, r, metrics.FewKeys, "key US alone has 80 % of the records, all of the excess; 12 keys can use at most 12 of 48 partitions: up to 1 on one (expected 1.9) and 36 idle (expected 37.3)")
}

// TestUUIDs is B07: Java's hashCode on random UUIDs is even at 100,000 keys.
// https://github.com/spring-cloud/spring-cloud-stream/issues/3117
func TestUUIDs(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	keys := make([][]byte, 100_000)
	for i := range keys {
		a, b := rng.Uint64()&^0xf000|0x4000, rng.Uint64()&^(3<<62)|2<<62
		keys[i] = fmt.Appendf(nil, "%08x-%04x-%04x-%04x-%012x", a>>32, a>>16&0xffff, a&0xffff, b>>48, b&(1<<48-1))
	}
	hashed := bench.NewSpreader(table(t, keys, slices.Repeat([]int64{1}, len(keys))), client(t, "spring-hashcode"), partition.Raw)
	for n, imbalance := range map[int]float64{8: 1.007, 16: 1.02, 24: 1.025} {
		r := hashed.Spread(n)
		check(t, "imbalance", r.Imbalance, imbalance, .01)
		if n == 24 {
			hashed.Test(r, 1)
			checkVerdict(t, r, metrics.Fair, "random placement of these 100000 keys does as much")
		}
		checkVerdict(t, r, metrics.Fair, "")
	}
	r := spread(t, table(t, keys[:20], slices.Repeat([]int64{1}, 20)), "spring-hashcode", 8)
	checkVerdict(t, r, metrics.FewKeys, "is what 20 random keys would do")
}

// TestConstantKeyVerdict is B08. https://github.com/boom-astro/boom/issues/194
func TestConstantKeyVerdict(t *testing.T) {
	r := spread(t, table(t, [][]byte{[]byte("ztf")}, []int64{1000}), "rust-rdkafka", 15)
	checkVerdict(t, r, metrics.FewKeys, "imbalance 15.0×; the only key can use one of 15 partitions, 14 stay idle")
	check(t, "p of the imbalance", r.ImbalancePValue, 1, 0)
	check(t, "ceiling share", r.CeilingShare, 1./15, 1e-12)
}

// TestUnfairHash: keys that a client's hash does not spread are not fair however
// many they are. String.hashCode weighs characters with powers of 31, so that on
// 31 partitions only the last one counts.
func TestUnfairHash(t *testing.T) {
	var keys [][]byte
	for i := range 2000 {
		keys = append(keys, fmt.Appendf(nil, "%c%c%c", 'a'+i%20, 'A'+i/20%20, '0'+2*(i/400)))
	}
	r := spread(t, table(t, keys, slices.Repeat([]int64{1}, len(keys))), "spring-hashcode", 31)
	checkVerdict(t, r, metrics.Uneven, "random placement of these 2000 keys rarely does as much: p < 0.0001; the keys are spread less evenly than a fair hash spreads them: p < 0.0001")
}

// TestSpreadsTestsFewCounts: a sweep is not compared with random placements, a
// few counts are, and a stopped context stops both.
func TestSpreadsTestsFewCounts(t *testing.T) {
	s := bench.NewSpreader(numbered(t, "user-", 0, 99), client(t, "java"), partition.Raw)
	counts := make([]int, bench.TestedCounts+1)
	for i := range counts {
		counts[i] = i + 1
	}
	for _, n := range []int{bench.TestedCounts, bench.TestedCounts + 1} {
		spreads, err := s.Spreads(context.Background(), counts[:n], 42)
		if err != nil || len(spreads) != n {
			t.Fatal(len(spreads), err)
		}
		for i, r := range spreads {
			tested := r.ImbalancePValue != nil && r.PlacementTest != nil
			if r.Partitions != i+1 || tested != (n <= bench.TestedCounts) || r.Verdict == nil {
				t.Errorf("%d counts, at %d: tested %v", n, r.Partitions, tested)
			}
			if tested && *r.PlacementTest != (bench.PlacementTest{Placements: 10000, Keys: 100, ExactKeys: 100, RandomSeed: 42}) {
				t.Errorf("%+v", r.PlacementTest)
			}
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Spreads(stopped, counts, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestSpreadsAreDeterministic: the same to the byte on any GOMAXPROCS.
func TestSpreadsAreDeterministic(t *testing.T) {
	keys, records := [][]byte{}, []int64{}
	for i := range 6000 {
		keys, records = append(keys, fmt.Appendf(nil, "k%d", i)), append(records, int64(1+60_000/(i+1)))
	}
	all := table(t, keys, records)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []byte
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		got, err := json.Marshal(spread(t, all, "java", 12))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		if !bytes.Equal(got, first) {
			t.Errorf("GOMAXPROCS %d:\n%s\nwant\n%s", procs, got, first)
		}
	}
}

// TestFiguresInJSON: all figures are there, and those that do not exist are null.
func TestFiguresInJSON(t *testing.T) {
	numbers := []string{"imbalance", "ceilingShare", "gini", "entropy", "chiSquared", "pValue", "imbalancePValue", "verdict"}
	for what, row := range map[string]struct {
		r    *bench.Spread
		null []string
	}{
		"many keys":                     {spread(t, numbered(t, "user-", 0, 99), "java", 3), nil},
		"one partition":                 {spread(t, numbered(t, "user-", 0, 99), "java", 1), nil},
		"one key":                       {spread(t, numbered(t, "user-", 0, 0), "java", 3), []string{"pValue"}},
		"a client that ignores keys":    {spread(t, numbered(t, "user-", 0, 99), "kafka-go", 3), numbers},
		"keys without records":          {spread(t, table(t, [][]byte{[]byte("a")}, []int64{0}), "java", 3), []string{"imbalance", "ceilingShare", "gini", "entropy", "pValue", "imbalancePValue", "verdict"}},
		"no keys":                       {spread(t, &partition.KeyTable{}, "java", 3), numbers},
		"counted loads":                 {bench.ObservedSpread([]int64{9, 11}), []string{"imbalancePValue"}},
		"counted loads without records": {bench.ObservedSpread([]int64{0}), numbers},
	} {
		text, err := json.Marshal(row.r)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		var null []string
		for _, name := range numbers {
			value, ok := fields[name]
			if !ok {
				t.Errorf("%s: no %s in %s", what, name, text)
			}
			if value == nil {
				null = append(null, name)
			}
		}
		if reason, _ := fields["reason"].(string); reason == "" {
			t.Errorf("%s: no reason", what)
		}
		if diff := cmp.Diff(row.null, null); diff != "" {
			t.Errorf("%s: null figures (-want +got):\n%s", what, diff)
		}
	}
}

// TestReasonNamesKeys: whatever the key's bytes, the reason is text.
func TestReasonNamesKeys(t *testing.T) {
	for _, row := range []struct {
		key  []byte
		want string
	}{
		{[]byte("user-1"), "key user-1 alone"}, {[]byte(""), `key "" alone`}, {[]byte("a b"), `key "a b" alone`}, {[]byte("null"), `key "null" alone`},
		{[]byte{0xc3, 0x28}, "key 0xc328 alone"}, {bytes.Repeat([]byte("é"), 100), "key " + strings.Repeat("é", 64) + "… alone"},
	} {
		r := spread(t, table(t, [][]byte{row.key, []byte("x"), []byte("y")}, []int64{100, 1, 1}), "java", 2)
		if !strings.Contains(r.Reason, row.want) {
			t.Errorf("%q: %s", row.key, r.Reason)
		}
	}
	// Another name, as redaction gives it, and judged again.
	r := spread(t, table(t, [][]byte{[]byte("secret"), []byte("x")}, []int64{100, 1}), "java", 2)
	name := "k-1f3a"
	r.HotKey.Key = &name
	r.Judge()
	if strings.Contains(r.Reason, "secret") || !strings.Contains(r.Reason, name) {
		t.Error(r.Reason)
	}
}
