package reports_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/keyspread/keyspread/reports"
)

func TestEscapeText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"user-8831", "user-8831"},
		{"Zürich 日本 ×", "Zürich 日本 ×"},
		{"a\x1b[31mb", `a\x1b[31mb`},
		{"a\tb\nc\r\x00\x7f", `a\x09b\x0ac\x0d\x00\x7f`},
		{"\u009b31m", `\u009b31m`},       // C1, a terminal's CSI
		{"\xff", `\xff`},                 // a byte
		{"\u00ff", "ÿ"},                  // a letter
		{"\xc3(", `\xc3(`},               // invalid UTF-8
		{"\xed\xa0\x80", `\xed\xa0\x80`}, // a surrogate half
		{"\ufffd", "\ufffd"},             // not invalid
		{"a\u202eb\u2066c\u2069", `a\u202eb\u2066c\u2069`},
		{"a\u200eb\u200fc\u061cd", `a\u200eb\u200fc\u061cd`},
		{"a\u200bb\u200dc\ufeffd\u00ade", `a\u200bb\u200dc\ufeffd\u00ade`},
		{"a\u00a0b\u2003c\u2028d", `a\u00a0b\u2003c\u2028d`}, // spaces but U+0020
		{"❤\ufe0f\u034f\u3164", `❤\ufe0f\u034f\u3164`},       // ignorable
		{"\U000e0041", `\U000e0041`},                         // tag
		{"\uffff", `\uffff`},                                 // not in XML
		{" a b  c ", `\x20a b  c\x20`},
		{" ", `\x20`},
		{`C:\temp`, `C:\temp`},
		{`C:\x41`, `C:\\x41`},
		{`C:\xfg`, `C:\xfg`},
		{`\u202e`, `\\u202e`},
		{`\U000E0041`, `\\U000E0041`},
		{`\\server`, `\\\server`},
		{"\\\x1b", `\\\x1b`},
		{`a\ `, `a\\\x20`},
		{`\`, `\`},
	} {
		if got := reports.EscapeText(c.in); got != c.want {
			t.Errorf("EscapeText(%+q) = %s, want %s", c.in, got, c.want)
		}
	}
}

// unescape reads what EscapeText has written. That it exists is the proof that
// two strings are never shown alike.
func unescape(s string) string {
	var b strings.Builder
	for s != "" {
		if s[0] != '\\' {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		if strings.HasPrefix(s, `\\`) {
			b.WriteByte('\\')
			s = s[2:]
			continue
		}
		n := 0
		if len(s) > 1 {
			n = map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
		}
		code, err := uint64(0), error(strconv.ErrSyntax)
		if n > 0 && len(s) >= 2+n {
			code, err = strconv.ParseUint(s[2:2+n], 16, 32)
		}
		switch {
		case err != nil:
			b.WriteByte('\\')
			s = s[1:]
			continue
		case n == 2:
			b.WriteByte(byte(code))
		default:
			b.WriteRune(rune(code))
		}
		s = s[2+n:]
	}
	return b.String()
}

// hostile generates strings of what escapers get wrong.
func hostile() *rapid.Generator[string] {
	pieces := []string{
		"\\", "\\", "x", "u", "U", "0", "1", "2", "4", "a", "F", " ", " ", "\t", "\n", "\r", "\x1b", "\x00", "\x7f",
		"\u0085", "\u009b", "\u202e", "\u2066", "\u200b", "\u200f", "\ufeff", "\ufe0f", "\U000e0041", "\uffff", "\ufffd",
		"\xff", "\xc3", "\xed\xa0\x80", "é", "日", "|", "`", "*", "_", "<", ">", "[", "]", "(", "#", "&", "@", "~", "$", "!",
		"=", "+", "-", "＝", "'", `"`, ",", ";", ":", "/", "://", "www.", "&amp;", "<b>", `\x41`, `\u202e`, "(null)",
	}
	return rapid.OneOf(
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12), func(p []string) string { return strings.Join(p, "") }),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

func TestEscapeTextIsInjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "s")
		if got := unescape(reports.EscapeText(s)); got != s {
			t.Fatalf("%+q is shown as %s, which reads as %+q", s, reports.EscapeText(s), got)
		}
	})
}

func FuzzEscapeText(f *testing.F) {
	for _, s := range []string{"", "user-8831", "a\x1b[31m", `C:\x41\\`, "\xff\u202e ", `\u009b`, "\u009b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		shown := reports.EscapeText(s)
		if r := hides(shown); r >= 0 {
			t.Errorf("%+q is shown as %+q: %U hides in it", s, shown, r)
		}
		if got := unescape(shown); got != s {
			t.Errorf("%+q is shown as %s, which reads as %+q", s, shown, got)
		}
	})
}

// hides returns a rune of s that a terminal would not show, or -1. It is
// written apart from the escaper: from the Unicode categories.
func hides(s string) rune {
	if !utf8.ValidString(s) {
		return utf8.RuneError
	}
	for _, r := range s {
		if r != ' ' && unicode.In(r, unicode.C, unicode.Z, unicode.Variation_Selector) || 0xfdd0 <= r && r <= 0xfdef || r&0xfffe == 0xfffe {
			return r
		}
	}
	if strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return ' '
	}
	return -1
}

func TestKeyCell(t *testing.T) {
	for _, c := range []struct {
		key  []byte
		want string
	}{
		{nil, "(null)"},
		{[]byte{}, "(empty)"},
		{[]byte("a"), "a"},
		{[]byte("(null)"), `"(null)"`},
		{[]byte(`"(null)"`), `""(null)""`},
		{[]byte("(empty)"), `"(empty)"`},
		{[]byte(`"a"`), `"a"`},
		{[]byte("\xc3("), "\xc3("},
	} {
		if got := reports.KeyCell(c.key); got != c.want {
			t.Errorf("KeyCell(%q) = %q, want %q", c.key, got, c.want)
		}
	}
}

func TestKeyCellIsInjective(t *testing.T) {
	key := rapid.Custom(func(t *rapid.T) []byte {
		n := rapid.IntRange(-1, 4).Draw(t, "pieces")
		if n < 0 {
			return nil
		}
		return []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{`"`, "(null)", "(empty)", "a"}), n, n).Draw(t, "key"), ""))
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := key.Draw(t, "a"), key.Draw(t, "b")
		same := string(a) == string(b) && (a == nil) == (b == nil)
		if (reports.KeyCell(a) == reports.KeyCell(b)) != same {
			t.Fatalf("KeyCell gives %q for %#v and %q for %#v", reports.KeyCell(a), a, reports.KeyCell(b), b)
		}
	})
}
