package partition

import "bytes"

// RedisSlots is the number of hash slots of a Redis Cluster.
const RedisSlots = 1 << 14

// redisSlot returns the hash slot of a key in a Redis Cluster: CRC-16/XMODEM of
// its hash tag, modulo 16384.
//
// Source: the Redis Cluster specification, section "Key distribution model".
func redisSlot(key []byte) uint32 {
	return uint32(crc16(hashTag(key))) & (RedisSlots - 1)
}

// hashTag returns the text between the first { and the next }, if there is any;
// else the whole key.
func hashTag(key []byte) []byte {
	open := bytes.IndexByte(key, '{')
	if open < 0 {
		return key
	}
	length := bytes.IndexByte(key[open+1:], '}')
	if length <= 0 {
		return key
	}
	return key[open+1 : open+1+length]
}

// crc16 is CRC-16/XMODEM: polynomial 0x1021, initial value 0, not reflected.
func crc16(data []byte) uint16 {
	var crc uint16
	for _, b := range data {
		crc = crc<<8 ^ crc16Table[byte(crc>>8)^b]
	}
	return crc
}

var crc16Table = func() (table [256]uint16) {
	for i := range table {
		crc := uint16(i) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
		table[i] = crc
	}
	return table
}()

// evenSlots gives each of n nodes an equal run of slots. Which node holds a slot
// is configuration in a real cluster; this is our convention.
var evenSlots = narrow("even-slots", "floor(slot·n / 16384)", func(h uint32, n int32) int {
	return int(uint64(h) * uint64(n) / RedisSlots)
})
