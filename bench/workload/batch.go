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
	if !c.within(batch) {
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
			panic("the table refused what is within its limits") // and within checked them
		}
	}
	return true
}

// within reports whether counting the batch stays within the limits of the table.
func (c *Counter) within(batch []entry) bool {
	records, bytes := c.table.Total()
	for i := range batch {
		if records > math.MaxInt64-batch[i].records || bytes > math.MaxInt64-batch[i].bytes {
			return false
		}
		records += batch[i].records
		bytes += batch[i].bytes
	}
	return c.table.Len() <= partition.MaxKeys-len(batch)
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

// indexOf returns the index of a key that is in the table and not null.
func (c *Counter) indexOf(key []byte) int {
	hash, mask := c.hash(key), len(c.slots)-1
	for at := int(hash >> c.shift); ; at = (at + 1) & mask {
		slot := c.slots[at]
		if i := int(uint32(slot)) - 1; uint32(slot>>hashBits) == hash && string(c.table.Key(i)) == string(key) {
			return i
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

// A queue collects rows whose texts are not there for long, so that they can be
// counted a batch at a time.
type queue struct {
	batch          []entry
	text           []byte // of the keys and tenants of the batch
	records, bytes int64  // of the batch
}

// queueText is how much text a queue holds, in bytes.
const queueText = 16 << 10

// push puts a row with the key at the end of the queue. It returns false if
// counting it might exceed a limit or if it is too long.
func (q *queue) push(c *Counter, key []byte, r row) bool {
	if len(q.batch) == batchRows || len(q.text)+len(key)+len(r.tenant) > queueText {
		q.flush(c)
	}
	records, size := c.table.Total()
	if r.records > math.MaxInt64-records-q.records || r.bytes > math.MaxInt64-size-q.bytes ||
		c.table.Len() > partition.MaxKeys-2*batchRows || len(key)+len(r.tenant) > queueText {
		return false
	}
	if q.text == nil {
		q.text, q.batch = make([]byte, 0, queueText), make([]entry, 0, batchRows)
	}
	at := len(q.text)
	q.text = append(append(q.text, key...), r.tenant...)
	q.batch = append(q.batch, entry{
		key: q.text[at : at+len(key) : at+len(key)], tenant: q.text[at+len(key):],
		records: r.records, bytes: r.bytes,
	})
	q.records += r.records
	q.bytes += r.bytes
	return true
}

// flush counts what is in the queue, which is within the limits of the counter.
func (q *queue) flush(c *Counter) {
	if len(q.batch) == 0 {
		return
	}
	if !c.addBatch(q.batch) {
		panic("the counter refused what is within its limits") // and push checked them
	}
	q.batch, q.text, q.records, q.bytes = q.batch[:0], q.text[:0], 0, 0
}
