package main

import (
	"log"

	"github.com/IBM/sarama"
)

func saramaPresets() []preset {
	return []preset{
		saramaPreset("sarama", "fnv1a, abs-after", sarama.NewHashPartitioner),
		saramaPreset("sarama-reference", "fnv1a, mask", sarama.NewReferenceHashPartitioner),
		saramaPreset("sarama-crc32", "crc32, unsigned", sarama.NewConsistentCRCHashPartitioner),
		saramaPreset("sarama-murmur2", "murmur2, mask", sarama.NewMurmur2Partitioner),
	}
}

func saramaPreset(name, algorithm string, constructor sarama.PartitionerConstructor) preset {
	p := constructor("topic")
	return preset{
		name: name, module: "github.com/IBM/sarama", algorithm: algorithm,
		partition: func(key []byte, n int) int {
			m := &sarama.ProducerMessage{}
			if key != nil { // an encoder of a nil slice would be an empty key
				m.Key = sarama.ByteEncoder(key)
			}
			partition, err := p.Partition(m, int32(n))
			if err != nil {
				log.Fatal(err)
			}
			return int(partition)
		},
	}
}
