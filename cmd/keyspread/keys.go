package main

import (
	"fmt"
	"io"
	"math"
	"regexp"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/bench/scenarios"
	"github.com/keyspread/keyspread/bench/workload"
	"github.com/keyspread/keyspread/partition"
	"github.com/urfave/cli/v2"
)

// maxSyntheticKeys is how many keys a distribution may have on the command line:
// each takes about 50 bytes of memory.
const maxSyntheticKeys = 100_000_000

// sourceHelp is what a FILE may be, for the help of commands.
const sourceHelp = `FILE
is a list of key,count[,bytes][,tenant], a trace with a key column, bare keys one
a line, or what sort | uniq -c, kcat, rpk or kafka-console-consumer print; CSV,
TSV, NDJSON and Parquet, .gz and .zst are read directly, - is standard input,
example:npm and example:flights are real inputs that come with keyspread, and
zipf:1.05,keys=1e6,records=1e9 (uniform, zipf:S, lognormal:MU,SIGMA, pareto:A or
hotset:20,80) are synthetic keys`

// oneSource returns the only argument of a command that reads one key source.
func oneSource(c *cli.Context) (string, error) {
	if c.NArg() != 1 {
		return "", usagef("%s takes one FILE (- for standard input, %snpm for an embedded one), not %d", c.Command.Name, scenarios.Prefix, c.NArg())
	}
	return c.Args().First(), nil
}

// readKeys reads the keys of a source: a file, standard input, an embedded input or
// a distribution.
func readKeys(c *cli.Context, path string, encoding partition.KeyEncoding) (*partition.KeyTable, error) {
	if workload.IsDistribution(path) {
		return synthetic(c, path, encoding)
	}
	var keys *partition.KeyTable
	err := readSource(c, path, encoding, func(r io.Reader, name string, o workload.Options) (sum workload.Summary, err error) {
		keys, sum, err = workload.Read(r, name, o)
		return sum, err
	})
	return keys, err
}

// readKeysOrLoads reads the keys of a source or, if it has partitions and no keys,
// their loads as measured spreads, one a topic.
func readKeysOrLoads(c *cli.Context, path string, encoding partition.KeyEncoding) (*partition.KeyTable, []*bench.Spread, error) {
	if workload.IsDistribution(path) {
		keys, err := synthetic(c, path, encoding)
		return keys, nil, err
	}
	var keys *partition.KeyTable
	var loads []workload.PartitionLoads
	err := readSource(c, path, encoding, func(r io.Reader, name string, o workload.Options) (sum workload.Summary, err error) {
		keys, loads, sum, err = workload.ReadEither(r, name, o)
		return sum, err
	})
	if err != nil || keys != nil {
		return keys, nil, err
	}
	if c.IsSet(clientFlag.Name) || c.IsSet(partitionsFlag.Name) {
		return nil, nil, usagef("%s: %s has partitions and no keys, so there is nothing to place: leave --client and --partitions out", c.Command.Name, path)
	}
	observed, err := observedSpreads(loads)
	return nil, observed, err
}

// readSource opens a source, lets read read it and tells what it warns of.
func readSource(c *cli.Context, path string, encoding partition.KeyEncoding, read func(io.Reader, string, workload.Options) (workload.Summary, error)) error {
	options, err := readOptions(c)
	if err != nil {
		return err
	}
	options.Encoding = encoding
	r, name, err := open(c, path)
	if err != nil {
		return err
	}
	defer r.Close()
	summary, err := read(r, name, options)
	for _, warning := range summary.Warnings {
		notes(c)(warning)
	}
	return err
}

// synthetic draws the keys of a distribution.
func synthetic(c *cli.Context, text string, encoding partition.KeyEncoding) (*partition.KeyTable, error) {
	d, err := workload.ParseDistribution(text)
	if err != nil {
		return nil, usagef("%s: %w", c.Command.Name, err)
	}
	if encoding != partition.Raw {
		return nil, usagef("%s: synthetic keys are texts such as user-0, which --key-encoding %v does not change", c.Command.Name, encoding)
	}
	if d.KeyCount > maxSyntheticKeys {
		return nil, usagef("%s: %v has %d keys: up to %d are drawn, which takes 5 GB", c.Command.Name, text, d.KeyCount, maxSyntheticKeys)
	}
	seed := c.Uint64(randomSeedFlag.Name)
	notes(c)(fmt.Sprintf("drawing %v with random seed %d", d, seed))
	return d.Keys(seed)
}

// unsafeName is what a topic of Kafka never has in its name; metrics may.
var unsafeName = regexp.MustCompile(`[^a-zA-Z0-9._-]`)

// observedSpreads judges loads that were counted, one topic after another.
func observedSpreads(loads []workload.PartitionLoads) ([]*bench.Spread, error) {
	var results []*bench.Spread
	for _, topic := range loads {
		what, of := "records", func(l workload.PartitionLoad) int64 { return l.Records }
		switch {
		case topic.HasRecords:
		case topic.HasBytes:
			what, of = "bytes", func(l workload.PartitionLoad) int64 { return l.Bytes }
		default:
			what, of = "records of lag", func(l workload.PartitionLoad) int64 { return l.Lag }
		}
		last := topic.Partitions[len(topic.Partitions)-1].Partition
		if last >= maxLoads {
			return nil, fmt.Errorf("topic %q has partition %d: at most %d partitions are read", topic.Topic, last, maxLoads)
		}
		counted, total := make([]int64, last+1), int64(0)
		for _, l := range topic.Partitions {
			if of(l) > math.MaxInt64-total {
				return nil, fmt.Errorf("topic %q: the total number of %s exceeds %d", topic.Topic, what, int64(math.MaxInt64))
			}
			counted[l.Partition] = of(l)
			total += of(l)
		}
		r := bench.ObservedSpread(counted)
		r.Input = topic.Topic
		if len(loads) > 1 { // or their rows and figures would have one name
			r.Client += "-" + unsafeName.ReplaceAllString(topic.Topic, "_")
		}
		if topic.Group != "" {
			r.Input += " (" + topic.Group + ")"
		}
		if what != "records" {
			r.Warnings = append(r.Warnings, "the input counts "+what+", which stand where records are written here")
		}
		results = append(results, r)
	}
	return results, nil
}
