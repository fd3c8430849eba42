package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/keyspread/keyspread/bench/plan"
)

// CheckSchema names the JSON form of verdicts on contracts.
const CheckSchema = "keyspread/check/v1"

// JUnit is a format that only [Checks] knows: a test suite for each contract, a
// test for each rule.
const JUnit Format = "junit"

// ParseCheckFormat returns the format of [Checks] with the given name. The error
// for an unknown name lists the known ones.
func ParseCheckFormat(name string) (Format, error) {
	if name == string(JUnit) {
		return JUnit, nil
	}
	f, err := ParseFormat(name)
	if err != nil || !slices.Contains([]Format{Text, Markdown, CSV, JSON}, f) {
		return "", fmt.Errorf("unknown format %q: want text, markdown, csv, json, junit", name)
	}
	return f, nil
}

// Checks writes the verdicts on one or more contracts: in text and Markdown a
// table of the rules of each, then what allowed growth and clients would do; in
// CSV a row for each rule; in JSON everything; in JUnit XML a test for each rule.
func Checks(w io.Writer, f Format, verdicts []*plan.Verdict) error {
	switch f {
	case JSON:
		kept := true
		for _, v := range verdicts {
			kept = kept && v.Kept
		}
		return WriteJSON(w, struct {
			Schema   string          `json:"schema"`
			Kept     bool            `json:"kept"`
			Verdicts []*plan.Verdict `json:"verdicts"`
		}{CheckSchema, kept, verdicts})
	case CSV:
		return ruleRows(verdicts).Write(w, f)
	case JUnit:
		return writeJUnit(w, verdicts)
	}
	var tables []*Table
	for _, v := range verdicts {
		tables = append(tables, checkSummary(v, f))
		if len(v.Growth) > 0 {
			tables = append(tables, growthTable(v, f))
		}
		if len(v.Clients) > 0 {
			tables = append(tables, clientTable(v, f))
		}
	}
	return writeTables(w, f, tables)
}

// CheckSummary says in one line what became of a contract: "orders: 2 of 5 rules
// are broken: maxImbalance, maxKeyShare".
func CheckSummary(v *plan.Verdict) string {
	var broken []string
	for _, r := range v.Rules {
		if !r.Passed {
			broken = append(broken, r.Rule)
		}
	}
	switch len(broken) {
	case 0:
		return fmt.Sprintf("%s: the contract is kept (%s)", v.Topic, plural(int64(len(v.Rules)), "rule"))
	case 1:
		return fmt.Sprintf("%s: 1 of %s is broken: %s", v.Topic, plural(int64(len(v.Rules)), "rule"), broken[0])
	}
	return fmt.Sprintf("%s: %d of %d rules are broken: %s", v.Topic, len(broken), len(v.Rules), strings.Join(broken, ", "))
}

// checkSummary has one row a rule.
func checkSummary(v *plan.Verdict, f Format) *Table {
	t := &Table{
		Title: CheckSummary(v),
		Columns: []Column{
			{Name: "rule"}, {Name: "limit", Right: true}, {Name: "observed", Right: true}, {Name: "verdict"}, {Name: "why"},
		},
	}
	for _, r := range v.Rules {
		limit, observed := limitCells(r, f)
		t.Rows = append(t.Rows, []string{r.Rule, limit, observed, ruleVerdict(r), r.Message})
	}
	checked := fmt.Sprintf("%s, %s: %s in %s", v.Client, plural(int64(v.Partitions), v.Unit), plural(v.Records, "record"), plural(int64(v.Keys), "key"))
	if v.KeyEncoding != "raw" {
		checked += " written as " + v.KeyEncoding
	}
	if v.Input != "" {
		checked += " of " + v.Input
	}
	if v.Present.Partitions != v.Partitions || v.Present.Client != v.Client {
		checked = fmt.Sprintf("as proposed: %s; the contract has %s, %s", checked, v.Present.Client, plural(int64(v.Present.Partitions), v.Unit))
	}
	t.Notes = append([]string{checked + ". Modelled from the keys, not measured on a cluster."}, v.Warnings...)
	return t
}

func ruleVerdict(r plan.RuleResult) string {
	if r.Passed {
		return "kept"
	}
	return "BROKEN"
}

// limitCells returns the limit of a rule, with the sign that says on which side
// the figure must be, and the figure.
func limitCells(r plan.RuleResult, f Format) (limit, observed string) {
	show := map[plan.Unit]func(float64) string{
		plan.Ratio: f.Ratio, plan.Share: f.Percent,
		plan.Keys:       func(x float64) string { return f.Count(int64(x)) },
		plan.Partitions: func(x float64) string { return f.Count(int64(x)) },
	}[r.Unit]
	observed = "n/a"
	if r.Observed != nil {
		observed = show(*r.Observed)
	}
	switch {
	case r.Rule == plan.RuleAllowedGrowth || r.Rule == plan.RuleAllowedClients:
		limit = strings.Join(r.Allowed, " ")
		if limit == "" {
			limit = "none"
		}
	case r.Unit == plan.Keys:
		limit = "≥ " + show(*r.Limit)
	case r.Unit == plan.Share: // as it was written, not rounded
		limit = "≤ " + strconv.FormatFloat(*r.Limit*100, 'g', 6, 64) + " %"
	default:
		limit = "≤ " + strconv.FormatFloat(*r.Limit, 'g', 6, 64) + "×"
	}
	return limit, observed
}

// ruleRows has one row for every rule of every contract.
func ruleRows(verdicts []*plan.Verdict) *Table {
	t := &Table{Columns: []Column{
		{Name: "topic"}, {Name: "client"}, {Name: "partitions"}, {Name: "rule"}, {Name: "limit"}, {Name: "observed"},
		{Name: "unit"}, {Name: "allowed"}, {Name: "passed"}, {Name: "message"}, {Name: "contract"}, {Name: "line"},
	}}
	figure := func(x *float64) string { return CSV.Ratio(value(x)) }
	for _, v := range verdicts {
		for _, r := range v.Rules {
			t.Rows = append(t.Rows, []string{
				v.Topic, v.Client, strconv.Itoa(v.Partitions), r.Rule, figure(r.Limit), figure(r.Observed),
				string(r.Unit), strings.Join(r.Allowed, " "), strconv.FormatBool(r.Passed), r.Message, v.Contract, strconv.Itoa(r.Line),
			})
		}
	}
	return t
}

// growthTable has one row for each count that is allowed or proposed.
func growthTable(v *plan.Verdict, f Format) *Table {
	t := &Table{
		Title: fmt.Sprintf("%s: from %s/%d to other counts", v.Topic, v.Present.Client, v.Present.Partitions),
		Columns: []Column{
			{Name: v.Unit + "s", Right: true}, {Name: "allowed"}, {Name: "keys moved", Right: true}, {Name: "share", Right: true},
			{Name: "records moved", Right: true}, {Name: "share", Right: true}, {Name: "clean split"}, {Name: "imbalance there", Right: true},
		},
	}
	for _, g := range v.Growth {
		t.Rows = append(t.Rows, []string{
			f.Count(int64(g.Partitions)), allowed(g.Allowed, g.Proposed), f.Count(int64(g.KeysMoved)), f.Percent(value(g.KeysMovedShare)),
			f.Count(g.RecordsMoved), f.Percent(value(g.RecordsMovedShare)), yesNo(g.CleanSplit), f.Ratio(value(g.Imbalance)),
		})
	}
	return t
}

// clientTable has one row for each client that is allowed or proposed.
func clientTable(v *plan.Verdict, f Format) *Table {
	t := &Table{
		Title: fmt.Sprintf("%s: clients that place keys as %s does at %d", v.Topic, v.Present.Client, v.Partitions),
		Columns: []Column{
			{Name: "client"}, {Name: "allowed"}, {Name: "alike", Right: true}, {Name: "keys", Right: true}, {Name: "share", Right: true},
			{Name: "first difference"}, {Name: v.Present.Client, Right: true}, {Name: "the client", Right: true},
		},
	}
	for _, c := range v.Clients {
		key, present, other := "", "", ""
		if d := c.First; d != nil {
			key, present, other = keyTextCell(d.KeyText), d.Present, d.Other
		}
		t.Rows = append(t.Rows, []string{
			c.Client, allowed(c.Allowed, c.Proposed), f.Count(int64(c.Alike)), f.Count(int64(c.Keys)), f.Percent(value(c.Share)), key, present, other,
		})
	}
	return t
}

// allowed says whether a contract lists something, and whether it is proposed.
func allowed(listed, proposed bool) string {
	if proposed {
		return yesNo(listed) + ", proposed"
	}
	return yesNo(listed)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
