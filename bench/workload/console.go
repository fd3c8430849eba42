package workload

import "bytes"

// consoleFormat is what kafka-console-consumer prints with print.partition and
// print.key: fields separated by tabs, `Partition:3`, the key, the value. Before
// the key may be what print.timestamp, print.offset and print.delivery add. Where
// print.headers puts headers no reader can tell them from the key.
//
// The key is what the tool prints, quotes included: they are there because they
// are among the key's bytes, and so decide its partition. A null key is printed as
// null (the tool's null.literal), so that is the null key; `"null"` is not.
var consoleFormat = format{
	name:    ConsoleConsumer,
	layout:  "lines of kafka-console-consumer: partition, key, value",
	sniff:   sniffConsole,
	read:    readConsole,
	samples: readConsole,
}

// sniffConsole looks at the first line only, since a value may have several.
func sniffConsole(s sample) (why string, ok bool) {
	for line := range s.lines() {
		partition, rest, _ := cutConsole(line)
		return "because the first line begins with a partition", partition != nil && rest != nil
	}
	return "", false
}

func readConsole(src *source, in *intake) error {
	if err := readRows(src, in, in.parseConsole); err != nil {
		return err
	}
	if in.oneField > 0 {
		in.warn("lines with one field behind the partition, taken for the key: %d; if it is the value, print the key with --property print.key=true", in.oneField)
	}
	return nil
}

func (in *intake) parseConsole(line []byte, r *row) (bool, *ReadError) {
	partition, rest, found := cutConsole(line)
	switch {
	case !found && bytes.HasPrefix(line, []byte("Processed a total of ")):
		return false, nil // the tool's last words
	case !found:
		return false, &ReadError{
			Column: 1, Problem: "does not begin with Partition:, CreateTime: or Offset:, so which field is the key?",
			Fix: `print them with --property print.partition=true, or name the separator between key and value, as in --input-format kcat-key\t; of values of several lines ` + skipFix,
		}
	case rest == nil:
		return false, &ReadError{Column: 1, Problem: "there is no key", Fix: "print it with --property print.key=true, or " + skipFix}
	}
	if partition != nil {
		if wrong := r.readFrom(line, partition); wrong != nil {
			return false, wrong
		}
	}
	key, _, more := bytes.Cut(rest, tabByte)
	if !more {
		in.oneField++
	}
	r.key, r.null = key, in.isNull(key) || !in.HasNullMarker && string(key) == "null"
	return true, nil
}

// consolePrefixes are the fields before the key, in their order.
var consolePrefixes = []struct{ name, alone string }{
	{name: "CreateTime:"}, {name: "LogAppendTime:"}, {alone: "NO_TIMESTAMP"},
	{name: "Partition:"}, {name: "Offset:"},
	{name: "Delivery:"}, {alone: "Delivery:NONE"}, {name: "Epoch:"},
	{alone: "NO_HEADERS"},
}

// cutConsole cuts the fields that the tool puts before the key. Rest begins with
// the key, and is nil if the line ends before it; found is false if none of the
// fields is there.
func cutConsole(line []byte) (partition, rest []byte, found bool) {
	rest = line
	for _, prefix := range consolePrefixes {
		field, after, more := bytes.Cut(rest, tabByte)
		if prefix.alone != "" {
			if string(field) != prefix.alone {
				continue
			}
		} else {
			text, ok := bytes.CutPrefix(field, []byte(prefix.name))
			if !ok || !isInteger(text) {
				continue
			}
			if prefix.name == "Partition:" {
				partition = text
			}
		}
		found = true
		if !more {
			return partition, nil, true
		}
		rest = after
	}
	return partition, rest, found
}
