package workload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/keyspread/keyspread/partition"
)

// content writes a table out for comparison: one line a key, quoted, with its
// records, bytes and tenant.
func content(t *partition.KeyTable) []string {
	var lines []string
	for i := range t.Len() {
		key := "null"
		if k := t.Key(i); k != nil {
			key = fmt.Sprintf("%q", k)
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%s %d %d %s", key, t.Records(i), t.Bytes(i), t.Tenant(i)), " "))
	}
	return lines
}

func marker(s string) Options { return Options{NullMarker: s, HasNullMarker: true} }

func encoded(t *testing.T, name string) Options {
	e, err := partition.ParseKeyEncoding(name)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Encoding: e}
}

func TestRead(t *testing.T) {
	as := func(f Format) Options { return Options{Format: f} }
	for _, test := range []struct {
		what    string
		name    string // of the input, - if empty
		options Options
		input   string
		format  Format
		want    string // content, lines separated by " | "
	}{
		// Bare keys.
		{what: "bare keys", input: "a\nb\na\n", format: Keys, want: `"a" 2 0 | "b" 1 0`},
		{what: "last line without newline", input: "a\nb", format: Keys, want: `"a" 1 0 | "b" 1 0`},
		{what: "CR LF", input: "a\r\nb\r\n", format: Keys, want: `"a" 1 0 | "b" 1 0`},
		{what: "CR within and before the end of input", input: "a\rb\nc\r", format: Keys, want: `"a\rb" 1 0 | "c" 1 0`},
		{what: "byte-order mark", input: "\xEF\xBB\xBFa\na\n", format: Keys, want: `"a" 2 0`},
		{what: "empty lines are empty keys", input: "a\n\n\n", format: Keys, want: `"a" 1 0 | "" 2 0`},
		{what: "a newline alone is one empty key", input: "\n", format: Keys, want: `"" 1 0`},
		{what: "kcat's `%p %k`", input: "3 user-7\n3 user-8\n", format: Keys, want: `"3 user-7" 1 0 | "3 user-8" 1 0`},
		{what: "redis keys", input: "100:48069\n", format: Keys, want: `"100:48069" 1 0`},
		{what: "NUL and invalid UTF-8", input: "a\x00b\n\xff\xfea\n", format: Keys, want: `"a\x00b" 1 0 | "\xff\xfea" 1 0`},
		{what: "spaces are part of a key", input: " a\na \n", format: Keys, want: `" a" 1 0 | "a " 1 0`},
		{what: "quotes are part of a bare key", input: "\"a\"\n", format: Keys, want: `"\"a\"" 1 0`},
		{what: "backslash N is a bare key", input: "\\N\n", format: Keys, want: `"\\N" 1 0`},
		{what: "null marker", options: marker("NULL"), input: "a\nNULL\nNULL\nnull\n", format: Keys, want: `"a" 1 0 | null 2 0 | "null" 1 0`},
		{what: "empty null marker", options: marker(""), input: "a\n\n", format: Keys, want: `"a" 1 0 | null 1 0`},
		{what: "commas without numbers", input: "a,b\nc,d\n", format: Keys, want: `"a,b" 1 0 | "c,d" 1 0`},
		{what: "half of the lines do not fit", input: "a,1\nb,x\n", format: Keys, want: `"a,1" 1 0 | "b,x" 1 0`},
		{what: "negative second field", input: "a,1\nb,-1\n", format: Keys, want: `"a,1" 1 0 | "b,-1" 1 0`},
		{what: "field numbers differ", input: "a,1\nb,1,2\n", format: Keys, want: `"a,1" 1 0 | "b,1,2" 1 0`},
		{what: "five fields", input: "a,1,2,3,4\n", format: Keys, want: `"a,1,2,3,4" 1 0`},
		{what: "chosen", options: as(Keys), input: "key,count\na,1\n", format: Keys, want: `"key,count" 1 0 | "a,1" 1 0`},

		// With a header.
		{what: "header", input: "key,count\na,3\nb,4\na,5\n", format: CSV, want: `"a" 8 0 | "b" 4 0`},
		{what: "columns in any order and case", input: "Tenant,BYTES,x,Count,KEY\nacme,10,?,2,a\n", format: CSV, want: `"a" 2 10 acme`},
		{what: "tabs", input: "key\tcount\ta,b\na,b\t2\t1\n", format: TSV, want: `"a,b" 2 0`},
		{what: "spaces around names and numbers", input: "key , count\na, 2\nb ,3 \n", format: CSV, want: `"a" 2 0 | "b " 3 0`},
		{what: "trace", input: "time,key,tenant,bytes\nt,a,x,5\nt,b,y,1\nt,a,x,7\n", format: CSV, want: `"a" 2 12 x | "b" 1 1 y`},
		{what: "one column", input: "key\na\nb\na\n", format: CSV, want: `"a" 2 0 | "b" 1 0`},
		{what: "byte-order mark and CR LF", input: "\xEF\xBB\xBFkey,count\r\na,1\r\n", format: CSV, want: `"a" 1 0`},
		{what: "byte-order mark before a quote", input: "\xEF\xBB\xBF\"key\",\"count\"\r\n\"a\",\"1\"\r\n", format: CSV, want: `"a" 1 0`},
		{what: "no newline at the end", input: "key,count\na,1", format: CSV, want: `"a" 1 0`},
		{what: "no newline at the end, quoted", input: "key,count\n\"a\",\"1\"", format: CSV, want: `"a" 1 0`},
		{what: "CR at the end of input", input: "key,count\na,1\r", format: CSV, want: `"a" 1 0`},
		{what: "CR at the end of input, quoted", input: "key,count\na,\"1\"\r", format: CSV, want: `"a" 1 0`},
		{what: "CR in a key", input: "key,count\na\rb,1\n", format: CSV, want: `"a\rb" 1 0`},
		{what: "quoted separators, quotes and newlines", input: "key,count\n\"a,\"\"b\"\"\r\n\nc\",1\n\"\"\"\",2\n", format: CSV, want: `"a,\"b\"\r\n\nc" 1 0 | "\"" 2 0`},
		{what: "quotes within an unquoted field", input: "key,count\na\"b\",1\n5\",2\n", format: CSV, want: `"a\"b\"" 1 0 | "5\"" 2 0`},
		{what: "empty key, quoted or not", input: "key,count\n,1\n\"\",2\n", format: CSV, want: `"" 3 0`},
		{what: "null key", input: "key,count\n\\N,1\n\"\\N\",2\n\\n,4\n,8\n", format: CSV, want: `null 1 0 | "\\N" 2 0 | "\\n" 4 0 | "" 8 0`},
		{what: "null marker", options: marker("NULL"), input: "key,count\nNULL,1\n\"NULL\",2\n\\N,4\n", format: CSV, want: `null 5 0 | "NULL" 2 0`},
		{what: "empty null marker", options: marker(""), input: "key,count\n,1\n\"\",2\n", format: CSV, want: `null 1 0 | "" 2 0`},
		{what: "empty null marker, one column", options: marker(""), input: "key\na\n\n\"\"\n", format: CSV, want: `"a" 1 0 | null 1 0 | "" 1 0`},
		{what: "null tenant", input: "key,tenant\na,\\N\nb,x\n", format: CSV, want: `"a" 1 0 | "b" 1 0 x`},
		{what: "blank lines", input: "\n\r\nkey,count\n\na,1\n\r\n\n", format: CSV, want: `"a" 1 0`},
		{what: "blank lines, one column", input: "key\n\na\n\n", format: CSV, want: `"a" 1 0`},
		{what: "count 0", input: "key,count\na,0\nb,1\nb,0\n", format: CSV, want: `"a" 0 0 | "b" 1 0`},
		{what: "leading zeros", input: "key,count\na,0000000000000000000000000007\n", format: CSV, want: `"a" 7 0`},
		{what: "largest count", input: "key,count\na,9223372036854775807\n", format: CSV, want: `"a" 9223372036854775807 0`},
		{what: "no bytes", input: "key,bytes\na,\nb,\\N\nc,3\n", format: CSV, want: `"a" 1 0 | "b" 1 0 | "c" 1 3`},
		{what: "one key, two tenants", input: "key,tenant\na,x\nb,y\na,y\na,z\n", format: CSV, want: `"a" 3 0 x | "b" 1 0 y`},
		{what: "invalid UTF-8", input: "key,count\n\xff\x00,1\n\"\xfe\",1\n", format: CSV, want: `"\xff\x00" 1 0 | "\xfe" 1 0`},
		{what: "named .csv.gz", name: "a/orders.CSV.gz", input: "key,count\na,1\n", format: CSV, want: `"a" 1 0`},
		{what: "named .tsv.zst", name: "orders.tsv.zst", input: "key\tcount\na\t1\n", format: TSV, want: `"a" 1 0`},

		// Without a header.
		{what: "key and count", input: "user-7,812\nuser-8,1\n", format: CSV, want: `"user-7" 812 0 | "user-8" 1 0`},
		{what: "all four", input: "user-7,812,40960,acme\n", format: CSV, want: `"user-7" 812 40960 acme`},
		{what: "quoted", input: "\"user-7\",\"812\"\n\\N,\"3\"\n", format: CSV, want: `"user-7" 812 0 | null 3 0`},
		{what: "tabs", input: "a,1\t2\nb\t3\n", format: TSV, want: `"a,1" 2 0 | "b" 3 0`},
		{what: "blank lines in the sample", input: "a,1\n\nb,2\n\n", format: CSV, want: `"a" 1 0 | "b" 2 0`},
		{what: "quoted newline in the sample", input: "\"a\nb\",1\nc,2\n", format: CSV, want: `"a\nb" 1 0 | "c" 2 0`},
		{what: "named .csv, one column", name: "x.csv", input: "a\nb\na\n", format: CSV, want: `"a" 2 0 | "b" 1 0`},
		{what: "chosen", options: as(TSV), input: "a\t1\n", format: TSV, want: `"a" 1 0`},
		{what: "a header in a later line is a row", options: as(CSV), input: "a\nkey\n", format: CSV, want: `"a" 1 0 | "key" 1 0`},

		// Encodings.
		{what: "int32", options: encoded(t, "int32"), input: "1\n-1\n01\n", format: Keys, want: `"\x00\x00\x00\x01" 2 0 | "\xff\xff\xff\xff" 1 0`},
		{what: "hex in CSV", options: encoded(t, "hex"), input: "key,count\n6162,1\n,2\n\\N,3\n", format: CSV, want: `"ab" 1 0 | "" 2 0 | null 3 0`},
		{what: "null marker before the encoding", options: Options{Encoding: partition.Int64, NullMarker: "-", HasNullMarker: true}, input: "-\n1\n", format: Keys, want: `null 1 0 | "\x00\x00\x00\x00\x00\x00\x00\x01" 1 0`},
	} {
		t.Run(test.what, func(t *testing.T) {
			if test.name == "" {
				test.name = "-"
			}
			// However the reader delivers, the answer is the same.
			for how, r := range map[string]io.Reader{
				"at once":         strings.NewReader(test.input),
				"byte by byte":    iotest.OneByteReader(strings.NewReader(test.input)),
				"with the error":  iotest.DataErrReader(strings.NewReader(test.input)),
				"half the buffer": iotest.HalfReader(strings.NewReader(test.input)),
			} {
				table, sum, err := Read(r, test.name, test.options)
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				if diff := cmp.Diff(strings.Split(test.want, " | "), content(table)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
				if sum.Format != test.format {
					t.Errorf("%s: format %s, want %s", how, sum.Format, test.format)
				}
				if sum.Keys != table.Len() {
					t.Errorf("%s: %d keys in the summary, %d in the table", how, sum.Keys, table.Len())
				}
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, test := range []struct {
		what    string
		name    string // of the input, orders.csv if empty
		options Options
		input   string
		want    string // the message
	}{
		{what: "count with exponent", input: "key,count\nuser-7,1e3\n", want: `orders.csv:2:8: count "1e3": not a whole number of records; write 1000, or skip bad lines with --skip-bad`},
		{what: "count with separators", input: "key,count\na,\"1,000\"\n", want: `orders.csv:2:3: count "1,000": not a whole number of records; write 1000, or skip bad lines with --skip-bad`},
		{what: "fraction", input: "key,count\na,1.5\n", want: `orders.csv:2:3: count "1.5": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{what: "infinite", input: "key,count\na,Inf\n", want: `orders.csv:2:3: count "Inf": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{what: "text", input: "key,count\na,\x1b[2Jx\n", want: `orders.csv:2:3: count "\x1b[2Jx": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{what: "negative", input: "key,count\na,-5\n", want: `orders.csv:2:3: count "-5": negative, so not a number of records; skip bad lines with --skip-bad`},
		{what: "empty count", input: "key,count\na,\n", want: `orders.csv:2:3: count "": empty, so not a number of records; write 0 if there are none, or skip bad lines with --skip-bad`},
		{what: "null count", input: "key,count\na,\\N\n", want: `orders.csv:2:3: count "\\N": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{what: "overflow", input: "key,count\na,9223372036854775808\n", want: `orders.csv:2:3: count "9223372036854775808": larger than 9223372036854775807; skip bad lines with --skip-bad`},
		{what: "overflow of the total", input: "key,count\na,9223372036854775807\nb,1\n", want: `orders.csv:3:3: "1": the total number of records exceeds 9223372036854775807`},
		{what: "bytes", input: "key,bytes\na,x\n", want: `orders.csv:2:3: bytes "x": not a whole number of bytes; write digits only, or skip bad lines with --skip-bad`},
		{what: "too few fields", input: "key,count\na\n", want: `orders.csv:2: "a": 1 field, but the header has 2; skip bad lines with --skip-bad`},
		{what: "too many fields", input: "key,count\na,b,1\r\n", want: `orders.csv:2: "a,b,1": 3 fields, but the header has 2; put a key that holds a comma in double quotes, or skip bad lines with --skip-bad`},
		{what: "too many fields without a header", name: "-", input: strings.Repeat("a,1\n", 20000) + "a,1,2\n", want: `standard input:20001: "a,1,2": 3 fields, but the first row has 2; put a key that holds a comma in double quotes, or skip bad lines with --skip-bad, or read whole lines as keys with --input-format keys`},
		{what: "tabs where keys hold them", name: "a.tsv", input: "key\tcount\na\tb\t1\n", want: `a.tsv:2: "a\tb\t1": 3 fields, but the header has 2; put a key that holds a tab in double quotes, or skip bad lines with --skip-bad`},
		{what: "line numbers after quoted newlines", input: "key,count\n\"a\n\nb\",1\n\"c\n\",x\n", want: `orders.csv:6:3: count "x": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{what: "unclosed quote", input: "key,count\nb,1\na,\"1\nc,2\n", want: `orders.csv:3:3: "\"1": the quote that opens here is never closed; close it, or read whole lines as keys with --input-format keys`},
		{what: "text after a quote", input: "key,count\n\"a\"b,1\n", want: `orders.csv:2:4: "b,1": text after the closing quote of a field; a quote within a quoted field is written twice`},
		{what: "CR after a quote", input: "key,count\n\"a\"\r,1\n", want: `orders.csv:2:4: "\r,1": text after the closing quote of a field; a quote within a quoted field is written twice`},
		{what: "key for the encoding", options: encoded(t, "int32"), input: "key,count\n7,1\nx7,1\n", want: `orders.csv:3:1: key "x7": not a decimal integer, so not an int32; --key-encoding is int32: name the one in which the keys are written, or skip bad lines with --skip-bad`},
		{what: "bare key for the encoding", name: "-", options: encoded(t, "int32"), input: "7\n\n", want: `standard input:2:1: key "": not a decimal integer, so not an int32; --key-encoding is int32: name the one in which the keys are written, or skip bad lines with --skip-bad`},
		{what: "long text", input: "key,count\na," + long + "\n", want: `orders.csv:2:3: count "` + long[:60] + `…": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{what: "no key column", input: "id,total\na,1\n", want: `orders.csv:1: header: no column is named key, the columns are "id", "total"; name the column of keys key (and those of records, bytes and tenants count, bytes, tenant), or leave the header out and have key,count[,bytes][,tenant]`},
		{what: "two key columns", input: "key,count,Key\na,1,b\n", want: `orders.csv:1: header "Key": this column is there twice; rename the one that is not meant`},
		{what: "five columns without a header", input: "a,1,2,3,4\n", want: `orders.csv:1: header: 5 columns and no header, the first row is "a", "1", "2", "3", "4"; put a header above that names the column of keys key, or have key,count[,bytes][,tenant]`},
		{what: "semicolons", input: "key;count\na;1\n", want: `orders.csv:1: header "key;count": separated by semicolons, not by commas; change the separator, or choose --input-format csv (commas) or tsv (tabs)`},
		{what: "tabs in .csv", input: "\"key\"\t\"count\"\na\t1\n", want: `orders.csv:1:6: "\t\"count\"": text after the closing quote of a field; a quote within a quoted field is written twice`},
		{what: "commas in .tsv", name: "a.tsv", input: "key,count\na,1\n", want: `a.tsv:1: header "key,count": separated by commas, not by tabs; change the separator, or choose --input-format csv (commas) or tsv (tabs)`},
		{what: "empty", input: "", want: `no keys in orders.csv; the input is empty`},
		{what: "empty standard input", name: "-", input: "", want: `no keys in standard input; the input is empty`},
		{what: "byte-order mark alone", name: "-", input: "\xEF\xBB\xBF", want: `no keys in standard input; the input is empty`},
		{what: "header alone", input: "key,count\n", want: `no keys in orders.csv; it has a header and no rows`},
		{what: "all skipped", options: Options{SkipBad: 2}, input: "key,count\na,x\n", want: `no keys in orders.csv; bad lines that were skipped: 1`},
		{what: "too many bad lines", options: Options{SkipBad: 1}, input: "key,count\na,x\nb,1\nc\n", want: `orders.csv:4: "c": 1 field, but the header has 2; skip bad lines with --skip-bad`},
	} {
		t.Run(test.what, func(t *testing.T) {
			if test.name == "" {
				test.name = "orders.csv"
			}
			for how, r := range map[string]io.Reader{
				"at once":      strings.NewReader(test.input),
				"byte by byte": iotest.OneByteReader(strings.NewReader(test.input)),
			} {
				_, _, err := Read(r, test.name, test.options)
				var e *ReadError
				if !errors.As(err, &e) {
					t.Fatalf("%s: error %v, want a ReadError", how, err)
				}
				if diff := cmp.Diff(test.want, err.Error()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
			}
		})
	}
}

func TestReadUnknownFormat(t *testing.T) {
	_, _, err := Read(strings.NewReader("a\n"), "-", Options{Format: "xlsx"})
	if err == nil || err.Error() != `unknown input format "xlsx": want auto|console-consumer|consumer-groups|csv|get-offsets|kcat-json|kcat-key:|kcat-pk|kcat-poks|keys|log-dirs|ndjson|parquet|prometheus|rpk-json|topics-describe|tsv|uniq` {
		t.Errorf("error %v", err)
	}
}

func TestReadFailingReader(t *testing.T) {
	for _, name := range []string{"x.csv", "x.txt"} {
		boom := errors.New("boom")
		_, _, err := Read(io.MultiReader(strings.NewReader("a,1\nb,2\nc"), iotest.ErrReader(boom)), name, Options{})
		var e *ReadError
		if !errors.As(err, &e) || !errors.Is(err, boom) || e.Line != 3 || err.Error() != name+":3: boom" {
			t.Errorf("%s: error %v, want boom in line 3", name, err)
		}
	}
}

func TestReadStuckReader(t *testing.T) {
	_, _, err := Read(stuckReader{}, "-", Options{})
	if !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v, want no progress", err)
	}
}

type stuckReader struct{}

func (stuckReader) Read([]byte) (int, error) { return 0, nil }

func TestNotes(t *testing.T) {
	for _, test := range []struct {
		what, name, input string
		format            Format
		want              []string
	}{
		{what: "bare", name: "-", input: "a\n", want: []string{"standard input: reading bare keys, one a line, since nothing else fits; --input-format overrides"}},
		{what: "header", name: "-", input: "key,count\na,1\n", want: []string{"standard input: reading csv with a header: key, count, because the first line names a column key; --input-format overrides"}},
		{what: "no header", name: "x", input: "a\t1\n", want: []string{"x: reading tsv without a header: key, count, because the second field of every line is a whole number; --input-format overrides"}},
		{what: "name", name: "x.csv", input: "time,key,total\nt,a,1\n", want: []string{`x.csv: reading csv with a header: key (each row counts 1); not used: "total", because of its name; --input-format overrides`}},
		{what: "chosen", name: "x.csv", input: "a\n", format: Keys},
		{what: "stripped", name: "-", input: "\xEF\xBB\xBFa\r\nb\r\n", want: []string{
			"standard input: reading bare keys, one a line, since nothing else fits; --input-format overrides",
			"standard input: left out the byte-order mark before the first key",
			"standard input: lines end with CR LF; the CR is left out of the keys",
		}},
	} {
		t.Run(test.what, func(t *testing.T) {
			var notes []string
			_, _, err := Read(strings.NewReader(test.input), test.name, Options{Format: test.format, Note: func(s string) { notes = append(notes, s) }})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, notes); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	table, sum, err := Read(strings.NewReader("key,count,tenant,bytes\na,1,x,5\n\nb,2,x,\na,1,y,6\nc,1e3,x,1\n\\N,0,z,1\n\"\\N\",1,x,1\n"), "o.csv", Options{SkipBad: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := Summary{
		Format: CSV, Layout: "csv with a header: key, count, bytes, tenant",
		Rows: 5, Skipped: 1, Keys: 4, HasBytes: true, HasTenant: true, HasNull: true, SharedKeys: 1,
		Warnings: []string{
			`o.csv:6:3: count "1e3": not a whole number of records; skipped`,
			`o.csv: rows without bytes, which count as 0: 1`,
			`o.csv: rows whose key is written as null is, but in quotes, and counts as that text: 1`,
		},
	}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if records, size := table.Total(); records != 5 || size != 13 {
		t.Errorf("total %d records, %d bytes, want 5 and 13", records, size)
	}

	_, sum, err = Read(strings.NewReader("\xFF\xFEa\x00\n\x00"), "-", Options{})
	if err != nil || len(sum.Warnings) != 1 || !strings.Contains(sum.Warnings[0], "UTF-16") {
		t.Errorf("UTF-16: %v, %q", err, sum.Warnings)
	}
	_, sum, err = Read(strings.NewReader("key\na\n\n\nb\n"), "-", Options{})
	if err != nil || len(sum.Warnings) != 1 || sum.Warnings[0] != "standard input: passed over 2 blank lines; an empty key is written as two quotes" {
		t.Errorf("blank lines: %v, %q", err, sum.Warnings)
	}
}

// TestBufferBoundaries reads rows of every kind and length with buffers so small
// that lines, fields, quotes and line ends straddle them in every way.
func TestBufferBoundaries(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var plain, quoted bytes.Buffer
	for i := range 300 {
		key := strings.Repeat("k", random.IntN(40)) + fmt.Sprint(i%50)
		fmt.Fprintf(&plain, "%s,%d,,t\n", key, i)
		if i%3 == 0 {
			fmt.Fprintf(&quoted, "%s,%d,,\"t\"\r\n", key, i)
		} else {
			fmt.Fprintf(&quoted, "\"%s\n\"\"\",\"%d\",,t\r\n", key, i)
		}
	}
	for _, input := range []string{plain.String(), quoted.String()} {
		var want []string
		for size := 1; size < 200; size++ {
			for how, r := range map[string]io.Reader{
				"at once":      strings.NewReader(input),
				"byte by byte": iotest.OneByteReader(strings.NewReader(input)),
			} {
				table, _, err := read(newSource(r, "-", size), "-", Options{Format: CSV})
				if err != nil {
					t.Fatalf("buffer of %d, %s: %v", size, how, err)
				}
				if want == nil {
					want = content(table)
				} else if diff := cmp.Diff(want, content(table)); diff != "" {
					t.Fatalf("buffer of %d, %s (-want +got):\n%s", size, how, diff)
				}
			}
		}
	}
}

func TestTooLong(t *testing.T) {
	fits := strings.Repeat("x", MaxLine)
	for _, test := range []struct {
		what, name, input, want string
	}{
		{"bare key that fits", "-", "a\n" + fits + "\r\nb\n", ""},
		{"bare key", "-", "a\n" + fits + "x\nb\n", `standard input:2: "` + fits[:60] + `…": the line is longer than 16 MiB; is this a text file with one key a line?`},
		{"bare key without end", "-", fits + fits + fits, `standard input:1: "` + fits[:60] + `…": the line is longer than 16 MiB; is this a text file with one key a line?`},
		{"row that fits", "x.csv", "a,1\n" + fits[2:] + ",2\r\nb,1\n", ""},
		{"row", "x.csv", "a,1\n" + fits + ",2\nb,1\n", `x.csv:2: "` + fits[:60] + `…": the line is longer than 16 MiB; is this a text file with one key a line?`},
		{"rows after one that fits", "x.csv", fits[2:] + ",2\n" + fits + ",2\nb,1\n", `x.csv:2: "` + fits[:60] + `…": the line is longer than 16 MiB; is this a text file with one key a line?`},
		{"row of separators", "x.csv", "a,1\n" + strings.Repeat(",", MaxLine) + "\n", `x.csv:2: "` + strings.Repeat(",", 60) + `…": 16777217 fields, but the first row has 2; put a key that holds a comma in double quotes, or skip bad lines with --skip-bad`},
		{"header of separators", "x.csv", "key" + strings.Repeat(",", 5000) + "\na\n", `x.csv:1: header: 5001 columns, and at most 4096 are read`},
		{"quoted row that fits", "x.csv", "a,1\n\"" + fits[4:] + "\",2\r\nb,1\n", ""},
		{"quoted row", "x.csv", "a,1\n\"" + fits + "\",2\nb,1\n", `x.csv:2: "\"` + fits[:59] + `…": the line is longer than 16 MiB; is this a text file with one key a line?`},
		{"unclosed quote", "x.csv", "a,1\nb,\"2\n" + strings.Repeat("c,3\n", MaxLine/2), `x.csv:2:3: "\"2": the quote that opens here is not closed within 16 MiB; close it, or read whole lines as keys with --input-format keys`},
	} {
		t.Run(test.what, func(t *testing.T) {
			_, _, err := Read(strings.NewReader(test.input), test.name, Options{})
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("error %q, want %q", got, test.want)
			}
		})
	}
}
