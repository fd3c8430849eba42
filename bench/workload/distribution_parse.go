package workload

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Names of the options of a distribution.
const (
	keysOption    = "keys"
	recordsOption = "records"
)

// A lawForm is how a law is written.
type lawForm struct {
	name       string
	parameters []string // their names, in order
	example    string   // for messages
	make       func(v []float64) Law
}

// laws lists every law that [ParseDistribution] reads.
var laws = []lawForm{
	{"uniform", nil, "uniform", func([]float64) Law { return Uniform{} }},
	{"zipf", []string{"S"}, "zipf:1.05", func(v []float64) Law { return Zipf{v[0]} }},
	{"lognormal", []string{"MU", "SIGMA"}, "lognormal:0,1.5", func(v []float64) Law { return LogNormal{v[0], v[1]} }},
	{"pareto", []string{"A"}, "pareto:1.16", func(v []float64) Law { return Pareto{v[0]} }},
	{"hotset", []string{"KEYS%", "RECORDS%"}, "hotset:20,80", func(v []float64) Law { return HotSet{v[0], v[1]} }},
}

// A DistributionError says what is wrong with the text of a distribution, where,
// and what to write instead.
type DistributionError struct {
	Text    string // the whole distribution
	Column  int    // where Value begins in Text, in bytes, from 1; 0 if the whole is meant
	Value   string // the offending part
	Problem string
	Fix     string
}

// Error returns one line, such as
//
//	distribution "zipf:0": column 6, "0": S is not above 0; write for example zipf:1.05
func (e *DistributionError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "distribution %s: ", quote([]byte(e.Text)))
	if e.Column > 0 {
		fmt.Fprintf(&b, "column %d, %s: ", e.Column, quote([]byte(e.Value)))
	}
	fmt.Fprintf(&b, "%s; %s", e.Problem, e.Fix)
	return b.String()
}

// ParseDistribution reads a distribution in the one grammar that flags and files
// share: a law, its numbers after a colon, then options, all separated by
// commas.
//
//	uniform                     every key has the same weight
//	zipf:S                      see [Zipf]
//	lognormal:MU,SIGMA          see [LogNormal]
//	pareto:A                    see [Pareto]
//	hotset:KEYS%,RECORDS%       see [HotSet]
//
//	keys=N                      number of keys, [DefaultKeyCount] if not given
//	records=N                   number of records, [DefaultRecords] if not given
//
// as in zipf:1.05,keys=1e6,records=1e9. The order of the options is free. Numbers
// are decimal and may have an exponent, and underscores between digits; those of
// the options must be whole: 1000000, 1_000_000, 1e6 and 2.5e9 are, and 10k is
// not a number since some would read 10,240. Names are lower case; spaces around
// a comma, a colon or an equals sign are skipped.
//
// The error is a [*DistributionError].
func ParseDistribution(text string) (Distribution, error) {
	d := Distribution{KeyCount: DefaultKeyCount, Records: DefaultRecords}
	parts := splitDistribution(text)
	law, options, err := parseLaw(text, parts)
	if err != nil {
		return Distribution{}, err
	}
	d.Law = law
	seen := map[string]bool{}
	for _, f := range options {
		name, value, found := f.cut("=")
		if !found {
			return Distribution{}, f.fail(text, "neither a number of the law nor an option", "write keys=… or records=…")
		}
		r := keysRange
		switch name.text {
		case keysOption:
		case recordsOption:
			r = recordsRange
		default:
			return Distribution{}, name.fail(text, "unknown option", "the options are keys=… and records=…")
		}
		if seen[name.text] {
			return Distribution{}, f.fail(text, "given twice", "remove one of the two")
		}
		seen[name.text] = true
		n, err := value.whole(text, r)
		if err != nil {
			return Distribution{}, err
		}
		if name.text == keysOption {
			d.KeyCount = int(n)
		} else {
			d.Records = n
		}
	}
	return d, nil
}

// ParseLaw reads the law alone, as in zipf:1.05, for those who know the number of
// keys and records from elsewhere. The error is a [*DistributionError].
func ParseLaw(text string) (Law, error) {
	law, options, err := parseLaw(text, splitDistribution(text))
	if err != nil {
		return nil, err
	}
	if len(options) > 0 {
		return nil, options[0].fail(text, "not a number of the law", "options such as keys= do not belong here")
	}
	return law, nil
}

// IsDistribution reports whether text is meant to be a distribution rather than
// the name of a file: it begins with the name of a law that a colon or a comma
// follows. Whether it is a valid one [ParseDistribution] says.
//
// A file of such a name, which hardly anybody has and some systems forbid, is
// reached as ./zipf:1.05. The word uniform alone is a file's name; the
// distribution is uniform,keys=1e6 then.
func IsDistribution(text string) bool {
	at := strings.IndexAny(text, ":,")
	if at < 0 {
		return false
	}
	_, ok := lawNamed(strings.ToLower(text[:at]))
	return ok
}

func lawNamed(name string) (lawForm, bool) {
	for _, l := range laws {
		if l.name == name {
			return l, true
		}
	}
	return lawForm{}, false
}

// lawNames lists the names of the laws for messages.
func lawNames() string {
	var names []string
	for _, l := range laws {
		names = append(names, l.name)
	}
	return strings.Join(names, ", ")
}

// A part is a piece of the text of a distribution.
type part struct {
	text   string // without spaces around it
	column int    // in bytes, from 1
}

// newPart returns the part of a text that begins at a column.
func newPart(text string, column int) part {
	trimmed := strings.TrimLeft(text, " ")
	return part{strings.TrimRight(trimmed, " "), column + len(text) - len(trimmed)}
}

// cut splits a part at the first separator.
func (p part) cut(separator string) (before, after part, found bool) {
	at := strings.Index(p.text, separator)
	if at < 0 {
		return p, part{}, false
	}
	return newPart(p.text[:at], p.column), newPart(p.text[at+len(separator):], p.column+at+len(separator)), true
}

func (p part) fail(text, problem, fix string) *DistributionError {
	return &DistributionError{Text: text, Column: p.column, Value: p.text, Problem: problem, Fix: fix}
}

// splitDistribution splits text at its commas.
func splitDistribution(text string) []part {
	var parts []part
	column := 1
	for piece := range strings.SplitSeq(text, ",") {
		parts = append(parts, newPart(piece, column))
		column += len(piece) + 1
	}
	return parts
}

// parseLaw reads the law from the first parts and returns the others.
func parseLaw(text string, parts []part) (law Law, options []part, err error) {
	name, first, hasNumbers := parts[0].cut(":")
	form, known := lawNamed(name.text)
	if !known {
		return nil, nil, name.fail(text, "unknown distribution", nearestLaw(name.text))
	}

	parts = parts[1:]
	var numbers []part
	if hasNumbers {
		numbers = append(numbers, first)
		// lognormal:0,1.5 has a comma, too: numbers go on until the first option.
		for len(parts) > 0 && !strings.Contains(parts[0].text, "=") && len(numbers) < len(form.parameters) {
			numbers = append(numbers, parts[0])
			parts = parts[1:]
		}
	}
	if len(numbers) > len(form.parameters) {
		return nil, nil, first.fail(text, form.name+" takes no numbers", "write for example "+form.example+",keys=1e6")
	}
	values := make([]float64, len(numbers))
	for i, f := range numbers {
		v, ok := parseNumber(f.text)
		if !ok {
			return nil, nil, f.fail(text, fmt.Sprintf("not a number, which %s is", form.parameters[i]), "write for example "+form.example)
		}
		values[i] = v
	}
	if len(values) < len(form.parameters) {
		problem := fmt.Sprintf("%s takes %s, of which %s is missing", form.name, strings.Join(form.parameters, " and "), form.parameters[len(values)])
		return nil, nil, name.fail(text, problem, "write for example "+form.example)
	}
	law = form.make(values)
	if i, what, fix := law.problem(); what != "" {
		return nil, nil, numbers[i].fail(text, what, fix)
	}
	return law, parts, nil
}

// nearestLaw says which law an unknown name may mean. With five names what they
// begin and end with in common tells them apart.
func nearestLaw(name string) string {
	name = strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	best, most := "", 0
	for _, l := range laws {
		common := 0
		for common < min(len(name), len(l.name)) && name[common] == l.name[common] {
			common++
		}
		for back := 1; back <= min(len(name), len(l.name))-common && name[len(name)-back] == l.name[len(l.name)-back]; back++ {
			common++
		}
		if common > most {
			best, most = l.name, common
		}
	}
	if 2*most < len(name) || most < 2 {
		return "the distributions are " + lawNames()
	}
	return fmt.Sprintf("did you mean %s? The distributions are %s", best, lawNames())
}

// whole returns the part's value as a whole number in the given range.
func (p part) whole(text string, r numberRange) (int64, error) {
	const beyond = 1 << 62 // what int64 may not hold is out of range anyway
	v, ok := parseNumber(p.text)
	n := int64(math.Round(max(-beyond, min(v, beyond))))
	switch {
	case !ok:
		return 0, p.fail(text, "not a whole number of "+r.things, fmt.Sprintf("write digits, as in %s=1000000 or %[1]s=1e6", r.things))
	case v != math.Trunc(v):
		return 0, p.fail(text, "not a whole number of "+r.things, fmt.Sprintf("write %s=%d", r.things, max(r.min, min(n, r.max))))
	}
	if what, fix := r.problem(n); what != "" {
		return 0, p.fail(text, what, fix)
	}
	return n, nil
}

// parseNumber parses a finite decimal number. Unlike strconv it takes
// underscores between digits, as people write 1_000_000, and neither hexadecimal
// numbers nor the names of infinity.
func parseNumber(text string) (float64, bool) {
	isDigit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	plain := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(i), strings.IndexByte("+-.eE", c) >= 0:
			plain = append(plain, c)
		case c == '_' && isDigit(i-1) && isDigit(i+1):
		default:
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(plain), 64)
	return v, err == nil && isFinite(v)
}
