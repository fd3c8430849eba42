package workload

import (
	"encoding/csv"
	"io"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var crBeforeLF = regexp.MustCompile("\r+\n")

// TestReadAgainstStandard writes lists with the traps of RFC 4180 and asserts that
// the counts are those that encoding/csv and a map give.
func TestReadAgainstStandard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		separator := rapid.SampledFrom([]string{",", "\t"}).Draw(t, "separator")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		piece := rapid.SampledFrom([]string{"a", "b", "user-", "12345678", ",", "\t", `"`, "\n", "\r", " ", `\`, "N", "\x00", "\xff", "é"})
		var b strings.Builder
		quoted := func(s string, must bool) string {
			if must || rapid.Bool().Draw(t, "quotes") {
				return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
			}
			return s
		}
		b.WriteString("tenant" + separator + "KEY" + separator + "count" + end)
		for range rapid.IntRange(1, 80).Draw(t, "rows") {
			key := strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "key"), "")
			// encoding/csv takes the CR off a CR LF in quotes, against RFC 4180.
			key = crBeforeLF.ReplaceAllString(key, "\n")
			n := rapid.Int64Range(0, 1<<40).Draw(t, "count")
			b.WriteString(quoted("x", false) + separator)
			b.WriteString(quoted(key, key == nullText || strings.ContainsAny(key, "\r\n\"\t,")) + separator)
			b.WriteString(quoted(strconv.FormatInt(n, 10), false) + end)
		}
		text := b.String()
		if rapid.Bool().Draw(t, "cut") {
			text = strings.TrimSuffix(text, end)
		}

		want := map[string]int64{}
		standard := csv.NewReader(strings.NewReader(text))
		standard.Comma = rune(separator[0])
		records, err := standard.ReadAll()
		if err != nil {
			t.Fatalf("not RFC 4180: %v", err)
		}
		for _, record := range records[1:] {
			n, err := strconv.ParseInt(record[2], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			want[record[1]] += n
		}

		var r io.Reader = strings.NewReader(text)
		if rapid.Bool().Draw(t, "byte by byte") {
			r = iotest.OneByteReader(r)
		}
		table, sum, err := read(newSource(r, "-", rapid.IntRange(1, 4000).Draw(t, "buffer")), "-", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if int(sum.Rows) != len(records)-1 {
			t.Errorf("%d rows, want %d", sum.Rows, len(records)-1)
		}
		got := map[string]int64{}
		for i := range table.Len() {
			got[string(table.Key(i))] = table.Records(i)
		}
		if !maps.Equal(got, want) {
			t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
		}
	})
}
