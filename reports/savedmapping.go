package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/keyspread/keyspread/partition"
)

// savedMappings is how many placements are rendered again at most: a page of more
// has no reader, and a mapping can be had again in any format.
const savedMappings = 1_000_000

// A SavedMapping holds the placements of keys.
type SavedMapping struct {
	layout MappingLayout // its clients have no more than a name and a unit
	keys   []placedText
	notes  []string
}

// A placedText is a key with all its placements.
type placedText struct {
	text   string
	placed []placedKey
}

// Write renders the placements, see [Mapping].
func (s *SavedMapping) Write(w io.Writer, f Format) error {
	if f == JSON {
		return errOriginal
	}
	layout := s.layout
	layout.Format = f
	rows, err := newMappingRows(w, layout)
	if err != nil {
		return err
	}
	for _, k := range s.keys {
		if err := rows.write(k.text, k.placed); err != nil {
			return err
		}
	}
	return rows.close(s.notes)
}

// loadMapping reads placements.
func loadMapping(text []byte) (Result, error) {
	var saved struct {
		KeyEncoding string      `json:"keyEncoding"`
		Clients     []string    `json:"clients"`
		Partitions  []int       `json:"partitions"`
		Mappings    []mappedKey `json:"mappings"`
		Notes       []string    `json:"notes"`
	}
	if err := json.Unmarshal(text, &saved); err != nil {
		return nil, err
	}
	if len(saved.Clients) == 0 || len(saved.Partitions) == 0 {
		return nil, errors.New("clients or partitions is empty")
	}
	if len(saved.Mappings) > savedMappings {
		return nil, explainedError{fmt.Errorf("mappings has %s placements, of which report renders up to %s: run map again with the format you want",
			Count(int64(len(saved.Mappings))), Count(savedMappings))}
	}
	encoding, err := partition.ParseKeyEncoding(saved.KeyEncoding)
	if err != nil {
		return nil, unknown("keyEncoding", saved.KeyEncoding)
	}
	m := &SavedMapping{layout: MappingLayout{Counts: saved.Partitions, Encoding: encoding}, notes: saved.Notes}
	for i, n := range saved.Partitions {
		if err := partition.CheckCount(n); err != nil {
			return nil, fmt.Errorf("partitions[%d]: %w", i, err)
		}
	}
	for i, name := range saved.Clients {
		m.layout.Clients = append(m.layout.Clients, savedClient(name, i, len(saved.Partitions), saved.Mappings))
	}
	return m, m.take(saved.Mappings)
}

// savedClient returns a client of which only what tables show is known: the i-th
// name, each with so many counts.
func savedClient(name string, i, counts int, mappings []mappedKey) *partition.Client {
	c := &partition.Client{Name: name, Unit: "partition"}
	if at := i * counts; at < len(mappings) {
		c.Unit = mappings[at].Unit
	} else if known, err := partition.Lookup(name); err == nil {
		c.Unit = known.Unit
	}
	return c
}

// take collects the placements by key: all of one key come together, by client,
// then by count.
func (m *SavedMapping) take(mappings []mappedKey) error {
	counts := m.layout.Counts
	each := len(m.layout.Clients) * len(counts)
	if len(mappings)%each != 0 {
		return fmt.Errorf("mappings has %d placements, which is not %d for each key", len(mappings), each)
	}
	for at, p := range mappings {
		first := mappings[at-at%each]
		client, n := m.layout.Clients[at%each/len(counts)], counts[at%len(counts)]
		text, err := p.Bytes()
		switch {
		case err != nil || p.Key == nil:
			return fmt.Errorf("mappings[%d].key is not the text of a key", at)
		case p.KeyHex != first.KeyHex || *p.Key != *first.Key:
			return fmt.Errorf("mappings[%d].key is not that of mappings[%d]", at, at-at%each)
		case p.Client != client.Name || p.Partitions != n:
			return fmt.Errorf("mappings[%d] is of %s over %d: want %s over %d", at, short(p.Client), p.Partitions, short(client.Name), n)
		}
		placed := placedKey{client: client, partitions: n, raw: p.Raw, why: p.Reason}
		if placed.placement, err = savedPlacement(p); err != nil {
			return fmt.Errorf("mappings[%d].%w", at, err)
		}
		if at%each == 0 {
			m.keys = append(m.keys, placedText{string(text), make([]placedKey, 0, each)})
		}
		last := &m.keys[len(m.keys)-1]
		last.placed = append(last.placed, placed)
	}
	return nil
}

// savedPlacement returns where a key was placed: the reason of one that was not
// is the name of a rule, or else why the client refused the key.
func savedPlacement(p mappedKey) (partition.Placement, error) {
	if p.Partition != nil {
		if *p.Partition < 0 || *p.Partition >= p.Partitions {
			return 0, fmt.Errorf("partition is %d of %d partitions", *p.Partition, p.Partitions)
		}
		return partition.Placement(*p.Partition), nil
	}
	rule := partition.Refused
	for r := range partition.Refused {
		if r.String() == p.Reason && r != partition.Hashed && r != partition.PartitionZero {
			rule = r
		}
	}
	return new(partition.Client).Settle(partition.Digest{}, rule, p.Partitions), nil
}

func (m *SavedMapping) heading() string {
	var names []string
	for _, c := range m.layout.Clients {
		names = append(names, c.Name)
	}
	counts := slices.Clone(m.layout.Counts)
	return fmt.Sprintf("Partition of each key: %s at %s", commas(names), countList(counts))
}

func (m *SavedMapping) facts() []string {
	return []string{"key encoding " + m.layout.Encoding.String(), plural(int64(len(m.keys)), "key") + " shown"}
}

func (m *SavedMapping) summary() []string { return m.notes }
