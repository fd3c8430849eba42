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
// Key lists and traces are read from bare keys (one a line) and from CSV and TSV
// with or without a header, and the format is detected. Whoever has keys from
// elsewhere counts them with a [Counter]; whoever wants the keys one by one, in
// order and uncounted, ranges over [Lines].
//
// Left out: where a key lands (see the package partition), and the order and
// time of a trace, which Read sums up and forgets.
package workload
