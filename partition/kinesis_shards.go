package partition

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"sort"
)

// streamRanges names a reduction to a stream's own shards.
const streamRanges = "stream-ranges"

// KinesisShards returns the kinesis preset for a stream's real shards, which are
// uneven after splits and merges, and their number. It reads the JSON that aws
// kinesis list-shards (or describe-stream) prints. Closed shards, those with an
// ending sequence number, take no records and are passed over; shards are
// numbered from 0 in the order of their hash-key ranges. It is an error if the
// ranges leave a gap, overlap or do not reach from 0 to 2^128-1.
func KinesisShards(r io.Reader) (*Client, int, error) {
	var list struct {
		Shards            []kinesisShard
		StreamDescription struct{ Shards []kinesisShard }
	}
	if err := json.NewDecoder(r).Decode(&list); err != nil {
		return nil, 0, fmt.Errorf("not the JSON of aws kinesis list-shards: %w", err)
	}
	starts, err := shardStarts(append(list.Shards, list.StreamDescription.Shards...))
	if err != nil {
		return nil, 0, err
	}
	kinesis := *byName["kinesis"]
	kinesis.Caveats = nil
	kinesis.Reduction = Reduction{
		Name:    streamRanges,
		Formula: "the open shard whose hash-key range holds u",
		Reduce: func(d Digest, _ int) int {
			return sort.Search(len(starts), func(i int) bool { return less(d, starts[i]) }) - 1
		},
	}
	return &kinesis, len(starts), nil
}

type kinesisShard struct {
	ShardID      string `json:"ShardId"`
	HashKeyRange struct{ StartingHashKey, EndingHashKey string }

	SequenceNumberRange struct{ EndingSequenceNumber *string }
}

// shardStarts returns where the open shards begin, in order.
func shardStarts(shards []kinesisShard) ([]Digest, error) {
	type span struct {
		id         string
		start, end *big.Int
	}
	var open []span
	for _, s := range shards {
		if s.SequenceNumberRange.EndingSequenceNumber != nil {
			continue
		}
		start, ok1 := new(big.Int).SetString(s.HashKeyRange.StartingHashKey, 10)
		end, ok2 := new(big.Int).SetString(s.HashKeyRange.EndingHashKey, 10)
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("shard %q: hash-key range %q to %q is not two decimal numbers", s.ShardID, s.HashKeyRange.StartingHashKey, s.HashKeyRange.EndingHashKey)
		}
		open = append(open, span{s.ShardID, start, end})
	}
	if len(open) == 0 {
		return nil, errors.New("no open shard in the list")
	}
	slices.SortFunc(open, func(a, b span) int { return a.start.Cmp(b.start) })

	var starts []Digest
	next := new(big.Int) // where the next range must start
	one := big.NewInt(1)
	for _, s := range open {
		if s.start.Cmp(next) != 0 || s.end.Cmp(s.start) < 0 {
			return nil, fmt.Errorf("shard %q covers %v to %v, want a range that starts at %v: the open shards must cover every hash key once (is the list complete?)", s.id, s.start, s.end, next)
		}
		low := new(big.Int).And(s.start, new(big.Int).SetUint64(1<<64-1))
		starts = append(starts, Digest{Hi: new(big.Int).Rsh(s.start, 64).Uint64(), Lo: low.Uint64()})
		next = new(big.Int).Add(s.end, one)
	}
	if all := new(big.Int).Lsh(one, 128); next.Cmp(all) != 0 {
		return nil, fmt.Errorf("the open shards end at %v, want 2^128-1: is the list complete?", new(big.Int).Sub(next, one))
	}
	return starts, nil
}
