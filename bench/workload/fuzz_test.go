package workload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// FuzzRead reads anything as anything. What CSV and TSV mean is asserted with
// slowRead, a second reader written for being obvious.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "a\nb\r\n", "\xEF\xBB\xBFkey,count\r\na,1\r\n", "key\tcount\na\t1", "user-7,812,40960,acme\nuser-8,1,,\\N\n",
		"\"a\n\"\"b\",\"1\"\n\\N,2\n", "time,key,tenant,bytes\nt,a,x,5\n", "key,count\na,9223372036854775807\nb,1\n", "key\n\na\n\"\"\n",
		"a,\"1\nb,2", "\"a\"b,1", "a,00000000000000000001 \n", "id,total\na,1\n", "3 user-7\n", "key,key\n", ",,,\n", "a,1\r", "\"a\",1\r",
		"longer than eight bytes,123456789,12345678,tenant\nlonger than eight bytes,1234567,123456,tenant\nand another line,0,0,\n",
	} {
		for how := range uint8(8) {
			f.Add([]byte(seed), how*9, uint8(how))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, how, size uint8) {
		o := Options{Format: []Format{CSV, TSV, Auto, Keys}[how&3]}
		if how&4 != 0 {
			o.HasNullMarker = true
			o.NullMarker = []string{"", "NULL"}[how>>3&1]
		}
		var r io.Reader = bytes.NewReader(data)
		if how&16 != 0 {
			r = iotest.OneByteReader(r)
		}
		src := newSource(r, "x", 1+int(size))
		table, sum, err := read(src, "x", o)
		if most := 2*max(len(data), sampleSize) + 256; len(src.buf) > most {
			t.Errorf("a buffer of %d bytes for an input of %d", len(src.buf), len(data))
		}
		if err != nil {
			checkMessage(t, err)
		} else {
			checkBounds(t, table.Len(), sum.Rows, len(data))
		}
		if sum.Format == Auto {
			t.Error("the format is auto")
		}
		var want []string
		var ok bool
		switch sum.Format {
		case CSV:
			want, ok = slowRead(data, ',', o)
		case TSV:
			want, ok = slowRead(data, '\t', o)
		case Keys:
			want, ok = slowKeys(data, o)
		default: // what a tool printed; see the other targets
			return
		}
		if ok != (err == nil) {
			t.Fatalf("error %v, but the slow reader says %t", err, ok)
		}
		if !ok {
			return
		}
		if diff := cmp.Diff(want, content(table)); diff != "" {
			t.Errorf("%s (-slow +read):\n%s", sum.Format, diff)
		}
	})
}

func checkMessage(t *testing.T, err error) {
	t.Helper()
	var e *ReadError
	if !errors.As(err, &e) {
		t.Errorf("error %v is not a ReadError", err)
	}
	for _, r := range err.Error() {
		if !unicode.IsPrint(r) {
			t.Errorf("message %q is not fit for a terminal", err)
		}
	}
}

func checkBounds(t *testing.T, keys int, rows int64, size int) {
	t.Helper()
	if keys == 0 || int64(keys) > rows || rows > int64(size)+1 {
		t.Errorf("%d keys in %d rows of an input of %d bytes", keys, rows, size)
	}
}

// FuzzOpen opens and reads anything that may be compressed.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(openInput))
	f.Add([]byte("\x1F\x8B\x08"))
	f.Add([]byte("\x28\xB5\x2F\xFD"))
	f.Add(gzipped(f, openInput))
	f.Add(zstandard(f, openInput))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := Open("-", bytes.NewReader(data))
		if err != nil {
			return
		}
		if _, _, err := Read(io.LimitReader(in, 1<<20), "-", Options{}); err != nil {
			checkMessage(t, err)
		}
		if err := in.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
}

// tally sums rows the obvious way.
type tally struct {
	keys []string
	sums map[string]*sums
	all  sums
}

type sums struct {
	records, bytes big.Int
	tenant         string
}

func (y *tally) add(key string, records, size *big.Int, tenant string) {
	if y.sums == nil {
		y.sums = map[string]*sums{}
	}
	s := y.sums[key]
	if s == nil {
		s = &sums{tenant: tenant}
		y.sums[key] = s
		y.keys = append(y.keys, key)
	}
	for _, total := range []*sums{s, &y.all} {
		total.records.Add(&total.records, records)
		total.bytes.Add(&total.bytes, size)
	}
}

// content is as the function content; false if there are no keys or a total is too
// large.
func (y *tally) content() ([]string, bool) {
	var lines []string
	for _, key := range y.keys {
		s := y.sums[key]
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%s %d %d %s", key, &s.records, &s.bytes, s.tenant), " "))
	}
	return lines, len(lines) > 0 && y.all.records.IsInt64() && y.all.bytes.IsInt64()
}

func slowKeys(data []byte, o Options) ([]string, bool) {
	text := strings.TrimPrefix(string(data), "\xEF\xBB\xBF")
	var y tally
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimSuffix(line, "\r")
		key := fmt.Sprintf("%q", line)
		if o.HasNullMarker && line == o.NullMarker {
			key = "null"
		}
		y.add(key, big.NewInt(1), new(big.Int), "")
	}
	return y.content()
}

// A cell is a field as slowRead sees it.
type cell struct {
	text   string
	quoted bool
}

func (c cell) null(o Options) bool {
	return !c.quoted && (c.text == `\N` || o.HasNullMarker && c.text == o.NullMarker)
}

func (c cell) number() (*big.Int, bool) {
	text := strings.Trim(c.text, " ")
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return nil, false
	}
	n, ok := new(big.Int).SetString(text, 10)
	return n, ok && n.IsInt64()
}

// slowRecords cuts text into records, byte by byte.
func slowRecords(text string, separator byte) (records [][]cell, ok bool) {
	at := 0
	next := func() (byte, bool) { // at the end, or at a byte
		if at == len(text) {
			return 0, false
		}
		return text[at], true
	}
	for at < len(text) {
		var record []cell
		for ended := false; !ended; {
			var c cell
			if b, more := next(); more && b == '"' {
				c.quoted = true
				for at++; ; at++ {
					b, more := next()
					if !more {
						return nil, false
					}
					if b != '"' {
						c.text += string([]byte{b})
						continue
					}
					if at++; at == len(text) || text[at] != '"' {
						break
					}
					c.text += `"`
				}
				if rest := text[at:]; rest == "\r" || strings.HasPrefix(rest, "\r\n") {
					at++
				}
				if b, more := next(); more && b != separator && b != '\n' {
					return nil, false
				}
			} else {
				for b, more := next(); more && b != separator && b != '\n'; b, more = next() {
					c.text += string([]byte{b})
					at++
				}
				if b, more := next(); !more || b == '\n' {
					c.text = strings.TrimSuffix(c.text, "\r")
				}
			}
			record = append(record, c)
			b, more := next()
			ended = !more || b == '\n'
			at = min(at+1, len(text))
			if more && b == separator && at == len(text) { // and an empty field after it
				record = append(record, cell{})
				ended = true
			}
		}
		records = append(records, record)
	}
	return records, true
}

func slowRead(data []byte, separator byte, o Options) ([]string, bool) {
	records, ok := slowRecords(strings.TrimPrefix(string(data), "\xEF\xBB\xBF"), separator)
	if !ok {
		return nil, false
	}
	blank := func(record []cell) bool { return len(record) == 1 && record[0] == cell{} }
	for len(records) > 0 && blank(records[0]) {
		records = records[1:]
	}
	if len(records) == 0 {
		return nil, false
	}
	first := records[0]
	column := map[string]int{}
	for i, c := range first {
		name := strings.ToLower(string(bytes.TrimSpace([]byte(c.text))))
		switch name {
		case "key", "count", "bytes", "tenant":
			if _, twice := column[name]; twice {
				column["twice"] = i
			}
			column[name] = i
		}
	}
	if _, header := column["key"]; header {
		if _, twice := column["twice"]; twice {
			return nil, false
		}
		records = records[1:]
	} else {
		column = map[string]int{}
		for i, name := range []string{"key", "count", "bytes", "tenant"} {
			if i < len(first) {
				column[name] = i
			}
		}
		if len(first) > 1 && (len(first) > 4 || !strings.ContainsAny(first[1].text, "0123456789")) {
			return nil, false // the exact condition is that the second field is a number, which rows need anyway
		}
		if len(first) == 1 && separatesKey(first[0].text, separator) {
			return nil, false
		}
	}
	var y tally
	for _, record := range records {
		if blank(record) && (len(first) > 1 || !record[0].null(o)) {
			continue
		}
		if len(record) != len(first) {
			return nil, false
		}
		records, size, tenant := big.NewInt(1), new(big.Int), ""
		if i, ok := column["count"]; ok {
			if records, ok = record[i].number(); !ok {
				return nil, false
			}
		}
		if i, ok := column["bytes"]; ok && record[i].text != "" && !record[i].null(o) {
			if size, ok = record[i].number(); !ok {
				return nil, false
			}
		}
		if i, ok := column["tenant"]; ok && !record[i].null(o) {
			tenant = record[i].text
		}
		key := record[column["key"]]
		shown := fmt.Sprintf("%q", key.text)
		if key.null(o) {
			shown = "null"
		}
		y.add(shown, records, size, tenant)
	}
	return y.content()
}

// separatesKey reports whether the text is a header that another separator cuts.
func separatesKey(text string, separator byte) bool {
	for _, other := range ",\t;" {
		if names := strings.Split(text, string(other)); byte(other) != separator && len(names) > 1 {
			for _, name := range names {
				if strings.ToLower(strings.TrimSpace(strings.Trim(name, `"`))) == "key" {
					return true
				}
			}
		}
	}
	return false
}
