package main

import (
	"fmt"
	"io"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/bench/scenarios"
	"github.com/keyspread/keyspread/bench/workload"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
	"github.com/keyspread/keyspread/reports/figures"
	"github.com/urfave/cli/v2"
)

// maxLoads is the largest partition count whose loads spread lists one by one;
// it is five times what a cluster holds.
const maxLoads = 1_000_000

func spreadCommand() *cli.Command {
	return &cli.Command{
		Name:      "spread",
		Usage:     "how balanced are these keys over these partition counts?",
		ArgsUsage: "FILE",
		Description: `Reads keys with their weights and says what each partition would receive. FILE
is a list of key,count[,bytes][,tenant], a trace with a key column, or bare keys
one a line; .gz and .zst are read directly, - is standard input, and
example:npm and example:flights are real inputs that come with keyspread.

  keyspread spread keys.csv -p 12
  keyspread spread example:flights --client java,librdkafka -p 6,12,24
  keyspread spread example:npm -p 12 --figures out --format json`,
		Flags: []cli.Flag{
			withDefault(clientFlag, "java"), withDefault(partitionsFlag, "12"), keyEncodingFlag, nullMarkerFlag,
			&cli.StringFlag{Name: "input-format", Value: "auto", Usage: "`FORMAT` of the input: auto, keys, csv or tsv"},
			skipBadFlag,
			formatFlag("text, markdown, csv or json"), outputFlag,
			&cli.StringFlag{Name: "figures", Usage: "write a figure of each result to `DIR`, as SVG and PNG"},
		},
		Action: spread,
	}
}

func spread(c *cli.Context) error {
	f, err := format(c)
	if err != nil {
		return err
	}
	chosen, err := clients(c.String("client"))
	if err != nil {
		return err
	}
	partitions, err := counts(c.String("partitions"), maxLoads)
	if err != nil {
		return err
	}
	encoding, err := keyEncoding(c)
	if err != nil {
		return err
	}
	keys, err := readKeys(c, encoding)
	if err != nil {
		return err
	}

	var results []*bench.Spread
	for _, client := range chosen {
		spreader := bench.NewSpreader(keys, client, encoding)
		for _, n := range partitions {
			if err := c.Context.Err(); err != nil {
				return err
			}
			results = append(results, spreader.Spread(n))
		}
	}
	if f == reports.CSV || f == reports.JSON { // a reader of text sees them below the table
		for _, r := range results {
			for _, warning := range r.Warnings {
				notes(c)(fmt.Sprintf("%s, %d %ss: %s", r.Client, r.Partitions, r.Unit, warning))
			}
		}
	}
	if err := drawSpreads(c, results); err != nil {
		return err
	}
	return writeOutput(c, func(w io.Writer) error { return reports.Spreads(w, f, results) })
}

// readKeys reads the key source that is the command's only argument.
func readKeys(c *cli.Context, encoding partition.KeyEncoding) (*partition.KeyTable, error) {
	if c.NArg() != 1 {
		return nil, usagef("%s takes one FILE (- for standard input, %snpm for an embedded one), not %d", c.Command.Name, scenarios.Prefix, c.NArg())
	}
	inputFormat, err := workload.ParseFormat(c.String("input-format"))
	if err != nil {
		return nil, usagef("--input-format: %w", err)
	}
	options, err := readOptions(c)
	if err != nil {
		return nil, err
	}
	options.Format, options.Encoding = inputFormat, encoding
	r, name, err := open(c, c.Args().First())
	if err != nil {
		return nil, err
	}
	defer r.Close()
	keys, summary, err := workload.Read(r, name, options)
	for _, warning := range summary.Warnings {
		notes(c)(warning)
	}
	return keys, err
}

// drawSpreads writes the figures of the results, if --figures asks for them.
func drawSpreads(c *cli.Context, results []*bench.Spread) error {
	dir := c.String("figures")
	if dir == "" {
		return nil
	}
	for _, r := range results {
		paths, err := figures.Spread(r).Save(dir, fmt.Sprintf("spread-%s-%d", r.Client, r.Partitions))
		if err != nil {
			return err
		}
		for _, path := range paths {
			notes(c)("wrote " + path)
		}
	}
	return nil
}

// withDefault returns the flag as a command uses it that works without it.
func withDefault(f *cli.StringFlag, value string) *cli.StringFlag {
	optional := *f
	optional.Value = value
	return &optional
}
