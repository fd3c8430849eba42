package workload

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNesting is how deep JSON values may be nested, in brackets.
const maxNesting = 1000

// A jsonError says what is wrong with JSON, at an offset.
type jsonError struct {
	at      int
	problem string
	ends    bool // the text ends before the value does; that need not be wrong
}

// A jsonScanner takes objects apart without building anything: of each member of
// an object it hands out the text of its name and of its value, and that of nested
// values stays in one piece. It takes what RFC 8259 allows, and also control
// characters and invalid UTF-8 in strings, since a tool that prints keys may print
// those; but no line ends, so that a broken line is noticed there.
type jsonScanner struct {
	text []byte
}

func (s jsonScanner) wrong(at int, problem string) (int, *jsonError) {
	return 0, &jsonError{at: at, problem: problem}
}

func (s jsonScanner) ends() (int, *jsonError) {
	return 0, &jsonError{at: len(s.text), problem: "the JSON ends in the middle of a value", ends: true}
}

func (s jsonScanner) space(at int) int {
	for at < len(s.text) && (s.text[at] == ' ' || s.text[at] == '\n' || s.text[at] == '\r' || s.text[at] == '\t') {
		at++
	}
	return at
}

// object scans the object at the front and calls member with the offsets of each
// member's name and value; the name's text is without quotes, but with its
// escapes. It returns the length of the object.
func (s jsonScanner) object(member func(name []byte, from, to int)) (length int, wrong *jsonError) {
	if len(s.text) == 0 {
		return s.ends()
	}
	if s.text[0] != '{' {
		return s.wrong(0, "not a JSON object")
	}
	at := s.space(1)
	if at < len(s.text) && s.text[at] == '}' {
		return at + 1, nil
	}
	for {
		var name []byte
		if name, at, wrong = s.name(s.space(at)); wrong != nil {
			return 0, wrong
		}
		from := s.space(at)
		if at, wrong = s.value(from); wrong != nil {
			return 0, wrong
		}
		member(name, from, at)
		at = s.space(at)
		switch {
		case at == len(s.text):
			return s.ends()
		case s.text[at] == '}':
			return at + 1, nil
		case s.text[at] != ',':
			return s.wrong(at, "want a comma or } behind a value")
		}
		at++
	}
}

// name scans a member's name and the colon, and returns the name without its
// quotes and the offset behind the colon.
func (s jsonScanner) name(at int) (name []byte, end int, wrong *jsonError) {
	fail := func(end int, wrong *jsonError) ([]byte, int, *jsonError) { return nil, end, wrong }
	switch {
	case at == len(s.text):
		return fail(s.ends())
	case s.text[at] != '"':
		return fail(s.wrong(at, "want a name in quotes"))
	}
	end, wrong = s.str(at)
	if wrong != nil {
		return nil, 0, wrong
	}
	name = s.text[at+1 : end-1]
	end = s.space(end)
	switch {
	case end == len(s.text):
		return fail(s.ends())
	case s.text[end] != ':':
		return fail(s.wrong(end, "want a colon behind a name"))
	}
	return name, end + 1, nil
}

// value scans a value of any kind and returns the offset behind it.
func (s jsonScanner) value(at int) (end int, wrong *jsonError) {
	var objects [maxNesting/64 + 1]uint64 // bit i is set if bracket i is of an object
	depth := 0
	isObject := func() bool { return objects[depth/64]>>(depth%64)&1 != 0 }
	for {
		at = s.space(at)
		if at == len(s.text) {
			return s.ends()
		}
		switch c := s.text[at]; c {
		case '{', '[':
			if depth++; depth > maxNesting {
				return s.wrong(at, "nested too deep")
			}
			objects[depth/64] &^= 1 << (depth % 64)
			if c == '{' {
				objects[depth/64] |= 1 << (depth % 64)
			}
			at = s.space(at + 1)
			if at == len(s.text) {
				return s.ends()
			}
			if s.text[at] == c+2 { // the closing bracket
				break
			}
			if c == '{' {
				if _, at, wrong = s.name(at); wrong != nil {
					return 0, wrong
				}
			}
			continue
		case '"':
			at, wrong = s.str(at)
		case 't':
			at, wrong = s.word(at, "true")
		case 'f':
			at, wrong = s.word(at, "false")
		case 'n':
			at, wrong = s.word(at, "null")
		default:
			at, wrong = s.number(at)
		}
		if wrong != nil {
			return 0, wrong
		}
		for more := false; !more; {
			if depth == 0 {
				return at, nil
			}
			at = s.space(at)
			if at == len(s.text) {
				return s.ends()
			}
			switch c := s.text[at]; {
			case c == ',':
				if at = at + 1; isObject() {
					if _, at, wrong = s.name(s.space(at)); wrong != nil {
						return 0, wrong
					}
				}
				more = true
			case c == '}' && isObject(), c == ']' && !isObject():
				depth--
				at++
			default:
				return s.wrong(at, "want a comma or a closing bracket behind a value")
			}
		}
	}
}

// str scans the string whose quote is at an offset.
func (s jsonScanner) str(at int) (end int, wrong *jsonError) {
	from := at + 1
	at = from
	quote := -1 // the next one from here, unless it is before
	for {
		if quote < at {
			n := bytes.IndexByte(s.text[at:], '"')
			segment := s.text[at:]
			if n >= 0 {
				quote, segment = at+n, segment[:n]
			}
			if newline := bytes.IndexByte(segment, '\n'); newline >= 0 {
				return s.wrong(at+newline, "the string does not end on its line")
			}
			if n < 0 {
				return s.ends()
			}
		}
		n := bytes.IndexByte(s.text[at:quote], '\\')
		if n < 0 {
			return quote + 1, nil
		}
		if at, wrong = s.escape(at + n); wrong != nil {
			return 0, wrong
		}
	}
}

// escape scans an escape in a string.
func (s jsonScanner) escape(at int) (end int, wrong *jsonError) {
	if at+1 >= len(s.text) {
		return s.ends()
	}
	switch s.text[at+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return at + 2, nil
	case 'u':
		for i := at + 2; i < at+6; i++ {
			if i == len(s.text) {
				return s.ends()
			}
			if hexDigit(s.text[i]) < 0 {
				return s.wrong(at, `want four hexadecimal digits behind \u`)
			}
		}
		return at + 6, nil
	}
	return s.wrong(at, "not an escape that JSON has")
}

func (s jsonScanner) word(at int, want string) (end int, wrong *jsonError) {
	for i := range len(want) {
		if at+i == len(s.text) {
			return s.ends()
		}
		if s.text[at+i] != want[i] {
			return s.wrong(at, "not a JSON value")
		}
	}
	return at + len(want), nil
}

// number scans a number. One that ends with the text may go on behind it.
func (s jsonScanner) number(at int) (end int, wrong *jsonError) {
	from := at
	digits := func() bool {
		start := at
		for at < len(s.text) && s.text[at]-'0' <= 9 {
			at++
		}
		return at > start
	}
	is := func(a, b byte) bool {
		if at < len(s.text) && (s.text[at] == a || s.text[at] == b) {
			at++
			return true
		}
		return false
	}
	is('-', '-')
	ok := is('0', '0') || digits()
	if ok && is('.', '.') {
		ok = digits()
	}
	if ok && is('e', 'E') {
		is('+', '-')
		ok = digits()
	}
	switch {
	case at == len(s.text):
		return s.ends()
	case !ok:
		return s.wrong(from, "not a JSON value")
	}
	return at, nil
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// appendJSONText appends the text of a scanned string, given with its quotes. It
// returns false if an escape stands for half a character, which has no bytes.
func appendJSONText(dst, str []byte) ([]byte, bool) {
	str = str[1 : len(str)-1]
	for {
		n := bytes.IndexByte(str, '\\')
		if n < 0 {
			return append(dst, str...), true
		}
		dst = append(dst, str[:n]...)
		c := str[n+1]
		str = str[n+2:]
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := fourHexDigits(str)
			str = str[4:]
			if utf16.IsSurrogate(r) {
				if len(str) < 6 || str[0] != '\\' || str[1] != 'u' {
					return dst, false
				}
				if r = utf16.DecodeRune(r, fourHexDigits(str[2:])); r == utf8.RuneError {
					return dst, false
				}
				str = str[6:]
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
}

func fourHexDigits(text []byte) (r rune) {
	for _, c := range text[:4] {
		r = r<<4 | rune(hexDigit(c))
	}
	return r
}
