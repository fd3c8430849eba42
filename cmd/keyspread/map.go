package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/keyspread/keyspread/bench/workload"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
	"github.com/urfave/cli/v2"
)

func mapCommand() *cli.Command {
	return &cli.Command{
		Name:      "map",
		Usage:     "which partition does each key get, under each client?",
		ArgsUsage: "[KEY…]",
		Description: `Places each KEY, or each line of standard input when none is given (or the
only one is -), without asking any broker. Lines are keys as they stand and are
never split.

  seq 1000 1004 | keyspread map --client java -p 10
  keyspread map --client java,librdkafka,sarama -p 6,12 user-1042 user-8831
  keyspread map --client java -p 12 --key-encoding int64 8831
  keyspread map --clients

With --detect it reads observed key,partition pairs instead (CSV, from FILE or
standard input) and says which clients wrote them.

  keyspread map --detect -p 12 samples.csv`,
		Flags: []cli.Flag{
			clientFlag, partitionsFlag, keyEncodingFlag, nullMarkerFlag, skipBadFlag, formatFlag("text, markdown, csv or json"), outputFlag,
			&cli.BoolFlag{Name: "clients", Usage: "list the presets and what each does"},
			&cli.BoolFlag{Name: "detect", Usage: "say which clients wrote observed key,partition pairs"},
			&cli.StringFlag{Name: "kinesis-shards", Usage: "the stream's real shards for the kinesis preset: `FILE` holds the JSON of aws kinesis list-shards"},
		},
		Action: func(c *cli.Context) error {
			switch {
			case c.Bool("clients"):
				return listClients(c)
			case c.Bool("detect"):
				return detectClients(c)
			}
			return mapKeys(c)
		},
	}
}

// mapKeys prints the partition of each key.
func mapKeys(c *cli.Context) error {
	layout, err := mapLayout(c)
	if err != nil {
		return err
	}
	encoding, err := keyEncoding(c)
	if err != nil {
		return err
	}
	for i, client := range layout.Clients {
		layout.Clients[i] = client.ForEncoding(encoding)
	}
	return writeOutput(c, func(w io.Writer) error {
		m := reports.NewMapping(w, layout)
		if err := eachKey(c, encoding, m.Write); err != nil {
			return err
		}
		if err := m.Close(); err != nil {
			return err
		}
		for _, warning := range m.Warnings() {
			notes(c)(warning)
		}
		return nil
	})
}

// mapLayout returns which columns and which format the flags ask for.
func mapLayout(c *cli.Context) (layout reports.MappingLayout, err error) {
	if layout.Format, err = format(c); err != nil {
		return layout, err
	}
	if !c.IsSet("client") {
		return layout, usagef("map: --client is missing: name the client that writes the topic, as in --client java (keyspread map --clients lists them)")
	}
	if !c.IsSet("partitions") {
		return layout, usagef("map: --partitions is missing: give the topic's partition count, as in -p 12")
	}
	if layout.Clients, err = clients(c.String("client")); err != nil {
		return layout, err
	}
	if layout.Counts, err = counts(c.String("partitions"), partition.MaxPartitions); err != nil {
		return layout, err
	}
	return layout, realShards(c, &layout)
}

// realShards puts the stream's own shards in the place of even ones, if they are
// given.
func realShards(c *cli.Context, layout *reports.MappingLayout) error {
	path := c.String("kinesis-shards")
	if path == "" {
		return nil
	}
	at := slices.IndexFunc(layout.Clients, func(client *partition.Client) bool { return client.Name == "kinesis" })
	if at < 0 {
		return usagef("map: --kinesis-shards needs --client kinesis")
	}
	r, name, err := open(c, path)
	if err != nil {
		return err
	}
	defer r.Close()
	client, shards, err := partition.KinesisShards(r)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !slices.Equal(layout.Counts, []int{shards}) {
		return usagef("map: the stream in %s has %d open shards: give -p %[2]d", name, shards)
	}
	layout.Clients[at] = client
	return nil
}

// eachKey calls use with the text and the bytes of every key of the command
// line, or else of standard input; the bytes are nil for the null key.
func eachKey(c *cli.Context, encoding partition.KeyEncoding, use func(text string, key []byte) error) error {
	encode := func(text string) ([]byte, error) {
		if c.IsSet(nullMarkerFlag.Name) && text == c.String(nullMarkerFlag.Name) {
			return nil, nil
		}
		return encoding.AppendKey(nil, text)
	}
	if args := c.Args().Slice(); len(args) > 0 && !(len(args) == 1 && args[0] == "-") {
		for i, text := range args {
			key, err := encode(text)
			if err != nil {
				return usagef("map: argument %d: key %q: %w", i+1, text, err)
			}
			if err := use(text, key); err != nil {
				return err
			}
		}
		return nil
	}

	r, name, err := open(c, "-")
	if err != nil {
		return err
	}
	defer r.Close()
	lines, empty := workload.NewLines(r, name, notes(c)), true
	for number, line := range lines.All() {
		text := string(line)
		key, err := encode(text)
		if err != nil {
			return fmt.Errorf("%s:%d: key %q: %w (--key-encoding is %v)", name, number, text, err, encoding)
		}
		if err := use(text, key); err != nil {
			return err
		}
		empty = false
	}
	if empty && lines.Err() == nil {
		return errors.New("no keys: standard input is empty")
	}
	return lines.Err()
}
