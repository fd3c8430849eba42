// Package detect answers which clients wrote a topic, from keys and the
// partitions they were read from:
//
//	d := detect.New(nil, nil, []int{12}) // every Kafka client, keys as text, 12 partitions
//	for … {
//		err := d.Add(key, isNull, partition)
//	}
//	fmt.Println(d.Verdict().Conclusion)
//
// Start with [New]. Every distinct key counts once, and every score stands beside
// the share that a mapping with nothing to do with the keys would reach. Mixes of
// up to three writers, a topic that has grown, and another key encoding are found.
//
// Left out: reading samples from a file, which the package bench/workload does,
// and from a broker.
package detect
