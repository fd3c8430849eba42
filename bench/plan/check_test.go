package plan_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench/plan"
	"github.com/keyspread/keyspread/partition"
	"pgregory.net/rapid"
)

// table returns a key table with the given records of each key.
func table(t testing.TB, keys []string, records ...int64) *partition.KeyTable {
	t.Helper()
	var table partition.KeyTable
	for i, key := range keys {
		if _, err := table.Add([]byte(key), records[i], 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	return &table
}

// numbered returns a key table of n keys with one record each.
func numbered(t testing.TB, n int) *partition.KeyTable {
	t.Helper()
	var table partition.KeyTable
	for i := range n {
		if _, err := table.Add(fmt.Appendf(nil, "user-%d", i), 1, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	return &table
}

func client(t testing.TB, name string) *partition.Client {
	t.Helper()
	c, err := partition.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// contract parses the limits of a contract of a topic of java on some partitions.
func contract(t testing.TB, partitions int, limits string) *plan.Contract {
	t.Helper()
	return parse(t, fmt.Sprintf("topic: orders\nclient: java\npartitions: %d\n%s\n", partitions, limits))[0]
}

// result returns the result of a rule.
func result(t testing.TB, v *plan.Verdict, rule string) plan.RuleResult {
	t.Helper()
	at := slices.IndexFunc(v.Rules, func(r plan.RuleResult) bool { return r.Rule == rule })
	if at < 0 {
		t.Fatalf("no result of %s in %+v", rule, v.Rules)
	}
	return v.Rules[at]
}

// countries are the keys of B05 of the public cases, with 80 % of the records in
// one.
func countries(t testing.TB) *partition.KeyTable {
	return table(t, []string{"US", "DE", "GB", "FR", "CZ", "PL", "AT", "HU", "IT", "ES", "NL", "SE"},
		880, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20)
}

// TestCountries is B05 of the public cases: a shared library changed the key to
// the country, 12 values on 48 partitions.
// https://www.michal-drozd.com/en/blog/kafka-partition-skew-contracts/
func TestCountries(t *testing.T) {
	c := contract(t, 48, "maxImbalance: 1.5\nmaxKeyShare: 20 %\nminDistinctKeys: 480")
	v := c.Check(countries(t), plan.Options{})
	if v.Kept || v.Keys != 12 || v.Records != 1100 || len(v.Rules) != 4 {
		t.Fatalf("verdict %+v", v)
	}
	for i, want := range []struct {
		rule            string
		limit, observed float64
		line            int
		message         string
	}{
		{"maxImbalance", 1.5, 38.4, 4, "imbalance 38.4× > 1.5×: partition 8 of 48 has 80.0 % of the records, key US alone 80.0 %"},
		{"maxKeyShare", 0.2, 0.8, 5, "share 80.0 % > 20 %: key US has 880 of 1100 records"},
		{"minDistinctKeys", 480, 12, 6, "cardinality 12 < 480: too few distinct keys"},
		{"partitions", 48, 12, 3, "cardinality 12 < 48: at least 36 partitions stay idle"},
	} {
		got := v.Rules[i]
		if got.Rule != want.rule || got.Passed || *got.Limit != want.limit || math.Abs(*got.Observed-want.observed) > 1e-12 ||
			got.Line != want.line || got.Message != want.message {
			t.Errorf("rule %d is %+v, limit %v, observed %v; want %+v", i, got, *got.Limit, *got.Observed, want)
		}
	}
}

// TestLimits asserts of each limit that what is equal to it keeps the contract and
// what is just beyond it does not.
func TestLimits(t *testing.T) {
	countries := countries(t)
	users := numbered(t, 1000)
	for _, row := range []struct {
		keys       *partition.KeyTable
		partitions int
		limit      string
		rule       string
		kept       bool
	}{
		{countries, 48, "maxImbalance: 38.4", "maxImbalance", true},
		{countries, 48, "maxImbalance: 38.3999999", "maxImbalance", false},
		{countries, 48, "maxKeyShare: 80 %", "maxKeyShare", true},
		{countries, 48, "maxKeyShare: 0.8", "maxKeyShare", true},
		{countries, 48, "maxKeyShare: 0.7999999", "maxKeyShare", false},
		{users, 6, "maxKeyShare: 0.1 %", "maxKeyShare", true},
		{users, 6, "maxKeyShare: 0.09999 %", "maxKeyShare", false},
		{countries, 48, "minDistinctKeys: 12", "minDistinctKeys", true},
		{countries, 48, "minDistinctKeys: 13", "minDistinctKeys", false},
		{countries, 12, "", "partitions", true},
		{countries, 13, "", "partitions", false},
		{countries, 13, "minDistinctKeys: 13", "partitions", false},
		{countries, 13, "minDistinctKeys: 12", "partitions", true}, // accepted, see TestAcceptedIdle
		{users, 12, "allowedGrowth: [24]", "allowedGrowth", true},
		{users, 12, "allowedClients: []", "allowedClients", true},
		{users, 12, "allowedClients: [java, franz-go, kafkajs]", "allowedClients", true},
		{users, 12, "allowedClients: [franz-go, librdkafka]", "allowedClients", false},
		{users, 16, "allowedClients: [unmasked-murmur2]", "allowedClients", true}, // a power of two
		{users, 12, "allowedClients: [unmasked-murmur2]", "allowedClients", false},
	} {
		v := contract(t, row.partitions, row.limit).Check(row.keys, plan.Options{})
		got := result(t, v, row.rule)
		if got.Passed != row.kept || got.Message == "" {
			t.Errorf("%d partitions, %s: %+v", row.partitions, row.limit, got)
		}
		if kept := !slices.ContainsFunc(v.Rules, func(r plan.RuleResult) bool { return !r.Passed }); kept != v.Kept {
			t.Errorf("%d partitions, %s: kept %v with %+v", row.partitions, row.limit, v.Kept, v.Rules)
		}
	}
}

// TestMessagesTellApart asserts that a figure close to its limit is shown on its
// side of it.
func TestMessagesTellApart(t *testing.T) {
	keys := table(t, []string{"a", "b"}, 2000100, 7999900)
	for limit, want := range map[string]string{
		"80 %": "share 79.999 % ≤ 80 %", "0.79999": "share 79.999 % ≤ 79.999 %", "0.79998": "share 80.0 % > 79.998 %", "0.799991": "share 79.999 % ≤ 79.9991 %", "0.7": "share 80.0 % > 70 %",
	} {
		got := result(t, contract(t, 1, "maxKeyShare: "+limit).Check(keys, plan.Options{}), "maxKeyShare").Message
		if !strings.HasPrefix(got, want+":") {
			t.Errorf("limit %s: %s, want %s", limit, got, want)
		}
	}
}

// TestProposals asserts which counts and clients a pull request may propose.
func TestProposals(t *testing.T) {
	keys := numbered(t, 1000)
	c := contract(t, 12, "maxImbalance: 1.4\nallowedGrowth: [6, 12, 24, 48]\nallowedClients: [franz-go]")
	for _, row := range []struct {
		partitions int
		client     string
		broken     string // rules
		message    string
	}{
		{0, "", "", "12 partitions, the present count; allowed growth: 24 (48.9 % of keys move, clean split), 48 (75.5 % of keys move, clean split)"},
		{12, "java", "", "12 partitions, the present count"},
		{24, "", "", "growth from 12 to 24 (48.9 % of keys move, clean split)"},
		{18, "", "allowedGrowth", "growth from 12 to 18 (67.1 % of keys move, no clean split): not one of 6, 12, 24 or 48"},
		{6, "", "allowedGrowth", "6 instead of 12 partitions: a topic cannot shrink"},
		{0, "franz-go", "", "franz-go places all keys as java does"},
		{0, "kafka-streams", "", "franz-go places all keys as java does"}, // an alias of java
		{0, "kafkajs", "allowedClients", "kafkajs instead of java: not one of franz-go (places all keys as java does)"},
		{0, "sarama", "allowedClients", "sarama instead of java: not one of franz-go (places 8.8 % of the keys (88 of 1000) as java does, the first difference is key user-0: 1 instead of 7)"},
		{18, "sarama", "allowedGrowth allowedClients", "sarama instead of java"},
	} {
		p := plan.Options{Partitions: row.partitions}
		if row.client != "" {
			p.Client = client(t, row.client)
		}
		v := c.Check(keys, p)
		var broken, messages []string
		for _, r := range v.Rules {
			messages = append(messages, r.Message)
			if !r.Passed {
				broken = append(broken, r.Rule)
			}
		}
		if strings.Join(broken, " ") != row.broken || !strings.Contains(strings.Join(messages, "\n"), row.message) {
			t.Errorf("%d, %s: broken %q\n%s\nwant %q, %s", row.partitions, row.client, broken, strings.Join(messages, "\n"), row.broken, row.message)
		}
		if row.partitions > 0 && v.Partitions != row.partitions || v.Present != (plan.Side{Client: "java", Partitions: 12}) {
			t.Errorf("%d, %s: checked %s/%d, present %v", row.partitions, row.client, v.Client, v.Partitions, v.Present)
		}
	}

	// A contract that says nothing of growth or clients allows neither.
	silent := contract(t, 12, "")
	v := silent.Check(keys, plan.Options{Partitions: 24, Client: client(t, "franz-go")})
	if growth := result(t, v, "allowedGrowth"); growth.Passed || !strings.HasSuffix(growth.Message, "the contract allows none") || growth.Line != 3 {
		t.Errorf("growth without a word: %+v", growth)
	}
	if clients := result(t, v, "allowedClients"); clients.Passed || !strings.Contains(clients.Message, "the contract allows no other client") || clients.Line != 2 {
		t.Errorf("a client without a word: %+v", clients)
	}
	if v := silent.Check(keys, plan.Options{}); len(v.Rules) != 1 || len(v.Growth) != 0 || len(v.Clients) != 0 {
		t.Errorf("without limits: %+v", v)
	}
}

// TestGrowthFigures compares the growth of a verdict with theory.
func TestGrowthFigures(t *testing.T) {
	v := contract(t, 12, "allowedGrowth: [24, 18]").Check(numbered(t, 20000), plan.Options{Partitions: 20})
	if len(v.Growth) != 3 {
		t.Fatalf("growth %+v", v.Growth)
	}
	for i, want := range []plan.Growth{
		{Partitions: 18, Allowed: true}, {Partitions: 20, Proposed: true}, {Partitions: 24, Allowed: true, CleanSplit: true},
	} {
		got := v.Growth[i]
		expected := map[int]float64{18: 2. / 3, 20: 0.8, 24: 0.5}[got.Partitions]
		if got.Partitions != want.Partitions || got.Allowed != want.Allowed || got.Proposed != want.Proposed || got.CleanSplit != want.CleanSplit ||
			math.Abs(*got.KeysMovedShare-expected) > 0.02 || int64(got.KeysMoved) != got.RecordsMoved || *got.Imbalance < 1 {
			t.Errorf("growth %+v, want %+v and %v moved", got, want, expected)
		}
	}
}

// TestAcceptedIdle asserts that a contract may say that its keys are few, and is
// told what that means.
func TestAcceptedIdle(t *testing.T) {
	c := contract(t, 48, "minDistinctKeys: 10")
	v := c.Check(countries(t), plan.Options{})
	if !v.Kept || !slices.Contains(v.Warnings, "cardinality 12 < 48: at least 36 partitions stay idle, which minDistinctKeys 10 accepts") {
		t.Errorf("verdict %+v", v)
	}
	if v := c.Check(numbered(t, 1000), plan.Options{}); !v.Kept ||
		!slices.Contains(v.Warnings, "minDistinctKeys 10 is below the 48 partitions: the contract accepts that some stay idle") {
		t.Errorf("verdict %+v", v)
	}
	// Full partitions today are no consent to idle ones tomorrow.
	grown := contract(t, 12, "minDistinctKeys: 12\nallowedGrowth: [48]")
	if v := grown.Check(countries(t), plan.Options{Partitions: 48}); result(t, v, "partitions").Passed {
		t.Errorf("verdict %+v", v)
	}
	if v := grown.Check(countries(t), plan.Options{}); !v.Kept ||
		!slices.Contains(v.Warnings, "growth to 48 is allowed, but there at least 36 partitions would stay idle") {
		t.Errorf("verdict %+v", v)
	}
}

// TestWarnings asserts that growth which would break a limit, and clients that
// agree for now, are told of.
func TestWarnings(t *testing.T) {
	keys := numbered(t, 200)
	for limits, want := range map[string]string{
		"maxImbalance: 1.5\nallowedGrowth: [96]":                     "growth to 96 is allowed, but there the imbalance would be",
		"allowedClients: [unmasked-murmur2]":                         "unmasked-murmur2 places these keys as java does at 16, though it is another mapping (murmur2, unsigned): other keys or counts may differ",
		"allowedClients: [unmasked-murmur2]\nallowedGrowth: [32,48]": "unmasked-murmur2 places all keys as java does at 16, but at 48, which is allowed,",
	} {
		v := contract(t, 16, limits).Check(keys, plan.Options{})
		if !v.Kept || len(v.Warnings) != 1 || !strings.HasPrefix(v.Warnings[0], want) {
			t.Errorf("%s: kept %v, warnings %q, want %q", limits, v.Kept, v.Warnings, want)
		}
	}
}

// TestNothingToMeasure asserts that a contract is never kept for want of data.
func TestNothingToMeasure(t *testing.T) {
	const limits = "maxImbalance: 1000\nmaxKeyShare: 1\nminDistinctKeys: 1\nallowedClients: [kafka-go]"
	ignoring := parse(t, "topic: t\nclient: kafka-go\npartitions: 1\n"+limits)[0].Check(numbered(t, 9), plan.Options{})
	empty := contract(t, 1, "maxImbalance: 1000\nmaxKeyShare: 1\nminDistinctKeys: 1").Check(table(t, []string{"a", "b"}, 0, 0), plan.Options{})
	for _, v := range []*plan.Verdict{ignoring, empty} {
		if v.Kept {
			t.Errorf("kept: %+v", v)
		}
		for _, r := range v.Rules {
			if r.Passed && r.Rule != "allowedClients" {
				t.Errorf("passed: %+v", r)
			}
		}
	}
	if got := result(t, ignoring, "maxKeyShare").Message; got != "the heaviest key's share cannot be measured: kafka-go ignores the key (round robin)" {
		t.Error(got)
	}
	if got := result(t, empty, "maxImbalance").Message; got != "imbalance cannot be measured: there are no records" {
		t.Error(got)
	}
}

// TestUncountedKeys asserts that null keys and keys without records count for no
// limit on keys.
func TestUncountedKeys(t *testing.T) {
	keys := table(t, []string{"a", "b", "c"}, 3, 1, 0)
	if _, err := keys.Add(nil, 96, 0, 0); err != nil {
		t.Fatal(err)
	}
	v := contract(t, 2, "maxKeyShare: 75 %\nminDistinctKeys: 2").Check(keys, plan.Options{})
	if !v.Kept || v.Keys != 2 || v.Records != 4 {
		t.Errorf("verdict %+v", v)
	}
	if len(v.Warnings) == 0 || !strings.Contains(v.Warnings[0], "null or empty key") {
		t.Errorf("warnings %q", v.Warnings)
	}
	if v := contract(t, 2, "minDistinctKeys: 3").Check(keys, plan.Options{}); v.Kept {
		t.Errorf("a key without records counts: %+v", v)
	}
	if v := contract(t, 2, "allowedClients: [librdkafka-murmur2-random]").Check(keys, plan.Options{}); !v.Kept || v.Clients[0].Keys != 3 {
		t.Errorf("null keys that neither places: %+v", v)
	}
	// librdkafka's murmur2 puts null keys on the partition of the empty key.
	if v := contract(t, 2, "allowedClients: [librdkafka-murmur2]").Check(keys, plan.Options{}); v.Kept || v.Clients[0].First.Key != nil {
		t.Errorf("null keys that one places: %+v", v)
	}
}

// TestKeyEncoding asserts that keys are compared as the clients see them and shown
// as they were written.
func TestKeyEncoding(t *testing.T) {
	c := parse(t, "{topic: t, client: java, partitions: 12, keyEncoding: int64, maxKeyShare: 1, allowedGrowth: [24], allowedClients: [sarama]}")[0]
	var keys partition.KeyTable
	for i := range 100 {
		key, err := c.KeyEncoding.AppendKey(nil, fmt.Sprint(i))
		if err == nil {
			_, err = keys.Add(key, int64(1+i), 0, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	v := c.Check(&keys, plan.Options{})
	if got := result(t, v, "maxKeyShare").Message; !strings.Contains(got, "key 99 has 100 of 5050") {
		t.Error(got)
	}
	if first := v.Clients[0].First; first == nil || *first.Key != "0" {
		t.Errorf("first difference %+v", first)
	}
	if v.Growth[0].KeysMoved < 30 || v.Growth[0].KeysMoved > 70 || !v.Growth[0].CleanSplit {
		t.Errorf("growth %+v", v.Growth[0])
	}
}

// TestShowKey asserts that no key is shown but as the options say.
func TestShowKey(t *testing.T) {
	c := contract(t, 48, "maxImbalance: 1.5\nmaxKeyShare: 20 %\nallowedGrowth: [96]\nallowedClients: [sarama]")
	v := c.Check(countries(t), plan.Options{ShowKey: func(partition.KeyText) partition.KeyText { return partition.TextOf("hidden") }})
	shown := *v.Clients[0].First.Key
	for _, r := range v.Rules {
		shown += " " + r.Message
	}
	if strings.Contains(shown, "US") || strings.Count(shown, "hidden") != 4 {
		t.Errorf("shown: %s", shown)
	}
}

// TestTightening asserts that a tighter limit never turns a broken rule into a kept
// one, nor a broken contract.
func TestTightening(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var keys partition.KeyTable
		for i := range rapid.IntRange(1, 40).Draw(rt, "keys") {
			if _, err := keys.Add(fmt.Appendf(nil, "k%d", i), rapid.Int64Range(0, 50).Draw(rt, "records"), 0, 0); err != nil {
				rt.Fatal(err)
			}
		}
		java := client(t, "java")
		loose := &plan.Contract{
			Topic: "t", Client: java, Partitions: rapid.IntRange(1, 24).Draw(rt, "partitions"),
			MaxImbalance:    rapid.Float64Range(1, 24).Draw(rt, "maxImbalance"),
			MaxKeyShare:     rapid.Float64Range(0.01, 1).Draw(rt, "maxKeyShare"),
			MinDistinctKeys: rapid.IntRange(1, 40).Draw(rt, "minDistinctKeys"),
			AllowedGrowth:   rapid.SliceOfNDistinct(rapid.IntRange(1, 30), 0, 5, rapid.ID).Draw(rt, "allowedGrowth"),
			AllowedClients:  []*partition.Client{},
		}
		tight := *loose
		tight.MaxImbalance = rapid.Float64Range(1, loose.MaxImbalance).Draw(rt, "tighter maxImbalance")
		tight.MaxKeyShare = rapid.Float64Range(0.001, loose.MaxKeyShare).Draw(rt, "tighter maxKeyShare")
		tight.MinDistinctKeys = rapid.IntRange(loose.MinDistinctKeys, 50).Draw(rt, "tighter minDistinctKeys")
		tight.AllowedGrowth = loose.AllowedGrowth[:rapid.IntRange(0, len(loose.AllowedGrowth)).Draw(rt, "tighter allowedGrowth")]
		if rapid.Bool().Draw(rt, "more clients to agree") {
			tight.AllowedClients = []*partition.Client{client(t, rapid.SampledFrom([]string{"franz-go", "sarama"}).Draw(rt, "client"))}
		}
		p := plan.Options{Partitions: rapid.IntRange(0, 30).Draw(rt, "proposed")}
		before, after := loose.Check(&keys, p), tight.Check(&keys, p)
		for i, r := range before.Rules {
			if !r.Passed && after.Rules[i].Passed {
				rt.Errorf("tighter, and kept: %+v, was %+v", after.Rules[i], r)
			}
		}
		if !before.Kept && after.Kept {
			rt.Error("a tighter contract is kept")
		}
	})
}
