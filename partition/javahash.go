package partition

import (
	"encoding/binary"
	"unicode/utf8"
)

// javaStringHash returns Java's String.hashCode of a text: h = 31·h + unit over
// its UTF-16 code units, wrapping. The caller has checked that key is valid
// UTF-8, since what a Java string holds otherwise depends on its decoder.
func javaStringHash(key []byte) uint32 {
	var h uint32
	for len(key) > 0 {
		r, size := utf8.DecodeRune(key)
		key = key[size:]
		if r >= 0x10000 { // a surrogate pair
			r -= 0x10000
			h = 31*h + 0xd800 + uint32(r>>10)
			r = 0xdc00 + r&0x3ff
		}
		h = 31*h + uint32(r)
	}
	return h
}

// javaIntegerHash returns Integer.hashCode of a 4-byte big-endian key: the
// integer itself.
func javaIntegerHash(key []byte) uint32 { return binary.BigEndian.Uint32(key) }

// javaLongHash returns Long.hashCode of an 8-byte big-endian key: the low half
// xor the high half.
func javaLongHash(key []byte) uint32 {
	return binary.BigEndian.Uint32(key) ^ binary.BigEndian.Uint32(key[4:])
}

// javaUUIDHash returns UUID.hashCode of a 16-byte key: the xor of its four
// words.
func javaUUIDHash(key []byte) uint32 { return javaLongHash(key[:8]) ^ javaLongHash(key[8:]) }
