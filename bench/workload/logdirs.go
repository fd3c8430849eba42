package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// logDirsFormat is what kafka-log-dirs --describe prints: one JSON object with the
// sizes of all replicas, after lines that do not begin with a brace.
var logDirsFormat = format{
	name:      LogDirs,
	layout:    "JSON of kafka-log-dirs: topic, partition, bytes",
	sniff:     sniffLogDirs,
	read:      readLogDirs,
	loadsOnly: true,
}

// sniffLogDirs recognises the object by its members, in whatever order: the tool
// takes them out of a hash map.
func sniffLogDirs(s sample) (why string, ok bool) {
	text := s.text
	for len(text) > 0 && text[0] != '{' {
		line, rest, _ := bytes.Cut(text, newlineByte)
		if !logDirsRemark(line) {
			return "", false
		}
		text = rest
	}
	brokers := bytes.Contains(text[:min(len(text), 1024)], []byte(`"logDirs"`)) && bytes.Contains(text, []byte(`"brokers"`))
	return "because it is a JSON object of brokers and their logDirs", brokers
}

// logDirsRemark reports whether a line is what the tool says before the object.
func logDirsRemark(line []byte) bool {
	return len(dropCR(line)) == 0 || bytes.HasPrefix(line, []byte("Querying brokers ")) || bytes.HasPrefix(line, []byte("Received log directory "))
}

// A replica is an element of the arrays named partitions.
type replica struct {
	Partition string `json:"partition"` // topic-partition
	Size      int64  `json:"size"`      // bytes
	IsFuture  bool   `json:"isFuture"`  // a copy that is still being made
}

func readLogDirs(src *source, in *intake) error {
	in.announce()
	lines := linesOf(src, nil)
	for src.extend(); ; {
		w := src.window()
		if len(w) == 0 && src.err != nil {
			return lines.Err()
		}
		if len(w) > 0 && w[0] == '{' {
			break
		}
		if _, ok := lines.next(); !ok {
			return lines.Err()
		}
		if len(src.window()) == 0 {
			src.extend()
		}
	}
	body := &tokenReader{src: src}
	d := &logDirs{in: in, body: body, decoder: json.NewDecoder(body), line: src.line}
	err := d.read()
	var wrong *ReadError
	if err == nil || errors.As(err, &wrong) {
		return err
	}
	if failure := src.failure(); failure != nil {
		return failure
	}
	fix := "give the output of kafka-log-dirs --describe as it is"
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err, fix = errors.New("the JSON ends in the middle of a value"), "was the input cut off?"
	}
	return &ReadError{Name: src.name, Line: d.line, Column: int(d.decoder.InputOffset()) + 1, Problem: err.Error(), Fix: fix, Err: err}
}

// A tokenReader reads from a source, but not more than MaxLine for one token.
type tokenReader struct {
	src  *source
	left int
}

func (r *tokenReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, fmt.Errorf("a value is longer than %d MiB", MaxLine>>20)
	}
	if len(r.src.window()) == 0 {
		if r.src.extend(); len(r.src.window()) == 0 {
			return 0, r.src.err
		}
	}
	n := copy(p, r.src.window())
	r.src.pos += n
	r.left -= n
	return n, nil
}

// logDirs walks through the object token by token, since it may be large.
type logDirs struct {
	in      *intake
	body    *tokenReader
	decoder *json.Decoder
	line    int // where the object begins
}

func (d *logDirs) read() error {
	const deepest = 32
	name := "" // the last string, which is a member's name if a bracket follows
	for depth := 0; ; {
		d.body.left = MaxLine
		token, err := d.decoder.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case string:
			name = t
			continue
		case json.Delim:
			switch t {
			case '{', '[':
				if depth++; depth > deepest {
					return errors.New("nested too deep")
				}
				if t == '[' && name == "partitions" {
					if err := d.replicas(); err != nil {
						return err
					}
				}
			default:
				if depth--; depth == 0 {
					return nil
				}
			}
		}
		name = ""
	}
}

// replicas reads the elements of an array of replicas.
func (d *logDirs) replicas() error {
	for d.decoder.More() {
		d.body.left = MaxLine
		var r replica
		if err := d.decoder.Decode(&r); err != nil {
			return err
		}
		if err := d.in.tolerate(d.replica(r)); err != nil {
			return err
		}
	}
	return nil
}

// replica takes in one replica.
func (d *logDirs) replica(r replica) *ReadError {
	if r.IsFuture {
		return nil
	}
	name := []byte(r.Partition)
	dash := bytes.LastIndexByte(name, '-')
	n, wrong := parsePartition(name[dash+1:])
	if wrong == nil && dash < 0 {
		wrong = &ReadError{Field: partitionColumn, Text: quote(name), Problem: "not the name of a topic and a partition", Fix: skipFix}
	}
	if wrong == nil && r.Size < 0 {
		wrong = &ReadError{Field: bytesColumn, Text: fmt.Sprintf("%q", fmt.Sprint(r.Size)), Problem: "negative, so not a size", Fix: skipFix}
	}
	if wrong != nil {
		wrong.Name, wrong.Line = d.in.name, d.line
		return wrong
	}
	l, isNew := d.in.loads.partition(name[:dash], nil, n)
	if l == nil {
		wrong := tooMany()
		wrong.Name, wrong.Line = d.in.name, d.line
		return wrong
	}
	l.bytes = max(l.bytes, r.Size) // followers may not be there yet
	if isNew {
		d.in.sum.Rows++
	}
	return nil
}
