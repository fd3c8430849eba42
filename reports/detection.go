package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/partition/detect"
)

// DetectionSchema names the JSON form of a detection.
const DetectionSchema = "keyspread/detect/v1"

// shownScores is how many hypotheses a page for people lists.
const shownScores = 8

// detection is a detect.Detection in JSON.
type detection struct {
	Schema      string     `json:"schema"`
	Finding     string     `json:"finding"`
	Conclusion  string     `json:"conclusion"`
	Partitions  int        `json:"partitions"`
	Samples     int        `json:"samples"`
	NullKeys    int        `json:"nullSamples"`
	EmptyKeys   int        `json:"emptySamples"`
	Keys        int        `json:"keys"`
	Sampled     int        `json:"sampled"` // 1 of so many distinct keys was scored
	Pairs       int        `json:"pairs"`
	Unexplained int        `json:"unexplainedPairs"`
	Writers     []writer   `json:"writers"`
	Scores      []score    `json:"scores"`
	SeveralKeys int        `json:"keysOnSeveralPartitions"`
	Several     []splitKey `json:"severalPartitions"`
	Warnings    []string   `json:"warnings"`
}

type score struct {
	Clients     []string `json:"clients"`
	Mappings    []string `json:"mappings"`
	KeyEncoding string   `json:"keyEncoding"`
	Partitions  int      `json:"partitions"`
	Match       int      `json:"match"`
	Keys        int      `json:"keys"`
	Undecided   int      `json:"undecided"`
	Share       float64  `json:"share"`
	Chance      float64  `json:"chance"`
	Log10P      float64  `json:"log10P"`
	Significant bool     `json:"significant"`
	Description string   `json:"description"` // clients, count and encoding in words
}

type writer struct {
	score
	Weight float64 `json:"weight"`
}

type splitKey struct {
	partition.KeyText
	Partitions []int `json:"partitions"`
}

// Detection writes which clients wrote a set of samples: the conclusion, how the
// hypotheses compare, and keys seen on several partitions.
func Detection(w io.Writer, f Format, d detect.Detection) error {
	if f == JSON {
		return WriteJSON(w, detectionJSON(d))
	}
	t := scoreTable(d, f)
	if f == CSV {
		return t.Write(w, f)
	}
	t.Notes = append(t.Notes, d.Warnings...)
	if d.Sampled > 1 {
		t.Notes = append(t.Notes, fmt.Sprintf("there are more than a million distinct keys: 1 of %d was scored, chosen by a hash", d.Sampled))
	}
	if d.SeveralKeys > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s on several partitions, such as %s", plural(int64(d.SeveralKeys), "key"), severalText(d)))
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", f.escape(d.Conclusion)); err != nil {
		return err
	}
	return t.Write(w, f)
}

// scoreTable has one row a hypothesis.
func scoreTable(d detect.Detection, f Format) *Table {
	t := &Table{Columns: []Column{
		{Name: "clients"}, {Name: "mapping"}, {Name: "key encoding", Key: "keyEncoding"}, {Name: "partitions", Right: true},
		{Name: "match", Right: true}, {Name: "keys", Right: true}, {Name: "share", Right: true}, {Name: "chance", Right: true},
	}}
	scores := d.Scores
	if f != CSV {
		scores = scores[:min(len(scores), shownScores)]
	}
	for _, s := range scores {
		t.Rows = append(t.Rows, []string{
			clientNames(s.Clients, f), strings.Join(s.Mappings, " or "), s.Encoding.String(), strconv.Itoa(s.Partitions),
			f.Count(int64(s.Match)), f.Count(int64(s.Keys)), f.Percent(s.Share), f.Percent(s.Chance),
		})
	}
	return t
}

// clientNames lists clients that cannot be told apart, the first few on a page for
// people.
func clientNames(names []string, f Format) string {
	const shown = 3
	switch {
	case f == CSV:
		return strings.Join(names, " ")
	case len(names) <= shown:
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

func severalText(d detect.Detection) string {
	var list []string
	for _, s := range d.Several[:min(len(d.Several), 3)] {
		where := "many"
		if len(s.Partitions) > 0 {
			where = strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Partitions), "[]"), " ", ", ")
		}
		list = append(list, fmt.Sprintf("%q on %s", s.Key, where))
	}
	return strings.Join(list, "; ")
}

// escape escapes a sentence that may hold names for the format.
func (f Format) escape(s string) string {
	if f == Markdown {
		return EscapeMarkdown(s)
	}
	return EscapeText(s)
}

func detectionJSON(d detect.Detection) detection {
	out := detection{
		Schema: DetectionSchema, Finding: d.Finding.String(), Conclusion: d.Conclusion, Partitions: d.Partitions,
		Samples: d.Samples, NullKeys: d.NullSamples, EmptyKeys: d.EmptySamples, Keys: d.Keys, Sampled: d.Sampled, Pairs: d.Pairs,
		Unexplained: d.Unexplained, SeveralKeys: d.SeveralKeys, Warnings: list(d.Warnings),
		Writers: []writer{}, Scores: []score{}, Several: []splitKey{},
	}
	for _, s := range d.Scores {
		out.Scores = append(out.Scores, scoreJSON(s))
	}
	for _, w := range d.Writers {
		out.Writers = append(out.Writers, writer{scoreJSON(w.Score), w.Weight})
	}
	for _, s := range d.Several {
		out.Several = append(out.Several, splitKey{partition.TextOf(s.Key), s.Partitions})
	}
	return out
}

func scoreJSON(s detect.Score) score {
	return score{
		Clients: s.Clients, Mappings: s.Mappings, KeyEncoding: s.Encoding.String(), Partitions: s.Partitions,
		Match: s.Match, Keys: s.Keys, Undecided: s.Undecided, Share: s.Share, Chance: s.Chance,
		Log10P: s.Log10P, Significant: s.Significant, Description: s.Description,
	}
}
