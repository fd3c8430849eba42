package workload

import "bytes"

// topicsDescribeFormat is what kafka-topics --describe prints: of each topic a
// line about it and one for each partition. They say which partitions there are,
// not what is in them.
var topicsDescribeFormat = format{
	name:      TopicsDescribe,
	layout:    "lines of kafka-topics: topic, partition",
	sniff:     sniffTopicsDescribe,
	read:      readTopicsDescribe,
	loadsOnly: true,
}

func sniffTopicsDescribe(s sample) (why string, ok bool) {
	for line := range s.lines() {
		if len(line) == 0 {
			continue
		}
		_, hasTopic := topicsField(line, "Topic:")
		_, count := topicsField(line, "PartitionCount:")
		_, partition := topicsField(line, "Partition:")
		_, leader := topicsField(line, "Leader:")
		return "because the first line describes a topic", hasTopic && (count || partition && leader)
	}
	return "", false
}

// topicsField returns the value of a named field; old versions of the tool write
// no space between the two.
func topicsField(line []byte, name string) (value []byte, ok bool) {
	fields := bytes.Fields(line)
	for i, field := range fields {
		if value, ok := bytes.CutPrefix(field, []byte(name)); ok {
			if len(value) == 0 && i+1 < len(fields) {
				return fields[i+1], true
			}
			return value, len(value) > 0
		}
	}
	return nil, false
}

func readTopicsDescribe(src *source, in *intake) error {
	return readLoadLines(src, in, func(line []byte) *ReadError {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		topic, ok := topicsField(line, "Topic:")
		if !ok {
			return &ReadError{Problem: "does not name a topic", Fix: "give the output of kafka-topics --describe, or " + skipFix}
		}
		text, ok := topicsField(line, "Partition:")
		if !ok {
			if _, summary := topicsField(line, "PartitionCount:"); summary {
				return nil
			}
			return &ReadError{Problem: "does not name a partition", Fix: "give the output of kafka-topics --describe, or " + skipFix}
		}
		n, wrong := parsePartition(text)
		if wrong != nil {
			return wrong
		}
		l, isNew := in.loads.partition(topic, nil, n)
		switch {
		case l == nil:
			return tooMany()
		case !isNew:
			return &ReadError{Problem: "this partition is there twice", Fix: "give the output of one call, or " + skipFix}
		}
		in.sum.Rows++
		return nil
	})
}
