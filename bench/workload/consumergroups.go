package workload

import "bytes"

// consumerGroupsFormat is the table that kafka-consumer-groups --describe prints;
// with several groups there are several, one below the other.
var consumerGroupsFormat = format{
	name:      ConsumerGroups,
	layout:    "tables of kafka-consumer-groups: topic, partition, end offset, lag",
	sniff:     sniffConsumerGroups,
	read:      readConsumerGroups,
	loadsOnly: true,
}

func sniffConsumerGroups(s sample) (why string, ok bool) {
	for line := range s.lines() {
		if _, header := groupColumns(line); header {
			return "because there is a header with TOPIC, PARTITION and LAG", true
		}
		if !groupRemark(line) {
			return "", false
		}
	}
	return "", false
}

// groupRemark reports whether a line is none of a table: blank or a sentence of the
// tool.
func groupRemark(line []byte) bool {
	for _, start := range []string{"Consumer group '", "Warning: ", "Error: ", "Note: "} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return len(bytes.TrimSpace(line)) == 0
}

// groupTable says which column of a table is what, -1 if none is.
type groupTable struct {
	group, topic, partition, end, lag int

	width int // columns needed
}

// groupColumns finds the columns by a header.
func groupColumns(line []byte) (t groupTable, ok bool) {
	t = groupTable{-1, -1, -1, -1, -1, 0}
	if !bytes.Contains(line, []byte("PARTITION")) {
		return t, false
	}
	used := map[string]*int{"GROUP": &t.group, "TOPIC": &t.topic, "PARTITION": &t.partition, "LOG-END-OFFSET": &t.end, "LAG": &t.lag}
	for i, name := range bytes.Fields(line) {
		if column := used[string(name)]; column != nil && *column < 0 {
			*column = i
			t.width = i + 1
		}
	}
	return t, t.topic >= 0 && t.partition >= 0 && (t.end >= 0 || t.lag >= 0)
}

func readConsumerGroups(src *source, in *intake) error {
	var table *groupTable
	return readLoadLines(src, in, func(line []byte) *ReadError {
		if groupRemark(line) {
			return nil
		}
		if t, header := groupColumns(line); header {
			table, in.header = &t, true
			return nil
		}
		if table == nil {
			return &ReadError{
				Field: "header", Text: quote(line), Problem: "there is no header with TOPIC, PARTITION and LAG above",
				Fix: "give the whole output of kafka-consumer-groups --describe --group …",
			}
		}
		return table.row(in, line)
	})
}

// row takes in a row of the table.
func (t *groupTable) row(in *intake, line []byte) *ReadError {
	fields := bytes.Fields(line)
	if len(fields) < t.width {
		return &ReadError{Text: quote(line), Problem: plural(len(fields), "column") + ", too few for the header above", Fix: skipFix}
	}
	const none = "-" // what is not known
	if string(fields[t.partition]) == none {
		return nil // a member without partitions
	}
	n, wrong := parsePartition(fields[t.partition])
	if wrong != nil {
		wrong.Fix = "a name with spaces moves the columns; " + skipFix
		return wrong
	}
	at := func(column int, field string) int64 {
		if column < 0 || string(fields[column]) == none || wrong != nil {
			return unknownLoad
		}
		var value int64
		if value, wrong = parseLoad(nil, fields[column], field, "records"); wrong != nil {
			wrong.Column = 0
		}
		return value
	}
	end, lag := at(t.end, "log-end-offset"), at(t.lag, "lag")
	if wrong != nil {
		return wrong
	}
	var group []byte
	if t.group >= 0 {
		group = fields[t.group]
	}
	l, isNew := in.loads.partition(fields[t.topic], group, n)
	switch {
	case l == nil:
		return tooMany()
	case !isNew:
		return &ReadError{Problem: "this partition of the group is there twice", Fix: "give the output of one call, or " + skipFix}
	}
	l.end, l.lag = end, lag
	in.sum.Rows++
	return nil
}
