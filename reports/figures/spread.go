package figures

import (
	"fmt"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/reports"
)

// Spread returns the figure of a spread: its load per partition, the fair share,
// and the heaviest key that the client places by its bytes.
func Spread(r *bench.Spread) LoadBars {
	f := LoadBars{
		Title:        fmt.Sprintf("%s over %s %ss", r.Client, reports.Count(int64(r.Partitions)), r.Unit),
		Subtitle:     subtitle(r),
		Load:         make([]float64, len(r.Load)),
		TopPartition: -1,
		XLabel:       r.Unit,
		YLabel:       "records per " + r.Unit,
	}
	var placed float64
	for i, l := range r.Load {
		f.Load[i] = float64(l.Records)
		placed += f.Load[i]
	}
	f.Fair = placed / float64(len(r.Load))
	for _, k := range r.TopKeys {
		if k.Partition != nil && k.Records > 0 {
			key, _ := k.Bytes()
			f.TopKey, f.TopPartition, f.TopLoad = string(key), *k.Partition, float64(k.Records)
			break
		}
	}
	return f
}

// subtitle says what was spread and the verdict, or why there is no load.
func subtitle(r *bench.Spread) string {
	s := fmt.Sprintf("%s records in %s keys", reports.Count(r.Records), reports.Count(int64(r.Keys)))
	if r.Keys == 0 {
		s = fmt.Sprintf("%s records, keys unknown", reports.Count(r.Records))
	}
	if r.Input != "" {
		s = r.Input + ": " + s
	}
	if r.Imbalance == nil {
		return s + " · none is placed by its key"
	}
	s += fmt.Sprintf(" · imbalance %s", reports.Ratio(*r.Imbalance))
	if r.Verdict != nil {
		s += ", " + string(*r.Verdict)
	}
	return s
}
