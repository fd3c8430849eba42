package workload

import (
	"bytes"
	"fmt"
	"strings"
)

var csvFormat = format{
	name:       CSV,
	extensions: []string{".csv"},
	sniff:      func(s sample) (string, bool) { return sniffDelimited(s, ',') },
	read:       func(src *source, in *intake) error { return readDelimited(src, in, ',') },
	samples:    func(src *source, in *intake) error { return readPairs(src, in, ',') },
}

var tsvFormat = format{
	name:       TSV,
	extensions: []string{".tsv"},
	sniff:      func(s sample) (string, bool) { return sniffDelimited(s, '\t') },
	read:       func(src *source, in *intake) error { return readDelimited(src, in, '\t') },
	samples:    func(src *source, in *intake) error { return readPairs(src, in, '\t') },
}

// nullText is, without quotes, the null key in CSV and TSV, as the dumps of
// databases and warehouses write it.
const nullText = `\N`

// sniffDelimited recognises records by a header or, without one, by every line
// having the same few fields with a number in the second. So `3 user-7` and
// `100:48069` stay bare keys. In a longer list one line in ten may be bad: it is an
// error then, where to read every line as a key would be a silent one.
func sniffDelimited(s sample, separator byte) (why string, ok bool) {
	cut := splitter{separator: separator}
	records, misfits, width := 0, 0, 0
	for rest := s.text; len(rest) > 0; {
		n, wrong := cut.cut(rest, s.whole)
		if wrong != nil {
			return "", false
		}
		if n == 0 { // the sample ends within this record
			break
		}
		rest = rest[n:]
		if cut.blank() {
			continue
		}
		if records == 0 && cut.isHeader() {
			return "because the first line names a column key", true
		}
		if records++; records == 1 {
			width = cut.width
		}
		if cut.width != width || width < 2 || width > headerlessWidth || !isDigits(bytes.Trim(cut.fields[1].text, " ")) {
			misfits++
		}
	}
	switch {
	case misfits == 0:
		return "because the second field of every line is a whole number", records > 0
	case records >= 10 && misfits*10 <= records && width >= 2:
		return "because the second field of nearly every line is a whole number", true
	}
	return "", false
}

// A delimited reads the rows of CSV or TSV.
type delimited struct {
	recordReader
	columns
	bulkReader
	in *intake
}

func readDelimited(src *source, in *intake, separator byte) error {
	d := &delimited{in: in, recordReader: recordReader{src: src, splitter: splitter{separator: separator}}}
	started := false
	for {
		ok, err := d.next()
		if !ok {
			return err
		}
		if d.blank() && (!started || !d.blankIsNull()) {
			if started && d.columns.width == 1 {
				in.blank++
			}
			continue
		}
		if !started {
			started = true
			if err := d.start(); err != nil {
				return err
			}
			if in.header {
				d.bulk()
				continue
			}
		}
		if err := in.tolerate(d.row()); err != nil {
			return err
		}
		d.bulk()
	}
}

// blank reports whether the record is a blank line.
func (s *splitter) blank() bool {
	return s.width == 1 && len(s.fields[0].text) == 0 && !s.fields[0].quoted
}

// blankIsNull reports whether a blank line is a row: with one column, and if the
// user wants an empty field to be the null key. Databases write the null key so,
// and the empty key as "".
func (d *delimited) blankIsNull() bool { return d.columns.width == 1 && d.in.isNull(nil) }

// start finds the columns by the first record, and says what they are.
func (d *delimited) start() error {
	in := d.in
	in.header = d.isHeader()
	var wrong *ReadError
	if in.header {
		d.columns, wrong = d.namedColumns()
	} else {
		d.columns, wrong = d.positionalColumns()
	}
	if wrong != nil {
		wrong.Name, wrong.Line = d.src.name, d.line
		return wrong
	}
	d.bulkReader = newBulkReader(d.columns, d.separator)
	in.sum.HasBytes, in.sum.HasTenant = d.bytes >= 0, d.tenant >= 0
	with := "without"
	if in.header {
		with = "with"
	}
	in.layout = fmt.Sprintf("%s %s a header: %s", in.sum.Format, with, d.columns.describe(&d.splitter))
	in.announce()
	return nil
}

// row counts the record.
func (d *delimited) row() *ReadError {
	if d.splitter.width != d.columns.width {
		return d.wrongWidth()
	}
	key := &d.fields[d.key]
	r := row{key: key.text, null: d.isNull(key), records: 1}
	ok := true
	if d.count >= 0 {
		if r.records, ok = parseWhole(d.fields[d.count].text); !ok {
			problem, fix := wholeProblem(d.fields[d.count].text, "records")
			return d.wrong(d.count, &ReadError{Field: countColumn, Problem: problem, Fix: fix})
		}
	}
	if d.bytes >= 0 {
		size := &d.fields[d.bytes]
		if r.bytes, ok = parseWhole(size.text); !ok {
			if len(size.text) > 0 && !d.isNull(size) {
				problem, fix := wholeProblem(size.text, "bytes")
				return d.wrong(d.bytes, &ReadError{Field: bytesColumn, Problem: problem, Fix: fix})
			}
			r.bytes = 0
			d.in.noBytes++
		}
	}
	if d.tenant >= 0 {
		if tenant := &d.fields[d.tenant]; !d.isNull(tenant) {
			r.tenant = tenant.text
		}
	}
	if err := d.in.add(r); err != nil {
		if err.Field == keyColumn {
			return d.wrong(d.key, err)
		}
		err.Field = ""
		return d.wrong(max(d.count, 0), err)
	}
	return nil
}

// isNull reports whether the field stands for null. A quoted field never does,
// but one that would without its quotes is remembered as a doubt.
func (d *delimited) isNull(f *field) bool {
	if len(f.text) != len(nullText) && !d.in.HasNullMarker {
		return false
	}
	null := string(f.text) == nullText || d.in.isNull(f.text)
	if null && f.quoted && f == &d.fields[d.key] {
		d.in.quotedNull++
	}
	return null && !f.quoted
}

// wrong returns the error as one of the column'th field.
func (d *delimited) wrong(column int, err *ReadError) *ReadError {
	f := d.fields[column]
	line, offset := position(d.record, f.at)
	err.Name, err.Line, err.Column, err.Text = d.src.name, d.line+line, offset, quote(f.text)
	return err
}

// wrongWidth returns the error for a record with too few or too many fields.
func (d *delimited) wrongWidth() *ReadError {
	first := "the first row has"
	if d.in.header {
		first = "the header has"
	}
	fix := []string{skipFix}
	if d.splitter.width > d.columns.width {
		fix = append([]string{fmt.Sprintf("put a key that holds a %s in double quotes", separatorName(d.separator))}, fix...)
	}
	if d.in.guessed && !d.in.header {
		fix = append(fix, "read whole lines as keys with --input-format keys")
	}
	record, _, _ := bytes.Cut(d.record, newlineByte)
	return &ReadError{
		Name: d.src.name, Line: d.line, Text: quote(dropCR(record)),
		Problem: fmt.Sprintf("%s, but %s %d", plural(d.splitter.width, "field"), first, d.columns.width),
		Fix:     strings.Join(fix, ", or "),
	}
}

func separatorName(separator byte) string {
	switch separator {
	case '\t':
		return "tab"
	case ';':
		return "semicolon"
	}
	return "comma"
}

// plural returns a number of things in words.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
