package main

import (
	"errors"
	"fmt"
	"io"
	"os"
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

  keyspread map --client java -p 12 < keys.txt
  keyspread map --client java,librdkafka,sarama -p 6,12 user-1042 user-8831
  keyspread map --client java -p 12 --key-encoding int64 8831
  keyspread map --clients

With --detect it reads observed keys with their partitions instead, from FILE or
standard input, and says which clients wrote them: key,partition pairs, or what
kcat, rpk or kafka-console-consumer print. Partition count, clients and key
encodings may be left open; --key-encoding takes a list here.

  kcat -C -e -t orders -f '%p %k\n' | keyspread map --detect -p 12
  rpk topic consume orders -o :end | keyspread map --detect`,
		Flags: []cli.Flag{
			clientFlag, partitionsFlag, keyEncodingFlag, nullMarkerFlag, inputFormatFlag, skipBadFlag, formatFlag("text, markdown, csv or json"), outputFlag,
			&cli.BoolFlag{Name: "only-different", Usage: "only keys that not all of the clients put on the same partition"},
			&cli.BoolFlag{Name: "clients", Usage: "list the presets and what each does"},
			&cli.BoolFlag{Name: "detect", Usage: "say which clients wrote observed key,partition pairs"},
			&cli.StringFlag{Name: "kinesis-shards", Usage: "the stream's real shards for the kinesis preset: `FILE` holds the JSON of aws kinesis list-shards"},
		},
		Action: func(c *cli.Context) error {
			switch {
			case c.Bool("clients") && (c.Bool("detect") || c.NArg() > 0):
				return usagef("map: --clients lists presets and takes neither --detect nor keys: --client NAME chooses some")
			case c.Bool("clients"):
				return listClients(c)
			case c.Bool("detect") && (c.IsSet("kinesis-shards") || c.Bool("only-different")):
				return usagef("map: --detect goes with neither --kinesis-shards nor --only-different")
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
	layout.Encoding, layout.Redactor = encoding, redactor(c)
	for i, client := range layout.Clients {
		layout.Clients[i] = client.ForEncoding(encoding)
	}
	return writeOutput(c, func(w io.Writer) error {
		m, err := reports.NewMapping(w, layout)
		if err != nil {
			return err
		}
		if err := eachKey(c, encoding, m.Write); err != nil {
			return err
		}
		if err := m.Close(); err != nil {
			return err
		}
		warnings := m.Warnings()
		if layout.Format == reports.CSV || layout.Format == reports.JSON { // no place for it in there
			warnings = append(warnings, m.Agreement()...)
		}
		for _, warning := range warnings {
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
	if layout.Counts, err = counts(c, "partitions", partition.MaxPartitions); err != nil {
		return layout, err
	}
	if layout.Clients, err = withinLimits(c, layout.Clients, layout.Counts); err != nil {
		return layout, err
	}
	layout.OnlyDifferent = c.Bool("only-different")
	if layout.OnlyDifferent && len(layout.Clients) < 2 {
		return layout, usagef("map: --only-different compares clients: name two or more with --client")
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
	if path == "-" {
		return usagef("map: --kinesis-shards takes a file: standard input is for keys")
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
	options, err := readOptions(c)
	if err != nil {
		return err
	}
	encode := func(text string) ([]byte, error) {
		if options.HasNullMarker && text == options.NullMarker {
			return nil, nil
		}
		return encoding.AppendKey(nil, text)
	}
	if args := c.Args().Slice(); len(args) > 0 && !(len(args) == 1 && args[0] == "-") {
		return eachArgument(c, args, encode, use)
	}
	return eachLine(c, options, encode, use)
}

func eachArgument(c *cli.Context, args []string, encode func(string) ([]byte, error), use func(string, []byte) error) error {
	for i, text := range args {
		if file, err := os.Stat(text); err == nil && file.Mode().IsRegular() {
			note := fmt.Sprintf("%s is taken as a key; for the keys in that file: keyspread map … < FILE", reports.Quote(text))
			if redacting(c) {
				note = fmt.Sprintf("argument %d is taken as a key, not as the file of that name", i+1)
			}
			notes(c)(note)
		}
		key, err := encode(text)
		if err != nil {
			if redacting(c) {
				return usagef("map: argument %d: %w", i+1, err)
			}
			return usagef("map: argument %d: key %s: %w", i+1, reports.Quote(text), err)
		}
		if err := use(text, key); err != nil {
			return err
		}
	}
	return nil
}

func eachLine(c *cli.Context, options workload.Options, encode func(string) ([]byte, error), use func(string, []byte) error) error {
	r, name, err := open(c, "-")
	if err != nil {
		return err
	}
	defer r.Close()
	lines, empty, skipped := workload.NewLines(r, name, notes(c)), true, 0
	for number, line := range lines.All() {
		text := string(line)
		key, err := encode(text)
		if err != nil {
			problem := fmt.Sprintf("%s:%d: key %s: %v", name, number, reports.Quote(text), err)
			if skipped == options.SkipBad {
				return fmt.Errorf("%s; --key-encoding is %v, and bad lines can be skipped with --skip-bad N", problem, c.String(keyEncodingFlag.Name))
			}
			skipped++
			notes(c)(problem + "; skipped")
			continue
		}
		if err := use(text, key); err != nil {
			return err
		}
		empty = false
	}
	if empty && lines.Err() == nil {
		return errors.New("no keys: standard input has none")
	}
	return lines.Err()
}
