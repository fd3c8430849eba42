package reports

import (
	"bytes"
	"io"
	"regexp"
	"strings"
)

// WriteMarkdown writes the table in GitHub's Markdown: the title as a heading of
// level 3, the table, the notes as a list. Every text has been through
// [EscapeMarkdown]. The error is a malformed row or w's.
func (t *Table) WriteMarkdown(w io.Writer) error {
	if err := t.check(); err != nil {
		return err
	}
	var b bytes.Buffer
	separate := func() {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
	}
	if t.Title != "" {
		b.WriteString("### " + EscapeMarkdown(t.Title) + "\n")
	}
	if len(t.Columns) > 0 {
		separate()
		line := func(cell func(column int) string) {
			b.WriteByte('|')
			for i := range t.Columns {
				b.WriteString(" " + cell(i) + " |")
			}
			b.WriteByte('\n')
		}
		line(func(i int) string { return EscapeMarkdown(t.Columns[i].Name) })
		line(func(i int) string {
			if t.Columns[i].Right {
				return "--:"
			}
			return "---"
		})
		for _, row := range t.Rows {
			line(func(i int) string { return EscapeMarkdown(row[i]) })
		}
	}
	if len(t.Notes) > 0 {
		separate()
		for _, n := range t.Notes {
			b.WriteString("- " + escapeBlock(EscapeMarkdown(n)) + "\n")
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// EscapeMarkdown returns s as text that GitHub's Markdown shows as [EscapeText]
// shows it, in a table cell or within a line. It takes the meaning from
// punctuation and HTML, from links (http://, www.), from $mathematics$ and from
// @mentions, whose sign it sets as code because nothing less stops the
// notification. A run of spaces, which Markdown joins, shows its second and
// later ones as \x20. Not prevented: GitHub turning e-mail addresses into links
// and names between colons into emoji.
func EscapeMarkdown(s string) string {
	s = markdownEscaper.Replace(escape(s, true))
	if strings.ContainsRune(s, '@') {
		s = mention.ReplaceAllString(s, "$1`@`$2")
	}
	return www.ReplaceAllString(s, `$1\.`)
}

var (
	// Entities where the sign opens HTML, since some renderers know no other
	// escape; a backslash elsewhere, the only one that holds within a table.
	markdownEscaper = strings.NewReplacer(
		"&", "&amp;", "<", "&lt;", ">", "&gt;",
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "$", `\$`,
		"[", `\[`, "]", `\]`, "|", `\|`, "#", `\#`,
		"://", `\://`,
	)
	mention = regexp.MustCompile(`(^|[^0-9A-Za-z])@([0-9A-Za-z])`)
	www     = regexp.MustCompile(`(?i)(www)\.`)
)

// escapeBlock takes the meaning from the start of a line: "- ", "1. " and "==="
// would otherwise begin a list or underline a heading.
func escapeBlock(s string) string { return blockStart.ReplaceAllString(s, `$1\$2`) }

var blockStart = regexp.MustCompile(`^([0-9]*)([-+=.)])`)
