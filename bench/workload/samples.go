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

// Samples reads observed key,partition pairs in CSV or TSV to the end and calls
// use for each: columns named key and partition in any order and among others, or
// key,partition without a header. Null keys are spelled as in [Read]; the key
// encoding does not matter. A row without a partition, as keyspread map writes it
// where a client does not decide, is passed over and counted in the Summary's
// warnings. What cannot be read gives a [*ReadError]; an error of use ends the
// reading and is returned.
func Samples(r io.Reader, name string, o Options, use func(Sample) error) (Summary, error) {
	src := newSource(r, name, bufferSize)
	src.start()
	s := &sampleReader{
		recordReader: recordReader{src: src, splitter: splitter{separator: sampleSeparator(o.Format, name, src)}},
		in:           newIntake(src.name, o),
		use:          use,
	}
	err := s.read()
	if err == nil && s.without > 0 {
		s.in.warn("passed over %d rows without a partition", s.without)
	}
	if err == nil && s.in.sum.Rows == 0 {
		err = &ReadError{Name: src.name, Problem: "no key,partition pairs", Fix: "give lines such as user-7,3"}
	}
	return s.in.sum, err
}

// sampleSeparator returns what separates the columns: what the user or the name
// says, else a tab if the first line has one and no comma.
func sampleSeparator(f Format, name string, src *source) byte {
	line, _, _ := bytes.Cut(src.sample(sampleSize).text, newlineByte)
	switch ext := extension(name); {
	case f == TSV, f != CSV && ext == ".tsv":
		return '\t'
	case f == CSV, ext == ".csv":
		return ','
	case bytes.IndexByte(line, '\t') >= 0 && bytes.IndexByte(line, ',') < 0:
		return '\t'
	}
	return ','
}

// A sampleReader reads the rows of observed records.
type sampleReader struct {
	recordReader
	in             *intake
	use            func(Sample) error
	key, partition int // columns
	width          int // columns of every row
	without        int // rows without a partition
}

func (s *sampleReader) read() error {
	for started := false; ; {
		ok, err := s.next()
		if !ok {
			return err
		}
		if s.blank() {
			continue
		}
		if !started {
			started = true
			header, wrong := s.columns()
			if wrong != nil {
				return wrong
			}
			if header {
				continue
			}
		}
		sample, wrong := s.row()
		if wrong != nil {
			if err := s.in.tolerate(wrong); err != nil {
				return err
			}
			continue
		}
		if sample.Partition < 0 {
			s.without++
			continue
		}
		s.in.sum.Rows++
		if err := s.use(sample); err != nil {
			return err
		}
	}
}

// columns finds the two columns by the first record and reports whether it is a
// header.
func (s *sampleReader) columns() (header bool, wrong *ReadError) {
	s.key, s.partition, s.width = -1, -1, s.splitter.width
	for i, f := range s.fields {
		switch columnName(f.text) {
		case keyColumn:
			s.key = i
		case partitionColumn:
			s.partition = i
		}
	}
	if s.key >= 0 && s.partition >= 0 {
		return true, nil
	}
	if s.width == 2 && isInteger(s.fields[1].text) {
		s.key, s.partition = 0, 1
		return false, nil
	}
	return false, &ReadError{
		Name: s.src.name, Line: s.line, Field: "header", Problem: "no columns named key and partition, the columns are " + s.list(),
		Fix: "name the two columns key and partition, or have key,partition without a header",
	}
}

// row returns the record as a sample, with a negative partition if it has none.
func (s *sampleReader) row() (Sample, *ReadError) {
	if s.splitter.width != s.width {
		return Sample{}, &ReadError{
			Name: s.src.name, Line: s.line, Text: quote(dropCR(bytes.TrimSuffix(s.record, newlineByte))),
			Problem: fmt.Sprintf("%d fields, the first row has %d", s.splitter.width, s.width),
			Fix:     "put a key that has the separator in it in quotes",
		}
	}
	key, at := s.fields[s.key], s.fields[s.partition]
	sample := Sample{
		Key:  string(key.text),
		Null: !key.quoted && (string(key.text) == nullText || s.in.isNull(key.text)),
	}
	if len(bytes.TrimSpace(at.text)) == 0 {
		sample.Partition = -1
		return sample, nil
	}
	n, ok := parseWhole(at.text)
	if !ok || n > math.MaxInt32 {
		line, column := position(s.record, at.at)
		return Sample{}, &ReadError{
			Name: s.src.name, Line: s.line + line, Column: column, Field: partitionColumn, Text: quote(at.text),
			Problem: "not a partition", Fix: "want a whole number from 0, or " + skipFix,
		}
	}
	sample.Partition = int(n)
	return sample, nil
}
