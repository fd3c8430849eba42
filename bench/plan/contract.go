// Package plan answers what a topic was promised and whether it still holds: a
// [Contract] states limits for one topic, and [Contract.Check] compares them with
// the keys that are written to it.
//
//	contracts, err := plan.Parse(file, "orders.yaml")
//	keys, _, err := workload.Read(sample, "orders.csv", workload.Options{Encoding: contracts[0].KeyEncoding})
//	verdict := contracts[0].Check(keys, plan.Options{})
//	fmt.Println(verdict.Kept)
//
// Start with [Parse]. [Options] check what a change would make of the topic: another
// partition count or another client.
//
// Left out so far: which partition count a workload needs. The package looks at
// counts and clients that somebody named; it ranks none.
package plan

import "github.com/keyspread/keyspread/partition"

// MaxPartitions is the largest partition count that a contract may name: five
// times what a cluster holds.
const MaxPartitions = 1_000_000

// A Contract is what a topic promises to those who read and write it. As YAML:
//
//	topic: orders                       # required
//	client: java                        # required
//	partitions: 12                      # required
//	keyEncoding: raw
//	maxImbalance: 1.5
//	maxKeyShare: 20 %
//	minDistinctKeys: 1000
//	allowedGrowth: [24, 48]
//	allowedClients: [franz-go, kafkajs]
//
// The first four say what the topic is, the others are limits, of which each may
// be left out. Every limit is inclusive: what is equal to it keeps the contract.
type Contract struct {
	// Topic is the name of the topic, not empty. A file holds one contract a topic.
	Topic string

	// Client is the preset of the client that writes the topic.
	Client *partition.Client

	// Partitions is the present partition count, 1…[MaxPartitions]. It is a limit,
	// too: with fewer distinct keys than partitions some stay idle whatever the
	// client does, which breaks the rule [RulePartitions] unless MinDistinctKeys is
	// stated below Partitions and so accepts it.
	Partitions int

	// KeyEncoding is how the texts of keys become bytes; raw unless stated.
	KeyEncoding partition.KeyEncoding

	// MaxImbalance is the largest load of a partition in records, as a multiple of
	// the mean load: 1 or more, 0 if not stated.
	MaxImbalance float64

	// MaxKeyShare is the largest share of the records that one key may have, in
	// (0, 1]; 0 if not stated. In YAML it is 0.2 or 20 %.
	MaxKeyShare float64

	// MinDistinctKeys is the least number of distinct keys in a sample,
	// 1…[partition.MaxKeys]; 0 if not stated. Only keys count that the client
	// places by their bytes and that have records.
	MinDistinctKeys int

	// AllowedGrowth holds the partition counts that the topic may grow to, each
	// 1…[MaxPartitions] and named once; nil if not stated. Counts up to Partitions
	// are history and allow nothing, since a topic cannot shrink.
	AllowedGrowth []int

	// AllowedClients holds the clients that may write to the topic beside Client,
	// each named once; nil if not stated. Each must place keys as Client does.
	AllowedClients []*partition.Client

	// Name is the contract's file as messages show it, and Line where the contract
	// begins in it, from 1; empty and 0 if there is no file.
	Name string
	Line int

	lines map[string]int // of fields, from 1
}

// LineOf returns the line of a field such as maxImbalance in the contract's file,
// that of the contract if the field is not stated, 0 if there is no file.
func (c *Contract) LineOf(field string) int {
	if line := c.lines[field]; line > 0 {
		return line
	}
	return c.Line
}
