package main

import (
	"math"
	"time"
	_ "unsafe" // for linkname

	"github.com/apache/pulsar-client-go/pulsar"
	_ "github.com/gocql/gocql"
)

// Both hashes sit in internal packages; the linker reaches them all the same.

//go:linkname pulsarHash github.com/apache/pulsar-client-go/pulsar/internal.JavaStringHash
func pulsarHash(string) uint32

//go:linkname cassandraToken github.com/gocql/gocql/internal/murmur.Murmur3H1
func cassandraToken([]byte) int64

// pulsarGo has no null key: a message without one carries the empty text.
func pulsarGo(counts []int) preset {
	// Without batching a message without key goes to the next partition each time;
	// with batching the next one comes after a while only. One router per count, as
	// for a topic each: they count messages.
	route := map[int]func(*pulsar.ProducerMessage, uint32) int{}
	for _, n := range counts {
		route[n] = pulsar.NewDefaultRouter(pulsarHash, 0, math.MaxUint32, time.Hour, true)
	}
	return preset{
		name: "pulsar-go", module: "github.com/apache/pulsar-client-go", algorithm: "31h + byte of UTF-8, unsigned",
		hash: func(key []byte) int32 { return int32(pulsarHash(string(key))) },
		partition: func(key []byte, n int) int {
			return route[n](&pulsar.ProducerMessage{Key: string(key)}, uint32(n))
		},
	}
}

func cassandra() preset {
	return preset{
		name: "cassandra", module: "github.com/gocql/gocql", algorithm: "murmur3 x64 128, first half, signed tail", unit: "token",
		value: cassandraToken,
	}
}
