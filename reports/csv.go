package reports

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
)

// WriteCSV writes a header (Key, or Name where there is none) and the rows as
// RFC 4180 with LF line ends, without title and notes. Cells of columns that are
// not Verbatim have been through [EscapeCSV]; otherwise bytes are left as they
// are, whatever their encoding. The error is a malformed row or w's.
func (t *Table) WriteCSV(w io.Writer) error {
	if err := t.check(); err != nil {
		return err
	}
	cw := csv.NewWriter(w)
	write := func(record []string) error {
		if len(record) == 1 && record[0] == "" {
			// encoding/csv writes an empty line, which every reader skips.
			cw.Flush()
			_, err := io.WriteString(w, "\"\"\n")
			return err
		}
		return cw.Write(record)
	}
	if len(t.Columns) == 0 {
		return nil
	}
	record := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		record[i] = c.Name
		if c.Key != "" {
			record[i] = c.Key
		}
		record[i] = EscapeCSV(record[i])
	}
	if err := write(record); err != nil {
		return err
	}
	for _, row := range t.Rows {
		for i, cell := range row {
			if !t.Columns[i].Verbatim {
				cell = EscapeCSV(cell)
			}
			record[i] = cell
		}
		if err := write(record); err != nil {
			return err
		}
	}
	cw.Flush()
	return cw.Error()
}

// EscapeCSV returns s as a CSV field that no spreadsheet runs as a formula: it
// puts an apostrophe before a field that begins with = + - @, one of their
// full-width forms, TAB, CR or LF and is not a plain number such as -12.5. See
// https://owasp.org/www-community/attacks/CSV_Injection. A field that begins
// with apostrophes and then so gets one more, so that removing one leading
// apostrophe before such a sign always gives s back. Quoting is the writer's.
func EscapeCSV(s string) string {
	if formula.MatchString(s) && !number.MatchString(strings.TrimLeft(s, "'")) {
		return "'" + s
	}
	return s
}

var (
	formula = regexp.MustCompile("^'*[=+\\-@\t\r\n＝＋－＠]")
	number  = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
)
