package main

import (
	"slices"
	"strings"

	"github.com/keyspread/keyspread/bench/workload"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
	"github.com/urfave/cli/v2"
)

// Flags that several commands share.
var (
	clientFlag = &cli.StringFlag{
		Name: "client", Aliases: []string{"c"},
		Usage: "`NAME[,NAME…]` of client presets, or all (keyspread map --clients lists them)",
	}
	partitionsFlag = &cli.StringFlag{
		Name: "partitions", Aliases: []string{"p"},
		Usage: "partition count `N[,N…]`; a range N..M has all counts from N to M",
	}
	keyEncodingFlag = &cli.StringFlag{
		Name: "key-encoding", Value: "raw",
		Usage: "how key texts become bytes: `ENCODING` is one of " + partition.KeyEncodingNames,
	}
	nullMarkerFlag = &cli.StringFlag{
		Name:  "null-marker",
		Usage: "a key spelled `TEXT` is the null key",
	}
	inputFormatFlag = &cli.StringFlag{
		Name: "input-format", Value: string(workload.Auto),
		Usage: "`FORMAT` of the input: auto, or one of " + strings.ReplaceAll(workload.FormatNames(), "|", ", ") +
			" (kcat-key: is what kcat -K: prints; any separator may stand in the place of the colon)",
	}
	randomSeedFlag = &cli.Uint64Flag{
		Name: "random-seed", Value: 1,
		Usage: "`SEED` of all that is random: synthetic keys, and the placements that an imbalance is compared with",
	}
	skipBadFlag = &cli.IntFlag{
		Name:  "skip-bad",
		Usage: "leave out up to `N` bad lines, each with a warning",
	}
	outputFlag = &cli.StringFlag{
		Name: "output", Aliases: []string{"o"},
		Usage: "write to `FILE` instead of standard output",
	}
)

func formatFlag(formats string) *cli.StringFlag {
	return &cli.StringFlag{Name: "format", Value: "text", Usage: "output `FORMAT`: " + formats}
}

// format returns the chosen output format.
func format(c *cli.Context) (reports.Format, error) {
	f, err := reports.ParseFormat(c.String("format"))
	if err != nil {
		return "", usagef("--format: %w", err)
	}
	if f == reports.Bench && c.Command.Name == "map" {
		return "", usagef("--format: map has no figures for bench: want text, markdown, csv or json")
	}
	return f, nil
}

// clients returns the presets named by --client, each once, in the order given.
func clients(list string) ([]*partition.Client, error) {
	if list == "all" {
		return partition.Clients(), nil
	}
	var chosen []*partition.Client
	for _, name := range strings.Split(list, ",") {
		if strings.TrimSpace(name) == "" {
			return nil, usagef("--client: a name in %q is empty", list)
		}
		if strings.TrimSpace(name) == "all" {
			return nil, usagef("--client: all stands alone, not in %q", list)
		}
		client, err := partition.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, usagef("--client: %w", err)
		}
		if !slices.Contains(chosen, client) {
			chosen = append(chosen, client)
		}
	}
	return chosen, nil
}

func keyEncoding(c *cli.Context) (partition.KeyEncoding, error) {
	e, err := partition.ParseKeyEncoding(c.String("key-encoding"))
	if err != nil {
		return e, usagef("--key-encoding: %w", err)
	}
	return e, nil
}

// readOptions returns how an input is read, as far as the shared flags say it.
func readOptions(c *cli.Context) (workload.Options, error) {
	o := workload.Options{
		NullMarker: c.String(nullMarkerFlag.Name), HasNullMarker: c.IsSet(nullMarkerFlag.Name),
		SkipBad: c.Int(skipBadFlag.Name), Note: notes(c),
	}
	if o.SkipBad < 0 {
		return o, usagef("--skip-bad: %d is negative", o.SkipBad)
	}
	var err error
	if o.Format, err = workload.ParseFormat(c.String(inputFormatFlag.Name)); err != nil {
		return o, usagef("--input-format: %w", err)
	}
	return o, nil
}
