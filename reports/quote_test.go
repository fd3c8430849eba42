package reports_test

import (
	"strings"
	"testing"

	"github.com/keyspread/keyspread/reports"
)

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 `""`,
		"a\x1b[31m\u202e\xff\"":            `"a\x1b[31m\u202e\xff\""`,
		strings.Repeat("é", 60):            `"` + strings.Repeat("é", 60) + `"`,
		strings.Repeat("é", 61):            `"` + strings.Repeat("é", 60) + `…"`,
		strings.Repeat("\xff", 10_000_000): `"` + strings.Repeat(`\xff`, 60) + `…"`,
	} {
		if got := reports.Quote(text); got != want {
			t.Errorf("Quote of %d bytes: got %.300s, want %s", len(text), got, want)
		}
	}
}
