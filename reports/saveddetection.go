package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/partition/detect"
)

// SavedDetection says which clients wrote observed keys.
type SavedDetection detect.Detection

// Write renders the detection, see [Detection].
func (s SavedDetection) Write(w io.Writer, f Format) error {
	if f == JSON {
		return errOriginal
	}
	return Detection(w, f, detect.Detection(s))
}

// loadDetection reads a detection, the inverse of [detectionJSON].
func loadDetection(text []byte) (Result, error) {
	saved := detection{Sampled: 1}
	if err := json.Unmarshal(text, &saved); err != nil {
		return nil, err
	}
	d := detect.Detection{
		Conclusion: saved.Conclusion, Warnings: saved.Warnings,
		Samples: saved.Samples, NullSamples: saved.NullKeys, EmptySamples: saved.EmptyKeys, Keys: saved.Keys, Sampled: saved.Sampled,
		Pairs: saved.Pairs, Unexplained: saved.Unexplained, Partitions: saved.Partitions, SeveralKeys: saved.SeveralKeys,
	}
	if err := notNegative(
		amount{"samples", int64(d.Samples)}, amount{"nullSamples", int64(d.NullSamples)}, amount{"emptySamples", int64(d.EmptySamples)},
		amount{"keys", int64(d.Keys)}, amount{"sampled", int64(d.Sampled)}, amount{"pairs", int64(d.Pairs)},
		amount{"unexplainedPairs", int64(d.Unexplained)}, amount{"keysOnSeveralPartitions", int64(d.SeveralKeys)},
	); err != nil {
		return nil, err
	}
	var err error
	if d.Finding, err = parseFinding(saved.Finding); err != nil {
		return nil, err
	}
	for i, s := range saved.Scores {
		score, err := s.score()
		if err != nil {
			return nil, fmt.Errorf("scores[%d].%w", i, err)
		}
		d.Scores = append(d.Scores, score)
	}
	for i, s := range saved.Writers {
		score, err := s.score.score()
		if err != nil {
			return nil, fmt.Errorf("writers[%d].%w", i, err)
		}
		d.Writers = append(d.Writers, detect.Writer{Score: score, Weight: s.Weight})
	}
	for i, s := range saved.Several {
		key, err := s.Bytes()
		if err != nil || s.Key == nil {
			return nil, fmt.Errorf("severalPartitions[%d].key is not the text of a key", i)
		}
		d.Several = append(d.Several, detect.SplitKey{Key: string(key), Partitions: s.Partitions})
	}
	return SavedDetection(d), nil
}

// parseFinding is the inverse of [detect.Finding.String].
func parseFinding(name string) (detect.Finding, error) {
	for f := range detect.PartlyExplained + 1 {
		if f.String() == name {
			return f, nil
		}
	}
	return 0, unknown("finding", name)
}

// score is the inverse of [scoreJSON].
func (s score) score() (detect.Score, error) {
	encoding, err := partition.ParseKeyEncoding(s.KeyEncoding)
	if err != nil {
		return detect.Score{}, unknown("keyEncoding", s.KeyEncoding)
	}
	if s.Partitions < 1 || s.Partitions > math.MaxInt32 {
		return detect.Score{}, fmt.Errorf("partitions is %d: want 1 to %d", s.Partitions, math.MaxInt32)
	}
	if err := notNegative(amount{"match", int64(s.Match)}, amount{"keys", int64(s.Keys)}, amount{"undecided", int64(s.Undecided)}); err != nil {
		return detect.Score{}, err
	}
	return detect.Score{
		Clients: s.Clients, Mappings: s.Mappings, Encoding: encoding, Partitions: s.Partitions, Description: s.Description,
		Match: s.Match, Keys: s.Keys, Undecided: s.Undecided, Share: s.Share, Chance: s.Chance, Log10P: s.Log10P, Significant: s.Significant,
	}, figures(figure{"share", &s.Share}, figure{"chance", &s.Chance})
}

func (s SavedDetection) heading() string { return "Which clients wrote these keys" }

func (s SavedDetection) facts() []string {
	return []string{plural(int64(s.Samples), "record") + " observed", plural(int64(s.Keys), "distinct key")}
}

func (s SavedDetection) summary() []string { return []string{s.Conclusion} }
