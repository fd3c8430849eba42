package workload

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func syntheticKeys(t testing.TB, text string, seed uint64) []string {
	t.Helper()
	d, err := ParseDistribution(text)
	if err != nil {
		t.Fatal(err)
	}
	table, err := d.Keys(seed)
	if err != nil {
		t.Fatal(err)
	}
	if records, bytes := table.Total(); records != d.Records || bytes != 0 {
		t.Errorf("%s: %d records and %d bytes", text, records, bytes)
	}
	return content(table)
}

// TestKeysGolden holds the drawn counts still: a seed means the same table in every
// version.
func TestKeysGolden(t *testing.T) {
	for _, c := range []struct {
		text string
		seed uint64
		want string
	}{
		{"zipf:1,keys=5,records=1000", 1, `"user-0" 446 0, "user-1" 216 0, "user-2" 135 0, "user-3" 110 0, "user-4" 93 0`},
		{"zipf:1,keys=5,records=1000", 2, `"user-0" 437 0, "user-1" 217 0, "user-2" 151 0, "user-3" 110 0, "user-4" 85 0`},
		{"uniform,keys=4,records=1e12", 1, `"user-0" 249999702887 0, "user-1" 250000303994 0, "user-2" 250000012996 0, "user-3" 249999980123 0`},
		{"zipf:3,keys=1e6,records=20", 1, `"user-0" 14 0, "user-1" 4 0, "user-3" 1 0, "user-4" 1 0`},
	} {
		if diff := cmp.Diff(c.want, strings.Join(syntheticKeys(t, c.text, c.seed), ", ")); diff != "" {
			t.Errorf("%s, seed %d (-want +got):\n%s", c.text, c.seed, diff)
		}
	}
}

func TestKeysDeterministic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, law := range []string{"uniform", "zipf:0.99", "lognormal:0,2", "pareto:1.16", "hotset:20,80"} {
		text := law + ",keys=5000,records=1e7"
		runtime.GOMAXPROCS(1)
		want := syntheticKeys(t, text, 7)
		for _, processors := range []int{2, 8} {
			runtime.GOMAXPROCS(processors)
			if diff := cmp.Diff(want, syntheticKeys(t, text, 7)); diff != "" {
				t.Errorf("%s on %d processors differs (-want +got):\n%s", text, processors, diff)
			}
		}
		if cmp.Equal(want, syntheticKeys(t, text, 8)) {
			t.Errorf("%s: another seed draws the same", text)
		}
	}
}

// TestKeysLeavesOut checks that keys without a record are left out, and that the
// others keep the names of their ranks.
func TestKeysLeavesOut(t *testing.T) {
	d := Distribution{Uniform{}, 1000, 300}
	table, err := d.Keys(1)
	if err != nil {
		t.Fatal(err)
	}
	if n := table.Len(); n < 220 || n > 300 { // 1000·(1 − e^−0.3) = 259 on average
		t.Errorf("%d keys", n)
	}
	rank := -1
	for i := range table.Len() {
		var next int
		if _, err := fmt.Sscanf(string(table.Key(i)), "user-%d", &next); err != nil || next <= rank || next >= d.KeyCount || table.Records(i) < 1 {
			t.Errorf("key %d is %q with %d records, after rank %d", i, table.Key(i), table.Records(i), rank)
		}
		rank = next
	}
	if keys := syntheticKeys(t, "zipf:1,records=0", 1); len(keys) > 0 {
		t.Errorf("%d keys without records", len(keys))
	}
}
