package partition_test

import (
	"testing"

	"github.com/keyspread/keyspread/partition"
	"pgregory.net/rapid"
)

// TestDigests asserts that placing a whole table is placing its keys one by one,
// for every client.
func TestDigests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfDistinct(rapid.String(), func(s string) string { return s }).Draw(t, "texts")
		var table partition.KeyTable
		for _, text := range texts {
			if _, err := table.Add([]byte(text), 1, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		if rapid.Bool().Draw(t, "bytes that are no text") {
			if _, err := table.Add([]byte{0xff, 0x80, 0}, 1, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		if rapid.Bool().Draw(t, "null key") {
			if _, err := table.Add(nil, 1, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		n := rapid.IntRange(1, partition.MaxPartitions).Draw(t, "partitions")
		for _, client := range partition.Clients() {
			digests := partition.NewDigests(&table, client)
			placements := make([]partition.Placement, digests.Len())
			digests.Place(placements, n)
			if digests.Len() != table.Len() {
				t.Fatalf("%s: %d digests of %d keys", client.Name, digests.Len(), table.Len())
			}
			for i, got := range placements {
				if want := client.Place(table.Key(i), n); got != want {
					t.Fatalf("%s, key %q at %d: got %v, want %v", client.Name, table.Key(i), n, got, want)
				}
				if alone := digests.PlaceKey(i, n); alone != got || digests.Rule(i).Decides() != got.Decided() {
					t.Fatalf("%s, key %q at %d: alone %v, rule %v, want %v", client.Name, table.Key(i), n, alone, digests.Rule(i), got)
				}
			}
		}
	})
}
