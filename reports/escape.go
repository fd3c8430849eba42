package reports

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// EscapeText returns s as it may be shown on a terminal. What a reader could
// not see, or what could drive the terminal, is written as an escape:
//
//   - ASCII, and bytes that are not valid UTF-8, as \x1b and \xff
//   - other characters as \u202e or \U000e0041
//
// That covers the control characters (C0, DEL, C1, so every escape sequence),
// direction marks, overrides and isolates, zero-width and other ignorable
// characters, every space but U+0020, and U+0020 itself where it begins or ends
// s and padding would hide it. Everything else is left alone.
//
// The result is injective: two different strings are never shown alike. For
// that, a backslash is doubled where it could be taken for the start of
// something else: before another backslash, before a character shown as an
// escape, and before text that reads like an escape (x and 2, u and 4, U and 8
// hexadecimal digits). C:\temp stays C:\temp; C:\x41 becomes C:\\x41. Look-alike
// letters of different scripts are different to the program only.
func EscapeText(s string) string { return escape(s, false) }

// escape is EscapeText; with collapse set it also escapes a space after a
// space, for formats whose renderer joins runs of spaces.
func escape(s string, collapse bool) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		plain = c > ' ' && c < 0x7f && c != '\\' ||
			c == ' ' && i > 0 && i < len(s)-1 && s[i-1] != ' '
	}
	if plain {
		return s
	}

	hidden := func(i int) bool {
		if s[i] == ' ' {
			return i == 0 || i == len(s)-1 || collapse && s[i-1] == ' '
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		return r == utf8.RuneError && size == 1 || !visible(r)
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		rest := s[i+size:]
		switch {
		case hidden(i) && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(i) && r < 0x10000: // U+0085 is \u0085: \x85 is the byte
			fmt.Fprintf(&b, `\u%04x`, r)
		case hidden(i):
			fmt.Fprintf(&b, `\U%08x`, r)
		case r == '\\' && rest != "" && (rest[0] == '\\' || hidden(i+1) || looksEscaped(rest)):
			b.WriteString(`\\`)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// visible reports whether a reader sees r and can tell it from its absence.
func visible(r rune) bool {
	// IsPrint leaves out controls, format characters (bidi, zero width, tags),
	// spaces other than U+0020, private use and unassigned code points.
	return strconv.IsPrint(r) &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) &&
		!unicode.Is(unicode.Variation_Selector, r)
}

// looksEscaped reports whether s, the text after a backslash, would be read as
// the rest of an escape.
func looksEscaped(s string) bool {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if digits == 0 || len(s) <= digits {
		return false
	}
	for _, c := range []byte(s[1 : 1+digits]) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}
