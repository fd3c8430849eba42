package reports_test

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/reports"
)

func TestEscapeMarkdown(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"user-8831", "user-8831"},
		{"a|b", `a\|b`},
		{`a\|b`, `a\\\|b`},
		{"`*_~$#[]", "\\`\\*\\_\\~\\$\\#\\[\\]"},
		{"<script>&amp;", "&lt;script&gt;&amp;amp;"},
		{"a\nb", `a\\x0ab`},
		{"a  b", `a \\x20b`},
		{"http://x", `http\://x`},
		{"WWW.x", `WWW\.x`},
		{"@octocat", "`@`octocat"},
		{"(@octocat)", "(`@`octocat)"},
		{"bob@example.com", "bob@example.com"},
		{"a @ b", "a @ b"},
		{"-12.5", "-12.5"},
	} {
		if got := reports.EscapeMarkdown(c.in); got != c.want {
			t.Errorf("EscapeMarkdown(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

// A note is a list item: nothing in it may open another block.
func TestMarkdownNotes(t *testing.T) {
	for in, want := range map[string]string{
		"- a": `\- a`, "+ a": `\+ a`, "12. a": `12\. a`, "1) a": `1\) a`, "=== ": `\===\\x20`, "# a": `\# a`, "> a": "&gt; a", "a": "a",
	} {
		var b bytes.Buffer
		if err := (&reports.Table{Notes: []string{in}}).WriteMarkdown(&b); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != "- "+want+"\n" {
			t.Errorf("note %q is %q, want %q", in, got, "- "+want+"\n")
		}
	}
}

func FuzzEscapeMarkdown(f *testing.F) {
	for _, s := range []string{"", "a|b", `a\|b`, `\`, "|", "<b>", "`|`", "@a", "a\n|b", "\u202e|", `\\|`, "&lt;", "www.@x"} {
		f.Add(s, "tenant")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		table := reports.Table{Columns: []reports.Column{{Name: a}, {Name: "n"}, {Name: b}}, Rows: [][]string{{a, "1", b}}}
		var out bytes.Buffer
		if err := table.WriteMarkdown(&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != 3 {
			t.Fatalf("%+q and %+q make %d lines, want header, rule and row:\n%s", a, b, len(lines), out.String())
		}
		for _, line := range []string{lines[0], lines[2]} {
			cells := cellsOf(line)
			if len(cells) != 3 {
				t.Fatalf("%+q and %+q make %d cells, want 3: %s", a, b, len(cells), line)
			}
			if strings.ContainsAny(line, "<>") {
				t.Errorf("HTML in %s", line)
			}
			for i, s := range map[int]string{0: a, 2: b} {
				// Markdown joins runs of spaces, so those are escaped too; the
				// same text still has to come back.
				if got := unescape(rendered(cells[i])); got != s {
					t.Errorf("%+q is written as %s, which reads as %+q", s, cells[i], got)
				}
			}
		}
	})
}

// cellsOf splits a table row as GitHub does, before it looks within the cells: at
// every pipe without a backslash, taking backslashes in pairs. See
// https://github.github.com/gfm/#tables-extension- and cmark-gfm, ext_scanners.re.
func cellsOf(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	var cells []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line):
			i++
			if line[i] != '|' { // the pipe's backslash goes before all else
				cell.WriteByte(c)
			}
			cell.WriteByte(line[i])
		case c == '|':
			cells = append(cells, strings.Trim(cell.String(), " "))
			cell.Reset()
		default:
			cell.WriteByte(c)
		}
	}
	return append(cells, strings.Trim(cell.String(), " "))
}

// rendered returns the text of a cell in which nothing but backslashes, entities
// and "@" as code has a meaning.
func rendered(cell string) string {
	cell = strings.ReplaceAll(cell, "`@`", "@")
	// cellsOf has taken a pipe's backslash: text from here on.
	cell = regexp.MustCompile(`\\([!-/:-@\[-`+"`"+`{-~])`).ReplaceAllString(cell, "$1")
	return html.UnescapeString(cell)
}
