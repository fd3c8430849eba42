package workload

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// benchmarkCSV writes key,count rows. With repeat 1 every key is distinct, as in
// a key list; above that keys return, skewed, as in a trace. Keys have 23 bytes.
func benchmarkCSV(rows, repeat int, quoted bool) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.05, 1, uint64(rows/repeat-1))
	var b bytes.Buffer
	b.WriteString("key,count\n")
	for i := range rows {
		key := i
		if repeat > 1 {
			key = int(zipf.Uint64())
		}
		if quoted {
			fmt.Fprintf(&b, "\"user-%018d\",\"%d\"\r\n", key*7919, 1+random.IntN(100000))
		} else {
			fmt.Fprintf(&b, "user-%018d,%d\n", key*7919, 1+random.IntN(100000))
		}
	}
	return b.Bytes()
}

// readStandard does with the standard library what Read does: the peer that the
// benchmark's ratio is measured against.
func readStandard(r io.Reader) (map[string]int64, error) {
	counts := map[string]int64{}
	c := csv.NewReader(r)
	c.ReuseRecord = true
	if _, err := c.Read(); err != nil {
		return nil, err
	}
	for {
		record, err := c.Read()
		if err == io.EOF {
			return counts, nil
		}
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseInt(record[1], 10, 64)
		if err != nil {
			return nil, err
		}
		counts[record[0]] += n
	}
}

// BenchmarkReadCSV reports MB/s beside encoding/csv with a map[string]int64.
func BenchmarkReadCSV(b *testing.B) {
	const rows = 1_000_000
	for _, input := range []struct {
		name string
		text []byte
	}{
		{"distinct", benchmarkCSV(rows, 1, false)},
		{"skewed", benchmarkCSV(rows, 10, false)},
		{"quoted", benchmarkCSV(rows, 10, true)},
	} {
		b.Run(input.name+"/keyspread", func(b *testing.B) {
			b.SetBytes(int64(len(input.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Read(bytes.NewReader(input.text), "list.csv", Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
		b.Run(input.name+"/standard", func(b *testing.B) {
			b.SetBytes(int64(len(input.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := readStandard(bytes.NewReader(input.text)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// BenchmarkReadFormats reads the same million rows in the other formats.
func BenchmarkReadFormats(b *testing.B) {
	const rows = 1_000_000
	for _, input := range []struct {
		name string
		text []byte
	}{
		{"distinct", benchmarkCSV(rows, 1, false)},
		{"skewed", benchmarkCSV(rows, 10, false)},
	} {
		for _, f := range []Format{NDJSON, Parquet, Uniq, KcatPK} {
			text := benchmarkText(b, f, input.text)
			b.Run(input.name+"/"+string(f), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				path := filepath.Join(b.TempDir(), "input")
				if err := os.WriteFile(path, text, 0o600); err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					in, err := Open(path, nil)
					if err != nil {
						b.Fatal(err)
					}
					if _, _, err := Read(in, path, Options{Format: f}); err != nil {
						b.Fatal(err)
					}
					in.Close()
				}
				b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
			})
		}
	}
}

// benchmarkText turns CSV of key,count into another format.
func benchmarkText(tb testing.TB, f Format, text []byte) []byte {
	type record struct {
		Key   string `parquet:"key,dict"`
		Count int64  `parquet:"count"`
	}
	var b bytes.Buffer
	var records []record
	for line := range bytes.Lines(text[bytes.IndexByte(text, '\n')+1:]) {
		key, count, _ := bytes.Cut(bytes.TrimSpace(line), []byte{','})
		switch f {
		case NDJSON:
			fmt.Fprintf(&b, `{"key":"%s","count":%s}`+"\n", key, count)
		case Uniq:
			fmt.Fprintf(&b, "%7s %s\n", count, key)
		case KcatPK:
			fmt.Fprintf(&b, "%d %s\n", len(count), key)
		case Parquet:
			n, err := strconv.ParseInt(string(count), 10, 64)
			if err != nil {
				tb.Fatal(err)
			}
			records = append(records, record{string(key), n})
		}
	}
	if f == Parquet {
		return []byte(parquetOf(tb, records, parquet.Compression(&parquet.Snappy)))
	}
	return b.Bytes()
}

// BenchmarkCounterMemory reports the live bytes per distinct key of 23 bytes, the
// table included.
func BenchmarkCounterMemory(b *testing.B) {
	for _, keys := range []int{800_000, 1_000_000, 1_600_000} {
		b.Run(strconv.Itoa(keys), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(bytesPerKey(b, keys), "B/key")
			}
		})
	}
}

// bytesPerKey fills a counter and returns the live bytes per key.
func bytesPerKey(tb testing.TB, keys int) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c := NewCounter()
	key := make([]byte, 0, 23)
	for i := range keys {
		key = fmt.Appendf(key[:0], "user-%018d", i)
		if err := c.Add(key, 1, 0, ""); err != nil {
			tb.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(c)
	return float64(after.HeapAlloc-before.HeapAlloc) / float64(keys)
}
