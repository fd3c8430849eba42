package workload

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/partition"
	"pgregory.net/rapid"
)

func TestParseDistribution(t *testing.T) {
	for _, c := range []struct {
		text string
		want Distribution
	}{
		{"uniform", Distribution{Uniform{}, DefaultKeyCount, DefaultRecords}},
		{"uniform,keys=1", Distribution{Uniform{}, 1, DefaultRecords}},
		{"zipf:1.05", Distribution{Zipf{1.05}, DefaultKeyCount, DefaultRecords}},
		{"zipf:1.05,keys=1e6,records=1e9", Distribution{Zipf{1.05}, 1e6, 1e9}},
		{"zipf:0.99,records=0,keys=10_000", Distribution{Zipf{0.99}, 10_000, 0}},
		{" zipf : 1 , keys = 2.5e3 ", Distribution{Zipf{1}, 2500, DefaultRecords}},
		{"zipf:1E-3,keys=2147483647,records=9_007_199_254_740_991", Distribution{Zipf{0.001}, partition.MaxKeys, MaxRecords}},
		{"lognormal:0,1.5", Distribution{LogNormal{0, 1.5}, DefaultKeyCount, DefaultRecords}},
		{"lognormal:-2.5,0,keys=7", Distribution{LogNormal{-2.5, 0}, 7, DefaultRecords}},
		{"pareto:1.16,records=12", Distribution{Pareto{1.16}, DefaultKeyCount, 12}},
		{"hotset:20,80", Distribution{HotSet{20, 80}, DefaultKeyCount, DefaultRecords}},
		{"hotset:0.1,100,keys=1e3", Distribution{HotSet{0.1, 100}, 1000, DefaultRecords}},
		{"hotset:100,100", Distribution{HotSet{100, 100}, DefaultKeyCount, DefaultRecords}},
	} {
		got, err := ParseDistribution(c.text)
		if err != nil || got != c.want {
			t.Errorf("%q: got %+v, %v, want %+v", c.text, got, err, c.want)
		}
		if bare := !strings.Contains(c.text, "="); bare {
			law, err := ParseLaw(c.text)
			if err != nil || law != c.want.Law {
				t.Errorf("law %q: got %v, %v", c.text, law, err)
			}
		}
	}
}

// TestParseDistributionErrors reads every message: place, value, what is wrong,
// what to write.
func TestParseDistributionErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `column 1, "": unknown distribution; the distributions are uniform, zipf, lognormal, pareto, hotset`},
		{"zpf:1", `column 1, "zpf": unknown distribution; did you mean zipf? The distributions are uniform, zipf, lognormal, pareto, hotset`},
		{"Zipf:1", `column 1, "Zipf": unknown distribution; did you mean zipf? The distributions are uniform, zipf, lognormal, pareto, hotset`},
		{"log-normal:0,1", `column 1, "log-normal": unknown distribution; did you mean lognormal? The distributions are uniform, zipf, lognormal, pareto, hotset`},
		{"zipf", `column 1, "zipf": zipf takes S, of which S is missing; write for example zipf:1.05`},
		{"zipf:", `column 6, "": not a number, which S is; write for example zipf:1.05`},
		{"zipf:0", `column 6, "0": S is not above 0; write for example zipf:1.05, or uniform for equal keys`},
		{"zipf:-1", `column 6, "-1": S is not above 0; write for example zipf:1.05, or uniform for equal keys`},
		{"zipf:inf", `column 6, "inf": not a number, which S is; write for example zipf:1.05`},
		{"zipf:1e999", `column 6, "1e999": not a number, which S is; write for example zipf:1.05`},
		{"zipf:keys=3", `column 6, "keys=3": not a number, which S is; write for example zipf:1.05`},
		{"zipf:1, 2", `column 9, "2": neither a number of the law nor an option; write keys=… or records=…`},
		{"zipf:1,", `column 8, "": neither a number of the law nor an option; write keys=… or records=…`},
		{"zipf:1,key=3", `column 8, "key": unknown option; the options are keys=… and records=…`},
		{"zipf:1,keys=0", `column 13, "0": fewer than 1 keys; write keys=1 or more`},
		{"zipf:1,keys=-5", `column 13, "-5": fewer than 1 keys; write keys=1 or more`},
		{"zipf:1,keys=3e9", `column 13, "3e9": more than 2147483647 keys; write keys=2147483647 or less`},
		{"zipf:1,keys=1.5", `column 13, "1.5": not a whole number of keys; write keys=2`},
		{"zipf:1,keys=0.2", `column 13, "0.2": not a whole number of keys; write keys=1`},
		{"zipf:1,keys=10k", `column 13, "10k": not a whole number of keys; write digits, as in keys=1000000 or keys=1e6`},
		{"zipf:1,keys=1__0", `column 13, "1__0": not a whole number of keys; write digits, as in keys=1000000 or keys=1e6`},
		{"zipf:1,keys=0x10", `column 13, "0x10": not a whole number of keys; write digits, as in keys=1000000 or keys=1e6`},
		{"zipf:1,records=-1", `column 16, "-1": fewer than 0 records; write records=0 or more`},
		{"zipf:1,records=1e16", `column 16, "1e16": more than 9007199254740991 records; write records=9007199254740991 or less`},
		{"zipf:1,records=9007199254740993", `column 16, "9007199254740993": more than 9007199254740991 records; write records=9007199254740991 or less`},
		{"zipf:1,records=1e300", `column 16, "1e300": more than 9007199254740991 records; write records=9007199254740991 or less`},
		{"zipf:1,keys=2, keys=3", `column 16, "keys=3": given twice; remove one of the two`},
		{"uniform:1", `column 9, "1": uniform takes no numbers; write for example uniform,keys=1e6`},
		{"uniform,5", `column 9, "5": neither a number of the law nor an option; write keys=… or records=…`},
		{"lognormal:1", `column 1, "lognormal": lognormal takes MU and SIGMA, of which SIGMA is missing; write for example lognormal:0,1.5`},
		{"lognormal:0,-1", `column 13, "-1": SIGMA is below 0; write for example lognormal:0,1.5`},
		{"pareto:1", `column 8, "1": A is not above 1, so that the mean is infinite and the heaviest key has every record; write for example pareto:1.16`},
		{"hotset:20", `column 1, "hotset": hotset takes KEYS% and RECORDS%, of which RECORDS% is missing; write for example hotset:20,80`},
		{"hotset:0,80", `column 8, "0": the percentage of hot keys is not above 0 and at most 100; write for example hotset:20,80: 20 % of the keys have 80 % of the records`},
		{"hotset:20,180", `column 11, "180": the percentage of records is not from 0 to 100; write for example hotset:20,80: 20 % of the keys have 80 % of the records`},
		{"hotset:80,20", `column 11, "20": 80 % of the keys have less than their share, so that the others are hot; write hotset:20,80`},
		{"hotset:100,80", `column 12, "80": all keys have all records, 100 %; write hotset:100,100 or uniform`},
	} {
		_, err := ParseDistribution(c.text)
		var e *DistributionError
		if !errors.As(err, &e) {
			t.Errorf("%q: error %v is not a DistributionError", c.text, err)
			continue
		}
		if want := fmt.Sprintf("distribution %q: %s", c.text, c.want); err.Error() != want {
			t.Errorf("got  %s\nwant %s", err, want)
		}
	}
	if _, err := ParseLaw("zipf:1,keys=3"); err == nil || !strings.Contains(err.Error(), `column 8, "keys=3": not a number of the law`) {
		t.Errorf("law with an option: %v", err)
	}
}

func TestValidate(t *testing.T) {
	for _, d := range []Distribution{{}, {Zipf{0}, 1, 1}, {Zipf{1}, 0, 1}, {Zipf{1}, 1, -1}, {Uniform{}, 1, MaxRecords + 1}, {LogNormal{math.NaN(), 1}, 1, 1}} {
		if d.Validate() == nil {
			t.Errorf("%v: no error", d)
		}
		if _, err := d.Weights(); err == nil {
			t.Errorf("%v: weights without error", d)
		}
		if _, err := d.Keys(1); err == nil {
			t.Errorf("%v: keys without error", d)
		}
	}
}

func drawLaw(t *rapid.T) Law {
	switch rapid.IntRange(0, 4).Draw(t, "law") {
	case 0:
		return Uniform{}
	case 1:
		return Zipf{rapid.Float64Range(1e-9, 1e9).Draw(t, "s")}
	case 2:
		return LogNormal{rapid.Float64Range(-1e9, 1e9).Draw(t, "mu"), rapid.Float64Range(0, 20).Draw(t, "sigma")}
	case 3:
		return Pareto{1 + rapid.Float64Range(1e-9, 1e3).Draw(t, "a")}
	}
	keys := rapid.Float64Range(1e-6, 99.9).Draw(t, "keys")
	return HotSet{keys, rapid.Float64Range(keys, 100).Draw(t, "records")}
}

// TestDistributionRoundTrip reads back what String writes.
func TestDistributionRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Distribution{
			Law:      drawLaw(t),
			KeyCount: rapid.IntRange(1, partition.MaxKeys).Draw(t, "n"),
			Records:  rapid.Int64Range(0, MaxRecords).Draw(t, "m"),
		}
		got, err := ParseDistribution(want.String())
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v", want, got, err)
		}
		if _, err := ParseLaw(want.Law.String()); err != nil || !IsDistribution(want.String()) {
			t.Errorf("%s: not recognised, %v", want, err)
		}
	})
}

func FuzzParseDistribution(f *testing.F) {
	for _, text := range []string{"uniform", "zipf:1.05,keys=1e6,records=1e9", "lognormal:0,1.5", "hotset:20,80", "pareto:2,keys=_", "zipf:,=", ":,="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDistribution(text)
		if err != nil {
			var e *DistributionError
			if !errors.As(err, &e) || e.Column < 1 || e.Column > len(text)+1 || !strings.HasPrefix(text[e.Column-1:], e.Value) {
				t.Errorf("%q: the place of error %#v is wrong", text, err)
			}
			return
		}
		if again, err := ParseDistribution(d.String()); err != nil || again != d || d.Validate() != nil {
			t.Errorf("%q: %v is read back as %v, %v", text, d, again, err)
		}
	})
}

func TestIsDistribution(t *testing.T) {
	for text, want := range map[string]bool{
		"zipf:1.05": true, "zipf:": true, "zipf:oops": true, "uniform,keys=3": true, "uniform:": true, "Zipf:1": true,
		"hotset:20,80": true, "lognormal,": true,
		"": false, "uniform": false, "zipf": false, "./zipf:1": false, "zipf.csv": false, "zipf-1,2.csv": false,
		"example:npm": false, "-": false, "orders:1": false, "dir/uniform,keys=3": false, `C:\zipf`: false, ":": false,
	} {
		if got := IsDistribution(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestZipfWeights compares with the harmonic numbers: the first weight is 1/H.
func TestZipfWeights(t *testing.T) {
	for _, c := range []struct {
		n        int
		s        float64
		harmonic float64
	}{
		{10, 1, 2.9289682540}, {100, 0.5, 18.5896038248}, {1000, 0.99, 7.7289532173}, {1000, 1.2, 4.3357647946},
		{10_000, 1, 9.7876060360}, {2, 0.99, 1.5034777750283594},
	} {
		w := zipfWeights(t, c.s, c.n)
		if got := 1 / w[0]; math.Abs(got-c.harmonic) > 6e-11 {
			t.Errorf("n=%d s=%g: H = %.10f, want %.10f", c.n, c.s, got, c.harmonic)
		}
		if got := 1 / zipfWeights(t, c.s*1.01, c.n)[0]; math.Abs(got-c.harmonic) < 1e-4 {
			t.Errorf("n=%d: an s off by 1 %% gives the same", c.n)
		}
	}
	if p := zipfWeights(t, 0.99, 1000)[0]; math.Abs(p-0.12938363) > 5e-9 {
		t.Errorf("p_1 = %.9f", p)
	}
}

// TestFillPowers compares with powers that need no logarithm, to the last digits,
// wherever the series takes over.
func TestFillPowers(t *testing.T) {
	for s, power := range map[float64]func(x float64) float64{
		0.5: func(x float64) float64 { return 1 / math.Sqrt(x) },
		1:   func(x float64) float64 { return 1 / x },
		1.5: func(x float64) float64 { return 1 / (x * math.Sqrt(x)) },
		2:   func(x float64) float64 { return 1 / (x * x) },
		8:   func(x float64) float64 { return 1 / (x * x * x * x) / (x * x * x * x) },
	} {
		for _, start := range []float64{1, 0.5, 1000, 12_345.5, 1e6, 1e9} {
			w := make([]float64, 5000)
			fillPowers(w, start, s)
			for j, got := range w {
				if want := power(start + float64(j)); math.Abs(got-want) > 2e-15*want {
					t.Fatalf("s=%g: power of %g is %g, off by %g", s, start+float64(j), got, got/want-1)
				}
			}
		}
	}
}

// topShare adds up the weights of the first part of the keys.
func topShare(w []float64, part float64) float64 {
	return pairwiseSum(w[:int(math.Round(part*float64(len(w))))])
}

// gini of weights in descending order is the mean of what the top i of n keys
// have beyond i/n, doubled: the area by trapezoids.
func gini(w []float64) float64 {
	sum, area := 0.0, 0.0
	for _, x := range w {
		area += sum + x/2
		sum += x
	}
	return 2*area/(sum*float64(len(w))) - 1
}

// TestTopShares compares top shares with what the laws say: at any number of keys,
// even a hundred, and the Gini coefficient at many.
func TestTopShares(t *testing.T) {
	type share struct{ part, share float64 }
	for _, c := range []struct {
		law, wrong Law
		shares     []share
		gini       float64
	}{
		{LogNormal{0, 1}, LogNormal{0, 1.01}, []share{{0.01, 0.09236}, {0.1, 0.38914}}, 0.5205},
		{LogNormal{3, 1.5}, LogNormal{3, 1.515}, []share{{0.01, 0.2043}, {0.1, 0.58646}}, 0.71116},
		{LogNormal{-9, 2}, LogNormal{-9, 2.02}, []share{{0.01, 0.37208}, {0.1, 0.76376}}, 0.8427},
		{LogNormal{0, 2.366}, LogNormal{0, 2.39}, []share{{0.01, 0.51581}, {0.1, 0.86092}}, 0.90568},
		{Pareto{1.16}, Pareto{1.1716}, []share{{0.2, 0.80092}, {0.01, 0.52983}}, 0.75758},
		{Pareto{1.5}, Pareto{1.515}, []share{{0.2, 0.5848}, {0.01, 0.21544}}, 0.5},
		{Pareto{2}, Pareto{2.02}, []share{{0.2, 0.44721}, {0.01, 0.1}}, 0.33333},
		{Pareto{3}, Pareto{3.03}, []share{{0.2, 0.342}, {0.01, 0.04642}}, 0.2},
	} {
		const digits = 5.1e-6 // as printed
		for _, n := range []int{100, 10_000, 200_000} {
			w, err := Distribution{c.law, n, 0}.Weights()
			if err != nil {
				t.Fatal(err)
			}
			wrong, err := Distribution{c.wrong, n, 0}.Weights()
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range c.shares {
				if got := topShare(w, s.part); math.Abs(got-s.share) > digits {
					t.Errorf("%v n=%d: top %g have %.6f, want %.5f", c.law, n, s.part, got, s.share)
				}
				if got := topShare(wrong, s.part); math.Abs(got-s.share) <= digits {
					t.Errorf("%v n=%d: top %g have the same share", c.wrong, n, s.part)
				}
			}
			if got := gini(w); n > 100_000 && math.Abs(got-c.gini) > digits {
				t.Errorf("%v n=%d: Gini %.6f, want %.5f", c.law, n, got, c.gini)
			}
			if got := gini(wrong); math.Abs(got-c.gini) <= digits {
				t.Errorf("%v n=%d: the same Gini", c.wrong, n)
			}
		}
	}
}

// TestQuantilesWouldNotDo shows why weights are not the law's quantiles at (i−½)/n:
// many of them are still far from the law's shares.
func TestQuantilesWouldNotDo(t *testing.T) {
	const n = 200_000
	w := make([]float64, n)
	total := 0.0
	for i := range w {
		w[i] = math.Pow((float64(i)+0.5)/n, -1/1.16)
		total += w[i]
	}
	if got := topShare(w, 0.01) / total; math.Abs(got-0.52983) < 0.05 {
		t.Errorf("top 1 %% have %.4f", got)
	}
}

// TestWeights holds for every law and number of keys: weights fall, add up to 1,
// and their partial sums are the law's shares to many digits, also where one
// formula takes over from another.
func TestWeights(t *testing.T) {
	lawShare := map[Law]func(i, n int) float64{}
	for _, a := range []float64{1.01, 1.16, 2, 3, 40} {
		lawShare[Pareto{a}] = func(i, n int) float64 { return math.Pow(float64(i)/float64(n), 1-1/a) }
	}
	for _, s := range []float64{0, 0.1, 1, 2.366, 5, 9} {
		lawShare[LogNormal{1, s}] = func(i, n int) float64 { return normalCDF(normalQuantile(i, n) + s) }
	}
	for _, s := range []float64{0.01, 1, 1.05, 7, 800} {
		lawShare[Zipf{s}] = nil
	}
	lawShare[Uniform{}] = func(i, n int) float64 { return float64(i) / float64(n) }
	lawShare[HotSet{20, 80}] = nil
	lawShare[HotSet{1e-9, 50}] = nil
	lawShare[HotSet{60, 62}] = nil
	lawShare[HotSet{99.9999, 100}] = nil
	for law, share := range lawShare {
		for _, n := range []int{1, 2, 3, 100, 127, 128, 129, 130, 2047, 2048, 2049, 20_000} {
			w, err := Distribution{law, n, 0}.Weights()
			if err != nil {
				t.Fatal(err)
			}
			if total := pairwiseSum(w); math.Abs(total-1) > 1e-14 {
				t.Errorf("%v n=%d: the weights add up to 1 %+g", law, n, total-1)
			}
			sum, lost := 0.0, 0.0
			for i, x := range w {
				if !(x >= 0) || i > 0 && x > w[i-1]*(1+1e-12) {
					t.Fatalf("%v n=%d: weight %d is %g after %g", law, n, i, x, w[max(0, i-1)])
				}
				next := sum + (x - lost) // compensated: the test must not add errors
				lost = next - sum - (x - lost)
				sum = next
				if share == nil {
					continue
				}
				if want := share(i+1, n); math.Abs(sum-want) > 1e-14 {
					t.Fatalf("%v n=%d: the top %d have %.17g, off by %g", law, n, i+1, sum, sum-want)
				}
			}
		}
	}
}

// TestWeightsMany looks at parts of as many keys as there can be: they still fall
// strictly from hundred to hundred, although neighbours differ in the last digits
// only, and do not depend on where a block begins.
func TestWeightsMany(t *testing.T) {
	const n = partition.MaxKeys
	for _, law := range []Law{Zipf{0.99}, LogNormal{0, 1.5}, LogNormal{0, 0.3}, Pareto{1.16}, Pareto{3}} {
		for _, first := range []int{1, 1 << 20, n / 3, n/2 - 1000, n - 20_000} {
			w := make([]float64, 20_000)
			law.fill(w, first, n)
			// Every hundredth: one part in n is at the limit of what a float64 holds.
			for j := 100; j < len(w); j += 100 {
				if !(w[j] < w[j-100]) {
					t.Fatalf("%v: weight %d is %g, not below %g", law, first+j, w[j], w[j-100])
				}
			}
			sums := slices.Clone(w)
			law.fill(w[:10_000], first, n)
			law.fill(w[10_000:], first+10_000, n)
			for j := range w {
				if math.Abs(w[j]-sums[j]) > 1e-13*w[j] {
					t.Fatalf("%v: weight %d depends on where a block begins: %g and %g", law, first+j, w[j], sums[j])
				}
			}
		}
	}
}

func TestHotSet(t *testing.T) {
	for _, c := range []struct {
		law     HotSet
		n, hot  int
		records float64
	}{
		{HotSet{20, 80}, 1000, 200, 0.8}, {HotSet{0.1, 50}, 100, 1, 0.5}, {HotSet{99.9, 99.95}, 10, 9, 0.9995},
		{HotSet{20, 80}, 1, 1, 1}, {HotSet{100, 100}, 10, 10, 1}, {HotSet{20, 100}, 10, 2, 1},
		{HotSet{60, 62}, 3, 1, 0.38}, // rounding makes the one cold key the heaviest
	} {
		w, err := Distribution{c.law, c.n, 0}.Weights()
		if err != nil {
			t.Fatal(err)
		}
		if got := pairwiseSum(w[:c.hot]); math.Abs(got-c.records) > 1e-15*float64(c.n) {
			t.Errorf("%v n=%d: the first %d keys have %g, want %g", c.law, c.n, c.hot, got, c.records)
		}
		for i, x := range w {
			if first := i < c.hot; first && x != w[0] || !first && x != w[c.n-1] {
				t.Errorf("%v n=%d: weight %d is %g", c.law, c.n, i, x)
			}
		}
	}
}
