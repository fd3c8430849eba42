package workload

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A ReadError says what is wrong with an input, where, and what to do about it.
type ReadError struct {
	Name    string // of the input, as messages show it
	Line    int    // from 1; 0 if the whole input is meant
	Column  int    // in bytes, from 1; 0 if the whole line is meant
	Field   string // what the text is meant to be: key, count, bytes, header; may be empty
	Text    string // the offending text, quoted, escaped and shortened; may be empty
	Problem string // what is wrong with it
	Fix     string // what to do about it
	Err     error  // the error of the reader or key encoding below, if there is one
}

// Error returns one line, such as
//
//	orders.csv:17:8: count "1e3": not a whole number of records; write 1000, or …
func (e *ReadError) Error() string {
	var b strings.Builder
	if e.Line == 0 {
		fmt.Fprintf(&b, "%s in %s", e.Problem, e.Name)
	} else {
		fmt.Fprintf(&b, "%s:%d:", e.Name, e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, "%d:", e.Column)
		}
		if what := strings.TrimSpace(e.Field + " " + e.Text); what != "" {
			fmt.Fprintf(&b, " %s:", what)
		}
		fmt.Fprintf(&b, " %s", e.Problem)
	}
	if e.Fix != "" {
		fmt.Fprintf(&b, "; %s", e.Fix)
	}
	return b.String()
}

// Unwrap returns the error below.
func (e *ReadError) Unwrap() error { return e.Err }

// shownRunes is how much of an offending text a message repeats.
const shownRunes = 60

// quote returns text for a message: quoted, control characters and invalid UTF-8
// escaped since keys are other people's data, at most shownRunes long.
func quote(text []byte) string {
	end := 0
	for range shownRunes {
		if end == len(text) {
			break
		}
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	if end == len(text) {
		return strconv.Quote(string(text))
	}
	return strconv.Quote(string(text[:end]) + "…")
}

// shownName is the name of an input as messages show it.
func shownName(name string) string {
	if name == "-" || name == "" {
		return "standard input"
	}
	return name
}
