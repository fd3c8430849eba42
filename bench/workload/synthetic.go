package workload

import (
	"strconv"

	"github.com/keyspread/keyspread/partition"
)

// keyPrefix begins the names of synthetic keys; their rank follows, from 0.
const keyPrefix = "user-"

// Keys draws the table of keys that counting all records of the distribution
// would give, without drawing the records one by one (see [Multinomial]): user-0
// is the key with the highest weight, user-1 the next. Their counts add up to
// d.Records.
//
// A key that no record fell on is not in the table, as it would not be in a
// file: where there are few records for many keys, the table has fewer than
// d.KeyCount keys.
//
// The table is a function of the distribution and the seed. The error is that of
// [Distribution.Validate]. Beside the table it takes 16 bytes for each of
// d.KeyCount keys while it runs.
func (d Distribution) Keys(seed uint64) (*partition.KeyTable, error) {
	weights, err := d.Weights()
	if err != nil {
		return nil, err
	}
	counts, err := Multinomial(weights, d.Records, seed, keyCountStream)
	if err != nil {
		return nil, err
	}
	table := new(partition.KeyTable)
	name := []byte(keyPrefix)
	for i, n := range counts {
		if n == 0 {
			continue
		}
		name = strconv.AppendInt(name[:len(keyPrefix)], int64(i), 10)
		if _, err := table.Add(name, n, 0, 0); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// keyCountStream is the number of the random stream of [Distribution.Keys].
const keyCountStream = 1
