package reports_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/partition/detect"
	"github.com/keyspread/keyspread/reports"
	"github.com/keyspread/keyspread/reports/figures"
)

// A writer writes one result in a format.
type writer func(w io.Writer, f reports.Format) error

// written is what a writer writes.
func written(t *testing.T, write writer, f reports.Format) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b, f); err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	return b.String()
}

// realResults returns results of every kind from random keys, some of them
// hostile, as the commands would write them.
func realResults(t *testing.T, r *rand.Rand) map[string]writer {
	t.Helper()
	pick := func() *partition.Client { all := partition.Clients(); return all[r.IntN(len(all))] }
	keys := randomKeys(t, r)
	results := map[string]writer{}

	var spreads []*bench.Spread
	counts := []int{1 + r.IntN(6), 7 + r.IntN(60)}
	for range 1 + r.IntN(3) {
		some, err := bench.NewSpreader(keys, pick(), partition.Raw).Spreads(context.Background(), counts[:1+r.IntN(2)], 1)
		if err != nil {
			t.Fatal(err)
		}
		spreads = append(spreads, some...)
	}
	for _, s := range spreads {
		s.Input = "keys | of <b>.csv"
	}
	results["spread"] = func(w io.Writer, f reports.Format) error { return reports.Spreads(w, f, spreads) }
	swept, err := bench.NewSpreader(keys, pick(), partition.Raw).Sweep(context.Background(), []int{1, 2, 3, 40, 7, 300})
	if err != nil {
		t.Fatal(err)
	}
	results["swept"] = func(w io.Writer, f reports.Format) error { return reports.Spreads(w, f, swept) }
	observed := []*bench.Spread{bench.ObservedSpread([]int64{r.Int64N(100), r.Int64N(100), 3})}
	results["observed"] = func(w io.Writer, f reports.Format) error { return reports.Spreads(w, f, observed) }

	from := partition.Side{Mapping: partition.Mapping{Client: pick()}, Partitions: 1 + r.IntN(20)}
	to := partition.Mapping{Client: from.Client}
	if r.IntN(2) == 0 {
		to = partition.Mapping{Client: pick(), Encoding: partition.Base64}
	}
	churner, err := bench.NewChurner(textKeys(t, r), from, to)
	if err != nil {
		t.Fatal(err)
	}
	if r.IntN(2) == 0 {
		churner.Parameters = bench.EffectParameters{Lag: 1000, DrainRate: 33.3, StateBytes: 1e9, CoPartitioned: []int{12, from.Partitions}}
	}
	changes := []*bench.Churn{churner.Churn(1 + r.IntN(20)), churner.Churn(1 + r.IntN(40))}
	sweep, err := churner.Sweep(from.Partitions+1+r.IntN(30), func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	results["churn"] = func(w io.Writer, f reports.Format) error { return reports.Churns(w, f, changes[:1], sweep) }
	results["changes"] = func(w io.Writer, f reports.Format) error { return reports.Churns(w, f, changes, nil) }
	results["sweep"] = func(w io.Writer, f reports.Format) error { return reports.Churns(w, f, nil, sweep) }

	detector := detect.New(nil, nil, nil)
	client := pick()
	for i := range keys.Len() {
		key := keys.Key(i)
		p, ok := client.Place(key, 9).Partition()
		if !ok || i%7 == 0 {
			p = i % 9
		}
		for n := range 1 + i%2 {
			if err := detector.Add(string(key), key == nil, (p+n)%9); err != nil {
				t.Fatal(err)
			}
		}
	}
	found := detector.Verdict()
	results["detect"] = func(w io.Writer, f reports.Format) error { return reports.Detection(w, f, found) }

	results["clients"] = func(w io.Writer, f reports.Format) error { return reports.Clients(w, f, partition.Clients()) }

	layout := reports.MappingLayout{
		Clients: []*partition.Client{pick()}, Counts: counts[:1+r.IntN(2)], OnlyDifferent: r.IntN(2) == 0,
	}
	if second := pick(); second.Name != layout.Clients[0].Name {
		layout.Clients = append(layout.Clients, second)
	}
	layout.OnlyDifferent = layout.OnlyDifferent && len(layout.Clients) > 1
	results["map"] = func(w io.Writer, f reports.Format) error {
		layout := layout
		layout.Format = f
		m, err := reports.NewMapping(w, layout)
		if err != nil {
			return err
		}
		for i := range keys.Len() {
			text := string(keys.Key(i))
			if keys.Key(i) == nil {
				text = "NULL"
			}
			if err := m.Write(text, keys.Key(i)); err != nil {
				return err
			}
		}
		return m.Close()
	}
	return results
}

var hostileKeys = [][]byte{nil, {}, []byte("a|b<i>"), []byte("\xff\xfe\x00"), []byte("=1+1"), []byte("@team $x$"), []byte("\x1b[31m"), []byte("(null)"), []byte("\ufffd(")}

// randomKeys returns a table of keys with weights.
func randomKeys(t *testing.T, r *rand.Rand) *partition.KeyTable {
	t.Helper()
	var keys partition.KeyTable
	add := func(key []byte) {
		if _, err := keys.Add(key, r.Int64N(1<<r.IntN(20)), r.Int64N(2)*r.Int64N(5000), 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range hostileKeys {
		if r.IntN(2) == 0 {
			add(key)
		}
	}
	for i := range 1 + r.IntN(200) {
		add(fmt.Appendf(nil, "user-%d", i))
	}
	return &keys
}

// textKeys returns a table of keys that have a base64 form.
func textKeys(t *testing.T, r *rand.Rand) *partition.KeyTable {
	t.Helper()
	var keys partition.KeyTable
	keys.SetTenants([]string{"", "acme"})
	for i := range 1 + r.IntN(200) {
		if _, err := keys.Add(fmt.Appendf(nil, "user%04d", i), r.Int64N(100), r.Int64N(100), i%2); err != nil {
			t.Fatal(err)
		}
	}
	return &keys
}

// TestLoadRendersAlike is the round trip: what was saved as JSON is rendered to
// the bytes that its command writes.
func TestLoadRendersAlike(t *testing.T) {
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 1))
		for kind, write := range realResults(t, r) {
			saved := written(t, write, reports.JSON)
			loaded, err := reports.Load(strings.NewReader(saved), "saved.json")
			if err != nil {
				t.Fatalf("seed %d: %s: %v\n%s", seed, kind, err, saved)
			}
			if len(loaded) != 1 {
				t.Fatalf("seed %d: %s: %d results", seed, kind, len(loaded))
			}
			formats := []reports.Format{reports.Text, reports.Markdown, reports.CSV}
			switch loaded[0].Result.(type) {
			case reports.SavedSpreads, reports.SavedChurns:
				formats = append(formats, reports.Bench)
			default:
				if err := loaded[0].Write(io.Discard, reports.Bench); err == nil {
					t.Errorf("%s has a benchmark format", kind)
				}
			}
			for _, f := range formats {
				want, got := written(t, write, f), written(t, loaded[0].Write, f)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("seed %d: %s as %s (-command +report):\n%s", seed, kind, f, diff)
				}
			}
			again := written(t, (&reports.Report{Sections: []reports.Section{{Saved: loaded[0]}}}).Write, reports.JSON)
			var report struct{ Results []json.RawMessage }
			if err := json.Unmarshal([]byte(again), &report); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(compact(t, saved), compact(t, string(report.Results[0]))); diff != "" {
				t.Errorf("seed %d: %s is not passed through:\n%s", seed, kind, diff)
			}
		}
	}
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber() // numbers as they are spelled
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestLoadSeveral asserts that joined files and reports hold several results.
func TestLoadSeveral(t *testing.T) {
	results := realResults(t, rand.New(rand.NewPCG(1, 1)))
	joined := "\ufeff" + written(t, results["spread"], reports.JSON) + written(t, results["churn"], reports.JSON)
	loaded, err := reports.Load(strings.NewReader(joined), "joined.json")
	if err != nil || len(loaded) != 2 {
		t.Fatalf("%d results, %v", len(loaded), err)
	}
	document := reports.Report{Title: "both", Sections: []reports.Section{{Saved: loaded[0]}, {Saved: loaded[1]}}}
	again, err := reports.Load(strings.NewReader(written(t, document.Write, reports.JSON)), "report.json")
	if err != nil || len(again) != 2 {
		t.Fatalf("%d results, %v", len(again), err)
	}
	for i := range again {
		if got, want := again[i].Schema, loaded[i].Schema; got != want {
			t.Errorf("result %d is %s, want %s", i, got, want)
		}
	}
	if err := document.Write(io.Discard, reports.CSV); err == nil || !strings.Contains(err.Error(), "not of 2") {
		t.Errorf("two results as CSV: %v", err)
	}
}

// TestLoadErrors asserts that each error names the file, the place, what was found
// and what to do.
func TestLoadErrors(t *testing.T) {
	spread := written(t, realResults(t, rand.New(rand.NewPCG(2, 1)))["observed"], reports.JSON)
	for name, row := range map[string]struct{ text, want string }{
		"empty":         {"", "x.json: empty: report renders what spread, churn"},
		"space":         {" \n\n", "x.json: empty"},
		"csv":           {"key,count\na,1\n", "x.json:1:1: not JSON (invalid character 'k' looking for beginning of value): report renders"},
		"later":         {"{\"a\": 1,\n \"b\": x}", "x.json:2:7: not JSON (invalid character 'x'"},
		"truncated":     {spread[:len(spread)/2], "the JSON ends in the middle: the file was cut off; save the result again"},
		"list":          {"\n[1]", "x.json:2:1: a list where a result begins with {"},
		"number":        {"7", "x.json:1:1: a number where a result begins"},
		"no schema":     {`{"results": []}`, `no "schema" that says what this is`},
		"number schema": {`{"schema": 1}`, `no "schema" that says what this is`},
		"foreign":       {`{"schema": "https://json-schema.org/draft"}`, `schema "https://json-schema.org/draft" is not one of keyspread`},
		"unknown":       {`{"schema": "keyspread/horoscope/v1"}`, `schema "keyspread/horoscope/v1" cannot be rendered`},
		"profile":       {`{"schema": "keyspread/profile/v1"}`, `schema "keyspread/profile/v1" is a key source, not a result: give it to spread`},
		"check":         {`{"schema": "keyspread/check/v1"}`, `schema "keyspread/check/v1" holds verdicts on contracts: run check again`},
		"newer":         {`{"schema": "keyspread/spread/v2"}`, `schema "keyspread/spread/v2" is newer than this keyspread, which reads up to v1: update it`},
		"newer unknown": {`{"schema": "keyspread/horoscope/v12"}`, `is newer than this keyspread`},
		"no version":    {`{"schema": "keyspread/spread/vx"}`, `has no version such as v1`},
		"version 0":     {`{"schema": "keyspread/spread/v0"}`, `has no version such as v1`},
		"no results":    {`{"schema": "keyspread/spread/v1"}`, "results is empty: the file was changed; save the result again"},
		"null result":   {`{"schema": "keyspread/spread/v1", "results": [null]}`, "results[0] is null"},
		"wrong type":    {"{\"schema\": \"keyspread/spread/v1\",\n \"results\": [{\"partitions\": \"12\"}]}", "x.json:2:"},
		"wrong words":   {`{"schema": "keyspread/spread/v1", "results": [{"partitions": "12"}]}`, "results.partitions is a text: want a whole number in range"},
		"NaN":           {`{"schema": "keyspread/spread/v1", "results": [{"cv": "NaN"}]}`, "results.cv is a text: want a number"},
		"too large":     {`{"schema": "keyspread/spread/v1", "results": [{"cv": 1e999}]}`, "results.cv is a number 1e999: want a number"},
		"no changes":    {`{"schema": "keyspread/churn/v1", "changes": []}`, "there are neither changes nor a sweep"},
		"not UTF-8":     {"{\"a\": \"\xff\"}", "x.json:1:8: not UTF-8"},
		"UTF-16":        {"\xff\xfe{\x00", "x.json: UTF-16 text, as the > of Windows PowerShell writes it"},
		"in a report":   {`{"schema": "keyspread/report/v1", "results": [{"schema": "keyspread/spread/v1"}]}`, "results is empty"},
		"report twice":  {`{"schema": "keyspread/report/v1", "results": [{"schema": "keyspread/report/v1"}]}`, `cannot be rendered`},
		"odd report":    {`{"schema": "keyspread/report/v1", "results": [3]}`, "x.json:1:47: a number where a result begins"},
		"no placements": {`{"schema": "keyspread/map/v1", "keyEncoding": "raw"}`, "clients or partitions is empty"},
		"finding":       {`{"schema": "keyspread/detect/v1", "finding": "butler"}`, `finding is "butler", which this keyspread does not know`},
	} {
		_, err := reports.Load(strings.NewReader(row.text), "x.json")
		if err == nil || !strings.HasPrefix(err.Error(), "x.json") || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %s", name, err, row.want)
		}
	}
}

// hostileValues replace values of saved results.
var hostileValues = []string{
	`-1`, `0`, `1`, `1e308`, `-1e308`, `2147483648`, `9223372036854775807`, `-9223372036854775808`, `0.5`, `"NaN"`, `""`, `"../../x"`,
	`"zz"`, `"key\u0000\u202e"`, `null`, `[]`, `{}`, `true`, `[null]`, `[[]]`, `[-1]`,
}

// TestLoadHostile changes saved results one value after another. Whatever loads
// must be rendered in every format and drawn, without a panic.
func TestLoadHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	loadedAny, refused := 0, 0
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 2))
		for kind, write := range realResults(t, r) {
			if kind == "clients" {
				continue
			}
			saved := []byte(written(t, write, reports.JSON))
			for range 60 {
				changed := mutate(r, saved)
				results, err := reports.Load(bytes.NewReader(changed), "x.json")
				if err != nil {
					refused++
					continue
				}
				loadedAny++
				renderAll(t, results)
			}
		}
	}
	if loadedAny < 100 || refused < 100 {
		t.Errorf("%d loaded, %d refused: the changes test nothing", loadedAny, refused)
	}
}

// mutate replaces a value at a random place.
func mutate(r *rand.Rand, text []byte) []byte {
	var starts [][2]int
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		before := decoder.InputOffset()
		token, err := decoder.Token()
		if err != nil {
			break
		}
		after := decoder.InputOffset()
		if _, delimiter := token.(json.Delim); !delimiter {
			start := int(before) + bytes.IndexFunc(text[before:after], func(c rune) bool { return !strings.ContainsRune(" \n,:", c) })
			starts = append(starts, [2]int{start, int(after)})
		}
	}
	at := starts[r.IntN(len(starts))]
	value := hostileValues[r.IntN(len(hostileValues))]
	out := append(bytes.Clone(text[:at[0]]), value...)
	return append(out, text[at[1]:]...)
}

// renderAll renders results in every format, alone and together, and draws them.
func renderAll(t *testing.T, results []*reports.Saved) {
	t.Helper()
	document := reports.Report{Title: "all"}
	for _, s := range results {
		document.Sections = append(document.Sections, reports.Section{Saved: s})
		for _, f := range reports.Formats() {
			if err := s.Write(io.Discard, f); err != nil && f != reports.JSON && f != reports.Bench {
				t.Errorf("%s as %s: %v", s.Schema, f, err)
			}
		}
		switch r := s.Result.(type) {
		case reports.SavedSpreads:
			if curves, ok := figures.Sweep(r); ok {
				if err := curves.Write(io.Discard, "svg"); err != nil {
					t.Errorf("figure: %v", err)
				}
			}
			for _, one := range r {
				if one.Compact() {
					continue
				}
				if err := figures.Spread(one).Write(io.Discard, "svg"); err != nil {
					t.Errorf("figure: %v", err)
				}
			}
		case reports.SavedChurns:
			for _, one := range r.Changes {
				if err := figures.Churn(one).Write(io.Discard, "svg"); err != nil {
					t.Errorf("figure: %v", err)
				}
			}
		}
	}
	for _, f := range []reports.Format{reports.Text, reports.Markdown, reports.JSON} {
		if err := document.Write(io.Discard, f); err != nil {
			t.Errorf("report as %s: %v", f, err)
		}
	}
}

// FuzzLoad feeds arbitrary files: whatever loads can be rendered.
func FuzzLoad(f *testing.F) {
	observed, err := os.ReadFile("testdata/observed.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(observed)
	f.Add([]byte(`{"schema": "keyspread/churn/v1", "changes": [], "sweep": {"from": {"client": "java", "partitions": 3}, "counts": [{"partitions": 4}]}}`))
	f.Add([]byte(`{"schema": "keyspread/map/v1", "keyEncoding": "raw", "clients": ["java"], "partitions": [3], "mappings": [{"key": "a", "client": "java", "partitions": 3, "partition": 1}]}`))
	f.Add([]byte(`{"schema": "keyspread/report/v1", "results": []}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if results, err := reports.Load(bytes.NewReader(text), "x.json"); err == nil {
			renderAll(t, results)
		}
	})
}
