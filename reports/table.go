package reports

import (
	"fmt"
	"io"
)

// Table is a result in rows and columns. Cells are raw text: the writers escape
// them.
type Table struct {
	// Title stands above the table in text and Markdown; empty for none.
	Title   string
	Columns []Column
	// Rows hold one cell per column.
	Rows [][]string
	// Notes are footnotes and warnings, printed below in text and Markdown.
	// CSV has no place for them.
	Notes []string
}

// Column describes one column of a [Table].
type Column struct {
	// Name is the header for people.
	Name string
	// Key is the header in CSV, Name when empty.
	Key string
	// Right aligns the column to the right, as numbers are.
	Right bool
	// Verbatim keeps CSV cells exactly as given. Without it a cell that a
	// spreadsheet would run as a formula is defused by EscapeCSV. Set it where
	// scripts rely on getting the input back.
	Verbatim bool
}

// Write writes the table as text, Markdown or CSV. JSON is an error: a result's
// JSON is more than its table, see [WriteJSON].
func (t *Table) Write(w io.Writer, f Format) error {
	switch f {
	case Text:
		return t.WriteText(w)
	case Markdown:
		return t.WriteMarkdown(w)
	case CSV:
		return t.WriteCSV(w)
	}
	return fmt.Errorf("write table: a table has no format %q", string(f))
}

// check returns an error for a row whose cells do not match the columns. The
// caller built it wrong, and a shifted cell would be a wrong number.
func (t *Table) check() error {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("write table %q: row %d has %d cells for %d columns", t.Title, i+1, len(row), len(t.Columns))
		}
	}
	return nil
}

// writeTables writes tables one after another, a blank line between them.
func writeTables(w io.Writer, f Format, tables []*Table) error {
	for i, t := range tables {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := t.Write(w, f); err != nil {
			return err
		}
	}
	return nil
}
