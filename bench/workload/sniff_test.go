package workload_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench/workload"
)

// TestOneBadLine asserts that one bad line in a list of counts is an error with
// its place, and that skipping it leaves the counts of the others; without a name
// that says CSV, too.
func TestOneBadLine(t *testing.T) {
	text := strings.Repeat("a,1\n", 20) + "b,x\n" + strings.Repeat("c,2\n", 20)
	_, _, err := workload.Read(strings.NewReader(text), "-", workload.Options{})
	var bad *workload.ReadError
	if !errors.As(err, &bad) || bad.Line != 21 || bad.Field != "count" {
		t.Errorf("got error %v, want one of the count in line 21", err)
	}
	table, summary, err := workload.Read(strings.NewReader(text), "-", workload.Options{SkipBad: 1})
	if err != nil {
		t.Fatal(err)
	}
	if records, _ := table.Total(); records != 60 || summary.Skipped != 1 || summary.Format != workload.CSV {
		t.Errorf("got %d records as %s, %d skipped; want 60 as csv, 1 skipped", records, summary.Format, summary.Skipped)
	}
}
