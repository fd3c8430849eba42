package workload

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// This file has the lines that kcat prints with -f and -K, and rpk with -f. See
// the options -f, -K and -Z in kcat's manual.

// kcatPKFormat is `%p %k`. Since `3 user-7` is a bare key as well, it is detected
// only where there must be partitions.
var kcatPKFormat = format{
	name:    KcatPK,
	layout:  "lines of kcat or rpk: partition, key",
	sniff:   sniffKcatPK,
	read:    func(src *source, in *intake) error { return readKcat(src, in, in.parseKcatPK) },
	samples: func(src *source, in *intake) error { return readKcat(src, in, in.parseKcatPK) },
}

func sniffKcatPK(s sample) (why string, ok bool) {
	if !s.observed {
		return "", false
	}
	lines := 0
	for line := range s.lines() {
		digits, rest := cutNumber(line)
		if _, wrong := parsePartition(digits); wrong != nil || len(rest) == 0 || rest[0] != ' ' {
			return "", false
		}
		lines++
	}
	return "because every line begins with a partition and a space", lines > 0
}

func (in *intake) parseKcatPK(line []byte, r *row) (bool, *ReadError) {
	digits, key := cutNumber(line)
	if len(key) == 0 || key[0] != ' ' {
		return false, &ReadError{Column: 1, Problem: "want a partition, a space and a key", Fix: kcatFix}
	}
	if wrong := r.readFrom(line, digits); wrong != nil {
		return false, wrong
	}
	in.kcatKey(r, key[1:])
	return true, nil
}

// kcatPOKSFormat is `%p\t%o\t%k\t%S`. The key may hold tabs.
var kcatPOKSFormat = format{
	name:    KcatPOKS,
	layout:  "lines of kcat: partition, offset, key, bytes of the value",
	sniff:   sniffKcatPOKS,
	read:    func(src *source, in *intake) error { return readKcat(src, in, in.parseKcatPOKS) },
	samples: func(src *source, in *intake) error { return readKcat(src, in, in.parseKcatPOKS) },
}

// sniffKcatPOKS tells these lines from a key list (key, count, bytes, tenant) by
// what the latter cannot have: a third column that is no number, or a first one
// that returns again and again while the second grows as offsets do.
func sniffKcatPOKS(s sample) (why string, ok bool) {
	lines, keys, growing := 0, false, true
	offsets := map[string]int64{} // last one of each partition
	for line := range s.lines() {
		p, wrong := cutKcatPOKS(line)
		if wrong != nil {
			return "", false
		}
		if lines++; len(p.key) > 0 && !isInteger(p.key) {
			keys = true
		}
		if last, again := offsets[string(p.partition)]; again && p.offset <= last {
			growing = false
		}
		offsets[string(p.partition)] = p.offset
	}
	grown := growing && lines >= 2*len(offsets)
	return "because the lines have a partition, an offset, a key and a size", lines > 0 && (keys || grown)
}

// A kcatPOKS is a line of `%p\t%o\t%k\t%S`.
type kcatPOKS struct {
	partition, key []byte
	offset, size   int64
}

func cutKcatPOKS(line []byte) (p kcatPOKS, wrong *ReadError) {
	partition, rest, _ := bytes.Cut(line, tabByte)
	offsetText, rest, ok := bytes.Cut(rest, tabByte)
	last := bytes.LastIndexByte(rest, '\t')
	if !ok || last < 0 {
		return p, &ReadError{Column: 1, Problem: "want partition, offset, key and size, separated by tabs", Fix: kcatFix}
	}
	p.partition, p.key = partition, rest[:last]
	if _, wrong := parsePartition(partition); wrong != nil {
		wrong.Column = 1
		return p, wrong
	}
	if p.offset, ok = parseWhole(offsetText); !ok {
		problem, fix := wholeProblem(offsetText, "records")
		return p, &ReadError{Column: offset(line, offsetText) + 1, Field: "offset", Text: quote(offsetText), Problem: problem, Fix: fix}
	}
	size := rest[last+1:]
	if string(size) == "-1" { // a tombstone
		return p, nil
	}
	if p.size, ok = parseWhole(size); !ok {
		problem, fix := wholeProblem(size, "bytes")
		return p, &ReadError{Column: offset(line, size) + 1, Field: bytesColumn, Text: quote(size), Problem: problem, Fix: fix}
	}
	return p, nil
}

func (in *intake) parseKcatPOKS(line []byte, r *row) (bool, *ReadError) {
	p, wrong := cutKcatPOKS(line)
	if wrong != nil {
		return false, wrong
	}
	if wrong := r.readFrom(line, p.partition); wrong != nil {
		return false, wrong
	}
	in.sum.HasBytes = true
	in.kcatKey(r, p.key)
	r.bytes = p.size
	return true, nil
}

// kcatKeyFormat is the lines that kcat prints with -K and a separator: key,
// separator, value. Nothing but a flag can tell which it is.
func kcatKeyFormat(name Format, separator string) (format, error) {
	if strings.ContainsRune(separator, '\\') {
		if text, err := strconv.Unquote(`"` + separator + `"`); err == nil {
			separator = text
		}
	}
	switch {
	case separator == "":
		return format{}, fmt.Errorf("input format %s needs kcat's separator behind it, as in %s for kcat -K: or %s for tabs", KcatKey, kcatKeyName(":"), kcatKeyName(`\t`))
	case strings.ContainsAny(separator, "\r\n"):
		return format{}, errors.New("the separator of input format kcat-key must not hold a line end")
	}
	parse := func(in *intake) lineParser {
		return func(line []byte, r *row) (bool, *ReadError) {
			key, _, ok := bytes.Cut(line, []byte(separator))
			if !ok {
				return false, &ReadError{
					Column: 1, Problem: fmt.Sprintf("there is no %q between key and value", separator),
					Fix: "name kcat's -K separator behind kcat-key; of values of several lines " + skipFix,
				}
			}
			in.kcatKey(r, key)
			return true, nil
		}
	}
	return format{
		name:   name,
		layout: fmt.Sprintf("lines of kcat: key, %q, value", separator),
		read:   func(src *source, in *intake) error { return readKcat(src, in, parse(in)) },
	}, nil
}

func kcatKeyName(separator string) string { return string(KcatKey) + separator }

var tabByte = []byte{'\t'}

const kcatFix = "read whole lines as keys with --input-format keys; of keys of several lines " + skipFix

// readKcat reads lines of kcat, and says what kcat does not tell.
func readKcat(src *source, in *intake, parse lineParser) error {
	if err := readRows(src, in, parse); err != nil {
		return err
	}
	if in.emptyKeys > 0 {
		in.warn("rows with an empty key, which is how kcat and rpk print a null key, too: %d; --null-marker '' takes them for null, and kcat -J tells the two apart", in.emptyKeys)
	}
	return nil
}

// kcatKey makes text the key of the row.
func (in *intake) kcatKey(r *row, text []byte) {
	r.key, r.null = text, in.isNull(text)
	if len(text) == 0 && !r.null {
		in.emptyKeys++
	}
}

// readFrom notes the partition, which is part of the line.
func (r *row) readFrom(line, partition []byte) *ReadError {
	n, wrong := parsePartition(partition)
	if wrong != nil {
		wrong.Column = offset(line, partition) + 1
		return wrong
	}
	r.observed = n + 1
	return nil
}
