package workload

import (
	"bytes"
	"hash/maphash"
	"math/bits"

	"github.com/keyspread/keyspread/partition"
)

// A Counter counts records by key, exactly. Beside the table it fills it keeps 8
// bytes for each slot of a hash index that is at least three eighths full, so
// that a key of 23 bytes costs about 60 bytes, 75 with bytes and tenants.
type Counter struct {
	table partition.KeyTable
	seed  maphash.Seed
	null  int // 1 + index of the null key, 0 if it did not occur

	// slots is an open-addressing index with linear probing. A slot is 0 if free,
	// else a key's hash in the high half and 1 + its index in the low half. The
	// upper bits of the hash are where probing starts, so that slots are nearly in
	// the order of their hashes and growing the index walks through memory.
	slots []uint64
	shift int // hash >> shift is the slot where probing starts
	used  int

	tenants []string         // in order of first use
	tenant  map[string]int32 // index of each
	shared  []uint64         // bit i is set if key i occurred under two tenants

	warmed int64 // sum of what warm looked at, so that the compiler leaves the looks in
}

const (
	hashBits   = 32 // of the hash, kept in a slot
	firstSlots = 1 << 10
)

// NewCounter returns a counter that has counted nothing.
func NewCounter() *Counter {
	return &Counter{
		seed:   maphash.MakeSeed(),
		slots:  make([]uint64, firstSlots),
		shift:  hashBits - bits.TrailingZeros(firstSlots),
		tenant: map[string]int32{},
	}
}

// Add counts records of a key, of so many bytes together, both zero or more. A
// nil key is the null key. The key is copied. The tenant of a key is the one it
// was first added with; give "" throughout if there are none.
//
// It fails, and counts nothing, if a total exceeds the range of int64 or there
// are more than [partition.MaxKeys] keys.
func (c *Counter) Add(key []byte, records, bytes int64, tenant string) error {
	return c.add(key, records, bytes, []byte(tenant))
}

func (c *Counter) add(key []byte, records, size int64, tenant []byte) error {
	if key == nil {
		return c.addNull(records, size, tenant)
	}
	return c.addHashed(key, c.hash(key), records, size, tenant)
}

func (c *Counter) hash(key []byte) uint32 {
	return uint32(maphash.Bytes(c.seed, key) >> (64 - hashBits))
}

func (c *Counter) addHashed(key []byte, hash uint32, records, size int64, tenant []byte) error {
	mask := len(c.slots) - 1
	at := int(hash >> c.shift)
	for ; c.slots[at] != 0; at = (at + 1) & mask {
		slot := c.slots[at]
		if uint32(slot>>hashBits) != hash {
			continue
		}
		if i := int(uint32(slot)) - 1; bytes.Equal(c.table.Key(i), key) {
			return c.again(i, records, size, tenant)
		}
	}
	i, err := c.first(key, records, size, tenant)
	if err != nil {
		return err
	}
	c.slots[at] = uint64(hash)<<hashBits | uint64(i+1)
	if c.used++; c.used > len(c.slots)/4*3 && c.shift > 0 {
		c.grow()
	}
	return nil
}

func (c *Counter) addNull(records, size int64, tenant []byte) error {
	if c.null > 0 {
		return c.again(c.null-1, records, size, tenant)
	}
	i, err := c.first(nil, records, size, tenant)
	if err == nil {
		c.null = i + 1
	}
	return err
}

// first adds a key that is not in the table.
func (c *Counter) first(key []byte, records, size int64, tenant []byte) (int, error) {
	number, known := c.tenant[string(tenant)]
	if !known {
		number = int32(len(c.tenants))
	}
	i, err := c.table.Add(key, records, size, int(number))
	if err == nil && !known {
		c.tenants = append(c.tenants, string(tenant))
		c.tenant[c.tenants[number]] = number
		c.table.SetTenants(c.tenants)
	}
	return i, err
}

// again counts key i of the table once more.
func (c *Counter) again(i int, records, size int64, tenant []byte) error {
	if err := c.table.Count(i, records, size); err != nil {
		return err
	}
	if c.tenantOf(i) != string(tenant) {
		for len(c.shared) <= i/64 {
			c.shared = append(c.shared, 0)
		}
		c.shared[i/64] |= 1 << (i % 64)
	}
	return nil
}

// tenantOf returns the tenant of key i, without looking it up if there is one for
// all: the table is large and each look into it waits for memory.
func (c *Counter) tenantOf(i int) string {
	if len(c.tenants) == 1 {
		return c.tenants[0]
	}
	return c.table.Tenant(i)
}

// grow doubles the index.
func (c *Counter) grow() {
	old := c.slots
	c.slots = make([]uint64, 2*len(old))
	c.shift--
	mask := len(c.slots) - 1
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		at := int(slot >> hashBits >> c.shift)
		for c.slots[at] != 0 {
			at = (at + 1) & mask
		}
		c.slots[at] = slot
	}
}

// Len returns the number of distinct keys so far, the null key included.
func (c *Counter) Len() int { return c.table.Len() }

// SharedKeys returns the number of keys added under more than one tenant.
func (c *Counter) SharedKeys() int {
	n := 0
	for _, word := range c.shared {
		n += bits.OnesCount64(word)
	}
	return n
}

// Table returns the keys in the order in which they were first added. It changes
// with the counter as long as that is used.
func (c *Counter) Table() *partition.KeyTable { return &c.table }
