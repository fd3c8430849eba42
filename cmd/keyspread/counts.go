package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// maxCounts is how many partition counts a list may name; results of all of them
// are in memory at once.
const maxCounts = 100_000

// counts returns the partition counts of a flag, a list such as 6,12,24..48, each
// once, in the order given, none above limit.
func counts(c *cli.Context, flag string, limit int) ([]int, error) {
	chosen, err := countList(c.String(flag), limit)
	if err != nil {
		return nil, usagef("--%s: %w", flag, err)
	}
	return chosen, nil
}

func countList(list string, limit int) ([]int, error) {
	var chosen []int
	seen := map[int]bool{}
	for _, part := range strings.Split(list, ",") {
		first, last, err := countRange(part, limit)
		if err != nil {
			return nil, err
		}
		for n := first; n <= last; n++ {
			if seen[n] {
				continue
			}
			if len(chosen) == maxCounts {
				return nil, fmt.Errorf("%q names more than %d partition counts", list, maxCounts)
			}
			seen[n] = true
			chosen = append(chosen, n)
		}
	}
	return slices.Clip(chosen), nil
}

// countRange returns the first and the last count of one part of a list: 12, or
// 24..48 with both ends.
func countRange(part string, limit int) (first, last int, err error) {
	from, to, isRange := strings.Cut(part, "..")
	if first, err = partitionCount(from, part, limit); err != nil || !isRange {
		return first, first, err
	}
	if last, err = partitionCount(to, part, limit); err != nil {
		return 0, 0, err
	}
	if last < first {
		return 0, 0, fmt.Errorf("%q runs backwards: write %d..%d", part, last, first)
	}
	return first, last, nil
}

// partitionCount returns one count of a part of a list.
func partitionCount(text, part string, limit int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err == nil && n >= 1 && n <= limit {
		return n, nil
	}
	where := ""
	if text != part {
		where = " in " + strconv.Quote(part)
	}
	return 0, fmt.Errorf("%q%s is not a partition count: want whole numbers from 1 to %d, as in 6,12 or 24..48", text, where, limit)
}
