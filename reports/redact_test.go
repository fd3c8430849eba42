package reports_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/reports"
)

// TestRedactorNames: the same name has the same hash, another name, secret or kind
// has another.
func TestRedactorNames(t *testing.T) {
	a, b, again := reports.NewRedactor("one secret"), reports.NewRedactor("another secret"), reports.NewRedactor("one secret")
	random := reports.NewRedactor("")
	name := a.Name("user-8831")
	if !regexp.MustCompile(`^key-[0-9a-f]{16}$`).MatchString(name) {
		t.Errorf("name is %q", name)
	}
	// printf 'key\0user-8831' | openssl dgst -sha256 -hmac 'one secret'
	if want := "key-44cbb24e1aec3368"; name != want {
		t.Errorf("name is %q, want %q as openssl computes it", name, want)
	}
	for what, same := range map[string]bool{
		"the same name twice":  a.Name("user-8831") == name,
		"the same secret":      again.Name("user-8831") == name,
		"another name":         a.Name("user-8832") != name,
		"another secret":       b.Name("user-8831") != name,
		"a tenant":             strings.TrimPrefix(a.Tenant("user-8831"), "tenant-") != strings.TrimPrefix(name, "key-"),
		"two random redactors": random.Name("user-8831") != reports.NewRedactor("").Name("user-8831"),
	} {
		if !same {
			t.Errorf("%s: wrong", what)
		}
	}
}

// TestRedactorCollisions: a million names have a million hashes.
func TestRedactorCollisions(t *testing.T) {
	r := reports.NewRedactor("")
	seen := make(map[string]bool, 1_000_000)
	for i := range 1_000_000 {
		seen[r.Name(fmt.Sprint("user-", i))] = true
	}
	if len(seen) != 1_000_000 {
		t.Errorf("%d hashes", len(seen))
	}
}

// TestRedactorKeys: null and empty keys stay, bytes that are no text are hashed
// like any other, and a nil redactor does nothing.
func TestRedactorKeys(t *testing.T) {
	r := reports.NewRedactor("secret")
	if got := r.Key(partition.KeyText{}); got.Key != nil || got.KeyHex != "" {
		t.Errorf("the null key became %+v", got)
	}
	if got := r.Key(partition.TextOf("")); got.Key == nil || *got.Key != "" {
		t.Errorf("the empty key became %+v", got)
	}
	if got := r.Key(partition.TextOf("\xff\x00")); got.KeyHex != "" || *got.Key != r.Name("\xff\x00") {
		t.Errorf("bytes became %+v", got)
	}
	var none *reports.Redactor
	if got := none.Key(partition.TextOf("a")); *got.Key != "a" {
		t.Errorf("without a redactor the key became %q", *got.Key)
	}
	none.Spreads(nil)
	none.Churns(nil)
}

// TestRedactedMapping: spellings of one key are one name, the null key keeps its
// marker, and the raw hash is not shown.
func TestRedactedMapping(t *testing.T) {
	client, err := partition.Lookup("java")
	if err != nil {
		t.Fatal(err)
	}
	r := reports.NewRedactor("secret")
	var b strings.Builder
	m, err := reports.NewMapping(&b, reports.MappingLayout{
		Format: reports.JSON, Clients: []*partition.Client{client}, Counts: []int{12}, Encoding: partition.Hex, Redactor: r,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		text string
		key  []byte
	}{{"0A", []byte{10}}, {"0a", []byte{10}}, {"NULL", nil}, {"", []byte{}}} {
		if err := m.Write(k.text, k.key); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, r.Name("0a")); n != 2 {
		t.Errorf("the key is there %d times:\n%s", n, text)
	}
	for _, want := range []string{`"key":"NULL"`, `"key":""`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in:\n%s", want, text)
		}
	}
	if strings.Contains(text, `"raw"`) {
		t.Errorf("the raw hash is shown:\n%s", text)
	}
}

// TestRedactedKeepsFigures: redacting changes names and nothing else.
func TestRedactedKeepsFigures(t *testing.T) {
	for seed := range uint64(5) {
		plain := realResults(t, rand.New(rand.NewPCG(seed, 3)))
		loaded, err := reports.Load(strings.NewReader(written(t, plain["spread"], reports.JSON)), "x.json")
		if err != nil {
			t.Fatal(err)
		}
		spreads := loaded[0].Result.(reports.SavedSpreads)
		before := written(t, loaded[0].Write, reports.CSV)
		names := map[string]bool{}
		for _, s := range spreads {
			for _, k := range s.TopKeys {
				if k.Key != nil && strings.HasPrefix(*k.Key, "user-") {
					names[*k.Key] = true
				}
			}
		}
		verdict := spreads[0].Verdict
		reports.NewRedactor("").Spreads(spreads)
		if after := written(t, loaded[0].Write, reports.CSV); after != before {
			t.Errorf("seed %d: loads changed", seed)
		}
		if (verdict == nil) != (spreads[0].Verdict == nil) || verdict != nil && *verdict != *spreads[0].Verdict {
			t.Errorf("seed %d: the verdict changed", seed)
		}
		text := written(t, loaded[0].Write, reports.Text)
		for name := range names {
			if regexp.MustCompile(regexp.QuoteMeta(name) + `\b`).MatchString(text) {
				t.Errorf("seed %d: %s is shown:\n%s", seed, name, text)
			}
		}
	}
}
