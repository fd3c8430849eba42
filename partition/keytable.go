package partition

import (
	"errors"
	"math"
)

// MaxKeys is the largest number of distinct keys that a [KeyTable] holds.
const MaxKeys = math.MaxInt32

// A KeyTable holds distinct keys with their weights, compactly: the key bytes
// stand one after another in an arena. Keys are numbered from 0 in the order in
// which they were added. The zero value is an empty table.
//
// A table does not look for duplicates; whoever fills it does (see the package
// bench/workload).
type KeyTable struct {
	arena   []byte
	ends    []int   // end of key i in the arena
	null    int     // 1 + index of the null key, 0 if there is none
	records []int64 // records with key i
	bytes   []int64 // bytes of those records; nil as long as all are 0
	tenant  []int32 // index into tenants; nil as long as all are 0
	tenants []string

	totalRecords, totalBytes int64
}

// Add appends a key with its number of records and their total bytes, both
// zero or more, and the index of its tenant (see [KeyTable.SetTenants]); it
// returns the key's index. A nil key is the null key, of which a table holds at
// most one.
func (t *KeyTable) Add(key []byte, records, bytes int64, tenant int) (int, error) {
	i := len(t.ends)
	if i == MaxKeys {
		return 0, errors.New("more than 2147483647 distinct keys")
	}
	if key == nil && t.null != 0 {
		return 0, errors.New("the null key was added twice")
	}
	if err := t.grow(records, bytes); err != nil {
		return 0, err
	}
	if key == nil {
		t.null = i + 1
	}
	if t.arena == nil {
		t.arena = []byte{} // so that Key of an empty key is not nil
	}
	t.arena = append(t.arena, key...)
	t.ends = append(t.ends, len(t.arena))
	t.records = append(t.records, records)
	t.bytes = appendSparse(t.bytes, i, bytes)
	t.tenant = appendSparse(t.tenant, i, int32(tenant))
	return i, nil
}

// appendSparse appends the value of key i to a column that takes no memory until
// its first value other than 0: many inputs have neither bytes nor tenants.
func appendSparse[T int32 | int64](column []T, i int, value T) []T {
	if column == nil {
		if value == 0 {
			return nil
		}
		column = make([]T, i, i+i/4+1)
	}
	return append(column, value)
}

// Count adds records and bytes to key i. It fails, and changes nothing, if a
// total would exceed the range of int64.
func (t *KeyTable) Count(i int, records, bytes int64) error {
	if err := t.grow(records, bytes); err != nil {
		return err
	}
	t.records[i] += records
	if bytes == 0 {
		return nil
	}
	if t.bytes == nil {
		t.bytes = make([]int64, t.Len())
	}
	t.bytes[i] += bytes
	return nil
}

// grow adds to the totals, or says why it cannot.
func (t *KeyTable) grow(records, bytes int64) error {
	if records < 0 || bytes < 0 {
		return errors.New("records and bytes must not be negative")
	}
	if records > math.MaxInt64-t.totalRecords {
		return errors.New("the total number of records exceeds 9223372036854775807")
	}
	if bytes > math.MaxInt64-t.totalBytes {
		return errors.New("the total number of bytes exceeds 9223372036854775807")
	}
	t.totalRecords += records
	t.totalBytes += bytes
	return nil
}

// SetTenants gives the names of the tenants that [KeyTable.Add] numbered.
func (t *KeyTable) SetTenants(names []string) { t.tenants = names }

// Len returns the number of distinct keys.
func (t *KeyTable) Len() int { return len(t.ends) }

// Key returns the bytes of key i, nil for the null key. They must not be
// changed.
func (t *KeyTable) Key(i int) []byte {
	if i == t.null-1 {
		return nil
	}
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.arena[start:t.ends[i]:t.ends[i]]
}

// Records returns the number of records with key i.
func (t *KeyTable) Records(i int) int64 { return t.records[i] }

// Bytes returns the total bytes of the records with key i, 0 if unknown.
func (t *KeyTable) Bytes(i int) int64 {
	if t.bytes == nil {
		return 0
	}
	return t.bytes[i]
}

// Tenant returns the name of the tenant of key i, empty if there are none.
func (t *KeyTable) Tenant(i int) string {
	switch {
	case len(t.tenants) == 0:
		return ""
	case t.tenant == nil:
		return t.tenants[0]
	}
	return t.tenants[t.tenant[i]]
}

// Total returns the records and bytes of all keys together.
func (t *KeyTable) Total() (records, bytes int64) { return t.totalRecords, t.totalBytes }
