package workload

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"
)

// parquetOf writes rows to a file in memory.
func parquetOf[T any](tb testing.TB, rows []T, options ...parquet.WriterOption) string {
	tb.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func ptr[T any](v T) *T { return &v }

func TestParquet(t *testing.T) {
	type list struct {
		Tenant *string `parquet:"tenant,optional"`
		Key    *string `parquet:"KEY,optional"`
		Count  int64   `parquet:"count"`
		Bytes  *int32  `parquet:"bytes,optional"`
		Other  []int32 `parquet:"other,list"`
	}
	type trace struct {
		Time  time.Time `parquet:"time,timestamp"`
		Key   []byte    `parquet:"key,delta"`
		Bytes uint32    `parquet:"bytes"`
	}
	type numbers struct {
		Key   int64   `parquet:"key,delta"`
		Count float64 `parquet:"count"`
	}
	type unsigned struct {
		Key    uint64 `parquet:"key"`
		Tenant int32  `parquet:"tenant,dict"`
	}
	type ids struct {
		Key uuid.UUID `parquet:"key,uuid"`
	}
	for _, test := range []struct {
		what, input string
		options     Options
		layout      string
		want        string
	}{
		{
			"key list", parquetOf(t, []list{
				{ptr("acme"), ptr("user-7"), 812, ptr(int32(40960)), []int32{1, 2}},
				{nil, nil, 2, nil, nil}, {ptr("b"), ptr(""), 0, ptr(int32(0)), nil}, {ptr("acme"), ptr("user-7"), 1, ptr(int32(1)), nil},
			}), Options{}, `parquet: key, count, bytes, tenant; not used: "other"`, `"user-7" 813 40961 acme | null 2 0 | "" 0 0 b`,
		},
		{
			"trace", parquetOf(t, []trace{{time.Now(), []byte("a\xff"), 5}, {time.Now(), []byte{}, 7}, {time.Now(), []byte("a\xff"), 1}}, parquet.Compression(&parquet.Zstd)),
			Options{}, "parquet: key, bytes (each row counts 1)", `"a\xff" 2 6 | "" 1 7`,
		},
		{"integers", parquetOf(t, []numbers{{-7, 1}, {1 << 40, 1 << 53}}), Options{}, "parquet: key, count", `"-7" 1 0 | "1099511627776" 9007199254740992 0`},
		{"integers encoded", parquetOf(t, []numbers{{-1, 1}, {2, 3}}), encoded(t, "int32"), "parquet: key, count", `"\xff\xff\xff\xff" 1 0 | "\x00\x00\x00\x02" 3 0`},
		{"unsigned", parquetOf(t, []unsigned{{1<<64 - 1, 3}}), Options{}, "parquet: key, tenant (each row counts 1)", `"18446744073709551615" 1 0 3`},
		{"UUIDs", parquetOf(t, []ids{{uuid.MustParse("0b8cbd5e-1f1c-4b53-9d4c-6a8f5ee8a0f1")}}), Options{}, "parquet: key (each row counts 1)", `"0b8cbd5e-1f1c-4b53-9d4c-6a8f5ee8a0f1" 1 0`},
	} {
		t.Run(test.what, func(t *testing.T) {
			for _, name := range []string{"-", "x.parquet", "x.PARQUET.gz"} {
				table, sum, err := Read(strings.NewReader(test.input), name, test.options)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.Split(test.want, " | "), content(table)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
				if sum.Format != Parquet || sum.Layout != test.layout {
					t.Errorf("%s: format %s, layout %q, want %q", name, sum.Format, sum.Layout, test.layout)
				}
			}
		})
	}
}

func TestParquetErrors(t *testing.T) {
	type noKey struct {
		ID    string `parquet:"id"`
		Total int64  `parquet:"total"`
	}
	type twice struct {
		A string `parquet:"key"`
		B string `parquet:"Key"`
	}
	type when struct {
		Key time.Time `parquet:"key,timestamp"`
	}
	type real struct {
		Key float64 `parquet:"key"`
	}
	type textCount struct {
		Key   string `parquet:"key"`
		Count string `parquet:"count"`
	}
	type counts struct {
		Key   string   `parquet:"key"`
		Count *float64 `parquet:"count,optional"`
	}
	type repeated struct {
		Key []string `parquet:"key"`
	}
	type price struct {
		Key int64 `parquet:"key,decimal(2:18)"`
	}
	type place struct {
		Key       string `parquet:"key"`
		Partition int32  `parquet:"partition"`
	}
	good := parquetOf(t, []counts{{"a", ptr(1.0)}, {"b", ptr(2.0)}})
	for _, test := range []struct {
		what, input string
		options     Options
		want        string
	}{
		{"no key", parquetOf(t, []noKey{{"a", 1}}), Options{}, `no column named key, the columns are \"id\", \"total\" in x; name the column of keys key, and those of records, bytes and tenants count, bytes and tenant`},
		{"twice", parquetOf(t, []twice{{"a", "b"}}), Options{}, `column key is there twice in x; rename the one that is not meant`},
		{"times", parquetOf(t, []when{{time.Now()}}), Options{}, `column key is a TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS) in x; cast it to a string or an integer when exporting`},
		{"fractions as keys", parquetOf(t, []real{{1.5}}), Options{}, `column key is a DOUBLE in x; cast it to a string or an integer when exporting`},
		{"decimals", parquetOf(t, []price{{150}}), Options{}, `column key is a DECIMAL(18,2) in x; cast it to a string or an integer when exporting`},
		{"lists", parquetOf(t, []repeated{{[]string{"a"}}}), Options{}, `column key is repeated or nested in x; cast it to a string or an integer when exporting`},
		{"count in text", parquetOf(t, []textCount{{"a", "1"}}), Options{}, `column count is a STRING in x; cast it to a BIGINT when exporting`},
		{"fraction", parquetOf(t, []counts{{"a", ptr(1.0)}, {"b", ptr(1.5)}}), Options{}, `x:2: count "1.5": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{"null count", parquetOf(t, []counts{{"a", nil}}), Options{}, `x:1: count: null, so not a number of records; write 0 if there are none, or skip bad lines with --skip-bad`},
		{"partition", parquetOf(t, []place{{"a", -1}}), Options{}, `x:1: partition "-1": not a partition; skip bad lines with --skip-bad`},
		{"encoding", good, encoded(t, "int32"), `x:1: key "a": not a decimal integer, so not an int32; --key-encoding is int32: name the one in which the keys are written, or skip bad lines with --skip-bad`},
		{"total", parquetOf(t, []struct {
			Key   string `parquet:"key"`
			Count int64  `parquet:"count"`
		}{{"a", 1<<63 - 1}, {"b", 1}}), Options{}, `x:2: "b": the total number of records exceeds 9223372036854775807`},
		{"no rows", parquetOf(t, []counts{}), Options{}, `no keys in x; it has a header and no rows`},
		{"cut off", good[:len(good)-5], Options{}, `not readable as Parquet: `},
		{"the magic alone", "PAR1", Options{}, `not readable as Parquet: `},
		{"not Parquet", "a,1\n", Options{Format: Parquet}, `not readable as Parquet: `},
	} {
		t.Run(test.what, func(t *testing.T) {
			_, _, err := Read(strings.NewReader(test.input), "x", test.options)
			var e *ReadError
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want a ReadError", err)
			}
			if strings.HasSuffix(test.want, ": ") && strings.HasPrefix(err.Error(), test.want) {
				return
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestParquetSkipsBadRows also crosses the ends of pages, batches and row groups.
func TestParquetSkipsBadRows(t *testing.T) {
	type record struct {
		Key   string `parquet:"key,dict"`
		Count int64  `parquet:"count"`
	}
	var rows []record
	c := NewCounter()
	for i := range 5000 {
		r := record{strings.Repeat("k", i%70), int64(i)}
		if i == 70 || i == 4999 {
			r.Count = -1
		} else if err := c.Add([]byte(r.Key), r.Count, 0, ""); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	text := parquetOf(t, rows, parquet.MaxRowsPerRowGroup(999), parquet.PageBufferSize(300))
	table, sum, err := Read(strings.NewReader(text), "x", Options{SkipBad: 2})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(content(c.Table()), content(table)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`x:71: count "-1": negative, so not a number of records; skipped`, `x:5000: count "-1": negative, so not a number of records; skipped`}, sum.Warnings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestParquetThroughPipe looks for what the temporary file leaves behind.
func TestParquetThroughPipe(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	text := write(t, Parquet, facts(100))
	for _, input := range []string{text, text[:len(text)-1]} {
		_, _, err := Read(strings.NewReader(input), "-", Options{})
		if (err == nil) != (input == text) {
			t.Errorf("error %v", err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}

	src := newSource(strings.NewReader(text), "-", 16)
	file, err := os.Create(dir + "/spool")
	if err != nil {
		t.Fatal(err)
	}
	spool := temporary{file}
	defer spool.Close()
	if _, err := spool.fill(src, 100); err == nil || !strings.Contains(err.Error(), "Parquet is read from its end: save it uncompressed") {
		t.Errorf("error %v, want too large", err)
	}
}

// TestParquetOfOthers reads what other libraries wrote, see testdata.
func TestParquetOfOthers(t *testing.T) {
	all, sums, ids := NewCounter(), NewCounter(), NewCounter()
	for i := range int64(300) {
		key := fmt.Appendf(nil, "user-%d", i%7)
		if i%5 == 0 {
			key = nil
		}
		size := i * 10
		if i%11 == 0 {
			size = 0
		}
		if err := errors.Join(all.Add(key, i, size, fmt.Sprintf("t%d", i%3)), sums.Add(key, i, 0, "")); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		if err := ids.Add(fmt.Appendf(nil, "00000000-0000-0000-0000-%012d", i%3), 1, 0, ""); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]*Counter{
		"duckdb": all, "duckdb-sum": sums, "pyarrow-v1-gzip": all, "pyarrow-v2-lz4": all, "pyarrow-uuid": ids,
	} {
		path := "testdata/parquet/" + name + ".parquet"
		in, err := Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		table, sum, err := Read(in, path, Options{})
		in.Close()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sorted := cmpopts.SortSlices(strings.Compare) // a sum has an order of its own
		if diff := cmp.Diff(content(want.Table()), content(table), sorted); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if want == all && !slices.Contains(sum.Warnings, path+": rows without bytes, which count as 0: 28") {
			t.Errorf("%s: warnings %q", name, sum.Warnings)
		}
	}
}

func readFile(tb testing.TB, path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}
