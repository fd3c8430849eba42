package workload

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A compression is a way of compressing a whole file.
type compression struct {
	name      string
	extension string   // of file names, lower case
	magic     []string // any of these begins a file
	open      func(io.Reader) (io.ReadCloser, error)
}

var compressions = []compression{
	{name: "gzip", extension: ".gz", magic: []string{"\x1F\x8B\x08"}, open: openGzip},
	{name: "zstd", extension: ".zst", magic: []string{"\x28\xB5\x2F\xFD"}, open: openZstd},
}

// longestMagic is the length of the longest magic, in bytes.
const longestMagic = 16

// foreign are formats whose bytes would otherwise pass for strange keys. Each magic
// has bytes or a length that no list of keys begins with by accident.
var foreign = []struct{ name, magic, fix string }{
	{"xz data", "\xFD7zXZ\x00", "decompress it: xz -dc FILE | keyspread … -"},
	{"bzip2 data", "BZh91AY&SY", "decompress it: bzip2 -dc FILE | keyspread … -"},
	{"lz4 data", "\x04\x22\x4D\x18", "decompress it: lz4 -dc FILE | keyspread … -"},
	{"a zip file (.zip, .xlsx)", "PK\x03\x04", "unpack it, and save a spreadsheet as CSV"},
	{"a 7z file", "7z\xBC\xAF\x27\x1C", "unpack it"},
	{"an Avro file", "Obj\x01", "export it as CSV or NDJSON"},
	{"an SQLite database", "SQLite format 3\x00", "export it: sqlite3 -csv"},
}

// zstdWindow is the largest window that a zstd file may ask for, in bytes: what
// the zstd command grants without being told otherwise, so that a crafted file
// cannot take gigabytes.
const zstdWindow = 128 << 20

// Open opens the file at path for reading, or stdin if path is "-". What is
// compressed with gzip or zstd comes out decompressed; that is recognised by
// its first bytes, whatever it is called. A file whose name ends in .gz or .zst
// must be compressed. Closing the result closes the file, but not stdin.
func Open(path string, stdin io.Reader) (io.ReadCloser, error) {
	if path == "-" {
		return decompress(io.NopCloser(stdin), path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := decompress(file, path)
	if err != nil {
		file.Close()
		return nil, err
	}
	return r, nil
}

// decompress returns what file holds, decompressed if it is compressed.
func decompress(file io.ReadCloser, path string) (io.ReadCloser, error) {
	// The decompressors read from the same buffer, so it is a large one.
	buffered := bufio.NewReaderSize(file, 64<<10)
	start, err := buffered.Peek(longestMagic)
	if err != nil && err != io.EOF {
		return nil, err // says which file
	}
	for _, c := range compressions {
		if !c.begins(start) {
			continue
		}
		r, err := c.open(buffered)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shownName(path), c.wrap(err))
		}
		return &decompressor{c, r, file}, nil
	}
	for _, other := range foreign {
		if bytes.HasPrefix(start, []byte(other.magic)) {
			return nil, fmt.Errorf("%s: this is %s, which is not read directly; %s", shownName(path), other.name, other.fix)
		}
	}
	for _, c := range compressions {
		if strings.HasSuffix(strings.ToLower(path), c.extension) {
			return nil, fmt.Errorf("%s: the name ends in %s, but this is not %s data; rename it if it is not compressed", path, c.extension, c.name)
		}
	}
	return &plain{buffered, file}, nil
}

func (c compression) begins(start []byte) bool {
	for _, magic := range c.magic {
		if bytes.HasPrefix(start, []byte(magic)) {
			return true
		}
	}
	return false
}

func openGzip(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }

func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// A plain is a file read as it is.
type plain struct {
	io.Reader
	io.Closer
}

// A decompressor is a file read decompressed.
type decompressor struct {
	compression
	r    io.ReadCloser
	file io.Closer
}

func (d *decompressor) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF {
		err = d.wrap(err)
	}
	return n, err
}

// Close closes the file. What a decompressor's own Close may say is the error that
// Read has given before.
func (d *decompressor) Close() error {
	d.r.Close()
	return d.file.Close()
}

// A compressionError says that compressed data ends early or is damaged.
type compressionError struct {
	name string // of the compression
	err  error
}

func (c compression) wrap(err error) error { return &compressionError{c.name, err} }

func (e *compressionError) Error() string {
	if errors.Is(e.err, io.ErrUnexpectedEOF) {
		return fmt.Sprintf("the %s data ends too early: the file was cut off", e.name)
	}
	return fmt.Sprintf("cannot decompress the %s data: %v", e.name, e.err)
}

func (e *compressionError) Unwrap() error { return e.err }
