package main

import (
	"io"
	"slices"
	"strings"

	"github.com/keyspread/keyspread/bench/workload"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/partition/detect"
	"github.com/keyspread/keyspread/reports"
	"github.com/urfave/cli/v2"
)

// detectClients says which clients wrote observed key,partition pairs.
func detectClients(c *cli.Context) error {
	f, err := format(c)
	if err != nil {
		return err
	}
	detector, err := newDetector(c)
	if err != nil {
		return err
	}
	path := "-"
	if c.NArg() > 0 {
		path = c.Args().First()
	}
	if c.NArg() > 1 {
		return usagef("map --detect takes one FILE (- for standard input), not %d", c.NArg())
	}

	r, name, err := open(c, path)
	if err != nil {
		return err
	}
	defer r.Close()
	options, err := readOptions(c)
	if err != nil {
		return err
	}
	summary, err := workload.Samples(r, name, options, func(s workload.Sample) error {
		return detector.Add(s.Key, s.Null, s.Partition)
	})
	for _, warning := range summary.Warnings {
		notes(c)(warning)
	}
	if err != nil {
		return err
	}
	detection := redactor(c).Detection(detector.Verdict())
	return writeOutput(c, func(w io.Writer) error { return reports.Detection(w, f, detection) })
}

// newDetector returns a detector for the clients, partition counts and key
// encodings of the flags; what is not given is found out.
func newDetector(c *cli.Context) (*detect.Detector, error) {
	var chosen []*partition.Client
	var partitions []int
	var err error
	if list := c.String(clientFlag.Name); list != "" && list != "all" {
		if chosen, err = clients(list); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(chosen, func(client *partition.Client) bool { return !client.IgnoresKey() }) {
			return nil, usagef("map: --detect compares keys with partitions, and %s ignores the key", list)
		}
	}
	if c.IsSet(partitionsFlag.Name) {
		if partitions, err = counts(c, partitionsFlag.Name, partition.MaxPartitions); err != nil {
			return nil, err
		}
	}
	var encodings []partition.KeyEncoding
	if c.IsSet(keyEncodingFlag.Name) {
		for _, name := range strings.Split(c.String(keyEncodingFlag.Name), ",") {
			e, err := partition.ParseKeyEncoding(strings.TrimSpace(name))
			if err != nil {
				return nil, usagef("--key-encoding: %w", err)
			}
			encodings = append(encodings, e)
		}
	}
	return detect.New(chosen, encodings, partitions), nil
}
