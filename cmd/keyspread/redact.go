package main

import (
	"errors"
	"os"
	"regexp"

	"github.com/keyspread/keyspread/reports"
	"github.com/urfave/cli/v2"
)

// secretVariable is where the secret of --redact may stand instead of the command
// line, which other users of the machine can see.
const secretVariable = "KEYSPREAD_REDACT_SECRET"

// redactable returns the command with the flags that replace names, and with
// errors that do not show what stands in the input then.
func redactable(command *cli.Command) *cli.Command {
	command.Flags = append(command.Flags,
		&cli.BoolFlag{Name: "redact", Usage: "show a keyed hash in the place of each key and tenant, the same everywhere in one run"},
		&cli.StringFlag{
			Name: "redact-secret",
			Usage: "as --redact, with `TEXT` as the key of the hash instead of a random one, so that hashes of several runs can be compared; " +
				"better given in $" + secretVariable,
		},
	)
	action := command.Action
	command.Action = func(c *cli.Context) error {
		if c.IsSet("redact-secret") && c.String("redact-secret") == "" {
			return usagef("--redact-secret is empty: give a long random text, or --redact alone for one run")
		}
		err := action(c)
		if usage := (usageError{}); err == nil || !redacting(c) || errors.As(err, &usage) {
			return err
		}
		return redactedError{err}
	}
	return command
}

// redacting reports whether names are to be replaced.
func redacting(c *cli.Context) bool { return c.Bool("redact") || c.IsSet("redact-secret") }

// redactor returns what replaces names, nil if they are to be shown. Call it once
// a run: without a secret every redactor has hashes of its own.
func redactor(c *cli.Context) *reports.Redactor {
	switch {
	case !redacting(c):
		return nil
	case c.IsSet("redact-secret"):
		return reports.NewRedactor(c.String("redact-secret"))
	}
	return reports.NewRedactor(os.Getenv(secretVariable))
}

// A redactedError is an error that does not show what stood in the input.
type redactedError struct{ err error }

func (e redactedError) Error() string { return withoutQuotes(e.err.Error()) }

func (e redactedError) Unwrap() error { return e.err }

// withoutQuotes returns a message without the text of the input. Messages have it
// in quotes, and all from the first to the last is left out, so that no quote in a
// file's name shifts the others; names that are redacted already stay.
func withoutQuotes(message string) string {
	return quoted.ReplaceAllStringFunc(message, func(text string) string {
		if redactedName.MatchString(text) {
			return text
		}
		return "(redacted)"
	})
}

var (
	quoted       = regexp.MustCompile(`(?s)".*"`)
	redactedName = regexp.MustCompile(`^"(key|tenant)-[0-9a-f]{16}"$`)
)
