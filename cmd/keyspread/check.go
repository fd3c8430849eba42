package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/keyspread/keyspread/bench/plan"
	"github.com/keyspread/keyspread/bench/scenarios"
	"github.com/keyspread/keyspread/bench/workload"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
	"github.com/urfave/cli/v2"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "does this topic still keep its contract?",
		ArgsUsage: "CONTRACT FILE",
		Description: `Compares keys, read as spread reads them, with the limits that a contract
states, and exits with 3 if one is broken. CONTRACT is YAML:

  topic: orders                       # required, as client and partitions
  client: java                        # preset of the client that writes it
  partitions: 12                      # its present count
  keyEncoding: raw                    # how key texts become bytes
  maxImbalance: 1.5                   # heaviest partition / mean, in records
  maxKeyShare: 20 %                   # of the records, for the heaviest key
  minDistinctKeys: 1000
  allowedGrowth: [24, 48]             # counts that the topic may grow to
  allowedClients: [franz-go, kafkajs] # must place every key as client does

--partitions and --client check what a change would make of the topic: the count
must be the present one or in allowedGrowth, the client the present one or in
allowedClients, and the other limits hold there, too.

  keyspread check orders.yaml orders.csv
  keyspread check orders.yaml orders.csv --partitions 24 --client franz-go
  keyspread check orders.yaml orders.csv --format junit -o report.xml --github`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "partitions", Aliases: []string{"p"}, Usage: "check a proposed partition count `N` instead of the contract's"},
			&cli.StringFlag{Name: "client", Aliases: []string{"c"}, Usage: "check a proposed client preset `NAME` instead of the contract's"},
			&cli.StringFlag{Name: "topic", Usage: "only the contract of the topic `NAME`, of a file with several"},
			&cli.BoolFlag{Name: "warn-only", Usage: "exit with 0 where a limit is broken, and say so"},
			&cli.BoolFlag{Name: "github", Usage: "annotate the contract in GitHub Actions and append Markdown to the job summary"},
			nullMarkerFlag, inputFormatFlag, skipBadFlag, randomSeedFlag,
			formatFlag("text, markdown, csv, json or junit"), outputFlag,
		},
		Action: check,
	}
}

// A brokenError says that a stated limit is broken.
type brokenError struct{ text string }

func (e brokenError) Error() string { return e.text }

func check(c *cli.Context) error {
	f, err := reports.ParseCheckFormat(c.String("format"))
	if err != nil {
		return usagef("--format: %w", err)
	}
	options, err := checkOptions(c)
	if err != nil {
		return err
	}
	if c.NArg() != 2 {
		return usagef("check takes CONTRACT and FILE (- for standard input, %snpm for an embedded one), not %s", scenarios.Prefix, arguments(c.NArg()))
	}
	contracts, err := readContracts(c, c.Args().Get(0))
	if err != nil {
		return err
	}
	keys, err := readSample(c, c.Args().Get(1), contracts[0].KeyEncoding)
	if err != nil {
		return err
	}
	var verdicts []*plan.Verdict
	for _, contract := range contracts {
		if err := c.Context.Err(); err != nil {
			return err
		}
		v := contract.Check(keys, options)
		if path := c.Args().Get(1); path != "-" {
			v.Input = path
		}
		verdicts = append(verdicts, v)
	}
	if err := writeOutput(c, func(w io.Writer) error { return reports.Checks(w, f, verdicts) }); err != nil {
		return err
	}
	if f == reports.CSV { // the only format without a place for them
		for _, v := range verdicts {
			for _, warning := range v.Warnings {
				notes(c)(v.Topic + ": " + warning)
			}
		}
	}
	if c.Bool("github") {
		if err := tellGitHub(c, verdicts); err != nil {
			return err
		}
	}
	return checkOutcome(c, verdicts)
}

func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return strconv.Itoa(n) + " arguments"
}

// checkOptions returns what the flags want to change of the topic, and how keys are
// shown.
func checkOptions(c *cli.Context) (o plan.Options, err error) {
	if c.IsSet("partitions") {
		text := c.String("partitions")
		if o.Partitions, err = strconv.Atoi(strings.TrimSpace(text)); err != nil || o.Partitions < 1 || o.Partitions > plan.MaxPartitions {
			return o, usagef("--partitions: %q is not a partition count: want one whole number from 1 to %d", text, plan.MaxPartitions)
		}
	}
	if c.IsSet("client") {
		if o.Client, err = partition.Lookup(c.String("client")); err != nil {
			return o, usagef("--client: %w", err)
		}
	}
	if redact := redactor(c); redact != nil {
		o.ShowKey = redact.Key
	}
	return o, nil
}

// readContracts returns the contracts that are to be checked; they have one key
// encoding. What is wrong with them is wrong use, whatever it is.
func readContracts(c *cli.Context, path string) ([]*plan.Contract, error) {
	if path == "-" {
		return nil, usagef("check: name the contract's file: standard input is for the keys")
	}
	if err := notInput(c, path); err != nil {
		return nil, err
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, usagef("contract: %w", err)
	}
	defer r.Close()
	contracts, err := plan.Parse(r, path)
	if err != nil {
		if wrong := (*plan.ContractError)(nil); errors.As(err, &wrong) && c.Bool("github") {
			if err := reports.AnnotateContractError(c.App.ErrWriter, wrong); err != nil {
				return nil, err
			}
		}
		return nil, usageError{err}
	}
	if c.IsSet("topic") {
		var topics []string
		for _, contract := range contracts {
			if contract.Topic == c.String("topic") {
				return []*plan.Contract{contract}, nil
			}
			topics = append(topics, contract.Topic)
		}
		return nil, usagef("--topic: %s has no contract of %q: it has %q", path, c.String("topic"), topics)
	}
	for _, contract := range contracts[1:] {
		if contract.KeyEncoding != contracts[0].KeyEncoding {
			return nil, usagef("%s:%d: %s has keyEncoding %s, but %s has %s, and one FILE is read in one way: choose a contract with --topic",
				path, contract.LineOf("keyEncoding"), contract.Topic, contract.KeyEncoding, contracts[0].Topic, contracts[0].KeyEncoding)
		}
	}
	return contracts, nil
}

// readSample reads the keys of a sample.
func readSample(c *cli.Context, path string, encoding partition.KeyEncoding) (*partition.KeyTable, error) {
	keys, err := readKeys(c, path, encoding)
	if wrong := (*workload.ReadError)(nil); errors.As(err, &wrong) && encoding != partition.Raw {
		err = fmt.Errorf("%w (the key encoding is the contract's keyEncoding)", err)
	}
	return keys, err
}

// tellGitHub annotates the contract, and appends the verdicts to the job summary
// if there is one.
func tellGitHub(c *cli.Context, verdicts []*plan.Verdict) error {
	if err := reports.Annotations(c.App.ErrWriter, verdicts, c.Bool("warn-only")); err != nil {
		return err
	}
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	var summary bytes.Buffer
	if err := reports.Checks(&summary, reports.Markdown, verdicts); err != nil {
		return err
	}
	summary.WriteByte('\n') // what another step appends begins a paragraph of its own
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("append to the job summary in $GITHUB_STEP_SUMMARY: %w", err)
	}
	_, err = f.Write(summary.Bytes())
	return errors.Join(err, f.Close())
}

// checkOutcome returns an error if a contract is broken, unless that is only to be
// said.
func checkOutcome(c *cli.Context, verdicts []*plan.Verdict) error {
	var broken []string
	for _, v := range verdicts {
		if !v.Kept {
			broken = append(broken, reports.EscapeText(reports.CheckSummary(v)))
		}
	}
	if len(broken) == 0 {
		return nil
	}
	text := strings.Join(broken, "; ")
	if c.Bool("warn-only") {
		notes(c)(text + "; exit code 0 instead of 3, because of --warn-only")
		return nil
	}
	return brokenError{text}
}
