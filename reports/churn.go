package reports

import (
	"fmt"
	"io"
	"strconv"

	"github.com/keyspread/keyspread/bench"
)

// ChurnSchema names the JSON form of churns.
const ChurnSchema = "keyspread/churn/v1"

// Limits of what a page for people shows; CSV and JSON hold everything.
const (
	detailedChanges = 4  // with more changes only their summary is shown
	flowRows        = 32 // larger flows are left to figures
	flowColumns     = 16
	shownReaches    = 15
)

// Churns writes what changes move and, if sweep is not nil, which partition
// counts are within reach. Text and Markdown have a summary, then for each change
// its flow, the heaviest moved keys and what it does to running systems. CSV has
// one table: a row for each cell of the flows, or the sweep if there are no
// changes. JSON has everything, Bench a line for each change and count.
func Churns(w io.Writer, f Format, changes []*bench.Churn, sweep *bench.SweepResult) error {
	switch f {
	case JSON:
		if changes == nil {
			changes = []*bench.Churn{}
		}
		return WriteJSON(w, struct {
			Schema  string             `json:"schema"`
			Changes []*bench.Churn     `json:"changes"`
			Sweep   *bench.SweepResult `json:"sweep,omitempty"`
		}{ChurnSchema, changes, sweep})
	case CSV:
		if len(changes) > 0 {
			return flowCells(changes, f).Write(w, f)
		}
		return sweepTable(sweep, f).Write(w, f)
	case Bench:
		var b benchFile
		b.churns(changes, sweep)
		return b.write(w)
	}

	var parts []func() error
	table := func(t *Table) { parts = append(parts, func() error { return t.Write(w, f) }) }
	if len(changes) > 0 {
		table(churnSummary(changes, f))
	}
	if len(changes) <= detailedChanges {
		for _, r := range changes {
			if flow := flowMatrix(r, f); flow != nil {
				table(flow)
			}
			if len(r.TopMoved) > 0 {
				table(movedKeys(r, f))
			}
			if r.Effects != nil {
				parts = append(parts, func() error { return writeList(w, f, arrow(r)+": what it does to running systems", effectLines(r, f)) })
			}
		}
	}
	if sweep != nil {
		table(sweepTable(sweep, f))
	}
	for i, write := range parts {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// sideName names a side of a change: java/12, or java/12 avro:1 where the
// encoding is not the text itself.
func sideName(s bench.Side) string {
	name := fmt.Sprintf("%s/%d", s.Client, s.Partitions)
	if s.KeyEncoding != "raw" {
		name += " " + s.KeyEncoding
	}
	return name
}

func arrow(r *bench.Churn) string { return sideName(r.From) + " → " + sideName(r.To) }

// churnSummary has one row a change.
func churnSummary(changes []*bench.Churn, f Format) *Table {
	first := changes[0]
	t := &Table{
		Title: fmt.Sprintf("%s records in %s keys", f.Count(first.Records), f.Count(int64(first.Keys))),
		Columns: []Column{
			{Name: "from"}, {Name: "to"},
			{Name: "keys moved", Right: true}, {Name: "share", Right: true}, {Name: "expected", Right: true}, {Name: "optimum", Right: true},
			{Name: "records moved", Right: true}, {Name: "share", Right: true},
		},
		Notes: []string{"expected: of keys, if the hash is uniform; optimum: the least that any method must move for even loads. Modelled from the keys, not measured on a cluster."},
	}
	if first.Input != "" {
		t.Title = first.Input + ": " + t.Title
	}
	hasBytes, hasTenants := false, false
	for _, r := range changes {
		hasBytes, hasTenants = hasBytes || r.Bytes > 0, hasTenants || r.Tenants > 0
	}
	if hasBytes {
		t.Columns = append(t.Columns, Column{Name: "bytes moved", Right: true})
	}
	if hasTenants {
		t.Columns = append(t.Columns, Column{Name: "tenants touched", Right: true})
	}
	for _, r := range changes {
		row := []string{
			sideName(r.From), sideName(r.To), f.Count(int64(r.KeysMoved)), f.Percent(value(r.KeysMovedShare)), f.Percent(value(r.ExpectedShare)),
			f.Percent(r.OptimumShare), f.Count(r.RecordsMoved), f.Percent(value(r.RecordsMovedShare)),
		}
		if hasBytes {
			row = append(row, f.Bytes(r.BytesMoved))
		}
		if hasTenants {
			row = append(row, fmt.Sprintf("%s of %s", f.Count(int64(r.TenantsTouched)), f.Count(int64(r.Tenants))))
		}
		t.Rows = append(t.Rows, row)
		expected := "expected: " + r.ExpectedBy
		if r.ExpectedShare == nil {
			expected = "no expectation: " + r.ExpectedBy
		}
		t.Notes = append(t.Notes, fmt.Sprintf("%s: %s; %s", arrow(r), r.Split, expected))
		for _, warning := range r.Warnings {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s", arrow(r), warning))
		}
	}
	return t
}

// flowCells has one row for every cell of every change's flow.
func flowCells(changes []*bench.Churn, f Format) *Table {
	t := &Table{Columns: []Column{
		{Name: "fromClient"}, {Name: "fromPartitions"}, {Name: "fromKeyEncoding"},
		{Name: "toClient"}, {Name: "toPartitions"}, {Name: "toKeyEncoding"},
		{Name: "from"}, {Name: "to"}, {Name: "keys"}, {Name: "records"},
	}}
	for _, r := range changes {
		for _, flow := range r.Flow {
			t.Rows = append(t.Rows, []string{
				r.From.Client, strconv.Itoa(r.From.Partitions), r.From.KeyEncoding, r.To.Client, strconv.Itoa(r.To.Partitions), r.To.KeyEncoding,
				strconv.Itoa(flow.From), strconv.Itoa(flow.To), f.Count(int64(flow.Keys)), f.Count(flow.Records),
			})
		}
	}
	return t
}

// flowMatrix has a row for each old partition and a column for each new one, nil
// if that is too much for a page.
func flowMatrix(r *bench.Churn, f Format) *Table {
	if r.From.Partitions > flowRows || r.To.Partitions > flowColumns || r.Keys == 0 {
		return nil
	}
	t := &Table{
		Title:   fmt.Sprintf("%s: keys from each old %s (rows) to each new one (columns)", arrow(r), r.From.Unit),
		Columns: []Column{{Name: "from", Right: true}},
	}
	for p := range r.To.Partitions {
		t.Columns = append(t.Columns, Column{Name: strconv.Itoa(p), Right: true})
	}
	for p := range r.From.Partitions {
		row := make([]string, 1+r.To.Partitions)
		row[0] = strconv.Itoa(p)
		for i := range r.To.Partitions {
			row[1+i] = "·"
		}
		t.Rows = append(t.Rows, row)
	}
	for _, flow := range r.Flow {
		t.Rows[flow.From][1+flow.To] = f.Count(int64(flow.Keys))
	}
	return t
}

// movedKeys has the heaviest keys that move.
func movedKeys(r *bench.Churn, f Format) *Table {
	t := &Table{
		Title: arrow(r) + ": heaviest moved keys",
		Columns: []Column{
			{Name: "key"}, {Name: "records", Right: true}, {Name: "share", Right: true}, {Name: "from", Right: true}, {Name: "to", Right: true},
		},
	}
	for _, k := range r.TopMoved {
		t.Rows = append(t.Rows, []string{keyTextCell(k.KeyText), f.Count(k.Records), f.Percent(k.Share), strconv.Itoa(k.From), strconv.Itoa(k.To)})
	}
	return t
}

// sweepTable has one row for each count within reach, the first ones on a page
// for people.
func sweepTable(s *bench.SweepResult, f Format) *Table {
	t := &Table{
		Title: fmt.Sprintf("counts up to %s that %s can grow to, least movement first", f.Count(int64(s.Largest)), sideName(s.From)),
		Columns: []Column{
			{Name: "partitions", Right: true}, {Name: "expected", Key: "expectedShare", Right: true}, {Name: "optimum", Key: "optimumShare", Right: true},
			{Name: "keys moved", Key: "keysMoved", Right: true}, {Name: "share", Key: "keysMovedShare", Right: true},
			{Name: "records moved", Key: "recordsMoved", Right: true}, {Name: "share", Key: "recordsMovedShare", Right: true},
			{Name: "clean split", Key: "cleanSplit"},
		},
	}
	if s.To.Client != s.From.Client || s.To.KeyEncoding != s.From.KeyEncoding {
		t.Title += fmt.Sprintf(", as %s with %s keys", s.To.Client, s.To.KeyEncoding)
	}
	counts := s.Counts
	if f != CSV && len(counts) > shownReaches {
		counts = counts[:shownReaches]
		t.Notes = append(t.Notes, fmt.Sprintf("the first %d of %s counts; --format csv lists all", shownReaches, f.Count(int64(len(s.Counts)))))
	}
	for _, r := range counts {
		clean := "no"
		switch {
		case f == CSV:
			clean = strconv.FormatBool(r.CleanSplit)
		case r.CleanSplit:
			clean = "yes"
		}
		t.Rows = append(t.Rows, []string{
			f.Count(int64(r.Partitions)), f.Percent(value(r.ExpectedShare)), f.Percent(r.OptimumShare),
			f.Count(int64(r.KeysMoved)), f.Percent(value(r.KeysMovedShare)), f.Count(r.RecordsMoved), f.Percent(value(r.RecordsMovedShare)), clean,
		})
	}
	t.Notes = append(t.Notes, s.Warnings...)
	return t
}

// effectLines says in words what a change does to running systems.
func effectLines(r *bench.Churn, f Format) []string {
	e, keys := r.Effects, plural(int64(r.KeysMoved), "key")
	var lines []string
	if r.KeysMoved == 0 {
		lines = append(lines, "no key moves: order, compaction and state stay as they are")
	} else {
		lines = append(lines,
			"order: "+orderText(e, keys),
			fmt.Sprintf("compacted topic: the latest value or tombstone of %s stays on the old %s, where no later record replaces it", keys, r.From.Unit),
			"offset as version: FAIL. A consumer that takes the offset for a version (an external version in Elasticsearch) drops updates and deletes of moved keys as old, until the new partition's offsets have passed the old ones'",
			"keyed state (Kafka Streams, a cache): "+stateText(r, f),
		)
	}
	for _, c := range e.CoPartitioned {
		lines = append(lines, fmt.Sprintf("co-partitioned with a topic of %s: %s", f.Count(int64(c.Partitions)), coPartitionText(c)))
	}
	return append(lines, "modelled, each from the formula beside it")
}

func orderText(e *bench.Effects, keys string) string {
	text := keys + " may be handled out of order until what waits on the old partitions is drained"
	if e.Order.WindowSeconds == nil {
		return text + "; --lag and --rate tell how long (lag / rate)"
	}
	return fmt.Sprintf("%s: %s (lag / rate = %s records on the fullest partition / %s a second)",
		text, Seconds(*e.Order.WindowSeconds), Count(e.Parameters.Lag), decimalRate(e.Parameters.DrainRate))
}

func stateText(r *bench.Churn, f Format) string {
	s := r.Effects.State
	text := fmt.Sprintf("that of %s is needed by another task", plural(int64(r.KeysMoved), "key"))
	rate := decimalRate(r.Effects.Parameters.RestoreRate/1e6) + " MB/s"
	if r.Effects.Parameters.RestoreRateAssumed {
		rate += " (assumed; --restore-rate)"
	}
	switch s.Of {
	case "state":
		text += fmt.Sprintf(", %s of %s = state · keys moved / keys, %s at %s", f.Bytes(s.BytesMoved), f.Bytes(s.Bytes), Seconds(value(s.SecondsMoved)), rate)
	case "records":
		text += fmt.Sprintf(", %s if state is as large as the records, %s at %s", f.Bytes(s.BytesMoved), Seconds(value(s.SecondsMoved)), rate)
	default:
		text += "; --state-bytes tells how much and how long"
	}
	if r.From.Partitions == r.To.Partitions {
		return text + ". With the count unchanged nothing notices: reset the application"
	}
	text += ". Kafka Streams rebuilds all of it, since its internal topics keep the old count and it refuses to start until it is reset"
	if s.SecondsAll != nil {
		text += ": " + Seconds(*s.SecondsAll)
	}
	return text
}

func coPartitionText(c bench.CoPartition) string {
	switch {
	case c.Before && c.After:
		return "can be joined before and after"
	case c.Before:
		return "can be joined before, not after: " + c.Reason
	case c.After:
		return "cannot be joined before, can be after"
	}
	return "cannot be joined before or after: " + c.Reason
}

// decimalRate returns a rate without needless decimals.
func decimalRate(x float64) string {
	if x == float64(int64(x)) {
		return Count(int64(x))
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// writeList writes a title and a list of sentences in text or Markdown.
func writeList(w io.Writer, f Format, title string, lines []string) error {
	heading, bullet := "%s\n\n", "- %s\n"
	if f == Markdown {
		heading = "### %s\n\n"
	}
	if _, err := fmt.Fprintf(w, heading, f.escape(title)); err != nil {
		return err
	}
	for _, line := range lines {
		if _, err := fmt.Fprintf(w, bullet, f.escape(line)); err != nil {
			return err
		}
	}
	return nil
}
