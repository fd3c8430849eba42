package workload

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/keyspread/keyspread/partition"
)

// A Distribution is a synthetic key source: how many keys there are, how many
// records they have together, and how unequally. [ParseDistribution] reads one
// from text, the same in a flag and in a file; [Distribution.Keys] draws a table
// of keys from it, [Distribution.Weights] returns what is expected of each key.
type Distribution struct {
	Law      Law   // how the weights of the keys fall with their rank
	KeyCount int   // number of keys that may occur, 1 to [partition.MaxKeys]
	Records  int64 // records of all keys together, 0 to [MaxRecords]
}

// What [ParseDistribution] assumes where the text does not say.
const (
	DefaultKeyCount = 1_000_000
	DefaultRecords  = 1_000_000_000
)

// MaxRecords is the largest number of records of a [Distribution], 2^53 − 1: up
// to there every count is a float64, too, so that drawing stays exact.
const MaxRecords = 1<<53 - 1

// A Law says how the weights of n keys fall with their rank. The laws are
// [Uniform], [Zipf], [LogNormal], [Pareto] and [HotSet]; their values compare
// with ==.
//
// To add one write a file that implements it, and list it in laws.
type Law interface {
	// String returns the law as ParseDistribution reads it, such as zipf:1.05.
	fmt.Stringer

	// problem says which parameter, from 0, is out of its range, what is wrong with
	// it and what to write instead. All is well if what is empty.
	problem() (parameter int, what, fix string)

	// fill sets w[j] to the weight of rank first+j of the ranks 1 to n, the heaviest
	// key being rank 1, in any unit that depends on n alone.
	fill(w []float64, first, n int)
}

// String returns the canonical text, which names everything:
//
//	zipf:1.05,keys=1000000,records=1000000000
//
// ParseDistribution returns the same distribution from it.
func (d Distribution) String() string {
	law := "?"
	if d.Law != nil {
		law = d.Law.String()
	}
	return fmt.Sprintf("%s,%s=%d,%s=%d", law, keysOption, d.KeyCount, recordsOption, d.Records)
}

// Validate returns a [*DistributionError] if a parameter is out of its range.
func (d Distribution) Validate() error {
	e := &DistributionError{Text: d.String()}
	if d.Law == nil {
		e.Problem, e.Fix = "no law is given", "name one of "+lawNames()
		return e
	}
	if _, what, fix := d.Law.problem(); what != "" {
		e.Problem, e.Fix = what, fix
		return e
	}
	if what, fix := keysRange.problem(int64(d.KeyCount)); what != "" {
		e.Problem, e.Fix = what, fix
		return e
	}
	if what, fix := recordsRange.problem(d.Records); what != "" {
		e.Problem, e.Fix = what, fix
		return e
	}
	return nil
}

// Weights returns the share of the records that each key is expected to have, in
// rank order: index 0 is the heaviest. They add up to 1; each is exact but for
// rounding, about 1e-15 of it for Zipf and hot sets and 1e-13 for the others.
// The error is that of [Distribution.Validate].
func (d Distribution) Weights() ([]float64, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	w := make([]float64, d.KeyCount)
	blocks := blocksOf(len(w))
	parallel(blocks, func(b int) {
		start, end := blockBounds(b, len(w))
		d.Law.fill(w[start:end], start+1, d.KeyCount)
	})
	total := pairwiseSum(w)
	parallel(blocks, func(b int) {
		start, end := blockBounds(b, len(w))
		for i := range w[start:end] {
			w[start+i] /= total
		}
	})
	return w, nil
}

// blockSize is how many keys one goroutine takes at a time. Counts drawn depend
// on it: each block has its own random stream. A block's weights fit the
// first-level cache.
const blockSize = 2048

func blocksOf(n int) int { return (n + blockSize - 1) / blockSize }

func blockBounds(b, n int) (start, end int) {
	return b * blockSize, min((b+1)*blockSize, n)
}

// parallel calls do for 0 to n-1, in no particular order, on as many goroutines
// as can run at the same time.
func parallel(n int, do func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	wait.Wait()
}

// pairwiseSum adds halves to halves, so that rounding errors grow with the
// logarithm of the number of terms instead of the number.
func pairwiseSum(w []float64) float64 {
	const plain = 64 // terms added in a row
	if len(w) > plain {
		half := len(w) / 2
		return pairwiseSum(w[:half]) + pairwiseSum(w[half:])
	}
	sum := 0.0
	for _, x := range w {
		sum += x
	}
	return sum
}

// A numberRange is the range of a whole number that a distribution takes.
type numberRange struct {
	things   string
	min, max int64
}

var (
	keysRange    = numberRange{"keys", 1, partition.MaxKeys}
	recordsRange = numberRange{"records", 0, MaxRecords}
)

// problem says what is wrong with n of the things and what to write instead.
func (r numberRange) problem(n int64) (what, fix string) {
	switch {
	case n < r.min:
		return fmt.Sprintf("fewer than %d %s", r.min, r.things), fmt.Sprintf("write %s=%d or more", r.things, r.min)
	case n > r.max:
		return fmt.Sprintf("more than %d %s", r.max, r.things), fmt.Sprintf("write %s=%d or less", r.things, r.max)
	}
	return "", ""
}

// isFinite reports whether x is a number of finite size.
func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// number formats a parameter so that it is read back as the same float64.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
