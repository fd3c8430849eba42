package partition

// kafkaJSFloat returns what KafkaJS 1.x computes under the name murmur2. It is
// the same algorithm in JavaScript numbers, which rounds products to 53 bits,
// and with a word loop that runs once too often for lengths that are not a
// multiple of four. Most keys get another value than [Murmur2].
//
// Source: KafkaJS 1.16, src/producer/partitioners/legacy/murmur2.js; found in
// https://github.com/tulios/kafkajs/issues/357.
func kafkaJSFloat(key []byte) uint32 {
	const m = float64(murmur2M)
	at := func(i int) int32 { // reading past the end of a Buffer counts as 0
		if i < len(key) {
			return int32(key[i])
		}
		return 0
	}

	seed := uint32(murmur2Seed)
	h := float64(int32(seed ^ uint32(len(key))))
	for i := 0; i < len(key); i += 4 { // not floored: the tail gets a word, too
		// A sum, not an or; the top byte is shifted as int32 and may make it
		// negative.
		k := float64(at(i)) + float64(at(i+1)<<8) + float64(at(i+2)<<16) + float64(at(i+3)<<24)
		k = float64(k * m)
		k = float64(toInt32(k) ^ shiftRight(k, 24))
		k = float64(k * m)
		h = float64(h * m)
		h = float64(toInt32(h) ^ toInt32(k))
	}

	tail := len(key) &^ 3
	switch len(key) & 3 {
	case 3:
		h = float64(toInt32(h) ^ at(tail+2)<<16)
		fallthrough
	case 2:
		h = float64(toInt32(h) ^ at(tail+1)<<8)
		fallthrough
	case 1:
		h = float64(toInt32(h) ^ at(tail))
		h = float64(h * m)
	}

	h = float64(toInt32(h) ^ shiftRight(h, 13))
	h = float64(h * m)
	return uint32(toInt32(h) ^ shiftRight(h, 15))
}

// toInt32 is JavaScript's conversion of a number before an integer operator:
// drop the fraction, take it modulo 2^32, read the result as signed. The numbers
// here are products of an int32 and a constant below 2^31, so they fit in int64.
func toInt32(f float64) int32 { return int32(int64(f)) }

// shiftRight is JavaScript's f >>> n as the int32 that an xor makes of it.
func shiftRight(f float64, n uint) int32 {
	return int32(uint32(toInt32(f)) >> n)
}
