package workload

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// maxSpool is the largest input that is kept in a temporary file, in bytes.
const maxSpool = 16 << 30

// A randomReader is an input that can be read at any place.
type randomReader interface {
	io.ReaderAt
	io.Closer
}

// randomAccess returns the file and its size if reading it at any place gives what
// reading it in order does.
func (p *plain) randomAccess() (io.ReaderAt, int64, bool) {
	file, ok := p.Closer.(*os.File)
	if !ok {
		return nil, 0, false
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, 0, false
	}
	return file, info.Size(), true
}

// openRandom returns the source's input to be read at any place, and its size. A
// file is read as it is; what comes through a pipe or a decompressor is copied to a
// temporary file first, which closing removes. The source must not have been
// consumed, and is of no use afterwards.
func openRandom(src *source) (randomReader, int64, error) {
	if p, ok := src.r.(*plain); ok {
		if file, size, ok := p.randomAccess(); ok {
			return borrowed{file}, size, nil
		}
	}
	file, err := os.CreateTemp("", "keyspread-*")
	if err != nil {
		return nil, 0, fmt.Errorf("%s: cannot keep the input in a temporary file: %w", src.name, err)
	}
	spool := temporary{file}
	size, err := spool.fill(src, maxSpool)
	if err != nil {
		spool.Close()
		return nil, 0, err
	}
	return spool, size, nil
}

// A borrowed input is closed by somebody else.
type borrowed struct{ io.ReaderAt }

func (borrowed) Close() error { return nil }

// A temporary is a file that closing removes.
type temporary struct{ *os.File }

func (t temporary) Close() error { return errors.Join(t.File.Close(), os.Remove(t.Name())) }

// fill copies the source's input, if it is not larger than most.
func (t temporary) fill(src *source, most int64) (size int64, err error) {
	for {
		n, err := t.Write(src.window())
		size += int64(n)
		switch {
		case err != nil:
			return 0, fmt.Errorf("%s: cannot keep the input in a temporary file: %w", src.name, err)
		case size > most:
			return 0, &ReadError{
				Name: src.name, Problem: fmt.Sprintf("more than %d GiB that are not in a plain file", most>>30),
				Fix: "Parquet is read from its end: save it uncompressed and give the file's name",
			}
		case src.err != nil:
			return size, src.failure()
		}
		src.pos = src.end
		src.fill()
	}
}
