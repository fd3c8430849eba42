package reports_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/reports"
)

// example is a table with every kind of trouble in its keys.
func example(f reports.Format) *reports.Table {
	t := &reports.Table{
		Title: "Top keys of <orders>, java over 12 partitions",
		Columns: []reports.Column{
			{Name: "key"},
			{Name: "records", Right: true},
			{Name: "share of all", Key: "share", Right: true},
			{Name: "partition", Right: true},
			{Name: "tenant"},
		},
		Notes: []string{
			"modelled: from key counts, without a broker",
			"- 1 key is not valid UTF-8",
		},
	}
	for i, key := range []string{
		"user-8831", "LAS|LAX", "a\x1b[31mred", "evil\u202egnp.exe", "=HYPERLINK(\"http://x\")", "日本", "\xc3(", "two\nlines",
		"`*_[x](http://y)_*`", "@octocat", "-12.5", " padded  ", `C:\x41`, "(null)",
	} {
		n := int64(1234567 >> i)
		tenant := []string{"acme", "", "globex, inc."}[i%3]
		t.Rows = append(t.Rows, []string{key, f.Count(n), f.Percent(float64(n) / 2469134), f.Count(int64(i)), tenant})
	}
	return t
}

func TestTable(t *testing.T) {
	for f, file := range map[reports.Format]string{
		reports.Text: "table.txt", reports.Markdown: "table.md", reports.CSV: "table.csv",
	} {
		var b bytes.Buffer
		if err := example(f).Write(&b, f); err != nil {
			t.Fatal(err)
		}
		golden(t, file, b.String())
		for _, line := range strings.Split(b.String(), "\n") {
			if f != reports.CSV && strings.TrimRight(line, " ") != line {
				t.Errorf("%s: trailing space in %q", f, line)
			}
		}
	}
}

// The simplest tables: without rows, without columns, without anything.
func TestTableParts(t *testing.T) {
	columns := []reports.Column{{Name: "a"}, {Name: "b", Right: true}}
	for _, c := range []struct {
		table reports.Table
		want  map[reports.Format]string
	}{
		{reports.Table{}, map[reports.Format]string{reports.Text: "", reports.Markdown: "", reports.CSV: ""}},
		{reports.Table{Columns: columns}, map[reports.Format]string{
			reports.Text: "a  b\n─  ─\n", reports.Markdown: "| a | b |\n| --- | --: |\n", reports.CSV: "a,b\n",
		}},
		{reports.Table{Title: "t", Notes: []string{"n"}}, map[reports.Format]string{
			reports.Text: "t\n\nnote: n\n", reports.Markdown: "### t\n\n- n\n", reports.CSV: "",
		}},
	} {
		for f, want := range c.want {
			var b bytes.Buffer
			if err := c.table.Write(&b, f); err != nil || b.String() != want {
				t.Errorf("%s of %+v: %q, %v, want %q", f, c.table, b.String(), err, want)
			}
		}
	}
}

func TestTableRefuses(t *testing.T) {
	shifted := &reports.Table{Title: "t", Columns: []reports.Column{{Name: "a"}}, Rows: [][]string{{"1"}, {"2", "3"}}}
	full := &reports.Table{Columns: []reports.Column{{Name: "a"}}, Rows: [][]string{{"1"}}}
	for _, f := range []reports.Format{reports.Text, reports.Markdown, reports.CSV} {
		var b bytes.Buffer
		if err := shifted.Write(&b, f); err == nil || !strings.Contains(err.Error(), "row 2 has 2 cells") {
			t.Errorf("%s of a row with too many cells: %v", f, err)
		}
		if b.Len() > 0 {
			t.Errorf("%s wrote %q beside the error", f, b.String())
		}
		if err := full.Write(failing{}, f); !errors.Is(err, errFull) {
			t.Errorf("%s hides the writer's error: %v", f, err)
		}
	}
	if err := full.Write(&bytes.Buffer{}, reports.JSON); err == nil {
		t.Error("a table was written as JSON")
	}
}

var errFull = errors.New("disk full")

// failing is a writer on a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
