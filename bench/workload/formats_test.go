package workload

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// kcatOutput is what kcat -f '%p\t%o\t%k\t%S\n' prints of numeric keys: partitions
// return, offsets grow.
const kcatOutput = "3\t1042\t77\t512\n3\t1043\t78\t512\n0\t7\t77\t1\n0\t9\t80\t1\n"

const rpkOutput = `{
  "topic": "t",
  "key": "user-7",
  "value": "x",
  "timestamp": 1767225600000,
  "partition": 3,
  "offset": 1042
}
{
  "topic": "t",
  "value": "no key",
  "timestamp": 1767225600001,
  "partition": 0,
  "offset": 7
}
`

// TestFormats reads the lines that people bring, with the format chosen and, where
// a line can be nothing else, detected.
func TestFormats(t *testing.T) {
	for _, test := range []struct {
		what     string
		format   Format
		detected Format // keys if the line is a key as well
		input    string
		want     string // content, lines separated by " | "
	}{
		{"uniq -c", Uniq, Uniq, "    812 user-7\n", `"user-7" 812 0`},
		{"uniq -c, spaces in keys", Uniq, Uniq, "      1 a b\n      2  c\n      3 \n1234567 d \n12345678 e\n", `"a b" 1 0 | " c" 2 0 | "" 3 0 | "d " 1234567 0 | "e" 12345678 0`},
		{"uniq -c of BSD", Uniq, Uniq, "   2 a\r\n   1 b\r\n", `"a" 2 0 | "b" 1 0`},
		{"uniq -c, padding cut off", Uniq, Keys, "812 user-7\n", `"user-7" 812 0`},
		{"uniq -c of keys with commas", Uniq, Uniq, "      2 a,1\n      1 b,2\n", `"a,1" 2 0 | "b,2" 1 0`},
		{"uniq -c, quotes and \\N", Uniq, Uniq, "\xEF\xBB\xBF      2 \\N\n      1 \"q\"\n", `"\\N" 2 0 | "\"q\"" 1 0`},

		{"ndjson", NDJSON, NDJSON, `{"key":"user-7","count":812}` + "\n", `"user-7" 812 0`},
		{"ndjson, all members", NDJSON, NDJSON, `{"tenant":"acme","x":{"key":[1,{"a":"}"}]},"bytes":40960,"key":"user-7","count":812}` + "\n", `"user-7" 812 40960 acme`},
		{"ndjson, null and empty", NDJSON, NDJSON, "{\"key\":null}\r\n{\"key\":\"\"}\r\n{\"key\":\"null\"}", `null 1 0 | "" 1 0 | "null" 1 0`},
		{"ndjson, numbers keep their text", NDJSON, NDJSON, `{"key":812} {"key":1e3}{"key":-0.50}` + "\n" + `{"key":"812"}`, `"812" 2 0 | "1e3" 1 0 | "-0.50" 1 0`},
		{"ndjson, escapes", NDJSON, NDJSON, `{"key":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}`, `"a\"\\/\b\f\n\r\té😀" 1 0`},
		{"ndjson, invalid UTF-8 and control characters", NDJSON, NDJSON, "\xEF\xBB\xBF{\"key\":\"\xff\t\x00\"}", `"\xff\t\x00" 1 0`},
		{"ndjson, any case, counts in quotes", NDJSON, NDJSON, `{"KEY":"a","Count":"3","k\u0065yx":1}`, `"a" 3 0`},
		{"ndjson, null bytes and tenant", NDJSON, NDJSON, `{"key":"a","bytes":null,"tenant":null}` + "\n" + `{"key":"b","bytes":2,"tenant":7}`, `"a" 1 0 | "b" 1 2 7`},
		{"ndjson over lines", NDJSON, NDJSON, "{\n \"key\": \"a\",\n \"count\": 2\n}\n\n{\"key\":\"b\"}", `"a" 2 0 | "b" 1 0`},
		{"JSON that is keys", Keys, Keys, `{"id":7}` + "\n", `"{\"id\":7}" 1 0`},

		{"kcat %p %k", KcatPK, Keys, "3 user-7\n0 a b\n0 user-7\n", `"user-7" 2 0 | "a b" 1 0`},
		{"kcat, tabs", KcatPOKS, KcatPOKS, "3\t1042\tuser-7\t512\n", `"user-7" 1 512`},
		{"kcat, tabs in keys, tombstones", KcatPOKS, KcatPOKS, "3\t1042\ta\tb\t512\n3\t1043\t\t-1\n", `"a\tb" 1 512 | "" 1 0`},
		{"kcat, tabs, numeric keys", KcatPOKS, KcatPOKS, kcatOutput, `"77" 2 513 | "78" 1 512 | "80" 1 1`},
		{"kcat, tabs, or a key list", KcatPOKS, TSV, "3\t1042\t77\t512\n", `"77" 1 512`},
		{"kcat -K:", "kcat-key:", Keys, `user-7:{"amount":10}` + "\n:x\n", `"user-7" 1 0 | "" 1 0`},
		{"kcat -K and a tab", `kcat-key\t`, Keys, "user-7\t{\"amount\":10}\n", `"user-7" 1 0`},
		{"kcat -K::", "kcat-key::", Keys, "a:b::c\n", `"a:b" 1 0`},
		{"kcat -J", KcatJSON, KcatJSON, `{"topic":"t","partition":3,"offset":1042,"ts":1767225600000,"key":"user-7","payload":"x"}` + "\n" +
			`{"topic":"t","partition":0,"offset":7,"tstype":"create","ts":1767225600000,"broker":1,"headers":["key","v"],"key":null,"payload":null}` + "\n", `"user-7" 1 0 | null 1 0`},
		{"rpk", RpkJSON, RpkJSON, rpkOutput, `"user-7" 1 0 | null 1 0`},
		{"rpk, one a line, meta only", RpkJSON, RpkJSON, `{"topic":"t","key":"user-7","value_size":512,"timestamp":1767225600000,"partition":3,"offset":1042}`, `"user-7" 1 512`},

		{"console consumer", ConsoleConsumer, ConsoleConsumer, "Partition:3\tuser-7\tvalue\nPartition:0\tnull\tx\nPartition:0\t\"null\"\tx\nPartition:0\tuser-7\tPartition:1\n", `"user-7" 2 0 | null 1 0 | "\"null\"" 1 0`},
		{"console consumer, quotes are bytes of the key", ConsoleConsumer, ConsoleConsumer, "Partition:3\t\"user-7\"\tvalue\n", `"\"user-7\"" 1 0`},
		{"console consumer, all that it prints", ConsoleConsumer, ConsoleConsumer, "CreateTime:1767225600000\tPartition:3\tOffset:1042\tDelivery:NONE\tNO_HEADERS\tuser-7\tvalue\twith tab\nNO_TIMESTAMP\tPartition:3\tOffset:1043\tDelivery:2\tNO_HEADERS\tOffset:3\tv\nProcessed a total of 2 messages\n", `"user-7" 1 0 | "Offset:3" 1 0`},
	} {
		t.Run(test.what, func(t *testing.T) {
			want := strings.Split(test.want, " | ")
			for how, r := range map[string]io.Reader{
				"at once":      strings.NewReader(test.input),
				"byte by byte": iotest.OneByteReader(strings.NewReader(test.input)),
				"with the end": iotest.DataErrReader(strings.NewReader(test.input)),
			} {
				table, sum, err := Read(r, "-", Options{Format: test.format})
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				if diff := cmp.Diff(want, content(table)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
				if sum.Format != test.format || sum.Layout == "" {
					t.Errorf("%s: format %s, layout %q", how, sum.Format, sum.Layout)
				}
			}
			table, sum, err := Read(strings.NewReader(test.input), "-", Options{})
			if err != nil || sum.Format != test.detected {
				t.Fatalf("detected %s (%v), want %s", sum.Format, err, test.detected)
			}
			if diff := cmp.Diff(want, content(table)); diff != "" && test.detected == test.format {
				t.Errorf("detected (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFormatErrors(t *testing.T) {
	nested := strings.Repeat("[", maxNesting+1)
	for _, test := range []struct {
		what    string
		options Options
		input   string
		want    string
	}{
		{"uniq, no count", Options{Format: Uniq}, "      1 a\n  b\n", `x:2:3: "  b": want a count, a space and a key; read whole lines as keys with --input-format keys, or skip bad lines with --skip-bad`},
		{"uniq, no key", Options{Format: Uniq}, "      1\n", `x:1:7: "      1": want a count, a space and a key; read whole lines as keys with --input-format keys, or skip bad lines with --skip-bad`},
		{"uniq, spaces", Options{Format: Uniq}, "   \n", `x:1:4: "   ": want a count, a space and a key; read whole lines as keys with --input-format keys, or skip bad lines with --skip-bad`},
		{"uniq, overflow", Options{Format: Uniq}, " 9223372036854775808 a\n", `x:1:2: count "9223372036854775808": larger than 9223372036854775807; skip bad lines with --skip-bad`},
		{"uniq, encoding", Options{Format: Uniq, Encoding: encoded(t, "int32").Encoding}, "      1 7\n      1 x\n", `x:2:9: key "x": not a decimal integer, so not an int32; --key-encoding is int32: name the one in which the keys are written, or skip bad lines with --skip-bad`},

		{"ndjson, no key", Options{}, `{"key":1}` + "\n" + ` {"count":1}`, `x:2:2: "{\"count\":1}": the object has no key; write "key":null for the null key, or skip bad lines with --skip-bad`},
		{"ndjson, key of another kind", Options{}, `{"key":"a"} {"key":{"id":7}}`, `x:1:20: key "{\"id\":7}": neither a string nor a number, so which bytes are it?; write it as a string, for instance with jq -c '.key |= tojson', or skip bad lines with --skip-bad`},
		{"ndjson, key twice", Options{}, `{"key":"a","KEY":"b"}`, `x:1:18: KEY: this member is there twice; skip bad lines with --skip-bad`},
		{"ndjson, fraction", Options{}, `{"key":"a","count":1.5}`, `x:1:20: count "1.5": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{"ndjson, exponent", Options{}, `{"key":"a","count":1e3}`, `x:1:20: count "1e3": not a whole number of records; write 1000, or skip bad lines with --skip-bad`},
		{"ndjson, negative bytes", Options{}, `{"key":"a","bytes":-1}`, `x:1:20: bytes "-1": negative, so not a number of bytes; skip bad lines with --skip-bad`},
		{"ndjson, broken", Options{}, `{"key":"a"}` + "\n" + `{"key":"a`, `x:2:10: the JSON ends in the middle of a value; was the input cut off?`},
		{"ndjson, unclosed string", Options{}, `{"key":"a"}` + "\n" + `{"key":"a` + "\n" + `{"key":"b"}`, `x:2:10: "": the string does not end on its line; skip bad lines with --skip-bad`},
		{"ndjson, no object", Options{Format: NDJSON}, "key", `x:1:1: "key": not a JSON object; skip bad lines with --skip-bad`},
		{"ndjson, array", Options{Format: NDJSON}, `[{"key":1}]`, `x:1:1: "[{\"key\":1}]": not a JSON object; write the objects of an array one a line: jq -c '.[]'`},
		{"ndjson, no comma", Options{}, "{\"key\":1}\n{\n\"key\":1\n\"count\":2}", `x:4:1: "\"count\":2}": want a comma or } behind a value; skip bad lines with --skip-bad`},
		{"ndjson, half a surrogate pair", Options{}, `{"key":"\ud83d"}`, `x:1:8: key "\"\\ud83d\"": has half a surrogate pair, which stands for no character; skip bad lines with --skip-bad`},
		{"ndjson, nested too deep", Options{}, `{"key":1}` + "\n" + `{"x":` + nested, `x:2:1006: "[": nested too deep; skip bad lines with --skip-bad`},
		{"ndjson, partition", Options{}, `{"key":1,"partition":-1}`, `x:1:22: partition "-1": not a partition; want a whole number from 0, or skip bad lines with --skip-bad`},
		{"ndjson, encoding", Options{Encoding: encoded(t, "int32").Encoding}, `{"key":"x"}`, `x:1:8: key "x": not a decimal integer, so not an int32; --key-encoding is int32: name the one in which the keys are written, or skip bad lines with --skip-bad`},
		{"ndjson, total", Options{}, `{"key":1,"count":9223372036854775807}` + "\n" + `{"key":1}`, `x:2:8: the total number of records exceeds 9223372036854775807`},
		{"kcat -J, no key", Options{Format: KcatJSON}, `{"topic":"t"}`, `x:1:1: "{\"topic\":\"t\"}": the object has no key; write "key":null for the null key, or skip bad lines with --skip-bad`},

		{"kcat %p %k", Options{Format: KcatPK}, "3 a\nb\n", `x:2:1: "b": want a partition, a space and a key; read whole lines as keys with --input-format keys; of keys of several lines skip bad lines with --skip-bad`},
		{"kcat %p %k, partition", Options{Format: KcatPK}, "99999999999 a\n", `x:1:1: partition "99999999999": not a partition; want a whole number from 0, or skip bad lines with --skip-bad`},
		{"kcat tabs, fields", Options{Format: KcatPOKS}, "3\t7\ta\n", `x:1:1: "3\t7\ta": want partition, offset, key and size, separated by tabs; read whole lines as keys with --input-format keys; of keys of several lines skip bad lines with --skip-bad`},
		{"kcat tabs, offset", Options{Format: KcatPOKS}, "3\tx\ta\t1\n", `x:1:3: offset "x": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{"kcat tabs, size", Options{Format: KcatPOKS}, "3\t7\ta\t1x\n", `x:1:7: bytes "1x": not a whole number of bytes; write digits only, or skip bad lines with --skip-bad`},
		{"kcat -K", Options{Format: "kcat-key:"}, "a:1\nb\n", `x:2:1: "b": there is no ":" between key and value; name kcat's -K separator behind kcat-key; of values of several lines skip bad lines with --skip-bad`},
		{"console, no prefix", Options{Format: ConsoleConsumer}, "Partition:3\ta\tb\nc\n", `x:2:1: "c": does not begin with Partition:, CreateTime: or Offset:, so which field is the key?; print them with --property print.partition=true, or name the separator between key and value, as in --input-format kcat-key\t; of values of several lines skip bad lines with --skip-bad`},
		{"console, no key", Options{Format: ConsoleConsumer}, "Partition:3\n", `x:1:1: "Partition:3": there is no key; print it with --property print.key=true, or skip bad lines with --skip-bad`},
		{"console, partition", Options{Format: ConsoleConsumer}, "Partition:-3\ta\tb\n", `x:1:11: partition "-3": not a partition; want a whole number from 0, or skip bad lines with --skip-bad`},

		{"nothing", Options{Format: NDJSON}, "\n \n", `no keys in x; the input is empty`},
	} {
		t.Run(test.what, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"at once":      strings.NewReader(test.input),
				"byte by byte": iotest.OneByteReader(strings.NewReader(test.input)),
			} {
				_, _, err := Read(r, "x", test.options)
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

// TestFormatWarnings also skips bad lines, which must not take others with them.
func TestFormatWarnings(t *testing.T) {
	for _, test := range []struct {
		what    string
		options Options
		input   string
		rows    int64
		want    []string
	}{
		{"uniq", Options{Format: Uniq, SkipBad: 1}, "      1 a\nx\n      1 b\n", 2, []string{`x:2:1: "x": want a count, a space and a key; skipped`}},
		{"ndjson", Options{SkipBad: 4}, "{\"key\":1}\n{\"key\":\n{\"key\":2}\n{\n  \"key\": 1,\n  x\n}\n{\"key\":3} y z\n{\"count\":1}{\"key\":4}", 4, []string{
			`x:4:1: "{": want a comma or } behind a value; skipped`,
			`x:6:3: "x": want a name in quotes; skipped`,
			`x:8:11: "y z": not a JSON object; skipped`,
			`x:9:1: "{\"count\":1}": the object has no key; skipped`,
		}},
		{"ndjson, counts here and there", Options{}, `{"key":1,"count":2}{"key":2}{"key":3,"bytes":null}`, 3, []string{
			`x: objects without a count, which count as 1, among others that have one: 2`,
			`x: rows without bytes, which count as 0: 1`,
		}},
		{"rpk", Options{}, rpkOutput, 2, []string{`x: objects without a key, which count as the null key, since rpk leaves out an empty key as well: 1`}},
		{"topics", Options{}, `{"topic":"t","partition":3,"offset":1,"ts":1,"key":"a"}{"topic":"u","partition":3,"offset":1,"ts":1,"key":"a"}`, 2, []string{`x: there are records of topic t and of others, taken together`}},
		{"kcat", Options{Format: KcatPK}, "3 \n3 a\n", 2, []string{`x: rows with an empty key, which is how kcat and rpk print a null key, too: 1; --null-marker '' takes them for null, and kcat -J tells the two apart`}},
		{"kcat, marker", Options{Format: KcatPK, HasNullMarker: true}, "3 \n3 a\n", 2, nil},
		{"console", Options{}, "Partition:3\ta\n", 1, []string{`x: lines with one field behind the partition, taken for the key: 1; if it is the value, print the key with --property print.key=true`}},
	} {
		t.Run(test.what, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"at once":      strings.NewReader(test.input),
				"byte by byte": iotest.OneByteReader(strings.NewReader(test.input)),
			} {
				_, sum, err := Read(r, "x", test.options)
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				if diff := cmp.Diff(test.want, sum.Warnings); diff != "" || sum.Rows != test.rows {
					t.Errorf("%s: %d rows, want %d (-want +got):\n%s", how, sum.Rows, test.rows, diff)
				}
			}
		})
	}
}

func TestParseFormat(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "auto": "", "kcat-key:": "", `kcat-key\t`: "", "kcat-key||": "", "parquet": "",
		"kcat-key":   `input format kcat-key needs kcat's separator behind it, as in kcat-key: for kcat -K: or kcat-key\t for tabs`,
		`kcat-key\n`: "the separator of input format kcat-key must not hold a line end",
	} {
		_, err := ParseFormat(name)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: error %q, want %q", name, got, want)
		}
	}
}

// TestLongJSON reads objects around the largest size.
func TestLongJSON(t *testing.T) {
	for _, over := range []int{0, 1} {
		object := `{"key":"a","x":"` + strings.Repeat("x", MaxLine-len(`{"key":"a","x":""}`)+over) + `"}`
		table, _, err := Read(strings.NewReader(object+"\n"+`{"key":"b"}`), "x", Options{})
		if over == 0 && (err != nil || table.Len() != 2) || over == 1 && (err == nil || !strings.Contains(err.Error(), "longer than 16 MiB")) {
			t.Errorf("%d bytes: %.200v", len(object), err)
		}
	}
	endless := io.MultiReader(strings.NewReader(`{"key":"`), neverEnding('x'))
	if _, _, err := Read(endless, "x", Options{}); err == nil || !strings.Contains(err.Error(), "longer than 16 MiB") {
		t.Errorf("endless string: %.200v", err)
	}
}

// neverEnding is a reader of one byte over and over.
type neverEnding byte

func (b neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
}
