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
	why     string // the format was chosen; empty if the user chose it
	guessed bool   // the format, by the content
	layout  string // what is being read, in words
	header  bool   // a header was read, so that no keys means no rows
	counter *Counter
	loads   loadTable          // instead, if there are no keys
	use     func(Sample) error // instead, if the rows are wanted one by one
	stopped error              // what use returned
	sum     Summary
	queue   queue
	encoded []byte // scratch: the bytes of the current key

	blank      int // blank lines passed over that may have been meant as empty keys
	noBytes    int // rows whose bytes are not known
	quotedNull int // quoted texts that would be null without the quotes
	emptyKeys  int // rows whose key may be null or empty
	oneField   int // rows of which the key may be the value
	doubted    int // topics of which doubts were told
	without    int // rows without a partition, if that is wanted
}

// A row is one line of an input, taken apart.
type row struct {
	key     []byte // text
	null    bool   // the null key, whatever the text
	records int64
	bytes   int64
	tenant  []byte // only if Summary.HasTenant

	observed int // 1 + the partition that the record was read from, 0 if unknown
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
		in.note(fmt.Sprintf("%s: reading %s, %s; --input-format overrides", in.name, in.layout, in.why))
	}
}

// isNull reports whether an unquoted text is the user's null marker.
func (in *intake) isNull(text []byte) bool {
	return in.HasNullMarker && string(text) == in.NullMarker
}

// add counts a row. The error does not say where, which only the format
// knows.
func (in *intake) add(r row) *ReadError {
	if in.use != nil {
		in.observe(r)
		return nil
	}
	key, wrong := in.keyBytes(r)
	if wrong != nil {
		return wrong
	}
	in.queue.flush(in.counter)
	if err := in.counter.add(key, r.records, r.bytes, r.tenant); err != nil {
		return &ReadError{Problem: err.Error(), Err: err}
	}
	in.sum.Rows++
	return nil
}

// addSoon is add for many rows, which it collects and counts together.
func (in *intake) addSoon(r row) *ReadError {
	if in.use != nil || r.null {
		return in.add(r)
	}
	key, wrong := in.keyBytes(r)
	if wrong != nil {
		return wrong
	}
	if !in.queue.push(in.counter, key, r) {
		return in.add(r)
	}
	in.sum.Rows++
	return nil
}

// keyBytes returns the bytes of a row's key, nil if it is null.
func (in *intake) keyBytes(r row) ([]byte, *ReadError) {
	switch {
	case r.null:
		return nil, nil
	case in.Encoding != partition.Raw:
		encoded, err := in.Encoding.AppendKey(in.encoded[:0], string(r.key))
		if err != nil {
			return nil, &ReadError{
				Field: keyColumn, Problem: err.Error(), Err: err,
				Fix: fmt.Sprintf("--key-encoding is %s: name the one in which the keys are written, or %s", in.Encoding, skipFix),
			}
		}
		in.encoded = encoded
		return encoded, nil
	case r.key == nil:
		return []byte{}, nil // the empty key, not the null key
	}
	return r.key, nil
}

// observe hands a row to whoever wants them one by one.
func (in *intake) observe(r row) {
	if r.observed == 0 {
		in.without++
		return
	}
	in.sum.Rows++
	in.stopped = in.use(Sample{Key: string(r.key), Null: r.null, Partition: r.observed - 1})
}

// skipFix is what can be done about any bad line.
const skipFix = "skip bad lines with --skip-bad"

// tolerate returns nil if there is no error and as long as bad lines may be
// skipped, with a warning for each; after that it returns the error. It also
// returns the error of whoever took the last row.
func (in *intake) tolerate(err *ReadError) error {
	if err == nil {
		return in.stopped
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

// finish returns the keys taken in.
func (in *intake) finish() (*partition.KeyTable, error) {
	c := in.counter
	in.queue.flush(c)
	in.sum.Keys, in.sum.HasNull, in.sum.SharedKeys = c.Len(), c.null > 0, c.SharedKeys()
	in.doubts()
	if c.Len() == 0 {
		return nil, in.nothing("no keys")
	}
	return c.Table(), nil
}

// summary returns the account of what happened so far.
func (in *intake) summary() Summary {
	in.sum.Layout = in.layout
	return in.sum
}

// doubts adds the warnings that only the whole input gives.
func (in *intake) doubts() {
	if in.blank > 0 {
		in.warn("passed over %s; an empty key is written as two quotes", plural(in.blank, "blank line"))
	}
	if in.noBytes > 0 {
		in.warn("rows without bytes, which count as 0: %d", in.noBytes)
	}
	if in.quotedNull > 0 {
		in.warn("rows whose key is written as null is, but in quotes, and counts as that text: %d", in.quotedNull)
	}
	if in.without > 0 {
		in.warn("passed over %s without a partition", plural(in.without, "row"))
	}
}

// nothing returns the error of an input in which there was nothing to find.
func (in *intake) nothing(problem string) error {
	err := &ReadError{Name: in.name, Problem: problem, Fix: "the input is empty"}
	switch {
	case in.sum.Skipped > 0:
		err.Fix = "bad lines that were skipped: " + fmt.Sprint(in.sum.Skipped)
	case in.header:
		err.Fix = "it has a header and no rows"
	}
	return err
}
