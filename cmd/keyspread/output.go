package main

import (
	"bufio"
	"io"
	"os"

	"github.com/keyspread/keyspread/reports"
	"github.com/urfave/cli/v2"
)

// writeOutput calls write with the file of --output, which appears only once it
// is complete, or with standard output.
func writeOutput(c *cli.Context, write func(io.Writer) error) error {
	buffered := func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 64<<10)
		if err := write(b); err != nil {
			return err
		}
		return b.Flush()
	}
	if path := c.String(outputFlag.Name); path != "" && path != "-" {
		return reports.WriteFile(path, buffered)
	}
	return buffered(c.App.Writer)
}

// notInput refuses an output file that is the input: the result would replace the
// data it was made from.
func notInput(c *cli.Context, input string) error {
	output := c.String(outputFlag.Name)
	in, err := os.Stat(input)
	if err != nil || output == "" {
		return nil
	}
	if out, err := os.Stat(output); err == nil && os.SameFile(in, out) && out.Mode().IsRegular() {
		return usagef("--output %s is the input: name another file", output)
	}
	return nil
}
