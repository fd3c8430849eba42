package reports

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// textStyle is a header, a rule under each column and two spaces between
// columns.
var textStyle = table.Style{
	Name: "keyspread",
	Box: table.BoxStyle{
		MiddleHorizontal: "─",
		MiddleSeparator:  "  ",
		MiddleVertical:   "  ",
	},
	Options: table.Options{SeparateColumns: true, SeparateHeader: true},
}

// WriteText writes the table for a terminal: title, aligned columns, notes. It
// has no colour and no trailing spaces, and every text has been through
// [EscapeText]. The error is a malformed row or w's.
func (t *Table) WriteText(w io.Writer) error {
	if err := t.check(); err != nil {
		return err
	}
	var parts []string
	if t.Title != "" {
		parts = append(parts, EscapeText(t.Title))
	}
	if len(t.Columns) > 0 {
		parts = append(parts, t.textBody())
	}
	if len(t.Notes) > 0 {
		var notes []string
		for _, n := range t.Notes {
			notes = append(notes, "note: "+EscapeText(n))
		}
		parts = append(parts, strings.Join(notes, "\n"))
	}
	if len(parts) == 0 {
		return nil
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n\n")+"\n")
	return err
}

// textBody returns header, rule and rows without a final newline.
func (t *Table) textBody() string {
	tw := table.NewWriter()
	tw.SetStyle(textStyle)
	tw.SuppressTrailingSpaces()
	configs := make([]table.ColumnConfig, len(t.Columns))
	header := make(table.Row, len(t.Columns))
	for i, c := range t.Columns {
		align := text.AlignLeft
		if c.Right {
			align = text.AlignRight
		}
		configs[i] = table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align}
		header[i] = EscapeText(c.Name)
	}
	tw.SetColumnConfigs(configs)
	tw.AppendHeader(header)
	for _, cells := range t.Rows {
		row := make(table.Row, len(cells))
		for i, cell := range cells {
			row[i] = EscapeText(cell)
		}
		tw.AppendRow(row)
	}
	return tw.Render()
}
