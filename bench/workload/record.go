package workload

import (
	"bytes"
	"fmt"
	"io"
)

// A recordReader reads the records of a source one by one.
type recordReader struct {
	splitter
	src    *source
	record []byte // the record last read, with its line end
	line   int    // number of its first line
	quote  int    // offset in src.buf of the first quote from src.pos on, if it is not before it
	known  int    // src.end when quote was found: beyond it, nothing is known
}

// next reads a record into fields and returns false at the end of the input and
// at an error. A blank line is a record of one empty field.
func (d *recordReader) next() (ok bool, err error) {
	s := d.src
	for {
		w := s.window()
		newline := bytes.IndexByte(w, '\n')
		if newline >= 0 && s.pos+newline < d.nextQuote() {
			line := dropCR(w[:newline])
			if len(line) > MaxLine {
				return false, s.tooLong()
			}
			d.record, d.line = w[:newline+1], s.line
			s.pos += newline + 1
			s.line++
			d.cutPlain(line)
			return true, nil
		}
		last := s.err == io.EOF
		if last && len(w) == 0 {
			return false, nil
		}
		if newline >= 0 || last {
			length, wrong := d.cut(w, last)
			if wrong != nil {
				return false, d.quoteProblem(w, wrong)
			}
			if length > 0 && length <= MaxLine+len("\r\n") {
				d.record, d.line = w[:length], s.line
				s.pos += length
				s.line += bytes.Count(d.record, newlineByte)
				return true, nil
			}
		}
		if len(w) > MaxLine+len("\r\n") {
			return false, d.unending(w)
		}
		if err := s.failure(); err != nil {
			return false, err
		}
		s.fill()
		d.known = 0
	}
}

var newlineByte = []byte{'\n'}

// nextQuote returns the offset in the source's buffer of the next quote, its end
// if there is none. Looking for it once in the whole buffer, instead of in each
// line, makes lines without quotes cheap.
func (d *recordReader) nextQuote() int {
	if s := d.src; d.known != s.end || d.quote < s.pos {
		d.quote = bytes.IndexByte(s.window(), '"')
		if d.quote < 0 {
			d.quote = len(s.window())
		}
		d.quote += s.pos
		d.known = s.end
	}
	return d.quote
}

// quoteProblem returns the error for quotes gone wrong in the record at the front
// of w.
func (d *recordReader) quoteProblem(w []byte, q *quoteError) error {
	line, column := position(w, q.at)
	text, _, _ := bytes.Cut(w[q.at:], newlineByte)
	e := &ReadError{
		Name: d.src.name, Line: d.src.line + line, Column: column, Text: quote(dropCR(text)), Problem: q.problem,
		Fix: "a quote within a quoted field is written twice",
	}
	if q.open {
		e.Fix = "close it, or read whole lines as keys with --input-format keys"
	}
	return e
}

// unending returns the error for the record at the front of w, which is too long:
// it says where a quote was opened, if that is why.
func (d *recordReader) unending(w []byte) error {
	if _, wrong := d.cut(w, true); wrong != nil && wrong.open {
		wrong.problem = fmt.Sprintf("the quote that opens here is not closed within %d MiB", MaxLine>>20)
		return d.quoteProblem(w, wrong)
	}
	return d.src.tooLong()
}

// position returns how many lines below the start of record the offset is, and
// its column there, from 1.
func position(record []byte, at int) (line, column int) {
	before := record[:at]
	return bytes.Count(before, newlineByte), at - bytes.LastIndexByte(before, '\n')
}
