package reports

import (
	"encoding/json"
	"io"
)

// SavedClients is a list of presets.
type SavedClients []clientEntry

// Write renders the list, see [Clients].
func (s SavedClients) Write(w io.Writer, f Format) error {
	if f == JSON {
		return errOriginal
	}
	return clientsTable(s, f).Write(w, f)
}

// loadClients reads a list of presets. Every text will do.
func loadClients(text []byte) (Result, error) {
	var saved struct {
		Clients []clientEntry `json:"clients"`
	}
	if err := json.Unmarshal(text, &saved); err != nil {
		return nil, err
	}
	return SavedClients(saved.Clients), nil
}

func (s SavedClients) heading() string { return "Client presets" }

func (s SavedClients) facts() []string { return nil }

func (s SavedClients) summary() []string { return nil }
