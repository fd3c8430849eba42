package workload

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// prometheusFormat is metrics of partitions in the text format of Prometheus, as
// exporters serve them. Other metrics among them are passed over.
var prometheusFormat = format{
	name:      Prometheus,
	layout:    "metrics in Prometheus text: topic, partition, offsets, bytes, lag",
	sniff:     sniffPrometheus,
	read:      readPrometheus,
	loadsOnly: true,
}

// metrics are those known, by name in lower case.
var metrics = map[string]quantity{
	// danielqsj/kafka_exporter
	"kafka_topic_partition_current_offset": endOffset,
	"kafka_topic_partition_oldest_offset":  startOffset,
	"kafka_consumergroup_lag":              consumerLag,
	// Kafka's own beans through the JMX exporter
	"kafka_log_log_size":           sizeBytes,
	"kafka_log_log_logendoffset":   endOffset,
	"kafka_log_log_logstartoffset": startOffset,
	// kminion
	"kminion_kafka_topic_partition_high_water_mark":    endOffset,
	"kminion_kafka_topic_partition_low_water_mark":     startOffset,
	"kminion_kafka_consumer_group_topic_partition_lag": consumerLag,
	// klag
	"klag_consumer_lag": consumerLag,
	// kafka-lag-exporter
	"kafka_partition_latest_offset":   endOffset,
	"kafka_partition_earliest_offset": startOffset,
	"kafka_consumergroup_group_lag":   consumerLag,
	// Redpanda
	"redpanda_kafka_max_offset": endOffset,
}

// labels are those known, and which of topic, partition and group each is.
var labels = map[string]int{
	"topic": 0, "topic_name": 0, "redpanda_topic": 0,
	"partition": 1, "partition_id": 1, "redpanda_partition": 1,
	"group": 2, "group_id": 2, "consumergroup": 2, "consumer_group": 2, "redpanda_group": 2,
}

// sniffPrometheus asks that every line is a metric, and that one is known or
// described: without that `user 7` would be a metric, too.
func sniffPrometheus(s sample) (why string, ok bool) {
	for line := range s.lines() {
		if len(line) == 0 {
			continue
		}
		if line[0] == '#' {
			ok = ok || bytes.HasPrefix(line, []byte("# TYPE ")) || bytes.HasPrefix(line, []byte("# HELP "))
			continue
		}
		m, wrong := cutMetric(line)
		if wrong != nil {
			return "", false
		}
		_, known := m.quantity()
		ok = ok || known && m.labels[1] != nil
	}
	return "because every line is a metric in the text format of Prometheus", ok
}

// A metric is one line.
type metric struct {
	name   []byte
	labels [3][]byte // topic, partition, group; nil if it is not there
	value  []byte
}

func (m *metric) quantity() (quantity, bool) {
	if len(m.name) > 64 {
		return 0, false
	}
	q, ok := metrics[strings.ToLower(string(m.name))]
	return q, ok
}

// cutMetric cuts a line: name, labels in braces, value, perhaps a time.
func cutMetric(line []byte) (m metric, wrong *ReadError) {
	bad := func(rest []byte, problem string) (metric, *ReadError) {
		return metric{}, &ReadError{Column: len(line) - len(rest) + 1, Text: quote(rest), Problem: problem, Fix: skipFix}
	}
	n := 0
	for n < len(line) && isNameByte(line[n]) {
		n++
	}
	if n == 0 || line[0]-'0' <= 9 {
		return bad(line, "not a metric in the text format of Prometheus")
	}
	m.name = line[:n]
	rest := line[n:]
	if len(rest) > 0 && rest[0] == '{' {
		rest = rest[1:]
		for {
			rest = bytes.TrimLeft(rest, " \t,")
			if len(rest) == 0 {
				return bad(rest, "the labels are not closed")
			}
			if rest[0] == '}' {
				rest = rest[1:]
				break
			}
			name, after, ok := bytes.Cut(rest, []byte{'='})
			after = bytes.TrimLeft(after, " \t")
			if !ok || len(after) == 0 || after[0] != '"' {
				return bad(rest, `want a label, as in topic="orders"`)
			}
			value, length := cutLabel(after)
			if length == 0 {
				return bad(after, "the quote that opens here is never closed")
			}
			if which, known := labels[string(bytes.TrimSpace(name))]; known {
				m.labels[which] = value
			}
			rest = after[length:]
		}
	}
	if len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' {
		return bad(rest, "not a metric in the text format of Prometheus")
	}
	fields := bytes.Fields(rest)
	if len(fields) < 1 || len(fields) > 2 && !bytes.HasPrefix(fields[1], []byte{'#'}) && !bytes.HasPrefix(fields[2], []byte{'#'}) {
		return bad(rest, "want one value behind the metric")
	}
	m.value = fields[0]
	if _, err := strconv.ParseFloat(string(m.value), 64); err != nil {
		return bad(rest, "not a number")
	}
	return m, nil
}

func isNameByte(c byte) bool {
	return c-'0' <= 9 || c|0x20-'a' <= 'z'-'a' || c == '_' || c == ':'
}

// cutLabel returns the text of the quoted value at the front, and its length with
// the quotes, 0 if it is not closed.
func cutLabel(quoted []byte) (text []byte, length int) {
	text = []byte{}
	for i := 1; i < len(quoted); i++ {
		switch c := quoted[i]; {
		case c == '"':
			return text, i + 1
		case c == '\\' && i+1 < len(quoted):
			if i++; quoted[i] == 'n' {
				text = append(text, '\n')
			} else {
				text = append(text, quoted[i])
			}
		default:
			text = append(text, c)
		}
	}
	return nil, 0
}

func readPrometheus(src *source, in *intake) error {
	return readLoadLines(src, in, func(line []byte) *ReadError {
		if line[0] == '#' || len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		m, wrong := cutMetric(line)
		if wrong != nil {
			return wrong
		}
		q, known := m.quantity()
		if !known || m.labels[1] == nil {
			return nil // another metric, or a sum
		}
		n, wrong := parsePartition(m.labels[1])
		if wrong != nil {
			return wrong
		}
		value, _ := strconv.ParseFloat(string(m.value), 64)
		if math.IsNaN(value) || value < 0 {
			return nil // an exporter's way of saying that it does not know
		}
		if value >= 1<<63 {
			return &ReadError{Text: quote(m.value), Problem: "too large", Fix: skipFix}
		}
		var group []byte
		if q == consumerLag {
			group = m.labels[2]
		}
		l, _ := in.loads.partition(m.labels[0], group, n)
		if l == nil {
			return tooMany()
		}
		// Each replica may report, and the same one twice.
		at := l.at(q)
		*at = max(*at, int64(value))
		in.sum.Rows++
		return nil
	})
}
