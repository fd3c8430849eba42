package reports_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench/plan"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
)

// verdicts are of one contract that is broken in every rule, and one that is
// kept. Names and keys are hostile.
func verdicts(t testing.TB) []*plan.Verdict {
	t.Helper()
	contracts, err := plan.Parse(strings.NewReader(`topic: orders
client: java
partitions: 24
maxImbalance: 1.5
maxKeyShare: 20 %
minDistinctKeys: 100
allowedGrowth: [48]
allowedClients: [franz-go, sarama]
---
topic: "a|b<c>,d:%0A\e[31m"
client: java
partitions: 2
maxKeyShare: 0.85
`), "contracts/all,of:them.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var keys partition.KeyTable
	for i, key := range []string{"::error::|<x>&\"\n\x1b]", "\xff\xfe", "b", "c", "=d"} {
		records := int64(5)
		if i == 0 {
			records = 80
		}
		if _, err := keys.Add([]byte(key), records, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	list := []*plan.Verdict{contracts[0].Check(&keys, plan.Options{Partitions: 36}), contracts[1].Check(&keys, plan.Options{})}
	list[0].Input, list[1].Input = "keys.csv", "keys.csv"
	if list[0].Kept || !list[1].Kept {
		t.Fatalf("kept %v and %v", list[0].Kept, list[1].Kept)
	}
	return list
}

func TestChecks(t *testing.T) {
	for f, name := range map[reports.Format]string{
		reports.Text: "check.txt", reports.Markdown: "check.md", reports.CSV: "check.csv", reports.JSON: "check.json", reports.JUnit: "check.xml",
	} {
		var b bytes.Buffer
		if err := reports.Checks(&b, f, verdicts(t)); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		if f != reports.CSV && strings.ContainsAny(b.String(), "\x1b\r") { // CSV is for scripts, as it is
			t.Errorf("%s: a control character came through", f)
		}
	}
}

// TestParseCheckFormat asserts that no other command takes JUnit.
func TestParseCheckFormat(t *testing.T) {
	for _, name := range []string{"text", "md", "csv", "json", "junit"} {
		if _, err := reports.ParseCheckFormat(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"xml", "bench", "html", ""} {
		if _, err := reports.ParseCheckFormat(name); err == nil || !strings.HasSuffix(err.Error(), "want text, markdown, csv, json, junit") {
			t.Errorf("format %q: %v", name, err)
		}
	}
	if _, err := reports.ParseFormat("junit"); err == nil {
		t.Error("every command takes junit")
	}
}

// TestJUnit reads the XML back and compares what it says with the verdicts. Its
// elements and attributes are those of Jenkins' junit-10.xsd, and in its order.
func TestJUnit(t *testing.T) {
	list := verdicts(t)
	var b bytes.Buffer
	if err := reports.Checks(&b, reports.JUnit, list); err != nil {
		t.Fatal(err)
	}
	checkJUnitSchema(t, b.Bytes())

	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	tests, failures := 0, 0
	for i, v := range list {
		suite, broken := got.Suites[i], 0
		if suite.Name != reports.EscapeText(v.Topic) || suite.Tests != len(v.Rules) || len(suite.Cases) != len(v.Rules) {
			t.Errorf("suite %q has %d of %d tests, want %d", suite.Name, len(suite.Cases), suite.Tests, len(v.Rules))
		}
		for j, r := range v.Rules {
			c := suite.Cases[j]
			if c.Name != r.Rule || (c.Failure == nil) != r.Passed {
				t.Errorf("test %+v of rule %+v", c, r)
			}
			if c.Failure != nil {
				broken++
				if c.Failure.Message != reports.EscapeText(r.Message) || c.Failure.Text != fmt.Sprintf("%s:%d: %s", v.Contract, r.Line, c.Failure.Message) {
					t.Errorf("failure %+v of rule %+v", c.Failure, r)
				}
			}
		}
		if suite.Failures != broken {
			t.Errorf("suite %q: %d failures, want %d", suite.Name, suite.Failures, broken)
		}
		tests, failures = tests+len(v.Rules), failures+broken
	}
	if got.Tests != tests || got.Failures != failures || len(got.Suites) != len(list) {
		t.Errorf("%d failures of %d tests in %d suites, want %d of %d in %d", got.Failures, got.Tests, len(got.Suites), failures, tests, len(list))
	}
}

// checkJUnitSchema checks children, their order and attributes.
func checkJUnitSchema(t *testing.T, text []byte) {
	t.Helper()
	type element struct{ children, required, optional []string }
	schema := map[string]element{
		"":           {children: []string{"testsuites"}},
		"testsuites": {children: []string{"testsuite"}, optional: []string{"name", "time", "tests", "failures", "errors"}},
		"testsuite": {
			children: []string{"testcase", "system-out", "system-err"}, required: []string{"name", "tests", "failures", "errors"},
			optional: []string{"skipped", "time", "timestamp", "hostname", "id", "package"},
		},
		"testcase": {
			children: []string{"skipped", "error", "failure", "system-out", "system-err"}, required: []string{"name", "classname"},
			optional: []string{"time", "group"},
		},
		"failure":    {optional: []string{"message", "type"}},
		"system-out": {},
	}
	type open struct {
		name string
		last int // child
	}
	stack := []open{{name: ""}}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			parent := &stack[len(stack)-1]
			at := slices.Index(schema[parent.name].children, token.Name.Local)
			if at < parent.last {
				t.Errorf("%s within %q, or at the wrong place", token.Name.Local, parent.name)
			}
			parent.last = max(at, 0)
			e, seen := schema[token.Name.Local], []string{}
			for _, a := range token.Attr {
				seen = append(seen, a.Name.Local)
				if !slices.Contains(e.required, a.Name.Local) && !slices.Contains(e.optional, a.Name.Local) {
					t.Errorf("%s has an attribute %s", token.Name.Local, a.Name.Local)
				}
			}
			for _, name := range e.required {
				if !slices.Contains(seen, name) {
					t.Errorf("%s has no attribute %s", token.Name.Local, name)
				}
			}
			stack = append(stack, open{name: token.Name.Local})
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

// TestAnnotations asserts that each broken rule and each warning is one workflow
// command, whatever the names in it.
func TestAnnotations(t *testing.T) {
	list := verdicts(t)
	list[1].Warnings = append(list[1].Warnings, "50 % of\r\n::add-mask::x")
	var b bytes.Buffer
	if err := reports.Annotations(&b, list, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "annotations.txt", b.String())
	want := 0
	for _, v := range list {
		want += len(v.Warnings)
		for _, r := range v.Rules {
			if !r.Passed {
				want++
			}
		}
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != want {
		t.Errorf("%d lines, want %d", len(lines), want)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "::error file=contracts/all%2Cof%3Athem.yaml,line=") && !strings.HasPrefix(line, "::warning file=contracts/all%2Cof%3Athem.yaml,line=") {
			t.Errorf("line %q", line)
		}
	}

	b.Reset()
	if err := reports.Annotations(&b, list, true); err != nil || strings.Contains(b.String(), "::error file") {
		t.Errorf("errors although only to warn: %v\n%s", err, b.String())
	}
	b.Reset()
	err := reports.AnnotateContractError(&b, &plan.ContractError{Name: "c.yaml", Line: 4, Column: 2, Problem: "bad\n100 %", Excerpt: "> 4 | x"})
	if want := "::error file=c.yaml,line=4,title=contract::c.yaml:4:2: bad\\x0a100 %25\n"; err != nil || b.String() != want {
		t.Errorf("%q, %v; want %q", b.String(), err, want)
	}
}
