package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/keyspread/keyspread/bench/scenarios"
	"github.com/keyspread/keyspread/bench/workload"
	"github.com/urfave/cli/v2"
)

// open opens a key source: a file, - for standard input, or an embedded one
// such as example:npm. The name returned is the one for messages.
func open(c *cli.Context, path string) (io.ReadCloser, string, error) {
	stdin, name := c.App.Reader, path
	switch {
	case path == "-":
		name = "standard input"
	case strings.HasPrefix(path, scenarios.Prefix):
		content, file, err := scenarios.Open(path)
		if err != nil {
			return nil, "", usageError{err}
		}
		stdin, path, name = content, "-", file
	}
	if err := notInput(c, path); err != nil {
		return nil, "", err
	}
	r, err := workload.Open(path, stdin)
	if err != nil {
		return nil, "", err
	}
	return r, name, nil
}

// inputName returns the key source as results name it: the argument, nothing for
// standard input.
func inputName(c *cli.Context) string {
	if path := c.Args().First(); path != "-" {
		return path
	}
	return ""
}

// notes returns a function that writes one line to standard error, for what a
// user should know beside the result.
func notes(c *cli.Context) func(string) {
	return func(line string) {
		if redacting(c) {
			line = withoutQuotes(line)
		}
		fmt.Fprintf(c.App.ErrWriter, "keyspread %s: %s\n", c.Command.Name, line)
	}
}
