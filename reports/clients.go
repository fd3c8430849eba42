package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/keyspread/keyspread/partition"
)

// ClientsSchema names the JSON form of the list of presets.
const ClientsSchema = "keyspread/clients/v1"

// clientEntry is a preset in JSON.
type clientEntry struct {
	Name      string   `json:"client"`
	Aliases   []string `json:"aliases"`
	System    string   `json:"system"`
	Unit      string   `json:"unit"`
	Hash      string   `json:"hash"`
	Reduction string   `json:"reduction"`
	Formula   string   `json:"formula"`
	NullKey   string   `json:"nullKey"`
	EmptyKey  string   `json:"emptyKey"`
	OtherKeys string   `json:"otherKeys"`
	Default   bool     `json:"default"`
	Option    string   `json:"option"`
	Checked   string   `json:"checked"`
	Version   string   `json:"version"`
	Source    string   `json:"source"`
	Caveats   []string `json:"caveats"`
	Notes     []string `json:"notes"`
}

// Clients writes the given presets: what each does with a key, how it is chosen,
// and how far that was checked.
func Clients(w io.Writer, f Format, clients []*partition.Client) error {
	entries := make([]clientEntry, 0, len(clients))
	for _, c := range clients {
		entries = append(entries, clientEntry{
			Name: c.Name, Aliases: list(c.Aliases), System: c.System, Unit: c.Unit,
			Hash: c.Hash.Name, Reduction: c.Reduction.Name, Formula: c.Reduction.Formula,
			NullKey: c.Null.String(), EmptyKey: c.Empty.String(), OtherKeys: c.Keyed.String(),
			Default: c.Default, Option: c.Option, Checked: string(c.Checked), Version: c.Version,
			Source: c.Source, Caveats: list(c.Caveats), Notes: list(c.Notes),
		})
	}
	if f == JSON {
		return WriteJSON(w, struct {
			Schema  string        `json:"schema"`
			Clients []clientEntry `json:"clients"`
		}{ClientsSchema, entries})
	}
	return clientsTable(entries, f).Write(w, f)
}

func clientsTable(entries []clientEntry, f Format) *Table {
	t := &Table{Columns: []Column{
		{Name: "client"}, {Name: "system"}, {Name: "hash"}, {Name: "reduction"}, {Name: "null key", Key: "nullKey"},
		{Name: "empty key", Key: "emptyKey"}, {Name: "chosen by", Key: "option"}, {Name: "checked"},
	}}
	if f == CSV {
		t.Columns = append(t.Columns, Column{Name: "default"}, Column{Name: "aliases"}, Column{Name: "version"}, Column{Name: "source"})
	}
	for _, e := range entries {
		row := []string{e.Name, e.System, e.Hash, e.Reduction, e.NullKey, e.EmptyKey, chosenBy(e, f), e.Checked}
		if f == CSV {
			row = append(row, fmt.Sprint(e.Default), strings.Join(e.Aliases, " "), e.Version, e.Source)
		}
		t.Rows = append(t.Rows, row)
		if len(entries) <= annotatedClients {
			t.Notes = append(t.Notes, clientNotes(e)...)
		} else if len(e.Aliases) > 0 {
			t.Notes = append(t.Notes, aliasNote(e))
		}
	}
	t.Notes = append(t.Notes, "checked: run = compared with the real client's code key by key, read = read in its source, doc = from documentation")
	if len(entries) > annotatedClients {
		t.Notes = append(t.Notes, "more on a preset: keyspread map --clients --client NAME, or --format json")
	}
	return t
}

// annotatedClients is how many presets a page for people annotates.
const annotatedClients = 5

// clientNotes is what a user of a preset should know.
func clientNotes(e clientEntry) []string {
	var notes []string
	if len(e.Aliases) > 0 {
		notes = append(notes, aliasNote(e))
	}
	for _, note := range append(e.Caveats, e.Notes...) {
		notes = append(notes, e.Name+": "+note)
	}
	return append(notes, fmt.Sprintf("%s: %s; defined in %s", e.Name, e.Formula, e.Source))
}

func aliasNote(e clientEntry) string { return e.Name + " is also " + strings.Join(e.Aliases, ", ") }

// chosenBy says how a user gets the preset.
func chosenBy(e clientEntry, f Format) string {
	switch {
	case f == CSV:
		return e.Option
	case e.Default && e.Option == "":
		return "default"
	case e.Default:
		return "default, " + e.Option
	default:
		return e.Option
	}
}

// list returns an empty list for none, so that JSON has no null.
func list(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}
