// Package workload answers what is fed into everything else: which keys there
// are, how many records and bytes each has, and whose they are.
//
// Call [Open] for a file or standard input, then [Read] to turn it into a table
// of distinct keys with exact counts:
//
//	in, err := workload.Open("orders.csv.gz", os.Stdin)
//	...
//	defer in.Close()
//	keys, summary, err := workload.Read(in, "orders.csv.gz", workload.Options{})
//
// The format is detected, or named in the options: bare keys (one a line), CSV and
// TSV with or without a header, JSON objects, Parquet, and what uniq -c, kcat, rpk
// and kafka-console-consumer print; see [Format]. [Samples] hands out which key was
// read from which partition, where an input says so. [ReadLoads] reads what tools
// and exporters say of partitions without keys, and [ReadEither] whichever of the
// two an input has. Whoever has keys from elsewhere counts them with a [Counter];
// whoever wants bare keys one by one, in order and uncounted, ranges over [Lines].
//
// Left out: where a key lands (see the package partition), and the order and
// time of a trace, which Read sums up and forgets.
package workload
