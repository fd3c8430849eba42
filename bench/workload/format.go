package workload

import (
	"bytes"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
)

// A Format names how keys, or loads of partitions, are written in an input.
type Format string

// The formats with keys; [ParseFormat] accepts their names. Those of records that
// were consumed say which partition each came from, so [Samples] reads them, too.
const (
	Auto            Format = "auto"             // detected from the name, then the content
	Keys            Format = "keys"             // bare keys, one a line, each a record
	CSV             Format = "csv"              // key,count[,bytes][,tenant], or columns named by a header
	TSV             Format = "tsv"              // the same, separated by tabs
	Uniq            Format = "uniq"             // what uniq -c prints: count, key
	NDJSON          Format = "ndjson"           // JSON objects with key, count, bytes, tenant, partition
	Parquet         Format = "parquet"          // columns of the same names
	KcatPK          Format = "kcat-pk"          // kcat or rpk, -f '%p %k\n': partition, key
	KcatPOKS        Format = "kcat-poks"        // kcat -f '%p\t%o\t%k\t%S\n': partition, offset, key, size
	KcatKey         Format = "kcat-key"         // kcat -K:, the separator behind the name, as in kcat-key:
	KcatJSON        Format = "kcat-json"        // kcat -J
	RpkJSON         Format = "rpk-json"         // rpk topic consume, its default
	ConsoleConsumer Format = "console-consumer" // kafka-console-consumer with print.partition and print.key
)

// The formats with partitions and no keys, which [ReadLoads] reads.
const (
	GetOffsets     Format = "get-offsets"     // kafka-get-offsets: topic:partition:offset
	ConsumerGroups Format = "consumer-groups" // kafka-consumer-groups --describe
	TopicsDescribe Format = "topics-describe" // kafka-topics --describe
	LogDirs        Format = "log-dirs"        // kafka-log-dirs --describe
	Prometheus     Format = "prometheus"      // metrics of exporters, in text
)

// A format is a way of writing keys: what recognises it and what reads it. To
// add one write a file that makes one, and list it in formats.
type format struct {
	name       Format
	extensions []string // of file names, lower case, with the dot

	// layout is the format in words, for those that have but one.
	layout string

	// sniff returns why the sample is of this format, or false. It is nil for a
	// format that only an extension or a flag selects.
	sniff func(s sample) (why string, ok bool)

	// read reads src to its end into the intake: rows with add, or, if the format is
	// loadsOnly, loads.
	read      func(src *source, in *intake) error
	loadsOnly bool // it has partitions and no keys

	// samples reads src like read, for those who want to know where each key was
	// read. It is nil if the format does not say.
	samples func(src *source, in *intake) error
}

// formats lists every format, in the order in which they are tried: those that are
// hard to mistake first.
var formats = []format{
	parquetFormat,
	kcatJSONFormat, rpkJSONFormat, ndjsonFormat,
	logDirsFormat, consumerGroupsFormat, topicsDescribeFormat, prometheusFormat,
	consoleFormat, uniqFormat, kcatPOKSFormat, getOffsetsFormat, kcatPKFormat,
	csvFormat, tsvFormat, keysFormat,
}

// FormatNames lists what [ParseFormat] takes besides auto, for usage texts.
func FormatNames() string {
	names := []string{kcatKeyName(":")}
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
	if _, err := formatNamed(Format(name)); err != nil {
		return "", err
	}
	return Format(name), nil
}

// formatNamed returns the format with the given name.
func formatNamed(name Format) (format, error) {
	for _, f := range formats {
		if f.name == name {
			return f, nil
		}
	}
	if separator, ok := strings.CutPrefix(string(name), string(KcatKey)); ok {
		return kcatKeyFormat(name, separator)
	}
	return format{}, fmt.Errorf("unknown input format %q: want auto|%s", name, FormatNames())
}

// sampleSize is how much of an input is looked at to detect its format, in
// bytes.
const sampleSize = 64 << 10

// A sample is the beginning of an input.
type sample struct {
	text     []byte
	whole    bool // text is all there is, so that its last line is complete
	observed bool // its keys are said to come with partitions, see Samples
}

// lines yields the lines of the sample that are complete, without their ends.
func (s sample) lines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := s.text; len(rest) > 0; {
			line, after, ended := bytes.Cut(rest, newlineByte)
			if !ended && !s.whole || !yield(dropCR(line)) {
				return
			}
			rest = after
		}
	}
}

// byName is why a format was chosen by its extension.
const byName = "because of its name"

// choose returns the format of the input and why it was chosen; why is empty if
// the caller chose.
func choose(want Format, name string, src *source) (f format, why string, err error) {
	if want != Auto && want != "" {
		f, err := formatNamed(want)
		return f, "", err
	}
	s, ext := src.sample(sampleSize), extension(name)
	for _, f := range formats {
		if f.named(ext) {
			return f, byName, nil
		}
		if f.name == CSV && tsvFormat.named(ext) {
			continue
		}
		if why, ok := f.sniff(s); ok {
			return f, why, nil
		}
	}
	return keysFormat, "", nil // not reached: bare keys fit everything
}

// named reports whether files with the extension are of the format. What kcat or
// uniq -c printed is still that if somebody calls it .tsv or .csv: these formats
// are tried before.
func (f format) named(ext string) bool { return ext != "" && slices.Contains(f.extensions, ext) }

// chooseSamples is choose for an input whose keys come with partitions.
func chooseSamples(want Format, name string, src *source) (f format, why string, err error) {
	if want == Auto || want == "" {
		s := src.sample(sampleSize)
		s.observed = true
		ext := extension(name)
		for _, f := range formats {
			if f.named(ext) {
				want, why = f.name, byName
				break
			}
			if f.name == CSV { // it and what follows are told apart by less
				if want = sampleSeparator(s); tsvFormat.named(ext) {
					want = TSV
				}
				break
			}
			if because, ok := f.sniff(s); ok {
				want, why = f.name, because
				break
			}
		}
	}
	f, err = formatNamed(want)
	return f, why, err
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
