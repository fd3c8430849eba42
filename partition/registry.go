package partition

// Where the mappings are defined.
const (
	kafkaSource      = "https://github.com/apache/kafka/blob/trunk/clients/src/main/java/org/apache/kafka/clients/producer/internals/BuiltInPartitioner.java"
	librdkafkaSource = "https://github.com/confluentinc/librdkafka/blob/master/src/rdkafka_msg.c"
	franzSource      = "https://github.com/twmb/franz-go/blob/master/pkg/kgo/partitioner.go"
	saramaSource     = "https://github.com/IBM/sarama/blob/main/partitioner.go"
	kafkaGoSource    = "https://github.com/segmentio/kafka-go/blob/main/balancer.go"
	kafkaJSSource    = "https://github.com/tulios/kafkajs/tree/master/src/producer/partitioners"
)

// Notes that several presets share.
const (
	lingerNote = "records without a key share one random partition for sticky.partitioning.linger.ms, then another; a custom partitioner callback never sees a null key while that setting is above 0"
	indexNote  = "returns the index into the list of partitions it is given, not the partition id: equal only when ids are 0..n-1 (kafka-go issue 581)"
	nodeNote   = "which node holds a range is configuration in a real cluster; the number here is an equal split, our convention"
)

// registry holds every preset, in the order in which they are listed. A new
// client is one entry here and its vectors in testdata.
var registry = []Client{
	{
		Name: "java", Aliases: []string{"kafka-streams", "ksqldb", "spring-kafka"},
		Hash: murmur2Hash, Reduction: mask, Null: Sticky,
		Default: true, Checked: Run, Version: "4.4.0", Source: kafkaSource,
		Notes: []string{
			"order of precedence: the record's own partition, partitioner.class, the key's hash unless partitioner.ignore.keys=true, else sticky; RoundRobinPartitioner and UniformStickyPartitioner ignore the key",
			"null keys: round robin up to 2.3, one partition per batch in 2.4 to 3.2 (KIP-480), one partition per batch.size bytes from 3.3 (KIP-794)",
			"Kafka Streams partitions windowed keys by the inner key only",
		},
	},
	{
		Name:    "librdkafka",
		Aliases: []string{"confluent-python", "confluent-kafka-python", "confluent-go", "confluent-kafka-go", "confluent-dotnet", "confluent-kafka-dotnet", "node-rdkafka", "karafka", "rust-rdkafka", "php-rdkafka"},
		Hash:    crc32Hash, Reduction: unsigned, Null: StickyRandom, Empty: StickyRandom,
		Default: true, Option: "partitioner=consistent_random", Checked: Run, Version: "2.0.2, 2.16.0", Source: librdkafkaSource,
		Notes: []string{
			"empty keys are spread like null keys: " + lingerNote,
			"in some wrappers partitioner is a topic property and silently ignored elsewhere; rust-rdkafka and php-rdkafka pass configuration through (not verified)",
		},
	},
	{
		Name: "librdkafka-consistent", Hash: crc32Hash, Reduction: unsigned, Null: PartitionZero, Empty: PartitionZero,
		Option: "partitioner=consistent", Checked: Run, Version: "2.0.2, 2.16.0", Source: librdkafkaSource,
	},
	{
		Name: "librdkafka-murmur2", Hash: murmur2Hash, Reduction: mask, Null: Hashed,
		Option: "partitioner=murmur2", Checked: Run, Version: "2.0.2, 2.16.0", Source: librdkafkaSource,
		Caveats: []string{"null keys all go to the partition of the empty key; murmur2_random is the Java-compatible choice"},
	},
	{
		Name: "librdkafka-murmur2-random", Hash: murmur2Hash, Reduction: mask, Null: StickyRandom,
		Option: "partitioner=murmur2_random", Checked: Run, Version: "2.0.2, 2.16.0", Source: librdkafkaSource,
		Notes: []string{
			"the Java-compatible choice; empty keys, spread by the default, then share one partition (librdkafka issue 4510)",
			lingerNote,
		},
	},
	{
		Name: "librdkafka-fnv1a", Hash: fnv1aHash, Reduction: absBefore, Null: Hashed,
		Option: "partitioner=fnv1a", Checked: Run, Version: "2.0.2, 2.16.0", Source: librdkafkaSource,
	},
	{
		Name: "librdkafka-fnv1a-random", Hash: fnv1aHash, Reduction: absBefore, Null: StickyRandom,
		Option: "partitioner=fnv1a_random", Checked: Run, Version: "2.0.2, 2.16.0", Source: librdkafkaSource,
		Notes: []string{lingerNote},
	},
	{
		Name: "franz-go", Hash: murmur2Hash, Reduction: mask, Null: Sticky,
		Default: true, Option: "UniformBytesPartitioner", Checked: Run, Version: "1.22.3", Source: franzSource,
		Notes: []string{"null keys stay on a partition for 64 KiB, then go to another, rather one with little waiting (adaptive)"},
	},
	{
		Name: "franz-go-sarama-hasher", Hash: fnv1aHash, Reduction: unsigned, Null: Sticky,
		Option: "StickyKeyPartitioner(SaramaHasher(fnv))", Checked: Run, Version: "1.22.3", Source: franzSource,
		Caveats: []string{"does not do what sarama does (SaramaCompatHasher does); this is its answer on 64-bit platforms, a 32-bit one converts to int and picks others"},
	},
	{
		Name: "sarama", Hash: fnv1aHash, Reduction: absAfter, Null: Random,
		Default: true, Option: "NewHashPartitioner", Checked: Run, Version: "1.61.1", Source: saramaSource,
		Notes: []string{
			"ByteEncoder(nil) and StringEncoder(\"\") are not null keys: they hash as the empty key",
			"NewCustomHashPartitioner(crc32.NewIEEE) is crc32 with abs-after, which is not librdkafka's mapping",
		},
	},
	{
		Name: "sarama-reference", Hash: fnv1aHash, Reduction: mask, Null: Random,
		Option: "NewReferenceHashPartitioner", Checked: Run, Version: "1.61.1", Source: saramaSource,
		Caveats: []string{"takes the sign rule of the Java client but keeps FNV: it does not agree with java"},
	},
	{
		Name: "sarama-crc32", Hash: crc32Hash, Reduction: unsigned, Null: Random, Empty: PartitionZero,
		Option: "NewConsistentCRCHashPartitioner", Checked: Run, Version: "1.61.1", Source: saramaSource,
	},
	{
		Name: "sarama-murmur2", Hash: murmur2Hash, Reduction: mask, Null: Random,
		Option: "NewMurmur2Partitioner", Checked: Run, Version: "1.61.1", Source: saramaSource,
	},
	{
		Name: "kafka-go", Hash: Hash{Name: "none"}, Reduction: Reduction{Name: "none", Formula: "the key is not used"},
		Null: RoundRobin, Empty: RoundRobin, Keyed: RoundRobin,
		Default: true, Option: "RoundRobin", Checked: Run, Version: "0.4.51", Source: kafkaGoSource,
		Caveats: []string{"ignores the key: balance looks perfect and the order of a key's records is not kept"},
	},
	{
		Name: "kafka-go-hash", Hash: fnv1aHash, Reduction: absAfter, Null: RoundRobin,
		Option: "Hash", Checked: Run, Version: "0.4.51", Source: kafkaGoSource, Caveats: []string{indexNote},
	},
	{
		Name: "kafka-go-reference", Hash: fnv1aHash, Reduction: mask, Null: Random,
		Option: "ReferenceHash", Checked: Run, Version: "0.4.51", Source: kafkaGoSource, Caveats: []string{indexNote},
	},
	{
		Name: "kafka-go-crc32", Hash: crc32Hash, Reduction: unsigned, Null: Random, Empty: Random,
		Option: "CRC32Balancer{}", Checked: Run, Version: "0.4.51", Source: kafkaGoSource,
	},
	{
		Name: "kafka-go-crc32-consistent", Hash: crc32Hash, Reduction: unsigned, Null: PartitionZero, Empty: PartitionZero,
		Option: "CRC32Balancer{Consistent: true}", Checked: Run, Version: "0.4.51", Source: kafkaGoSource,
	},
	{
		Name: "kafka-go-murmur2", Hash: murmur2Hash, Reduction: mask, Null: Random,
		Option: "Murmur2Balancer{}", Checked: Run, Version: "0.4.51", Source: kafkaGoSource,
	},
	{
		Name: "kafka-go-murmur2-consistent", Hash: murmur2Hash, Reduction: mask, Null: Hashed,
		Option: "Murmur2Balancer{Consistent: true}", Checked: Run, Version: "0.4.51", Source: kafkaGoSource,
	},
	{
		Name: "kafka-python", Hash: murmur2Hash, Reduction: mask, Null: RandomAvailable,
		Default: true, Checked: Run, Version: "3.0.12", Source: "https://github.com/dpkp/kafka-python/blob/master/kafka/partitioner/default.py",
	},
	{
		Name: "aiokafka", Hash: murmur2Hash, Reduction: mask, Null: RandomAvailable,
		Default: true, Checked: Run, Version: "0.14.0", Source: "https://github.com/aio-libs/aiokafka/blob/master/aiokafka/partitioner.py",
	},
	{
		Name: "kafkajs", Hash: murmur2Hash, Reduction: mask, Null: RoundRobin,
		Default: true, Option: "DefaultPartitioner (2.x), JavaCompatiblePartitioner (1.x)", Checked: Run, Version: "2.2.4", Source: kafkaJSSource,
	},
	{
		Name: "kafkajs-legacy", Hash: word("kafkajs-float", 32, kafkaJSFloat), Reduction: mask, Null: RoundRobin,
		Option: "DefaultPartitioner (1.x), LegacyPartitioner (2.x)", Checked: Run, Version: "1.16.0, 2.2.4", Source: kafkaJSSource,
		Notes: []string{"the default of KafkaJS 1.x; moving to 2.x without LegacyPartitioner moves almost every key"},
	},
	{
		Name: "ruby-kafka", Hash: crc32Hash, Reduction: unsigned, Null: Random, Empty: PartitionZero,
		Default: true, Checked: Run, Version: "1.5.0, zlib of Ruby 3.1.2", Source: "https://github.com/zendesk/ruby-kafka/blob/master/lib/kafka/partitioner.rb",
		Notes: []string{"hash_function: :murmur2 is murmur2 with mask (preset java)"},
	},
	{
		Name: "spring-hashcode", Hash: word("javahash", 32, javaStringHash), Reduction: zeroMinAbs, Null: Refused, Text: true,
		Option: "Spring Cloud Stream with a partition key expression", Checked: Run, Version: "5.0.4",
		Source: "https://github.com/spring-cloud/spring-cloud-stream/blob/main/core/spring-cloud-stream/src/main/java/org/springframework/cloud/stream/binder/PartitionHandler.java",
		Notes:  []string{"Spring Cloud Stream's default selector when a partition key expression is set; a null partition key is an error there"},
	},
	{
		Name: "unmasked-murmur2", Hash: murmur2Hash, Reduction: unsigned, Null: Random,
		Option: "a bug, not a choice", Checked: Run, Source: "https://github.com/confluentinc/librdkafka/pull/1816",
		Caveats: []string{"murmur2 without Java's sign mask, found in several clients; differs from java for half of all keys unless the partition count is a power of two"},
	},
	{
		Name: "pulsar-java", System: "Pulsar", Hash: word("javahash", 32, javaStringHash), Reduction: mask, Null: RoundRobin, Text: true,
		Default: true, Option: "JavaStringHash", Checked: Run, Version: "5.0.1",
		Source: "https://github.com/apache/pulsar/blob/master/pulsar-client/src/main/java/org/apache/pulsar/client/impl/JavaStringHash.java",
		Notes:  []string{"a binary key (keyBytes) is hashed as its Base64 text, as is done here with the key encodings int32, int64 and uuid", "the C++ and Python clients default to another hash; Murmur3Hash, an option of all of them, agrees everywhere"},
	},
	{
		Name: "pulsar-go", System: "Pulsar", Hash: word("javahash-utf8", 32, pulsarGoHash), Reduction: unsigned, Null: RoundRobin, Empty: RoundRobin,
		Default: true, Option: "JavaStringHash", Checked: Run, Version: "0.19.0",
		Source:  "https://github.com/apache/pulsar-client-go/blob/master/pulsar/internal/hash.go",
		Caveats: []string{"differs from pulsar-java for text outside ASCII, and where the hash has its top bit set unless the partition count is a power of two"},
	},
	{
		Name: "flink", System: "Flink", Unit: "subtask", MaxCount: flinkMaxKeyGroups,
		Hash: flinkOf("javahash", javaStringHash), Reduction: flinkSubtask, Null: Refused, Text: true,
		Default: true, Checked: Run, Version: "2.3.0",
		Source:  "https://github.com/apache/flink/blob/master/flink-runtime/src/main/java/org/apache/flink/runtime/state/KeyGroupRangeAssignment.java",
		Caveats: []string{"--partitions is the parallelism, with the default maximum parallelism; the key is a Java String, or a Long, Integer or UUID with that --key-encoding"},
	},
	{
		Name: "kinesis", System: "Kinesis", Unit: "shard", Hash: md5Hash, Reduction: evenRanges, Null: Refused, Empty: Refused, Text: true, MaxRunes: 256,
		Default: true, Checked: Doc,
		Source:  "https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecordsRequestEntry.html",
		Caveats: []string{"shards of equal width, as before the first split or merge; an explicit hash key overrides the partition key"},
	},
	{
		Name: "redis-cluster", System: "Redis Cluster", Unit: "node", MaxCount: RedisSlots, Hash: word("crc16-tag", 14, redisSlot), Reduction: evenSlots, Null: Refused,
		Default: true, Checked: Run, Version: "7.0.15", Source: "https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/",
		Caveats: []string{nodeNote},
	},
	{
		Name: "cassandra", System: "Cassandra", Unit: "node", Hash: cassandraHash, Reduction: evenTokens, Null: Refused,
		Default: true, Option: "Murmur3Partitioner", Checked: Run, Version: "gocql 1.7.0",
		Source:  "https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/dht/Murmur3Partitioner.java",
		Caveats: []string{nodeNote},
		Notes:   []string{"the empty key has the minimum token on the server; the Go driver says 0"},
	},
}

func init() {
	for i := range registry {
		c := &registry[i]
		if c.System == "" {
			c.System = "Kafka"
		}
		if c.Unit == "" {
			c.Unit = "partition"
		}
	}
}
