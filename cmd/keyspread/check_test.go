package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestCheckExitCodes asserts that a pipeline can tell a broken contract from bad
// data and from wrong use.
func TestCheckExitCodes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const topic = "topic: orders\nclient: java\npartitions: 2\n"
	replacer := strings.NewReplacer(
		"KEPT", write("kept.yaml", topic+"maxKeyShare: 50 %\nallowedGrowth: [4]\n"),
		"STRICT", write("strict.yaml", topic+"maxKeyShare: 10 %\n"),
		"WRONG", write("wrong.yaml", topic+"maxKeyShare: 10\n"),
		"LONGS", write("longs.yaml", topic+"keyEncoding: int64\n"),
		"BOTH", write("both.yaml", "topic: other\nclient: java\npartitions: 3\n---\n"+topic+"maxKeyShare: 10 %\n"),
		"MIXED", write("mixed.yaml", "topic: other\nclient: java\npartitions: 3\n---\n"+topic+"keyEncoding: json\n"),
	)
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "missing", "summary.md"))
	for line, want := range map[string]int{
		"check KEPT -":                            exitOK,
		"check KEPT - -p 4":                       exitOK,
		"check KEPT - -p 3":                       exitBroken,
		"check KEPT - -p 3 --warn-only":           exitOK,
		"check KEPT - --client sarama":            exitBroken,
		"check STRICT -":                          exitBroken,
		"check STRICT - --format json":            exitBroken,
		"check STRICT - --warn-only":              exitOK,
		"check BOTH -":                            exitBroken,
		"check BOTH - --topic other":              exitOK,
		"check KEPT missing.csv":                  exitFailure,
		"check LONGS -":                           exitFailure, // a is no number
		"check KEPT - -o " + dir + "/missing/out": exitFailure,
		"check KEPT - --github":                   exitFailure, // nowhere to append
		"check missing.yaml -":                    exitUsage,
		"check WRONG -":                           exitUsage,
		"check - -":                               exitUsage,
		"check KEPT":                              exitUsage,
		"check KEPT - -":                          exitUsage,
		"check KEPT - -p 0":                       exitUsage,
		"check KEPT - -p 4,8":                     exitUsage,
		"check KEPT - --client nobody":            exitUsage,
		"check KEPT - --topic payments":           exitUsage,
		"check MIXED -":                           exitUsage,
		"check KEPT - --format xml":               exitUsage,
		"check KEPT - -o KEPT":                    exitUsage,
		"spread - --format junit":                 exitUsage,
	} {
		var stderr bytes.Buffer
		got := run(context.Background(), strings.Fields(replacer.Replace(line)), strings.NewReader("a\nb\nc\nd\n"), io.Discard, &stderr)
		if got != want {
			t.Errorf("keyspread %s: exit code %d, want %d (%s)", line, got, want, stderr.String())
		}
		if got != exitOK && stderr.Len() == 0 {
			t.Errorf("keyspread %s: failed without a word", line)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "kept.yaml")); err != nil {
		t.Error(err)
	}
}

// TestJobSummary asserts that Markdown is appended to what other steps wrote.
func TestJobSummary(t *testing.T) {
	dir := t.TempDir()
	summary, contract := filepath.Join(dir, "summary.md"), filepath.Join(dir, "orders.yaml")
	if err := os.WriteFile(summary, []byte("# Before\n\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(contract, []byte("topic: orders\nclient: java\npartitions: 4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	var stdout, stderr bytes.Buffer
	for range 2 {
		if code := run(context.Background(), []string{"check", contract, "-", "--github", "--format", "csv"}, strings.NewReader("a\nb\nc\n"), &stdout, &stderr); code != exitBroken {
			t.Errorf("exit code %d: %s", code, stderr.String())
		}
	}
	text, err := os.ReadFile(summary)
	const heading = "### orders: 1 of 1 rule is broken: partitions\n\n| rule |"
	if err != nil || !strings.HasPrefix(string(text), "# Before\n\n"+heading) || strings.Count(string(text), "\n\n"+heading) != 2 {
		t.Errorf("summary %v:\n%s", err, text)
	}
	if strings.Contains(stdout.String(), "::error") || !strings.Contains(stderr.String(), "\n::error file=") {
		t.Errorf("annotations on standard output, or none:\n%s\n%s", stdout.String(), stderr.String())
	}
}

// TestReadmeWorkflow runs the last step of the README's workflow of GitHub Actions
// on the README's contract.
func TestReadmeWorkflow(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var contract string
	var workflow struct {
		Jobs map[string]struct {
			Steps []map[string]any
		}
	}
	for _, block := range regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(readme), -1) {
		switch {
		case strings.HasPrefix(block[1], "topic:"):
			contract = block[1]
		case strings.Contains(block[1], "keyspread check"):
			if err := yaml.Unmarshal([]byte(block[1]), &workflow); err != nil {
				t.Fatal(err)
			}
		}
	}
	steps := workflow.Jobs["keys"].Steps
	if contract == "" || len(steps) == 0 {
		t.Fatal("the README has no contract or no workflow")
	}
	line, _ := steps[len(steps)-1]["run"].(string)
	args := strings.Fields(line)
	if len(args) < 4 || args[0] != "keyspread" || args[1] != "check" {
		t.Fatalf("the last step runs %q", line)
	}

	t.Chdir(t.TempDir())
	t.Setenv("GITHUB_STEP_SUMMARY", "summary.md")
	var keys strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&keys, "user-%d,1\n", i)
	}
	for i, text := range []string{contract, keys.String()} {
		if err := os.MkdirAll(filepath.Dir(args[2+i]), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(args[2+i], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), args[1:], nil, &stdout, &stderr); code != exitOK {
		t.Errorf("exit code %d: %s%s", code, stdout.String(), stderr.String())
	}
	if summary, err := os.ReadFile("summary.md"); err != nil || !strings.HasPrefix(string(summary), "### orders: the contract is kept (6 rules)") {
		t.Errorf("job summary %v:\n%s", err, summary)
	}
}
