package partition

import (
	"crypto/md5"
	"encoding/binary"
	"math/big"
	"math/bits"
)

// md5Hash is Kinesis's: MD5 of the key as a 128-bit big-endian number.
var md5Hash = Hash{Name: "md5", Bits: 128, Sum: func(key []byte) Digest {
	sum := md5.Sum(key)
	return Digest{Hi: binary.BigEndian.Uint64(sum[:8]), Lo: binary.BigEndian.Uint64(sum[8:])}
}}

// evenRanges reduces a 128-bit hash key to one of n shards of equal width, as a
// stream has them before its first split or merge.
var evenRanges = Reduction{
	Name:    "even-ranges",
	Formula: "min(floor(u / floor(2^128/n)), n-1)",
	Reduce: func(d Digest, n int) int {
		if n == 1 {
			return 0 // width 2^128 does not fit in 128 bits
		}
		// width = floor(2^128/n), by long division of 1·2^128.
		hi, r := bits.Div64(1, 0, uint64(n))
		lo, _ := bits.Div64(r, 0, uint64(n))
		// d·n / 2^128 is the wanted shard or one less: rounding the width down only
		// moves the shards' starts down.
		q := scale(d, n)
		if !less(d, mul(hi, lo, q+1)) {
			q++
		}
		return int(min(q, uint64(n-1)))
	},
}

// scale returns floor(d·n / 2^128).
func scale(d Digest, n int) uint64 {
	hiHi, hiLo := bits.Mul64(d.Hi, uint64(n))
	loHi, _ := bits.Mul64(d.Lo, uint64(n))
	_, carry := bits.Add64(hiLo, loHi, 0)
	return hiHi + carry
}

// mul returns (hi, lo)·q, which the callers keep below 2^128.
func mul(hi, lo, q uint64) Digest {
	h, l := bits.Mul64(lo, q)
	return Digest{Hi: hi*q + h, Lo: l}
}

// less reports whether a < b as 128-bit numbers.
func less(a, b Digest) bool { return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo }

// Big returns the digest as an unsigned 128-bit number.
func (d Digest) Big() *big.Int {
	n := new(big.Int).SetUint64(d.Hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(d.Lo))
}
