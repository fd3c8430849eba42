package main

import (
	"io"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/reports"
	"github.com/keyspread/keyspread/reports/figures"
	"github.com/urfave/cli/v2"
)

// maxLoads is the largest partition count whose loads spread lists one by one;
// it is five times what a cluster holds.
const maxLoads = 1_000_000

// maxResults is how many results spread makes; each takes a kilobyte or more.
const maxResults = 200_000

func spreadCommand() *cli.Command {
	return &cli.Command{
		Name:      "spread",
		Usage:     "how balanced are these keys over these partition counts?",
		ArgsUsage: "FILE",
		Description: `Reads keys with their weights and says what each partition would receive. ` + sourceHelp + `.
What has partitions and no keys (kafka-get-offsets, kafka-consumer-groups,
kafka-log-dirs, Prometheus) gets a verdict on its loads as they are.

  keyspread spread keys.csv -p 12
  keyspread spread example:flights --client java,librdkafka -p 6,12,24
  keyspread spread example:npm -p 12 --figures out --format json
  keyspread spread example:npm -p 1..1000 --figures out

More than 64 counts are a sweep: the most and the least even of each range of
counts, in CSV and JSON all of them, without loads.`,
		Flags: []cli.Flag{
			withDefault(clientFlag, "java"), withDefault(partitionsFlag, "12"), keyEncodingFlag, nullMarkerFlag,
			inputFormatFlag,
			skipBadFlag,
			randomSeedFlag,
			formatFlag("text, markdown, csv, json or bench (Go benchmark format, for benchstat)"), outputFlag,
			&cli.StringFlag{Name: "figures", Usage: "write a figure of each result, or one of more than 16 counts, to `DIR`, as SVG and PNG"},
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
	partitions, err := counts(c, "partitions", maxLoads)
	if err != nil {
		return err
	}
	if len(chosen)*len(partitions) > maxResults {
		return usagef("--client and --partitions name %d clients at %d counts: want up to %d results", len(chosen), len(partitions), maxResults)
	}
	encoding, err := keyEncoding(c)
	if err != nil {
		return err
	}
	if chosen, err = withinLimits(c, chosen, partitions); err != nil {
		return err
	}
	path, err := oneSource(c)
	if err != nil {
		return err
	}
	keys, results, err := readKeysOrLoads(c, path, encoding)
	if err != nil {
		return err
	}
	if keys == nil {
		chosen = nil
	}
	for _, client := range chosen {
		spreads, err := bench.NewSpreader(keys, client, encoding).Spreads(c.Context, partitions, c.Uint64(randomSeedFlag.Name))
		if err != nil {
			return err
		}
		results = append(results, spreads...)
	}
	for _, r := range results {
		if r.Input == "" { // a topic has its own name
			r.Input = inputName(c)
		}
	}
	redactor(c).Spreads(results)
	if f == reports.CSV || f == reports.JSON || f == reports.Bench { // a reader of text sees them below the table
		said := map[string]bool{} // most are the same at every count
		for _, r := range results {
			for _, warning := range r.Warnings {
				if warning = r.Client + ": " + warning; !said[warning] {
					said[warning] = true
					notes(c)(warning)
				}
			}
		}
	}
	if err := drawSpreads(c, results); err != nil {
		return err
	}
	return writeOutput(c, func(w io.Writer) error { return reports.Spreads(w, f, results) })
}

// drawSpreads writes the figures of the results, if --figures asks for them.
func drawSpreads(c *cli.Context, results []*bench.Spread) error {
	dir := c.String("figures")
	if dir == "" {
		return nil
	}
	paths, err := figures.SaveSpreads(dir, results)
	for _, path := range paths {
		notes(c)("wrote " + path)
	}
	return err
}

// withDefault returns the flag as a command uses it that works without it.
func withDefault(f *cli.StringFlag, value string) *cli.StringFlag {
	optional := *f
	optional.Value = value
	return &optional
}
