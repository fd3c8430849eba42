package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCounter(t *testing.T) {
	c := NewCounter()
	for _, add := range []struct {
		key            []byte
		records, bytes int64
		tenant         string
	}{
		{[]byte("a"), 1, 10, "x"},
		{nil, 2, 0, "y"},
		{[]byte{}, 3, 0, "x"},
		{[]byte("a"), 4, 5, "z"},
		{nil, 5, 1, "y"},
		{[]byte("a"), 0, 0, "y"},
	} {
		if err := c.Add(add.key, add.records, add.bytes, add.tenant); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{`"a" 5 15 x`, `null 7 1 y`, `"" 3 0 x`}
	if diff := cmp.Diff(want, content(c.Table())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.Len() != 3 || c.SharedKeys() != 1 {
		t.Errorf("%d keys, %d shared, want 3 and 1", c.Len(), c.SharedKeys())
	}
}

func TestCounterRefusal(t *testing.T) {
	c := NewCounter()
	if err := c.Add([]byte("a"), math.MaxInt64, 0, ""); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		if err := c.Add([]byte(key), 1, 0, "x"); err == nil {
			t.Errorf("%s: no error", key)
		}
	}
	if diff := cmp.Diff([]string{`"a" 9223372036854775807 0`}, content(c.Table())); diff != "" || c.SharedKeys() != 0 {
		t.Errorf("changed by what was refused (-want +got):\n%s", diff)
	}
	if c.addBatch([]entry{{key: []byte("b"), records: 1}}) || c.Len() != 1 {
		t.Error("a batch over the limit was counted")
	}
}

// TestCounterAgainstMap counts many keys, far beyond the first size of the index,
// one by one and in batches, and compares with a map.
func TestCounterAgainstMap(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	want := map[string]int64{}
	single, batched := NewCounter(), NewCounter()
	var batch []entry
	for range 200_000 {
		key := fmt.Sprint(random.IntN(1 << random.IntN(18)))
		n := random.Int64N(100)
		want[key] += n
		if err := single.Add([]byte(key), n, 1, ""); err != nil {
			t.Fatal(err)
		}
		if batch = append(batch, entry{key: []byte(key), records: n, bytes: 1}); len(batch) > random.IntN(batchRows) {
			if !batched.addBatch(batch) {
				t.Fatal("refused")
			}
			batch = batch[:0]
		}
	}
	if !batched.addBatch(batch) {
		t.Fatal("refused")
	}
	if diff := cmp.Diff(content(single.Table()), content(batched.Table())); diff != "" {
		t.Errorf("batches differ (-single +batched):\n%s", diff)
	}
	table := single.Table()
	if table.Len() != len(want) {
		t.Errorf("%d keys, want %d", table.Len(), len(want))
	}
	for i := range table.Len() {
		if key := string(table.Key(i)); table.Records(i) != want[key] {
			t.Errorf("key %s: %d records, want %d", key, table.Records(i), want[key])
		}
	}
}

// TestCounterEqualHashes forces every key to the same hash.
func TestCounterEqualHashes(t *testing.T) {
	c := NewCounter()
	for round := range 2 {
		for i := range 2000 {
			key := fmt.Append(nil, i)
			if err := c.addHashed(key, math.MaxUint32, 1, 0, nil); err != nil {
				t.Fatal(err)
			}
			if i >= c.Len() || string(c.table.Key(i)) != string(key) || c.table.Records(i) != int64(1+round) {
				t.Fatalf("round %d: key %d was not counted as itself", round, i)
			}
		}
	}
}

func TestCounterMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("fills 40 MB")
	}
	const most = 90 // bytes; 500,000 keys leave the index nearly as empty as it gets
	if got := bytesPerKey(t, 500_000); got > most {
		t.Errorf("%.1f bytes per key, want at most %d", got, most)
	}
}

func TestParseWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, math.MaxInt64).Draw(t, "n") >> rapid.IntRange(0, 63).Draw(t, "shift")
		zeros := rapid.IntRange(0, 3).Draw(t, "zeros")
		text := fmt.Sprintf("%0*d", zeros+len(fmt.Sprint(n)), n)
		if got, ok := parseWhole([]byte(text)); !ok || got != n {
			t.Errorf("parseWhole(%q) = %d, %t", text, got, ok)
		}
		rest := rapid.StringMatching("[^0-9](?s:.){16}").Draw(t, "rest")
		got, digits := leadingNumber([]byte(text + rest))
		switch {
		case len(text) > 15 && digits != 0:
			t.Errorf("leadingNumber(%q) = %d digits, want a refusal", text+rest, digits)
		case len(text) <= 15 && (got != n || digits != len(text)):
			t.Errorf("leadingNumber(%q) = %d, %d digits", text+rest, got, digits)
		}
	})
	for _, text := range []string{"", " ", "-1", "+1", "1 2", "1e3", "\t1", "1\t", "0x1", "1_0", "９", "9223372036854775808"} {
		if n, ok := parseWhole([]byte(text)); ok {
			t.Errorf("parseWhole(%q) = %d", text, n)
		}
	}
}
