package workload_test

import (
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench/workload"
)

// TestForeignFormats asserts that files of other kinds are refused with a fix,
// and that keys which begin alike are still keys.
func TestForeignFormats(t *testing.T) {
	for text, want := range map[string]string{
		"\xFD7zXZ\x00\x00\x04\xE6\xD6": "xz data",
		"BZh91AY&SY\x00\x01":           "bzip2 data",
		"\x04\x22\x4D\x18\x64\x40":     "lz4 data",
		"PK\x03\x04\x14\x00":           "a zip file",
		"Obj\x01\x04\x14":              "an Avro file",
		"SQLite format 3\x00\x10":      "an SQLite database",
	} {
		if _, err := workload.Open("-", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{"BZh9\n", "PK\n", "Obj\n", "SQLite format 3\n", "7z\n"} {
		if _, err := workload.Open("-", strings.NewReader(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
