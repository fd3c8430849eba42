package main

import (
	"io"

	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
	"github.com/urfave/cli/v2"
)

// listClients prints the registry of presets.
func listClients(c *cli.Context) error {
	f, err := format(c)
	if err != nil {
		return err
	}
	chosen := partition.Clients()
	if c.IsSet(clientFlag.Name) {
		if chosen, err = clients(c.String(clientFlag.Name)); err != nil {
			return err
		}
	}
	return writeOutput(c, func(w io.Writer) error { return reports.Clients(w, f, chosen) })
}
