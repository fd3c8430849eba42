package partition

import "slices"

// A multiple is a number of bins with the counts that divide it: a histogram of
// remainders by it, folded, gives that of each of the counts.
type multiple struct {
	bins   int
	counts []int
}

// commonMultiples distributes the counts among few multiples of up to limit bins.
// A count above the limit is its own multiple. Every count is in the smallest of
// the chosen multiples that it divides.
//
// This is set cover, and greedy: the multiple that most of the counts left divide
// is taken first, the smallest of several. 1…1000 take 262 multiples of up to
// 2^14, 239 of up to 2^15, and 500 (501…1000) if none is above 1000.
func commonMultiples(counts []int, limit int) []multiple {
	counts = slices.Compact(slices.Sorted(slices.Values(counts)))
	above, _ := slices.BinarySearch(counts, limit+1)
	chosen := cover(counts[:above], limit)
	multiples := make([]multiple, 0, len(chosen)+len(counts)-above)
	at := make([]int, limit+1) // 1 + where the multiple of so many bins is
	for _, bins := range chosen {
		multiples = append(multiples, multiple{bins: bins})
		at[bins] = len(multiples)
	}
	for _, n := range counts[:above] {
		bins := n
		for at[bins] == 0 {
			bins += n
		}
		m := &multiples[at[bins]-1]
		m.counts = append(m.counts, n)
	}
	for _, n := range counts[above:] {
		multiples = append(multiples, multiple{n, []int{n}})
	}
	return multiples
}

// cover returns numbers up to limit, ascending, so that every count, of which none
// is above the limit, divides one of them.
func cover(counts []int, limit int) []int {
	left := make([]bool, limit+1) // counts that divide no other count and nothing chosen yet
	for _, n := range counts {
		left[n] = true
	}
	gain := make([]int, limit+1) // how many of those left divide a number
	most := 0
	for _, n := range counts {
		for m := 2 * n; m <= limit && left[n]; m += n {
			left[n] = !left[m] // if m is a count, a multiple of m is one of n
		}
		for m := n; m <= limit && left[n]; m += n {
			gain[m]++
			most = max(most, gain[m])
		}
	}
	strike := func(n int) {
		for m := n; m <= limit && left[n]; m += n {
			gain[m]--
		}
		left[n] = false
	}
	var chosen []int
	for ; most > 0; most-- { // gains only fall
		for bins := range gain {
			if gain[bins] < most {
				continue
			}
			chosen = append(chosen, bins)
			for d := 1; d*d <= bins; d++ {
				if bins%d == 0 {
					strike(d)
					strike(bins / d)
				}
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}
