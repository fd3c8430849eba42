package partition_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/partition"
	"pgregory.net/rapid"
)

func side(t testing.TB, client string, n int, encoding string) partition.Side {
	t.Helper()
	c, err := partition.Lookup(client)
	if err != nil {
		t.Fatal(err)
	}
	e, err := partition.ParseKeyEncoding(encoding)
	if err != nil {
		t.Fatal(err)
	}
	return partition.Side{Mapping: partition.Mapping{Client: c, Encoding: e}, Partitions: n}
}

func resize(t testing.TB, client string, n, m int) partition.Change {
	return partition.Change{From: side(t, client, n, "raw"), To: side(t, client, m, "raw")}
}

// TestChurnTheory asserts the table of exact shares: moved, optimum and how many
// times the optimum moves.
func TestChurnTheory(t *testing.T) {
	for _, row := range []struct {
		n, m                   int
		moved, optimum, excess float64
	}{
		{6, 12, 1. / 2, 1. / 2, 1}, {12, 6, 1. / 2, 1. / 2, 1}, {6, 8, 3. / 4, 1. / 4, 3}, {6, 7, 6. / 7, 1. / 7, 6},
		{6, 9, 2. / 3, 1. / 3, 2}, {8, 12, 2. / 3, 1. / 3, 2}, {12, 16, 3. / 4, 1. / 4, 3}, {12, 24, 1. / 2, 1. / 2, 1},
		{30, 60, 1. / 2, 1. / 2, 1}, {10, 11, 10. / 11, 1. / 11, 10}, {100, 101, 100. / 101, 1. / 101, 100},
		{16, 20, 4. / 5, 1. / 5, 4}, {24, 30, 4. / 5, 1. / 5, 4}, {3, 5, 4. / 5, 2. / 5, 2}, {50, 100, 1. / 2, 1. / 2, 1},
		{1, 6, 5. / 6, 5. / 6, 1},
		// R01 of the public cases: https://github.com/karafka/karafka/issues/2804 and
		// https://github.com/apache/pulsar/issues/23603
		{5, 10, .5, .5, 1}, {10, 15, 2. / 3, 1. / 3, 2}, {10, 20, .5, .5, 1}, {12, 18, 2. / 3, 1. / 3, 2},
		{16, 17, 16. / 17, 1. / 17, 16}, {48, 64, .75, .25, 3},
	} {
		for _, client := range []string{"java", "librdkafka", "sarama", "pulsar-java", "spring-hashcode"} {
			c := resize(t, client, row.n, row.m)
			moved, why := c.Expected()
			if !near(moved, row.moved) || !near(c.Optimum(), row.optimum) || !near(moved/c.Optimum(), row.excess) {
				t.Errorf("%s %d to %d: moved %v (%s), optimum %v; want %v, %v, excess %v", client, row.n, row.m, moved, why, c.Optimum(), row.moved, row.optimum, row.excess)
			}
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestChurnTheoryBruteForce counts residues for all pairs of counts: the share
// that moves, and whether each new partition is fed by one old one.
func TestChurnTheoryBruteForce(t *testing.T) {
	for n := 1; n <= 60; n++ {
		for m := 1; m <= 60; m++ {
			residues, moved := n*m, 0
			feeders := make(map[int]map[int]bool)
			for r := range residues {
				if r%n != r%m {
					moved++
				}
				if feeders[r%m] == nil {
					feeders[r%m] = map[int]bool{}
				}
				feeders[r%m][r%n] = true
			}
			clean := true
			for to, from := range feeders {
				clean = clean && len(from) == 1 && from[to%n]
			}
			c := resize(t, "java", n, m)
			if share, _ := c.Expected(); !near(share, float64(moved)/float64(residues)) {
				t.Errorf("%d to %d: %v moved, want %d of %d", n, m, share, moved, residues)
			}
			if c.CleanSplit() != clean {
				t.Errorf("%d to %d: clean split %v, want %v", n, m, c.CleanSplit(), clean)
			}
		}
	}
}

// TestExpectedOfReductions runs every pair of reductions of one hash over evenly
// spaced hashes and compares the share that moves with the formula.
func TestExpectedOfReductions(t *testing.T) {
	const step = 40009 // hashes apart; a prime
	for _, pair := range [][2]string{
		{"java", "unmasked-murmur2"}, {"unmasked-murmur2", "java"}, {"sarama", "sarama-reference"},
		{"librdkafka-fnv1a", "franz-go-sarama-hasher"}, {"sarama", "librdkafka-fnv1a"}, {"pulsar-java", "spring-hashcode"},
		{"redis-cluster", "redis-cluster"}, {"flink", "flink"}, {"cassandra", "cassandra"}, {"kinesis", "kinesis"},
	} {
		for _, n := range []int{1, 2, 5, 6, 8, 12, 16, 50, 64} {
			for _, m := range []int{1, 2, 6, 7, 12, 16, 24, 96, 100} {
				c := partition.Change{From: side(t, pair[0], n, "raw"), To: side(t, pair[1], m, "raw")}
				want, why := c.Expected()
				moved, total := 0, 0
				fed := make([]int, m) // 1 + the partition that feeds it, -1 if several do
				for h := uint64(0); h < 1<<32; h += step {
					d := partition.Digest{Lo: h}
					switch c.From.Client.Hash.Bits {
					case 14:
						d.Lo = h >> 18
					case 31:
						d.Lo = h >> 1
					case 64:
						d.Lo = h << 32
					case 128:
						d = partition.Digest{Hi: h << 32}
					}
					from, to := c.From.Client.Reduce(d, n), c.To.Client.Reduce(d, m)
					if total++; from != to {
						moved++
					}
					switch {
					case fed[to] == 0:
						fed[to] = 1 + from
					case fed[to] != 1+from:
						fed[to] = -1
					}
				}
				if got := float64(moved) / float64(total); !(math.Abs(got-want) < 0.004) {
					t.Errorf("%s/%d to %s/%d: %v moved, %s gives %v", pair[0], n, pair[1], m, got, why, want)
				}
				clean := m%n == 0 && !slices.Contains(fed, -1)
				if pair[0] == "flink" && n > 1 && partition.FlinkKeyGroups(n) != partition.FlinkKeyGroups(m) {
					continue // key groups are cut anew; see CleanSplit
				}
				if c.CleanSplit() != clean {
					t.Errorf("%s/%d to %s/%d: clean split %v, want %v (fed by %v)", pair[0], n, pair[1], m, c.CleanSplit(), clean, fed)
				}
			}
		}
	}
}

// TestExpectedOfUnrelatedHashes compares 1 − 1/max(N, M) with keys of four kinds,
// and shows for the pairs without an expectation that it would be wrong.
func TestExpectedOfUnrelatedHashes(t *testing.T) {
	const keys = 20000
	kinds := map[string]func(i int) string{
		"names": func(i int) string { return fmt.Sprintf("user-%d", i) },
		"ids":   func(i int) string { return fmt.Sprint(1000000 + i) },
		"hex":   func(i int) string { return fmt.Sprintf("%016x", uint64(i)*0x9e3779b97f4a7c15) },
	}
	for _, row := range []struct {
		from, to, fromEncoding, toEncoding string
		reason                             string // of those without an expectation
	}{
		{"librdkafka", "java", "raw", "raw", ""}, {"sarama", "java", "raw", "raw", ""}, {"librdkafka", "sarama", "raw", "raw", ""},
		{"kafkajs-legacy", "kafkajs", "raw", "raw", ""}, {"java", "spring-hashcode", "raw", "raw", ""}, {"librdkafka", "pulsar-go", "raw", "raw", ""},
		{"java", "java", "raw", "json", ""}, {"java", "java", "avro:1", "avro:2", ""}, {"kafkajs-legacy", "kafkajs-legacy", "raw", "avro:7", ""},
		{"java", "librdkafka", "raw", "avro:7", ""},
		{"sarama", "spring-hashcode", "raw", "raw", "fnv1a and javahash are related"}, {"pulsar-go", "sarama", "raw", "raw", "javahash-utf8 and fnv1a are related"},
		{"librdkafka", "librdkafka", "avro:1", "avro:2", "crc32 does not mix"}, {"sarama", "sarama", "avro:1", "avro:2", "fnv1a does not mix"},
		{"sarama", "sarama", "raw", "json", "fnv1a does not mix"},
	} {
		wrong := false
		for _, counts := range [][2]int{{2, 2}, {6, 8}, {12, 12}, {16, 16}, {7, 12}, {64, 64}} {
			c := partition.Change{From: side(t, row.from, counts[0], row.fromEncoding), To: side(t, row.to, counts[1], row.toEncoding)}
			want, why := c.Expected()
			if math.IsNaN(want) != (row.reason != "") || !strings.Contains(why, row.reason) {
				t.Errorf("%v: expected %v (%s)", row, want, why)
			}
			naive := 1 - 1/float64(max(counts[0], counts[1]))
			// Six standard deviations of a share of independent keys.
			tolerance := 6 * math.Sqrt(naive*(1-naive)/keys)
			for kind, key := range kinds {
				moved := 0
				for i := range keys {
					before, _ := c.From.Encoding.AppendKey(nil, key(i))
					after, _ := c.To.Encoding.AppendKey(nil, key(i))
					if c.From.Client.Place(before, counts[0]) != c.To.Client.Place(after, counts[1]) {
						moved++
					}
				}
				off := math.Abs(float64(moved)/keys - naive)
				wrong = wrong || off > tolerance
				if row.reason == "" && off > tolerance {
					t.Errorf("%s/%d %s to %s/%d %s, %s: %v moved, want %v", row.from, counts[0], row.fromEncoding, row.to, counts[1], row.toEncoding, kind, float64(moved)/keys, want)
				}
			}
		}
		if row.reason != "" && !wrong {
			t.Errorf("%v: behaves as independent, so why is there no expectation?", row)
		}
	}
}

// TestUnmaskedExpectation asserts the published agreement of java with unmasked
// murmur2: half at 12, all at 16.
func TestUnmaskedExpectation(t *testing.T) {
	for n, want := range map[int]float64{12: .5, 16: 0, 6: .5, 1: 0} {
		c := partition.Change{From: side(t, "java", n, "raw"), To: side(t, "unmasked-murmur2", n, "raw")}
		if got, why := c.Expected(); !near(got, want) {
			t.Errorf("at %d: %v moved (%s), want %v", n, got, why, want)
		}
	}
	for n, stay := range map[int]float64{6: 4. / 6, 12: 7. / 12, 50: 26. / 50} {
		c := partition.Change{From: side(t, "sarama", n, "raw"), To: side(t, "sarama-reference", n, "raw")}
		if got, _ := c.Expected(); !near(got, 1-stay) {
			t.Errorf("sarama at %d: %v moved, want %v", n, got, 1-stay)
		}
	}
}

func TestNoExpectation(t *testing.T) {
	for want, c := range map[string]partition.Change{
		"kafka-go ignores the key": {From: side(t, "kafka-go", 6, "raw"), To: side(t, "java", 6, "raw")},
		"are related hashes":       {From: side(t, "spring-hashcode", 6, "int32"), To: side(t, "spring-hashcode", 6, "int64")},
		"nothing changes":          resize(t, "kinesis", 6, 6),
	} {
		share, why := c.Expected()
		if !strings.Contains(why, want) || math.IsNaN(share) == (share == 0) {
			t.Errorf("%v (%s), want %s", share, why, want)
		}
	}
}

func TestSplitInWords(t *testing.T) {
	other := func(from, to string, n, m int) partition.Change {
		return partition.Change{From: side(t, from, n, "raw"), To: side(t, to, m, "raw")}
	}
	for _, row := range []struct {
		change partition.Change
		want   string
	}{
		{resize(t, "java", 12, 24), "clean split: partition p feeds exactly p and p+12"},
		{resize(t, "java", 6, 18), "clean split: partition p feeds exactly p, p+6 and p+12"},
		{resize(t, "java", 6, 24), "clean split: partition p feeds exactly p, p+6, …, p+18"},
		{resize(t, "kinesis", 4, 8), "clean split: shard p feeds exactly 2p and 2p+1"},
		{resize(t, "kinesis", 4, 12), "clean split: shard p feeds exactly 3p … 3p+2"},
		{resize(t, "java", 12, 6), "clean merge: partition q receives exactly q and q+6"},
		{resize(t, "kinesis", 8, 4), "clean merge: shard q receives exactly 2q and 2q+1"},
		{resize(t, "java", 12, 18), "no clean split: each old partition feeds up to 3 new ones and each new one is fed by up to 2"},
		{resize(t, "java", 12, 12), "no key moves"},
		{other("java", "kafkajs", 12, 12), "no key moves"},
		{other("java", "unmasked-murmur2", 8, 16), "clean split: partition p feeds exactly p and p+8"},
		{other("java", "unmasked-murmur2", 6, 12), "no clean split"},
		{other("java", "sarama", 6, 12), "no clean split"},
		{other("java", "kafka-go", 6, 12), "records are not placed by their key"},
	} {
		if got := row.change.Split(); got != row.want {
			t.Errorf("%s/%d to %s/%d: %q, want %q", row.change.From.Client.Name, row.change.From.Partitions, row.change.To.Client.Name, row.change.To.Partitions, got, row.want)
		}
	}
}

func TestSweepOfCounts(t *testing.T) {
	var got []string
	for _, r := range resize(t, "java", 12, 12).Sweep(48)[:8] {
		got = append(got, fmt.Sprintf("%d:%.4f:%v", r.Partitions, r.Expected, r.CleanSplit))
	}
	want := "24:0.5000:true 18:0.6667:false 36:0.6667:true 16:0.7500:false 48:0.7500:true 15:0.8000:false 20:0.8000:false 30:0.8000:false"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
	if list := resize(t, "java", 12, 12).Sweep(12); len(list) != 0 {
		t.Errorf("a sweep to the present count lists %v", list)
	}
}

// TestExpectedBounds asserts what holds for every change of count: no less than
// the optimum moves, shrinking moves as much as growing back, and equality of
// moved and optimum means that the larger count is a multiple.
func TestExpectedBounds(t *testing.T) {
	clients := partition.Clients()
	rapid.Check(t, func(rt *rapid.T) {
		c := rapid.SampledFrom(clients).Draw(rt, "client")
		if c.IgnoresKey() {
			return
		}
		limit := 2000
		n, m := rapid.IntRange(1, limit).Draw(rt, "n"), rapid.IntRange(1, limit).Draw(rt, "m")
		change := partition.Change{
			From: partition.Side{Mapping: partition.Mapping{Client: c}, Partitions: n},
			To:   partition.Side{Mapping: partition.Mapping{Client: c}, Partitions: m},
		}
		back := partition.Change{From: change.To, To: change.From}
		moved, _ := change.Expected()
		again, _ := back.Expected()
		if !near(moved, again) {
			rt.Fatalf("%s: %d to %d moves %v, back %v", c.Name, n, m, moved, again)
		}
		// Redis slots and Flink key groups do not divide evenly, so they may move a
		// little less than a share of partitions.
		if moved < change.Optimum()-0.13 || moved > 1 {
			rt.Fatalf("%s: %d to %d moves %v, optimum %v", c.Name, n, m, moved, change.Optimum())
		}
		if change.CleanSplit() && back.CleanSplit() && n != m {
			rt.Fatalf("%s: %d to %d and back are both clean", c.Name, n, m)
		}
		if c.Hash.Name == "murmur2" {
			if moved < change.Optimum()-1e-12 {
				rt.Fatalf("%s: %d to %d moves %v, less than the optimum %v", c.Name, n, m, moved, change.Optimum())
			}
			if multiple := max(n, m)%min(n, m) == 0; multiple != near(moved, change.Optimum()) {
				rt.Fatalf("%s: %d to %d: multiple %v, moved %v, optimum %v", c.Name, n, m, multiple, moved, change.Optimum())
			}
		}
	})
}
