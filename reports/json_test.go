package reports_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/keyspread/keyspread/reports"
)

func TestWriteJSON(t *testing.T) {
	var b bytes.Buffer
	err := reports.WriteJSON(&b, struct {
		Schema string         `json:"schema"`
		Keys   []string       `json:"keys"`
		Load   map[string]int `json:"load"`
	}{
		"keyspread/example/v1",
		[]string{"<a&b>", "日本", "\u202e", "\u009b", "\x7f\x1b", "\U000e0041", `\ufffd`, "\ufffd", "\u2028"},
		map[string]int{"b": 2, "a": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "result.json", b.String())
}

func TestWriteJSONRefuses(t *testing.T) {
	var b bytes.Buffer
	for _, v := range []any{"\xff", []string{"ok", "a\xc3("}, map[string]int{"\xff": 1}, `\` + "\xff"} {
		if err := reports.WriteJSON(&b, v); !errors.Is(err, reports.ErrInvalidUTF8) {
			t.Errorf("WriteJSON(%q): %v, want ErrInvalidUTF8", v, err)
		}
	}
	for _, v := range []any{math.NaN(), math.Inf(1), make(chan int)} {
		if err := reports.WriteJSON(&b, v); err == nil {
			t.Errorf("WriteJSON(%v) succeeded", v)
		}
	}
	if b.Len() > 0 {
		t.Errorf("errors left %q behind", b.String())
	}
	if err := reports.WriteJSON(failing{}, 1); !errors.Is(err, errFull) {
		t.Errorf("the writer's error is hidden: %v", err)
	}
}

func FuzzWriteJSON(f *testing.F) {
	for _, s := range []string{"", "\xff", `\ufffd`, "\ufffd", "\\\xff", "<\u2028\u009b\U000e0041\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		err := reports.WriteJSON(&b, map[string]string{"key": s})
		if (err == nil) != utf8.ValidString(s) {
			t.Fatalf("WriteJSON(%+q): %v", s, err)
		}
		if err != nil {
			return
		}
		if r := hides(strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", "")); r >= 0 {
			t.Errorf("%U hides in %+q", r, b.String())
		}
		var got map[string]string
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || got["key"] != s {
			t.Errorf("%+q reads back as %+q, %v", s, got["key"], err)
		}
	})
}
