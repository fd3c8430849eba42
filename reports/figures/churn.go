package figures

import (
	"fmt"
	"math"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/reports"
)

// Churn returns the figure of a change: how many keys go from each old partition
// to each new one.
func Churn(r *bench.Churn) HeatMap {
	f := HeatMap{
		Title: churnTitle(r.From, r.To),
		Rows:  r.From.Partitions, Columns: r.To.Partitions,
		YLabel: "from " + r.From.Unit, XLabel: "to " + r.To.Unit,
		Unit: "keys",
	}
	share := math.NaN()
	if r.KeysMovedShare != nil {
		share = *r.KeysMovedShare
	}
	f.Subtitle = fmt.Sprintf("%s of %s keys move", reports.Percent(share), reports.Count(int64(r.Keys)))
	if r.ExpectedShare != nil {
		f.Subtitle += fmt.Sprintf(" · expected %s", reports.Percent(*r.ExpectedShare))
	}
	f.Subtitle += fmt.Sprintf(" · least possible %s", reports.Percent(r.OptimumShare))
	for _, flow := range r.Flow {
		f.Cells = append(f.Cells, Cell{Row: flow.From, Column: flow.To, Value: float64(flow.Keys)})
	}
	return f
}

// churnTitle names both sides, and what they share only once.
func churnTitle(from, to bench.Side) string {
	encoding := func(s bench.Side) string {
		if s.KeyEncoding == "raw" {
			return ""
		}
		return ", " + s.KeyEncoding + " keys"
	}
	count := func(s bench.Side) string {
		if s.Partitions == 1 {
			return "1 " + s.Unit
		}
		return fmt.Sprintf("%s %ss", reports.Count(int64(s.Partitions)), s.Unit)
	}
	if from.Client == to.Client && from.KeyEncoding == to.KeyEncoding {
		return fmt.Sprintf("%s%s: %s to %s", from.Client, encoding(from), reports.Count(int64(from.Partitions)), count(to))
	}
	return fmt.Sprintf("%s, %s%s to %s, %s%s", from.Client, count(from), encoding(from), to.Client, count(to), encoding(to))
}
