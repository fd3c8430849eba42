package metrics_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/keyspread/keyspread/bench/metrics"
)

// BenchmarkPlacementTest takes Zipf weights: 4,096 keys have no tail.
func BenchmarkPlacementTest(b *testing.B) {
	for _, size := range [][2]int{{4096, 50}, {100_000, 50}, {100_000, 1000}, {200_000, 10_000}} {
		b.Run(fmt.Sprintf("keys=%d/partitions=%d", size[0], size[1]), func(b *testing.B) {
			var w metrics.Weights
			for i := range size[0] {
				w.Add(int64(1e9 / float64(i+1)))
			}
			mean := int64(math.Round(21e9 / float64(size[1])))
			for b.Loop() {
				w.PlacementTest(size[1], 2*mean, 1)
			}
			b.ReportMetric(metrics.Placements*float64(min(size[0], metrics.PlacementKeys))*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mkeys/s")
		})
	}
}

// BenchmarkWeights is the cost of a key, whatever the number of keys.
func BenchmarkWeights(b *testing.B) {
	var w metrics.Weights
	i := 0
	for b.Loop() {
		i++
		w.Add(int64(i*7919) % 1000)
	}
}
