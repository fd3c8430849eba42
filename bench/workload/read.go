package workload

import (
	"io"

	"github.com/keyspread/keyspread/partition"
)

// Options says how to read an input. The zero value detects the format and takes
// the text of a key as its bytes.
type Options struct {
	Format   Format                // Auto, also if empty, detects it
	Encoding partition.KeyEncoding // from the text of a key to its bytes

	// NullMarker is the text that stands for the null key, if HasNullMarker is
	// set. It may be empty: then an empty line or field is the null key. In CSV and
	// TSV it counts only without quotes, and an unquoted \N is the null key always.
	NullMarker    string
	HasNullMarker bool

	// SkipBad is how many bad lines are left out, each with a warning, before one is
	// an error. Damage after which the next line cannot be found, such as an
	// unclosed quote, is an error always.
	SkipBad int

	// Note, unless nil, is told in one line each what the user should know at once,
	// such as the format that was detected.
	Note func(string)
}

// A Summary says what was read.
type Summary struct {
	Format Format // CSV for instance, never Auto
	Layout string // the format in words, such as `csv with a header: key, count`

	Rows    int64 // lines or rows counted, without header, skipped and blank ones
	Skipped int   // bad lines left out, see Options.SkipBad
	Keys    int   // distinct keys

	HasBytes   bool // there was a column of bytes
	HasTenant  bool // there was a column of tenants
	HasNull    bool // the null key occurred
	SharedKeys int  // keys that occurred under more than one tenant; the table holds the first

	// Warnings are doubts about the figures, one sentence each.
	Warnings []string
}

// Read reads r to its end and returns its distinct keys, in the order of their
// first occurrence, with their exact numbers of records. Name is used in messages
// and to detect the format by its extension; "-" is standard input. R must be
// uncompressed, see [Open].
//
// Bare keys count 1 each. In CSV and TSV a first line with a column named key, in
// any case, is a header; then columns named count, bytes and tenant are used, in
// any order, and others are ignored. Without a header the columns are key, count,
// bytes and tenant. Without a column of counts each row counts 1, so that a trace
// (time,key,tenant,bytes) is counted, too. Bytes are summed as they are: the
// total of a key in a key list, one record's size in a trace.
//
// A count of 0 makes the key known without records. An empty field is the empty
// key. Blank lines of CSV and TSV are passed over, as every CSV reader does. The
// same key under two tenants is one key, of the tenant that came first.
//
// Memory is proportional to the distinct keys, plus one line. An input that
// cannot be read, and one without keys, gives a [*ReadError].
func Read(r io.Reader, name string, o Options) (*partition.KeyTable, Summary, error) {
	return read(newSource(r, name, bufferSize), name, o)
}

func read(src *source, name string, o Options) (*partition.KeyTable, Summary, error) {
	in := newIntake(src.name, o)
	if src.start(); isUTF16(src.sample(len(utf16LittleEndian)).text) {
		in.warn("starts with the byte-order mark of UTF-16, whose bytes are taken as they are; convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8")
	}
	f, why, err := choose(o.Format, name, src)
	if err != nil {
		return nil, Summary{}, err
	}
	in.sum.Format, in.why, in.formats = f.name, why, FormatNames()
	in.guessed = why != "" && why != byName
	if err := f.read(src, in); err != nil {
		return nil, in.sum, err
	}
	return in.finish()
}

const (
	utf16LittleEndian = "\xFF\xFE"
	utf16BigEndian    = "\xFE\xFF"
)

func isUTF16(start []byte) bool {
	return string(start) == utf16LittleEndian || string(start) == utf16BigEndian
}
