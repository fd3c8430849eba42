package workload

import "bytes"

// getOffsetsFormat is what kafka-get-offsets prints: topic:partition:offset.
var getOffsetsFormat = format{
	name:      GetOffsets,
	layout:    "lines of kafka-get-offsets: topic, partition, end offset",
	sniff:     sniffGetOffsets,
	read:      func(src *source, in *intake) error { return readLoadLines(src, in, in.parseGetOffsets) },
	loadsOnly: true,
}

// sniffGetOffsets recognises the tool's output by each topic's partitions counting
// up from 0, as it prints them, with at least two of one topic. Keys such as
// `100:48069` or `user:17:3` do not.
func sniffGetOffsets(s sample) (why string, ok bool) {
	next := map[string]int{} // partition of each topic
	for line := range s.lines() {
		topic, partition, offset := cutGetOffsets(line)
		n, wrong := parsePartition(partition)
		if wrong != nil || !isTopic(topic) || !isDigits(offset) || n != next[string(topic)] {
			return "", false
		}
		next[string(topic)]++
		ok = ok || n > 0
	}
	return "because every line is a topic, a partition counted up from 0 and an offset", ok
}

func cutGetOffsets(line []byte) (topic, partition, offset []byte) {
	topic, rest, _ := bytes.Cut(line, []byte{':'})
	partition, offset, _ = bytes.Cut(rest, []byte{':'})
	return topic, partition, offset
}

func (in *intake) parseGetOffsets(line []byte) *ReadError {
	topic, partitionText, end := cutGetOffsets(line)
	if !isTopic(topic) || bytes.Count(line, []byte{':'}) != 2 {
		return &ReadError{Column: 1, Problem: "want topic:partition:offset", Fix: "if these are keys, say --input-format keys; otherwise " + skipFix}
	}
	n, wrong := parsePartition(partitionText)
	if wrong != nil {
		wrong.Column = offset(line, partitionText) + 1
		return wrong
	}
	var records int64 = unknownLoad
	if len(end) > 0 { // it is empty where the tool could not find out
		if records, wrong = parseLoad(line, end, "offset", "records"); wrong != nil {
			return wrong
		}
	}
	l, isNew := in.loads.partition(topic, nil, n)
	switch {
	case l == nil:
		return tooMany()
	case !isNew:
		return &ReadError{Column: 1, Problem: "this partition is there twice", Fix: "give the output of one call, or " + skipFix}
	}
	l.end = records
	in.sum.Rows++
	return nil
}
