package workload

import (
	"fmt"

	"github.com/keyspread/keyspread/partition"
)

// An intake takes the rows of an input, whatever its format, into a counter, and
// keeps the account of what happened.
type intake struct {
	Options
	name    string // of the input, as messages show it
	formats string // to choose from, for messages
	why     string // the format was chosen; empty if the user chose it
	guessed bool   // the format, by the content
	layout  string // what is being read, in words
	header  bool   // a header was read, so that no keys means no rows
	counter *Counter
	sum     Summary
	encoded []byte // scratch: the bytes of the current key

	blank      int // blank lines passed over that may have been meant as empty keys
	noBytes    int // rows whose bytes are not known
	quotedNull int // quoted texts that would be null without the quotes
}

// A row is one line of an input, taken apart.
type row struct {
	key     []byte // text
	null    bool   // the null key, whatever the text
	records int64
	bytes   int64
	tenant  []byte // only if Summary.HasTenant
}

func newIntake(name string, o Options) *intake {
	return &intake{Options: o, name: name, counter: NewCounter()}
}

// note tells the user one line.
func (in *intake) note(line string) {
	if in.Note != nil {
		in.Note(line)
	}
}

// warn adds a sentence to the summary's warnings.
func (in *intake) warn(format string, args ...any) {
	in.sum.Warnings = append(in.sum.Warnings, in.name+": "+fmt.Sprintf(format, args...))
}

// announce tells which format was chosen, unless the user chose it.
func (in *intake) announce() {
	if in.why != "" {
		in.note(fmt.Sprintf("%s: reading %s, %s; --input-format %s overrides", in.name, in.layout, in.why, in.formats))
	}
}

// isNull reports whether an unquoted text is the user's null marker.
func (in *intake) isNull(text []byte) bool {
	return in.HasNullMarker && string(text) == in.NullMarker
}

// add counts a row. The error does not say where, which only the format
// knows.
func (in *intake) add(r row) *ReadError {
	key := r.key
	switch {
	case r.null:
		key = nil
	case in.Encoding != partition.Raw:
		encoded, err := in.Encoding.AppendKey(in.encoded[:0], string(r.key))
		if err != nil {
			return &ReadError{
				Field: keyColumn, Problem: err.Error(), Err: err,
				Fix: fmt.Sprintf("--key-encoding is %s: name the one in which the keys are written, or %s", in.Encoding, skipFix),
			}
		}
		key, in.encoded = encoded, encoded
	}
	if err := in.counter.add(key, r.records, r.bytes, r.tenant); err != nil {
		return &ReadError{Problem: err.Error(), Err: err}
	}
	in.sum.Rows++
	return nil
}

// skipFix is what can be done about any bad line.
const skipFix = "skip bad lines with --skip-bad"

// tolerate returns nil if there is no error and as long as bad lines may be
// skipped, with a warning for each; after that it returns the error.
func (in *intake) tolerate(err *ReadError) error {
	if err == nil {
		return nil
	}
	if in.sum.Skipped >= in.SkipBad {
		return err
	}
	in.sum.Skipped++
	skipped := *err
	skipped.Fix = "skipped"
	in.sum.Warnings = append(in.sum.Warnings, skipped.Error())
	return nil
}

// finish returns what was taken in.
func (in *intake) finish() (*partition.KeyTable, Summary, error) {
	c := in.counter
	in.sum.Layout = in.layout
	in.sum.Keys, in.sum.HasNull, in.sum.SharedKeys = c.Len(), c.null > 0, c.SharedKeys()
	if in.blank > 0 {
		in.warn("passed over %s; an empty key is written as two quotes", plural(in.blank, "blank line"))
	}
	if in.noBytes > 0 {
		in.warn("rows without bytes, which count as 0: %d", in.noBytes)
	}
	if in.quotedNull > 0 {
		in.warn("rows whose key is written as null is, but in quotes, and counts as that text: %d", in.quotedNull)
	}
	if c.Len() == 0 {
		err := &ReadError{Name: in.name, Problem: "no keys", Fix: "the input is empty"}
		switch {
		case in.sum.Skipped > 0:
			err.Fix = "bad lines that were skipped: " + fmt.Sprint(in.sum.Skipped)
		case in.header:
			err.Fix = "it has a header and no rows"
		}
		return nil, in.sum, err
	}
	return c.Table(), in.sum, nil
}
