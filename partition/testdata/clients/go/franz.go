package main

import (
	"hash/fnv"
	"log"

	"github.com/twmb/franz-go/pkg/kgo"
)

func franzPresets() []preset {
	// Without options, to get what a user gets who sets none. It connects to nobody
	// before it is used.
	client, err := kgo.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	standard, ok := client.OptValue(kgo.RecordPartitioner).(kgo.Partitioner)
	if !ok {
		log.Fatal("franz-go does not tell its default partitioner")
	}
	client.Close()
	// This hasher takes any hash; its documentation names this one.
	fnv1a := func(key []byte) uint32 {
		h := fnv.New32a()
		h.Write(key)
		return h.Sum32()
	}
	return []preset{
		franzPreset("franz-go", "murmur2, mask", standard),
		franzPreset("franz-go-sarama-hasher", "fnv1a, unsigned", kgo.StickyKeyPartitioner(kgo.SaramaHasher(fnv1a))),
	}
}

func franzPreset(name, algorithm string, partitioner kgo.Partitioner) preset {
	p := partitioner.ForTopic("topic")
	// Larger than the batch of the default, which changes partition after 64 KiB of
	// keyless records: each call must choose anew.
	value := make([]byte, 128<<10)
	return preset{
		name: name, module: "github.com/twmb/franz-go", algorithm: algorithm,
		partition: func(key []byte, n int) int {
			if sticky, ok := p.(kgo.TopicPartitionerOnNewBatch); ok {
				sticky.OnNewBatch()
			}
			record := &kgo.Record{Key: key, Value: value}
			if adaptive, ok := p.(kgo.TopicBackupPartitioner); ok {
				return adaptive.PartitionByBackup(record, n, &idle{n})
			}
			return p.Partition(record, n)
		},
	}
}

// idle tells an adaptive partitioner that nothing waits in any partition.
type idle struct{ rest int }

func (i *idle) Rem() int { return i.rest }

func (i *idle) Next() (int, int64) {
	i.rest--
	return i.rest, 0
}
