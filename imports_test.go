// Package keyspread_test holds the rules between packages, so that the drawing in
// the README stays true.
package keyspread_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/keyspread/keyspread"

// A goPackage is what go list tells of a package.
type goPackage struct {
	ImportPath string
	Imports    []string
}

// TestImports holds the arrows of the design: they go down only.
func TestImports(t *testing.T) {
	packages := list(t)
	if len(packages) < 5 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	for _, p := range packages {
		for _, imported := range p.Imports {
			if why := forbidden(strings.TrimPrefix(p.ImportPath, module+"/"), imported); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, why)
			}
		}
	}
}

// TestImportRules checks that the rules can say no.
func TestImportRules(t *testing.T) {
	for _, row := range []struct {
		importer, imported string
		allowed            bool
	}{
		{"partition", module + "/bench", false},
		{"partition", "github.com/twmb/franz-go/pkg/kgo", false},
		{"partition/deploy", "github.com/twmb/franz-go/pkg/kgo", true},
		{"salting", module + "/bench/sim", false},
		{"bench", module + "/reports", false},
		{"bench/sim", module + "/reports/figures", false},
		{"bench", module + "/bench/workload", true},
		{"bench", module + "/bench/plan", false},
		{"bench/plan", module + "/bench", true},
		{"reports", module + "/cmd/keyspread", false},
		{"reports", "gonum.org/v1/plot", false},
		{"reports/figures", "gonum.org/v1/plot/vg", true},
		{"reports", "github.com/urfave/cli/v2", false},
		{"cmd/keyspread", "github.com/urfave/cli/v2", true},
		{"reports", module + "/bench", true},
	} {
		if why := forbidden(row.importer, row.imported); (why == "") != row.allowed {
			t.Errorf("%s imports %s: allowed %v (%s), want %v", row.importer, row.imported, why == "", why, row.allowed)
		}
	}
}

// forbidden says why a package of the module, named by its folder, must not have
// an import, or nothing if it may.
func forbidden(importer, imported string) string {
	below := func(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }
	own, isOwn := strings.CutPrefix(imported, module+"/")
	switch {
	case isOwn && below(own, "cmd"):
		return "nobody imports the command"
	case isOwn && below(own, "bench") && (below(importer, "partition") || below(importer, "salting") || below(importer, "tenancy")):
		return "the ground floor does not know the pipeline"
	case isOwn && below(own, "reports") && below(importer, "bench"):
		return "results do not know their reports"
	case isOwn && importer == "bench" && below(own, "bench") &&
		!slices.Contains([]string{"bench/workload", "bench/sim", "bench/metrics"}, own):
		return "bench imports only workload, sim and metrics of its children"
	case below(imported, "github.com/urfave/cli/v2") && !below(importer, "cmd"):
		return "command-line parsing belongs to the command"
	case below(imported, "gonum.org/v1/plot") && importer != "reports/figures":
		return "plotting belongs to reports/figures"
	case below(imported, "github.com/twmb/franz-go") &&
		!slices.Contains([]string{"bench/scan", "partition/assignor", "partition/deploy"}, importer):
		return "a Kafka client belongs to bench/scan, partition/assignor and partition/deploy"
	}
	return ""
}

func list(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
