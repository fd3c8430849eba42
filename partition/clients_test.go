package partition_test

import (
	"fmt"
	"testing"

	"github.com/keyspread/keyspread/partition"
)

// TestCheckValues asserts the table of check values published with the mappings
// (partitions of four users and of the empty key at 6, 12 and 50).
func TestCheckValues(t *testing.T) {
	keys := []string{"user-1042", "user-8831", "user-2207", "user-77519", ""}
	const any = "any"
	rows := map[string][]string{
		"java":                        {"4 4 24", "3 3 1", "1 7 11", "0 6 24", "3 9 31"},
		"librdkafka-murmur2":          {"4 4 24", "3 3 1", "1 7 11", "0 6 24", "3 9 31"},
		"franz-go":                    {"4 4 24", "3 3 1", "1 7 11", "0 6 24", "3 9 31"},
		"kafkajs":                     {"4 4 24", "3 3 1", "1 7 11", "0 6 24", "3 9 31"},
		"librdkafka":                  {"3 9 15", "4 10 26", "4 10 4", "0 0 36", any},
		"librdkafka-consistent":       {"3 9 15", "4 10 26", "4 10 4", "0 0 36", "0 0 0"},
		"kafka-go-crc32":              {"3 9 15", "4 10 26", "4 10 4", "0 0 36", any},
		"ruby-kafka":                  {"3 9 15", "4 10 26", "4 10 4", "0 0 36", "0 0 0"},
		"sarama":                      {"0 6 24", "1 1 1", "4 4 18", "4 4 8", "3 3 35"},
		"kafka-go-hash":               {"0 6 24", "1 1 1", "4 4 18", "4 4 8", "3 3 35"},
		"librdkafka-fnv1a":            {"0 6 24", "1 1 1", "4 4 18", "4 4 8", "3 3 35"},
		"sarama-reference":            {"0 6 24", "1 1 1", "4 4 18", "4 4 8", "5 5 13"},
		"franz-go-sarama-hasher":      {"0 6 24", "1 1 1", "4 4 18", "4 4 8", "1 1 11"},
		"kafkajs-legacy":              {"4 4 28", "2 8 48", "1 1 39", "1 1 17", "0 0 34"},
		"spring-hashcode":             {"3 3 19", "4 4 12", "1 1 13", "5 11 47", "0 0 0"},
		"pulsar-java":                 {"3 3 19", "4 4 12", "1 1 13", "5 11 47", "0 0 0"},
		"unmasked-murmur2":            {"0 0 22", "3 3 1", "3 3 9", "0 6 24", "3 9 31"},
		"kinesis":                     {"1 2 9", "1 2 10", "1 3 12", "0 1 5", any},
		"flink":                       {"3 6 26", "5 11 48", "2 5 22", "4 9 41", "-"},
		"kafka-go-murmur2-consistent": {"4 4 24", "3 3 1", "1 7 11", "0 6 24", "3 9 31"},
	}
	for name, want := range rows {
		c, err := partition.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, key := range keys {
			if want[i] == "-" {
				continue
			}
			got := fmt.Sprint(c.Place([]byte(key), 6), c.Place([]byte(key), 12), c.Place([]byte(key), 50))
			if !c.Place([]byte(key), 6).Decided() {
				got = any
			}
			if got != want[i] {
				t.Errorf("%s %q at 6, 12, 50: got %s, want %s", name, key, got, want[i])
			}
		}
	}
}

// TestTokens asserts the published digests of the other systems.
func TestTokens(t *testing.T) {
	for _, row := range []struct{ client, key, want string }{
		{"redis-cluster", "user-1042", "2425"}, {"redis-cluster", "user-8831", "14939"},
		{"redis-cluster", "user-2207", "8356"}, {"redis-cluster", "user-77519", "10452"},
		{"redis-cluster", "{user1000}.following", "3443"}, {"redis-cluster", "foo{}{bar}", "8363"},
		{"redis-cluster", "foo{{bar}}zap", "4015"}, {"redis-cluster", "foo{bar}{zap}", "5061"},
		{"redis-cluster", "{}", "15257"}, {"redis-cluster", "", "0"},
		{"redis-cluster", "123456789", fmt.Sprint(0x31c3 & 0x3fff)},
		{"cassandra", "user-1042", "6344584631249892039"}, {"cassandra", "user-8831", "-703404319632443750"},
		{"cassandra", "user-2207", "-9019422120889895832"}, {"cassandra", "user-77519", "-5092435767349970287"},
		{"cassandra", "\xff", "-4442228696663692417"}, {"cassandra", "", "-9223372036854775808"},
	} {
		c, err := partition.Lookup(row.client)
		if err != nil {
			t.Fatal(err)
		}
		d, rule := c.Digest([]byte(row.key))
		if rule != partition.Hashed || fmt.Sprint(int64(d.Lo)) != row.want {
			t.Errorf("%s %q: got %d (%v), want %s", row.client, row.key, int64(d.Lo), rule, row.want)
		}
	}
}
