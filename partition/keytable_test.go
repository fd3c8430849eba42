package partition_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/keyspread/keyspread/partition"
)

func TestKeyTable(t *testing.T) {
	var table partition.KeyTable
	for i, row := range []struct {
		key            []byte
		records, bytes int64
		tenant         int
	}{
		{[]byte(""), 1, 0, 0},
		{[]byte("a\x00b"), 2, 0, 0},
		{nil, 0, 0, 1},
		{[]byte("c"), 4, 7, 0},
		{[]byte("d"), 8, 0, 1},
	} {
		if got, err := table.Add(row.key, row.records, row.bytes, row.tenant); got != i || err != nil {
			t.Fatalf("Add(%q) = %d, %v, want %d", row.key, got, err, i)
		}
	}
	table.SetTenants([]string{"acme", "umbrella"})
	if err := table.Count(1, 10, 5); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`"" false 1 0 acme`, `"a\x00b" false 12 5 acme`, `"" true 0 0 umbrella`, `"c" false 4 7 acme`, `"d" false 8 0 umbrella`,
	}
	if table.Len() != len(want) {
		t.Fatalf("%d keys, want %d", table.Len(), len(want))
	}
	for i := range want {
		key := table.Key(i)
		got := fmt.Sprintf("%q %t %d %d %s", key, key == nil, table.Records(i), table.Bytes(i), table.Tenant(i))
		if got != want[i] {
			t.Errorf("key %d: %s, want %s", i, got, want[i])
		}
	}
	if records, bytes := table.Total(); records != 25 || bytes != 12 {
		t.Errorf("total %d records, %d bytes, want 25 and 12", records, bytes)
	}
}

// TestKeyTableWithout asserts that bytes and tenants may be left out, and that
// bytes may come late.
func TestKeyTableWithout(t *testing.T) {
	var table partition.KeyTable
	for _, key := range []string{"a", "b"} {
		if _, err := table.Add([]byte(key), 1, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if table.Bytes(1) != 0 || table.Tenant(1) != "" {
		t.Errorf("bytes %d, tenant %q, want 0 and none", table.Bytes(1), table.Tenant(1))
	}
	table.SetTenants([]string{"acme"})
	if table.Tenant(1) != "acme" {
		t.Errorf("tenant %q, want acme", table.Tenant(1))
	}
	if err := table.Count(1, 1, 9); err != nil || table.Bytes(0) != 0 || table.Bytes(1) != 9 {
		t.Errorf("bytes %d and %d (%v), want 0 and 9", table.Bytes(0), table.Bytes(1), err)
	}
	if _, err := table.Add([]byte("c"), 1, 3, 0); err != nil || table.Bytes(2) != 3 {
		t.Errorf("bytes %d (%v), want 3", table.Bytes(2), err)
	}
}

// TestKeyTableLimits asserts that what exceeds a limit changes nothing.
func TestKeyTableLimits(t *testing.T) {
	var table partition.KeyTable
	if _, err := table.Add(nil, math.MaxInt64, 1, 0); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"second null key":  second(table.Add(nil, 0, 0, 0)),
		"too many records": second(table.Add([]byte("a"), 1, 0, 0)),
		"too many bytes":   second(table.Add([]byte("a"), 0, math.MaxInt64, 0)),
		"negative records": second(table.Add([]byte("a"), -1, 0, 0)),
		"negative bytes":   table.Count(0, 0, -1),
		"more records":     table.Count(0, 1, 0),
		"more bytes":       table.Count(0, 0, math.MaxInt64),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if records, bytes := table.Total(); table.Len() != 1 || records != math.MaxInt64 || bytes != 1 {
		t.Errorf("%d keys, %d records, %d bytes after errors", table.Len(), records, bytes)
	}
}

func second(_ int, err error) error { return err }

// TestKeyOfTable asserts that appending to a key does not write into the next.
func TestKeyOfTable(t *testing.T) {
	var table partition.KeyTable
	for _, key := range []string{"a", "b"} {
		if _, err := table.Add([]byte(key), 1, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	_ = append(table.Key(0), 'x')
	if string(table.Key(1)) != "b" {
		t.Errorf("key 1 is %q after appending to key 0", table.Key(1))
	}
}
