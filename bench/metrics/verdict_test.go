package metrics_test

import (
	"math"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench/metrics"
)

var nan = math.NaN()

// fair are figures of which a test changes what matters to it.
var fair = metrics.Figures{
	Unit: "partition", Partitions: 12, Keys: 5000, Records: 100_000, Imbalance: 1.08, KeysMax: 450,
	TopRecords: 900, HotKey: "user-7", HotKeyRecords: 400, HotKeyExcess: .1, PValue: .42, ImbalancePValue: .31,
}

func TestVerdict(t *testing.T) {
	for _, row := range []struct {
		change func(f *metrics.Figures)
		want   metrics.Verdict
		reason string
	}{
		{func(f *metrics.Figures) {}, metrics.Fair,
			"imbalance 1.08×; no key has more than 0.9 % of the records; random placement of these 5000 keys does as much: p = 0.31"},
		{func(f *metrics.Figures) { f.ImbalancePValue = nan }, metrics.Fair,
			"imbalance 1.08×; no key has more than 0.9 % of the records; the keys are spread as a fair hash spreads them: p = 0.42"},
		{func(f *metrics.Figures) { f.Imbalance = 1.2 }, metrics.Fair,
			"imbalance 1.20×; no key has more than 0.9 % of the records; random placement of these 5000 keys does as much: p = 0.31"},
		{func(f *metrics.Figures) { f.Imbalance = 1.2001 }, metrics.Uneven,
			"imbalance 1.20×; no key has more than 0.9 % of the records; random placement of these 5000 keys does as much: p = 0.31"},
		{func(f *metrics.Figures) { f.ImbalancePValue = .0031 }, metrics.Uneven,
			"imbalance 1.08×; no key has more than 0.9 % of the records; random placement of these 5000 keys rarely does as much: p = 0.0031"},
		{func(f *metrics.Figures) { f.PValue = 3e-9 }, metrics.Uneven,
			"imbalance 1.08×; no key has more than 0.9 % of the records; random placement of these 5000 keys does as much: p = 0.31; the keys are spread less evenly than a fair hash spreads them: p < 0.0001"},
		{func(f *metrics.Figures) {
			f.Imbalance, f.HotKeyExcess, f.HotKeyRecords, f.TopRecords = 2.6, .96, 80_000, 80_000
		}, metrics.HotKey,
			"imbalance 2.60×; key user-7 alone has 80 % of the records, 96 % of the excess; no hash of whole keys gets below 9.60×"},
		{func(f *metrics.Figures) { f.Imbalance, f.HotKeyExcess, f.HotKeyRecords = 1.3, 1.01, 5_000 }, metrics.HotKey,
			"imbalance 1.30×; key user-7 alone has 5.0 % of the records, all of the excess; random placement of these 5000 keys does as much: p = 0.31"},
		{func(f *metrics.Figures) { f.Imbalance, f.HotKeyExcess = 1.3, .4999 }, metrics.Uneven,
			"imbalance 1.30×; no key has more than 0.9 % of the records; random placement of these 5000 keys does as much: p = 0.31"},
		{func(f *metrics.Figures) { f.Keys, f.KeysMax = 120, 15 }, metrics.Fair,
			"imbalance 1.08×; no key has more than 0.9 % of the records; random placement of these 120 keys does as much: p = 0.31"},
		{func(f *metrics.Figures) { f.Keys, f.KeysMax = 119, 15 }, metrics.FewKeys,
			"imbalance 1.08×; no key has more than 0.9 % of the records; 119 keys on 12 partitions: up to 15 on one (expected 15.3) and 0 idle (expected 0.0) is what 119 random keys would do: p = 0.42"},
		{func(f *metrics.Figures) { f.Keys, f.KeysMax, f.PValue = 119, 40, 1e-7 }, metrics.FewKeys,
			"imbalance 1.08×; no key has more than 0.9 % of the records; 119 keys on 12 partitions: up to 40 on one (expected 15.3) and 0 idle (expected 0.0) is more uneven than 119 random keys would be: p < 0.0001"},
		{func(f *metrics.Figures) { // B08: one constant key
			f.Partitions, f.Keys, f.KeysMax, f.Imbalance, f.Idle, f.PValue = 15, 1, 1, 15, 14, nan
			f.TopRecords, f.HotKeyRecords, f.HotKeyExcess = 100_000, 100_000, 1
		}, metrics.FewKeys, "imbalance 15.0×; the only key can use one of 15 partitions, 14 stay idle"},
		{func(f *metrics.Figures) { f.Partitions, f.Keys, f.Imbalance, f.KeysMax = 1, 40, 1, 40 }, metrics.Fair,
			"imbalance 1.00×: one partition takes everything"},
	} {
		f := fair
		row.change(&f)
		verdict, reason := f.Judge()
		if verdict != row.want || reason != row.reason {
			t.Errorf("%+v:\n got %s: %s\nwant %s: %s", f, verdict, reason, row.want, row.reason)
		}
	}
}

func TestExcessShare(t *testing.T) {
	near(t, "all on one partition", metrics.ExcessShare(100, 100, 20, 5), 1, 1e-12)
	near(t, "half of the excess", metrics.ExcessShare(50, 60, 20, 5), 1, 1e-12)
	near(t, "a light key", metrics.ExcessShare(10, 60, 20, 5), .2, 1e-12)
	if got := metrics.ExcessShare(20, 20, 20, 5); !math.IsNaN(got) {
		t.Errorf("without excess: %v, want NaN", got)
	}
}

func TestVerdictOnLoads(t *testing.T) {
	for _, row := range []struct {
		loads  []int64
		want   metrics.Verdict
		reason string
	}{
		// B02 of the public cases: https://github.com/travisdesell/ngafid2.0/pull/307
		{[]int64{97, 73, 81, 76, 93, 79}, metrics.Fair,
			"imbalance 1.17×; 499 records on 6 partitions are consistent with a fair hash: p = 0.35"},
		// B07: https://github.com/spring-cloud/spring-cloud-stream/issues/3117
		{[]int64{0, 1, 1, 1, 4, 4, 6, 3}, metrics.FewKeys,
			"imbalance 2.40×; 20 records on 8 partitions: too few to say; they are consistent with a fair hash: p = 0.10"},
		{[]int64{1, 0}, metrics.FewKeys, "imbalance 2.00×; 1 record on 2 partitions: too few to say"},
		{[]int64{13, 10, 7}, metrics.Uneven,
			"imbalance 1.30×; 30 records on 3 partitions are consistent with a fair hash: p = 0.41"},
		{[]int64{1_100_000, 1_000_000}, metrics.Fair,
			"imbalance 1.05×; 2100000 records on 2 partitions are more uneven than independent records would be, as keys with many records are under any hash: p < 0.0001"},
		{[]int64{50}, metrics.Fair, "imbalance 1.00×: one partition takes everything"},
	} {
		verdict, reason, warning := metrics.JudgeLoads("partition", row.loads)
		if verdict != row.want || reason != row.reason {
			t.Errorf("%v:\n got %s: %s\nwant %s: %s", row.loads, verdict, reason, row.want, row.reason)
		}
		if !strings.Contains(warning, "independent") {
			t.Errorf("%v: warning %q", row.loads, warning)
		}
	}
}

// TestFloorIsOfTheHeaviestKey asserts that what no hash gets below follows from the
// heaviest key, also where another one makes its partition the heaviest.
func TestFloorIsOfTheHeaviestKey(t *testing.T) {
	f := metrics.Figures{
		Unit: "partition", Partitions: 37, Keys: 2832, Records: 15785, Imbalance: 2.6,
		TopRecords: 853, HotKey: "hot", HotKeyRecords: 574, HotKeyExcess: 0.81,
		PValue: 0.5, ImbalancePValue: 0.5,
	}
	verdict, reason := f.Judge()
	if verdict != metrics.HotKey || !strings.Contains(reason, "no hash of whole keys gets below 2.00×") {
		t.Errorf("%s: %s", verdict, reason)
	}
}
