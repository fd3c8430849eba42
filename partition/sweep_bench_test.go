package partition

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// sweepKeys is how many keys BenchmarkSweep takes: go test -bench Sweep
// -sweep-keys 10000000 ./partition.
var sweepKeys = flag.Int("sweep-keys", 1_000_000, "keys of BenchmarkSweep")

// BenchmarkSweep counts keys at 1…1000 partitions on one core and compares with
// the plain loop in the same run: for each count, for each key, bins[hash % n].
//
//	ns/key/count        of Sweep, histograms of records and keys
//	x-modulo            time of the plain loop that counts records and keys, divided by Sweep's; it
//	                    takes every tenth count
//	x-modulo-records    the same for a loop that counts records only
func BenchmarkSweep(b *testing.B) {
	random := rand.New(rand.NewPCG(42, 2))
	var table KeyTable
	for i := range *sweepKeys {
		if _, err := table.Add(fmt.Appendf(nil, "user-%d", i), 1+int64(random.ExpFloat64()*100), 0, 0); err != nil {
			b.Fatal(err)
		}
	}
	java, err := Lookup("java")
	if err != nil {
		b.Fatal(err)
	}
	d := NewDigests(&table, java)
	counts := upTo(1000)
	sweep, modulo, recordsOnly := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		start := time.Now()
		if err := d.Sweep(context.Background(), &table, counts, func(Histogram) {}); err != nil {
			b.Fatal(err)
		}
		sweep = min(sweep, time.Since(start))

		start = time.Now()
		for n := 10; n <= 1000; n += 10 {
			records, keys := make([]int64, n), make([]int64, n)
			for i, h := range d.narrow {
				p := h & 0x7fffffff % uint32(n)
				records[p] += table.records[i]
				keys[p]++
			}
		}
		modulo = min(modulo, 10*time.Since(start))

		start = time.Now()
		for n := 10; n <= 1000; n += 10 {
			records := make([]int64, n)
			for i, h := range d.narrow {
				records[h&0x7fffffff%uint32(n)] += table.records[i]
			}
		}
		recordsOnly = min(recordsOnly, 10*time.Since(start))
	}
	b.ReportMetric(float64(sweep)/float64(*sweepKeys)/float64(len(counts)), "ns/key/count")
	b.ReportMetric(float64(modulo)/float64(sweep), "x-modulo")
	b.ReportMetric(float64(recordsOnly)/float64(sweep), "x-modulo-records")
	b.ReportMetric(0, "ns/op")
}
