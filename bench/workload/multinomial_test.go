package workload

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func drawMultinomial(t testing.TB, weights []float64, records int64, seed uint64) []int64 {
	t.Helper()
	counts, err := Multinomial(weights, records, seed, 0)
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func sumOf(counts []int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// TestMultinomialFits compares counts of many keys with their weights: few
// records, which are pooled, up to the most. The counter-examples are an exponent
// off by 1 % and ranks off by one.
func TestMultinomialFits(t *testing.T) {
	const n = 20_000
	for _, s := range []float64{0.5, 0.99, 1, 2} {
		weights := zipfWeights(t, s, n)
		wrong, shifted := zipfWeights(t, s*1.01, n), append(slices.Clone(weights[1:]), weights[0])
		for _, records := range []int64{2e8, 1e10, 1e12, 1e15} {
			counts := drawMultinomial(t, weights, records, 3)
			name := fmt.Sprintf("s=%g records=%d", s, records)
			wantFit(t, name, counts, weights, wrong)
			wantFit(t, name, counts, weights, shifted)
			if got := sumOf(counts); got != records {
				t.Errorf("%s: the counts add up to %d", name, got)
			}
		}
	}
}

// TestMultinomialJoint compares the joint distribution of three groups of keys,
// in one block and in three, with the exact one; counts of pairs of keys move in
// opposite directions, which a test key by key does not see. The counter-example
// moves a twentieth of the weight.
func TestMultinomialJoint(t *testing.T) {
	const records = 6
	for _, at := range [][3]int{{0, 1, 2}, {5, 5 + blockSize, 2 * blockSize}} {
		weights := make([]float64, at[2]+1)
		p := [3]float64{0.2, 0.5, 0.3}
		for g, i := range at {
			weights[i] = p[g]
		}
		var counts []int64
		var want, wrong []float64
		cell := map[[2]int64]int{}
		for a := int64(0); a <= records; a++ {
			for b := int64(0); a+b <= records; b++ {
				cell[[2]int64{a, b}] = len(counts)
				counts = append(counts, 0)
				joint := func(p [3]float64) float64 {
					return exactBinomial(int(a), records, p[0]) * exactBinomial(int(b), int(records-a), p[1]/(p[1]+p[2]))
				}
				want = append(want, joint(p))
				wrong = append(wrong, joint([3]float64{0.2, 0.55, 0.25}))
			}
		}
		for seed := range uint64(12_000) {
			drawn := drawMultinomial(t, weights, records, seed)
			if got := drawn[at[0]] + drawn[at[1]] + drawn[at[2]]; got != records {
				t.Fatalf("seed %d: %d records", seed, got)
			}
			counts[cell[[2]int64{drawn[at[0]], drawn[at[1]]}]]++
		}
		wantFit(t, fmt.Sprint(at), counts, want, wrong)
	}
}

// TestMultinomialVariance adds up chi-square over the keys of three blocks at a
// huge number of records, for many seeds: it is as variable as it should be. Keys
// at the same place of two blocks, whose streams might be the same by mistake,
// are not correlated.
func TestMultinomialVariance(t *testing.T) {
	const n, seeds, records = 2*blockSize + 3, 300, 1e12
	weights := zipfWeights(t, 0.9, n)
	var sum, product float64
	for seed := range uint64(seeds) {
		var off [n]float64 // standardised
		for i, k := range drawMultinomial(t, weights, records, seed) {
			expected := weights[i] * records
			off[i] = (float64(k) - expected) / math.Sqrt(expected)
			sum += off[i] * off[i]
			if i >= blockSize {
				product += off[i] * off[i-blockSize]
			}
		}
	}
	if z := product / math.Sqrt(seeds*(n-blockSize)); math.Abs(z) > 5 {
		t.Errorf("keys of different blocks are correlated, %.1f standard deviations", z)
	}
	const df = seeds * (n - 1)
	z := (sum - df) / math.Sqrt(2*df)
	if math.Abs(z) > 5 {
		t.Errorf("chi-square %.0f at %d degrees of freedom, %.1f standard deviations off", sum, df, z)
	}
	if off := 0.01 * df / math.Sqrt(2*df); off < 5 {
		t.Error("variances off by 1 % would not be noticed")
	}
}

func TestMultinomialDeterministic(t *testing.T) {
	weights := zipfWeights(t, 1.05, 30_000)
	want := drawMultinomial(t, weights, 1e9, 5)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(processors)
		if got := drawMultinomial(t, weights, 1e9, 5); !slices.Equal(got, want) {
			t.Errorf("%d processors: other counts", processors)
		}
	}
	if slices.Equal(drawMultinomial(t, weights, 1e9, 6), want) {
		t.Error("another seed draws the same counts")
	}
	if other, err := Multinomial(weights, 1e9, 5, 1); err != nil || slices.Equal(other, want) {
		t.Errorf("another stream draws the same counts, %v", err)
	}
}

// TestSharing checks what holds for any weights, drawn or expected.
func TestSharing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2*blockSize+10).Draw(t, "n")
		records := rapid.Int64Range(0, MaxRecords).Draw(t, "records") >> rapid.IntRange(0, 52).Draw(t, "shift")
		exponent := rapid.Float64Range(0, 60).Draw(t, "exponent")
		zeros := rapid.IntRange(1, 5).Draw(t, "zeros")
		weights := make([]float64, n)
		total := 0.0
		for i := range weights {
			if i%zeros == zeros-1 {
				weights[i] = math.Pow(float64(n-i), exponent) / math.Pow(float64(n), exponent)
			}
			total += weights[i]
		}
		drawn, err := Multinomial(weights, records, 1, 2)
		expected, err2 := Expected(weights, records)
		if total == 0 {
			if err == nil || err2 == nil {
				t.Fatal("no error for weights of zero")
			}
			return
		}
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if sumOf(drawn) != records || sumOf(expected) != records {
			t.Fatalf("%d drawn, %d expected of %d records", sumOf(drawn), sumOf(expected), records)
		}
		for i, w := range weights {
			if drawn[i] < 0 || expected[i] < 0 || w == 0 && drawn[i]+expected[i] != 0 {
				t.Fatalf("key %d of weight %g has %d and %d records", i, w, drawn[i], expected[i])
			}
			exact := w / total * float64(records)
			if math.Abs(float64(expected[i])-exact) > 1+exact*1e-12 {
				t.Fatalf("key %d has %d records, expected are %g", i, expected[i], exact)
			}
		}
	})
}

// TestExpected has the textbook example of largest remainders, and ties.
func TestExpected(t *testing.T) {
	for _, c := range []struct {
		weights []float64
		records int64
		want    []int64
	}{
		{[]float64{47000, 16000, 15900, 12000, 6000, 3100}, 10, []int64{5, 2, 1, 1, 1, 0}},
		{[]float64{1, 1, 1}, 5, []int64{2, 2, 1}},
		{[]float64{1, 1, 1}, 0, []int64{0, 0, 0}},
		{[]float64{0, 3, 0}, MaxRecords, []int64{0, MaxRecords, 0}},
	} {
		got, err := Expected(c.weights, c.records)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, %v, want %v", c.weights, got, err, c.want)
		}
	}
}

func TestSharingRefusal(t *testing.T) {
	for _, c := range []struct {
		weights []float64
		records int64
	}{{nil, 1}, {[]float64{0}, 1}, {[]float64{1, -1}, 1}, {[]float64{math.NaN()}, 1}, {[]float64{math.Inf(1)}, 1}, {[]float64{1}, -1}, {[]float64{1}, MaxRecords + 1}} {
		if _, err := Multinomial(c.weights, c.records, 1, 1); err == nil {
			t.Errorf("%v %d: no error", c.weights, c.records)
		}
		if _, err := Expected(c.weights, c.records); err == nil {
			t.Errorf("%v %d: no error", c.weights, c.records)
		}
	}
}
