package reports

import (
	"fmt"
	"strings"
)

// Format is the form in which a result is written.
type Format string

// The formats that commands know; Bench only some.
const (
	Text     Format = "text"     // aligned columns for a terminal, no colour
	Markdown Format = "markdown" // GitHub table for a document or job summary
	CSV      Format = "csv"      // RFC 4180 for a script or spreadsheet
	JSON     Format = "json"     // the whole result, versioned
	Bench    Format = "bench"    // Go benchmark format for benchstat; figures of spreads and churns only
)

// Formats returns the known formats, the default first.
func Formats() []Format { return []Format{Text, Markdown, CSV, JSON, Bench} }

// ParseFormat returns the format with the given name. The error for an unknown
// name lists the known ones and says which was probably meant.
func ParseFormat(name string) (Format, error) {
	if name == "md" {
		return Markdown, nil
	}
	var known []string
	var near string
	for _, f := range Formats() {
		if name == string(f) {
			return f, nil
		}
		known = append(known, string(f))
		// No two formats share a first letter, so that letter is enough to
		// recognise "md", "txt", "jsn" and "CSV".
		if name != "" && strings.EqualFold(name[:1], string(f)[:1]) {
			near = fmt.Sprintf("; did you mean %s?", f)
		}
	}
	return "", fmt.Errorf("unknown format %q: want %s%s", name, strings.Join(known, ", "), near)
}
