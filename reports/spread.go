package reports

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
)

// SpreadSchema names the JSON form of spreads.
const SpreadSchema = "keyspread/spread/v1"

// Limits of what a page for people shows; CSV and JSON hold everything.
const (
	detailedResults = 4  // with more results only their summary is shown
	detailedLoads   = 24 // with more partitions only the heaviest are shown
	heaviestLoads   = 10
)

// Spreads writes one or more spreads of the same keys: in text and Markdown a
// summary, then the loads and the top keys; in CSV a row for each partition; in
// JSON everything.
func Spreads(w io.Writer, f Format, results []*bench.Spread) error {
	switch f {
	case JSON:
		return WriteJSON(w, struct {
			Schema  string          `json:"schema"`
			Results []*bench.Spread `json:"results"`
		}{SpreadSchema, results})
	case CSV:
		return spreadLoads(results, f).Write(w, f)
	}
	tables := []*Table{spreadSummary(results, f)}
	if len(results) <= detailedResults {
		for _, r := range results {
			tables = append(tables, spreadDetail(r, f))
		}
		tables = append(tables, topKeys(results, f))
	}
	for i, t := range tables {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := t.Write(w, f); err != nil {
			return err
		}
	}
	return nil
}

// spreadSummary has one row a result.
func spreadSummary(results []*bench.Spread, f Format) *Table {
	first := results[0]
	t := &Table{
		Title: fmt.Sprintf("%s records in %s keys", f.Count(first.Records), f.Count(int64(first.Keys))),
		Columns: []Column{
			{Name: "client"}, {Name: "partitions", Right: true}, {Name: "imbalance", Right: true},
			{Name: "heaviest", Right: true}, {Name: "its share", Right: true}, {Name: "fair share", Right: true},
			{Name: "CV", Right: true}, {Name: "CV by chance", Right: true}, {Name: "idle", Right: true},
		},
		Notes: []string{"imbalance: load of the heaviest partition / mean load; CV by chance: what hashing these keys at random gives. Modelled from the keys, not measured on a cluster."},
	}
	for _, r := range results {
		heaviest, share := "n/a", math.NaN()
		if r.Imbalance != nil {
			h := slices.MaxFunc(r.Load, func(a, b bench.Load) int { return cmp.Compare(a.Records, b.Records) })
			heaviest, share = fmt.Sprintf("%s %d", r.Unit, h.Partition), placedShare(r, h.Records)
		}
		t.Rows = append(t.Rows, []string{
			r.Client, f.Count(int64(r.Partitions)), f.Ratio(value(r.Imbalance)), heaviest, f.Percent(share),
			f.Percent(1 / float64(r.Partitions)), decimals(r.CV), decimals(r.CVExpected), f.Count(int64(r.Idle)),
		})
		for _, warning := range r.Warnings {
			t.Notes = append(t.Notes, fmt.Sprintf("%s, %d: %s", r.Client, r.Partitions, warning))
		}
	}
	return t
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
	t := &Table{
		Title:   "top keys",
		Columns: []Column{{Name: "key"}, {Name: "records", Right: true}, {Name: "share", Right: true}},
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
