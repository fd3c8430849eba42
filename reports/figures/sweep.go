package figures

import (
	"fmt"
	"slices"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/reports"
)

// Sweep returns the figure of spreads of one key source at many counts: the
// imbalance of each client against the count. Clients that agree at every count
// share a line; one that places no record by its key has none. It is false if no
// line is left.
func Sweep(results []*bench.Spread) (f Curves, ok bool) {
	first := results[0]
	f = Curves{Title: fmt.Sprintf("imbalance against %s count", first.Unit), Subtitle: sweepSubtitle(first), XLabel: first.Unit + "s"}
	var names [][]string // of each line
	for _, client := range byClient(results) {
		line := lineOf(client)
		if len(line.Points) == 0 {
			continue
		}
		// Clients that leave out keys have shares of their own.
		if share := topShare(client[len(client)-1]); len(f.Lines) == 0 || share < f.TopShare {
			f.TopShare = share
		}
		at := slices.IndexFunc(f.Lines, func(l Line) bool { return slices.Equal(l.Points, line.Points) })
		if at < 0 {
			at = len(f.Lines)
			f.Lines, names = append(f.Lines, line), append(names, nil)
		}
		names[at] = append(names[at], client[0].Client)
	}
	for i, list := range names {
		f.Lines[i].Name = nameList(list)
	}
	return f, len(f.Lines) > 0
}

// lineOf returns the line of one client's results.
func lineOf(results []*bench.Spread) Line {
	var line Line
	for _, r := range results {
		if r.Imbalance != nil {
			line.Points = append(line.Points, Point{float64(r.Partitions), *r.Imbalance})
		}
	}
	return line
}

// topShare returns the share of the heaviest key as far as the floor tells it: 0 if
// the key is lighter than a mean partition.
func topShare(r *bench.Spread) float64 {
	if r.Floor == nil || *r.Floor <= 1 {
		return 0
	}
	return min(1, *r.Floor/float64(r.Partitions))
}

// byClient returns the results of each client, by count, each count once.
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
	for i, c := range clients {
		slices.SortStableFunc(c, func(a, b *bench.Spread) int { return a.Partitions - b.Partitions })
		clients[i] = slices.CompactFunc(c, func(a, b *bench.Spread) bool { return a.Partitions == b.Partitions })
	}
	return clients
}

// sweepSubtitle says what was spread.
func sweepSubtitle(r *bench.Spread) string {
	s := fmt.Sprintf("%s records in %s keys", reports.Count(r.Records), reports.Count(int64(r.Keys)))
	if r.Input != "" {
		s = r.Input + ": " + s
	}
	return s
}

// nameList returns names as a legend shows them.
func nameList(names []string) string {
	switch {
	case len(names) == 1:
		return names[0]
	case len(names) == 2:
		return names[0] + ", " + names[1]
	}
	return fmt.Sprintf("%s, %s and %d more", names[0], names[1], len(names)-2)
}

// SaveSpreads writes the figures of spreads of one key source into dir and returns
// their paths: the load per partition for each result, or, where there are more than
// [bench.TestedCounts] counts or the loads were left out, imbalance against count
// for all of them.
func SaveSpreads(dir string, results []*bench.Spread) ([]string, error) {
	counts := map[int]bool{}
	compact := false
	for _, r := range results {
		counts[r.Partitions] = true
		compact = compact || r.Compact()
	}
	if compact || len(counts) > bench.TestedCounts {
		f, ok := Sweep(results)
		if !ok {
			return nil, nil
		}
		return f.Save(dir, "imbalance")
	}
	var paths []string
	for _, r := range results {
		more, err := Spread(r).Save(dir, fmt.Sprintf("spread-%s-%d", r.Client, r.Partitions))
		paths = append(paths, more...)
		if err != nil {
			return paths, err
		}
	}
	return paths, nil
}
