package reports

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/bench/metrics"
	"github.com/keyspread/keyspread/partition"
)

// SpreadSchema names the JSON form of spreads.
const SpreadSchema = "keyspread/spread/v1"

// Limits of what a page for people shows; CSV and JSON hold everything.
const (
	detailedResults = 4  // with more results the loads are not shown
	topKeyResults   = 12 // with more results the top keys are not shown
	reasonedResults = 32 // with more results the reasons of their verdicts are not shown
	detailedLoads   = 24 // with more partitions only the heaviest are shown
	heaviestLoads   = 10
)

// Spreads writes one or more spreads of the same keys: in text and Markdown a
// summary with the reasons of the verdicts, then the loads and the top keys; in
// CSV a row for each partition; in JSON everything; in Bench a line for each
// result. Of a sweep (see [bench.Spread.Compact]) text and Markdown show ranges of
// counts, CSV has a row for each result, and JSON says "loadsOmitted".
func Spreads(w io.Writer, f Format, results []*bench.Spread) error {
	switch f {
	case JSON:
		return WriteJSON(w, struct {
			Schema       string          `json:"schema"`
			LoadsOmitted bool            `json:"loadsOmitted,omitempty"`
			Results      []*bench.Spread `json:"results"`
		}{SpreadSchema, isSweep(results), results})
	case CSV:
		if isSweep(results) {
			return sweepCSV(results).Write(w, f)
		}
		return spreadLoads(results, f).Write(w, f)
	case Bench:
		var b benchFile
		b.spreads(results)
		return b.write(w)
	}
	if isSweep(results) {
		return sweepSummary(results, f).Write(w, f)
	}
	tables := []*Table{spreadSummary(results, f)}
	for _, r := range results {
		// A client that ignores keys has no load by key to show.
		if len(results) <= detailedResults && r.Imbalance != nil {
			tables = append(tables, spreadDetail(r, f))
		}
	}
	if len(results) <= topKeyResults && len(results[0].TopKeys) > 0 {
		tables = append(tables, topKeys(results, f))
	}
	return writeTables(w, f, tables)
}

// spreadSummary has one row a result: the imbalance first, then the share of the
// top key, at the end the verdict, whose reason is a note.
func spreadSummary(results []*bench.Spread, f Format) *Table {
	first := results[0]
	t := &Table{
		Title: spreadTitle(first),
		Columns: []Column{
			{Name: "client"}, {Name: "partitions", Right: true}, {Name: "imbalance", Right: true},
			{Name: "top key", Right: true}, {Name: "heaviest", Right: true}, {Name: "its share", Right: true},
			{Name: "CV", Right: true}, {Name: "by chance", Right: true}, {Name: "idle", Right: true}, {Name: "verdict"},
		},
	}
	var reasons, warnings []string
	untested := 0
	for _, r := range results {
		heaviest, share, verdict, idle := "n/a", math.NaN(), "n/a", "n/a"
		if r.Imbalance != nil {
			idle = f.Count(int64(r.Idle))
			h := slices.MaxFunc(r.Load, func(a, b bench.Load) int { return cmp.Compare(a.Records, b.Records) })
			heaviest, share = fmt.Sprintf("%s %d", r.Unit, h.Partition), placedShare(r, h.Records)
		}
		if r.Verdict != nil {
			verdict = string(*r.Verdict)
			reasons = append(reasons, fmt.Sprintf("%s, %d, %s: %s", r.Client, r.Partitions, verdict, r.Reason))
		}
		t.Rows = append(t.Rows, []string{
			r.Client, f.Count(int64(r.Partitions)), f.Ratio(value(r.Imbalance)), f.Percent(topShare(r)), heaviest, f.Percent(share),
			decimals(r.CV), decimals(r.CVExpected), idle, verdict,
		})
		for _, warning := range r.Warnings { // the same at every count
			warnings = append(warnings, r.Client+": "+warning)
		}
		if r.HotKey != nil && r.PlacementTest == nil {
			untested++
		}
	}
	if len(results) > reasonedResults {
		reasons = []string{"--format json has the reason of each verdict"}
	}
	if untested > 0 {
		warnings = append(warnings, fmt.Sprintf("%s not compared with random placements: that is done for up to %d counts of up to %s partitions",
			plural(int64(untested), "result"), bench.TestedCounts, f.Count(metrics.PlacementPartitionsMax)))
	}
	t.Notes = append(reasons, "imbalance: load of the heaviest partition / mean load; by chance: the CV that hashing these keys at random gives. "+basis(first))
	if len(results) > detailedResults {
		warnings = append(warnings, fmt.Sprintf("loads per partition are shown for up to %d results; --format csv has them all", detailedResults))
	}
	t.Notes = append(t.Notes, unique(warnings)...)
	return t
}

// spreadTitle says what was spread.
func spreadTitle(r *bench.Spread) string {
	title := fmt.Sprintf("%s in %s", plural(r.Records, "record"), plural(int64(r.Keys), "key"))
	if r.Keys == 0 {
		title = plural(r.Records, "record") + ", keys unknown"
	}
	if r.Input != "" {
		title = r.Input + ": " + title
	}
	return title
}

// basis says where the figures come from.
func basis(r *bench.Spread) string {
	if r.Basis == "modelled" {
		return "Modelled from the keys, not measured on a cluster."
	}
	return "Records as counted, not modelled."
}

// topShare returns the share of the heaviest key that the client places, among
// the records that it places.
func topShare(r *bench.Spread) float64 {
	for _, k := range r.TopKeys {
		if k.Partition != nil {
			return placedShare(r, k.Records)
		}
	}
	return math.NaN()
}

// spreadDetail has the loads of one result, the heaviest first where there are
// too many to show.
func spreadDetail(r *bench.Spread, f Format) *Table {
	t := spreadLoads([]*bench.Spread{r}, f)
	t.Title = fmt.Sprintf("%s, %d %ss", r.Client, r.Partitions, r.Unit)
	if len(r.Load) > detailedLoads {
		order := make([]int, len(t.Rows))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Load[b].Records, r.Load[a].Records) })
		rows := make([][]string, heaviestLoads)
		for i := range rows {
			rows[i] = t.Rows[order[i]]
		}
		t.Rows = rows
		t.Notes = []string{fmt.Sprintf("the %d heaviest of %s %ss; --format csv lists all", heaviestLoads, f.Count(int64(r.Partitions)), r.Unit)}
	}
	t.Columns[2].Name = r.Unit
	dropColumn(t, "client")
	dropColumn(t, "partitions")
	if r.Bytes == 0 {
		dropColumn(t, "bytes")
	}
	if r.Keys == 0 {
		dropColumn(t, "keys")
	}
	return t
}

// spreadLoads has one row for every partition of every result.
func spreadLoads(results []*bench.Spread, f Format) *Table {
	t := &Table{Columns: []Column{
		{Name: "client"}, {Name: "partitions", Right: true}, {Name: "partition", Right: true},
		{Name: "records", Right: true}, {Name: "share", Right: true}, {Name: "keys", Right: true}, {Name: "bytes", Right: true},
	}}
	for _, r := range results {
		for _, l := range r.Load {
			t.Rows = append(t.Rows, []string{
				r.Client, strconv.Itoa(r.Partitions), strconv.Itoa(l.Partition),
				f.Count(l.Records), f.Percent(placedShare(r, l.Records)), f.Count(int64(l.Keys)), f.Bytes(l.Bytes),
			})
		}
	}
	return t
}

// unique returns the texts without repetitions.
func unique(texts []string) []string {
	var kept []string
	for _, text := range texts {
		if !slices.Contains(kept, text) {
			kept = append(kept, text)
		}
	}
	return kept
}

// dropColumn removes a column from a table.
func dropColumn(t *Table, name string) {
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	t.Columns = slices.Delete(t.Columns, at, at+1)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Delete(row, at, at+1)
	}
}

// topKeys has the heaviest keys and where each result puts them.
func topKeys(results []*bench.Spread, f Format) *Table {
	share := "share"
	if slices.ContainsFunc(results, func(r *bench.Spread) bool { return len(r.Undecided) > 0 }) {
		share = "of all records" // elsewhere, shares are of those placed by key
	}
	t := &Table{
		Title:   "top keys",
		Columns: []Column{{Name: "key"}, {Name: "records", Right: true}, {Name: share, Right: true}},
	}
	for _, r := range results {
		t.Columns = append(t.Columns, Column{Name: fmt.Sprintf("%s/%d", r.Client, r.Partitions), Right: true})
	}
	for i, k := range results[0].TopKeys {
		row := []string{keyTextCell(k.KeyText), f.Count(k.Records), f.Percent(k.Share)}
		for _, r := range results {
			cell := "any"
			if p := r.TopKeys[i].Partition; p != nil {
				cell = strconv.Itoa(*p)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// placedShare returns records as a share of those that the client places by key.
func placedShare(r *bench.Spread, records int64) float64 {
	placed := r.Records
	for _, u := range r.Undecided {
		placed -= u.Records
	}
	return float64(records) / float64(placed)
}

// value returns NaN for a figure that does not exist.
func value(f *float64) float64 {
	if f == nil {
		return math.NaN()
	}
	return *f
}

// decimals returns a figure with three decimals.
func decimals(f *float64) string {
	if f == nil {
		return "n/a"
	}
	return fixed(*f, 3)
}

// keyTextCell returns a key of a result as a table cell.
func keyTextCell(k partition.KeyText) string {
	key, err := k.Bytes()
	if err != nil { // a result edited by hand
		key = []byte(*k.Key)
	}
	return KeyCell(key)
}
