package workload

import "bytes"

// uniqFormat is what uniq -c prints: a count, padded on the left, a space and the
// key, which may be empty and may hold spaces itself.
var uniqFormat = format{
	name:   Uniq,
	layout: "lines of uniq -c: count, key",
	sniff:  sniffUniq,
	read:   func(src *source, in *intake) error { return readRows(src, in, in.parseUniq) },
}

// sniffUniq recognises counts that are padded to one width, as GNU (7) and BSD (4)
// do, and only longer ones without padding.
func sniffUniq(s sample) (why string, ok bool) {
	width, unpadded := 0, len(s.text)
	for line := range s.lines() {
		digits, rest := cutNumber(bytes.TrimLeft(line, " "))
		if len(digits) == 0 || len(rest) == 0 || rest[0] != ' ' {
			return "", false
		}
		switch n := offset(line, rest); {
		case line[0] != ' ':
			unpadded = min(unpadded, n)
		case width != 0 && n != width:
			return "", false
		default:
			width = n
		}
	}
	return "because every line begins with a count padded on the left", width > 0 && unpadded >= width
}

func (in *intake) parseUniq(line []byte, r *row) (bool, *ReadError) {
	text := bytes.TrimLeft(line, " ")
	digits, key := cutNumber(text)
	if len(digits) == 0 || len(key) == 0 || key[0] != ' ' {
		return false, &ReadError{
			Column: offset(line, text) + 1, Problem: "want a count, a space and a key",
			Fix: "read whole lines as keys with --input-format keys, or " + skipFix,
		}
	}
	count, ok := parseWhole(digits)
	if !ok {
		problem, fix := wholeProblem(digits, "records")
		return false, &ReadError{Column: offset(line, digits) + 1, Field: countColumn, Text: quote(digits), Problem: problem, Fix: fix}
	}
	r.key, r.records = key[1:], count
	r.null = in.isNull(r.key)
	return true, nil
}
