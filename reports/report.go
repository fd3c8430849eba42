package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"
)

// ReportSchema names the JSON form of reports.
const ReportSchema = "keyspread/report/v1"

// A Report is one document made of saved results.
type Report struct {
	Title    string    // empty for none
	Sections []Section // at least one
}

// A Section is one result of a [Report].
type Section struct {
	*Saved
	Figures []FigureLink
}

// A FigureLink is a figure that a document shows.
type FigureLink struct {
	Caption string // what it shows
	Path    string // of the file as seen from the document, with forward slashes
}

// summaryLines is how much of one result a document's summary has.
const summaryLines = 8

// Write writes the document: in text and Markdown the title, a summary, and for
// each result a heading, what it was made from, its figures, and what its own
// command shows; in JSON the results as they were saved; in Bench their lines. CSV
// holds one table, so that more than one result is an error there.
func (r *Report) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		return r.writeJSON(w)
	case CSV:
		if len(r.Sections) > 1 {
			return fmt.Errorf("csv holds the table of one result, not of %d: give one file, or another format", len(r.Sections))
		}
		return r.Sections[0].Write(w, f)
	case Bench:
		return r.writeBench(w)
	}
	var b bytes.Buffer // so that an error leaves no half of a document
	if r.Title != "" {
		heading(&b, f, 1, r.Title)
	}
	titles := r.headings()
	r.writeSummary(&b, f, titles)
	for i, s := range r.Sections {
		b.WriteByte('\n')
		heading(&b, f, 2, titles[i])
		if err := s.write(&b, f); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// headings returns the heading of each section; those that would be the same name
// their file.
func (r *Report) headings() []string {
	seen := map[string]int{}
	for _, s := range r.Sections {
		seen[s.Result.heading()]++
	}
	var list []string
	for _, s := range r.Sections {
		title := s.Result.heading()
		if seen[title] > 1 {
			title += " (" + s.Name + ")"
		}
		list = append(list, title)
	}
	return list
}

// heading writes a heading of level 1 or 2 and a blank line.
func heading(b *bytes.Buffer, f Format, level int, title string) {
	if f == Markdown {
		fmt.Fprintf(b, "%s %s\n\n", strings.Repeat("#", level), EscapeMarkdown(title))
		return
	}
	title = EscapeText(title)
	rule := "═"
	if level > 1 {
		rule = "─"
	}
	fmt.Fprintf(b, "%s\n%s\n\n", title, strings.Repeat(rule, utf8.RuneCountInString(title)))
}

// writeSummary lists what a reader must know first; of a section that has no such
// thing, its heading.
func (r *Report) writeSummary(b *bytes.Buffer, f Format, titles []string) {
	for i, s := range r.Sections {
		lines := s.Result.summary()
		if more := len(lines) - summaryLines; more > 1 {
			lines = append(lines[:summaryLines:summaryLines], fmt.Sprintf("and %s", plural(int64(more), "more result")))
		}
		if len(lines) == 0 {
			lines = []string{titles[i]}
		}
		for _, line := range lines {
			bullet(b, f, line)
		}
	}
}

// bullet writes an entry of a list.
func bullet(b *bytes.Buffer, f Format, line string) {
	text := f.escape(line)
	if f == Markdown {
		text = escapeBlock(text)
	}
	b.WriteString("- " + text + "\n")
}

// write writes the body of a section.
func (s Section) write(b *bytes.Buffer, f Format) error {
	facts := append(s.Result.facts(), fmt.Sprintf("saved in %s (%s)", s.Name, s.Schema))
	b.WriteString(f.escape("Parameters: "+strings.Join(facts, "; ")) + "\n\n")
	for _, link := range s.Figures {
		if f == Markdown {
			fmt.Fprintf(b, "![%s](%s)\n\n", EscapeMarkdown(link.Caption), escapePath(link.Path))
		} else {
			fmt.Fprintf(b, "figure: %s\n\n", EscapeText(link.Path))
		}
	}
	return s.Write(b, f)
}

// escapePath returns a path as the target of a link.
func escapePath(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	// PathEscape leaves the parentheses that would end the link.
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(strings.Join(parts, "/"))
}

// writeJSON writes the results as they were saved, under one schema.
func (r *Report) writeJSON(w io.Writer) error {
	document := struct {
		Schema  string            `json:"schema"`
		Title   string            `json:"title"`
		Results []json.RawMessage `json:"results"`
	}{ReportSchema, strings.ToValidUTF8(r.Title, "\uFFFD"), nil}
	for _, s := range r.Sections {
		document.Results = append(document.Results, s.JSON)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err := w.Write(escapeJSON(b.Bytes()))
	return err
}

// writeBench writes the lines of all results, each with the units declared once.
func (r *Report) writeBench(w io.Writer) error {
	var b benchFile
	for _, s := range r.Sections {
		result, ok := s.Result.(benchmarked)
		if !ok {
			return fmt.Errorf("%s: %w", s.Name, errors.New("bench holds figures of spread and churn: leave this file out"))
		}
		result.bench(&b)
	}
	return b.write(w)
}
