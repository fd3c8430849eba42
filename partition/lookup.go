package partition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// Clients returns every preset, Kafka's first, in the order of the registry. The
// slice is the caller's; the clients are shared and must not be changed.
func Clients() []*Client {
	all := make([]*Client, len(registry))
	for i := range registry {
		all[i] = &registry[i]
	}
	return all
}

// Lookup returns the preset with the given name or alias. The error for an
// unknown name lists the nearest known ones.
func Lookup(name string) (*Client, error) {
	if c, ok := byName[name]; ok {
		return c, nil
	}
	if c, ok := byName[strings.ToLower(name)]; ok {
		return nil, fmt.Errorf("unknown client %q: names are lower case, want %q", name, c.Name)
	}
	return nil, fmt.Errorf("unknown client %q: %s", name, suggestion(strings.ToLower(name)))
}

var byName = func() map[string]*Client {
	names := make(map[string]*Client)
	for i := range registry {
		c := &registry[i]
		names[c.Name] = c
		for _, alias := range c.Aliases {
			names[alias] = c
		}
	}
	return names
}()

// suggestion returns a phrase with the known names nearest to name.
func suggestion(name string) string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	head := name[:min(len(name), 64)] // no name is longer, and the comparison takes time
	for known := range byName {
		d := smetrics.WagnerFischer(head, known, 1, 1, 1)
		if strings.HasPrefix(known, name) || strings.HasPrefix(name, known) {
			d = min(d, 1)
		}
		if d <= 1+len(name)/3 {
			near = append(near, candidate{known, d})
		}
	}
	if len(near) == 0 {
		return "keyspread map --clients lists the known ones"
	}
	slices.SortFunc(near, func(a, b candidate) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, c := range near[:min(len(near), 4)] {
		names = append(names, c.name)
	}
	return "did you mean " + strings.Join(names, ", ") + "? (keyspread map --clients lists all)"
}
