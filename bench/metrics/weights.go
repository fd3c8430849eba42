package metrics

import (
	"cmp"
	"container/heap"
	"slices"
)

// Weights keeps what figures need of the records of every key, in memory that
// does not grow with the number of keys: the [PlacementKeys] heaviest keys one by
// one, power sums of the others. The zero value is ready to use.
type Weights struct {
	Concentration
	keys    int
	records int64
	most    int64 // of one key
	head    lightestFirst
	unit    int64 // greatest common divisor of all weights
	tail    struct {
		sum            int64
		squares, cubes float64
	}
}

// Add adds a key with the given number of records, zero or more. All records
// together must be in the range of int64.
func (w *Weights) Add(records int64) {
	w.Concentration.Add(records)
	w.keys++
	w.records += records
	w.most = max(w.most, records)
	if w.unit != 1 {
		w.unit = greatestCommonDivisor(w.unit, records)
	}
	if len(w.head) < PlacementKeys {
		heap.Push(&w.head, records)
		return
	}
	if records > w.head[0] {
		records, w.head[0] = w.head[0], records
		heap.Fix(&w.head, 0)
	}
	x := float64(records)
	w.tail.sum += records
	w.tail.squares += x * x
	w.tail.cubes += x * x * x
}

// Records returns the records of all keys.
func (w *Weights) Records() int64 { return w.records }

// Heaviest returns the records of the heaviest key, 0 if none was added.
func (w *Weights) Heaviest() int64 { return w.most }

// Keys returns how many keys were added.
func (w *Weights) Keys() int { return w.keys }

// heaviest returns the weights of the head, heaviest first.
func (w *Weights) heaviest() []int64 {
	return slices.SortedFunc(slices.Values(w.head), func(a, b int64) int { return cmp.Compare(b, a) })
}

func greatestCommonDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// lightestFirst is a heap.
type lightestFirst []int64

func (h lightestFirst) Len() int           { return len(h) }
func (h lightestFirst) Less(i, j int) bool { return h[i] < h[j] }
func (h lightestFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *lightestFirst) Push(x any)        { *h = append(*h, x.(int64)) }
func (h *lightestFirst) Pop() any          { panic("the head never shrinks") }
