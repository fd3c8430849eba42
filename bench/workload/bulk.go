package workload

import (
	"encoding/binary"
	"math/bits"

	"github.com/keyspread/keyspread/partition"
)

// This file is the fast way through CSV and TSV. It takes those rows that hold
// no surprise, many at a time: on one line, complete in the buffer, of the right
// number of fields, whole numbers, no nulls, no doubled quotes, and keys whose
// text is their bytes. At the first other row it stops and leaves that to
// recordReader and row, which understand everything and make the errors.

// batchRows is how many rows are counted together.
const batchRows = 64

// A bulkReader cuts plain rows and collects them for the counter.
type bulkReader struct {
	roles          []role // of each field
	separatorLanes uint64
	batch          *[batchRows]entry
}

// A role is what a field is used for.
type role uint8

const (
	unused role = iota
	keyRole
	countRole
	bytesRole
	tenantRole
)

func newBulkReader(c columns, separator byte) bulkReader {
	roles := make([]role, c.width)
	for role, column := range map[role]int{keyRole: c.key, countRole: c.count, bytesRole: c.bytes, tenantRole: c.tenant} {
		if column >= 0 {
			roles[column] = role
		}
	}
	return bulkReader{roles: roles, separatorLanes: uint64(separator) * eachLane, batch: new([batchRows]entry)}
}

// bulk counts rows from the front of the window until one is not plain.
func (d *delimited) bulk() {
	if d.in.Encoding != partition.Raw {
		return
	}
	batch := d.batch[:]
	for len(batch) == batchRows {
		w := d.src.window()
		n, length := 0, 0 // rows, and their bytes in the window
		for n < batchRows {
			row := d.cutRow(w[length:], &batch[n])
			if row == 0 {
				break
			}
			length += row
			n++
		}
		if batch = batch[:n]; !d.in.counter.addBatch(batch) {
			return
		}
		d.src.pos += length
		d.src.line += n
		d.in.sum.Rows += int64(n)
	}
}

// cutRow cuts the row at the front of w into e and returns its length with the
// line end, 0 if it is not plain.
func (d *delimited) cutRow(w []byte, e *entry) int {
	e.records = 1
	at, last := 0, len(d.roles)-1
	for i, role := range d.roles {
		if at+8 > len(w) {
			return 0
		}
		quoted := w[at] == '"'
		if quoted {
			at++
		}
		switch role {
		case countRole, bytesRole:
			n, digits := leadingNumber(w[at:])
			if digits == 0 {
				return 0
			}
			at += digits
			if role == countRole {
				e.records = n
			} else {
				e.bytes = n
			}
		default:
			end := 0
			if quoted {
				end = indexEither(w[at:], quoteLanes, newlineLanes)
			} else {
				end = indexEither(w[at:], d.separatorLanes, newlineLanes)
			}
			if end < 0 {
				return 0
			}
			text := w[at : at+end]
			at += end
			if !quoted && i == last {
				text = dropCR(text)
				at -= end - len(text)
			}
			if role == unused {
				break
			}
			if d.maybeNull(text) || len(text) == 0 && last == 0 {
				return 0
			}
			if role == keyRole {
				e.key = text
			} else {
				e.tenant = text
			}
		}
		if at+3 > len(w) {
			return 0
		}
		if quoted {
			if w[at] != '"' {
				return 0
			}
			at++
		}
		if i < last {
			if w[at] != d.separator {
				return 0
			}
			at++
			continue
		}
		if w[at] == '\r' {
			at++
		}
		if w[at] != '\n' {
			return 0
		}
	}
	if at > MaxLine {
		return 0
	}
	return at + 1
}

// maybeNull reports whether text, quoted or not, is written as null is.
func (d *delimited) maybeNull(text []byte) bool {
	return len(text) == len(nullText) && string(text) == nullText || d.in.isNull(text)
}

// Eight bytes at a time: lanes are the bytes of a word, the first in the lowest.
const (
	eachLane     = 0x0101010101010101
	topBits      = 0x8080808080808080
	newlineLanes = '\n' * eachLane
	quoteLanes   = '"' * eachLane
	zeroLanes    = '0' * eachLane
)

// indexEither returns the index in w of the first byte that is a or b, each given
// in all lanes; -1 if there is none or fewer than 8 bytes follow it.
func indexEither(w []byte, a, b uint64) int {
	for at := 0; at+8 <= len(w); at += 8 {
		x := binary.LittleEndian.Uint64(w[at:])
		// A lane of x^a is zero where x has a. Subtracting 1 from every lane borrows
		// into the top bit of such a lane; the lowest top bit set is a true find.
		xa, xb := x^a, x^b
		if found := ((xa-eachLane)&^xa | (xb-eachLane)&^xb) & topBits; found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	return -1
}

// leadingNumber returns the number at the front of w and its digits: 1 to 15, else
// it returns 0 digits.
func leadingNumber(w []byte) (n int64, digits int) {
	if len(w) < 16 {
		return 0, 0
	}
	n, digits = upToEightDigits(binary.LittleEndian.Uint64(w))
	if digits < 8 {
		return n, digits
	}
	more, count := upToEightDigits(binary.LittleEndian.Uint64(w[8:]))
	if count == 8 {
		return 0, 0
	}
	return n*powersOf10[count] + more, 8 + count
}

var powersOf10 = [8]int64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000}

// upToEightDigits returns the number that the leading digits of x make, in the
// order of memory.
func upToEightDigits(x uint64) (n int64, digits int) {
	x ^= zeroLanes // digits become 0…9
	// Adding 0x76 carries 10…127 into the top bit of its lane.
	other := (x&^topBits + 0x76*eachLane | x) & topBits
	digits = bits.TrailingZeros64(other) / 8
	if digits == 0 {
		return 0, 0
	}
	// Zeros before them make eight digits. Then neighbours are joined to pairs, pairs
	// to fours, fours to eight: Lemire, "Quickly parsing eight digits", 2018.
	x <<= 8 * (8 - digits)
	x = x*10 + x>>8
	const pairs = 0x000000FF000000FF
	high := (x & pairs) * (100 + 1_000_000<<32)
	low := (x >> 16 & pairs) * (1 + 10_000<<32)
	return int64((high + low) >> 32), digits
}
