package detect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/keyspread/keyspread/partition"
)

// report turns what the search found into a Detection.
func (s *search) report() Detection {
	_, unexplained := s.remaining()
	det := Detection{
		Samples:      s.samples,
		NullSamples:  s.nullSamples,
		EmptySamples: s.emptySamples,
		Keys:         len(s.keys),
		Sampled:      1 << s.level,
		Pairs:        s.countPairs(),
		Unexplained:  unexplained,
		Writers:      s.weighedWriters(),
		Scores:       s.scores(),
	}
	det.SeveralKeys, det.Several = s.splitKeys()
	switch {
	case len(det.Writers) > 0:
		for _, w := range det.Writers {
			det.Partitions = max(det.Partitions, w.Partitions)
		}
	case len(det.Scores) > 0:
		det.Partitions = det.Scores[0].Partitions
	}
	det.Finding = s.finding(&det)
	det.Conclusion = s.conclusion(&det)
	s.caveats(&det)
	det.Warnings = s.warnings
	return det
}

func (s *search) finding(det *Detection) Finding {
	switch {
	case det.Keys == 0:
		return NoKeys
	case len(s.writers) > 1:
		return SeveralWriters
	case len(s.writers) == 1 && len(s.writers[0].rivals) > 0:
		return Ambiguous
	case len(s.writers) == 1 && det.Unexplained*100 <= det.Pairs:
		return OneWriter
	case len(s.writers) == 1:
		return PartlyExplained
	case len(s.mappings) == 0: // only clients that ignore keys were asked for
		return NoMatch
	case s.required == 0, det.Keys < s.required && len(fits(det.Scores)) > 0:
		return Ambiguous
	}
	return NoMatch
}

// fits returns the scores that explain every key.
func fits(scores []Score) []Score {
	var fit []Score
	for _, score := range scores {
		if score.Match == score.Keys && score.Undecided == 0 {
			fit = append(fit, score)
		}
	}
	return fit
}

// countPairs returns the number of distinct pairs of a key and a partition.
func (s *search) countPairs() int {
	alone := search{Detector: s.Detector}
	_, pairs := alone.remaining()
	return pairs
}

// scores returns the first ranking, into which the writers found with other
// counts are sorted.
func (s *search) scores() []Score {
	results := slices.Clone(s.first)
	for _, w := range s.writers {
		known := slices.ContainsFunc(results, func(r result) bool {
			return r.encoding == w.encoding && r.partitions == w.partitions && slices.Contains(r.clients, w.client0())
		})
		if !known {
			results = append(results, s.overAll(w.result))
		}
	}
	s.sort(results)
	var scores []Score
	for _, r := range results[:min(len(results), maxScores)] {
		scores = append(scores, s.score(r))
	}
	return scores
}

// client0 returns the first client of a result, which stands for it.
func (r *result) client0() *partition.Client { return r.clients[0] }

// overAll returns r with its tally over all keys, as if there were no writers.
func (s *search) overAll(r result) result {
	alone := search{Detector: s.Detector}
	keys, pairs := alone.remaining()
	r.tally = alone.pass([]hypothesis{r.hypothesis}, keys)[0]
	r.likelihood = r.tally.logLikelihood(pairs, max(r.partitions, s.highest+1))
	r.logP = r.tally.logP(r.partitions)
	return r
}

func (s *search) score(r result) Score {
	score := Score{
		Encoding:    r.encoding,
		Partitions:  r.partitions,
		Match:       r.tally.match,
		Keys:        r.tally.decided,
		Undecided:   len(s.keys) - r.tally.decided,
		Log10P:      r.logP / math.Ln10,
		Significant: r.significant,
	}
	for _, c := range r.clients {
		score.Clients = append(score.Clients, c.Name)
	}
	var said []string
	for _, alike := range r.byMapping() {
		mapping := alike[0].Hash.Name + ", " + alike[0].Reduction.Name
		score.Mappings = append(score.Mappings, mapping)
		said = append(said, names(alike)+" ("+mapping+")")
	}
	score.Description = strings.Join(said, " or ") + fmt.Sprintf(" on %s", count(r.partitions, "partition"))
	if r.encoding != partition.Raw {
		score.Description += " with " + r.encoding.String() + " keys"
	}
	if score.Keys > 0 {
		score.Share = float64(score.Match) / float64(score.Keys)
		score.Chance = r.tally.expected(r.partitions) / float64(score.Keys)
	}
	return score
}

// weighedWriters returns the writers with their estimated weights, heaviest
// first.
func (s *search) weighedWriters() []Writer {
	weights := s.weights()
	var writers []Writer
	for i, w := range s.writers {
		writers = append(writers, Writer{Score: s.score(s.overAll(w.result)), Weight: weights[i]})
	}
	slices.SortStableFunc(writers, func(a, b Writer) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return 0
	})
	return writers
}

// weights estimates which share of the pairs each writer wrote, with an unknown
// one who uses all partitions alike. Pairs on which writers agree are divided
// between them in proportion, which is repeated until it is stable (expectation
// maximisation of a mixture).
func (s *search) weights() []float64 {
	var patterns [1 << maxWriters]int // pairs by the set of writers that explain them
	partitions := 1
	var seen []int32
	for i := range s.keys {
		seen = s.sightings(seen[:0], i)
		for _, p := range seen {
			set := 0
			for w := range s.writers {
				if s.writers[w].predictions[i] == p {
					set |= 1 << w
				}
			}
			patterns[set]++
		}
	}
	for _, w := range s.writers {
		partitions = max(partitions, w.partitions)
	}

	const steps = 200
	unknown := len(s.writers)
	weights := make([]float64, unknown+1)
	for i := range weights {
		weights[i] = 1 / float64(len(weights))
	}
	for range steps {
		next := make([]float64, len(weights))
		pairs := 0
		for set, count := range patterns {
			parts := make([]float64, len(weights))
			parts[unknown] = weights[unknown] / float64(partitions)
			sum := parts[unknown]
			for w := range unknown {
				if set>>w&1 == 1 {
					parts[w] = weights[w]
					sum += parts[w]
				}
			}
			if count == 0 || sum == 0 {
				continue
			}
			for w := range parts {
				next[w] += float64(count) * parts[w] / sum
			}
			pairs += count
		}
		for w := range next {
			weights[w] = next[w] / float64(max(1, pairs))
		}
	}
	return weights[:unknown]
}

func (s *search) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// conclusion says the finding in a sentence or two.
func (s *search) conclusion(det *Detection) string {
	switch det.Finding {
	case NoKeys:
		return "no keys to judge by: only null or empty keys, which clients do not place by hash"
	case NoMatch:
		return s.noMatch(det)
	case Ambiguous:
		return s.ambiguous(det)
	case SeveralWriters:
		return severalWriters(det)
	}
	w := det.Writers[0]
	said := fmt.Sprintf("written by %s: %d of %s are where it puts them; chance would be %s",
		w.Description, w.Match, count(w.Keys, "distinct key"), rounded(w.Chance*float64(w.Keys)))
	if det.Finding == PartlyExplained {
		said = "partly " + said + fmt.Sprintf(". The other %d of %s of key and partition fit no known client", det.Unexplained, count(det.Pairs, "pair"))
	}
	return said
}

func (s *search) noMatch(det *Detection) string {
	var said strings.Builder
	said.WriteString("no client's mapping explains these keys")
	if best := det.Scores; len(best) > 0 {
		fmt.Fprintf(&said, ": the best, %s, has %d of %d; chance would be %s",
			best[0].Description, best[0].Match, best[0].Keys, rounded(best[0].Chance*float64(best[0].Keys)))
		switch {
		case len(s.regulars) > 0:
			said.WriteString(", but no more than expected of so regular keys")
		case best[0].Significant:
			said.WriteString(", so that it may have written a few")
		}
	}
	repeated := 0
	for _, r := range s.repeated {
		if r {
			repeated++
		}
	}
	switch {
	case det.SeveralKeys*2 > repeated && repeated > 0:
		fmt.Fprintf(&said, ". %d of the %s with more than one record are on several partitions: keys are ignored (round robin, random, sticky), or partitions are set by something else than the key", det.SeveralKeys, count(repeated, "key"))
	case repeated >= 10 && det.SeveralKeys == 0:
		fmt.Fprintf(&said, ". Each of the %d keys with more than one record stays on one partition, so the key does decide: a custom partitioner, another key encoding (tried: %s), or another partition count", repeated, s.encodingList())
	default:
		fmt.Fprintf(&said, ". Keys are ignored, or there is a custom partitioner, another key encoding (tried: %s), or another partition count", s.encodingList())
	}
	return said.String()
}

func (s *search) encodingList() string {
	var names []string
	for _, e := range s.encodings {
		names = append(names, e.String())
	}
	return strings.Join(names, ", ")
}

func (s *search) ambiguous(det *Detection) string {
	if len(s.writers) > 0 {
		said := "written by " + det.Writers[0].Description
		for _, r := range s.writers[0].rivals[:min(3, len(s.writers[0].rivals))] {
			said += ", or as well by " + s.score(r).Description
		}
		return said + fmt.Sprintf(": %s cannot tell", count(det.Keys, "key"))
	}
	fit := fits(det.Scores)
	if s.required == 0 {
		return "every key is on partition 0, which with one partition is where every client puts it"
	}
	var names []string
	for _, score := range fit[:min(4, len(fit))] {
		names = append(names, score.Description)
	}
	said := fmt.Sprintf("%s cannot tell: ", count(det.Keys, "key"))
	if det.Keys > 1 {
		said = fmt.Sprintf("%d keys are too few to tell: ", det.Keys)
	}
	said += strings.Join(names, " and ")
	if more := len(fit) - len(names); more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	fitting := "fits, which may be an accident"
	if len(fit) > 1 {
		fitting = "fit, some or all by accident"
	}
	return said + fmt.Sprintf(" %s; take at least %d keys", fitting, s.required)
}

func severalWriters(det *Detection) string {
	var parts []string
	counts := make(map[int]bool)
	hashes := make(map[string]bool)
	for _, w := range det.Writers {
		parts = append(parts, fmt.Sprintf("about %s %s", percent(w.Weight), w.Description))
		counts[w.Partitions] = true
		hashes[w.Mappings[0]] = true
	}
	said := fmt.Sprintf("written in %d ways: %s; together they explain %d of %s of key and partition",
		len(parts), strings.Join(parts, ", "), det.Pairs-det.Unexplained, count(det.Pairs, "pair"))
	if len(counts) > 1 && len(hashes) == 1 {
		said += ". The topic has grown: keys were written before and after"
	}
	return said
}

// byMapping returns the clients of a result in groups that place every key alike
// at every count.
func (r *result) byMapping() [][]*partition.Client {
	var groups [][]*partition.Client
	for _, c := range r.clients {
		c = c.ForEncoding(r.encoding)
		at := slices.IndexFunc(groups, func(g []*partition.Client) bool { return sameMapping(g[0], c) })
		if at < 0 {
			groups = append(groups, nil)
			at = len(groups) - 1
		}
		groups[at] = append(groups[at], c)
	}
	return groups
}

// names lists clients for a sentence, of many only the first.
func names(clients []*partition.Client) string {
	const shown = 5
	var list []string
	for _, c := range clients {
		list = append(list, c.Name)
	}
	if len(list) > shown+1 {
		list = append(list[:shown], fmt.Sprintf("%d others", len(list)-shown))
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// caveats adds what a reader must know beside the conclusion.
func (s *search) caveats(det *Detection) {
	if s.level > 0 {
		s.warn("more than %d distinct keys: 1 of %d is scored, chosen by a hash of the key", maxKeys, det.Sampled)
	}
	if det.Finding == OneWriter && det.Unexplained > 0 {
		s.warn("%d of %s of key and partition are elsewhere: records with an explicit partition, or another producer", det.Unexplained, count(det.Pairs, "pair"))
	}
	for i := range s.writers {
		w := &s.writers[i]
		if len(s.writers) == 1 && len(s.counts) > 0 && !slices.Contains(s.counts, w.partitions) {
			s.warn("%s fits with %d partitions, which is not a count given (%s): the count is wrong, or these keys were written before the topic grew", w.client0().Name, w.partitions, list(s.counts))
		}
		s.ties(&w.result)
		if len(s.writers) > 1 {
			s.rivals(w)
		}
	}
	if len(s.writers) != 1 {
		return
	}
	w := &s.writers[0]
	if det.Finding == PartlyExplained {
		s.signRule(w)
	}
	s.special(w, "null key", nil, s.null)
	if key, err := w.encoding.AppendKey(nil, ""); err == nil && len(key) == 0 {
		s.special(w, "empty key", key, s.empty)
	}
}

// rivals warns of other clients that would do as well in the place of one of
// several writers.
func (s *search) rivals(w *writer) {
	for _, r := range w.rivals {
		isWriter := slices.ContainsFunc(s.writers, func(o writer) bool {
			return o.encoding == r.encoding && o.partitions == r.partitions && slices.Contains(r.clients, o.client0())
		})
		if !isWriter {
			s.warn("%s may as well be %s", w.client0().Name, s.score(r).Description)
			return
		}
	}
}

// ties says why clients with different mappings are in one group, and what would
// tell them apart.
func (s *search) ties(r *result) {
	groups := r.byMapping()
	one := groups[0][0]
	for _, group := range groups[1:] {
		other := group[0]
		n := r.partitions
		if one.Hash.Name != other.Hash.Name || differAt(one, other, n) {
			s.warn("%s and %s differ, but not for these keys: more keys would tell them apart", one.Name, other.Name)
			continue
		}
		for n++; !differAt(one, other, n); n++ {
		}
		s.warn("%s and %s put every key on the same of %d partitions; with %d they would differ", one.Name, other.Name, r.partitions, n)
	}
}

// sameMapping reports whether two clients place every key alike at every count.
func sameMapping(a, b *partition.Client) bool {
	return a.Hash.Name == b.Hash.Name && (a.Reduction.Name == b.Reduction.Name || !differAt(a, b, 97) && !differAt(a, b, 12))
}

// differAt reports whether two clients with the same hash reduce it differently
// to n partitions, for any of a set of digests with and without the sign bit.
func differAt(a, b *partition.Client, n int) bool {
	for i := range uint32(256) {
		d := partition.Digest{Lo: uint64(1<<31 + i*0x9e3779b1)}
		if a.Reduction.Reduce(d, n) != b.Reduction.Reduce(d, n) {
			return true
		}
	}
	return false
}

// signRule recognises a client that has the right hash and its own way with
// negative ones: then the keys of all other hashes fit.
func (s *search) signRule(w *writer) {
	if w.client.Hash.Bits != 32 {
		return
	}
	var keys, match [2]int // by sign bit
	for i, text := range s.keys {
		if s.seen[i] < 0 || w.predictions[i] < 0 {
			continue
		}
		key, _ := w.encoding.AppendKey(nil, text) // it has a prediction, so it has a form
		d, _ := w.client.Digest(key)
		sign := d.Lo >> 31 & 1
		keys[sign]++
		if w.predictions[i] == s.seen[i] {
			match[sign]++
		}
	}
	if keys[0] >= 20 && match[0]*100 >= keys[0]*99 && match[1]*10 < keys[1]*9 {
		s.warn("all but negative hashes fit (%d of %d; of negative ones %d of %d): the writer uses %s and another sign rule than %s, perhaps an absolute value",
			match[0], keys[0], match[1], keys[1], w.client.Hash.Name, w.client.Reduction.Name)
	}
}

// special separates the clients of a writer by what they do with null or empty
// keys, where the samples show it.
func (s *search) special(w *writer, what string, key []byte, seen []int32) {
	if len(seen) == 0 {
		return
	}
	var fit, not []string
	for _, c := range w.clients {
		p := c.Place(key, w.partitions)
		at, decided := p.Partition()
		if p.Rule() == partition.Refused || decided && (len(seen) > 1 || int(seen[0]) != at) {
			not = append(not, c.Name)
		} else {
			fit = append(fit, c.Name)
		}
	}
	if len(fit) > 0 && len(not) > 0 {
		s.warn("the %s was on %s %s, which fits %s, not %s", what, plural(len(seen), "partition"), list(seen), strings.Join(fit, ", "), strings.Join(not, ", "))
	}
}

func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

func list[T any](values []T) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(values), " ", ", "), "[]")
}

// rounded writes an expected number of keys: whole from 10 on.
func rounded(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

func percent(share float64) string {
	if share >= 0.1 {
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}
