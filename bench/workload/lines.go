package workload

import (
	"bytes"
	"io"
	"iter"
)

// Lines reads bare keys, one a line:
//
//	lines := workload.NewLines(os.Stdin, "-", note)
//	for number, text := range lines.All() {
//		…
//	}
//	if err := lines.Err(); err != nil {
//
// A line ends with "\n" or "\r\n"; the last one may end with the input, or with
// "\r" and the input. An empty line is an empty text, but there is no line
// after the last "\n". A UTF-8 byte-order mark before the first line is not part
// of it. Otherwise a text is bytes, NUL and invalid UTF-8 included.
//
// A line is handed out as soon as the reader has delivered it.
type Lines struct {
	src     *source
	note    func(string)
	started bool
	crlf    bool // said that lines end with "\r\n"
	err     error
}

// NewLines returns the lines of r. Name is for messages, "-" for standard input.
// Note, unless it is nil, is told once if a byte-order mark or carriage returns
// were taken off, because a reader of the same file that leaves them on gets
// other keys.
func NewLines(r io.Reader, name string, note func(string)) *Lines {
	return linesOf(newSource(r, name, bufferSize), note)
}

func linesOf(src *source, note func(string)) *Lines {
	if note == nil {
		note = func(string) {}
	}
	return &Lines{src: src, note: note}
}

// All yields the number of each line, from 1, and its text, which is never nil
// and is valid until the next one. It stops at the end or at an error; see Err.
// A loop that was left early can be resumed with another.
func (l *Lines) All() iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for {
			number := l.src.line
			text, ok := l.next()
			if !ok || !yield(number, text) {
				return
			}
		}
	}
}

// Err returns the error that stopped All, a [*ReadError], or nil at the end of
// the input.
func (l *Lines) Err() error { return l.err }

func (l *Lines) next() (text []byte, ok bool) {
	s := l.src
	if !l.started {
		l.started = true
		if s.start() {
			l.note(s.name + ": left out the byte-order mark before the first key")
		}
	}
	searched := 0 // so much of the window has no line end
	for l.err == nil {
		w := s.window()
		if i := bytes.IndexByte(w[searched:], '\n'); i >= 0 {
			return l.take(w[:searched+i], 1)
		}
		searched = len(w)
		switch {
		case searched > MaxLine+len("\r"):
			l.err = s.tooLong()
		case s.err == nil:
			s.extend()
		case s.failure() != nil:
			l.err = s.failure()
		case len(w) > 0:
			return l.take(w, 0)
		default:
			return nil, false
		}
	}
	return nil, false
}

// take consumes a line and its end of so many bytes.
func (l *Lines) take(line []byte, end int) ([]byte, bool) {
	text := dropCR(line)
	if len(text) > MaxLine {
		l.err = l.src.tooLong()
		return nil, false
	}
	if len(text) < len(line) && !l.crlf {
		l.crlf = true
		l.note(l.src.name + ": lines end with CR LF; the CR is left out of the keys")
	}
	l.src.pos += len(line) + end
	l.src.line++
	return text, true
}

// dropCR returns the line without the "\r" of its end.
func dropCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
