package partition_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/keyspread/keyspread/partition"
)

func lookup(t *testing.T, name string) *partition.Client {
	t.Helper()
	c, err := partition.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hash returns the signed 32-bit hash that a client makes of a key.
func hash(t *testing.T, client, key string) int32 {
	t.Helper()
	d, rule := lookup(t, client).Digest([]byte(key))
	if rule != partition.Hashed {
		t.Fatalf("%s does not hash %q: %v", client, key, rule)
	}
	return int32(d.Lo)
}

// bits reads a hash as it is published in hexadecimal.
func bits(hexadecimal uint32) int32 { return int32(hexadecimal) }

// TestPublishedHashes asserts hashes from other projects' tests and issues.
func TestPublishedHashes(t *testing.T) {
	for _, row := range []struct {
		client, key string
		want        int32
		source      string
	}{
		{"java", "21", -973932308, "Kafka, UtilsTest"},
		{"java", "foobar", -790332482, "Kafka, UtilsTest"},
		{"java", "a-little-bit-long-string", -985981536, "Kafka, UtilsTest"},
		{"java", "a-little-bit-longer-string", -1486304829, "Kafka, UtilsTest"},
		{"java", "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971, "Kafka, UtilsTest"},
		{"java", "abc", 479470107, "Kafka, UtilsTest"},
		{"java", "kafka", bits(0xd067cf64), "librdkafka, rdmurmur2.c"},
		{"java", "giberish123456789", bits(0x8f552b0c), "librdkafka, rdmurmur2.c"},
		{"java", "1234", bits(0x9fc97b14), "librdkafka, rdmurmur2.c"},
		{"java", "234", bits(0xe7c009ca), "librdkafka, rdmurmur2.c"},
		{"java", "34", bits(0x873930da), "librdkafka, rdmurmur2.c"},
		{"java", "", 275646681, "https://github.com/apache/kafka/pull/1069"},
		{"java", "100:48069", 1009543857, "https://github.com/tulios/kafkajs/issues/357"},
		{"kafkajs-legacy", "100:48069", 1713501762, "https://github.com/tulios/kafkajs/issues/357"},
		{"kafkajs-legacy", "", 275646684, "KafkaJS 1.16.0"},
		{"sarama", "1468509572224", math.MinInt32, "https://github.com/IBM/sarama/pull/709"},

		// KafkaJS calls this table murmur2. It is not: right for kafkajs-legacy only.
		{"kafkajs-legacy", "0", 272173970, "KafkaJS, legacy murmur2.spec.js"},
		{"kafkajs-legacy", "1", 1311020360, "KafkaJS, legacy murmur2.spec.js"},
		{"kafkajs-legacy", "128", 2053105854, "KafkaJS, legacy murmur2.spec.js"},
		{"kafkajs-legacy", "16384", 204404061, "KafkaJS, legacy murmur2.spec.js"},
		{"java", "0", 971027396, "the same keys in Java"},
		{"java", "1", -1993445489, "the same keys in Java"},
		{"java", "128", -326012175, "the same keys in Java"},
		{"java", "16384", -325739742, "the same keys in Java"},
	} {
		if got := hash(t, row.client, row.key); got != row.want {
			t.Errorf("%s %q: got %d, want %d (%s)", row.client, row.key, got, row.want, row.source)
		}
	}
}

// TestPublishedPlacements asserts placements from issues.
func TestPublishedPlacements(t *testing.T) {
	const struct_ = `Struct{documentKey={"_id": "638d1b94ce8def06be68b439"}}`
	const rms = "UFJPRDAuQVNTRVQuMzEwMQ.002.AC000HN.01_RMSVel"
	for _, row := range []struct {
		client, key string
		n, want     int
		source      string
	}{
		{"java", "100:48069", 12, 9, "https://github.com/tulios/kafkajs/issues/357"},
		{"kafkajs-legacy", "100:48069", 12, 6, "https://github.com/tulios/kafkajs/issues/357"},
		{"java", "TT0124", 15, 10, "https://github.com/tulios/kafkajs/issues/1154"},
		{"librdkafka", "TT0124", 15, 9, "https://github.com/tulios/kafkajs/issues/1154"},
		{"java", "wu", 10, 0, "https://github.com/nodefluent/node-sinek/issues/39"},
		{"java", "thingäöüÄÖÜ", 10, 2, "https://github.com/nodefluent/node-sinek/issues/40"},
		{"java", "fd7af248-ce5c-46a5-93d7-1c0c9005b99d", 32, 26, "https://github.com/Blizzard/node-rdkafka/issues/817"},
		{"java", "354afe16-939a-4ea8-8e17-8bb0840b6886", 10, 4, "https://github.com/Blizzard/node-rdkafka/issues/616"},
		{"librdkafka", "354afe16-939a-4ea8-8e17-8bb0840b6886", 10, 9, "https://github.com/Blizzard/node-rdkafka/issues/616"},
		{"java", "f562ac3b-2224-4e25-a0ab-56094e10c239", 10, 5, "https://github.com/Blizzard/node-rdkafka/issues/616"},
		{"librdkafka", "f562ac3b-2224-4e25-a0ab-56094e10c239", 10, 6, "https://github.com/Blizzard/node-rdkafka/issues/616"},
		{"java", struct_, 50, 40, "https://github.com/confluentinc/confluent-kafka-python/issues/1481"},
		{"librdkafka", struct_, 50, 36, "https://github.com/confluentinc/confluent-kafka-python/issues/1481"},
		{"librdkafka", "test", 840, 76, "https://github.com/twmb/franz-go/issues/669"},
		{"librdkafka", "593b1335-381e-4281-b339-6c85cf06266a", 9, 5, "https://github.com/IBM/sarama/issues/1213"},
		{"librdkafka", "53aaab45-67b3-468a-a9a7-b74c46868bd1", 9, 0, "https://github.com/IBM/sarama/issues/1213"},
		{"librdkafka", "f63d51ca-e9c9-4703-987b-8d83c1efdf20", 9, 7, "https://github.com/IBM/sarama/issues/1213"},
		{"librdkafka", "d4279299-34c6-40a4-8796-ac6ece9385cb", 9, 8, "https://github.com/IBM/sarama/issues/1213"},
		{"librdkafka", "66b91fdb-f1a0-458b-a8c6-cde77465c4f3", 9, 4, "https://github.com/IBM/sarama/issues/1213"},
		{"librdkafka", "d4eeeb1b-8c45-4250-9c2c-131b38208ee8", 9, 5, "https://github.com/IBM/sarama/issues/1213"},

		// Published as what Murmur2Random gives in .NET: 12. That is crc32, the setting
		// was not in force.
		{"librdkafka-murmur2-random", rms, 30, 13, "https://github.com/confluentinc/confluent-kafka-dotnet/issues/1729"},
		{"java", rms, 30, 13, "https://github.com/confluentinc/confluent-kafka-dotnet/issues/1729"},
		{"librdkafka", rms, 30, 12, "https://github.com/confluentinc/confluent-kafka-dotnet/issues/1729"},
	} {
		if got := lookup(t, row.client).Place([]byte(row.key), row.n); got != partition.Placement(row.want) {
			t.Errorf("%s %q, n=%d: got %v, want %d (%s)", row.client, row.key, row.n, got, row.want, row.source)
		}
	}
}

// TestPublishedClaimsThatAreWrong asserts that two rules often given for Java are
// not Java's, and why nobody noticed.
func TestPublishedClaimsThatAreWrong(t *testing.T) {
	java, unmasked := lookup(t, "java"), lookup(t, "unmasked-murmur2")

	// "The seed is enough" (node-sinek issue 39) leaves out the mask. Its example
	// has a positive hash, which hides that.
	if a, b := java.Place([]byte("wu"), 10), unmasked.Place([]byte("wu"), 10); a != b {
		t.Errorf("wu, n=10: java %v, unmasked %v; the published example agrees", a, b)
	}
	if a, b := java.Place([]byte("21"), 10), unmasked.Place([]byte("21"), 10); a == b {
		t.Errorf("21, n=10: java and unmasked both give %v, but its hash is negative", a)
	}

	// "Java uses abs(hash) % n" (librdkafka pull request 1816, sarama 1114).
	negative, agree := 0, 0
	for i := range 1000 {
		key := "user-" + strconv.Itoa(i)
		h := int64(hash(t, "java", key))
		abs := partition.Placement(max(h, -h) % 12)
		got := java.Place([]byte(key), 12)
		switch {
		case h >= 0 && got != abs:
			t.Errorf("%s: java gives %v for a positive hash, the absolute value %v", key, got, abs)
		case h < 0:
			negative++
			if got == abs {
				agree++
			}
		}
	}
	if negative < 400 || agree > negative/4 {
		t.Errorf("absolute value agrees with java for %d of %d negative hashes, which is more than chance", agree, negative)
	}
}

// TestAgreementOfClients asserts how often pairs of clients agree on the 20,000
// keys user-0, user-1, …: as often as chance would have it, unless they share a
// hash.
func TestAgreementOfClients(t *testing.T) {
	const keys = 20000
	for _, row := range []struct {
		a, b string
		n    int
		want float64
	}{
		{"java", "librdkafka", 12, 0.0853},
		{"java", "sarama", 12, 0.0878},
		{"java", "sarama-reference", 12, 0.0865},
		{"java", "kafkajs-legacy", 12, 0.0842},
		{"java", "unmasked-murmur2", 12, 0.4991},
		{"java", "unmasked-murmur2", 16, 1.0000},
		{"java", "kafkajs", 12, 1.0000},
		{"sarama", "sarama-reference", 6, 0.6737},
		{"sarama", "sarama-reference", 12, 0.5917},
		{"sarama", "sarama-reference", 50, 0.5281},
	} {
		// Half a unit of the last published digit, and what doubles lose.
		if got := agreement(t, row.a, row.b, row.n, keys); math.Abs(got-row.want) > .00005+1e-9 {
			t.Errorf("%s and %s, n=%d: agree for %.5f of keys, want %.4f", row.a, row.b, row.n, got, row.want)
		}
	}
	for _, other := range []string{"librdkafka", "sarama", "sarama-reference", "kafkajs-legacy"} {
		got := math.Round(agreement(t, "java", other, 16, keys)*1e4) / 1e4
		if got < .0607 || got > .0649 {
			t.Errorf("java and %s, n=16: agree for %.4f of keys, want .0607 to .0649", other, got)
		}
	}
}

// agreement returns the share of keys that two clients place alike.
func agreement(t *testing.T, a, b string, n, keys int) float64 {
	t.Helper()
	first, second := lookup(t, a), lookup(t, b)
	same := 0
	for i := range keys {
		key := []byte("user-" + strconv.Itoa(i))
		if first.Place(key, n) == second.Place(key, n) {
			same++
		}
	}
	return float64(same) / float64(keys)
}
