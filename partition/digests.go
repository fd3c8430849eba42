package partition

// Digests holds the hash of every key of a table under one client, so that the
// table can be placed at any number of partition counts for one pass of
// hashing.
type Digests struct {
	client *Client
	narrow []uint32 // digests of up to 32 bits, or
	wide   []Digest // longer ones
	rules  []Rule   // what happens to each key; nil if every key is hashed
}

// NewDigests hashes every key of the table.
func NewDigests(t *KeyTable, c *Client) *Digests {
	d := &Digests{client: c}
	for i := range t.Len() {
		if rule := c.RuleOf(t.Key(i)); rule != Hashed {
			if d.rules == nil {
				d.rules = make([]Rule, t.Len())
			}
			d.rules[i] = rule
		}
	}
	switch {
	case c.Hash.Name == murmur2Hash.Name: // by far the most common, and faster as a whole
		d.narrow = make([]uint32, t.Len())
		t.Murmur2(d.narrow)
	case c.Hash.Sum32 != nil:
		d.narrow = make([]uint32, t.Len())
		for i := range d.narrow {
			if d.hashes(i) {
				d.narrow[i] = c.Hash.Sum32(t.Key(i))
			}
		}
	default:
		d.wide = make([]Digest, t.Len())
		for i := range d.wide {
			if d.hashes(i) {
				d.wide[i] = c.Hash.Sum(t.Key(i))
			}
		}
	}
	return d
}

// hashes reports whether the client hashes key i.
func (d *Digests) hashes(i int) bool { return d.rules == nil || d.rules[i] == Hashed }

// Rule returns what happens to key i.
func (d *Digests) Rule(i int) Rule {
	if d.rules == nil {
		return Hashed
	}
	return d.rules[i]
}

// Len returns the number of keys.
func (d *Digests) Len() int { return max(len(d.narrow), len(d.wide)) }

// Client returns the client whose hashes these are.
func (d *Digests) Client() *Client { return d.client }

// Place writes the placement of every key among n partitions to placements,
// which must be [Digests.Len] long. It panics if n is not a possible partition
// count.
func (d *Digests) Place(placements []Placement, n int) {
	checkCount(n)
	placements = placements[:d.Len()]
	if of32 := d.client.Reduction.Of32; d.narrow != nil && of32 != nil {
		for i, h := range d.narrow {
			placements[i] = Placement(of32(h, int32(n)))
		}
	} else if d.wide != nil && d.client.Reduction.Reduce != nil {
		for i, digest := range d.wide {
			placements[i] = Placement(d.client.Reduction.Reduce(digest, n))
		}
	}
	for i, rule := range d.rules {
		if rule != Hashed {
			placements[i] = d.client.Settle(Digest{}, rule, n)
		}
	}
}

// PlaceKey returns the placement of key i among n partitions. It panics if n is
// not a possible partition count.
func (d *Digests) PlaceKey(i, n int) Placement {
	digest := Digest{}
	if d.narrow != nil {
		digest.Lo = uint64(d.narrow[i])
	} else {
		digest = d.wide[i]
	}
	return d.client.Settle(digest, d.Rule(i), n)
}
