package reports_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
)

// sweep returns the spreads of 500 keys and a heavy one at first…last, swept.
func sweep(t *testing.T, first, last int, clients ...string) []*bench.Spread {
	t.Helper()
	var keys partition.KeyTable
	for i := range 500 {
		if _, err := keys.Add(fmt.Appendf(nil, "user-%d", i), int64(1+i%5), 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range [][]byte{[]byte("heavy"), nil} {
		if _, err := keys.Add(key, 60, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	var counts []int
	for n := first; n <= last; n++ {
		counts = append(counts, n)
	}
	var results []*bench.Spread
	for _, name := range clients {
		client, err := partition.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		more, err := bench.NewSpreader(&keys, client, partition.Raw).Sweep(context.Background(), counts)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, more...)
	}
	return results
}

func spreadPage(t *testing.T, f reports.Format, results []*bench.Spread) string {
	t.Helper()
	var b strings.Builder
	if err := reports.Spreads(&b, f, results); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSweepPages: ranges of counts with their best and worst, and what goes with
// them.
func TestSweepPages(t *testing.T) {
	results := sweep(t, 1, 1200, "java", "kafka-go")
	golden(t, "sweep.txt", spreadPage(t, reports.Text, results))
	golden(t, "sweep.md", spreadPage(t, reports.Markdown, results))
	for _, row := range []struct{ clients, first, last, least, most int }{
		{1, 1, 1000, 30, 41}, {3, 1, 1000, 30, 41}, {1, 24, 100, 30, 41}, {1, 1, 1, 1, 1}, {12, 1, 100, 36, 50}, {1, 500, 600, 30, 41},
	} {
		var names []string
		for _, c := range partition.Clients()[:row.clients] {
			names = append(names, c.Name)
		}
		page := spreadPage(t, reports.Markdown, sweep(t, row.first, row.last, names...))
		if rows := strings.Count(page, "\n|") - 2; rows < row.least || rows > row.most {
			t.Errorf("%d clients at %d to %d: %d rows, want %d to %d", row.clients, row.first, row.last, rows, row.least, row.most)
		}
	}
}

// TestSweepCSV: a row for each result, empty where a figure does not exist.
func TestSweepCSV(t *testing.T) {
	results := sweep(t, 1, 70, "java", "kafka-go")
	rows, err := csv.NewReader(strings.NewReader(spreadPage(t, reports.CSV, results))).ReadAll()
	if err != nil || len(rows) != 1+len(results) {
		t.Fatalf("%d rows for %d results, %v", len(rows), len(results), err)
	}
	for i, want := range []string{
		"client partitions imbalance floor ceilingShare cv cvExpected gini entropy idle chiSquared pValue verdict",
		"java 1 1 1 1 0 0 0 1 0 0 1 fair",
	} {
		if got := strings.Join(rows[i], " "); got != want {
			t.Errorf("row %d: got %s, want %s", i, got, want)
		}
	}
	if got := strings.Join(rows[71], ","); got != "kafka-go,1,,,,,,,,1,,," {
		t.Errorf("without load: %s", got)
	}
}

// TestSweepJSON: loads are left out, and that is said.
func TestSweepJSON(t *testing.T) {
	for omitted, results := range map[bool][]*bench.Spread{true: sweep(t, 1, 70, "java"), false: {bench.ObservedSpread([]int64{3, 4})}} {
		var got struct {
			LoadsOmitted bool
			Results      []bench.Spread
		}
		if err := json.Unmarshal([]byte(spreadPage(t, reports.JSON, results)), &got); err != nil {
			t.Fatal(err)
		}
		if got.LoadsOmitted != omitted || got.Results[0].Compact() != omitted {
			t.Errorf("loadsOmitted %v, %d loads", got.LoadsOmitted, len(got.Results[0].Load))
		}
	}
}
