package workload

import (
	"bytes"
	"encoding/json"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// fuzzReader returns data, by the byte if that is wanted, and a source with a
// buffer of a size.
func fuzzReader(data []byte, byByte bool, size uint8) *source {
	var r io.Reader = bytes.NewReader(data)
	if byByte {
		r = iotest.OneByteReader(r)
	}
	return newSource(r, "x", 1+int(size))
}

func checkBuffer(t *testing.T, src *source, size int) {
	t.Helper()
	if most := 2*max(size, sampleSize) + 512; len(src.buf) > most {
		t.Errorf("a buffer of %d bytes for an input of %d", len(src.buf), size)
	}
}

// FuzzRows reads anything as the lines of a tool.
func FuzzRows(f *testing.F) {
	fuzzed := []Format{Uniq, KcatPK, KcatPOKS, "kcat-key:", ConsoleConsumer, NDJSON, KcatJSON, RpkJSON, Auto}
	for which := range fuzzed {
		for _, seed := range []string{
			"", "\n", "      2 a b\r\n      1 \n", "3 user-7\n0 \n", "3\t1042\ta\tb\t512\n0\t7\t\t-1", "user-7:{\"amount\":10}\n:x\n",
			"CreateTime:1\tPartition:3\tOffset:1042\tDelivery:NONE\tNO_HEADERS\tuser-7\tvalue\nPartition:0\tnull\tx\n", rpkOutput,
			"\xEF\xBB\xBF{\"key\":\"\\ud83d\\ude00\",\"count\":\"3\",\"bytes\":null,\"tenant\":7}{\"key\":null}\n{\"key\":\n{\"key\":1,\"partition\":2}",
			`{"topic":"t","partition":3,"offset":1042,"ts":1767225600000,"key":"user-7","payload":[{"x":"}"},[]]}`,
		} {
			f.Add([]byte(seed), uint8(which), uint8(which*40), uint8(which))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which, size, skip uint8) {
		o := Options{Format: fuzzed[int(which)%len(fuzzed)], SkipBad: int(skip % 8)}
		src := fuzzReader(data, which >= 128, size)
		table, sum, err := read(src, "x", o)
		if sum.Format == Parquet {
			return // see FuzzParquet
		}
		checkBuffer(t, src, len(data))
		for _, warning := range sum.Warnings {
			if strings.ContainsFunc(warning, func(r rune) bool { return r < ' ' || r == utf8.RuneError }) {
				t.Errorf("warning %q is not fit for a terminal", warning)
			}
		}
		// However the input is cut, the answer is the same.
		again, sum2, err2 := read(fuzzReader(data, which < 128, 255-size), "x", o)
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("errors %v and %v", err, err2)
		}
		if diff := cmp.Diff(sum, sum2); diff != "" {
			t.Fatalf("summaries differ:\n%s", diff)
		}
		var samples int64
		_, err3 := Samples(bytes.NewReader(data), "x", o, func(s Sample) error {
			samples++
			if s.Partition < 0 {
				t.Errorf("sample %+v", s)
			}
			return nil
		})
		if err3 != nil {
			checkMessage(t, err3)
		}
		if err != nil {
			checkMessage(t, err)
			return
		}
		checkBounds(t, table.Len(), sum.Rows, len(data))
		if diff := cmp.Diff(content(table), content(again)); diff != "" {
			t.Fatalf("tables differ:\n%s", diff)
		}
		if o.Format != Auto && samples > sum.Rows {
			t.Errorf("%d samples in %d rows", samples, sum.Rows)
		}
	})
}

// FuzzJSON compares the scanner with encoding/json.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1}`, `{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00","b":[1,-0.5e+7,true,false,null,{}],"c":{"d":[[]]}}`,
		`{"a":01}`, `{"a":1,}`, `{"a" 1}`, `{"a":tru}`, `{"a":"\x"}`, `{"a":[1}`, ` {}`, `{"\u0061":"\ud83d"}`, "{\"a\":\"\n\"}", "{\"a\":\"\xff\t\"}", `{"a":-}`, `{"a":1.}`, `{"a":1e}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || data[0] != '{' {
			return
		}
		got := map[string]string{}
		length, wrong := jsonScanner{data}.object(func(name []byte, from, to int) {
			text, ok := appendJSONText(nil, slices.Concat([]byte{'"'}, name, []byte{'"'}))
			if ok && utf8.Valid(text) {
				got[string(text)] = string(data[from:to])
			}
		})
		// Control characters in strings are taken, which encoding/json refuses.
		standard := bytes.Map(func(r rune) rune {
			if r < ' ' && r != '\n' && r != '\r' && r != '\t' {
				return '.'
			}
			return r
		}, data[:max(length, 0)])
		if wrong != nil {
			if json.Valid(data) && wrong.problem != "nested too deep" {
				t.Fatalf("refused: %+v", *wrong)
			}
			if wrong.at > len(data) {
				t.Fatalf("error at %d of %d", wrong.at, len(data))
			}
			return
		}
		if bytes.ContainsAny(data[:length], "\t\r") && !json.Valid(standard) {
			return // a tab in a string, perhaps
		}
		if !utf8.Valid(data[:length]) {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(standard, &want); err != nil {
			t.Fatalf("accepted, but: %v", err)
		}
		if !bytes.Equal(standard, data[:length]) {
			return
		}
		for name, value := range got {
			if string(want[name]) != value {
				t.Errorf("member %q is %q, want %q", name, value, want[name])
			}
			var text string
			if value[0] != '"' || json.Unmarshal([]byte(value), &text) != nil {
				continue
			}
			if decoded, ok := appendJSONText(nil, []byte(value)); ok && string(decoded) != text {
				t.Errorf("%s is %q, want %q", value, decoded, text)
			}
		}
	})
}

// FuzzLoads reads anything as loads of partitions.
func FuzzLoads(f *testing.F) {
	fuzzed := []Format{GetOffsets, ConsumerGroups, TopicsDescribe, LogDirs, Prometheus, Auto}
	for which := range fuzzed {
		for _, seed := range []string{"", "orders:0:21\norders:1:\n", groupsOutput, topicsOutput, logDirsOutput, prometheusOutput, `{"partitions":[{"partition":"a-0","size":1},7]}`} {
			f.Add([]byte(seed), uint8(which), uint8(which*40), uint8(which))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which, size, skip uint8) {
		o := Options{Format: fuzzed[int(which)%len(fuzzed)], SkipBad: int(skip % 8)}
		src := fuzzReader(data, which >= 128, size)
		loads, sum, err := readLoads(src, "x", o)
		if sum.Format == Parquet {
			return
		}
		checkBuffer(t, src, len(data))
		again, sum2, err2 := readLoads(fuzzReader(data, which < 128, 255-size), "x", o)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("errors %v and %v", err, err2)
		}
		if err != nil {
			checkMessage(t, err)
			return
		}
		if diff := cmp.Diff(loads, again); diff != "" {
			t.Fatalf("loads differ:\n%s", diff)
		}
		if diff := cmp.Diff(sum, sum2); diff != "" {
			t.Fatalf("summaries differ:\n%s", diff)
		}
		partitions := 0
		for _, p := range loads {
			partitions += len(p.Partitions)
			for i, l := range p.Partitions {
				if l.Partition < 0 || l.Records < 0 || l.Bytes < 0 || l.Lag < 0 || i > 0 && l.Partition <= p.Partitions[i-1].Partition {
					t.Errorf("load %+v", l)
				}
			}
		}
		if partitions == 0 || int64(partitions) > sum.Rows {
			t.Errorf("%d partitions in %d rows", partitions, sum.Rows)
		}
	})
}

// FuzzParquet reads damaged files.
func FuzzParquet(f *testing.F) {
	f.Add([]byte(write(f, Parquet, facts(20))), uint8(0))
	f.Add([]byte(parquetOf(f, []struct {
		Key   int32    `parquet:"key"`
		Count *float64 `parquet:"count,optional"`
	}{{7, nil}, {8, ptr(2.0)}})), uint8(1))
	f.Add([]byte("PAR1PAR1"), uint8(0))
	for _, name := range []string{"duckdb", "pyarrow-v1-gzip", "pyarrow-v2-lz4", "pyarrow-uuid"} {
		f.Add([]byte(readFile(f, "testdata/parquet/"+name+".parquet")), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, skip uint8) {
		in := newIntake("x", Options{SkipBad: int(skip % 8)})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := readParquetFile(bytes.NewReader(data), int64(len(data)), in)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 5<<30 { // see parquetcheck.go for the exception
			t.Errorf("%d MiB for a file of %d bytes", used>>20, len(data))
		}
		if err != nil {
			checkMessage(t, err)
		}
	})
}
