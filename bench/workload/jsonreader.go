package workload

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A jsonReader reads objects.
type jsonReader struct {
	jsonFlavour
	src     *source
	in      *intake
	column  int // bytes of the current line before the window
	members [jsonRoles]span
	text    [2][]byte // scratch: key and tenant unescaped

	topic   []byte // of the first object
	topics  bool   // there are others
	noKey   int    // objects without a key
	counted int64  // objects with a count
	uncount int64  // and without
	twice   string // the member that is in the object twice
	twiceAt int
}

// A span is where a value is in the object, empty if it is not there.
type span struct{ from, to int }

func readJSON(src *source, in *intake, flavour jsonFlavour) error {
	j := &jsonReader{jsonFlavour: flavour, src: src, in: in}
	in.announce()
	if err := j.read(); err != nil {
		return err
	}
	if j.counted > 0 && j.uncount > 0 {
		in.warn("objects without a count, which count as 1, among others that have one: %d", j.uncount)
	}
	if j.noKey > 0 {
		in.warn("objects without a key, which count as the null key, since rpk leaves out an empty key as well: %d", j.noKey)
	}
	if j.topics {
		in.warn("there are records of topic %s and of others, taken together", escaped(string(j.topic)))
	}
	return nil
}

func (j *jsonReader) read() error {
	const enough = utf8.UTFMax * (shownRunes + 1) // for a message to show, in bytes
	for {
		s := j.src
		w := s.window()
		if n := (jsonScanner{w}).space(0); n > 0 {
			j.consume(n)
			continue
		}
		if len(w) == 0 && s.err == io.EOF {
			return nil
		}
		length, wrong := j.scan(w)
		if wrong != nil && wrong.ends && s.err != io.EOF {
			if err := s.failure(); err != nil {
				return err
			}
			if len(w) > MaxLine+len("\r\n") {
				return s.tooLong()
			}
			s.fill()
			continue
		}
		if length > MaxLine {
			return s.tooLong()
		}
		if wrong != nil {
			if s.err == nil && len(w)-wrong.at < enough && bytes.IndexByte(w[wrong.at:], '\n') < 0 {
				s.fill()
				continue
			}
			if err := j.in.tolerate(j.damaged(w, wrong)); err != nil {
				return err
			}
			if err := j.resume(); err != nil {
				return err
			}
			continue
		}
		if err := j.in.tolerate(j.row(w[:length])); err != nil {
			return err
		}
		j.consume(length)
	}
}

// consume moves on by n bytes of the window.
func (j *jsonReader) consume(n int) {
	read := j.src.window()[:n]
	if lines := bytes.Count(read, newlineByte); lines > 0 {
		j.src.line += lines
		j.column = n - bytes.LastIndexByte(read, '\n') - 1
	} else {
		j.column += n
	}
	j.src.pos += n
}

// scan scans the object at the front of w and notes its members.
func (j *jsonReader) scan(w []byte) (length int, wrong *jsonError) {
	j.members, j.twice = [jsonRoles]span{}, ""
	return jsonScanner{w}.object(func(name []byte, from, to int) {
		role, ok := j.role(name)
		if !ok {
			return
		}
		if j.members[role].to > 0 && j.twice == "" {
			j.twice, j.twiceAt = string(name), from
		}
		j.members[role] = span{from, to}
	})
}

// role returns what the member with the name is used for.
func (j *jsonReader) role(name []byte) (jsonRole, bool) {
	for i := range j.roles {
		if j.roles[i].name == string(name) {
			return j.roles[i].role, true
		}
	}
	if bytes.IndexByte(name, '\\') >= 0 {
		name, _ = appendJSONText(nil, append(append([]byte{'"'}, name...), '"'))
	}
	for _, m := range j.roles {
		if strings.EqualFold(m.name, string(name)) {
			return m.role, true
		}
	}
	return 0, false
}

// where returns the error as one at an offset of the object.
func (j *jsonReader) where(object []byte, at int, err *ReadError) *ReadError {
	line, column := position(object, at)
	if line == 0 {
		column += j.column
	}
	err.Name, err.Line, err.Column = j.src.name, j.src.line+line, column
	return err
}

// damaged returns the error for what is not JSON.
func (j *jsonReader) damaged(w []byte, wrong *jsonError) *ReadError {
	text, _, _ := bytes.Cut(w[wrong.at:], newlineByte)
	err := &ReadError{Text: quote(dropCR(text)), Problem: wrong.problem, Fix: skipFix}
	switch {
	case wrong.ends:
		err.Fix = "was the input cut off?"
		err.Text = ""
	case wrong.at == 0 && w[0] == '[':
		err.Fix = "write the objects of an array one a line: jq -c '.[]'"
	}
	return j.where(w, wrong.at, err)
}

// resume moves on behind what is damaged: to the next line that does not look like
// the inside of an object.
func (j *jsonReader) resume() error {
	for first := true; ; first = false {
		s := j.src
		if len(s.window()) == 0 && s.err == nil {
			s.fill()
		}
		w := s.window()
		if len(w) == 0 {
			return s.failure()
		}
		if !first && bytes.IndexByte([]byte(" \t}]\""), w[0]) < 0 {
			return nil
		}
		for ended := false; !ended && len(w) > 0; w = s.window() {
			n := bytes.IndexByte(w, '\n') + 1
			if ended = n > 0; !ended {
				n = len(w)
			}
			j.consume(n)
			if !ended && s.err == nil {
				s.fill()
			}
		}
	}
}

// row counts the object.
func (j *jsonReader) row(object []byte) *ReadError {
	if j.twice != "" {
		return j.where(object, j.twiceAt, &ReadError{Field: j.twice, Problem: "this member is there twice", Fix: skipFix})
	}
	r := row{records: 1}
	var wrong *ReadError
	if r.key, r.null, wrong = j.key(object); wrong != nil {
		return wrong
	}
	if r.records, wrong = j.number(object, jsonCount, 1); wrong != nil {
		return wrong
	}
	if r.bytes, wrong = j.number(object, jsonBytes, 0); wrong != nil {
		return wrong
	}
	if r.tenant, _, wrong = j.str(object, jsonTenant); wrong != nil {
		return wrong
	}
	if at := j.members[jsonPartition]; at.to > 0 && string(object[at.from:at.to]) != "null" {
		n, wrong := parsePartition(object[at.from:at.to])
		if wrong != nil {
			return j.where(object, at.from, wrong)
		}
		r.observed = n + 1
	}
	if err := j.in.addSoon(r); err != nil {
		if err.Field == keyColumn {
			err.Text = quote(r.key)
		}
		return j.where(object, j.members[jsonKey].from, err)
	}
	j.account(object)
	return nil
}

// account keeps count of what is worth a warning.
func (j *jsonReader) account(object []byte) {
	sum := &j.in.sum
	sum.HasBytes = sum.HasBytes || j.members[jsonBytes].to > 0
	sum.HasTenant = sum.HasTenant || j.members[jsonTenant].to > 0
	if j.members[jsonCount].to > 0 {
		j.counted++
	} else {
		j.uncount++
	}
	if at := j.members[jsonTopic]; at.to > 0 {
		topic := bytes.Trim(object[at.from:at.to], `"`)
		if j.topic == nil {
			j.topic = bytes.Clone(topic)
		}
		j.topics = j.topics || !bytes.Equal(topic, j.topic)
	}
}

// key returns the object's key.
func (j *jsonReader) key(object []byte) (text []byte, null bool, wrong *ReadError) {
	if j.members[jsonKey].to == 0 {
		if j.keyless {
			j.noKey++
			return nil, true, nil
		}
		return nil, false, j.where(object, 0, &ReadError{
			Text: quote(object), Problem: "the object has no key",
			Fix: `write "key":null for the null key, or ` + skipFix,
		})
	}
	return j.str(object, jsonKey)
}

// str returns the text of a member that is a string or a number.
func (j *jsonReader) str(object []byte, role jsonRole) (text []byte, null bool, wrong *ReadError) {
	at := j.members[role]
	value := object[at.from:at.to]
	if len(value) == 0 {
		return nil, false, nil
	}
	field := keyColumn
	scratch := &j.text[0]
	if role == jsonTenant {
		field, scratch = tenantColumn, &j.text[1]
	}
	switch value[0] {
	case 'n':
		return nil, true, nil
	case '"':
		if bytes.IndexByte(value, '\\') < 0 {
			return value[1 : len(value)-1], false, nil
		}
		var ok bool
		if *scratch, ok = appendJSONText((*scratch)[:0], value); ok {
			return *scratch, false, nil
		}
		return nil, false, j.where(object, at.from, &ReadError{
			Field: field, Text: quote(value), Problem: "has half a surrogate pair, which stands for no character", Fix: skipFix,
		})
	case '{', '[', 't', 'f':
		return nil, false, j.where(object, at.from, &ReadError{
			Field: field, Text: quote(value), Problem: "neither a string nor a number, so which bytes are it?",
			Fix: fmt.Sprintf("write it as a string, for instance with jq -c '.%s |= tojson', or %s", field, skipFix),
		})
	}
	return value, false, nil
}

// number returns a member that is a whole number, or a string of one, as some
// warehouses write it.
func (j *jsonReader) number(object []byte, role jsonRole, missing int64) (int64, *ReadError) {
	at := j.members[role]
	if at.to == 0 {
		return missing, nil
	}
	value := object[at.from:at.to]
	field, things := countColumn, "records"
	if role == jsonBytes {
		field, things = bytesColumn, "bytes"
		if string(value) == "null" {
			j.in.noBytes++
			return 0, nil
		}
	}
	if value[0] == '"' {
		value = value[1 : len(value)-1]
	}
	n, ok := parseWhole(value)
	if !ok {
		problem, fix := wholeProblem(value, things)
		return 0, j.where(object, at.from, &ReadError{Field: field, Text: quote(value), Problem: problem, Fix: fix})
	}
	return n, nil
}
