package workload

import (
	"bytes"
	"fmt"
	"strings"
)

// The names of columns, in the order of a list without a header. Headers may
// write them in capitals.
const (
	keyColumn    = "key"
	countColumn  = "count"
	bytesColumn  = "bytes"
	tenantColumn = "tenant"
	timeColumn   = "time" // of a trace: known, so not reported as unused
)

// headerlessWidth is the largest number of columns without a header.
const headerlessWidth = 4

// columns says which field of a record is what, -1 if none is.
type columns struct {
	key, count, bytes, tenant int

	width int // number of fields of every record
}

// isHeader reports whether the record names a column key.
func (s *splitter) isHeader() bool {
	for _, f := range s.fields {
		if columnName(f.text) == keyColumn {
			return true
		}
	}
	return false
}

// columnName returns a column's name as it is compared.
func columnName(text []byte) string {
	return strings.ToLower(string(bytes.TrimSpace(text)))
}

// namedColumns finds the columns by the names in a header.
func (s *splitter) namedColumns() (columns, *ReadError) {
	c := columns{key: -1, count: -1, bytes: -1, tenant: -1, width: s.width}
	if s.width > maxFields {
		return c, &ReadError{Field: "header", Problem: fmt.Sprintf("%d columns, and at most %d are read", s.width, maxFields)}
	}
	used := map[string]*int{keyColumn: &c.key, countColumn: &c.count, bytesColumn: &c.bytes, tenantColumn: &c.tenant}
	for i, f := range s.fields {
		column := used[columnName(f.text)]
		if column == nil {
			continue
		}
		if *column >= 0 {
			return c, &ReadError{
				Field: "header", Text: quote(f.text), Problem: "this column is there twice",
				Fix: "rename the one that is not meant",
			}
		}
		*column = i
	}
	return c, nil
}

// positionalColumns finds the columns of a list without a header by its first
// record, which it takes for a header without a key if its second field is not a
// number.
func (s *splitter) positionalColumns() (columns, *ReadError) {
	c := columns{key: 0, count: 1, bytes: 2, tenant: 3, width: s.width}
	if s.width == 1 {
		if other := s.otherSeparator(); other != "" {
			return c, &ReadError{
				Field: "header", Text: quote(s.fields[0].text),
				Problem: fmt.Sprintf("separated by %ss, not by %ss", other, separatorName(s.separator)),
				Fix:     "change the separator, or choose --input-format csv (commas) or tsv (tabs)",
			}
		}
	}
	if s.width > 1 && !isInteger(s.fields[1].text) {
		return c, &ReadError{
			Field: "header", Problem: "no column is named key, the columns are " + s.list(),
			Fix: "name the column of keys key (and those of records, bytes and tenants count, bytes, tenant), or leave the header out and have key,count[,bytes][,tenant]",
		}
	}
	if s.width > headerlessWidth {
		return c, &ReadError{
			Field: "header", Problem: fmt.Sprintf("%d columns and no header, the first row is %s", s.width, s.list()),
			Fix: "put a header above that names the column of keys key, or have key,count[,bytes][,tenant]",
		}
	}
	for _, column := range []*int{&c.count, &c.bytes, &c.tenant} {
		if *column >= s.width {
			*column = -1
		}
	}
	return c, nil
}

// otherSeparator returns the name of the character that separates a header which
// the splitter's own left in one piece, empty if it is none.
func (s *splitter) otherSeparator() string {
	for _, separator := range []byte{',', '\t', ';'} {
		names := bytes.Split(s.fields[0].text, []byte{separator})
		if separator == s.separator || len(names) == 1 {
			continue
		}
		for _, column := range names {
			if columnName(bytes.Trim(column, `"`)) == keyColumn {
				return separatorName(separator)
			}
		}
	}
	return ""
}

// list lists the fields of a header for a message.
func (s *splitter) list() string {
	const shown = 8
	var names []string
	for i, f := range s.fields {
		if i == shown {
			names = append(names, fmt.Sprintf("and %d more", s.width-shown))
			break
		}
		names = append(names, quote(f.text))
	}
	return strings.Join(names, ", ")
}

// describe says in words what the columns are; names is the header, if there is
// one.
func (c columns) describe(names *splitter) string {
	text := ""
	place := []string{keyColumn, countColumn, bytesColumn, tenantColumn}
	for i, column := range []int{c.key, c.count, c.bytes, c.tenant} {
		if column >= 0 {
			text += ", " + place[i]
		}
	}
	text = strings.TrimPrefix(text, ", ")
	if c.count < 0 {
		text += " (each row counts 1)"
	}
	if !names.isHeader() {
		return text
	}
	ignored := splitter{}
	for _, f := range names.fields {
		switch columnName(f.text) {
		case keyColumn, countColumn, bytesColumn, tenantColumn, timeColumn:
		default:
			ignored.add(f)
		}
	}
	if ignored.width > 0 {
		text += "; not used: " + ignored.list()
	}
	return text
}
