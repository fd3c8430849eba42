package partition_test

import (
	"strings"
	"testing"

	"github.com/keyspread/keyspread/partition"
)

// TestKinesisKeyLength asserts that Kinesis counts characters: 256 are allowed,
// however many bytes they take.
func TestKinesisKeyLength(t *testing.T) {
	kinesis, err := partition.Lookup("kinesis")
	if err != nil {
		t.Fatal(err)
	}
	for text, allowed := range map[string]bool{
		strings.Repeat("a", 256): true, strings.Repeat("a", 257): false,
		strings.Repeat("é", 256): true, strings.Repeat("é", 257): false,
	} {
		if got := kinesis.Place([]byte(text), 12); got.Decided() != allowed {
			t.Errorf("%d bytes: %v, want allowed %v (%s)", len(text), got, allowed, kinesis.Why([]byte(text)))
		}
	}
}

// TestSystemLimits asserts which systems cannot have so many partitions.
func TestSystemLimits(t *testing.T) {
	for _, row := range []struct {
		client string
		n      int
		want   string
	}{
		{"flink", 32768, ""}, {"flink", 32769, "flink has at most 32768 subtasks, not 32769"},
		{"redis-cluster", 16384, ""}, {"redis-cluster", 16385, "redis-cluster has at most 16384 nodes, not 16385"},
		{"java", partition.MaxPartitions, ""}, {"java", 0, "out of range"},
	} {
		c, err := partition.Lookup(row.client)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Allows(row.n); (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s with %d: %v, want %q", row.client, row.n, err, row.want)
		}
	}
}
