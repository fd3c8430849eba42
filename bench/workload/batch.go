package workload

import (
	"math"

	"github.com/keyspread/keyspread/partition"
)

// An entry is something to count: records of a key that is not null.
type entry struct {
	key, tenant    []byte
	records, bytes int64 // each less than 1e15

	hash  uint32
	index int    // of the key that the table has under this hash, -1 if none
	known []byte // that key: most likely the same
}

// addBatch counts the entries of a batch in their order. It does nothing and
// returns false if that might exceed a limit of the table; then adding them one
// by one tells which.
//
// In a large table nearly every look waits for memory. Adding one by one, the
// waits follow each other; here the looks for a whole batch are made first,
// independently, so that the processor has many of them under way at once.
func (c *Counter) addBatch(batch []entry) bool {
	records, bytes := c.table.Total()
	for i := range batch {
		if records > math.MaxInt64-batch[i].records || bytes > math.MaxInt64-batch[i].bytes {
			return false
		}
		records += batch[i].records
		bytes += batch[i].bytes
	}
	if c.table.Len() > partition.MaxKeys-len(batch) {
		return false
	}
	c.warm(batch)
	for i := range batch {
		e := &batch[i]
		var err error
		if e.index >= 0 && string(e.known) == string(e.key) {
			err = c.again(e.index, e.records, e.bytes, e.tenant)
		} else {
			err = c.addHashed(e.key, e.hash, e.records, e.bytes, e.tenant)
		}
		if err != nil {
			panic("the table refused what is within its limits") // and addBatch checked them
		}
	}
	return true
}

// warm looks up the keys of a batch: first their slots, then the keys these point
// to, then looks at what counting them will need.
func (c *Counter) warm(batch []entry) {
	for i := range batch {
		e := &batch[i]
		e.hash = c.hash(e.key)
	}
	for i := range batch {
		e := &batch[i]
		e.index = c.probe(e.hash)
	}
	for i := range batch {
		if e := &batch[i]; e.index >= 0 {
			e.known = c.table.Key(e.index)
			c.warmed += c.table.Records(e.index)
		}
	}
	for i := range batch {
		if e := &batch[i]; e.index >= 0 && len(e.known) > 0 {
			c.warmed += int64(e.known[0])
		}
	}
}

// probe returns the index of the first key with the hash, -1 if there is none.
func (c *Counter) probe(hash uint32) int {
	mask := len(c.slots) - 1
	for at := int(hash >> c.shift); ; at = (at + 1) & mask {
		slot := c.slots[at]
		if uint32(slot>>hashBits) == hash || slot == 0 {
			return int(uint32(slot)) - 1
		}
	}
}
