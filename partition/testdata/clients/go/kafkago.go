package main

import "github.com/segmentio/kafka-go"

func kafkaGoPresets(counts []int) []preset {
	// A balancer is told the ids of the partitions.
	ids := map[int][]int{}
	for _, n := range counts {
		for i := range n {
			ids[n] = append(ids[n], i)
		}
	}
	// One balancer per count, as its documentation asks: round robin counts calls.
	with := func(name, algorithm string, balancer func() kafka.Balancer) preset {
		perCount := map[int]kafka.Balancer{}
		for _, n := range counts {
			perCount[n] = balancer()
		}
		return preset{
			name: name, module: "github.com/segmentio/kafka-go", algorithm: algorithm,
			partition: func(key []byte, n int) int {
				return perCount[n].Balance(kafka.Message{Key: key}, ids[n]...)
			},
		}
	}
	return []preset{
		with("kafka-go", "key ignored", func() kafka.Balancer { return &kafka.RoundRobin{} }),
		with("kafka-go-hash", "fnv1a, abs-after", func() kafka.Balancer { return &kafka.Hash{} }),
		with("kafka-go-reference", "fnv1a, mask", func() kafka.Balancer { return &kafka.ReferenceHash{} }),
		with("kafka-go-crc32", "crc32, unsigned", func() kafka.Balancer { return kafka.CRC32Balancer{} }),
		with("kafka-go-crc32-consistent", "crc32, unsigned", func() kafka.Balancer { return kafka.CRC32Balancer{Consistent: true} }),
		with("kafka-go-murmur2", "murmur2, mask", func() kafka.Balancer { return kafka.Murmur2Balancer{} }),
		with("kafka-go-murmur2-consistent", "murmur2, mask", func() kafka.Balancer { return kafka.Murmur2Balancer{Consistent: true} }),
	}
}
