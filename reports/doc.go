// Package reports answers how a result is shown: as a plain table for a
// terminal, as Markdown for a design document, as CSV or JSON for a script, and
// in a file that is either whole or not there.
//
// Build a [Table] from raw cells, then call [Table.Write] with the [Format] the
// user asked for:
//
//	t := reports.Table{
//		Title: "Balance over 12 partitions",
//		Columns: []reports.Column{
//			{Name: "client", Key: "client"},
//			{Name: "max/mean", Key: "imbalance", Right: true},
//		},
//		Rows: [][]string{{"java", format.Ratio(2.61)}},
//	}
//	err := reports.WriteFile(path, func(w io.Writer) error { return t.Write(w, format) })
//
// Cells hold other people's keys and are never trusted: each writer escapes them
// for its own format, so callers pass raw text and escape nothing themselves.
// [KeyCell] turns key bytes into a cell, keeping a null key and an empty key
// apart; partition.KeyText does the same for JSON.
//
// [Load] reads results back that were saved as JSON, and a [Report] makes one
// document of several. A [Redactor] replaces the names in results before they are
// written.
//
// Left out: what the numbers mean, colour, and progress. Figures are in
// [github.com/keyspread/keyspread/reports/figures].
package reports
