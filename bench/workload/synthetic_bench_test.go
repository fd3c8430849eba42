package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// A rival is a way to do what a benchmark measures.
type rival struct {
	unit string
	pass func()
	best time.Duration
}

// takeTurns runs the rivals one after another, pass by pass, so that a change of
// the processor's frequency falls on all of them alike, and judges each by its
// fastest pass, so that a busy neighbour falls on none. The first one's time is
// reported in nanoseconds per thing, of which a pass does so many; the others as
// the ratio of their time to the first one's.
func takeTurns(b *testing.B, things int, thing string, rivals ...rival) {
	for i := range rivals {
		rivals[i].best = math.MaxInt64
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range rivals {
			start := time.Now()
			rivals[i].pass()
			rivals[i].best = min(rivals[i].best, time.Since(start))
		}
	}
	first := rivals[0].best.Seconds()
	b.ReportMetric(first*1e9/float64(things), "ns/"+thing)
	for _, r := range rivals[1:] {
		b.ReportMetric(r.best.Seconds()/first, r.unit)
	}
	b.ReportMetric(0, "ns/op") // of all rivals together: no use
}

var sink int // keeps the compiler from leaving draws out

// BenchmarkSamplers compares draws of keys under Zipf's law.
//
//	ns/draw        by alias table, in batches
//	x-single       by alias table, one by one
//	x-rejection    by rejection-inversion, in batches
//	x-rand-zipf    by math/rand/v2's Zipf, which needs s > 1
//	x-categorical  by gonum's distuv.Categorical, a binary tree
func BenchmarkSamplers(b *testing.B) {
	const draws = 20_000
	batch := make([]int32, 1000)
	for _, keys := range []int{1000, 100_000, 1_000_000, 10_000_000} {
		for _, s := range []float64{0.5, 0.99, 1, 1.05, 2} {
			b.Run(fmt.Sprintf("keys=%d/s=%g", keys, s), func(b *testing.B) {
				random := rand.NewPCG(1, 2)
				weights, err := Distribution{Zipf{s}, keys, 0}.Weights()
				if err != nil {
					b.Fatal(err)
				}
				alias, err := NewAlias(weights)
				if err != nil {
					b.Fatal(err)
				}
				zipf, err := NewZipfSampler(s, keys)
				if err != nil {
					b.Fatal(err)
				}
				categorical := distuv.NewCategorical(weights, random)
				rivals := []rival{
					{unit: "draw", pass: func() {
						for range draws / len(batch) {
							alias.DrawBatch(batch, random)
						}
					}},
					{unit: "x-single", pass: func() {
						for range draws {
							sink += alias.Draw(random)
						}
					}},
					{unit: "x-rejection", pass: func() {
						for range draws / len(batch) {
							zipf.DrawBatch(batch, random)
						}
					}},
					{unit: "x-categorical", pass: func() {
						for range draws {
							sink += int(categorical.Rand())
						}
					}},
				}
				if s > 1 {
					standard := rand.NewZipf(rand.New(random), s, 1, uint64(keys-1))
					rivals = append(rivals, rival{unit: "x-rand-zipf", pass: func() {
						for range draws {
							sink += int(standard.Uint64())
						}
					}})
				}
				takeTurns(b, draws, "draw", rivals...)
			})
		}
	}
}

// BenchmarkBinomial compares single draws with gonum's distuv.Binomial, at
// different means of 1e12 trials.
func BenchmarkBinomial(b *testing.B) {
	const draws = 2000
	for _, mean := range []float64{0.01, 1, 5, 9.9, 10, 30, 1000, 1e6, 1e11} {
		b.Run(fmt.Sprintf("mean=%g", mean), func(b *testing.B) {
			random := rand.NewPCG(1, 2)
			peer := distuv.Binomial{N: 1e12, P: mean / 1e12, Src: random}
			takeTurns(b, draws, "draw",
				rival{unit: "draw", pass: func() {
					for range draws {
						sink += int(Binomial(random, 1e12, mean/1e12))
					}
				}},
				rival{unit: "x-gonum", pass: func() {
					for range draws {
						sink += int(peer.Rand())
					}
				}})
		})
	}
}

// BenchmarkMultinomial draws the counts of 10 million keys.
//
//	ns/key     [Multinomial]
//	x-weights  [Distribution.Weights], which comes before it
//	x-keys     [Distribution.Keys], both and the table
//
// How it compares with gonum's binomials is what [BenchmarkShare] tells.
func BenchmarkMultinomial(b *testing.B) {
	const keys = 10_000_000
	for _, law := range []Law{Uniform{}, Zipf{1.05}, LogNormal{0, 1.5}, Pareto{1.16}} {
		for _, records := range []int64{1e9, 1e10, 1e12} {
			b.Run(fmt.Sprintf("%v/records=%.0e", law, float64(records)), func(b *testing.B) {
				d := Distribution{law, keys, records}
				weights, err := d.Weights()
				if err != nil {
					b.Fatal(err)
				}
				takeTurns(b, keys, "key",
					rival{unit: "key", pass: func() {
						if _, err := Multinomial(weights, records, 1, 1); err != nil {
							b.Fatal(err)
						}
					}},
					rival{unit: "x-weights", pass: func() {
						if _, err := d.Weights(); err != nil {
							b.Fatal(err)
						}
					}},
					rival{unit: "x-keys", pass: func() {
						if _, err := d.Keys(1); err != nil {
							b.Fatal(err)
						}
					}})
			})
		}
	}
}

// BenchmarkShare draws the counts of 2,048 keys in the middle of 10 million, which
// is what a goroutine of [Multinomial] does, beside gonum's binomials in turn.
func BenchmarkShare(b *testing.B) {
	const keys = 10_000_000
	for _, law := range []Law{Uniform{}, Zipf{1.05}, LogNormal{0, 1.5}, Pareto{1.16}} {
		weights, err := Distribution{law, keys, 0}.Weights()
		if err != nil {
			b.Fatal(err)
		}
		weights = weights[keys/2 : keys/2+blockSize]
		for _, records := range []float64{1e9, 1e10, 1e12} {
			b.Run(fmt.Sprintf("%v/records=%.0e", law, records), func(b *testing.B) {
				random := rand.NewPCG(1, 2)
				var rest [blockSize + 1]float64
				var counts [blockSize]int64
				n := int64(records * pairwiseSum(weights))
				takeTurns(b, blockSize, "key",
					rival{unit: "key", pass: func() {
						suffixSums(rest[:], weights)
						share(counts[:], weights, rest[:], n, random)
					}},
					rival{unit: "x-gonum", pass: func() {
						suffixSums(rest[:], weights)
						left := float64(n)
						for i, w := range weights {
							if left == 0 {
								break
							}
							k := left
							if i+1 < blockSize {
								k = distuv.Binomial{N: left, P: w / rest[i], Src: random}.Rand()
							}
							counts[i] = int64(k)
							left -= k
						}
					}})
			})
		}
	}
}
