package reports

import (
	"strconv"
	"unicode/utf8"
)

// quotedRunes is how much of a text [Quote] shows.
const quotedRunes = 60

// Quote returns a text for a message: in quotes, characters that could drive a
// terminal or hide in it escaped as in Go, cut off after 60 characters, because a
// key may be megabytes long.
func Quote(text string) string {
	end := 0
	for range quotedRunes {
		if end == len(text) {
			return strconv.Quote(text)
		}
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	if end == len(text) {
		return strconv.Quote(text)
	}
	return strconv.Quote(text[:end] + "…")
}
