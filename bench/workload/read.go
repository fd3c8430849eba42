package workload

import (
	"fmt"
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
	// JSON and Parquet have a null of their own. In lines of kafka-console-consumer
	// the marker is null unless another one is set, as the tool's own null.literal.
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
	Keys    int   // distinct keys, 0 from ReadLoads and Samples

	HasBytes   bool // there were bytes, in a column or field
	HasTenant  bool // there were tenants
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
// total of a key in a key list, one record's size in a trace. JSON objects and
// Parquet have fields and columns of the same names. The lines that tools print of
// records count 1 each; see the formats for what they say beside the key.
//
// A count of 0 makes the key known without records. An empty field is the empty
// key. Blank lines are passed over, as every CSV reader does, but not among bare
// keys. The same key under two tenants is one key, of the tenant that came first.
//
// Memory is proportional to the distinct keys, plus one line; Parquet also needs
// its pages, and, through a pipe, a temporary file as large as the input. An input
// that cannot be read, and one without keys, gives a [*ReadError].
func Read(r io.Reader, name string, o Options) (*partition.KeyTable, Summary, error) {
	return read(newSource(r, name, bufferSize), name, o)
}

func read(src *source, name string, o Options) (*partition.KeyTable, Summary, error) {
	keys, _, sum, err := readEither(src, name, o)
	if err == nil && keys == nil {
		return nil, sum, noKeys(src.name, sum)
	}
	return keys, sum, err
}

// ReadEither reads r like [Read] or, if it has partitions and no keys, like
// [ReadLoads]; unless there is an error, one of the two results is not nil.
func ReadEither(r io.Reader, name string, o Options) (*partition.KeyTable, []PartitionLoads, Summary, error) {
	return readEither(newSource(r, name, bufferSize), name, o)
}

func readEither(src *source, name string, o Options) (*partition.KeyTable, []PartitionLoads, Summary, error) {
	in, f, err := begin(src, name, o, choose)
	if err != nil {
		return nil, nil, Summary{}, err
	}
	if err := f.read(src, in); err != nil {
		return nil, nil, in.summary(), err
	}
	if f.loadsOnly {
		loads, err := in.loads.finish(in)
		return nil, loads, in.summary(), err
	}
	keys, err := in.finish()
	return keys, nil, in.summary(), err
}

// begin chooses the format of an input and returns an intake for it.
func begin(src *source, name string, o Options, choose func(Format, string, *source) (format, string, error)) (*intake, format, error) {
	in := newIntake(src.name, o)
	if src.start(); isUTF16(src.sample(len(utf16LittleEndian)).text) {
		in.warn("starts with the byte-order mark of UTF-16, whose bytes are taken as they are; convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8")
	}
	f, why, err := choose(o.Format, name, src)
	if err != nil {
		return nil, format{}, err
	}
	in.sum.Format, in.layout, in.why = f.name, f.layout, why
	in.guessed = why != "" && why != byName
	return in, f, nil
}

// noKeys returns the error of an input that has partitions, where keys are
// needed.
func noKeys(name string, sum Summary) error {
	return &ReadError{
		Name: name, Problem: "no keys",
		Fix: fmt.Sprintf("it has %s, which say what each partition holds and not of which keys: give the records' keys, as kcat -f '%%p %%k\\n' prints them, or, if these lines are keys, say --input-format keys", sum.Layout),
	}
}

const (
	utf16LittleEndian = "\xFF\xFE"
	utf16BigEndian    = "\xFE\xFF"
)

func isUTF16(start []byte) bool {
	return string(start) == utf16LittleEndian || string(start) == utf16BigEndian
}
