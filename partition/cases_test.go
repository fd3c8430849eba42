package partition_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/partition"
)

// at returns the placements of keys at one partition count, as in "6 8 1 any".
func at(t *testing.T, client string, n int, keys ...string) string {
	t.Helper()
	c, err := partition.Lookup(client)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, key := range keys {
		p := c.Place([]byte(key), n)
		if !p.Decided() {
			list = append(list, "any")
			continue
		}
		list = append(list, p.String())
	}
	return strings.Join(list, " ")
}

// A publicCase is a mapping that somebody reported.
type publicCase struct {
	id, url string
	n       int
	keys    []string
	want    map[string]string // client → partitions
}

var publicCases = []publicCase{
	{
		"M03", "https://www.confluent.io/blog/standardized-hashing-across-java-and-non-java-producers/", 6,
		[]string{"my_key_1", "my_key_2", "my_key_3", "my_key_4"},
		map[string]string{"java": "0 4 5 2", "librdkafka": "2 2 2 5", "sarama": "1 2 3 2"},
	},
	{
		"M04", "https://github.com/tulios/kafkajs/issues/1154", 15,
		[]string{"TT0124"},
		map[string]string{"java": "10", "kafkajs": "10", "librdkafka": "9", "unmasked-murmur2": "3", "sarama": "2"},
	},
	{
		"M05", "https://github.com/nodefluent/node-sinek/issues/39", 10,
		[]string{"wu"},
		map[string]string{"java": "0"}, // a client without Kafka's seed gave 5
	},
	{
		"M06", "https://github.com/Blizzard/node-rdkafka/issues/616", 10,
		[]string{"354afe16-939a-4ea8-8e17-8bb0840b6886", "f562ac3b-2224-4e25-a0ab-56094e10c239"},
		map[string]string{"java": "4 5", "node-rdkafka": "9 6"},
	},
	{
		"M07", "https://github.com/Blizzard/node-rdkafka/issues/817", 32,
		[]string{"fd7af248-ce5c-46a5-93d7-1c0c9005b99d"},
		// 32 is a power of two, which hides a missing sign mask.
		map[string]string{"java": "26", "node-rdkafka": "23", "unmasked-murmur2": "26"},
	},
	{
		"M08", "https://github.com/tulios/kafkajs/issues/357", 12,
		[]string{"100:48069"},
		// crc32 agrees with the old KafkaJS here by accident.
		map[string]string{"java": "9", "kafkajs-legacy": "6", "librdkafka": "6"},
	},
	{
		"M09", "https://github.com/confluentinc/librdkafka/blob/master/tests/0048-partitioner.c", 17,
		[]string{"", "23456", "this is another string with more length to it perhaps", "hejsan"},
		map[string]string{
			"librdkafka-murmur2": "11 9 11 5", "librdkafka-murmur2-random": "11 9 11 5",
			"librdkafka-consistent": "0 7 15 14", "librdkafka": "any 7 15 14",
			"librdkafka-fnv1a": "0 6 0 4", "librdkafka-fnv1a-random": "0 6 0 4",
		},
	},
	{
		"M09", "https://github.com/confluentinc/librdkafka/blob/master/tests/0048-partitioner.c", 7,
		[]string{"", "23456", "this is another string with more length to it perhaps", "hejsan"},
		map[string]string{
			"librdkafka-murmur2": "2 5 1 6", "librdkafka-murmur2-random": "2 5 1 6",
			"librdkafka-consistent": "0 5 6 3", "librdkafka": "any 5 6 3",
			"librdkafka-fnv1a": "2 5 6 3", "librdkafka-fnv1a-random": "2 5 6 3",
		},
	},
	{
		"M14", "https://github.com/tednaleid/kotlin-scripts/blob/master/scripts/kafkapartition.main.kts", 10,
		[]string{"1000", "1001", "1002", "1003", "1004"},
		map[string]string{"java": "6 8 1 3 2"},
	},
	{
		"M18", "https://github.com/confluentinc/kafka-rest/issues/610", 3,
		[]string{"A", "B", "C"},
		map[string]string{"java": "1 1 1"},
	},
	{
		"M18, quoted", "https://github.com/confluentinc/kafka-rest/issues/610", 3,
		[]string{`"A"`, `"B"`, `"C"`},
		map[string]string{"java": "2 2 1"},
	},
	{
		"M22", "https://github.com/spring-cloud/spring-cloud-stream/issues/2467", 12,
		[]string{"foo1", "bar1", "qux1", "foo2", "bar2", "qux2", "foo3", "bar3", "qux3", "foo4", "bar4", "qux4"},
		map[string]string{"spring-hashcode": "7 10 9 8 11 10 9 0 11 10 1 0", "java": "7 3 3 0 2 3 6 5 6 0 2 1"},
	},
}

// TestPublicCases asserts mappings that were reported in public.
func TestPublicCases(t *testing.T) {
	for _, c := range publicCases {
		for client, want := range c.want {
			if got := at(t, client, c.n, c.keys...); got != want {
				t.Errorf("%s (%s): %s at %d: got %s, want %s", c.id, c.url, client, c.n, got, want)
			}
		}
	}
}

// TestM09NullKey asserts the null-key column of librdkafka's own test.
// https://github.com/confluentinc/librdkafka/blob/master/tests/0048-partitioner.c
func TestM09NullKey(t *testing.T) {
	for _, row := range []struct {
		client  string
		n       int
		want    partition.Placement
		decided bool
	}{
		{"librdkafka-murmur2", 17, 11, true}, {"librdkafka-murmur2", 7, 2, true},
		{"librdkafka-consistent", 17, 0, true}, {"librdkafka-consistent", 7, 0, true},
		{"librdkafka-fnv1a", 17, 0, true}, {"librdkafka-fnv1a", 7, 2, true},
		{"librdkafka", 17, 0, false}, {"librdkafka-murmur2-random", 17, 0, false}, {"librdkafka-fnv1a-random", 17, 0, false},
	} {
		c, err := partition.Lookup(row.client)
		if err != nil {
			t.Fatal(err)
		}
		got := c.Place(nil, row.n)
		if got.Decided() != row.decided || row.decided && got != row.want {
			t.Errorf("%s, null key at %d: got %v", row.client, row.n, got)
		}
	}
}

// TestM10EmptyKey asserts what switching librdkafka to murmur2_random does to
// keys of zero bytes: they were spread at random and then share one partition.
// https://github.com/confluentinc/librdkafka/issues/4510
func TestM10EmptyKey(t *testing.T) {
	for n, want := range map[int]string{7: "2", 10: "1", 17: "11"} {
		for client, want := range map[string]string{
			"librdkafka-murmur2-random": want, "java": want, "franz-go": want, "sarama-murmur2": want,
			"librdkafka": "any", "kafka-go-crc32": "any",
		} {
			if got := at(t, client, n, ""); got != want {
				t.Errorf("%s, empty key at %d: got %s, want %s", client, n, got, want)
			}
		}
	}
}

// TestM11KafkaVectors asserts the vectors of Kafka's own unit test, also as
// requirement W-K1 has them.
// https://github.com/apache/kafka/blob/trunk/clients/src/test/java/org/apache/kafka/common/utils/UtilsTest.java
func TestM11KafkaVectors(t *testing.T) {
	murmur2(t, map[string]int32{
		"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536,
		"a-little-bit-longer-string":                       -1486304829,
		"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
		"abc": 479470107,
	})
}

// TestM12KafkaJSVectors asserts the Java-generated vectors that KafkaJS uses, and
// what KafkaJS's own legacy table calls murmur2.
// https://github.com/tulios/kafkajs
func TestM12KafkaJSVectors(t *testing.T) {
	murmur2(t, map[string]int32{
		"0": 971027396, "1": -1993445489, "128": -326012175, "2187": -1508407203,
		"16384": -325739742, "78125": -1654490814, "279936": 1462227128, "823543": -2014198330,
	})
	legacy, err := partition.Lookup("kafkajs-legacy")
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := legacy.Digest([]byte("0")); int32(d.Lo) != 272173970 {
		t.Errorf("kafkajs-legacy of 0: got %d, want 272173970", int32(d.Lo))
	}
}

func murmur2(t *testing.T, vectors map[string]int32) {
	t.Helper()
	for key, want := range vectors {
		if got := int32(partition.Murmur2([]byte(key))); got != want {
			t.Errorf("murmur2 of %q: got %d, want %d", key, got, want)
		}
	}
}

// TestWK1 asserts requirement W-K1: murmur2 and its partitions for four users.
func TestWK1(t *testing.T) {
	murmur2(t, map[string]int32{
		"user-1042": -507326824, "user-8831": 951251751, "user-2207": -116701837, "user-77519": 1141152774,
	})
	users := []string{"user-1042", "user-8831", "user-2207", "user-77519"}
	for n, want := range map[int]string{6: "4 3 1 0", 12: "4 3 7 6"} {
		if got := at(t, "java", n, users...); got != want {
			t.Errorf("at %d: got %s, want %s", n, got, want)
		}
	}
}

// TestWK2 asserts requirement W-K2: CRC-32 modulo 6 for four users, and for the
// salts of one of them beside murmur2.
func TestWK2(t *testing.T) {
	if got, want := at(t, "librdkafka", 6, "user-1042", "user-8831", "user-2207", "user-77519"), "3 4 4 0"; got != want {
		t.Errorf("crc32: got %s, want %s", got, want)
	}
	var salted []string
	for i := range 12 {
		salted = append(salted, fmt.Sprintf("user-8831#%d", i))
	}
	for client, want := range map[string]string{
		"librdkafka": "4 4 0 4 5 5 5 1 4 4 5 5",
		"java":       "3 4 1 5 1 5 3 2 5 1 2 1",
	} {
		if got := at(t, client, 6, salted...); got != want {
			t.Errorf("%s: got %s, want %s", client, got, want)
		}
	}
}
