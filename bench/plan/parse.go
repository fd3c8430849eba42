package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
	"github.com/keyspread/keyspread/partition"
	"github.com/xrash/smetrics"
)

// maxContractBytes is how large a contract file may be.
const maxContractBytes = 1 << 20

// Fields of a contract that are no rules.
const (
	topicField       = "topic"
	clientField      = "client"
	keyEncodingField = "keyEncoding"
)

// A ContractError says what is wrong with a contract, where, and what to do about
// it.
type ContractError struct {
	Name    string // of the file, as messages show it
	Line    int    // from 1; 0 if the whole file is meant
	Column  int    // in characters, from 1; 0 if the whole line is meant
	Field   string // the field that is meant; may be empty
	Problem string // what is wrong
	Fix     string // what to write instead; may be empty
	Excerpt string // the line with its neighbours and a mark below it; may be empty
}

// Error returns one line, such as
//
//	orders.yaml:4:15: maxImbalance: 0.5 is below 1; write 1 or more, as in 1.5
//
// and below it the excerpt, if there is one.
func (e *ContractError) Error() string {
	var b strings.Builder
	b.WriteString(e.Name + ":")
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, "%d:", e.Column)
		}
	}
	if e.Field != "" {
		b.WriteString(" " + e.Field + ":")
	}
	b.WriteString(" " + e.Problem)
	if e.Fix != "" {
		b.WriteString("; " + e.Fix)
	}
	if e.Excerpt != "" {
		b.WriteString("\n" + e.Excerpt)
	}
	return b.String()
}

// Parse reads the contracts of a file, one a YAML document; documents are
// separated by a line of three dashes. There is at least one, and no topic has
// two. Decoding is strict: an unknown field, a field given twice, a value of the
// wrong type or out of its range is a [*ContractError]. Name is the file's, for
// messages.
func Parse(r io.Reader, name string) ([]*Contract, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxContractBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read contract %s: %w", name, err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // a byte-order mark
	f := &contractFile{name: name, text: text}
	if len(text) > maxContractBytes {
		return nil, f.wrong(nil, "", "larger than 1 MiB", "name a contract: a few lines of YAML")
	}
	var contracts []*Contract
	for _, tokens := range documents(text) {
		body, err := f.parse(tokens)
		if err != nil {
			return nil, err
		}
		if isEmpty(body) {
			continue
		}
		c, err := f.contract(body)
		if err != nil {
			return nil, err
		}
		for _, other := range contracts {
			if other.Topic == c.Topic {
				return nil, f.at(c.LineOf(topicField), topicField, fmt.Sprintf("%s has a contract on line %d already", quote(c.Topic), other.Line), "keep one of them")
			}
		}
		contracts = append(contracts, c)
	}
	if len(contracts) == 0 {
		return nil, f.wrong(nil, "", "no contract in it", "write at least topic, client and partitions")
	}
	return contracts, nil
}

// documents returns the tokens of each document. The parser is given one after the
// other: of several it would drop all that follow an empty one.
func documents(text []byte) []token.Tokens {
	list := []token.Tokens{nil}
	for _, t := range lexer.Tokenize(string(text)) {
		switch t.Type {
		case token.DocumentHeaderType, token.DocumentEndType:
			list = append(list, nil)
		default:
			list[len(list)-1] = append(list[len(list)-1], t)
		}
	}
	return list
}

// parse returns the body of a document, nil if there is none.
func (f *contractFile) parse(tokens token.Tokens) (ast.Node, error) {
	if len(tokens) == 0 {
		return nil, nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()) // contract tells of duplicates
	if err != nil {
		return nil, f.syntax(err)
	}
	if len(file.Docs) == 0 {
		return nil, nil
	}
	return file.Docs[0].Body, nil
}

// isEmpty reports whether a document holds nothing but comments.
func isEmpty(body ast.Node) bool {
	switch body.(type) {
	case nil, *ast.NullNode, *ast.CommentGroupNode:
		return true
	}
	return false
}

// A contractFile is a file that is being parsed.
type contractFile struct {
	name string
	text []byte
}

// A decoder takes the value of a field of a contract.
type decoder struct {
	field  string
	decode func(f *contractFile, c *Contract, field string, value ast.Node) error
}

// decoders are in the order in which the documentation lists the fields.
var decoders = []decoder{
	{topicField, (*contractFile).topic},
	{clientField, (*contractFile).client},
	{RulePartitions, func(f *contractFile, c *Contract, field string, v ast.Node) (err error) {
		c.Partitions, err = f.whole(field, v, MaxPartitions)
		return err
	}},
	{keyEncodingField, (*contractFile).keyEncoding},
	{RuleMaxImbalance, (*contractFile).imbalance},
	{RuleMaxKeyShare, (*contractFile).share},
	{RuleMinDistinctKeys, func(f *contractFile, c *Contract, field string, v ast.Node) (err error) {
		c.MinDistinctKeys, err = f.whole(field, v, partition.MaxKeys)
		return err
	}},
	{RuleAllowedGrowth, (*contractFile).growth},
	{RuleAllowedClients, (*contractFile).clients},
}

// contract decodes one document.
func (f *contractFile) contract(body ast.Node) (*Contract, error) {
	var fields ast.MapNode
	switch body := body.(type) { // an anchor or a tag has entries, too
	case *ast.MappingNode:
		fields = body
	case *ast.MappingValueNode:
		fields = body
	default:
		fix := "write fields, such as topic: orders; the contract is named before the file of keys"
		if _, list := body.(*ast.SequenceNode); list {
			fix = "write several contracts as documents, with --- on a line between them"
		}
		return nil, f.wrong(body.GetToken(), "", "not a contract", fix)
	}
	c := &Contract{Name: f.name, lines: map[string]int{}}
	for entries := fields.MapRange(); entries.Next(); {
		key := entries.Key().GetToken()
		field := key.Value
		at := slices.IndexFunc(decoders, func(d decoder) bool { return d.field == field })
		if at < 0 {
			return nil, f.wrong(key, "", "unknown field "+quote(field), nearestField(field))
		}
		if c.lines[field] > 0 {
			return nil, f.wrong(key, field, fmt.Sprintf("given on line %d already", c.lines[field]), "keep one of them")
		}
		c.lines[field] = key.Position.Line
		if c.Line == 0 {
			c.Line = key.Position.Line
		}
		if _, isNull := entries.Value().(*ast.NullNode); isNull {
			return nil, f.wrong(key, field, "has no value", "write one, or leave the field out")
		}
		if err := decoders[at].decode(f, c, field, entries.Value()); err != nil {
			return nil, err
		}
	}
	for _, field := range []string{topicField, clientField, RulePartitions} {
		if c.lines[field] == 0 {
			return nil, f.at(c.Line, "", field+" is missing", "a contract states topic, client and partitions")
		}
	}
	return c, nil
}

// nearestField returns what an unknown field may have been meant to be.
func nearestField(field string) string {
	plain := func(s string) string { return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s)) }
	best, distance := "", math.MaxInt
	written := plain(field)
	written = written[:min(len(written), 64)] // no field is longer, and the comparison takes time
	var names []string
	for _, d := range decoders {
		names = append(names, d.field)
		if edits := smetrics.WagnerFischer(written, plain(d.field), 1, 1, 1); edits < distance {
			best, distance = d.field, edits
		}
	}
	if distance <= 1+len(best)/3 {
		return "did you mean " + best + "?"
	}
	return "there are " + strings.Join(names, ", ")
}

func (f *contractFile) topic(c *Contract, field string, v ast.Node) error {
	switch v.(type) {
	case *ast.StringNode, *ast.IntegerNode: // a topic may be called 2024
		if c.Topic = v.GetToken().Value; c.Topic != "" && strings.ToValidUTF8(c.Topic, "") == c.Topic {
			return nil
		}
	}
	return f.wrong(v.GetToken(), field, shown(v)+" is not the name of a topic", "write a name, as in orders")
}

func (f *contractFile) client(c *Contract, field string, v ast.Node) (err error) {
	c.Client, err = f.preset(field, v)
	return err
}

// preset returns the client of a name.
func (f *contractFile) preset(field string, v ast.Node) (*partition.Client, error) {
	if _, ok := v.(*ast.StringNode); !ok {
		return nil, f.wrong(v.GetToken(), field, shown(v)+" is not the name of a client", "write a preset, as in java (keyspread map --clients lists them)")
	}
	client, err := partition.Lookup(v.GetToken().Value)
	if err != nil {
		return nil, f.wrong(v.GetToken(), field, err.Error(), "")
	}
	return client, nil
}

func (f *contractFile) keyEncoding(c *Contract, field string, v ast.Node) error {
	if _, ok := v.(*ast.StringNode); !ok {
		return f.wrong(v.GetToken(), field, shown(v)+" is not a key encoding", "write one of "+partition.KeyEncodingNames)
	}
	encoding, err := partition.ParseKeyEncoding(v.GetToken().Value)
	if err != nil {
		return f.wrong(v.GetToken(), field, err.Error(), "")
	}
	c.KeyEncoding = encoding
	return nil
}

// whole returns a number from 1 to most in plain digits: 012 and 1e3 have several
// meanings.
func (f *contractFile) whole(field string, v ast.Node, most int) (int, error) {
	fix := fmt.Sprintf("write a whole number from 1 to %d", most)
	switch v := v.(type) {
	case *ast.IntegerNode:
		n, err := strconv.Atoi(v.Token.Value)
		if err == nil && n >= 1 && n <= most && strconv.Itoa(n) == v.Token.Value {
			return n, nil
		}
		if err == nil && n < 1 {
			return 0, f.wrong(v.Token, field, fmt.Sprintf("%d is below 1", n), fix)
		}
		if err == nil && n > most {
			return 0, f.wrong(v.Token, field, fmt.Sprintf("%d is above %d", n, most), fix)
		}
	case *ast.FloatNode:
		if v.Value >= 1 && v.Value <= float64(most) && v.Value == math.Trunc(v.Value) {
			fix = fmt.Sprintf("write %.0f", v.Value)
		}
	case *ast.StringNode:
		if n, err := strconv.Atoi(v.Value); err == nil && n >= 1 && n <= most {
			fix = fmt.Sprintf("write %d, without quotes", n)
		}
	}
	return 0, f.wrong(v.GetToken(), field, shown(v)+" is not a whole number in plain digits", fix)
}

// number returns a finite number of 0 or more in plain digits.
func number(v ast.Node) (float64, bool) {
	switch v.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return plainNumber(v.GetToken().Value)
	}
	return 0, false
}

func plainNumber(text string) (float64, bool) {
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && c != '.' && c != '-' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

func (f *contractFile) imbalance(c *Contract, field string, v ast.Node) error {
	const fix = "write 1 or more, as in 1.5: the heaviest partition's load / the mean load"
	x, ok := number(v)
	if !ok {
		return f.wrong(v.GetToken(), field, shown(v)+" is not a number in plain digits", fix)
	}
	if x < 1 {
		return f.wrong(v.GetToken(), field, shown(v)+" is below 1", fix)
	}
	c.MaxImbalance = x
	return nil
}

func (f *contractFile) share(c *Contract, field string, v ast.Node) error {
	const fix = "write a share above 0, up to 1 or 100 %, as in 0.2 or 20 %"
	x, ok := number(v)
	if text, isText := v.(*ast.StringNode); isText {
		if percent, isPercent := strings.CutSuffix(text.Value, "%"); isPercent {
			// The exponent keeps the share exact: 33.3 / 100 is not 0.333.
			if percent = strings.TrimSpace(percent); percent != "" {
				if _, ok = plainNumber(percent); ok {
					x, _ = strconv.ParseFloat(percent+"e-2", 64)
				}
			}
		}
	}
	switch {
	case !ok:
		return f.wrong(v.GetToken(), field, shown(v)+" is not a share", fix)
	case x > 1 && x <= 100:
		return f.wrong(v.GetToken(), field, shown(v)+" is above 1", fmt.Sprintf("write %s %%, if that is meant", strconv.FormatFloat(x, 'f', -1, 64)))
	case x <= 0 || x > 1:
		return f.wrong(v.GetToken(), field, shown(v)+" is out of range", fix)
	}
	c.MaxKeyShare = x
	return nil
}

func (f *contractFile) growth(c *Contract, field string, v ast.Node) error {
	c.AllowedGrowth = []int{}
	return f.each(field, v, "[24, 48]", func(item ast.Node) error {
		n, err := f.whole(field, item, MaxPartitions)
		if err != nil {
			return err
		}
		if slices.Contains(c.AllowedGrowth, n) {
			return f.wrong(item.GetToken(), field, fmt.Sprintf("%d is listed twice", n), "leave one out")
		}
		c.AllowedGrowth = append(c.AllowedGrowth, n)
		return nil
	})
}

func (f *contractFile) clients(c *Contract, field string, v ast.Node) error {
	c.AllowedClients = []*partition.Client{}
	return f.each(field, v, "[java, franz-go]", func(item ast.Node) error {
		client, err := f.preset(field, item)
		if err != nil {
			return err
		}
		if slices.Contains(c.AllowedClients, client) {
			return f.wrong(item.GetToken(), field, shown(item)+" is listed twice", "leave one out")
		}
		c.AllowedClients = append(c.AllowedClients, client)
		return nil
	})
}

// each calls use with every item of a list.
func (f *contractFile) each(field string, v ast.Node, example string, use func(ast.Node) error) error {
	list, ok := v.(*ast.SequenceNode)
	if !ok {
		return f.wrong(v.GetToken(), field, shown(v)+" is not a list", "write a list, as in "+example)
	}
	for items := list.ArrayRange(); items.Next(); {
		if err := use(items.Value()); err != nil {
			return err
		}
	}
	return nil
}

// wrong returns the error of a token, or of the whole file if it is nil.
func (f *contractFile) wrong(at *token.Token, field, problem, fix string) *ContractError {
	e := &ContractError{Name: f.name, Field: field, Problem: problem, Fix: fix}
	if at != nil && at.Position != nil {
		e.Line, e.Column = at.Position.Line, at.Position.Column
		e.Excerpt = f.excerpt(e.Line, e.Column)
	}
	return e
}

// at returns the error of a line.
func (f *contractFile) at(line int, field, problem, fix string) *ContractError {
	return &ContractError{Name: f.name, Line: line, Field: field, Problem: problem, Fix: fix, Excerpt: f.excerpt(line, 0)}
}

const notYAMLFix = "a contract is YAML, and is named before the file of keys"

// syntax returns what the YAML parser found, in the form of the other errors.
func (f *contractFile) syntax(err error) *ContractError {
	var syntax yaml.Error
	if errors.As(err, &syntax) {
		return f.wrong(syntax.GetToken(), "", "not YAML: "+printable(syntax.GetMessage()), notYAMLFix)
	}
	problem, _, _ := strings.Cut(err.Error(), "\n")
	return f.wrong(nil, "", "not YAML: "+printable(problem), notYAMLFix)
}

// excerpt returns a line with up to two before and one behind it, and a mark below
// the column unless that is 0.
func (f *contractFile) excerpt(line, column int) string {
	lines := bytes.Split(f.text, []byte("\n"))
	if line < 1 || line > len(lines) {
		return ""
	}
	var b strings.Builder
	for n := max(1, line-2); n <= min(len(lines), line+1); n++ {
		text := printable(strings.TrimRight(string(lines[n-1]), " \r"))
		if n > line && text == "" {
			break
		}
		mark := ' '
		if n == line {
			mark = '>'
		}
		fmt.Fprintf(&b, "%c %3d | %s\n", mark, n, shortened(text, excerptRunes))
		if n == line && column > 0 && column <= excerptRunes {
			b.WriteString(strings.Repeat(" ", len("> 123 | ")+column-1) + "^\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// Lengths of what a message repeats of a contract.
const (
	excerptRunes = 100
	shownRunes   = 60
)

// shown returns a value for a message: quoted if it is a text.
func shown(v ast.Node) string {
	switch v.(type) {
	case *ast.StringNode, *ast.LiteralNode:
		return quote(v.GetToken().Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		return shortened(printable(v.GetToken().Value), shownRunes)
	case *ast.SequenceNode:
		return "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	}
	return "this (" + strings.ToLower(v.Type().String()) + ")"
}

func quote(text string) string { return strconv.Quote(shortened(text, shownRunes)) }

// printable replaces what could drive a terminal or hide in it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return '·'
	}, text)
}

func shortened(text string, runes int) string {
	for at := range text {
		if runes--; runes < 0 {
			return text[:at] + "…"
		}
	}
	return text
}
