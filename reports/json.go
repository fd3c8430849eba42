package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrInvalidUTF8 is what [WriteJSON] returns for a string that JSON cannot
// hold. Keys are safe in a partition.KeyText.
var ErrInvalidUTF8 = errors.New("a string is not valid UTF-8")

// WriteJSON writes v as indented JSON with a final newline. HTML signs are kept;
// characters that could drive a terminal or hide in it are written as \u
// escapes, which changes no value. A string that is not valid UTF-8 is
// [ErrInvalidUTF8], because encoding/json would silently write another string;
// so is NaN or an infinity, as in encoding/json. Nothing is written on error
// unless it is w's.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	if at := replaced(b.Bytes()); at >= 0 {
		line := b.Bytes()[bytes.LastIndexByte(b.Bytes()[:at], '\n')+1:]
		line, _, _ = bytes.Cut(line, []byte("\n"))
		if len(line) > 200 {
			line = append(line[:200:200], "..."...)
		}
		return fmt.Errorf("write JSON: %w: %s", ErrInvalidUTF8, bytes.TrimSpace(line))
	}
	_, err := w.Write(escapeJSON(b.Bytes()))
	return err
}

// replaced returns where encoding/json has put a replacement character for
// invalid UTF-8, or -1. It writes that one as the six characters \ufffd and a
// U+FFFD that was in the string as itself.
func replaced(text []byte) int {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if bytes.HasPrefix(text[i:], []byte(`\ufffd`)) {
			return i
		}
		i++ // the escaped character, which may be a backslash
	}
	return -1
}

// escapeJSON writes what EscapeText would hide as JSON escapes. Such characters
// occur in JSON only within strings; the layout is ASCII.
func escapeJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == '\n' || visible(r):
			out = append(out, text[i:i+size]...)
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
		i += size
	}
	return out
}
