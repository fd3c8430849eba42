package main

import (
	"bufio"
	"io"

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
	if path := c.String("output"); path != "" && path != "-" {
		return reports.WriteFile(path, buffered)
	}
	return buffered(c.App.Writer)
}
