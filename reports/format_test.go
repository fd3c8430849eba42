package reports_test

import (
	"strings"
	"testing"

	"github.com/keyspread/keyspread/reports"
)

func TestParseFormat(t *testing.T) {
	for _, f := range reports.Formats() {
		if got, err := reports.ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("ParseFormat(%q) = %q, %v", f, got, err)
		}
	}
	if got, err := reports.ParseFormat("md"); got != reports.Markdown || err != nil {
		t.Errorf("ParseFormat(md) = %q, %v", got, err)
	}
	for name, meant := range map[string]string{
		"mark": "markdown", "txt": "text", "jsn": "json", "CSV": "csv", "html": "", "": "",
	} {
		_, err := reports.ParseFormat(name)
		if err == nil {
			t.Fatalf("ParseFormat(%q) succeeded", name)
		}
		if !strings.Contains(err.Error(), "text, markdown, csv, json") {
			t.Errorf("error for %q does not list the formats: %v", name, err)
		}
		if hint := strings.Contains(err.Error(), "did you mean "+meant+"?"); hint != (meant != "") {
			t.Errorf("error for %q should suggest %q: %v", name, meant, err)
		}
	}
}
