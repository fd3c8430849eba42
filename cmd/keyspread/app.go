package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/keyspread/keyspread/partition"
	"github.com/urfave/cli/v2"
)

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1 // input, output or broker
	exitUsage   = 2 // wrong use of the command
	exitBroken  = 3 // a stated limit is broken
)

// A usageError is a mistake in the command line, as opposed to one in the data.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// run executes one command line and returns its exit code. Everything the
// command reads and writes goes through its arguments.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := newApp(stdin, stdout, stderr)
	args, err := flagsFirst(app, args)
	if err == nil {
		err = app.RunContext(ctx, append([]string{app.Name}, args...))
	}
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	fmt.Fprintf(stderr, "keyspread: %v\n", err)
	if usage := (usageError{}); errors.As(err, &usage) {
		return exitUsage
	}
	if broken := (brokenError{}); errors.As(err, &broken) {
		return exitBroken
	}
	return exitFailure
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	usage := func(_ *cli.Context, err error, _ bool) error { return usageError{err} }
	app := &cli.App{
		Name:            "keyspread",
		Usage:           "where will my keys land, what will it cost, and what happens when I change it?",
		UsageText:       "keyspread COMMAND [flags] [arguments]",
		Version:         version(),
		Reader:          stdin,
		Writer:          stdout,
		ErrWriter:       stderr,
		HideHelpCommand: true,
		Commands:        []*cli.Command{redactable(mapCommand()), redactable(spreadCommand()), redactable(churnCommand()), redactable(checkCommand()), reportCommand()},
		OnUsageError:    usage,
		ExitErrHandler:  func(*cli.Context, error) {}, // run decides
	}
	for _, c := range app.Commands {
		c.OnUsageError = usage
		c.HideHelpCommand = true
	}
	app.Action = func(c *cli.Context) error {
		if c.Args().Present() {
			return unknownCommand(app, c.Args().First())
		}
		return cli.ShowAppHelp(c)
	}
	return app
}

func unknownCommand(app *cli.App, name string) error {
	var names []string
	for _, c := range app.Commands {
		names = append(names, c.Name)
	}
	return usagef("unknown command %q: there are %s (keyspread --help)", name, strings.Join(names, ", "))
}

// version tells the module version that the Go tool stamped into the command.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return fmt.Sprintf("%s (%d presets)", info.Main.Version, len(partition.Clients()))
	}
	return "unknown"
}
