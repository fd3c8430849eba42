package workload

import "bytes"

// A splitter cuts records of CSV, RFC 4180, into fields. It is more lenient where
// that cannot change what is meant: lines may end with "\n", quotes in the middle
// of an unquoted field are part of it.
type splitter struct {
	separator byte
	fields    []field // of the record last cut, at most maxFields
	width     int     // number of its fields, which may be more
	unquoted  []byte  // scratch: fields that had doubled quotes
}

// maxFields bounds the memory for a record's fields. Nobody has so many columns;
// a file that is not CSV at all may.
const maxFields = 4096

// A field is one field of a record. Its text is in the buffer of the source.
type field struct {
	text   []byte
	at     int  // offset in the record, of the quote if there is one
	quoted bool // so that \N is text
}

// cutPlain cuts a record without quotes or line end.
func (s *splitter) cutPlain(line []byte) {
	fields, width := s.fields[:0], 0
	for at := 0; ; {
		n := bytes.IndexByte(line[at:], s.separator)
		text := line[at:]
		if n >= 0 {
			text = text[:n]
		}
		if width++; width <= maxFields {
			fields = append(fields, field{text: text, at: at})
		}
		if n < 0 {
			s.fields, s.width = fields, width
			return
		}
		at += n + 1
	}
}

// A quoteError says what is wrong with the quotes of a record, at an offset.
type quoteError struct {
	at      int
	open    bool // the quote at this offset is never closed
	problem string
}

// cut cuts the record at the front of w, which may have quotes, and returns its
// length including its line end; 0 if w ends before the record does. With last,
// nothing follows w.
func (s *splitter) cut(w []byte, last bool) (length int, err *quoteError) {
	s.fields, s.width, s.unquoted = s.fields[:0], 0, s.unquoted[:0]
	newline := -1 // the next one from here, unless it is before
	for at := 0; ; {
		if at < len(w) && w[at] == '"' {
			text, n, closed := s.cutQuoted(w[at:])
			end := at + n
			switch {
			case !closed && last:
				return 0, &quoteError{at: at, open: true, problem: "the quote that opens here is never closed"}
			case !last && (!closed || end == len(w) || w[end] == '\r' && end+1 == len(w)):
				return 0, nil // a doubled quote, or the line feed, may follow
			}
			s.add(field{text: text, at: at, quoted: true})
			switch rest := w[end:]; {
			case len(rest) == 0 || string(rest) == "\r":
				return len(w), nil
			case rest[0] == s.separator:
				at = end + 1
				continue
			case rest[0] == '\n':
				return end + 1, nil
			case rest[0] == '\r' && rest[1] == '\n':
				return end + 2, nil
			default:
				return 0, &quoteError{at: end, problem: "text after the closing quote of a field"}
			}
		}
		if newline < at {
			if newline = bytes.IndexByte(w[at:], '\n'); newline < 0 {
				if !last {
					return 0, nil
				}
				newline = len(w)
			} else {
				newline += at
			}
		}
		if n := bytes.IndexByte(w[at:newline], s.separator); n >= 0 {
			s.add(field{text: w[at : at+n], at: at})
			at += n + 1
			continue
		}
		s.add(field{text: dropCR(w[at:newline]), at: at})
		return min(newline+1, len(w)), nil
	}
}

func (s *splitter) add(f field) {
	if s.width++; s.width <= maxFields {
		s.fields = append(s.fields, f)
	}
}

// cutQuoted cuts the quoted field at the front of w and returns its text and the
// offset after its closing quote. It is not closed if w ends before.
func (s *splitter) cutQuoted(w []byte) (text []byte, end int, closed bool) {
	from := 1 // text from here on is not in unquoted yet
	first := len(s.unquoted)
	for at := 1; ; {
		n := bytes.IndexByte(w[at:], '"')
		if n < 0 {
			return nil, 0, false
		}
		at += n + 1
		if at < len(w) && w[at] == '"' { // doubled: one of them is text
			s.unquoted = append(s.unquoted, w[from:at]...)
			at++
			from = at
			continue
		}
		if from == 1 {
			return w[1 : at-1], at, true
		}
		s.unquoted = append(s.unquoted, w[from:at-1]...)
		return s.unquoted[first:], at, true
	}
}
