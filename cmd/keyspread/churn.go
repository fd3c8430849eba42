package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
	"github.com/keyspread/keyspread/reports/figures"
	"github.com/urfave/cli/v2"
)

// maxSweep is the largest count that a sweep looks at: each costs a pass over the
// keys.
const maxSweep = 10_000

func churnCommand() *cli.Command {
	one := func(name, usage string) *cli.StringFlag { return &cli.StringFlag{Name: name, Usage: usage} }
	return &cli.Command{
		Name:      "churn",
		Usage:     "what moves when I go from N to M partitions, from client A to B, from one key encoding to another?",
		ArgsUsage: "FILE",
		Description: `Reads keys with their weights as spread does, and compares where they are now
with where a change puts them: keys, records, bytes and tenants that move, beside
what theory expects and the least that any method must move.

  keyspread churn keys.csv --from 12 --to 18,24
  keyspread churn keys.csv --from 12 --sweep 100
  keyspread churn keys.csv --from 12 --from-client kafkajs-legacy --to-client kafkajs
  keyspread churn keys.csv --from 12 --from-key-encoding avro:1 --to-key-encoding avro:2
  keyspread churn example:flights --from 12 --to 24 --lag 120000 --rate 2000/s \
      --state-bytes 10GB --restore-rate 50MB/s --co-partitioned 12,24 --figures out`,
		Flags: []cli.Flag{
			one("from", "partition count `N` now"),
			one("to", "partition counts `M[,M…]` after the change; the same as --from unless given"),
			&cli.StringFlag{Name: "client", Aliases: []string{"c"}, Value: "java", Usage: "client preset `NAME` on both sides"},
			one("from-client", "client preset `NAME` now"),
			one("to-client", "client preset `NAME` after the change"),
			keyEncodingFlag,
			one("from-key-encoding", "key `ENCODING` now"),
			one("to-key-encoding", "key `ENCODING` after the change"),
			one("sweep", "list the counts up to `MAX` that --from can grow to, least movement first"),
			one("lag", "`RECORDS` that wait on the fullest old partition when the change is made"),
			one("rate", "records a second, as in `2000/s`, that the consumer of one partition handles"),
			one("state-bytes", "size of all state kept by key, as in `10GB`"),
			one("restore-rate", "rate at which state is rebuilt, as in `50MB/s` (which is the default)"),
			one("co-partitioned", "partition counts `N[,N…]` of other topics that are joined with this one"),
			nullMarkerFlag,
			inputFormatFlag,
			skipBadFlag, randomSeedFlag,
			formatFlag("text, markdown, csv, json or bench (Go benchmark format, for benchstat)"), outputFlag,
			&cli.StringFlag{Name: "figures", Usage: "draw the flow of each change to `DIR`, as SVG and PNG"},
		},
		Action: churn,
	}
}

// A churnPlan is what the flags ask for.
type churnPlan struct {
	format     reports.Format
	from       partition.Side
	to         partition.Mapping
	counts     []int // after the change
	sweep      int   // largest count of the sweep, 0 for none
	parameters bench.EffectParameters
}

func churn(c *cli.Context) error {
	plan, err := newChurnPlan(c)
	if err != nil {
		return err
	}
	path, err := oneSource(c)
	if err != nil {
		return err
	}
	keys, err := readKeys(c, path, partition.Raw) // each side encodes the texts itself
	if err != nil {
		return err
	}
	churner, err := bench.NewChurner(keys, plan.from, plan.to)
	if err != nil {
		return encodingFix(err)
	}
	churner.Parameters = plan.parameters

	var changes []*bench.Churn
	for _, m := range plan.counts {
		if err := c.Context.Err(); err != nil {
			return err
		}
		changes = append(changes, churner.Churn(m))
	}
	var sweep *bench.SweepResult
	if plan.sweep > 0 {
		if sweep, err = churner.Sweep(plan.sweep, c.Context.Err); err != nil {
			return err
		}
	}
	for _, r := range changes {
		r.Input = inputName(c)
	}
	if sweep != nil {
		sweep.Input = inputName(c)
	}
	redactor(c).Churns(changes)
	if plan.format == reports.CSV || plan.format == reports.JSON || plan.format == reports.Bench { // a reader of text sees them below the table
		for _, r := range changes {
			for _, warning := range r.Warnings {
				notes(c)(fmt.Sprintf("%s to %s: %s", sideName(r.From), sideName(r.To), warning))
			}
		}
	}
	if err := drawChurns(c, changes); err != nil {
		return err
	}
	return writeOutput(c, func(w io.Writer) error { return reports.Churns(w, plan.format, changes, sweep) })
}

// encodingFix adds to the error of a key that has no form in an encoding what to
// do about it.
func encodingFix(err error) error {
	if wrong := (*bench.EncodingError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("%w: choose another key encoding, or leave such keys out of the input", err)
	}
	return err
}

// newChurnPlan reads the flags. The client and the key encoding of a side are its
// own, or else those of both.
func newChurnPlan(c *cli.Context) (p churnPlan, err error) {
	if p.format, err = format(c); err != nil {
		return p, err
	}
	if p.from.Mapping, err = churnSide(c, "from"); err != nil {
		return p, err
	}
	if p.to, err = churnSide(c, "to"); err != nil {
		return p, err
	}
	if !c.IsSet("from") {
		return p, usagef("churn: --from is missing: give the partition count now, as in --from 12")
	}
	from, err := counts(c, "from", maxLoads)
	if err != nil {
		return p, err
	}
	if len(from) != 1 {
		return p, usagef("--from: want one partition count, not %d", len(from))
	}
	p.from.Partitions = from[0]
	if p.counts, p.sweep, err = churnTargets(c, p); err != nil {
		return p, err
	}
	p.parameters, err = effectParameters(c)
	return p, err
}

// churnSide returns the mapping of the side that is called from or to.
func churnSide(c *cli.Context, name string) (m partition.Mapping, err error) {
	own := func(flag string) string {
		if c.IsSet(name + "-" + flag) {
			return name + "-" + flag
		}
		return flag
	}
	flag := own("client")
	if m.Client, err = partition.Lookup(c.String(flag)); err != nil {
		if strings.ContainsRune(c.String(flag), ',') {
			return m, usagef("--%s: churn compares one client with one other: give --from-client and --to-client", flag)
		}
		return m, usagef("--%s: %w", flag, err)
	}
	flag = own("key-encoding")
	if m.Encoding, err = partition.ParseKeyEncoding(c.String(flag)); err != nil {
		return m, usagef("--%s: %w", flag, err)
	}
	return m, nil
}

// churnTargets returns the counts after the change and the largest of a sweep.
func churnTargets(c *cli.Context, p churnPlan) (targets []int, sweep int, err error) {
	if c.IsSet("sweep") {
		largest, err := counts(c, "sweep", maxSweep)
		if err != nil {
			return nil, 0, err
		}
		if sweep = largest[0]; len(largest) != 1 || sweep <= p.from.Partitions {
			return nil, 0, usagef("--sweep: %s is not one count above --from %d", c.String("sweep"), p.from.Partitions)
		}
	}
	switch {
	case c.IsSet("to"):
		if targets, err = counts(c, "to", maxLoads); err != nil {
			return nil, 0, err
		}
	case p.from.Mapping != p.to && sweep == 0:
		targets = []int{p.from.Partitions}
	case sweep == 0:
		return nil, 0, usagef("churn: nothing changes: give --to M, another --to-client or --to-key-encoding, or --sweep MAX")
	}
	if sweep > 0 && len(targets) > 0 && p.format == reports.CSV {
		return nil, 0, usagef("churn: --format csv holds one table: give --to or --sweep")
	}
	return targets, sweep, nil
}

// effectParameters reads what is known of the running systems.
func effectParameters(c *cli.Context) (p bench.EffectParameters, err error) {
	if c.IsSet("lag") {
		if p.Lag, err = strconv.ParseInt(c.String("lag"), 10, 64); err != nil || p.Lag < 0 {
			return p, usagef("--lag: %q is not a number of records: want a whole number as in 120000", c.String("lag"))
		}
	}
	if c.IsSet("lag") != c.IsSet("rate") {
		return p, usagef("churn: --lag and --rate belong together: lag / rate is how long order is at risk")
	}
	var state float64
	for _, flag := range []struct {
		name  string
		parse func(string) (float64, error)
		value *float64
	}{
		{"rate", parseRate, &p.DrainRate}, {"state-bytes", parseBytes, &state}, {"restore-rate", parseByteRate, &p.RestoreRate},
	} {
		if !c.IsSet(flag.name) {
			continue
		}
		if *flag.value, err = flag.parse(c.String(flag.name)); err != nil {
			return p, usagef("--%s: %q: %w", flag.name, c.String(flag.name), err)
		}
	}
	p.StateBytes = int64(state)
	if c.IsSet("co-partitioned") {
		p.CoPartitioned, err = counts(c, "co-partitioned", partition.MaxPartitions)
	}
	return p, err
}

// drawChurns writes the figures of the changes, if --figures asks for them.
func drawChurns(c *cli.Context, changes []*bench.Churn) error {
	dir := c.String("figures")
	if dir == "" {
		return nil
	}
	for _, r := range changes {
		name := strings.ReplaceAll(fmt.Sprintf("churn-%s-to-%s", sideName(r.From), sideName(r.To)), ":", "-")
		paths, err := figures.Churn(r).Save(dir, name)
		if err != nil {
			return err
		}
		for _, path := range paths {
			notes(c)("wrote " + path)
		}
	}
	return nil
}

// sideName names a side of a change in notes and file names: java-12, or
// java-12-json where keys are not their texts.
func sideName(s bench.Side) string {
	name := fmt.Sprintf("%s-%d", s.Client, s.Partitions)
	if s.KeyEncoding != partition.Raw.String() {
		name += "-" + s.KeyEncoding
	}
	return name
}
