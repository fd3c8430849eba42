package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/bench/metrics"
)

// sweepRows is about how many rows a page for people has of a sweep.
const sweepRows = 40

// isSweep reports whether results are of a sweep, without loads.
func isSweep(results []*bench.Spread) bool {
	return slices.ContainsFunc(results, (*bench.Spread).Compact)
}

// sweepCSV has one row a result.
func sweepCSV(results []*bench.Spread) *Table {
	t := &Table{Columns: []Column{
		{Name: "client"}, {Name: "partitions"}, {Name: "imbalance"}, {Name: "floor"}, {Name: "ceilingShare"}, {Name: "cv"}, {Name: "cvExpected"},
		{Name: "gini"}, {Name: "entropy"}, {Name: "idle"}, {Name: "chiSquared"}, {Name: "pValue"}, {Name: "verdict"},
	}}
	for _, r := range results {
		row := []string{r.Client, strconv.Itoa(r.Partitions)}
		for _, figure := range []*float64{r.Imbalance, r.Floor, r.CeilingShare, r.CV, r.CVExpected, r.Gini, r.Entropy} {
			row = append(row, bare(value(figure)))
		}
		t.Rows = append(t.Rows, append(row, strconv.Itoa(r.Idle), bare(value(r.ChiSquared)), bare(value(r.PValue)), verdictCell(r)))
	}
	return t
}

// sweepSummary has a row for each range of counts, with the most even and the
// least even of them. The ranges grow with the counts: among small ones each
// matters.
func sweepSummary(results []*bench.Spread, f Format) *Table {
	t := &Table{
		Title: spreadTitle(results[0]),
		Columns: []Column{
			{Name: "client"}, {Name: "partitions", Right: true}, {Name: "best", Right: true}, {Name: "imbalance", Right: true},
			{Name: "floor", Right: true}, {Name: "ceiling", Right: true}, {Name: "worth", Right: true}, {Name: "idle", Right: true},
			{Name: "verdict"}, {Name: "worst", Right: true}, {Name: "imbalance", Right: true},
		},
	}
	clients := byClient(results)
	var limits, warnings []string
	for _, swept := range clients {
		for _, part := range ranges(swept, max(3, sweepRows/len(clients))) {
			t.Rows = append(t.Rows, sweepRow(part, f))
		}
		if limit := worthLimit(swept[len(swept)-1]); limit != "" {
			limits = append(limits, limit)
		}
		for _, r := range swept {
			for _, warning := range r.Warnings {
				warnings = append(warnings, r.Client+": "+warning)
			}
		}
	}
	t.Notes = append(unique(limits),
		"which count of a range is best is mostly chance: it holds for these keys with these records",
		"best, worst: the counts with the least and the greatest imbalance of each range; --format csv has all "+f.Count(int64(len(results)))+" results",
		"imbalance: load of the heaviest partition / mean load; floor: no hash of whole keys gets below it; ceiling: the share of all partitions' capacity that is in use when the heaviest is full; worth: so many evenly loaded partitions carry as much. "+basis(results[0]),
		fmt.Sprintf("left out of a sweep: loads, top keys and reasons, which up to %d counts have, and the comparison with random placements, which up to %d have", bench.ListedCounts, bench.TestedCounts),
	)
	t.Notes = append(t.Notes, unique(warnings)...)
	return t
}

// byClient returns the results of each client, by count.
func byClient(results []*bench.Spread) [][]*bench.Spread {
	var clients [][]*bench.Spread
	for _, r := range results {
		at := slices.IndexFunc(clients, func(c []*bench.Spread) bool { return c[0].Client == r.Client })
		if at < 0 {
			at = len(clients)
			clients = append(clients, nil)
		}
		clients[at] = append(clients[at], r)
	}
	for _, c := range clients {
		slices.SortStableFunc(c, func(a, b *bench.Spread) int { return cmp.Compare(a.Partitions, b.Partitions) })
	}
	return clients
}

// ranges divides the results of one client, by count, into up to so many runs, so
// that the greatest count of each is about the same multiple of the least. A client
// that places no record by its key has a single one.
func ranges(results []*bench.Spread, most int) [][]*bench.Spread {
	if results[0].Imbalance == nil {
		return [][]*bench.Spread{results}
	}
	least, greatest := float64(results[0].Partitions), float64(results[len(results)-1].Partitions)
	var parts [][]*bench.Spread
	last := -1
	for _, r := range results {
		at := 0
		if greatest > least {
			at = min(most-1, int(float64(most)*math.Log(float64(r.Partitions)/least)/math.Log(greatest/least)))
		}
		if at != last {
			parts = append(parts, nil)
			last = at
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], r)
	}
	return parts
}

// sweepRow describes the most and the least even of some results. Of several that
// are as even the last, which has the most partitions, is the best.
func sweepRow(results []*bench.Spread, f Format) []string {
	best, worst := results[0], results[0]
	for _, r := range results {
		if value(r.Imbalance) <= value(best.Imbalance) {
			best = r
		}
		if value(r.Imbalance) > value(worst.Imbalance) {
			worst = r
		}
	}
	counts := f.Count(int64(results[0].Partitions))
	if len(results) > 1 {
		counts += ".." + f.Count(int64(results[len(results)-1].Partitions))
	}
	if best.Imbalance == nil {
		return []string{best.Client, counts, "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "", ""}
	}
	row := []string{
		best.Client, counts, f.Count(int64(best.Partitions)), f.Ratio(*best.Imbalance), f.Ratio(value(best.Floor)),
		f.Percent(value(best.CeilingShare)), fixed(worth(best), 1), f.Count(int64(best.Idle)), verdictCell(best),
	}
	if worst == best {
		return append(row, "", "")
	}
	return append(row, f.Count(int64(worst.Partitions)), f.Ratio(*worst.Imbalance))
}

// worth returns how many evenly loaded partitions carry as much.
func worth(r *bench.Spread) float64 { return float64(r.Partitions) * value(r.CeilingShare) }

// worthLimit says how much any count can be worth, if the heaviest key limits the
// greatest count.
func worthLimit(greatest *bench.Spread) string {
	if greatest.Floor == nil || *greatest.Floor <= metrics.UnevenImbalance {
		return ""
	}
	share := *greatest.Floor / float64(greatest.Partitions)
	return fmt.Sprintf("the heaviest key has %s of the records, so that no count is worth more than %s partitions", Percent(share), fixed(1/share, 1))
}

func verdictCell(r *bench.Spread) string {
	if r.Verdict == nil {
		return ""
	}
	return string(*r.Verdict)
}
