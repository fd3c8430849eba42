package metrics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/keyspread/keyspread/bench/metrics"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func weights(records ...int64) *metrics.Weights {
	var w metrics.Weights
	for _, r := range records {
		w.Add(r)
	}
	return &w
}

func equal(keys int, records int64) *metrics.Weights {
	return weights(slices.Repeat([]int64{records}, keys)...)
}

// reached returns how many placements a p-value stands for.
func reached(p float64) int { return int(math.Round(p*(metrics.Placements+1))) - 1 }

// plausible reports whether a count of placements could come from the exact
// probability, two-sided, α = 1e-6.
func plausible(count int, exact float64) bool {
	if exact == 1 {
		return count == metrics.Placements
	}
	b := distuv.Binomial{N: metrics.Placements, P: exact}
	return b.CDF(float64(count)) > 5e-7 && 1-b.CDF(float64(count-1)) > 5e-7
}

// TestPlacementOfEqualKeys compares with the exact distribution of the maximum.
func TestPlacementOfEqualKeys(t *testing.T) {
	for _, size := range [][2]int{{6, 6}, {60, 6}, {61, 7}, {100, 100}, {500, 50}, {3, 1000}} {
		o := metrics.NewOccupancy(size[0], size[1])
		w := equal(size[0], 7)
		for _, q := range []float64{.01, .5, .9, .99} {
			c := o.Quantile(q)
			exact := 1 - o.AtMost(c-1)
			got := reached(w.PlacementTest(size[1], int64(7*c), 1))
			if !plausible(got, exact) {
				t.Errorf("%d keys on %d, P(max ≥ %d): %d of %d placements, exact %v", size[0], size[1], c, got, metrics.Placements, exact)
			}
		}
	}
}

// TestPlacementOfWeights compares with all placements of a few unequal keys.
func TestPlacementOfWeights(t *testing.T) {
	for _, row := range []struct {
		n       int
		records []int64
	}{{2, []int64{5, 3, 2, 1}}, {3, []int64{8, 5, 3, 2, 1, 1}}, {5, []int64{100, 10, 10, 1, 0}}} {
		w := weights(row.records...)
		for heaviest, exact := range exactMaximum(row.records, row.n) {
			if got := reached(w.PlacementTest(row.n, heaviest, 2)); !plausible(got, exact) {
				t.Errorf("%v on %d, P(max ≥ %d): %d of %d placements, exact %v", row.records, row.n, heaviest, got, metrics.Placements, exact)
			}
		}
	}
}

// exactMaximum returns P(max ≥ load) for every possible load, by enumeration.
func exactMaximum(records []int64, n int) map[int64]float64 {
	all := int(math.Pow(float64(n), float64(len(records))))
	counts := map[int64]int{}
	for code := range all {
		loads := make([]int64, n)
		for _, r := range records {
			loads[code%n] += r
			code /= n
		}
		counts[slices.Max(loads)]++
	}
	p := map[int64]float64{}
	for load := range counts {
		atLeast := 0
		for other, count := range counts {
			if other >= load {
				atLeast += count
			}
		}
		p[load] = float64(atLeast) / float64(all)
	}
	return p
}

// TestPlacementCounterTest: slightly wrong samplers must fail what the real one
// passes above.
func TestPlacementCounterTest(t *testing.T) {
	o := metrics.NewOccupancy(60, 6)
	exact := 1 - o.AtMost(14)
	if !plausible(simulate(60, 15, func(rng *rand.Rand, _ int) int { return rng.IntN(6) }), exact) {
		t.Error("a right sampler fails")
	}
	for name, pick := range map[string]func(*rand.Rand, int) int{
		"four bits modulo 6":             func(rng *rand.Rand, _ int) int { return rng.IntN(16) % 6 },
		"one number of 25 too many on 5": func(rng *rand.Rand, _ int) int { return min(rng.IntN(25), 23) % 6 },
		"every tenth key in turn": func(rng *rand.Rand, key int) int {
			if key%10 == 0 {
				return key / 10
			}
			return rng.IntN(6)
		},
	} {
		if got := simulate(60, 15, pick); plausible(got, exact) {
			t.Errorf("%s: %d placements are plausible for p = %v", name, got, exact)
		}
	}
}

// simulate returns how many placements of equal keys on 6 partitions reach a
// load.
func simulate(keys, load int, pick func(rng *rand.Rand, key int) int) int {
	rng := rand.New(rand.NewPCG(3, 4))
	count := 0
	for range metrics.Placements {
		var loads [6]int
		for key := range keys {
			loads[pick(rng, key)]++
		}
		if slices.Max(loads[:]) >= load {
			count++
		}
	}
	return count
}

// TestPlacementWithTail compares the normal tail of equal keys, of which only
// the first 4,096 are placed one by one, with the exact distribution, within the
// error that the approximation is allowed besides chance: a tenth of p. Without
// its skewness it would not pass.
func TestPlacementWithTail(t *testing.T) {
	for _, size := range [][2]int{{5000, 12}, {20_000, 50}, {20_000, 500}} {
		keys, n := size[0], size[1]
		o := metrics.NewOccupancy(keys, n)
		w := equal(keys, 3)
		for _, q := range []float64{.5, .99} {
			c := o.Quantile(q) + 1
			exact := 1 - o.AtMost(c-1)
			allowed := .1*exact + 5*math.Sqrt(exact*(1-exact)/metrics.Placements)
			near(t, fmt.Sprintf("%d keys on %d, P(max ≥ %d)", keys, n, c), w.PlacementTest(n, int64(3*c), 1), exact, allowed)
		}
	}

	const keys, n = 20_000, 500
	o := metrics.NewOccupancy(keys, n)
	c := o.Quantile(.5) + 1
	exact := 1 - o.AtMost(c-1)
	rng := rand.New(rand.NewPCG(1, 2))
	count := 0
	for range metrics.Placements {
		heaviest := math.Inf(-1)
		for range n {
			heaviest = max(heaviest, keys/n+math.Sqrt(keys/n)*rng.NormFloat64())
		}
		if heaviest >= float64(c) {
			count++
		}
	}
	if p := float64(count) / metrics.Placements; math.Abs(p-exact) <= .1*exact+5*math.Sqrt(exact*(1-exact)/metrics.Placements) {
		t.Errorf("a plain normal passes: p = %v, exact %v", p, exact)
	}
}

// TestPlacementOfZipf compares a tail of unequal keys with placements of all of
// them, one by one.
func TestPlacementOfZipf(t *testing.T) {
	const keys, n, placements = 9000, 40, 4000
	records := make([]int64, keys)
	total := 0.0
	for i := range records {
		records[i] = int64(1e6 * math.Pow(float64(i+1), -.6))
		total += float64(records[i])
	}
	rng := rand.New(rand.NewPCG(5, 6))
	maxima := make([]int64, placements)
	for i := range maxima {
		var loads [n]int64
		for _, r := range records {
			loads[rng.IntN(n)] += r
		}
		maxima[i] = slices.Max(loads[:])
	}
	slices.Sort(maxima)
	w := weights(records...)
	for _, p := range []float64{.9, .5, .1, .02} {
		got := w.PlacementTest(n, maxima[int((1-p)*placements)], 7)
		near(t, fmt.Sprintf("p of the %v-quantile", 1-p), got, p, 5*math.Sqrt(p*(1-p)*(1./placements+1./metrics.Placements)))
	}
}

// TestPlacementIsDeterministic: the same on any GOMAXPROCS, and the values of
// this release.
func TestPlacementIsDeterministic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	exact, tailed := equal(500, 1), equal(6000, 1)
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		for _, row := range []struct {
			w        *metrics.Weights
			n        int
			heaviest int64
			seed     uint64
			want     int
		}{{exact, 50, 18, 1, 5156}, {exact, 50, 18, 2, 5057}, {tailed, 30, 230, 1, 4515}} {
			if got := reached(row.w.PlacementTest(row.n, row.heaviest, row.seed)); got != row.want {
				t.Errorf("GOMAXPROCS %d, seed %d: %d placements, want %d", procs, row.seed, got, row.want)
			}
		}
	}
}

func TestPlacementProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		records := rapid.SliceOfN(rapid.Int64Range(0, 1000), 1, 8).Draw(rt, "records")
		records[0]++
		n := rapid.IntRange(1, 12).Draw(rt, "partitions")
		var total int64
		for _, r := range records {
			total += r
		}
		heaviest := rapid.Int64Range(1, total).Draw(rt, "heaviest")
		seed := rapid.Uint64().Draw(rt, "seed")
		p := weights(records...).PlacementTest(n, heaviest, seed)
		if !(p >= 1./(metrics.Placements+1) && p <= 1) {
			rt.Fatalf("p = %v", p)
		}
		if heaviest <= slices.Max(records) && p != 1 {
			rt.Fatalf("p = %v of a load that the heaviest key has alone", p)
		}
		if lighter := weights(records...).PlacementTest(n, heaviest-1, seed); lighter < p {
			rt.Fatalf("p falls from %v to %v for a lighter load", p, lighter)
		}
		other := slices.Clone(records)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		for i := range other {
			other[i] *= 1000
		}
		if q := weights(other...).PlacementTest(n, 1000*heaviest, seed); q != p {
			rt.Fatalf("p = %v, of scaled weights in another order %v", p, q)
		}
	})
}

// TestPlacementOfTailIgnoresOrder: as above, with a tail.
func TestPlacementOfTailIgnoresOrder(t *testing.T) {
	ascending, descending := make([]int64, 5000), make([]int64, 5000)
	for i := range ascending {
		ascending[i], descending[i] = int64(i), int64(4*(4999-i))
	}
	near(t, "p", weights(descending...).PlacementTest(20, 4*660_000, 1), weights(ascending...).PlacementTest(20, 660_000, 1), 1e-3)
}

func TestPlacementUndefined(t *testing.T) {
	for what, p := range map[string]float64{
		"no keys":             weights().PlacementTest(3, 0, 1),
		"keys without load":   weights(0, 0).PlacementTest(3, 0, 1),
		"no partitions":       weights(1).PlacementTest(0, 1, 1),
		"too many partitions": weights(1).PlacementTest(metrics.PlacementPartitionsMax+1, 1, 1),
	} {
		if !math.IsNaN(p) {
			t.Errorf("%s: p = %v, want NaN", what, p)
		}
	}
	near(t, "p of one partition", equal(5000, 3).PlacementTest(1, 15_000, 1), 1, 0)
}
