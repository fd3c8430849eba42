package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Saved is a result as a command saved it with --format json.
type Saved struct {
	Name   string          // of the file, as messages and documents show it
	Schema string          // such as keyspread/spread/v1
	JSON   json.RawMessage // the result as it was saved
	Result Result          // a [SavedSpreads], [SavedChurns], [SavedDetection], [SavedMapping] or [SavedClients]
}

// A Result is what a [Saved] holds.
type Result interface {
	// Write renders the result as the command does that saved it, byte for byte in
	// text, Markdown and CSV. JSON is an error: see [Saved.JSON].
	Write(w io.Writer, f Format) error

	heading() string   // of a section of a document
	facts() []string   // what the figures were made from, one phrase each
	summary() []string // what a reader must know first, one sentence each
}

// loaders read the results that can be rendered again, by the name in their
// schema. The text of a result is valid JSON.
var loaders = map[string]func(text []byte) (Result, error){
	"spread":  loadSpreads,
	"churn":   loadChurns,
	"detect":  loadDetection,
	"map":     loadMapping,
	"clients": loadClients,
}

// rendered lists what can be rendered, for messages.
const rendered = "report renders what spread, churn, map, map --detect and map --clients write with --format json"

// elsewhere says where the other schemas of keyspread belong.
var elsewhere = map[string]string{
	"profile": "is a key source, not a result: give it to spread or churn",
	"check":   "holds verdicts on contracts: run check again with the format you want",
}

// major is the version of every schema that this package reads.
const major = 1

// maxSaved is the largest size of a saved file in bytes. A spread over a million
// partitions takes a tenth of it.
const maxSaved = 1 << 30

// Load reads the results that a file holds: usually one, several if files were
// joined, those of a report if it is one. Name is for messages.
//
// A file may have been edited by hand: whatever its content, results that come
// back without an error can be rendered. The error names the file, the place, what
// was found there and what to do. An unknown field is left alone, since a newer
// minor version may have added it; a newer major version is an error.
func Load(r io.Reader, name string) ([]*Saved, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSaved+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	case len(text) > maxSaved:
		return nil, fmt.Errorf("%s: larger than %s: report renders smaller results only", name, Bytes(maxSaved))
	case bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")):
		return nil, fmt.Errorf("%s: UTF-16 text, as the > of Windows PowerShell writes it: save with -o FILE instead", name)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	f := &savedFile{name, text}
	if at := invalidUTF8(text); at >= 0 {
		return nil, f.errorAt(at, "not UTF-8, so not JSON: %s", rendered)
	}
	results, err := f.results()
	if err == nil && len(results) == 0 {
		err = fmt.Errorf("%s: empty: %s", name, rendered)
	}
	return results, err
}

// Write renders the result as the command does that saved it, see
// [Result.Write].
func (s *Saved) Write(w io.Writer, f Format) error { return s.Result.Write(w, f) }

// A savedFile is the content of a file.
type savedFile struct {
	name string
	text []byte
}

// results decodes the JSON values of the file one after another.
func (f *savedFile) results() ([]*Saved, error) {
	var results []*Saved
	decoder := json.NewDecoder(bytes.NewReader(f.text))
	for {
		var value json.RawMessage
		switch err := decoder.Decode(&value); {
		case errors.Is(err, io.EOF):
			return results, nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, f.errorAt(len(f.text), "the JSON ends in the middle: the file was cut off; save the result again")
		case err != nil:
			at := len(f.text)
			if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
				at = int(syntax.Offset) - 1
			}
			return nil, f.errorAt(at, "not JSON (%v): %s", err, rendered)
		}
		start := int(decoder.InputOffset()) - len(value)
		more, err := f.decode(value, start, true)
		if err != nil {
			return nil, err
		}
		results = append(results, more...)
	}
}

// decode decodes one value, which begins at start. It may be a report, unless it
// is in one.
func (f *savedFile) decode(value json.RawMessage, start int, reports bool) ([]*Saved, error) {
	var head struct {
		Schema *json.RawMessage `json:"schema"`
	}
	if value[0] != '{' {
		return nil, f.errorAt(start, "%s where a result begins with {: %s", jsonKind(value), rendered)
	}
	if err := json.Unmarshal(value, &head); err != nil {
		return nil, f.wrong(start, err)
	}
	var schema string
	if head.Schema == nil || json.Unmarshal(*head.Schema, &schema) != nil {
		return nil, f.errorAt(start, `no "schema" that says what this is: %s`, rendered)
	}
	kind, err := kindOf(schema)
	if err != nil {
		return nil, f.errorAt(start, "%w", err)
	}
	if kind == "report" && reports {
		return f.report(value, start)
	}
	load, known := loaders[kind]
	if !known {
		if why, ok := elsewhere[kind]; ok {
			return nil, f.errorAt(start, "schema %q %s", schema, why)
		}
		return nil, f.errorAt(start, "schema %q cannot be rendered: %s", schema, rendered)
	}
	result, err := load(value)
	if err != nil {
		return nil, f.wrong(start, err)
	}
	return []*Saved{{Name: f.name, Schema: schema, JSON: value, Result: result}}, nil
}

// report decodes the results of a report.
func (f *savedFile) report(value json.RawMessage, start int) ([]*Saved, error) {
	var r struct {
		Results []json.RawMessage `json:"results"`
	}
	if err := json.Unmarshal(value, &r); err != nil {
		return nil, f.wrong(start, err)
	}
	var results []*Saved
	for _, result := range r.Results {
		// Of equal results the place of the first does as well.
		more, err := f.decode(result, start+bytes.Index(value, result), false)
		if err != nil {
			return nil, err
		}
		results = append(results, more...)
	}
	return results, nil
}

// kindOf returns the name within a schema such as keyspread/spread/v1.
func kindOf(schema string) (string, error) {
	parts := strings.Split(schema, "/")
	if len(parts) != 3 || parts[0] != "keyspread" || !strings.HasPrefix(parts[2], "v") {
		return "", fmt.Errorf("schema %q is not one of keyspread: %s", short(schema), rendered)
	}
	version, err := strconv.ParseUint(parts[2][1:], 10, 31)
	switch {
	case err != nil || version == 0:
		return "", fmt.Errorf("schema %q has no version such as v%d: %s", short(schema), major, rendered)
	case version > major:
		return "", fmt.Errorf("schema %q is newer than this keyspread, which reads up to v%d: update it (go install github.com/keyspread/keyspread/cmd/keyspread@latest)", short(schema), major)
	}
	return parts[1], nil
}

// wrong explains the error of a result that begins at start.
func (f *savedFile) wrong(start int, err error) error {
	if wrongType := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrongType) {
		return f.errorAt(start+int(wrongType.Offset)-1, "%s is %s: want %s; save the result again",
			or(wrongType.Field, "the result"), withArticle(wrongType.Value), typeInWords(wrongType.Type.Kind().String()))
	}
	if explained := (explainedError{}); errors.As(err, &explained) {
		return f.errorAt(start, "%w", err)
	}
	return f.errorAt(start, "%w: the file was changed; save the result again", err)
}

// An explainedError says itself what to do.
type explainedError struct{ error }

// unknown is the error of a field whose value no version up to this one writes.
func unknown(field, value string) error {
	return explainedError{fmt.Errorf("%s is %q, which this keyspread does not know: update it, or save the result again", field, short(value))}
}

// errorAt is an error that says where in the file it is.
func (f *savedFile) errorAt(at int, format string, args ...any) error {
	before := f.text[:max(0, min(at, len(f.text)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%s:%d:%d: %w", f.name, line, column, fmt.Errorf(format, args...))
}

// jsonKind says in words what a JSON value is.
func jsonKind(value []byte) string {
	if len(value) == 0 {
		return "nothing"
	}
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// withArticle puts what encoding/json calls a value into words: "string", "number
// 1.5", "object".
func withArticle(value string) string {
	switch value {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	}
	return "a " + value
}

// typeInWords puts the kind of a Go type into words.
func typeInWords(kind string) string {
	switch kind {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "slice":
		return "a list"
	case "struct", "map":
		return "an object"
	case "float64":
		return "a number"
	}
	return "a whole number in range"
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// short returns the beginning of a text of unknown length.
func short(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// invalidUTF8 returns where a text stops being UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; ; {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}
