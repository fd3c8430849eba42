package plan

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/keyspread/keyspread/partition"
)

// Numbers and names in the sentences of a verdict.

// apart returns an observed figure and its limit, times a factor and with a unit.
// The limit is as it was written; the figure has one or two decimals, or as many
// as it takes to be seen on its side of the limit.
func apart(observed, limit, factor float64, unit string) (string, string) {
	written := strconv.FormatFloat(limit*factor, 'g', 12, 64)
	limit, _ = strconv.ParseFloat(written, 64)
	observed *= factor
	if math.Abs(observed-limit) <= 1e-11*limit {
		return written + unit, written + unit
	}
	decimals := 1
	if factor == 1 && observed < 9.995 {
		decimals = 2
	}
	for ; ; decimals++ {
		text := strconv.FormatFloat(observed, 'f', decimals, 64)
		if shown, _ := strconv.ParseFloat(text, 64); cmp.Compare(shown, limit) == cmp.Compare(observed, limit) || decimals == 15 {
			return text + unit, written + unit
		}
	}
}

// percent returns a share with one decimal, never rounded to nothing or to
// everything without being it.
func percent(share float64) string {
	text := strconv.FormatFloat(share*100, 'f', 1, 64)
	switch {
	case share > 0 && text == "0.0":
		return "< 0.1 %"
	case share < 1 && text == "100.0":
		return "> 99.9 %"
	}
	return text + " %"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// join lists names: a, b or c.
func join(names []string, conjunction string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + conjunction + " " + names[last]
}

// keyName returns a key as a sentence shows it. It is valid UTF-8; whoever shows
// the sentence escapes it.
func keyName(k partition.KeyText) string {
	switch {
	case k.Key == nil:
		return "null"
	case k.KeyHex != "":
		return shortened("0x"+k.KeyHex, shownRunes)
	case *k.Key == "" || *k.Key == "null" || strings.ContainsAny(*k.Key, " \t\""):
		return `"` + shortened(*k.Key, shownRunes) + `"`
	}
	return shortened(*k.Key, shownRunes)
}
