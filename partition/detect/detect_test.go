package detect_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/partition/detect"
)

// A writer puts key number i, which has the given text, on a partition.
type writer func(i int, text string) int

// client writes as a preset does, with n partitions and keys in an encoding.
func client(t testing.TB, name string, n int, encoding partition.KeyEncoding) writer {
	c, err := partition.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	c = c.ForEncoding(encoding)
	return func(_ int, text string) int {
		key, err := encoding.AppendKey(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := c.Place(key, n).Partition()
		if !ok {
			t.Fatalf("%s does not place %q", name, text)
		}
		return p
	}
}

func raw(t testing.TB, name string, n int) writer { return client(t, name, n, partition.Raw) }

// share lets a write that share of the keys, in percent, and b the others.
func share(percent int, a, b writer) writer {
	return func(i int, text string) int {
		if i*37%100 < percent {
			return a(i, text)
		}
		return b(i, text)
	}
}

func users(n int) []string {
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf("user-%d", i))
	}
	return texts
}

func uuids(n int) []string {
	random := rand.New(rand.NewPCG(1, 2))
	var texts []string
	for range n {
		a, b := random.Uint64(), random.Uint64()
		texts = append(texts, fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>52, b&(1<<48-1)))
	}
	return texts
}

func decimals(n int) []string {
	var texts []string
	for i := range n {
		texts = append(texts, strconv.Itoa(100000+7*i))
	}
	return texts
}

// detect lets w write each of the texts once.
func observe(t testing.TB, counts []int, encodings []partition.KeyEncoding, texts []string, w writer) detect.Detection {
	d := detect.New(nil, encodings, counts)
	for i, text := range texts {
		add(t, d, text, w(i, text))
	}
	return d.Verdict()
}

func add(t testing.TB, d *detect.Detector, text string, p int) {
	if err := d.Add(text, false, p); err != nil {
		t.Fatal(err)
	}
}

// wrote returns the first client and the partition count of each writer, as in
// "java/12", heaviest writer first.
func wrote(det detect.Detection) string {
	var names []string
	for _, w := range det.Writers {
		names = append(names, fmt.Sprintf("%s/%d", w.Clients[0], w.Partitions))
	}
	return strings.Join(names, " ")
}

func wantFinding(t testing.TB, det detect.Detection, finding detect.Finding, writers string) {
	t.Helper()
	if det.Finding != finding || wrote(det) != writers {
		t.Errorf("got %v by %q, want %v by %q\n%s\n%s", det.Finding, wrote(det), finding, writers, det.Conclusion, strings.Join(det.Warnings, "\n"))
	}
}

func wantWarning(t testing.TB, det detect.Detection, part string) {
	t.Helper()
	if !strings.Contains(strings.Join(det.Warnings, "\n"), part) {
		t.Errorf("no warning has %q in:\n%s", part, strings.Join(det.Warnings, "\n"))
	}
}

func kafka(t testing.TB) []*partition.Client {
	var hashing []*partition.Client
	for _, c := range partition.Clients() {
		if c.System == "Kafka" && !c.IgnoresKey() {
			hashing = append(hashing, c)
		}
	}
	if len(hashing) < 20 {
		t.Fatalf("only %d Kafka presets", len(hashing))
	}
	return hashing
}

// Every preset is recognised, in one group with exactly the presets that place
// all these keys alike, whether or not the count is known.
func TestDetectPresets(t *testing.T) {
	texts := append(users(500), uuids(500)...)
	for _, n := range []int{6, 12, 16, 50, 97} {
		for _, c := range kafka(t) {
			var alike []string
			for _, other := range kafka(t) {
				differs := func(text string) bool { return c.Place([]byte(text), n) != other.Place([]byte(text), n) }
				if !slices.ContainsFunc(texts, differs) {
					alike = append(alike, other.Name)
				}
			}
			slices.Sort(alike)
			for _, counts := range [][]int{{n}, nil} {
				det := observe(t, counts, nil, texts, raw(t, c.Name, n))
				best := det.Scores[0]
				group := slices.Sorted(slices.Values(best.Clients))
				if det.Finding != detect.OneWriter || best.Share != 1 || best.Keys != 1000 || best.Partitions != n || !slices.Equal(group, alike) {
					t.Errorf("%s on %d, counts %v: %v, %d of %d keys, group %v on %d; want all keys, group %v",
						c.Name, n, counts, det.Finding, best.Match, best.Keys, group, best.Partitions, alike)
				}
				if second := det.Scores[1]; second.Share > 0.9 {
					t.Errorf("%s on %d: %v has %v of the keys", c.Name, n, second.Clients, second.Share)
				}
			}
		}
	}
}

func TestDetectPowersOfTwo(t *testing.T) {
	det := observe(t, []int{16}, nil, users(500), raw(t, "unmasked-murmur2", 16))
	wantFinding(t, det, detect.OneWriter, "java/16")
	if w := det.Writers[0]; !slices.Contains(w.Clients, "unmasked-murmur2") || len(w.Mappings) != 2 {
		t.Errorf("on 16 partitions: %v, %v; want both mappings", w.Clients, w.Mappings)
	}
	wantWarning(t, det, "with 17 they would differ")

	det = observe(t, []int{12}, nil, users(500), raw(t, "unmasked-murmur2", 12))
	wantFinding(t, det, detect.OneWriter, "unmasked-murmur2/12")
	if w := det.Writers[0]; len(w.Clients) != 1 || len(det.Warnings) != 0 {
		t.Errorf("on 12 partitions: %v, warnings %v", w.Clients, det.Warnings)
	}
}

func TestDetectMixes(t *testing.T) {
	for _, pair := range [][2]string{{"java", "librdkafka"}, {"kafkajs-legacy", "java"}, {"sarama", "sarama-reference"}, {"java", "unmasked-murmur2"}} {
		for _, percent := range []int{60, 90, 98} {
			for _, n := range []int{6, 12, 50} {
				det := observe(t, []int{n}, nil, users(2000), share(percent, raw(t, pair[0], n), raw(t, pair[1], n)))
				wantFinding(t, det, detect.SeveralWriters, fmt.Sprintf("%s/%d %s/%d", pair[0], n, pair[1], n))
				if t.Failed() {
					t.Fatal(pair, percent, n)
				}
				// The share of the keys that both place alike belongs to either
				// writer: four standard deviations of 2,000 keys, at half of them.
				if got := det.Writers[0].Weight; math.Abs(got-float64(percent)/100) > 0.045 || det.Unexplained != 0 {
					t.Errorf("%v %d %% on %d: weight %.3f, %d unexplained", pair, percent, n, got, det.Unexplained)
				}
			}
		}
	}
}

func TestDetectThreeWriters(t *testing.T) {
	w := share(50, raw(t, "sarama", 12), share(80, raw(t, "java", 12), raw(t, "librdkafka", 12)))
	det := observe(t, []int{12}, nil, users(2000), w)
	wantFinding(t, det, detect.SeveralWriters, "sarama/12 java/12 librdkafka/12")
}

// Two services write the same keys: every key is on two partitions.
func TestDetectSameKeysTwice(t *testing.T) {
	d := detect.New(nil, nil, []int{12})
	for i, text := range users(500) {
		add(t, d, text, raw(t, "java", 12)(i, text))
		add(t, d, text, raw(t, "librdkafka", 12)(i, text))
	}
	det := d.Verdict()
	wantFinding(t, det, detect.SeveralWriters, "java/12 librdkafka/12")
	if det.Writers[0].Share != 1 || det.Writers[1].Share != 1 || det.SeveralKeys < 400 || len(det.Several) != 10 {
		t.Errorf("shares %v and %v, %d keys on several partitions, %d listed", det.Writers[0].Share, det.Writers[1].Share, det.SeveralKeys, len(det.Several))
	}
	// A key on k of 12 partitions meets any mapping with probability k/12.
	if want := float64(det.Pairs) / 500 / 12; math.Abs(det.Scores[0].Chance-want) > 1e-12 {
		t.Errorf("chance %v, want %v", det.Scores[0].Chance, want)
	}
}

func TestDetectGrowth(t *testing.T) {
	grown := share(50, raw(t, "java", 12), raw(t, "java", 6))
	for _, counts := range [][]int{{12}, nil} {
		det := observe(t, counts, nil, users(1000), grown)
		wantFinding(t, det, detect.SeveralWriters, "java/12 java/6")
		if !strings.Contains(det.Conclusion, "has grown") || det.Partitions != 12 {
			t.Errorf("%d partitions: %s", det.Partitions, det.Conclusion)
		}
	}
	// The same keys before and after.
	d := detect.New(nil, nil, []int{12})
	for i, text := range users(500) {
		add(t, d, text, raw(t, "librdkafka", 6)(i, text))
		add(t, d, text, raw(t, "librdkafka", 12)(i, text))
	}
	det := d.Verdict()
	if det.Finding != detect.SeveralWriters || len(det.Writers) != 2 || det.Unexplained != 0 || det.Writers[0].Partitions+det.Writers[1].Partitions != 18 {
		t.Errorf("same keys: %v by %s", det.Finding, wrote(det))
	}
}

func TestDetectWrongCount(t *testing.T) {
	for _, given := range []int{10, 13, 18, 24, 36} {
		det := observe(t, []int{given}, nil, users(500), raw(t, "java", 12))
		wantFinding(t, det, detect.OneWriter, "java/12")
		wantWarning(t, det, fmt.Sprintf("not a count given (%d)", given))
		if best := det.Scores[0]; best.Partitions != 12 || best.Share != 1 {
			t.Errorf("given %d: best score is %s", given, best.Description)
		}
	}
	det := observe(t, []int{11, 12}, nil, users(500), raw(t, "java", 12))
	wantFinding(t, det, detect.OneWriter, "java/12")
	wantWarning(t, det, "partition 11 was seen, which a topic of 11 partitions does not have")
	for _, score := range det.Scores {
		if score.Partitions != 12 {
			t.Errorf("an impossible count was scored: %s", score.Description)
		}
	}
}

// Writers that do not look at the key, or not as any client does, are nobody's.
func TestDetectNoMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	writers := map[string]func(n int) writer{
		"random":      func(n int) writer { return func(int, string) int { return random.IntN(n) } },
		"round robin": func(n int) writer { return func(i int, _ string) int { return i % n } },
		"one":         func(n int) writer { return func(int, string) int { return n - 1 } },
		"length":      func(n int) writer { return func(_ int, text string) int { return (len(text) + 2) % n } },
		"crc, other key": func(n int) writer {
			other := raw(t, "librdkafka", n)
			return func(i int, text string) int { return other(i, "tenant-"+text) }
		},
	}
	for name, w := range writers {
		for _, n := range []int{6, 12, 16, 50, 97} {
			for _, texts := range [][]string{users(500), uuids(500), decimals(500)} {
				for _, counts := range [][]int{{n}, nil} {
					det := observe(t, counts, nil, texts, w(n))
					if det.Finding != detect.NoMatch || len(det.Writers) != 0 {
						t.Errorf("%s on %d, keys like %s: %v\n%s", name, n, texts[0], det.Finding, det.Conclusion)
					}
				}
			}
		}
	}
}

func TestDetectIgnoredKeys(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	spread := detect.New(nil, nil, []int{50})
	fixed := detect.New(nil, nil, []int{50})
	for i, text := range users(200) {
		for range 5 * (1 + i%2*10) { // some keys on more partitions than are remembered
			add(t, spread, text, random.IntN(50))
		}
		for range 3 {
			add(t, fixed, text, len(text)*i%50)
		}
	}
	det := spread.Verdict()
	wantFinding(t, det, detect.NoMatch, "")
	if !strings.Contains(det.Conclusion, "keys are ignored (round robin, random, sticky)") || det.SeveralKeys != 200 {
		t.Errorf("%d keys on several partitions: %s", det.SeveralKeys, det.Conclusion)
	}
	if len(det.Several[0].Partitions) != 0 || !slices.IsSortedFunc(det.Several, func(a, b detect.SplitKey) int { return strings.Compare(a.Key, b.Key) }) {
		t.Errorf("keys on too many partitions to list come first: %v", det.Several)
	}
	det = fixed.Verdict()
	wantFinding(t, det, detect.NoMatch, "")
	if !strings.Contains(det.Conclusion, "so the key does decide") {
		t.Errorf("every key keeps its partition: %s", det.Conclusion)
	}
}

// Of 2,000 random topics at most 2 on average may be given a writer
// (Alpha); more than 8 have probability 2.4e-4 even then. Few keys are the
// hardest, for there a quarter of the keys is soon reached.
func TestDetectFalsePositives(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	named := 0
	const topics = 2000
	for topic := range topics {
		n := []int{3, 6, 12, 16, 24}[topic%5]
		counts := [][]int{{n}, nil}[topic/5%2]
		d := detect.New(nil, nil, counts)
		for range 3 + random.IntN(30) {
			text := strconv.FormatUint(random.Uint64(), 36)
			for range 1 + random.IntN(2) {
				add(t, d, text, random.IntN(n))
			}
		}
		if len(d.Verdict().Writers) > 0 {
			named++
		}
	}
	t.Logf("%d of %d random topics were given a writer", named, topics)
	if named > 8 {
		t.Errorf("%d of %d random topics were given a writer, want at most 8", named, topics)
	}
}

// What one writer leaves over is no second writer: strays go anywhere. Each
// topic has a false second writer with probability Alpha/2.
func TestDetectFalseMixes(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	names := []string{"java", "librdkafka", "sarama", "kafkajs-legacy", "unmasked-murmur2", "spring-hashcode"}
	mixed := 0
	const topics = 1000
	for topic := range topics {
		n := []int{2, 3, 6, 12, 50}[topic%5]
		w := raw(t, names[topic%len(names)], n)
		stray := 1 + random.IntN(40)
		det := observe(t, [][]int{{n}, nil}[topic/5%2], nil, users(100+random.IntN(200)), func(i int, text string) int {
			if random.IntN(100) < stray {
				return random.IntN(n)
			}
			return w(i, text)
		})
		if len(det.Writers) == 0 {
			t.Errorf("%s with %d %% strays on %d: %v", names[topic%len(names)], stray, n, det.Finding)
		}
		if len(det.Writers) > 1 {
			mixed++
		}
	}
	t.Logf("%d of %d topics with one writer and strays were given a second", mixed, topics)
	if mixed > 4 { // probability 1.7e-4 at a mean of 0.5
		t.Errorf("%d of %d topics with one writer and strays were given a second, want at most 4", mixed, topics)
	}
}

func TestDetectEncoding(t *testing.T) {
	avro, err := partition.ParseKeyEncoding("avro:42")
	if err != nil {
		t.Fatal(err)
	}
	encodings := []partition.KeyEncoding{partition.Raw, partition.JSON, partition.Int32, partition.Int64, avro}
	for _, name := range []string{"java", "librdkafka", "spring-hashcode"} {
		for _, e := range encodings {
			if name == "spring-hashcode" && (e == partition.Int32 || e == partition.Int64 || e == avro) {
				continue // small Integers and Longs hash alike, and Avro is no text
			}
			det := observe(t, []int{12}, encodings, decimals(500), client(t, name, 12, e))
			wantFinding(t, det, detect.OneWriter, name+"/12")
			if det.Writers[0].Encoding != e || det.Scores[0].Encoding != e {
				t.Errorf("%s with %v keys: detected %v", name, e, det.Writers[0].Encoding)
			}
		}
	}

	mixed := share(60, client(t, "java", 12, partition.Int64), client(t, "java", 12, partition.Raw))
	det := observe(t, []int{12}, encodings, decimals(500), mixed)
	wantFinding(t, det, detect.SeveralWriters, "java/12 java/12")
	if det.Writers[0].Encoding != partition.Int64 || det.Writers[1].Encoding != partition.Raw {
		t.Errorf("two encodings: %v and %v", det.Writers[0].Encoding, det.Writers[1].Encoding)
	}

	// Keys that an encoding cannot have written count against it.
	texts := append(decimals(20), users(480)...)
	det = observe(t, []int{12}, encodings, texts, raw(t, "java", 12))
	wantFinding(t, det, detect.OneWriter, "java/12")
	for _, score := range det.Scores {
		if score.Encoding == partition.Int64 && (score.Keys != 20 || score.Undecided != 480) {
			t.Errorf("int64: %d keys, %d undecided, want 20 and 480", score.Keys, score.Undecided)
		}
	}
}

// Reported keys, one or two at a time (kafkajs issue 1154, node-rdkafka issue
// 616, kafkajs issue 357): they fit, and do not prove.
func TestDetectFewKeys(t *testing.T) {
	for _, row := range []struct {
		n       int
		samples map[string]int
		fit     []string // a client of each mapping that fits
		need    string
	}{
		{15, map[string]int{"TT0124": 10}, []string{"java"}, "take at least 4 keys"},
		{15, map[string]int{"TT0124": 9}, []string{"librdkafka", "spring-hashcode"}, "take at least 4 keys"},
		{15, map[string]int{"TT0124": 3}, []string{"unmasked-murmur2"}, "take at least 4 keys"},
		{10, map[string]int{"354afe16-939a-4ea8-8e17-8bb0840b6886": 4, "f562ac3b-2224-4e25-a0ab-56094e10c239": 5}, []string{"java"}, "take at least 5 keys"},
		{10, map[string]int{"354afe16-939a-4ea8-8e17-8bb0840b6886": 9, "f562ac3b-2224-4e25-a0ab-56094e10c239": 6}, []string{"librdkafka"}, "take at least 5 keys"},
		{12, map[string]int{"100:48069": 6}, []string{"kafkajs-legacy", "librdkafka"}, "take at least 4 keys"},
		{12, map[string]int{"100:48069": 9}, []string{"java", "unmasked-murmur2"}, "take at least 4 keys"},
	} {
		d := detect.New(nil, nil, []int{row.n})
		for text, p := range row.samples {
			add(t, d, text, p)
		}
		det := d.Verdict()
		wantFinding(t, det, detect.Ambiguous, "")
		best := det.Scores[0]
		for _, name := range row.fit {
			if !slices.Contains(best.Clients, name) || !strings.Contains(det.Conclusion, name) {
				t.Errorf("%v: %v do not hold %s: %s", row.samples, best.Clients, name, det.Conclusion)
			}
		}
		if len(best.Mappings) != len(row.fit) || best.Significant || !strings.Contains(det.Conclusion, row.need) {
			t.Errorf("%v: mappings %v, significant %v: %s", row.samples, best.Mappings, best.Significant, det.Conclusion)
		}
	}

	// As many keys as the text asks for are enough.
	for n, need := range map[int]int{12: 4, 10: 5} {
		det := observe(t, []int{n}, nil, users(need), raw(t, "librdkafka", n))
		wantFinding(t, det, detect.OneWriter, fmt.Sprintf("librdkafka/%d", n))
		det = observe(t, []int{n}, nil, users(need-1), raw(t, "librdkafka", n))
		wantFinding(t, det, detect.Ambiguous, "")
	}
}

// A client that forgets Java's sign mask (platformatic/kafka issue 121) beside
// Java: half of the keys are elsewhere.
func TestDetectForgottenMask(t *testing.T) {
	det := observe(t, []int{10}, nil, users(1000), share(50, raw(t, "java", 10), raw(t, "unmasked-murmur2", 10)))
	if det.Finding != detect.SeveralWriters || det.Unexplained != 0 {
		t.Errorf("%v: %s", det.Finding, det.Conclusion)
	}
	for _, n := range []int{3, 6, 10, 12, 50, 97} {
		absolute := func(_ int, text string) int {
			h := int64(int32(partition.Murmur2([]byte(text))))
			return int(max(h, -h)) % n
		}
		det := observe(t, []int{n}, nil, users(5000), absolute)
		if det.Finding != detect.PartlyExplained || !strings.Contains(det.Writers[0].Mappings[0], "murmur2") {
			t.Errorf("absolute value on %d: %v by %s\n%s", n, det.Finding, wrote(det), det.Conclusion)
		}
		wantWarning(t, det, "another sign rule")
	}
}

// A hot key is one key.
func TestDetectHotKey(t *testing.T) {
	d := detect.New(nil, nil, []int{12})
	for i, text := range users(500) {
		add(t, d, text, raw(t, "java", 12)(i, text))
	}
	wrong := raw(t, "librdkafka", 12)(0, "vip")
	if wrong == raw(t, "java", 12)(0, "vip") {
		t.Fatal("choose another key")
	}
	for range 10000 {
		add(t, d, "vip", wrong)
	}
	det := d.Verdict()
	wantFinding(t, det, detect.OneWriter, "java/12")
	if det.Samples != 10500 || det.Keys != 501 || det.Writers[0].Match != 500 || det.Unexplained != 1 {
		t.Errorf("%d samples, %d keys, %d match, %d unexplained", det.Samples, det.Keys, det.Writers[0].Match, det.Unexplained)
	}
	wantWarning(t, det, "1 of 501 pairs")
}

// Null and empty keys are left out of the score, and tell clients of one mapping
// apart.
func TestDetectSpecialKeys(t *testing.T) {
	run := func(name string, null, empty []int) detect.Detection {
		d := detect.New(nil, nil, []int{12})
		for i, text := range users(300) {
			add(t, d, text, raw(t, name, 12)(i, text))
		}
		for _, p := range null {
			if err := d.Add("", true, p); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range empty {
			add(t, d, "", p)
		}
		return d.Verdict()
	}

	det := run("librdkafka", nil, []int{3, 7, 3})
	wantFinding(t, det, detect.OneWriter, "librdkafka/12")
	wantWarning(t, det, "the empty key was on partitions 3, 7, which fits librdkafka, kafka-go-crc32, not ruby-kafka, librdkafka-consistent, sarama-crc32, kafka-go-crc32-consistent")
	if det.EmptySamples != 3 || det.Keys != 300 || det.Samples != 303 {
		t.Errorf("%d empty, %d keys, %d samples", det.EmptySamples, det.Keys, det.Samples)
	}

	det = run("java", []int{1, 2}, nil)
	wantFinding(t, det, detect.OneWriter, "java/12")
	wantWarning(t, det, "the null key was on partitions 1, 2, which fits java,")
	wantWarning(t, det, "not librdkafka-murmur2, kafka-go-murmur2-consistent")
	if det.NullSamples != 2 || det.Keys != 300 {
		t.Errorf("%d null, %d keys", det.NullSamples, det.Keys)
	}

	if det = run("java", nil, []int{9}); len(det.Warnings) != 0 {
		t.Errorf("all of them put the empty key on 9: %v", det.Warnings)
	}
	d := detect.New(nil, nil, nil)
	add(t, d, "", 3)
	wantFinding(t, d.Verdict(), detect.NoKeys, "")
	wantFinding(t, detect.New(nil, nil, []int{3}).Verdict(), detect.NoKeys, "")
}

func TestDetectOnePartition(t *testing.T) {
	det := observe(t, []int{1}, nil, users(100), func(int, string) int { return 0 })
	wantFinding(t, det, detect.Ambiguous, "")
	if !strings.Contains(det.Conclusion, "with one partition") || len(det.Scores) != 1 {
		t.Errorf("%d scores: %s", len(det.Scores), det.Conclusion)
	}
}

func TestDetectBadPartition(t *testing.T) {
	d := detect.New(nil, nil, nil)
	for _, p := range []int{-1, partition.MaxPartitions, math.MaxInt} {
		if d.Add("a", false, p) == nil {
			t.Errorf("partition %d was accepted", p)
		}
	}
	if det := d.Verdict(); det.Samples != 0 {
		t.Errorf("%d samples", det.Samples)
	}
	// A damaged line may hold any number: no search through a million counts.
	add(t, d, "a", partition.MaxPartitions/2)
	wantFinding(t, d.Verdict(), detect.NoMatch, "")
	add(t, d, "a", partition.MaxPartitions-1)
	wantFinding(t, d.Verdict(), detect.NoMatch, "")
}

// The stated probability is the binomial tail, exactly.
func TestDetectProbability(t *testing.T) {
	zero := &partition.Client{
		Name:      "zero",
		Hash:      partition.Hash{Name: "none", Bits: 32, Sum: func([]byte) partition.Digest { return partition.Digest{} }},
		Reduction: partition.Reduction{Name: "zero", Reduce: func(partition.Digest, int) int { return 0 }},
	}
	for _, n := range []int{2, 3, 12, 97} {
		for _, keys := range []int{1, 2, 7, 60, 400} {
			for _, match := range []int{0, 1, keys / n, keys/n + 1, keys / 2, keys - 1, keys} {
				d := detect.New([]*partition.Client{zero}, nil, []int{n})
				for i, text := range users(keys) {
					p := 1
					if i < match {
						p = 0
					}
					add(t, d, text, p)
				}
				got := d.Verdict().Scores[0].Log10P
				if want := log10Tail(keys, match, n); math.Abs(got-want) > 1e-9*max(1, -want) {
					t.Errorf("P(%d or more of %d at 1/%d): got 1e%v, want 1e%v", match, keys, n, got, want)
				}
			}
		}
	}
}

// log10Tail sums the tail of a binomial with probability 1/n in integers.
func log10Tail(trials, least, n int) float64 {
	sum := new(big.Int)
	for x := least; x <= trials; x++ {
		term := new(big.Int).Binomial(int64(trials), int64(x))
		term.Mul(term, new(big.Int).Exp(big.NewInt(int64(n-1)), big.NewInt(int64(trials-x)), nil))
		sum.Add(sum, term)
	}
	mantissa := new(big.Float)
	exponent := new(big.Float).SetInt(sum).MantExp(mantissa)
	m, _ := mantissa.Float64()
	return math.Log10(m) + float64(exponent)*math.Log10(2) - float64(trials)*math.Log10(float64(n))
}

// The order of the samples does not matter.
func TestDetectOrder(t *testing.T) {
	names := []string{"java", "librdkafka", "sarama", "unmasked-murmur2"}
	type sample struct {
		text      string
		null      bool
		partition int
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "partitions")
		counts := rapid.SampledFrom([][]int{nil, {n}, {2 * n, n}}).Draw(t, "counts")
		var samples []sample
		for range rapid.IntRange(0, 150).Draw(t, "samples") {
			text := rapid.StringMatching(`[a-c]{0,4}`).Draw(t, "text")
			p := rapid.IntRange(0, n-1).Draw(t, "partition")
			if name := rapid.SampledFrom(append(names, "")).Draw(t, "client"); name != "" && text != "" {
				c, err := partition.Lookup(name)
				if err != nil {
					t.Fatal(err)
				}
				p, _ = c.Place([]byte(text), n).Partition()
			}
			samples = append(samples, sample{text, text == "" && rapid.Bool().Draw(t, "null"), p})
		}
		verdict := func(samples []sample) detect.Detection {
			d := detect.New(nil, []partition.KeyEncoding{partition.Raw, partition.JSON}, counts)
			for _, s := range samples {
				if err := d.Add(s.text, s.null, s.partition); err != nil {
					t.Fatal(err)
				}
			}
			return d.Verdict()
		}
		want := verdict(samples)
		got := verdict(rapid.Permutation(samples).Draw(t, "order"))
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b partition.KeyEncoding) bool { return a == b })); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Of more than a million keys a sample is scored, the same in any order.
func TestDetectManyKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("1.2 million keys")
	}
	const keys = 1_200_000
	java := raw(t, "java", 12)
	two := kafka(t)[:2]
	forth, back := detect.New(two, nil, []int{12}), detect.New(two, nil, []int{12})
	for i := range keys {
		a, b := fmt.Sprintf("user-%d", i), fmt.Sprintf("user-%d", keys-1-i)
		add(t, forth, a, java(i, a))
		add(t, back, b, java(i, b))
	}
	det := forth.Verdict()
	wantFinding(t, det, detect.OneWriter, "java/12")
	wantWarning(t, det, "more than 1048576 distinct keys: 1 of 2 is scored")
	if math.Abs(float64(det.Keys)-keys/2) > 5*math.Sqrt(keys)/2 || det.Sampled != 2 || det.Samples != keys || det.Writers[0].Share != 1 {
		t.Errorf("%d keys, 1 of %d, %d samples, share %v", det.Keys, det.Sampled, det.Samples, det.Writers[0].Share)
	}
	if diff := cmp.Diff(det, back.Verdict(), cmp.Comparer(func(a, b partition.KeyEncoding) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
}

// BenchmarkDetect measures the verdict on a million distinct keys, the adding
// apart.
func BenchmarkDetect(b *testing.B) {
	const keys = 1_000_000
	texts := users(keys)
	for _, mode := range []string{"java", "mix", "random"} {
		java, librdkafka := raw(b, "java", 12), raw(b, "librdkafka", 12)
		random := rand.New(rand.NewPCG(11, 12))
		w := map[string]writer{
			"java":   java,
			"mix":    share(60, java, librdkafka),
			"random": func(int, string) int { return random.IntN(12) },
		}[mode]
		d := detect.New(nil, nil, nil)
		for i, text := range texts {
			add(b, d, text, w(i, text))
		}
		b.Run(mode, func(b *testing.B) {
			for b.Loop() {
				d.Verdict()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/keys, "ns/key")
		})
	}
	b.Run("add", func(b *testing.B) {
		b.ReportAllocs()
		d := detect.New(nil, nil, nil)
		i := 0
		for b.Loop() {
			add(b, d, texts[i%keys], i%12)
			i++
		}
	})
}

// TestOtherEncodings asserts that keys which a Java service wrote as longs are
// recognised from their decimal text without being told.
func TestOtherEncodings(t *testing.T) {
	for name, texts := range map[string][]string{"int64": decimals(300), "uuid": uuids(300), "json": users(300)} {
		encoding, err := partition.ParseKeyEncoding(name)
		if err != nil {
			t.Fatal(err)
		}
		det := observe(t, []int{24}, nil, texts, client(t, "java", 24, encoding))
		if det.Finding != detect.OneWriter || det.Writers[0].Encoding != encoding {
			t.Errorf("%s: %s", name, det.Conclusion)
		}
	}
	// Keys that nobody placed are still nobody's, and what was tried is said.
	det := observe(t, []int{24}, nil, decimals(300), func(i int, _ string) int { return i * 7 % 24 })
	if det.Finding != detect.NoMatch || !strings.Contains(det.Conclusion, "raw, int64, int32, uuid, json") {
		t.Errorf("round robin: %s", det.Conclusion)
	}
}

// TestStrays asserts that a single line with a partition beyond the topic's does
// not make the topic's count impossible.
func TestStrays(t *testing.T) {
	java := raw(t, "java", 24)
	det := observe(t, []int{24}, nil, users(500), func(i int, text string) int {
		if i == 77 {
			return 99
		}
		return java(i, text)
	})
	if det.Finding != detect.OneWriter || det.Writers[0].Partitions != 24 || !slices.Contains(det.Writers[0].Clients, "java") {
		t.Errorf("got %s", det.Conclusion)
	}
	wantWarning(t, det, "1 pair of key and partition beyond partition 23, up to 99")
}

// TestOnlyClientsThatIgnoreKeys asserts that a detector without any hypothesis
// finds no match, instead of failing.
func TestOnlyClientsThatIgnoreKeys(t *testing.T) {
	kafkaGo, err := partition.Lookup("kafka-go")
	if err != nil {
		t.Fatal(err)
	}
	for _, counts := range [][]int{nil, {12}} {
		d := detect.New([]*partition.Client{kafkaGo}, nil, counts)
		for i, text := range users(300) {
			add(t, d, text, i%12)
		}
		if det := d.Verdict(); det.Finding != detect.NoMatch {
			t.Errorf("counts %v: %v, want no match", counts, det.Finding)
		}
	}
}
