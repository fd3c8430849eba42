package workload

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/keyspread/keyspread/partition"
)

// Alias draws keys of any weights in constant time, by the alias method (Walker,
// ACM TOMS 3, 1977; set-up by Vose, IEEE TSE 17, 1991): n cells of equal
// probability are each shared by at most two keys.
//
// How a cell is shared is rounded to 2^−32 of the cell, which together changes
// the distribution by less than 2^−32 in total variation: to see it one would
// have to draw some 10^18 times. This keeps a cell at 8 bytes.
type Alias struct {
	// cells holds for each key an alias (low half) and the threshold (high half)
	// below which the fraction of the draw means the key itself.
	cells []uint64
}

// NewAlias returns a sampler for weights in any unit, zero or more, finite and
// not all zero; there may be up to [partition.MaxKeys]. It takes time proportional to their
// number, and while it runs another 12 bytes for each.
func NewAlias(weights []float64) (*Alias, error) {
	n := len(weights)
	if n > partition.MaxKeys {
		return nil, fmt.Errorf("%d weights: an alias table holds at most %d", n, partition.MaxKeys)
	}
	if err := checkWeights(weights, 0); err != nil {
		return nil, err
	}

	// share is what is left of each key, in cells: all together fill n of them.
	share := make([]float64, n)
	total := pairwiseSum(weights)
	for i, w := range weights {
		share[i] = w / total * float64(n)
	}

	// One array serves as two stacks: keys with less than a cell grow from the
	// front, those with a cell or more from the back.
	stack := make([]int32, n)
	light, heavy := 0, n
	for i := n - 1; i >= 0; i-- {
		if share[i] < 1 {
			stack[light] = int32(i)
			light++
		} else {
			heavy--
			stack[heavy] = int32(i)
		}
	}
	a := &Alias{cells: make([]uint64, n)}
	for light > 0 && heavy < n {
		light--
		small, large := stack[light], stack[heavy]
		a.cells[small] = newCell(share[small], large)
		share[large] = share[large] + share[small] - 1 // in this order: sharper than the other
		if share[large] < 1 {
			heavy++
			stack[light] = large
			light++
		}
	}
	// What rounding leaves over on either side fills its cell alone.
	for _, i := range stack[:light] {
		a.cells[i] = newCell(0, i)
	}
	for _, i := range stack[heavy:] {
		a.cells[i] = newCell(0, i)
	}
	return a, nil
}

// newCell returns a cell of which the key itself has a share below 1 and the
// alias has the rest.
func newCell(share float64, alias int32) uint64 {
	threshold := uint64(share*(1<<32) + 0.5)
	return min(threshold, math.MaxUint32)<<32 | uint64(alias)
}

// Len returns the number of keys.
func (a *Alias) Len() int { return len(a.cells) }

// Draw takes one word from random.
func (a *Alias) Draw(random rand.Source) int { return a.At(random.Uint64()) }

// DrawBatch does what Draw does for each element. It is faster since the table's
// cells are looked up at the same time instead of one after another.
func (a *Alias) DrawBatch(keys []int32, random rand.Source) {
	var words [256]uint64
	for len(keys) > 0 {
		n := min(len(keys), len(words))
		for i := range words[:n] {
			words[i] = random.Uint64()
		}
		for i, word := range words[:n] {
			keys[i] = int32(a.At(word))
		}
		keys = keys[n:]
	}
}

// At returns the key that one random word selects: its product with the number
// of keys has the cell in the high half and the fraction in the low half.
func (a *Alias) At(word uint64) int {
	at, fraction := bits.Mul64(word, uint64(len(a.cells)))
	cell := a.cells[at]
	key := int(uint32(cell))
	if fraction>>32 < cell>>32 {
		key = int(at) // compiles to a conditional move: a branch here cannot be predicted
	}
	return key
}
