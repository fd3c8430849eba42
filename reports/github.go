package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/keyspread/keyspread/bench/plan"
)

// Annotations writes workflow commands of GitHub Actions that mark broken rules
// and warnings in the contract's file; with warnOnly broken rules are warnings,
// too. GitHub reads them on standard output and standard error alike. See
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
func Annotations(w io.Writer, verdicts []*plan.Verdict, warnOnly bool) error {
	var b strings.Builder
	annotate := func(level string, v *plan.Verdict, line int, rule, message string) {
		b.WriteString("::" + level + " ")
		if v.Contract != "" {
			fmt.Fprintf(&b, "file=%s,line=%d,", property(v.Contract), max(line, 1))
		}
		fmt.Fprintf(&b, "title=%s::%s\n", property(v.Topic+": "+rule), data(message))
	}
	broken := "error"
	if warnOnly {
		broken = "warning"
	}
	for _, v := range verdicts {
		for _, r := range v.Rules {
			if !r.Passed {
				annotate(broken, v, r.Line, r.Rule, r.Message)
			}
		}
		for _, warning := range v.Warnings {
			annotate("warning", v, v.Line, "contract", warning)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// data and property escape texts as GitHub's own toolkit does, after what could
// drive a terminal or begin another command on a new line.
func data(s string) string { return strings.ReplaceAll(EscapeText(s), "%", "%25") }

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}

// AnnotateContractError writes a workflow command that marks what is wrong with a
// contract.
func AnnotateContractError(w io.Writer, e *plan.ContractError) error {
	short := *e
	short.Excerpt = ""
	_, err := fmt.Fprintf(w, "::error file=%s,line=%d,title=contract::%s\n", property(e.Name), max(e.Line, 1), data(short.Error()))
	return err
}
