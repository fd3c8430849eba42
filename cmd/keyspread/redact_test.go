package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/partition"
)

// Secrets that stand in the inputs of TestRedactedOutput. The last is no UTF-8.
var secrets = []string{"sEcret-alice", `sEcret "bob" \ <b>`, "sEcret|carol,=1+1", "sEcret-dave-9", "sEcret\xff\xfeerin"}

const secretTenant = "sEcretTenant"

// leaks returns what gives one of the secrets away: the text itself in any
// spelling that the formats use, or its unkeyed hash.
func leaks(t *testing.T) *regexp.Regexp {
	t.Helper()
	client, err := partition.Lookup("java")
	if err != nil {
		t.Fatal(err)
	}
	alternatives := []string{"(?i:sEcret)"} // the names all begin so, and no escape reaches that far
	for _, secret := range secrets {
		digest, _ := client.Digest([]byte(secret))
		alternatives = append(alternatives,
			hex.EncodeToString([]byte(secret))[:12], regexp.QuoteMeta(base64.StdEncoding.EncodeToString([]byte(secret))[:8]),
			`\b`+strings.TrimPrefix(client.Raw(digest, 12), "-")+`\b`)
	}
	return regexp.MustCompile(strings.Join(alternatives, "|"))
}

// TestRedactedOutput: with --redact no byte of any output holds a key or tenant,
// whatever the command, the format and the figure, and whether it succeeds or not.
// Without --redact the same commands show them, else the test shows nothing.
func TestRedactedOutput(t *testing.T) {
	leak := leaks(t)
	dir := t.TempDir()
	t.Chdir(dir)
	quote := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	var list, pairs, bare strings.Builder
	list.WriteString("key,count,bytes,tenant\n")
	pairs.WriteString("key,partition\n")
	for i, s := range secrets {
		list.WriteString(quote(s) + "," + strings.Repeat("9", 5-i) + ",100," + secretTenant + "\n")
		pairs.WriteString(quote(s) + ",1\n" + quote(s) + ",2\n")
		bare.WriteString(s + "\n")
	}
	for name, text := range map[string]string{
		"list.csv": list.String(), "pairs.csv": pairs.String(),
		"bad.csv":      list.String() + quote(secrets[0]) + ",sEcret-count,1,x\n",
		"header.csv":   "sEcret-id,sEcret-n\n" + quote(secrets[1]) + ",1\n",
		"width.csv":    "key,partition\n" + secrets[0] + ",1,sEcret\n",
		"unclosed.csv": "key,count\n\"sEcret-alice,1\n",
		"bad.ndjson":   `{"key": "sEcret-alice", "count": "sEcret"}` + "\n",
		"kcat.json":    `{"topic":"t","partition":3,"offset":1,"key":"sEcret-alice","payload":"sEcret-payload"}` + "\n",
		`odd".csv`:     list.String() + "x,sEcret-count,1,x\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	showing := 0
	for _, line := range []string{
		"map -c java,redis-cluster -p 12", "map -c java -p 12", "map -c java,pulsar -p 3,12 --only-different",
		"map -c java -p 12 --key-encoding int64", "map -c java -p 12 --key-encoding int64 --skip-bad 3", "map -c java -p 12 --key-encoding json",
		"map -c java -p 12 sEcret-alice list.csv", "map -c java -p 12 --key-encoding int32 sEcret-alice",
		"map --detect pairs.csv", "map --detect list.csv", "map --detect width.csv", "map --detect kcat.json",
		"spread list.csv -p 3,12", "spread list.csv -p 3 -c java,redis-cluster,pulsar", "spread list.csv -p 1..300",
		"spread list.csv --key-encoding int64", "spread bad.csv", "spread bad.csv --skip-bad 1 -p 2", "spread header.csv", "spread unclosed.csv",
		"spread bad.ndjson", "spread kcat.json -p 2", `spread odd".csv`, "spread - -p 5",
		"churn list.csv --from 3 --to 7", "churn list.csv --from 3 --to 7 --sweep 12", "churn list.csv --from 3 --sweep 12",
		"churn list.csv --from 3 --to 5 --to-client librdkafka", "churn list.csv --from 3 --to-key-encoding int64", "churn bad.csv --from 1 --to 2",
	} {
		for _, format := range []string{"text", "markdown", "csv", "json", "bench"} {
			args := append(strings.Fields(line), "--format", format)
			if format == "text" && !strings.HasPrefix(line, "map") {
				args = append(args, "--figures", "figures")
			}
			if leak.MatchString(outputs(t, args, bare.String())) {
				showing++
			}
			for _, how := range [][]string{{"--redact"}, {"--redact-secret", "a long random text"}} {
				if got := leak.FindString(outputs(t, append(args, how...), bare.String())); got != "" {
					t.Errorf("keyspread %s %s shows %q:\n%s", strings.Join(args, " "), how[0], got, outputs(t, append(args, how...), bare.String()))
				}
			}
		}
	}
	if showing < 60 {
		t.Errorf("only %d of the commands show a secret without --redact", showing)
	}
}

// outputs runs a command line and returns everything that it writes: standard
// output, standard error and the text of its figures. The command line itself may
// hold a key, but not what comes out.
func outputs(t *testing.T, args []string, stdin string) string {
	t.Helper()
	var out bytes.Buffer
	run(context.Background(), args, strings.NewReader(stdin), &out, &out)
	drawn, err := filepath.Glob("figures/*.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range drawn {
		svg, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(svg)
	}
	if err := os.RemoveAll("figures"); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestRedactedNames: within a run a key has one hash in all of its outputs, with a
// secret in all runs, and without one in no other.
func TestRedactedNames(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("list.csv", []byte("key,count\nalice,9\nbob,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`key-[0-9a-f]{16}`)
	first := func(args ...string) string {
		found := name.FindAllString(outputs(t, args, "alice\n"), -1)
		if len(found) == 0 {
			t.Fatalf("keyspread %q shows no hash", args)
		}
		return found[0]
	}
	spread := []string{"spread", "list.csv", "-p", "2", "--figures", "figures"}
	text := outputs(t, append(spread, "--redact"), "")
	counted := map[string]int{}
	for _, hash := range name.FindAllString(text, -1) {
		counted[hash]++
	}
	if len(counted) != 2 { // alice in the reason, the table and the figure, and bob
		t.Errorf("two keys have the hashes %v:\n%s", counted, text)
	}
	if a, b := first(append(spread, "--redact")...), first(append(spread, "--redact")...); a == b {
		t.Error("two runs without a secret have the same hashes")
	}
	want := first(append(spread, "--redact-secret", "one")...)
	for _, args := range [][]string{
		append(spread, "--redact-secret", "one", "--redact"), {"map", "-c", "java", "-p", "2", "--redact-secret", "one"},
		{"map", "-c", "java", "-p", "2", "--redact-secret", "one", "alice"},
	} {
		if got := first(args...); got != want {
			t.Errorf("keyspread %q has %s, want %s", args, got, want)
		}
	}
	if first(append(spread, "--redact-secret", "two")...) == want {
		t.Error("two secrets have the same hashes")
	}
	t.Setenv(secretVariable, "one")
	if got := first(append(spread, "--redact")...); got != want {
		t.Errorf("with the secret in the environment the hash is %s, want %s", got, want)
	}
	if text := outputs(t, spread, ""); name.MatchString(text) {
		t.Error("the secret in the environment redacts without being asked")
	}
	for _, args := range [][]string{{"spread", "--help"}, {"spread", "list.csv", "-p", "x", "--redact"}} {
		t.Setenv(secretVariable, "hushhush")
		if strings.Contains(outputs(t, args, ""), "hushhush") {
			t.Errorf("keyspread %q shows the secret", args)
		}
	}
}

func TestWithoutQuotes(t *testing.T) {
	for message, want := range map[string]string{
		`a.csv:3:3: count "1e3": not a whole number`:          `a.csv:3:3: count (redacted): not a whole number`,
		`a"b.csv:3:3: count "1e3": no`:                        `a(redacted): no`,
		`first: "key-0123456789abcdef", not UTF-8`:            `first: "key-0123456789abcdef", not UTF-8`,
		`first: "key-0123456789abcdefx", not UTF-8`:           `first: (redacted), not UTF-8`,
		"columns are \"alice\", \"b\\\"ob\n\" and 3 others":   "columns are (redacted) and 3 others",
		"no key,partition pairs in a.csv; give lines such as": "no key,partition pairs in a.csv; give lines such as",
	} {
		if got := withoutQuotes(message); got != want {
			t.Errorf("%s became %s, want %s", message, got, want)
		}
	}
}
