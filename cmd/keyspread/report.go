package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/reports"
	"github.com/keyspread/keyspread/reports/figures"
	"github.com/urfave/cli/v2"
)

// reportFigures is how many figures of one result a report shows at most.
const reportFigures = 12

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "one document from saved results, for a design review",
		ArgsUsage: "SAVED.json…",
		Description: `Renders again what other commands saved with --format json, without the keys:
several results become one document. - is standard input; .gz and .zst are read
directly.

  keyspread spread keys.csv -p 12 --format json -o spread.json
  keyspread churn keys.csv --from 12 --to 18 --format json -o churn.json
  keyspread report spread.json churn.json --format markdown -o report.md --figures figures

Figures are linked from Markdown with paths relative to the document. json holds
the results as they were saved and can be given to report again. csv takes one
result. bench prints what benchstat compares:

  keyspread report before.json --format bench > before.txt
  keyspread report after.json --format bench > after.txt
  benchstat before.txt after.txt`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "title", Value: "Keys and partitions", Usage: "`TEXT` at the top of the document"},
			formatFlag("text, markdown, csv, json or bench (Go benchmark format, for benchstat)"), outputFlag,
			&cli.StringFlag{Name: "figures", Usage: "draw the results to `DIR`, as SVG and PNG, and link them"},
		},
		Action: report,
	}
}

func report(c *cli.Context) error {
	f, err := format(c)
	if err != nil {
		return err
	}
	if c.NArg() == 0 {
		return usagef("report takes files that other commands saved with --format json, as in keyspread report spread.json churn.json (- for standard input)")
	}
	document := reports.Report{Title: c.String("title")}
	for i, path := range c.Args().Slice() {
		if slices.ContainsFunc(c.Args().Slice()[:i], func(earlier string) bool { return filepath.Clean(earlier) == filepath.Clean(path) }) {
			notes(c)(path + " is given twice: it is shown once")
			continue
		}
		saved, err := loadSaved(c, path)
		if err != nil {
			return err
		}
		for _, s := range saved {
			document.Sections = append(document.Sections, reports.Section{Saved: s})
		}
	}
	if f == reports.CSV && len(document.Sections) > 1 {
		return usagef("report: --format csv holds the table of one result, not of %d: give one file", len(document.Sections))
	}
	if err := drawReport(c, &document); err != nil {
		return err
	}
	return writeOutput(c, func(w io.Writer) error { return document.Write(w, f) })
}

// loadSaved reads the results in a file.
func loadSaved(c *cli.Context, path string) ([]*reports.Saved, error) {
	r, name, err := open(c, path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return reports.Load(r, name)
}

// drawReport writes the figures of a document, if --figures asks for them, and
// links them.
func drawReport(c *cli.Context, document *reports.Report) error {
	dir := c.String("figures")
	if dir == "" {
		return nil
	}
	link, err := relativeTo(c.String(outputFlag.Name), dir)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for i := range document.Sections {
		section := &document.Sections[i]
		drawings := drawingsOf(section.Result)
		if more := len(drawings) - reportFigures; more > 0 {
			notes(c)(fmt.Sprintf("%s: the first %d of its figures are drawn, %d are left out", section.Name, reportFigures, more))
			drawings = drawings[:reportFigures]
		}
		for _, d := range drawings {
			if err := c.Context.Err(); err != nil {
				return err
			}
			paths, err := d.figure.Save(dir, freeName(taken, d.name))
			if err != nil {
				return err
			}
			section.Figures = append(section.Figures, reports.FigureLink{Caption: d.caption, Path: link + filepath.Base(paths[0])})
		}
	}
	noun := "figures"
	if len(taken) == 1 {
		noun = "figure"
	}
	notes(c)(fmt.Sprintf("drew %d %s in %s, as SVG and PNG", len(taken), noun, dir))
	return nil
}

// A drawing is a figure with its name as a file and what it shows.
type drawing struct {
	figure interface {
		Save(dir, base string) ([]string, error)
	}
	name, caption string
}

// drawingsOf returns the figures of a result.
func drawingsOf(result reports.Result) []drawing {
	var list []drawing
	switch r := result.(type) {
	case reports.SavedSpreads:
		if curves, ok := figures.Sweep(r); ok && (r[0].Compact() || len(r) > bench.TestedCounts) {
			return []drawing{{curves, "imbalance", "Imbalance against the number of " + r[0].Unit + "s"}}
		}
		for _, s := range r {
			if s.Compact() {
				continue
			}
			list = append(list, drawing{
				figures.Spread(s), fmt.Sprintf("spread-%s-%d", s.Client, s.Partitions),
				fmt.Sprintf("Records per %s: %s over %d, with the fair share as a dashed line", s.Unit, s.Client, s.Partitions),
			})
		}
	case reports.SavedChurns:
		for _, s := range r.Changes {
			list = append(list, drawing{
				figures.Churn(s), fmt.Sprintf("churn-%s-to-%s", sideName(s.From), sideName(s.To)),
				fmt.Sprintf("Keys from each %s of %s over %d to each of %s over %d", s.From.Unit, s.From.Client, s.From.Partitions, s.To.Client, s.To.Partitions),
			})
		}
	}
	return list
}

// freeName returns a name for a file that is not taken yet, and takes it. Names
// come from saved files, so that only harmless characters are kept.
func freeName(taken map[string]bool, name string) string {
	const most = 100
	safe := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, name)
	safe = safe[:min(len(safe), most)]
	free := safe
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s-%d", safe, n)
	}
	taken[free] = true
	return free
}

// relativeTo returns the path from the document's directory, the working one if it
// goes to standard output, to dir, with forward slashes and one at its end.
func relativeTo(document, dir string) (string, error) {
	from := "."
	if document != "" && document != "-" {
		from = filepath.Dir(document)
	}
	from, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	path, err := filepath.Rel(from, to)
	if err != nil { // on another drive
		path = to
	}
	if path == "." {
		return "", nil
	}
	return filepath.ToSlash(path) + "/", nil
}
