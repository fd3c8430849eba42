package scenarios_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench/scenarios"
	"github.com/klauspost/compress/zstd"
)

// TestInputs reads each embedded input and counts it independently of the
// readers.
func TestInputs(t *testing.T) {
	rows := map[string]int{"flights": 25000, "npm": 5000}
	first := map[string]string{"flights": "time,key,tenant,bytes", "npm": "key,count,tenant"}
	for _, in := range scenarios.Inputs() {
		if in.About == "" || in.Origin == "" {
			t.Errorf("%s does not say what it is and where it comes from", in.Name)
		}
		content, file, err := scenarios.Open(scenarios.Prefix + in.Name)
		if err != nil {
			t.Fatal(err)
		}
		if file != in.File || !strings.HasSuffix(file, ".csv.zst") {
			t.Errorf("%s: file %q", in.Name, file)
		}
		z, err := zstd.NewReader(content)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(z); err != nil {
			t.Fatalf("%s: %v", in.Name, err)
		}
		lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
		if lines[0] != first[in.Name] || len(lines)-1 != rows[in.Name] {
			t.Errorf("%s: header %q and %d rows, want %q and %d", in.Name, lines[0], len(lines)-1, first[in.Name], rows[in.Name])
		}
		z.Close()
	}
}

func TestUnknownInput(t *testing.T) {
	if _, _, err := scenarios.Open("example:nothing"); err == nil || !strings.Contains(err.Error(), "example:flights and example:npm") {
		t.Errorf("got error %v", err)
	}
}
