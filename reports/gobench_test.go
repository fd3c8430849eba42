package reports_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/reports"
)

// parseBench reads the Go benchmark format as benchstat does: the name and the
// figures of each line.
func parseBench(t *testing.T, text string) (names []string, figures []map[string]float64, units *benchfmt.UnitMetadataMap) {
	t.Helper()
	reader := benchfmt.NewReader(strings.NewReader(text), "bench")
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			names = append(names, string(record.Name))
			values := map[string]float64{}
			for _, v := range record.Values {
				values[v.Unit] = v.Value
			}
			figures = append(figures, values)
			if len(record.Config) > 0 {
				t.Errorf("%s has configuration, which would part what is to be compared: %v", record.Name, record.Config)
			}
			if record.Iters != 1 {
				t.Errorf("%s has %d iterations", record.Name, record.Iters)
			}
		case *benchfmt.SyntaxError:
			t.Errorf("%v in:\n%s", record, text)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	all := reader.Units()
	return names, figures, &all
}

// TestBenchFormat: benchstat's own parser finds the names, the parts of the names,
// and the figures.
func TestBenchFormat(t *testing.T) {
	for seed := range uint64(10) {
		results := realResults(t, rand.New(rand.NewPCG(seed, 4)))
		for _, kind := range []string{"spread", "observed", "swept", "churn", "changes", "sweep"} {
			text := written(t, results[kind], reports.Bench)
			names, figures, units := parseBench(t, text)
			if lines := strings.Count(text, "\nBenchmark"); len(names) != lines {
				t.Errorf("seed %d: %s: %d lines, %d parsed:\n%s", seed, kind, lines, len(names), text)
			}
			for i, name := range names {
				for unit := range figures[i] {
					if units.Get(unit, "assume") == nil || units.Get(unit, "assume").Value != "exact" {
						t.Errorf("%s: unit %s is not said to be exact", name, unit)
					}
				}
				parts := strings.Split(name, "/")
				if last := parts[len(parts)-1]; strings.Contains(last, "-") {
					t.Errorf("%s: the end of the name would be taken for GOMAXPROCS", name)
				}
				for _, part := range parts[1:] {
					if strings.Count(part, "=") != 1 {
						t.Errorf("%s: %s is not key=value", name, part)
					}
				}
			}
		}
	}
}

// TestBenchFigures: the line of a known result.
func TestBenchFigures(t *testing.T) {
	text := written(t, results(bench.ObservedSpread([]int64{10, 30, 20, 0})), reports.Bench)
	names, figures, units := parseBench(t, text)
	if !slices.Equal(names, []string{"Spread/client=observed/partitions=4"}) {
		t.Errorf("names are %q", names)
	}
	for unit, want := range map[string]float64{"imbalance": 2, "idle": 1} {
		if got := figures[0][unit]; got != want {
			t.Errorf("%s is %g, want %g", unit, got, want)
		}
	}
	if _, known := figures[0]["cv-by-chance"]; known {
		t.Error("a figure that does not exist is there")
	}
	if units.GetBetter("imbalance") != -1 || units.GetBetter("entropy") != 1 {
		t.Error("benchstat is not told what is better")
	}
	// Parts of the name can be projected, as benchstat -col /partitions does.
	projection, err := new(benchproc.ProjectionParser).Parse("/partitions", nil)
	if err != nil {
		t.Fatal(err)
	}
	result := &benchfmt.Result{Name: benchfmt.Name(names[0])}
	if got := projection.Project(result).String(); !strings.Contains(got, "4") {
		t.Errorf("/partitions is %q", got)
	}
	// Nothing to say of loads that are all zero.
	if text := written(t, results(bench.ObservedSpread([]int64{0, 0})), reports.Bench); strings.Contains(text, "Benchmark") {
		t.Errorf("a line without figures:\n%s", text)
	}
}

// TestBenchHostileNames: names from saved files cannot break the format.
func TestBenchHostileNames(t *testing.T) {
	r := bench.ObservedSpread([]int64{1, 2})
	r.Client, r.KeyEncoding, r.Unit, r.Input = "a b/c=d\nBenchmarkX 1 2 y", "x\u202e y", "part ition", "goos: linux\nBenchmarkY 1 1 z"
	names, _, _ := parseBench(t, written(t, results(r), reports.Bench))
	if len(names) != 1 || strings.Count(names[0], "/") != 3 {
		t.Errorf("names are %q", names)
	}
}

func results(list ...*bench.Spread) writer {
	return reports.SavedSpreads(list).Write
}
