package workload

import (
	"fmt"
	"math"
)

// HotSet gives Records % of the records to Keys % of the keys, evenly, and the
// others evenly to the other keys. The number of hot keys is rounded to the
// nearest, but there is at least one, and at least one other unless Keys is 100.
type HotSet struct {
	Keys    float64 // hot keys, in percent of all, above 0 to 100
	Records float64 // their records, in percent of all, Keys to 100
}

func (h HotSet) String() string { return "hotset:" + number(h.Keys) + "," + number(h.Records) }

func (h HotSet) problem() (parameter int, what, fix string) {
	switch {
	case !(h.Keys > 0 && h.Keys <= 100):
		return 0, "the percentage of hot keys is not above 0 and at most 100", "write for example hotset:20,80: 20 % of the keys have 80 % of the records"
	case !(h.Records >= 0 && h.Records <= 100):
		return 1, "the percentage of records is not from 0 to 100", "write for example hotset:20,80: 20 % of the keys have 80 % of the records"
	case h.Keys == 100 && h.Records < 100:
		return 1, "all keys have all records, 100 %", "write hotset:100,100 or uniform"
	case h.Records < h.Keys:
		return 1, fmt.Sprintf("%s %% of the keys have less than their share, so that the others are hot", number(h.Keys)),
			fmt.Sprintf("write hotset:%s,%s", number(100-h.Keys), number(100-h.Records))
	}
	return 0, "", ""
}

func (h HotSet) fill(w []float64, first, n int) {
	hot := max(1, int(math.Round(float64(n)*h.Keys/100)))
	if h.Keys < 100 {
		hot = max(1, min(hot, n-1))
	}
	hotWeight, weight := h.Records/float64(hot), (100-h.Records)/float64(max(1, n-hot))
	if hotWeight < weight {
		// Rounding a handful of keys made the cold ones the heavier; ranks fall.
		hot, hotWeight, weight = n-hot, weight, hotWeight
	}
	for j := range w {
		w[j] = weight
		if first+j <= hot {
			w[j] = hotWeight
		}
	}
}
