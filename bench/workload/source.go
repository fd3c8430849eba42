package workload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the longest line, or record of several lines in quotes, that is
// read, in bytes without the line end.
const MaxLine = 16 << 20

// bufferSize is the initial size of a source's buffer, in bytes. It grows when a
// line does not fit, to twice MaxLine at most.
const bufferSize = 256 << 10

var byteOrderMark = []byte("\xEF\xBB\xBF")

// A source is an input being read: a window of bytes that its user consumes
// from the front and asks to be extended at the back.
type source struct {
	r        io.Reader
	name     string // as messages show it
	buf      []byte
	pos, end int   // the window: buf[pos:end]
	err      error // of the reader, io.EOF at the end; no more bytes will come
	line     int   // number of the line at pos, from 1

	started, marked bool // looked for a byte-order mark; found one
}

func newSource(r io.Reader, name string, size int) *source {
	return &source{r: r, name: shownName(name), buf: make([]byte, size), line: 1}
}

// window returns the bytes read and not yet consumed. They are valid until the
// window is extended.
func (s *source) window() []byte { return s.buf[s.pos:s.end] }

// fill extends the window until the buffer is full or the input ends, so that
// the work for a line that does not fit is proportional to its length.
func (s *source) fill() {
	s.room()
	for s.err == nil && s.end < len(s.buf) {
		s.read()
	}
}

// extend extends the window by what one read returns, so that a line typed or
// piped in is seen at once.
func (s *source) extend() {
	s.room()
	if s.err == nil {
		s.read()
	}
}

// room makes room behind the window.
func (s *source) room() {
	switch {
	case s.err != nil:
	case s.pos > 0:
		s.end = copy(s.buf, s.window())
		s.pos = 0
	case s.end == len(s.buf):
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
}

// read appends to the window at least one byte unless the input ends.
func (s *source) read() {
	const emptyReads = 100 // as bufio: a reader that returns nothing so often never will
	for range emptyReads {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 || err != nil {
			return
		}
	}
	s.err = io.ErrNoProgress
}

// sample returns the first n bytes of the window, fewer if the input ends.
func (s *source) sample(n int) sample {
	for s.end-s.pos < n && s.err == nil {
		s.extend()
	}
	w := s.window()
	return sample{text: w[:min(n, len(w))], whole: s.err != nil && len(w) <= n}
}

// start drops a UTF-8 byte-order mark at the front, once, and reports whether
// there was one. It reads no further than it must.
func (s *source) start() (marked bool) {
	if s.started {
		return s.marked
	}
	s.started = true
	for s.err == nil && len(s.window()) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, s.window()) {
		s.extend()
	}
	if bytes.HasPrefix(s.window(), byteOrderMark) {
		s.marked = true
		s.pos += len(byteOrderMark)
	}
	return s.marked
}

// failure returns the reader's error as one of line s.line, nil at a proper end.
func (s *source) failure() error {
	if s.err == nil || s.err == io.EOF {
		return nil
	}
	e := &ReadError{Name: s.name, Line: s.line, Problem: s.err.Error(), Err: s.err}
	var damaged *compressionError
	if errors.As(s.err, &damaged) {
		e.Fix = "copy the file again from where it came"
	}
	return e
}

// tooLong returns the error of a line that does not end in time.
func (s *source) tooLong() error {
	return &ReadError{
		Name: s.name, Line: s.line, Text: quote(s.window()),
		Problem: fmt.Sprintf("the line is longer than %d MiB", MaxLine>>20),
		Fix:     "is this a text file with one key a line?",
	}
}
