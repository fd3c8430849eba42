package workload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

// A fact is one record as some tool saw it.
type fact struct {
	key       string
	bytes     int64
	partition int
}

// facts are records with keys that every format can write: not null or empty, and
// without what separates something somewhere.
func facts(n int) []fact {
	random := rand.New(rand.NewPCG(5, 6))
	var all []fact
	for range n {
		id := random.IntN(60)
		key := fmt.Sprintf("user-%d ü \"q\" \\N", id)
		switch id % 4 {
		case 0:
			key = fmt.Sprint(id)
		case 1:
			key = fmt.Sprintf("a b,%d", id)
		}
		all = append(all, fact{key: key, bytes: int64(random.IntN(1000)), partition: len(key) % 5})
	}
	return all
}

// withBytes are the formats that say how large records are.
var withBytes = map[Format]bool{CSV: true, TSV: true, NDJSON: true, KcatPOKS: true, RpkJSON: true, Parquet: true}

// write writes the facts in a format, one record a line where it has no counts.
func write(tb testing.TB, f Format, all []fact) string {
	var b strings.Builder
	quoted := func(s string) string {
		text, err := json.Marshal(s)
		if err != nil {
			tb.Fatal(err)
		}
		return string(text)
	}
	inCSV := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	switch f {
	case CSV:
		b.WriteString("partition,key,bytes\n")
	case TSV:
		b.WriteString("key\tbytes\tpartition\n")
	case Parquet:
		return writeParquet(tb, all)
	}
	for i, r := range all {
		switch f {
		case Keys:
			fmt.Fprintf(&b, "%s\n", r.key)
		case CSV:
			fmt.Fprintf(&b, "%d,%s,%d\n", r.partition, inCSV(r.key), r.bytes)
		case TSV:
			fmt.Fprintf(&b, "%s\t%d\t%d\n", inCSV(r.key), r.bytes, r.partition)
		case Uniq:
			fmt.Fprintf(&b, "%7d %s\n", 1, r.key)
		case NDJSON:
			fmt.Fprintf(&b, `{"key":%s,"bytes":%d,"partition":%d}`+"\n", quoted(r.key), r.bytes, r.partition)
		case KcatPK:
			fmt.Fprintf(&b, "%d %s\n", r.partition, r.key)
		case KcatPOKS:
			fmt.Fprintf(&b, "%d\t%d\t%s\t%d\n", r.partition, i, r.key, r.bytes)
		case KcatKey + "=>":
			fmt.Fprintf(&b, "%s=>%s\n", r.key, "value=>")
		case KcatJSON:
			fmt.Fprintf(&b, `{"topic":"t","partition":%d,"offset":%d,"ts":1767225600000,"key":%s,"payload":"x"}`+"\n", r.partition, i, quoted(r.key))
		case RpkJSON:
			fmt.Fprintf(&b, "{\n  \"topic\": \"t\",\n  \"key\": %s,\n  \"value_size\": %d,\n  \"timestamp\": 1767225600000,\n  \"partition\": %d,\n  \"offset\": %d\n}\n", quoted(r.key), r.bytes, r.partition, i)
		case ConsoleConsumer:
			fmt.Fprintf(&b, "Partition:%d\t%s\tvalue\n", r.partition, r.key)
		default:
			tb.Fatalf("no way to write %s", f)
		}
	}
	return b.String()
}

func writeParquet(tb testing.TB, all []fact) string {
	type record struct {
		Partition int32   `parquet:"partition"`
		Key       *string `parquet:"key,optional,dict"`
		Bytes     int64   `parquet:"bytes"`
		Other     float64 `parquet:"other"`
	}
	var records []record
	for i := range all {
		records = append(records, record{Partition: int32(all[i].partition), Key: &all[i].key, Bytes: all[i].bytes})
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[record](&b, parquet.MaxRowsPerRowGroup(500), parquet.PageBufferSize(512), parquet.Compression(&parquet.Snappy))
	if _, err := w.Write(records); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

var keyedFormats = []Format{Keys, CSV, TSV, Uniq, NDJSON, KcatPK, KcatPOKS, KcatKey + "=>", KcatJSON, RpkJSON, ConsoleConsumer, Parquet}

// TestFormatsAgree writes the same data in every format with keys, in every
// compression and, where lines have ends, with CR LF and a byte-order mark: it
// must always give the same table.
func TestFormatsAgree(t *testing.T) {
	all := facts(2000)
	c, s := NewCounter(), NewCounter()
	for _, r := range all {
		if err := c.Add([]byte(r.key), 1, 0, ""); err != nil {
			t.Fatal(err)
		}
		if err := s.Add([]byte(r.key), 1, r.bytes, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range keyedFormats {
		text := write(t, f, all)
		variants := map[string][]byte{"plain": []byte(text), "gzip": gzipped(t, text), "zstd": zstandard(t, text)}
		if f != Parquet {
			variants["CR LF and mark"] = []byte("\xEF\xBB\xBF" + strings.ReplaceAll(text, "\n", "\r\n"))
			variants["no last line end"] = []byte(strings.TrimSuffix(text, "\n"))
		}
		for how, data := range variants {
			for _, from := range []string{"file", "pipe"} {
				path := filepath.Join(t.TempDir(), "input")
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				stdin := bytes.NewReader(data)
				if from == "pipe" {
					path = "-"
				}
				in, err := Open(path, stdin)
				if err != nil {
					t.Fatal(err)
				}
				table, sum, err := Read(in, path, Options{Format: f})
				in.Close()
				if err != nil {
					t.Errorf("%s, %s, %s: %v", f, how, from, err)
					continue
				}
				want := c.Table()
				if withBytes[f] {
					want = s.Table()
				}
				if diff := cmp.Diff(content(want), content(table)); diff != "" {
					t.Errorf("%s, %s, %s (-want +got):\n%s", f, how, from, diff)
				}
				if sum.Rows != int64(len(all)) || sum.HasBytes != withBytes[f] {
					t.Errorf("%s, %s, %s: summary %+v", f, how, from, sum)
				}
			}
		}
	}
}

// TestSamplesAgree reads where each record was from every format that tells.
func TestSamplesAgree(t *testing.T) {
	all := facts(2000)
	var want []Sample
	for _, r := range all {
		want = append(want, Sample{Key: r.key, Partition: r.partition})
	}
	for _, f := range []Format{CSV, TSV, NDJSON, KcatPK, KcatPOKS, KcatJSON, RpkJSON, ConsoleConsumer, Parquet} {
		for _, chosen := range []Format{f, Auto} {
			var got []Sample
			sum, err := Samples(strings.NewReader(write(t, f, all)), "-", Options{Format: chosen}, func(s Sample) error {
				got = append(got, s)
				return nil
			})
			if err != nil || sum.Format != f || sum.Rows != int64(len(want)) {
				t.Errorf("%s as %s: summary %+v, error %v", f, chosen, sum, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s as %s (-want +got):\n%.500s", f, chosen, diff)
			}
		}
	}
	for _, f := range []Format{Keys, Uniq, KcatKey + ":", GetOffsets} {
		_, err := Samples(strings.NewReader("a\n"), "-", Options{Format: f}, func(Sample) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "no key,partition pairs in standard input; it has ") {
			t.Errorf("%s: error %v", f, err)
		}
	}
}

// TestDetection shows every format samples of all: each is detected as what it is
// or, if its lines may be keys, as bare keys.
func TestDetection(t *testing.T) {
	all := facts(300)
	samples := map[string]struct {
		text string
		want Format
	}{
		"get-offsets":     {"orders:0:21\norders:1:7\n", GetOffsets},
		"consumer-groups": {groupsOutput, ConsumerGroups},
		"topics-describe": {topicsOutput, TopicsDescribe},
		"log-dirs":        {logDirsOutput, LogDirs},
		"prometheus":      {prometheusOutput, Prometheus},
		"kcat-poks, keys": {kcatOutput, KcatPOKS},

		"key list":                {"user-7,812\nuser-8,1\n", CSV},
		"key list, quoted":        {"\"user-7\",\"812\"\n\\N,\"1\"\n", CSV},
		"key list, all columns":   {"user-7,812,40960,acme\n", CSV},
		"key list, tabs":          {"user-7\t812\n7\t1\n", TSV},
		"key list, four numbers":  {"1\t2\t3\t4\n5\t6\t7\t8\n", TSV},
		"trace":                   {"time,key,tenant,bytes\n2026-03-01T12:00:00.125Z,user-7,acme,512\n", CSV},
		"seq":                     {"1000\n1001\n1002\n", Keys},
		"partition and key":       {"3 user-7\n0 user-8\n", Keys},
		"redis keys":              {"100:48069\n100:48070\n", Keys},
		"redis keys, three parts": {"user:17:3\nuser:18:4\n", Keys},
		"kcat -K":                 {"user-7:{\"amount\":10}\n", Keys},
		"JSON keys":               {`{"id":7}` + "\n" + `{"id":8}` + "\n", Keys},
		"JSON strings":            {"\"user-7\"\n\"user-8\"\n", Keys},
		"counts without padding":  {"812 user-7\n1 user-8\n", Keys},
		"ragged padding":          {"   812 user-7\n  1 user-8\n", Keys},
		"words and numbers":       {"user 7\nuser_a 8\n", Keys},
		"mails and URLs":          {"a@b.c\nhttp://x/?topic=orders&partition=3\n", Keys},
		"metrics nobody knows":    {"a{b=\"c\"} 1\n", Keys},
		"prose":                   {"Topic: a dog\nPartition: a wall\n", Keys},
		"empty lines":             {"\n\n", Keys},
		"nothing":                 {"", Keys},
		"a brace":                 {"{\n", Keys},
		"a list of UUIDs":         {"0b8cbd5e-1f1c-4b53-9d4c-6a8f5ee8a0f1\n", Keys},
	}
	for _, f := range keyedFormats {
		want := f
		switch f {
		case KcatPK, KcatKey + "=>":
			want = Keys // their lines are keys as well
		}
		samples["written as "+string(f)] = struct {
			text string
			want Format
		}{write(t, f, all), want}
	}
	for what, s := range samples {
		for how, text := range map[string]string{"": s.text, ", CR LF": strings.ReplaceAll(s.text, "\n", "\r\n")} {
			if s.want == Parquet && how != "" {
				continue
			}
			f, why, err := choose(Auto, "-", newSource(strings.NewReader(text), "-", bufferSize))
			if err != nil || f.name != s.want || why == "" {
				t.Errorf("%s%s: detected %s (%s, %v), want %s", what, how, f.name, why, err, s.want)
			}
			if s.want == Keys {
				continue
			}
			// No other format recognises it, except by being tried later: csv and tsv take a
			// number in the second column for a count, and anything may be bare keys.
			var others []string
			for _, other := range formats {
				if _, ok := other.sniff(sample{text: []byte(text), whole: true}); ok && other.name != s.want && other.name != Keys {
					others = append(others, string(other.name))
				}
			}
			if len(others) > 0 && strings.Join(others, ",") != confusions[s.want] {
				t.Errorf("%s%s: also recognised as %s", what, how, others)
			}
		}
	}
}

// confusions are the formats that would recognise a format's samples, were it not
// tried before them.
var confusions = map[Format]string{
	KcatJSON: "ndjson",
	RpkJSON:  "ndjson",
	KcatPOKS: "tsv",
	Uniq:     "csv",
}
