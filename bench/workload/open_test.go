package workload

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

const openInput = "key,count,tenant\nuser-7,812,acme\n\"user,8\",1,umbrella\nuser-7,3,acme\n"

func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// openAndRead reads data as a file of that name, or from standard input.
func openAndRead(t *testing.T, name string, data []byte) ([]string, error) {
	t.Helper()
	path := name
	if name != "-" {
		path = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, err := Open(path, iotest.OneByteReader(bytes.NewReader(data)))
	if err != nil {
		return nil, err
	}
	table, _, err := Read(in, path, Options{})
	if closing := in.Close(); closing != nil {
		t.Errorf("%s: close: %v", name, closing)
	}
	if err != nil {
		return nil, err
	}
	return content(table), nil
}

func TestOpen(t *testing.T) {
	half := strings.Index(openInput, "7") // in the middle of a line
	gz, zst := gzipped(t, openInput), zstandard(t, openInput)
	want := []string{`"user-7" 815 0 acme`, `"user,8" 1 0 umbrella`}
	for _, test := range []struct {
		name string
		data []byte
	}{
		{"list.csv", []byte(openInput)},
		{"list", []byte(openInput)},
		{"-", []byte(openInput)},
		{"list.csv.gz", gz},
		{"list.csv", gz},
		{"LIST.CSV.GZ", gz},
		{"-", gz},
		{"list.csv.zst", zst},
		{"list", zst},
		{"-", zst},
		{"list.csv.gz", zst}, // the first bytes tell more than the name
		{"two members.gz", append(gzipped(t, openInput[:half]), gzipped(t, openInput[half:])...)},
		{"two frames.zst", append(zstandard(t, openInput[:half]), zstandard(t, openInput[half:])...)},
	} {
		got, err := openAndRead(t, test.name, test.data)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestOpenDamaged(t *testing.T) {
	text := openInput + strings.Repeat("user-7,1,acme\n", 20)
	gz, zst := gzipped(t, text), zstandard(t, text)
	for name, data := range map[string][]byte{"list.csv.gz": gz, "list.csv.zst": zst} {
		for n := range data {
			if got, err := openAndRead(t, name, data[:n]); err == nil {
				t.Fatalf("%s cut off after %d of %d bytes: no error, %q", name, n, len(data), got)
			}
		}
		changed := bytes.Clone(data)
		changed[len(changed)-1] ^= 1 // of gzip's length, of zstd's checksum
		_, err := openAndRead(t, name, changed)
		var e *ReadError
		if !errors.As(err, &e) || e.Fix == "" {
			t.Errorf("%s with a changed byte: error %v, want a ReadError with what to do", name, err)
		}
	}
	_, err := openAndRead(t, "-", gz[:len(gz)-4])
	if want := "standard input:"; err == nil || !strings.HasPrefix(err.Error(), want) ||
		!strings.Contains(err.Error(), "the gzip data ends too early: the file was cut off; copy the file again from where it came") {
		t.Errorf("error %v", err)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v does not wrap io.ErrUnexpectedEOF", err)
	}
}

func TestOpenErrors(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "missing"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: error %v", err)
	}
	if _, err := Open(t.TempDir(), nil); err == nil {
		t.Error("directory: no error")
	}
	_, err := openAndRead(t, "list.csv.gz", []byte(openInput))
	if err == nil || !strings.HasSuffix(err.Error(), "list.csv.gz: the name ends in .gz, but this is not gzip data; rename it if it is not compressed") {
		t.Errorf("plain text named .gz: error %v", err)
	}
	_, err = openAndRead(t, "empty", nil)
	if err == nil || !strings.HasPrefix(err.Error(), "no keys in ") {
		t.Errorf("empty file: error %v", err)
	}
	boom := errors.New("boom")
	if _, err := Open("-", iotest.ErrReader(boom)); !errors.Is(err, boom) {
		t.Errorf("failing standard input: error %v", err)
	}
}
