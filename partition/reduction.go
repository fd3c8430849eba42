package partition

// A Reduction maps the digest of a key to one of n partitions.
type Reduction struct {
	Name    string                      // mask, unsigned, abs-after, …
	Formula string                      // in words of arithmetic: i signed, u unsigned 32-bit hash
	Reduce  func(d Digest, n int) int   // n must be positive
	Of32    func(h uint32, n int32) int // the same for a 32-bit hash; nil for wider ones
	Through func(d Digest, n int) int   // the number in between that users know; nil if there is none

	// Dividend returns the number of which the partition is the remainder by n; it
	// is nil where the partition is no remainder.
	Dividend func(h uint32) uint32
}

// narrow makes a Reduction of a 32-bit hash.
func narrow(name, formula string, of32 func(h uint32, n int32) int) Reduction {
	return Reduction{
		Name:    name,
		Formula: formula,
		Of32:    of32,
		Reduce:  func(d Digest, n int) int { return of32(uint32(d.Lo), int32(n)) },
	}
}

// remainder returns r, which takes the remainder of the dividend.
func (r Reduction) remainder(dividend func(h uint32) uint32) Reduction {
	r.Dividend = dividend
	return r
}

// The reductions differ only for hashes whose sign bit is set; mask and
// unsigned also agree for every hash when n is a power of two. That is why a
// wrong one survives casual tests.
var (
	// Java's Utils.toPositive. It is not an absolute value.
	mask = narrow("mask", "(u & 0x7fffffff) mod n", func(h uint32, n int32) int {
		return int((h & 0x7fffffff) % uint32(n))
	}).remainder(func(h uint32) uint32 { return h & 0x7fffffff })

	unsigned = narrow("unsigned", "u mod n", func(h uint32, n int32) int {
		return int(h % uint32(n))
	}).remainder(func(h uint32) uint32 { return h })

	// Sarama and kafka-go: signed remainder, truncated towards zero, then made
	// positive.
	absAfter = narrow("abs-after", "|i rem n|", func(h uint32, n int32) int {
		r := int32(h) % n
		if r < 0 {
			r = -r
		}
		return int(r)
	}).remainder(absolute)

	// librdkafka's fnv1a. |-2^31| does not fit and stays 0x80000000, which is
	// then read as unsigned; the result equals abs-after for every h and n.
	absBefore = narrow("abs-before", "uint32(|i|) mod n", func(h uint32, n int32) int {
		if int32(h) < 0 {
			h = -h
		}
		return int(h % uint32(n))
	}).remainder(absolute)

	// Spring: -2^31, which has no absolute value, becomes 0.
	zeroMinAbs = narrow("zero-min-abs", "i = -2^31: 0, else |i| mod n", func(h uint32, n int32) int {
		i := int32(h)
		switch {
		case i == -1<<31:
			return 0
		case i < 0:
			i = -i
		}
		return int(i % n)
	}).remainder(func(h uint32) uint32 { return absolute(h) & 0x7fffffff })
)

// absolute returns |i| of a hash read as a signed i, 2^31 for -2^31.
func absolute(h uint32) uint32 {
	if int32(h) < 0 {
		return -h
	}
	return h
}
