package reports_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
)

// TestObservedSpread: loads of which no keys are known, with their verdict and
// its warning.
func TestObservedSpread(t *testing.T) {
	results := []*bench.Spread{bench.ObservedSpread([]int64{97, 73, 81, 76, 93, 79})}
	for f, name := range map[reports.Format]string{reports.Text: "observed.txt", reports.Markdown: "observed.md", reports.JSON: "observed.json"} {
		var b strings.Builder
		if err := reports.Spreads(&b, f, results); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
	}
}

// TestSpreadSweep: with many counts there is a row for each and no sentence, and
// a note says what was not tested.
func TestSpreadSweep(t *testing.T) {
	var keys partition.KeyTable
	for i := range 500 {
		if _, err := keys.Add(fmt.Appendf(nil, "user-%d", i), 1, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	client, err := partition.Lookup("java")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		counts                int
		sentences, comparison bool
	}{{16, true, true}, {17, true, false}, {40, false, false}} {
		var counts []int
		for n := range row.counts {
			counts = append(counts, n+1)
		}
		results, err := bench.NewSpreader(&keys, client, partition.Raw).Spreads(context.Background(), counts, 1)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := reports.Spreads(&b, reports.Text, results); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if lines := strings.Count(text, "\njava "); lines != row.counts {
			t.Errorf("%d counts: %d rows", row.counts, lines)
		}
		if got := strings.Contains(text, "note: java, 3, fair: imbalance"); got != row.sentences {
			t.Errorf("%d counts: sentences %v", row.counts, got)
		}
		if got := !strings.Contains(text, "not compared with random placements"); got != row.comparison {
			t.Errorf("%d counts: compared %v", row.counts, got)
		}
	}
}
