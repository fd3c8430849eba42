// Package bench is the pipeline: a key source goes through a mapping into loads,
// loads into figures, and a result comes out for the reports.
//
//	keys, _, err := workload.Read(file, "keys.csv", workload.Options{})
//	client, err := partition.Lookup("java")
//	result := bench.NewSpreader(keys, client, partition.Raw).Spread(12)
//	fmt.Println(*result.Imbalance) // heaviest partition / mean
//
// Start with [NewSpreader]: how balanced are these keys over these partition
// counts? [NewChurner] answers what a change of count, client or key encoding
// moves.
//
// Its children, in the order in which data flows:
//
//	pipeline   workload   key sources and their readers
//	           metrics    figures of loads
//	decisions  plan       contracts of topics: what was promised, and is it kept
//	inputs     scenarios  real key sources, embedded
//
// Left out so far: time. Balance needs only counts, so nothing here produces
// records one by one.
package bench
