package workload

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A Format names how keys are written in an input.
type Format string

// The formats; [ParseFormat] accepts their names.
const (
	Auto Format = "auto" // detected from the name, then the content
	Keys Format = "keys" // bare keys, one a line, each a record
	CSV  Format = "csv"  // key,count[,bytes][,tenant], or columns named by a header
	TSV  Format = "tsv"  // the same, separated by tabs
)

// A format is a way of writing keys: what recognises it and what reads it. To
// add one write a file that makes one, and list it in formats.
type format struct {
	name       Format
	extensions []string // of file names, lower case, with the dot

	// sniff returns how the sample is laid out and why it is of this format, or
	// false. It is nil for a format that only an extension or a flag selects.
	sniff func(s sample) (why string, ok bool)

	// read reads src to its end.
	read func(src *source, in *intake) error
}

// formats lists every format, in the order in which they are tried.
var formats = []format{csvFormat, tsvFormat, keysFormat}

// FormatNames lists what [ParseFormat] takes besides auto, for usage texts.
func FormatNames() string {
	var names []string
	for _, f := range formats {
		names = append(names, string(f.name))
	}
	slices.Sort(names)
	return strings.Join(names, "|")
}

// ParseFormat returns the format with the given name; an empty name is Auto.
func ParseFormat(name string) (Format, error) {
	if name == "" || name == string(Auto) {
		return Auto, nil
	}
	for _, f := range formats {
		if string(f.name) == name {
			return f.name, nil
		}
	}
	return "", fmt.Errorf("unknown input format %q: want auto|%s", name, FormatNames())
}

// sampleSize is how much of an input is looked at to detect its format, in
// bytes.
const sampleSize = 64 << 10

// A sample is the beginning of an input.
type sample struct {
	text  []byte
	whole bool // text is all there is, so that its last line is complete
}

// byName is why a format was chosen by its extension.
const byName = "because of its name"

// choose returns the format of the input and why it was chosen; why is empty if
// the caller chose.
func choose(want Format, name string, src *source) (f format, why string, err error) {
	if want != Auto && want != "" {
		for _, f := range formats {
			if f.name == want {
				return f, "", nil
			}
		}
		_, err := ParseFormat(string(want))
		return format{}, "", err
	}
	ext := extension(name)
	for _, f := range formats {
		if ext != "" && slices.Contains(f.extensions, ext) {
			return f, byName, nil
		}
	}
	s := src.sample(sampleSize)
	for _, f := range formats {
		if why, ok := f.sniff(s); ok {
			return f, why, nil
		}
	}
	return keysFormat, "", nil // not reached: bare keys fit everything
}

// extension returns the extension of a file name, in lower case, before that of
// its compression.
func extension(name string) string {
	name = strings.ToLower(name)
	for _, c := range compressions {
		name = strings.TrimSuffix(name, c.extension)
	}
	return path.Ext(strings.ReplaceAll(name, `\`, "/"))
}
