package workload

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

// partitionColumn is the name of the column that says where a record was read.
const partitionColumn = "partition"

// A Sample is one observed record: its key and the partition it was read from.
type Sample struct {
	Key       string // text
	Null      bool   // the null key, whatever the text
	Partition int
}

// Samples reads observed key,partition pairs to the end and calls use for each:
// the lines and JSON that kcat, rpk and kafka-console-consumer print, Parquet with
// columns of these names, and CSV and TSV with columns named key and partition in
// any order and among others, or key,partition without a header. Since there must
// be partitions, `3 user-7` is taken for kcat's partition and key here.
//
// Null keys are spelled as in [Read]; the key encoding does not matter. A row
// without a partition, as keyspread map writes it where a client does not decide,
// is passed over and counted in the Summary's warnings. What cannot be read gives a
// [*ReadError]; an error of use ends the reading and is returned.
func Samples(r io.Reader, name string, o Options, use func(Sample) error) (Summary, error) {
	src := newSource(r, name, bufferSize)
	in, f, err := begin(src, name, o, chooseSamples)
	if err != nil {
		return Summary{}, err
	}
	if f.samples == nil {
		return in.summary(), &ReadError{
			Name: src.name, Problem: "no key,partition pairs",
			Fix: fmt.Sprintf("it has %s, which do not say which key is in which partition: give lines such as user-7,3, or what kcat -f '%%p %%k\\n' prints", in.layout),
		}
	}
	in.use = use
	if err := f.samples(src, in); err != nil {
		return in.summary(), err
	}
	in.doubts()
	if in.sum.Rows == 0 {
		return in.summary(), &ReadError{Name: src.name, Problem: "no key,partition pairs", Fix: "give lines such as user-7,3"}
	}
	return in.summary(), nil
}

// sampleSeparator returns what separates the columns of a list of pairs: a tab if
// the first line has one and no comma.
func sampleSeparator(s sample) Format {
	line, _, _ := bytes.Cut(s.text, newlineByte)
	if bytes.IndexByte(line, '\t') >= 0 && bytes.IndexByte(line, ',') < 0 {
		return TSV
	}
	return CSV
}

// A pairReader reads the rows of observed records in CSV and TSV.
type pairReader struct {
	recordReader
	in             *intake
	key, partition int // columns
	width          int // columns of every row
}

func readPairs(src *source, in *intake, separator byte) error {
	p := &pairReader{recordReader: recordReader{src: src, splitter: splitter{separator: separator}}, in: in}
	for started := false; ; {
		ok, err := p.next()
		if !ok {
			return err
		}
		if p.blank() {
			continue
		}
		if !started {
			started = true
			header, wrong := p.columns()
			if wrong != nil {
				return wrong
			}
			if header {
				continue
			}
		}
		r, wrong := p.row()
		if wrong == nil {
			wrong = in.add(r)
		}
		if err := in.tolerate(wrong); err != nil {
			return err
		}
	}
}

// columns finds the two columns by the first record and reports whether it is a
// header.
func (p *pairReader) columns() (header bool, wrong *ReadError) {
	p.key, p.partition, p.width = -1, -1, p.splitter.width
	for i, f := range p.fields {
		column := map[string]*int{keyColumn: &p.key, partitionColumn: &p.partition}[columnName(f.text)]
		if column == nil {
			continue
		}
		if *column >= 0 {
			return false, &ReadError{
				Name: p.src.name, Line: p.line, Field: "header", Text: quote(f.text), Problem: "this column is there twice",
				Fix: "rename the one that is not meant",
			}
		}
		*column = i
	}
	if p.key >= 0 && p.partition >= 0 {
		return true, nil
	}
	if p.width == 2 && isInteger(p.fields[1].text) {
		p.key, p.partition = 0, 1
		return false, nil
	}
	return false, &ReadError{
		Name: p.src.name, Line: p.line, Field: "header", Problem: "no columns named key and partition, the columns are " + p.list(),
		Fix: "name the two columns key and partition, or have key,partition without a header",
	}
}

// row returns the record as a row, observed nowhere if it has no partition.
func (p *pairReader) row() (row, *ReadError) {
	if p.splitter.width != p.width {
		return row{}, &ReadError{
			Name: p.src.name, Line: p.line, Text: quote(dropCR(bytes.TrimSuffix(p.record, newlineByte))),
			Problem: fmt.Sprintf("%d fields, the first row has %d", p.splitter.width, p.width),
			Fix:     "put a key that has the separator in it in quotes",
		}
	}
	key, at := p.fields[p.key], p.fields[p.partition]
	r := row{key: key.text, null: !key.quoted && (string(key.text) == nullText || p.in.isNull(key.text))}
	if len(bytes.TrimSpace(at.text)) == 0 {
		return r, nil
	}
	n, wrong := parsePartition(at.text)
	if wrong != nil {
		line, column := position(p.record, at.at)
		wrong.Name, wrong.Line, wrong.Column = p.src.name, p.line+line, column
		return row{}, wrong
	}
	r.observed = n + 1
	return r, nil
}

// parsePartition parses the number of a partition. The error does not say where.
func parsePartition(text []byte) (int, *ReadError) {
	n, ok := parseWhole(text)
	if !ok || n >= math.MaxInt32 {
		return 0, &ReadError{Field: partitionColumn, Text: quote(text), Problem: "not a partition", Fix: "want a whole number from 0, or " + skipFix}
	}
	return int(n), nil
}
