package detect

import (
	"cmp"
	"math"
	"slices"

	"github.com/keyspread/keyspread/partition"
)

// A mapping is one way from the text of a key to a partition, and the clients
// that go it.
type mapping struct {
	encoding partition.KeyEncoding
	client   *partition.Client   // for the encoding; stands for all of clients
	clients  []*partition.Client // in the detector's order
}

// A hypothesis is a mapping on a topic with a number of partitions.
type hypothesis struct {
	*mapping
	partitions int
}

// mappings returns the different ways in which the clients map keys, those of
// one encoding together, and among those the ones with one hash together.
func (d *Detector) mappings() []*mapping {
	type way struct {
		hash, reduction string
		text            bool
		maxRunes        int
	}
	var all []*mapping
	for _, e := range d.encodings {
		known := make(map[way]*mapping)
		start := len(all)
		for _, c := range d.clients {
			as := c.ForEncoding(e)
			w := way{as.Hash.Name, as.Reduction.Name, as.Text, as.MaxRunes}
			if known[w] == nil {
				known[w] = &mapping{encoding: e, client: as}
				all = append(all, known[w])
			}
			known[w].clients = append(known[w].clients, c)
		}
		slices.SortStableFunc(all[start:], func(a, b *mapping) int {
			return cmp.Compare(a.client.Hash.Name, b.client.Hash.Name)
		})
	}
	return all
}

// cross returns every mapping at every count, mappings in the outer loop.
func cross(mappings []*mapping, counts []int) []hypothesis {
	all := make([]hypothesis, 0, len(mappings)*len(counts))
	for _, m := range mappings {
		for _, n := range counts {
			all = append(all, hypothesis{m, n})
		}
	}
	return all
}

// A tally holds what one pass over the keys tells about a hypothesis. All
// figures are integers, so that the order of the keys cannot matter.
//
// The yardstick is a mapping that has nothing to do with the keys. A pass looks
// at pairs that the writers found so far leave over. Given that such a mapping
// puts a key on a partition p which those writers have not claimed, and that the
// key has k pairs left below n, of n partitions with m claimed, it meets one of
// the pairs with probability k/(n-m). With neither writers nor keys on several
// partitions that is 1/n.
type tally struct {
	decided int                 // keys with a prediction
	trials  int                 // keys that could match: not claimed, with a pair below n
	match   int                 // of those, on a predicted partition
	pairs   [maxWriters + 1]int // by m: sum of k over the trials
	print   uint64              // fingerprint of all predictions
}

func (t *tally) add(p, n int, left, claimed []int32) {
	t.print = (t.print ^ uint64(p+1)) * 0x100000001b3
	t.decided++
	if slices.Contains(claimed, int32(p)) {
		return
	}
	k := below(left, n)
	if k == 0 {
		return
	}
	t.trials++
	t.pairs[below(claimed, n)] += k
	if slices.Contains(left, int32(p)) {
		t.match++
	}
}

func (t *tally) skip() { t.print *= 0x100000001b3 }

func below(list []int32, n int) int {
	k := 0
	for _, p := range list {
		if int(p) < n {
			k++
		}
	}
	return k
}

// expected returns the mean of match under the yardstick.
func (t *tally) expected(n int) float64 {
	mean := 0.0
	for m, k := range t.pairs {
		if k > 0 {
			mean += float64(k) / float64(n-m)
		}
	}
	return mean
}

// logP returns the natural logarithm of the probability of t.match or more
// under the yardstick. For trials with different probabilities it is an upper
// bound wherever it matters, at least one above the mean: among all of equal
// mean, equal ones have the longest tail (Hoeffding 1956, On the distribution of
// the number of successes in independent trials, theorem 4).
func (t *tally) logP(n int) float64 {
	if t.trials == 0 {
		return 0
	}
	return logBinomialTail(t.trials, t.match, min(1, t.expected(n)/float64(t.trials)))
}

// logLikelihood returns how probable the pairs are if a share of them was
// written as predicted and the others anywhere among m partitions, for the best
// such share. Unlike logP it compares hypotheses with one another: it does not
// favour a large partition count, and keys without a prediction count against
// a hypothesis.
func (t *tally) logLikelihood(pairs, m int) float64 {
	x, n := float64(t.match), float64(pairs)
	if m == 1 || n == 0 {
		return 0
	}
	stray := min(1, (1-x/n)*float64(m)/float64(m-1)) / float64(m) // probability of each other partition
	if stray == 0 {
		return 0
	}
	ll := (n - x) * math.Log(stray)
	return ll + x*math.Log(1-stray*float64(m-1))
}

// logBinomialTail returns ln P(X ≥ x) of a binomial X with n trials of
// probability p.
func logBinomialTail(n, x int, p float64) float64 {
	switch {
	case x <= 0 || p >= 1:
		return 0
	case p <= 0:
		return math.Inf(-1)
	case float64(x) <= float64(n)*p: // the other tail is the shorter sum
		return math.Log1p(-math.Exp(logBinomialTail(n, n-x+1, 1-p)))
	}
	// Terms fall from x on: sum them relative to the first.
	sum, term := 1.0, 1.0
	odds := p / (1 - p)
	for j := x; j < n && term > sum*1e-17; j++ {
		term *= float64(n-j) / float64(j+1) * odds
		sum += term
	}
	first := logChoose(n, x) + float64(x)*math.Log(p) + float64(n-x)*math.Log1p(-p)
	return min(0, first+math.Log(sum))
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// A result is a hypothesis with its tally, for all clients that predict the
// same.
type result struct {
	hypothesis
	clients     []*partition.Client
	tally       tally
	likelihood  float64 // natural logarithm
	logP        float64 // natural logarithm
	significant bool
}

// effect returns the share of pairs that a result explains beyond chance.
func (r *result) effect(pairs int) float64 {
	e := r.tally.expected(r.partitions)
	return (float64(r.tally.match) - e) / (float64(pairs) - e)
}
