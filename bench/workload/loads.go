package workload

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// PartitionLoads is what the partitions of a topic hold, from an input that says
// so without keys.
type PartitionLoads struct {
	Topic string // empty if the input does not name it
	Group string // the consumer group whose lag it is, empty if the input names none

	Partitions []PartitionLoad // in the order of their numbers, each once

	// What is known. What is not is 0 in every partition.
	HasRecords, HasBytes, HasLag bool
}

// A PartitionLoad is what one partition holds.
type PartitionLoad struct {
	Partition int

	// Records is the end offset, less the start offset if the input has that: the
	// records ever written, or those not deleted by retention. Compaction and
	// transactions make it an upper bound.
	Records int64

	Bytes int64 // of the largest replica
	Lag   int64 // records that the group has not consumed
}

// ReadLoads reads an input that has partitions and no keys to its end: what
// kafka-get-offsets prints, kafka-consumer-groups --describe, kafka-topics
// --describe (which tells the partitions only) and kafka-log-dirs --describe, and
// metrics of exporters in the text format of Prometheus. It returns the loads of
// each topic, and of each group if there are groups, in the order of their names.
//
// Name and options are those of [Read], as far as they apply. Memory is
// proportional to the number of partitions. An input that cannot be read, one with
// keys and one without partitions give a [*ReadError].
func ReadLoads(r io.Reader, name string, o Options) ([]PartitionLoads, Summary, error) {
	return readLoads(newSource(r, name, bufferSize), name, o)
}

func readLoads(src *source, name string, o Options) ([]PartitionLoads, Summary, error) {
	in, f, err := begin(src, name, o, choose)
	if err != nil {
		return nil, Summary{}, err
	}
	if !f.loadsOnly {
		return nil, in.summary(), &ReadError{
			Name: src.name, Problem: "no loads of partitions",
			Fix: fmt.Sprintf("it has %s; if it does not, name the format with --input-format", in.layout),
		}
	}
	if err := f.read(src, in); err != nil {
		return nil, in.summary(), err
	}
	loads, err := in.loads.finish(in)
	return loads, in.summary(), err
}

// maxLoads bounds the partitions of one input: five times what a cluster holds.
const maxLoads = 1_000_000

// A loadTable collects the loads of partitions.
type loadTable struct {
	topics     map[loadKey]map[int]*load
	partitions int // in all of them
}

type loadKey struct{ topic, group string }

// A load is what is known of a partition; unknown is -1.
type load struct{ start, end, bytes, lag int64 }

const unknownLoad = -1

// A quantity is one of the numbers of a load.
type quantity int

const (
	startOffset quantity = iota
	endOffset
	sizeBytes
	consumerLag
)

func (l *load) at(q quantity) *int64 {
	return [...]*int64{startOffset: &l.start, endOffset: &l.end, sizeBytes: &l.bytes, consumerLag: &l.lag}[q]
}

// partition returns the load of a partition, which it adds if it is new; nil if
// there are too many.
func (t *loadTable) partition(topic, group []byte, partition int) (l *load, isNew bool) {
	byNumber := t.topics[loadKey{string(topic), string(group)}]
	if l := byNumber[partition]; l != nil {
		return l, false
	}
	if t.partitions == maxLoads {
		return nil, false
	}
	t.partitions++
	if byNumber == nil {
		if t.topics == nil {
			t.topics = map[loadKey]map[int]*load{}
		}
		byNumber = map[int]*load{}
		t.topics[loadKey{string(topic), string(group)}] = byNumber
	}
	l = &load{unknownLoad, unknownLoad, unknownLoad, unknownLoad}
	byNumber[partition] = l
	return l, true
}

// tooMany is the error of more partitions than a table holds.
func tooMany() *ReadError {
	return &ReadError{Problem: fmt.Sprintf("more than %d partitions", maxLoads), Fix: "choose the topics that matter"}
}

// finish returns the loads.
func (t *loadTable) finish(in *intake) ([]PartitionLoads, error) {
	var all []PartitionLoads
	for key, byNumber := range t.topics {
		p := PartitionLoads{Topic: key.topic, Group: key.group}
		for _, l := range byNumber {
			p.HasRecords = p.HasRecords || l.end >= 0
			p.HasBytes = p.HasBytes || l.bytes >= 0
			p.HasLag = p.HasLag || l.lag >= 0
		}
		for number, l := range byNumber {
			p.Partitions = append(p.Partitions, PartitionLoad{
				Partition: number,
				Records:   max(l.end, 0) - min(max(l.start, 0), max(l.end, 0)),
				Bytes:     max(l.bytes, 0),
				Lag:       max(l.lag, 0),
			})
		}
		slices.SortFunc(p.Partitions, func(a, b PartitionLoad) int { return cmp.Compare(a.Partition, b.Partition) })
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b PartitionLoads) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Group, b.Group))
	})
	for _, p := range all {
		in.sum.HasBytes = in.sum.HasBytes || p.HasBytes
		t.doubt(in, p)
	}
	in.doubts()
	if len(all) == 0 {
		return nil, in.nothing("no partitions")
	}
	return all, nil
}

// doubt warns of what is not known of a topic's partitions.
func (t *loadTable) doubt(in *intake, p PartitionLoads) {
	const shown = 5 // of a cluster with a thousand topics one does not want to hear more
	if in.doubted++; in.doubted > shown {
		return
	}
	last := p.Partitions[len(p.Partitions)-1].Partition
	if missing := last + 1 - len(p.Partitions); missing > 0 {
		in.warn("of topic %s the last partition is %d, and %d before it are not there", quote([]byte(p.Topic)), last, missing)
	}
	var end, bytes, lag int64
	for _, l := range t.topics[loadKey{p.Topic, p.Group}] {
		end -= min(l.end, 0)
		bytes -= min(l.bytes, 0)
		lag -= min(l.lag, 0)
	}
	for _, u := range []struct {
		has  bool
		n    int64
		what string
	}{{p.HasRecords, end, "end offset"}, {p.HasBytes, bytes, "size"}, {p.HasLag, lag, "lag"}} {
		if u.has && u.n > 0 {
			in.warn("partitions of topic %s without a known %s, which counts as 0: %d", quote([]byte(p.Topic)), u.what, u.n)
		}
	}
}

// readLoadLines reads an input of one load a line. Blank lines are passed over.
func readLoadLines(src *source, in *intake, parse func(line []byte) *ReadError) error {
	in.announce()
	lines := linesOf(src, nil)
	for number, line := range lines.All() {
		if len(line) == 0 {
			continue
		}
		wrong := parse(line)
		if wrong != nil {
			wrong.Name, wrong.Line = src.name, number
			if wrong.Text == "" {
				wrong.Text = quote(line)
			}
		}
		if err := in.tolerate(wrong); err != nil {
			return err
		}
	}
	return lines.Err()
}

// parseLoad parses an offset, a lag or a size; things is what there are so many
// of.
func parseLoad(line, text []byte, field, things string) (int64, *ReadError) {
	n, ok := parseWhole(text)
	if !ok {
		problem, fix := wholeProblem(text, things)
		return 0, &ReadError{Column: offset(line, text) + 1, Field: field, Text: quote(text), Problem: problem, Fix: fix}
	}
	return n, nil
}

// isTopic reports whether text is a legal name of a topic.
func isTopic(text []byte) bool {
	const longest = 249 // bytes, org.apache.kafka.common.internals.Topic
	for _, c := range text {
		if c-'0' > 9 && c|0x20-'a' > 'z'-'a' && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return len(text) > 0 && len(text) <= longest
}
