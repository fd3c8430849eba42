package partition

import "math/bits"

// A divisor takes remainders by one number with two multiplications instead of a
// division.
//
// Source: Lemire, Kaser and Kurz, Faster remainder by direct computation,
// Software: Practice and Experience 49 (2019). With a reciprocal of 64 bits the
// remainder is exact for every dividend and divisor of 32 bits (their theorem 1:
// 32 + 32 fractional bits are enough).
type divisor struct {
	n          uint64 // 1…2^32 - 1
	reciprocal uint64 // ⌈2^64 / n⌉ mod 2^64, which is 0 for n = 1
}

func newDivisor(n int) divisor {
	return divisor{uint64(n), ^uint64(0)/uint64(n) + 1}
}

// remainder returns x mod n.
func (d divisor) remainder(x uint32) uint64 {
	fraction := d.reciprocal * uint64(x) // of x/n, in units of 2^-64
	r, _ := bits.Mul64(fraction, d.n)
	return r
}
