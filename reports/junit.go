package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/keyspread/keyspread/bench/plan"
)

// JUnit XML as GitLab and Jenkins read it: only the elements and attributes of
// https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd,
// in its order.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Cases     []junitCase `xml:"testcase"`
	SystemOut string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Class     string        `xml:"classname,attr"`
	Failure   *junitFailure `xml:"failure"`
	SystemOut string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes a test suite for each contract and a test for each rule. Times
// are left out: they would change with each run.
func writeJUnit(w io.Writer, verdicts []*plan.Verdict) error {
	all := junitSuites{Name: "keyspread check"}
	for _, v := range verdicts {
		topic := EscapeText(v.Topic)
		suite := junitSuite{Name: topic, Tests: len(v.Rules)}
		for _, r := range v.Rules {
			test := junitCase{Name: r.Rule, Class: "keyspread." + topic}
			message := EscapeText(r.Message)
			if r.Passed {
				test.SystemOut = message
			} else {
				suite.Failures++
				test.Failure = &junitFailure{Message: message, Type: r.Rule, Text: message}
				if v.Contract != "" {
					test.Failure.Text = fmt.Sprintf("%s:%d: %s", EscapeText(v.Contract), r.Line, message)
				}
			}
			suite.Cases = append(suite.Cases, test)
		}
		var warnings []string
		for _, warning := range v.Warnings {
			warnings = append(warnings, EscapeText(warning))
		}
		suite.SystemOut = strings.Join(warnings, "\n")
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Suites = append(all.Suites, suite)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("write JUnit XML: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
