package reports

import "strings"

// The cells of the two keys that have no text.
const (
	nullCell  = "(null)"
	emptyCell = "(empty)"
)

// KeyCell returns a key as a [Table] cell: its raw bytes, "(null)" for a nil
// key, "(empty)" for a key of length zero. A key whose own text is one of these
// two, quoted or not, is given a pair of double quotes, so that two different
// keys never have the same cell.
func KeyCell(key []byte) string {
	switch text := string(key); {
	case key == nil:
		return nullCell
	case text == "":
		return emptyCell
	default:
		if bare := strings.Trim(text, `"`); bare == nullCell || bare == emptyCell {
			return `"` + text + `"`
		}
		return text
	}
}
