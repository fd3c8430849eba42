package reports_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/keyspread/keyspread/reports"
)

func TestEscapeCSV(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"user-8831", "user-8831"},
		{"=1+1", "'=1+1"},
		{"+1 2", "'+1 2"},
		{"-a", "'-a"},
		{"@SUM(A1)", "'@SUM(A1)"},
		{"\t=1", "'\t=1"},
		{"\r=1", "'\r=1"},
		{"\n=1", "'\n=1"},
		{"＝1", "'＝1"},
		{"-12.5", "-12.5"},
		{"+3", "+3"},
		{"-1e-05", "-1e-05"},
		{"-.5", "-.5"},
		{"-", "'-"},
		{"-1-1", "'-1-1"},
		{"-1\n", "'-1\n"},
		{"'=1", "''=1"},
		{"'a", "'a"},
		{"a=1", "a=1"},
	} {
		if got := reports.EscapeCSV(c.in); got != c.want {
			t.Errorf("EscapeCSV(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestWriteCSVVerbatim(t *testing.T) {
	table := reports.Table{
		Columns: []reports.Column{{Name: "the key", Key: "key", Verbatim: true}, {Name: "=note"}},
		Rows:    [][]string{{"=1+1", "=1+1"}, {"a,\"b\"\nc", ""}},
	}
	var b bytes.Buffer
	if err := table.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := "key,'=note\n=1+1,'=1+1\n\"a,\"\"b\"\"\nc\",\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// A reader of CSV gets the cells that were written, but for the apostrophe.
func FuzzWriteCSV(f *testing.F) {
	for _, s := range []string{"", "a,b", "\"", "=1", "\n", "\r\n", "'", " ", `\.`, "\xff"} {
		f.Add(s, "tenant")
	}
	read := func(t *testing.T, table reports.Table) [][]string {
		t.Helper()
		var b bytes.Buffer
		if err := table.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatalf("%v in %q", err, b.String())
		}
		return records[1:]
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		// encoding/csv reads a line end within quotes as LF.
		lf := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
		got := read(t, reports.Table{
			Columns: []reports.Column{{Name: "k", Verbatim: true}, {Name: "e"}},
			Rows:    [][]string{{a, b}, {b, a}},
		})
		want := [][]string{{lf(a), lf(reports.EscapeCSV(b))}, {lf(b), lf(reports.EscapeCSV(a))}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		one := read(t, reports.Table{Columns: []reports.Column{{Name: "k", Verbatim: true}}, Rows: [][]string{{a}, {""}, {b}}})
		if diff := cmp.Diff([][]string{{lf(a)}, {""}, {lf(b)}}, one); diff != "" {
			t.Errorf("one column, -want +got:\n%s", diff)
		}
		e := reports.EscapeCSV(a)
		if e != a && e != "'"+a {
			t.Errorf("EscapeCSV(%q) = %q", a, e)
		}
		if e == reports.EscapeCSV(b) && a != b {
			t.Errorf("EscapeCSV gives %q for both %q and %q", e, a, b)
		}
	})
}
