// Package partition answers the first question about a Kafka key: which
// partition does it land on?
//
// Kafka's brokers do not place keyed records, clients do, and clients
// disagree. The package holds every client's mapping as a [Client] in one
// registry, so that two of them can be compared key by key without a cluster:
//
//	java, _ := partition.Lookup("java")
//	p := java.Place([]byte("user-1042"), 12) // partition 4
//	if !p.Decided() {
//		fmt.Println(p.Rule()) // sticky, random, round robin, refused
//	}
//
// Start with [Lookup] or [Clients], then [Client.Place]. To place one key at
// many partition counts hash it once with [Client.Digest] and call
// [Client.Reduce] for each count; a whole [KeyTable] is placed by [Digests], at
// many counts by [Digests.Sweep]. Keys that are not plain text are turned into
// bytes by a [KeyEncoding]. What a change of count, client or encoding moves in
// theory is a [Change]. The package detect goes the other way and says which
// client wrote observed pairs of key and partition.
//
// A nil key is Kafka's null key ("no key"); a key of length zero is an empty
// key. Clients treat the two differently and so does this package.
//
// Left out: brokers, producers' batches and time. Where a client does not
// decide from the key (it picks at random, or sticks to a partition for a
// while) the answer says so and is never a number.
package partition
