package reports

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/keyspread/keyspread/partition"
)

// MappingSchema names the JSON form of mappings.
const MappingSchema = "keyspread/map/v1"

// A MappingLayout says what a [Mapping] writes: a placement for each of the
// clients at each of the partition counts.
type MappingLayout struct {
	Format   Format
	Clients  []*partition.Client
	Counts   []int
	Encoding partition.KeyEncoding // of the keys, for JSON

	OnlyDifferent bool // leave out keys that all clients put on the same partition

	// Redactor, unless nil, replaces keys wherever they would be shown. Raw hashes,
	// which tell whoever guesses a key that the guess is right, are left out then.
	Redactor *Redactor
}

// single reports whether a key has only one placement.
func (l MappingLayout) single() bool { return len(l.Clients) == 1 && len(l.Counts) == 1 }

// A Mapping writes the placements of keys as they come, one key after another,
// so that a long key list streams through.
type Mapping struct {
	layout  MappingLayout
	rows    mappingRows
	tally   []clientTally // by client
	agree   []int64       // keys on which a client and count agree with the first client
	decided []int64       // keys that both of them place
	keys    int64
}

// mappingRows is one output format.
type mappingRows interface {
	write(text string, placed []placedKey) error
	close(notes []string) error
}

// A placedKey is a key under one client and partition count.
type placedKey struct {
	client     *partition.Client
	partitions int
	placement  partition.Placement
	raw        string // empty if the client did not hash the key
	why        string // empty if placed
}

// A clientTally counts the keys that a client did not place.
type clientTally struct {
	undecided, refused int64
	why, refusal       string // of the first one
	refusedKey         string
}

// NewMapping starts a mapping in the layout's format, which is not that of
// benchmarks. The caller must call [Mapping.Close].
func NewMapping(w io.Writer, layout MappingLayout) (*Mapping, error) {
	rows, err := newMappingRows(w, layout)
	return &Mapping{
		layout:  layout,
		rows:    rows,
		tally:   make([]clientTally, len(layout.Clients)),
		agree:   make([]int64, len(layout.Clients)*len(layout.Counts)),
		decided: make([]int64, len(layout.Clients)*len(layout.Counts)),
	}, err
}

func newMappingRows(w io.Writer, layout MappingLayout) (mappingRows, error) {
	switch {
	case layout.Format == CSV:
		return newMappingCSV(w), nil
	case layout.Format == JSON:
		return &mappingJSON{w: bufio.NewWriter(w), layout: layout}, nil
	case layout.Format == Markdown:
		return &mappingMarkdown{w: w, table: matrix(layout)}, nil
	case layout.Format != Text:
		return nil, fmt.Errorf("write mapping: placements have no format %q", string(layout.Format))
	case layout.single():
		return mappingLines{w}, nil
	}
	return &mappingText{w: w, head: matrix(layout)}, nil
}

// Write adds one key: its text as the user gave it, and its bytes, nil for the
// null key.
func (m *Mapping) Write(text string, key []byte) error {
	m.keys++
	if key != nil {
		text = m.layout.Redactor.text(text, key, m.layout.Encoding)
	}
	placed := make([]placedKey, 0, len(m.agree))
	for i, client := range m.layout.Clients {
		digest, rule := client.Digest(key)
		why := client.Why(key)
		m.tally[i].count(rule, why, text)
		for _, n := range m.layout.Counts {
			p := placedKey{client: client, partitions: n, placement: client.Settle(digest, rule, n), why: why}
			if rule == partition.Hashed && m.layout.Format == JSON && m.layout.Redactor == nil {
				p.raw = client.Raw(digest, n)
			}
			placed = append(placed, p)
		}
	}
	for i, p := range placed {
		first := placed[i%len(m.layout.Counts)]
		if p.placement.Decided() && first.placement.Decided() {
			m.decided[i]++
			if p.placement == first.placement {
				m.agree[i]++
			}
		}
	}
	if m.layout.OnlyDifferent && m.same(placed) {
		return nil
	}
	return m.rows.write(text, placed)
}

// same reports whether all clients put a key on the same partition, at every
// count.
func (m *Mapping) same(placed []placedKey) bool {
	for i, p := range placed {
		if first := placed[i%len(m.layout.Counts)]; p.placement != first.placement {
			return false
		}
	}
	return true
}

func (t *clientTally) count(rule partition.Rule, why, text string) {
	switch {
	case why == "":
	case rule == partition.Refused:
		if t.refused == 0 {
			t.refusal, t.refusedKey = why, text
		}
		t.refused++
	default:
		if t.undecided == 0 {
			t.why = why
		}
		t.undecided++
	}
}

// Close writes what the format puts last: in text and Markdown how far the
// clients agree.
func (m *Mapping) Close() error { return m.rows.close(m.Agreement()) }

// Agreement says on how many of the keys so far each client agrees with the first
// one, and which setting would make it agree on all.
func (m *Mapping) Agreement() []string {
	var notes []string
	counts := m.layout.Counts
	first := m.layout.Clients[0]
	for i, client := range m.layout.Clients[1:] {
		if client.System != first.System { // numbers of other things
			continue
		}
		differs := false
		for j, n := range counts {
			at := (i+1)*len(counts) + j
			if m.decided[at] == 0 {
				continue
			}
			differs = differs || m.agree[at] < m.decided[at]
			notes = append(notes, fmt.Sprintf("%s and %s agree on %s of %s keys at %d (%s; chance is %s)",
				first.Name, client.Name, Count(m.agree[at]), Count(m.decided[at]), n,
				Percent(float64(m.agree[at])/float64(m.decided[at])), Percent(1/float64(n))))
		}
		if alike, ok := client.Like(first); ok && differs {
			notes = append(notes, fmt.Sprintf("%s would place keys as %s does with %s (preset %s)", client.Name, first.Name, alike.Option, alike.Name))
		}
	}
	return notes
}

// Warnings tells, after the last key, which keys got no partition and what the
// clients' caveats are.
func (m *Mapping) Warnings() []string {
	var list []string
	for i, client := range m.layout.Clients {
		t := m.tally[i]
		if t.refused > 0 {
			list = append(list, fmt.Sprintf("%s: no partition for %s (first: %s, %s)", client.Name, plural(t.refused, "key"), Quote(t.refusedKey), t.refusal))
		}
		if t.undecided > 0 && !client.IgnoresKey() {
			list = append(list, fmt.Sprintf("%s: %s not placed by the key (%s)", client.Name, plural(t.undecided, "key"), t.why))
		}
		for _, caveat := range client.Caveats {
			list = append(list, client.Name+": "+caveat)
		}
	}
	return list
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

// cell is a placement in a table: the partition, or any with the reason, or none
// with it.
func (p placedKey) cell() string {
	switch {
	case p.placement.Decided():
		return p.placement.String()
	case p.placement.Rule() == partition.Refused:
		return "none (" + p.why + ")"
	default:
		return "any (" + p.why + ")"
	}
}

// mappingLines is the text format of one client and count: key, space,
// partition.
type mappingLines struct{ w io.Writer }

func (l mappingLines) write(text string, placed []placedKey) error {
	_, err := fmt.Fprintf(l.w, "%s %s\n", EscapeText(text), placed[0].cell())
	return err
}

func (l mappingLines) close([]string) error { return nil }

// matrix returns the columns of a table with one row a key.
func matrix(layout MappingLayout) *Table {
	t := &Table{Columns: []Column{{Name: "key"}}}
	for _, client := range layout.Clients {
		for _, n := range layout.Counts {
			name := fmt.Sprintf("%s/%d", client.Name, n)
			if client.Unit != "partition" {
				name += " (" + client.Unit + ")"
			}
			t.Columns = append(t.Columns, Column{Name: name, Right: true})
		}
	}
	return t
}

// cells returns a table row.
func cells(text string, placed []placedKey) []string {
	row := []string{text}
	for _, p := range placed {
		row = append(row, p.cell())
	}
	return row
}

// textChunk is how many keys of a text matrix are aligned with one another.
const textChunk = 10000

// mappingText is the text format of several placements a key. Long inputs are
// written in chunks, each a table, so that memory stays bounded.
type mappingText struct {
	w    io.Writer
	head *Table
}

func (t *mappingText) write(text string, placed []placedKey) error {
	t.head.Rows = append(t.head.Rows, cells(text, placed))
	if len(t.head.Rows) < textChunk {
		return nil
	}
	return t.flush()
}

func (t *mappingText) flush() error {
	err := t.head.WriteText(t.w)
	t.head.Rows = t.head.Rows[:0]
	return err
}

func (t *mappingText) close(notes []string) error {
	t.head.Notes = notes
	return t.flush()
}

// mappingMarkdown is one Markdown table.
type mappingMarkdown struct {
	w     io.Writer
	table *Table
}

func (m *mappingMarkdown) write(text string, placed []placedKey) error {
	m.table.Rows = append(m.table.Rows, cells(text, placed))
	return nil
}

func (m *mappingMarkdown) close(notes []string) error {
	m.table.Notes = notes
	return m.table.WriteMarkdown(m.w)
}

// mappingCSV is the CSV format: one row a placement, the partition empty where
// the client does not decide from the key.
type mappingCSV struct{ w *csv.Writer }

func newMappingCSV(w io.Writer) mappingCSV {
	c := mappingCSV{csv.NewWriter(w)}
	c.w.Write([]string{"key", "client", "partitions", "partition"})
	return c
}

func (c mappingCSV) write(text string, placed []placedKey) error {
	for _, p := range placed {
		partition := ""
		if p.placement.Decided() {
			partition = p.placement.String()
		}
		// The key is what the user gave: a script must find it again, so formulas
		// are not disarmed here.
		if err := c.w.Write([]string{text, p.client.Name, strconv.Itoa(p.partitions), partition}); err != nil {
			return err
		}
	}
	return nil
}

func (c mappingCSV) close([]string) error {
	c.w.Flush()
	return c.w.Error()
}

// mappingJSON is the JSON format, one placement an object and a line. What text
// and Markdown show below their table comes last, as notes.
type mappingJSON struct {
	w      *bufio.Writer
	layout MappingLayout
	begun  bool
}

// A mappedKey is one placement in JSON.
type mappedKey struct {
	partition.KeyText        // as given
	Client            string `json:"client"`
	Partitions        int    `json:"partitions"`
	Unit              string `json:"unit"`      // what Partition numbers: partition, shard, node, subtask
	Partition         *int   `json:"partition"` // null if the client does not decide from the key
	Raw               string `json:"raw,omitempty"`
	Reason            string `json:"reason,omitempty"` // why Partition is null
}

func (j *mappingJSON) write(text string, placed []placedKey) error {
	for _, p := range placed {
		m := mappedKey{
			KeyText: partition.TextOf(text), Client: p.client.Name, Partitions: p.partitions,
			Unit: p.client.Unit, Raw: p.raw, Reason: p.why,
		}
		if n, ok := p.placement.Partition(); ok {
			m.Partition = &n
		}
		line, err := compactJSON(m)
		if err != nil {
			return err
		}
		if err := j.open(); err != nil {
			return err
		}
		j.w.Write(line)
	}
	return nil
}

// open writes what stands before an object.
func (j *mappingJSON) open() error {
	if j.begun {
		_, err := j.w.WriteString(",\n ")
		return err
	}
	j.begun = true
	var names []string
	for _, client := range j.layout.Clients {
		names = append(names, client.Name)
	}
	clients, err := compactJSON(names)
	if err != nil {
		return err
	}
	counts, err := compactJSON(j.layout.Counts)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.w, "{\"schema\": %q, \"keyEncoding\": %q, \"clients\": %s, \"partitions\": %s, \"mappings\": [\n ",
		MappingSchema, j.layout.Encoding.String(), clients, counts)
	return err
}

func (j *mappingJSON) close(notes []string) error {
	if !j.begun {
		if err := j.open(); err != nil {
			return err
		}
	}
	list, err := compactJSON(list(notes))
	if err != nil {
		return err
	}
	fmt.Fprintf(j.w, "\n], \"notes\": %s}\n", list)
	return j.w.Flush()
}

// compactJSON returns v on one line, HTML signs kept and characters that could
// drive a terminal escaped, as WriteJSON does.
func compactJSON(v any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return escapeJSON(bytes.TrimSuffix(line.Bytes(), []byte("\n"))), err
}
