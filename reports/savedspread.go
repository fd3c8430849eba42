package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
)

// SavedSpreads are the spreads of one key source, at least one.
type SavedSpreads []*bench.Spread

// Write renders the spreads, see [Spreads] and [SpreadsBench].
func (s SavedSpreads) Write(w io.Writer, f Format) error {
	if f == JSON {
		return errOriginal
	}
	return Spreads(w, f, s)
}

// errOriginal is what rendering a saved result as JSON gives.
var errOriginal = errors.New("write saved result: its JSON is the file itself")

// loadSpreads reads spreads and holds them to what [Spreads] takes for granted.
func loadSpreads(text []byte) (Result, error) {
	var saved struct {
		Results []*bench.Spread `json:"results"`
	}
	if err := json.Unmarshal(text, &saved); err != nil {
		return nil, err
	}
	if len(saved.Results) == 0 {
		return nil, errors.New("results is empty")
	}
	for i, r := range saved.Results {
		if r == nil {
			return nil, fmt.Errorf("results[%d] is null", i)
		}
		if err := checkSpread(r); err != nil {
			return nil, fmt.Errorf("results[%d].%w", i, err)
		}
		if r.Compact() != saved.Results[0].Compact() {
			return nil, fmt.Errorf("results[%d].load: some results have one and some have not", i)
		}
		if !sameTopKeys(r.TopKeys, saved.Results[0].TopKeys) {
			return nil, fmt.Errorf("results[%d].topKeys are others than those of results[0]", i)
		}
	}
	return SavedSpreads(saved.Results), nil
}

// checkSpread returns what is wrong with a spread, beginning with the field.
func checkSpread(r *bench.Spread) error {
	if r.Partitions < 1 || r.Partitions > partition.MaxPartitions {
		return fmt.Errorf("partitions is %d: want 1 to %d", r.Partitions, partition.MaxPartitions)
	}
	if err := notNegative(amount{"records", r.Records}, amount{"keys", int64(r.Keys)}, amount{"bytes", r.Bytes}); err != nil {
		return err
	}
	if r.Idle < 0 || r.Idle > r.Partitions {
		return fmt.Errorf("idle is %d of %d partitions", r.Idle, r.Partitions)
	}
	for _, f := range []figure{{"imbalance", r.Imbalance}, {"floor", r.Floor}} {
		if f.value != nil && !(*f.value >= 1 && *f.value <= float64(r.Partitions)+1e-6) {
			return fmt.Errorf("%s is %g over %d partitions: want 1 to %[3]d", f.name, *f.value, r.Partitions)
		}
	}
	if !r.Compact() {
		if err := checkLoad(r); err != nil {
			return err
		}
	}
	for i, k := range r.TopKeys {
		if err := checkTopKey(r, k); err != nil {
			return fmt.Errorf("topKeys[%d].%w", i, err)
		}
	}
	if r.HotKey != nil {
		if err := checkTopKey(r, r.HotKey.TopKey); err != nil {
			return fmt.Errorf("hotKey.%w", err)
		}
	}
	return figures(
		figure{"ceilingShare", r.CeilingShare}, figure{"cv", r.CV}, figure{"cvExpected", r.CVExpected},
		figure{"gini", r.Gini}, figure{"entropy", r.Entropy}, figure{"chiSquared", r.ChiSquared},
		figure{"pValue", r.PValue}, figure{"imbalancePValue", r.ImbalancePValue},
	)
}

// checkLoad checks the loads and what they add up to.
func checkLoad(r *bench.Spread) error {
	if len(r.Load) != r.Partitions {
		return fmt.Errorf("load has %d entries for %d partitions", len(r.Load), r.Partitions)
	}
	var placed sum
	for p, l := range r.Load {
		if l.Partition != p {
			return fmt.Errorf("load[%d].partition is %d", p, l.Partition)
		}
		if err := notNegative(amount{"records", l.Records}, amount{"keys", int64(l.Keys)}, amount{"bytes", l.Bytes}); err != nil {
			return fmt.Errorf("load[%d].%w", p, err)
		}
		placed.add(l.Records)
	}
	all := placed
	for i, u := range r.Undecided {
		if err := notNegative(amount{"records", u.Records}, amount{"keys", int64(u.Keys)}); err != nil {
			return fmt.Errorf("undecided[%d].%w", i, err)
		}
		all.add(u.Records)
	}
	if all.overflow || all.value != r.Records {
		return fmt.Errorf("records is %d, which is not what load and undecided add up to", r.Records)
	}
	if (r.Imbalance == nil) != (placed.value == 0) {
		return errors.New("imbalance does not match load: it is null if and only if there is none")
	}
	return nil
}

func checkTopKey(r *bench.Spread, k bench.TopKey) error {
	if err := checkKeyText(k.KeyText); err != nil {
		return err
	}
	if k.Records < 0 || k.Records > r.Records {
		return fmt.Errorf("records is %d of %d", k.Records, r.Records)
	}
	if err := figures(figure{"share", &k.Share}); err != nil {
		return err
	}
	if k.Partition == nil {
		return nil
	}
	if *k.Partition < 0 || *k.Partition >= r.Partitions {
		return fmt.Errorf("partition is %d of %d partitions", *k.Partition, r.Partitions)
	}
	if !r.Compact() && k.Records > r.Load[*k.Partition].Records {
		return fmt.Errorf("records is %d, more than its partition has", k.Records)
	}
	return nil
}

func sameTopKeys(a, b []bench.TopKey) bool {
	return slices.EqualFunc(a, b, func(a, b bench.TopKey) bool {
		return a.Records == b.Records && a.KeyHex == b.KeyHex && (a.Key == nil) == (b.Key == nil) && (a.Key == nil || *a.Key == *b.Key)
	})
}

// checkKeyText returns what is wrong with a key.
func checkKeyText(k partition.KeyText) error {
	if k.KeyHex == "" {
		return nil
	}
	if k.Key == nil {
		return errors.New("key is null beside a keyHex")
	}
	if _, err := k.Bytes(); err != nil {
		return errors.New("keyHex is not hexadecimal")
	}
	return nil
}

// An amount is a named number of things.
type amount struct {
	name  string
	value int64
}

func notNegative(amounts ...amount) error {
	for _, a := range amounts {
		if a.value < 0 {
			return fmt.Errorf("%s is %d: want 0 or more", a.name, a.value)
		}
	}
	return nil
}

// A figure is a named figure that may not exist.
type figure struct {
	name  string
	value *float64
}

// figures checks that none is negative; JSON has neither NaN nor infinities.
// Rounding may leave a figure that is 0 a little below.
func figures(list ...figure) error {
	for _, f := range list {
		if f.value != nil && *f.value < -1e-9 {
			return fmt.Errorf("%s is %g: want 0 or more", f.name, *f.value)
		}
	}
	return nil
}

// A sum adds numbers of 0 or more up and knows when they are too many.
type sum struct {
	value    int64
	overflow bool
}

func (s *sum) add(n int64) {
	s.overflow = s.overflow || n > math.MaxInt64-s.value
	s.value += n
}

func (s SavedSpreads) heading() string {
	title := fmt.Sprintf("%s over %s %ss", commas(s.clients()), countList(s.counts()), s[0].Unit)
	if len(s) == 1 {
		title = fmt.Sprintf("%s over %s", s[0].Client, plural(int64(s[0].Partitions), s[0].Unit))
	}
	if s[0].Input != "" {
		title = s[0].Input + ", " + title
	}
	return "Balance: " + title
}

func (s SavedSpreads) facts() []string {
	var facts []string
	if s[0].KeyEncoding != "" {
		facts = append(facts, "key encoding "+s[0].KeyEncoding)
	}
	for _, r := range s {
		if t := r.PlacementTest; t != nil {
			facts = append(facts, fmt.Sprintf("%s random placements from random seed %d", Count(int64(t.Placements)), t.RandomSeed))
			break
		}
	}
	return append(facts, s[0].Basis)
}

func (s SavedSpreads) summary() []string {
	if isSweep(s) || len(s) > summaryLines {
		return s.rangeSummary()
	}
	var list []string
	for _, r := range s {
		said := ""
		if r.Input != "" {
			said = r.Input + ", "
		}
		said += fmt.Sprintf("%s over %s: ", r.Client, plural(int64(r.Partitions), r.Unit))
		if r.Imbalance == nil || r.Verdict == nil {
			said += r.Reason
		} else {
			said += fmt.Sprintf("%s, imbalance %s", *r.Verdict, Ratio(*r.Imbalance))
		}
		list = append(list, said)
	}
	return list
}

// rangeSummary says how far the imbalance of each client goes.
func (s SavedSpreads) rangeSummary() []string {
	var list []string
	for _, swept := range byClient(s) {
		var counts []int
		var least, greatest *bench.Spread
		for _, r := range swept {
			counts = append(counts, r.Partitions)
			if r.Imbalance == nil {
				continue
			}
			if least == nil || *r.Imbalance < *least.Imbalance {
				least = r
			}
			if greatest == nil || *r.Imbalance > *greatest.Imbalance {
				greatest = r
			}
		}
		said := fmt.Sprintf("%s over %s %ss: ", swept[0].Client, countList(counts), swept[0].Unit)
		if swept[0].Input != "" {
			said = swept[0].Input + ", " + said
		}
		if least == nil {
			said += "no record is placed by its key"
		} else {
			said += fmt.Sprintf("imbalance from %s at %s to %s at %s", Ratio(*least.Imbalance), Count(int64(least.Partitions)), Ratio(*greatest.Imbalance), Count(int64(greatest.Partitions)))
		}
		list = append(list, said)
	}
	return list
}

func (s SavedSpreads) clients() []string {
	var names []string
	for _, r := range s {
		names = append(names, r.Client)
	}
	return unique(names)
}

func (s SavedSpreads) counts() []int {
	var counts []int
	for _, r := range s {
		if !slices.Contains(counts, r.Partitions) {
			counts = append(counts, r.Partitions)
		}
	}
	return counts
}

// commas lists names for a sentence, of many the first ones.
func commas(names []string) string {
	const most = 6
	if more := len(names) - most; more > 1 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// countList lists partition counts for a sentence, of many the first and the
// last.
func countList(counts []int) string {
	const most = 12
	var texts []string
	for _, n := range counts[:min(most, len(counts))] {
		texts = append(texts, strconv.Itoa(n))
	}
	if len(counts) > most {
		return fmt.Sprintf("%d…%d", counts[0], counts[len(counts)-1])
	}
	return strings.Join(texts, ", ")
}
