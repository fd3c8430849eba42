package detect

import (
	"cmp"
	"math"
	"slices"

	"github.com/keyspread/keyspread/partition"
)

const (
	maxWriters = 3

	// A writer must explain this share of the pairs that are left, beyond chance.
	// Significance alone is not enough where chance is not what the yardstick
	// assumes: numbered keys and round robin are both regular, and so is Java's
	// string hash.
	leastEffect = 0.25

	// The same for a writer with the hash of another writer and another
	// reduction. A variant that is in no registry (murmur2 with an absolute
	// value, say) is a function of the same hash, so that its keys meet the
	// reductions that are in the registry several times as often as by chance.
	leastVariantEffect = 0.9

	// Two results whose likelihoods differ by less than this factor are equally
	// good.
	tieRatio = 20

	strays     = 100     // a given count stands if at most 1 of so many pairs is beyond it
	maxCounts  = 4096    // partition counts tried when none fits
	workBudget = 1 << 27 // predictions per pass; more hypotheses are screened on a part of the keys
	screened   = 64      // hypotheses that survive screening
	maxScores  = 50
)

// A search looks for the writers of a detector's samples.
type search struct {
	*Detector
	mappings []*mapping
	given    []int // partition counts to start with
	all      []int // those and every other that may have been in force earlier

	first    []result // with the given counts, over all keys
	required int      // keys that would be enough for a finding with the given counts
	tested   int      // hypotheses of the latest pass
	writers  []writer
	regulars []result // rejected by regular
	warnings []string
}

type writer struct {
	result
	rivals      []result // equally good in its place
	predictions []int32  // of every key, -1 for none
}

// Verdict returns what the samples seen so far say. It takes time in proportion
// to the number of distinct keys, seconds for a million.
//
// A hypothesis (a mapping, an encoding, a partition count) is named only if the
// probability of as many matches by chance, times the number of hypotheses
// tried, is at most half of [Alpha] (the other half is for a second attempt
// with other partition counts), and if the matches beyond chance are a quarter
// of the pairs of key and partition. The search takes the likeliest such
// hypothesis, then looks in the same way at the pairs that it leaves over, for
// up to two more writers.
//
// If no encodings were given and the texts themselves explain nothing, the other
// encodings without a parameter are tried, and taken if one writer then explains
// everything.
func (d *Detector) Verdict() Detection {
	verdict := d.verdict()
	if !d.anyEncoding || verdict.Finding != NoMatch {
		return verdict
	}
	other := *d
	other.encodings = otherEncodings
	// Clients that hash an object see a number as itself: numbers that count up
	// would "fit" any round robin.
	other.clients = slices.DeleteFunc(slices.Clone(d.clients), func(c *partition.Client) bool {
		return c.ForEncoding(partition.Int64) != c
	})
	if second := other.verdict(); second.Finding == OneWriter {
		return second
	}
	d.encodings = append([]partition.KeyEncoding{partition.Raw}, otherEncodings...)
	verdict.Conclusion = (&search{Detector: d}).noMatch(&verdict)
	d.encodings = d.encodings[:1]
	return verdict
}

// otherEncodings are tried when texts do not explain what was seen.
var otherEncodings = []partition.KeyEncoding{partition.Int64, partition.Int32, partition.UUID, partition.JSON}

func (d *Detector) verdict() Detection {
	s := &search{Detector: d, mappings: d.mappings()}
	s.given, s.all = s.candidates()
	s.explain()
	return s.report()
}

// candidates returns the partition counts to begin with and all that are worth
// trying. A count is impossible for the topic if a higher partition was seen,
// but keys may have been written when the topic was smaller.
func (s *search) candidates() (given, all []int) {
	limit := max(24, 2*(s.highest+1))
	for _, n := range s.counts {
		if n <= s.highest {
			beyond, pairs := s.beyond(n)
			if beyond*strays > pairs {
				s.warn("partition %d was seen, which a topic of %d partitions does not have", s.highest, n)
				continue
			}
			s.warn("%s of key and partition beyond partition %d, up to %d: counted as strays", count(beyond, "pair"), n-1, s.highest)
		}
		given = append(given, n)
		limit = max(limit, n)
	}
	if len(given) == 0 {
		for n := s.highest + 1; n <= min(limit, s.highest+maxCounts, partition.MaxPartitions); n++ {
			given = append(given, n)
		}
	}
	all = slices.Clone(given)
	for n := 2; n <= min(limit, maxCounts); n++ {
		if !slices.Contains(given, n) {
			all = append(all, n)
		}
	}
	return given, all
}

// beyond returns how many pairs of key and partition there are with partition n
// or a higher one, and how many in all.
func (s *search) beyond(n int) (beyond, pairs int) {
	var seen []int32
	for i := range s.keys {
		seen = s.sightings(seen[:0], i)
		pairs += len(seen)
		for _, p := range seen {
			if int(p) >= n {
				beyond++
			}
		}
	}
	return beyond, pairs
}

// explain finds the writers: first with the given counts, then with all.
func (s *search) explain() {
	if len(s.keys) == 0 || len(s.mappings) == 0 { // nothing to explain, or nothing to explain it with
		return
	}
	counts := s.given
	for round := 0; round <= maxWriters && len(s.writers) < maxWriters; round++ {
		ranked, pairs := s.rank(cross(s.mappings, counts), round == 0)
		if round == 0 {
			s.first = ranked
			s.required = required(s.given[0], s.tested)
		}
		best, ok := s.choose(ranked, pairs)
		if !ok && round > 0 {
			return
		}
		if ok {
			s.writers = append(s.writers, best)
			s.prune()
		}
		counts = s.all
	}
}

// choose returns the likeliest result that is significant and large enough, as a
// writer.
func (s *search) choose(ranked []result, pairs int) (w writer, ok bool) {
	for _, r := range ranked {
		if ok && w.likelihood-r.likelihood > math.Log(tieRatio) {
			break
		}
		if !r.significant || r.effect(pairs) < s.leastEffect(&r) {
			continue
		}
		predictions := s.predict(r.hypothesis)
		switch {
		case s.regular(&r, predictions):
			s.regulars = append(s.regulars, r)
		case ok:
			w.rivals = append(w.rivals, r)
		default:
			w, ok = writer{result: r, predictions: predictions}, true
		}
	}
	return w, ok
}

// regular reports whether a result owes its matches to predictions and samples
// that both prefer the same few partitions, as with numbered keys, of which
// Java's string hash makes few values modulo some counts. It compares every
// prediction with the pairs of all other keys, where it can be right by accident
// only.
func (s *search) regular(r *result, predictions []int32) bool {
	predicted, seen := make(map[int32]int), make(map[int32]int)
	keys, match := 0, 0
	var left, claimed []int32
	for i, p := range predictions {
		left, claimed = s.split(left[:0], claimed[:0], int32(i))
		if p < 0 || below(left, r.partitions) == 0 || slices.Contains(claimed, p) {
			continue
		}
		keys++
		predicted[p]++
		for _, q := range left {
			seen[q]++
			if q == p {
				match++
			}
		}
	}
	if keys < 2 {
		return false
	}
	accidents := -match
	for p, n := range predicted {
		accidents += n * seen[p]
	}
	// Both are means of matches per key. For uniform predictions the first has
	// a standard deviation of about sqrt(2·chance)/keys around the second.
	accident := float64(accidents) / float64(keys) / float64(keys-1)
	chance := r.tally.expected(r.partitions) / float64(keys)
	if accident <= chance+5*math.Sqrt(2*chance)/float64(keys) {
		return false
	}
	return logBinomialTail(keys, match, min(1, accident)) > threshold(s.tested) ||
		float64(match) < leastEffect*float64(keys)+(1-leastEffect)*accident*float64(keys)
}

// leastEffect returns the effect that r must have beside the writers so far.
func (s *search) leastEffect(r *result) float64 {
	for _, w := range s.writers {
		if r.client.Hash.Name == w.client.Hash.Name && r.client.Reduction.Name != w.client.Reduction.Name {
			return leastVariantEffect
		}
	}
	return leastEffect
}

// prune drops writers that the others make superfluous: with a wrong count
// given, the right client explains a part of the keys, until the right count
// explains them all.
func (s *search) prune() {
	for i := 0; i < len(s.writers) && len(s.writers) > 1; {
		w := s.writers[i]
		others := *s
		others.writers = slices.Delete(slices.Clone(s.writers), i, i+1)
		keys, _ := others.remaining()
		alone := others.pass([]hypothesis{w.hypothesis}, keys)[0]
		if alone.logP(w.partitions) > threshold(s.tested) {
			s.writers = others.writers
			continue
		}
		i++
	}
}

// threshold returns the natural logarithm of the largest probability that is
// significant among so many hypotheses (Bonferroni).
func threshold(hypotheses int) float64 {
	return math.Log(Alpha/2) - math.Log(float64(max(1, hypotheses)))
}

// rank compares hypotheses with the pairs that the writers leave over, and
// returns the likeliest first, with the number of those pairs: all results, or
// the significant ones. Hypotheses that predict the same are one result.
func (s *search) rank(hypotheses []hypothesis, all bool) (ranked []result, pairs int) {
	keys, pairs := s.remaining()
	if pairs == 0 {
		return nil, 0
	}
	s.tested = len(hypotheses)
	if affordable := max(64, workBudget/len(hypotheses)); affordable < len(keys) {
		hypotheses = s.screen(hypotheses, keys, affordable)
	}
	tallies := s.pass(hypotheses, keys)
	if s.tested == len(hypotheses) {
		s.tested = predicting(tallies)
	}
	ranked = s.merge(hypotheses, tallies, pairs)
	for i := range ranked {
		ranked[i].significant = ranked[i].logP <= threshold(s.tested)
	}
	if !all {
		ranked = slices.DeleteFunc(ranked, func(r result) bool { return !r.significant })
	}
	s.sort(ranked)
	return ranked, pairs
}

// required returns how many keys a single writer must have for the finding to be
// significant, with n partitions; 0 if no number is enough.
func required(n, hypotheses int) int {
	if n == 1 {
		return 0
	}
	return int(math.Ceil(-threshold(hypotheses) / math.Log(float64(n))))
}

// predicting returns how many tallies have a prediction. The others, such as
// int64 keys where all texts are names, cannot succeed by chance either.
func predicting(tallies []tally) int {
	n := 0
	for i := range tallies {
		if tallies[i].decided > 0 {
			n++
		}
	}
	return n
}

// screen returns the hypotheses that do best on a part of the keys, in their
// order.
func (s *search) screen(hypotheses []hypothesis, keys []int32, part int) []hypothesis {
	if len(hypotheses) <= screened {
		return hypotheses
	}
	sample := s.sample(keys, part)
	pairs := 0
	for _, i := range sample {
		left, _ := s.split(nil, nil, i)
		pairs += len(left)
	}
	tallies := s.pass(hypotheses, sample)
	order := make([]int, len(hypotheses))
	likelihood := make([]float64, len(hypotheses))
	for j, h := range hypotheses {
		order[j] = j
		likelihood[j] = tallies[j].logLikelihood(pairs, max(h.partitions, s.highest+1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(likelihood[b], likelihood[a]) })
	best := order[:screened]
	slices.Sort(best)
	kept := make([]hypothesis, len(best))
	for i, j := range best {
		kept[i] = hypotheses[j]
	}
	return kept
}

// sample returns n of the keys: those with the smallest tokens, since the order
// in which keys came must not matter.
func (s *search) sample(keys []int32, n int) []int32 {
	type ticket struct {
		token uint64
		key   int32
	}
	tickets := make([]ticket, len(keys))
	for i, key := range keys {
		tickets[i] = ticket{token(s.keys[key]), key}
	}
	slices.SortFunc(tickets, func(a, b ticket) int {
		return cmp.Or(cmp.Compare(a.token, b.token), cmp.Compare(s.keys[a.key], s.keys[b.key]))
	})
	drawn := make([]int32, n)
	for i := range drawn {
		drawn[i] = tickets[i].key
	}
	return drawn
}

// merge makes results of tallies, one for all hypotheses of an encoding and a
// count that predict the same.
func (s *search) merge(hypotheses []hypothesis, tallies []tally, pairs int) []result {
	type same struct {
		encoding   partition.KeyEncoding
		partitions int
		print      uint64
	}
	var merged []result
	known := make(map[same]int)
	for j, h := range hypotheses {
		t := tallies[j]
		if t.decided == 0 {
			continue
		}
		id := same{h.encoding, h.partitions, t.print}
		if at, ok := known[id]; ok {
			merged[at].clients = append(merged[at].clients, h.clients...)
			continue
		}
		known[id] = len(merged)
		merged = append(merged, result{
			hypothesis: h,
			clients:    slices.Clone(h.clients),
			tally:      t,
			likelihood: t.logLikelihood(pairs, max(h.partitions, s.highest+1)),
			logP:       t.logP(h.partitions),
		})
	}
	return merged
}

// sort puts the likeliest results first, among equals those of the first counts
// and encodings, and in each the clients in the order in which a user thinks of
// them: defaults before options.
func (s *search) sort(results []result) {
	place := make(map[*partition.Client]int)
	for i, c := range s.clients {
		place[c] = i
		if !c.Default {
			place[c] += len(s.clients)
		}
	}
	order := make(map[int]int, len(s.all))
	for i, n := range s.all {
		order[n] = i
	}
	byPlace := func(a, b *partition.Client) int { return cmp.Compare(place[a], place[b]) }
	for i := range results {
		slices.SortFunc(results[i].clients, byPlace)
	}
	slices.SortStableFunc(results, func(a, b result) int {
		return cmp.Or(
			cmp.Compare(b.likelihood, a.likelihood),
			cmp.Compare(order[a.partitions], order[b.partitions]),
			cmp.Compare(slices.Index(s.encodings, a.encoding), slices.Index(s.encodings, b.encoding)),
			byPlace(a.clients[0], b.clients[0]),
		)
	})
}

// remaining returns the keys that have pairs which no writer explains, and the
// number of those pairs.
func (s *search) remaining() (keys []int32, pairs int) {
	var left, claimed []int32
	for i := range int32(len(s.keys)) {
		left, claimed = s.split(left[:0], claimed[:0], i)
		if len(left) > 0 {
			keys = append(keys, i)
			pairs += len(left)
		}
	}
	return keys, pairs
}

// split appends to left the partitions of key i that no writer explains, and to
// claimed those on which the writers put the key.
func (s *search) split(left, claimed []int32, i int32) (l, c []int32) {
	for w := range s.writers {
		if p := s.writers[w].predictions[i]; p >= 0 && !slices.Contains(claimed, p) {
			claimed = append(claimed, p)
		}
	}
	left = s.sightings(left, int(i))
	if len(claimed) > 0 {
		left = slices.DeleteFunc(left, func(p int32) bool { return slices.Contains(claimed, p) })
	}
	return left, claimed
}

// pass tallies the hypotheses, which stand in the order of the mappings, over
// keys.
func (s *search) pass(hypotheses []hypothesis, keys []int32) []tally {
	tallies := make([]tally, len(hypotheses))
	for start := 0; start < len(hypotheses); {
		end := start + 1
		for end < len(hypotheses) && hypotheses[end].encoding == hypotheses[start].encoding {
			end++
		}
		s.passEncoding(hypotheses[start:end], tallies[start:end], keys)
		start = end
	}
	return tallies
}

// passEncoding is pass for hypotheses of one encoding.
func (s *search) passEncoding(hypotheses []hypothesis, tallies []tally, keys []int32) {
	var key []byte
	var left, claimed []int32
	for _, i := range keys {
		var err error
		if key, err = hypotheses[0].encoding.AppendKey(key[:0], s.keys[i]); err != nil {
			for j := range tallies {
				tallies[j].skip()
			}
			key = key[:0]
			continue
		}
		left, claimed = s.split(left[:0], claimed[:0], i)
		var m *mapping
		var d partition.Digest
		var rule partition.Rule
		for j, h := range hypotheses {
			if h.mapping != m {
				d, rule = h.digest(key, m, d, rule)
				m = h.mapping
			}
			if rule != partition.Hashed {
				tallies[j].skip()
				continue
			}
			tallies[j].add(m.client.Reduction.Reduce(d, h.partitions), h.partitions, left, claimed)
		}
	}
}

// digest hashes a key for mapping m, unless the previous mapping has done it.
func (m *mapping) digest(key []byte, previous *mapping, d partition.Digest, rule partition.Rule) (partition.Digest, partition.Rule) {
	if previous != nil && previous.client.Hash.Name == m.client.Hash.Name && m.client.RuleOf(key) == rule {
		return d, rule
	}
	return m.client.Digest(key)
}

// predict returns where a hypothesis puts every key, -1 where it does not say.
func (s *search) predict(h hypothesis) []int32 {
	predictions := make([]int32, len(s.keys))
	var key []byte
	for i, text := range s.keys {
		predictions[i] = -1
		var err error
		if key, err = h.encoding.AppendKey(key[:0], text); err != nil {
			continue
		}
		if d, rule := h.client.Digest(key); rule == partition.Hashed {
			predictions[i] = int32(h.client.Reduction.Reduce(d, h.partitions))
		}
	}
	return predictions
}
