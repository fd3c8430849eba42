package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/keyspread/keyspread/bench/scenarios"
	"github.com/keyspread/keyspread/bench/workload"
	"github.com/urfave/cli/v2"
)

// open opens a key source: a file, - for standard input, or an embedded one
// such as example:npm. The name returned is the one for messages; reading stops
// when the command is interrupted.
func open(c *cli.Context, path string) (io.ReadCloser, string, error) {
	stdin := io.Reader(interruptible{c.Context, c.App.Reader})
	name := path
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

// notes returns a function that writes one line to standard error, for what a
// user should know beside the result.
func notes(c *cli.Context) func(string) {
	return func(line string) { fmt.Fprintf(c.App.ErrWriter, "keyspread %s: %s\n", c.Command.Name, line) }
}

// interruptible is a reader whose Read returns when ctx is done, even while the
// underlying one waits for a person or a pipe.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	buf := make([]byte, len(p)) // p may be reused by the caller after an interruption
	go func() {
		n, err := i.r.Read(buf)
		done <- result{n, err}
	}()
	select {
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	case r := <-done:
		return copy(p, buf[:r.n]), r.err
	}
}
