package partition_test

import (
	"strings"
	"testing"

	"github.com/keyspread/keyspread/partition"
)

// threeShards is a stream of three even shards of which the last was split: the
// closed parent and its children stand in the list, too.
const threeShards = `{"Shards": [
 {"ShardId": "shardId-000000000002", "HashKeyRange": {"StartingHashKey": "226854911280625642308916404954512140970", "EndingHashKey": "340282366920938463463374607431768211455"}, "SequenceNumberRange": {"StartingSequenceNumber": "1", "EndingSequenceNumber": "2"}},
 {"ShardId": "shardId-000000000004", "HashKeyRange": {"StartingHashKey": "300000000000000000000000000000000000000", "EndingHashKey": "340282366920938463463374607431768211455"}, "SequenceNumberRange": {"StartingSequenceNumber": "3"}},
 {"ShardId": "shardId-000000000000", "HashKeyRange": {"StartingHashKey": "0", "EndingHashKey": "113427455640312821154458202477256070484"}, "SequenceNumberRange": {"StartingSequenceNumber": "1"}},
 {"ShardId": "shardId-000000000001", "HashKeyRange": {"StartingHashKey": "113427455640312821154458202477256070485", "EndingHashKey": "226854911280625642308916404954512140969"}, "SequenceNumberRange": {"StartingSequenceNumber": "1"}},
 {"ShardId": "shardId-000000000003", "HashKeyRange": {"StartingHashKey": "226854911280625642308916404954512140970", "EndingHashKey": "299999999999999999999999999999999999999"}, "SequenceNumberRange": {"StartingSequenceNumber": "3"}}
]}`

func TestKinesisShards(t *testing.T) {
	stream, n, err := partition.KinesisShards(strings.NewReader(threeShards))
	if err != nil {
		t.Fatal(err)
	}
	if n != 4 {
		t.Fatalf("got %d open shards, want 4", n)
	}
	// Shards of the MD5 sums in the comments, found with other software.
	for key, want := range map[string]partition.Placement{
		"user-1042": 0, // 32fc35f42c0d7b1b2d0340811be7d809
		"c":         0, // 4a8a08f09d37b73795649038408b5f33
		"b":         1, // 92eb5ffee6ae2fec3ad71c777531578f
		"d":         1, // 8277e0910d750195b448797616e091ad
		"e":         2, // e1671797c52e15f763380b45e841ec32
		"z":         3, // fbade9e36a3f36d3d676c1b808451dd7
	} {
		if got := stream.Place([]byte(key), n); got != want {
			t.Errorf("%s: got shard %v, want %v", key, got, want)
		}
	}
}

func TestKinesisShardsRefused(t *testing.T) {
	for name, row := range map[string]struct{ json, want string }{
		"no JSON":    {"shards", "not the JSON of aws kinesis list-shards"},
		"empty":      {`{"Shards": []}`, "no open shard"},
		"gap":        {strings.Replace(threeShards, "113427455640312821154458202477256070485", "113427455640312821154458202477256070486", 1), "must cover every hash key once"},
		"incomplete": {strings.Replace(threeShards, `"SequenceNumberRange": {"StartingSequenceNumber": "3"}}`, `"SequenceNumberRange": {"EndingSequenceNumber": "4"}}`, 1), "end at 299999999999999999999999999999999999999"},
		"no number":  {`{"Shards": [{"ShardId": "s", "HashKeyRange": {"StartingHashKey": "x", "EndingHashKey": "1"}}]}`, `shard "s"`},
	} {
		if _, _, err := partition.KinesisShards(strings.NewReader(row.json)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got error %v, want %q", name, err, row.want)
		}
	}
}
