package main

import (
	"fmt"

	"github.com/keyspread/keyspread/partition"
	"github.com/urfave/cli/v2"
)

// withinLimits refuses a count that the system of a chosen client cannot have. Of
// all clients it leaves such ones out and says so.
func withinLimits(c *cli.Context, chosen []*partition.Client, counts []int) ([]*partition.Client, error) {
	var within []*partition.Client
	for _, client := range chosen {
		var refused error
		for _, n := range counts {
			if err := client.Allows(n); err != nil {
				refused = err
			}
		}
		switch {
		case refused == nil:
			within = append(within, client)
		case c.String(clientFlag.Name) != "all":
			return nil, usagef("%s: %w", c.Command.Name, refused)
		default:
			notes(c)(fmt.Sprintf("left out %s: %v", client.Name, refused))
		}
	}
	return within, nil
}
