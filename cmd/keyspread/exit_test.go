package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestExitCodes asserts that scripts can tell wrong use from bad data.
func TestExitCodes(t *testing.T) {
	for line, want := range map[string]int{
		"map --client java -p 12 a": exitOK,
		"map --clients":             exitOK,
		"--help":                    exitOK,
		"map --client java -p 12 --key-encoding int32":   exitFailure, // standard input holds x
		"spread missing.csv":                             exitFailure,
		"map --client java -p 12 a -o missing/out":       exitFailure,
		"map --client java -p 12 --key-encoding int32 x": exitUsage,
		"map --client java -p 0 a":                       exitUsage,
		"map --client nobody -p 6 a":                     exitUsage,
		"map --client java -p 6 --wrong a":               exitUsage,
		"map --client java -p 6 --format xml a":          exitUsage,
		"spread":                                         exitUsage,
		"spread - --input-format xml":                    exitUsage,
		"spread example:nothing":                         exitUsage,
		"spread - --skip-bad -1":                         exitUsage,
		"nothing":                                        exitUsage,
	} {
		var stderr bytes.Buffer
		got := run(context.Background(), strings.Fields(line), strings.NewReader("x\n"), io.Discard, &stderr)
		if got != want {
			t.Errorf("keyspread %s: exit code %d, want %d (%s)", line, got, want, stderr.String())
		}
		if got != exitOK && stderr.Len() == 0 {
			t.Errorf("keyspread %s: failed without a word", line)
		}
	}
}

// TestBrokenOutput asserts that a failing writer is a failure.
func TestBrokenOutput(t *testing.T) {
	if code := run(context.Background(), []string{"map", "--client", "java", "-p", "12", "a"}, nil, brokenWriter{}, io.Discard); code != exitFailure {
		t.Errorf("exit code %d on a broken output, want %d", code, exitFailure)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }
