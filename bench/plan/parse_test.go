package plan_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/keyspread/keyspread/bench/plan"
	"github.com/keyspread/keyspread/partition"
)

// everyField is a contract that states all there is.
const everyField = `# of the orders team
topic: orders
client: kafka-streams   # an alias of java
partitions: 12
keyEncoding: avro:42
maxImbalance: 1.5
maxKeyShare: 33.3 %
minDistinctKeys: 1000
allowedGrowth: [24, 48]
allowedClients:
  - franz-go
  - kafkajs
`

func parse(t testing.TB, text string) []*plan.Contract {
	t.Helper()
	contracts, err := plan.Parse(strings.NewReader(text), "orders.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return contracts
}

func TestParse(t *testing.T) {
	contracts := parse(t, everyField)
	if len(contracts) != 1 {
		t.Fatalf("%d contracts", len(contracts))
	}
	c := contracts[0]
	if c.Topic != "orders" || c.Client.Name != "java" || c.Partitions != 12 || c.KeyEncoding.String() != "avro:42" ||
		c.MaxImbalance != 1.5 || c.MaxKeyShare != 0.333 || c.MinDistinctKeys != 1000 ||
		len(c.AllowedGrowth) != 2 || c.AllowedGrowth[1] != 48 || len(c.AllowedClients) != 2 || c.AllowedClients[1].Name != "kafkajs" {
		t.Errorf("parsed as %+v", c)
	}
	if c.Name != "orders.yaml" || c.Line != 2 || c.LineOf("maxKeyShare") != 7 || c.LineOf("allowedClients") != 10 {
		t.Errorf("lines %d, %d, %d of %s", c.Line, c.LineOf("maxKeyShare"), c.LineOf("allowedClients"), c.Name)
	}

	least := parse(t, "{topic: 2024, client: java, partitions: 1}")[0]
	if least.Topic != "2024" || least.KeyEncoding != partition.Raw || least.AllowedGrowth != nil || least.AllowedClients != nil ||
		least.MaxImbalance != 0 || least.MaxKeyShare != 0 || least.MinDistinctKeys != 0 || least.LineOf("maxImbalance") != 1 {
		t.Errorf("parsed as %+v", least)
	}
	for text, want := range map[string]float64{
		"0.2": 0.2, "20 %": 0.2, "20%": 0.2, `"20 %"`: 0.2, "1": 1, "100 %": 1, "0.1 %": 0.001, "33.3 %": 0.333, "1.0": 1,
	} {
		if got := parse(t, "{topic: t, client: java, partitions: 1, maxKeyShare: "+text+"}")[0].MaxKeyShare; got != want {
			t.Errorf("maxKeyShare: %s is %v, want %v", text, got, want)
		}
	}
	if windows := parse(t, "\ufeff"+strings.ReplaceAll(everyField, "\n", "\r\n"))[0]; windows.MaxKeyShare != 0.333 || windows.AllowedClients[1].Name != "kafkajs" {
		t.Errorf("parsed as %+v", windows)
	}
	none := parse(t, "{topic: t, client: java, partitions: 1, allowedGrowth: [], allowedClients: []}")[0]
	if none.AllowedGrowth == nil || none.AllowedClients == nil {
		t.Error("an empty list is not stated")
	}
}

// TestParseDocuments has several contracts in one file, beside documents that hold
// nothing.
func TestParseDocuments(t *testing.T) {
	contracts := parse(t, "---\n# nothing here\n---\n\n---\ntopic: a\nclient: java\npartitions: 1\n...\n---\n---\n\ntopic: b # last\nclient: sarama\npartitions: 2\n---\n")
	if len(contracts) != 2 || contracts[0].Topic != "a" || contracts[1].Topic != "b" || contracts[1].Line != 13 || contracts[1].LineOf("partitions") != 15 {
		t.Errorf("parsed as %+v", contracts)
	}
}

// TestParseErrors asserts that every mistake is told with its place and what to
// write instead.
func TestParseErrors(t *testing.T) {
	const start = "topic: t\nclient: java\npartitions: 12\n"
	for text, want := range map[string]string{
		"":                 "orders.yaml: no contract in it; write at least topic, client and partitions",
		"# nothing\n":      "no contract in it",
		"topic: t\n":       "orders.yaml:1: client is missing; a contract states topic, client and partitions",
		"key,count\na,1\n": "orders.yaml:1:1: not a contract; write fields, such as topic: orders; the contract is named before",
		"- topic: t\n":     "not a contract; write several contracts as documents, with --- on a line between them",
		"topic: [\n":       "not YAML: ",
		"%YAML 1.2\n---\n": "not YAML: unexpected directive",

		start + "maxImbalence: 1.5\n":                        `orders.yaml:4:1: unknown field "maxImbalence"; did you mean maxImbalance?`,
		start + "max-key-share: 1\n":                         "did you mean maxKeyShare?",
		start + "AllowedClients: []\n":                       "did you mean allowedClients?",
		start + "retention: 7d\n":                            `unknown field "retention"; there are topic, client, partitions, keyEncoding, maxImbalance, maxKeyShare, minDistinctKeys, allowedGrowth, allowedClients`,
		start + "partitions: 24\n":                           "orders.yaml:4:1: partitions: given on line 3 already",
		start + "maxImbalance:\n":                            "orders.yaml:4:1: maxImbalance: has no value",
		start + "maxImbalance: 0.9\n":                        "orders.yaml:4:15: maxImbalance: 0.9 is below 1; write 1 or more, as in 1.5",
		start + "maxImbalance: high\n":                       `maxImbalance: "high" is not a number in plain digits`,
		start + "maxImbalance: \"1.5\"\n":                    "is not a number in plain digits",
		start + "maxImbalance: .inf\n":                       ".inf is not a number",
		start + "maxImbalance: .nan\n":                       ".nan is not a number",
		start + "maxImbalance: true\n":                       "true is not a number",
		start + "maxImbalance: [1.5]\n":                      "a list is not a number",
		start + "maxImbalance: !!float 2\n":                  "this (tag) is not a number",
		start + "maxImbalance: &a 1.5\n":                     "this (anchor) is not a number",
		start + "maxKeyShare: 20\n":                          "orders.yaml:4:14: maxKeyShare: 20 is above 1; write 20 %, if that is meant",
		start + "maxKeyShare: 0\n":                           "0 is out of range; write a share above 0, up to 1 or 100 %, as in 0.2 or 20 %",
		start + "maxKeyShare: 120 %\n":                       `"120 %" is above 1`,
		start + "maxKeyShare: -1 %\n":                        "is out of range",
		start + "maxKeyShare: \" %\"\n":                      "is not a share",
		start + "maxKeyShare: half\n":                        `"half" is not a share`,
		start + "minDistinctKeys: 0\n":                       "minDistinctKeys: 0 is below 1; write a whole number from 1 to 2147483647",
		start + "minDistinctKeys: 1e3\n":                     "is not a whole number in plain digits",
		start + "minDistinctKeys: 10.0\n":                    "10.0 is not a whole number in plain digits; write 10",
		start + "minDistinctKeys: '100'\n":                   `"100" is not a whole number in plain digits; write 100, without quotes`,
		start + "minDistinctKeys: 012\n":                     "012 is not a whole number in plain digits",
		start + "minDistinctKeys: 0x10\n":                    "0x10 is not a whole number in plain digits",
		start + "allowedGrowth: 24\n":                        "orders.yaml:4:16: allowedGrowth: 24 is not a list; write a list, as in [24, 48]",
		start + "allowedGrowth: [24, 24]\n":                  "orders.yaml:4:21: allowedGrowth: 24 is listed twice",
		start + "allowedGrowth: [1000001]\n":                 "1000001 is above 1000000",
		start + "allowedClients: java\n":                     `"java" is not a list; write a list, as in [java, franz-go]`,
		start + "allowedClients: [jva]\n":                    `orders.yaml:4:18: allowedClients: unknown client "jva": did you mean java`,
		start + "allowedClients: [7]\n":                      "7 is not the name of a client",
		start + "allowedClients:\n- java\n- kafka-streams\n": `"kafka-streams" is listed twice`,
		start + "keyEncoding: utf8\n":                        `keyEncoding: unknown key encoding "utf8": want one of raw`,
		start + "keyEncoding: 7\n":                           "7 is not a key encoding",
		start + "---\n" + start:                              `orders.yaml:5: topic: "t" has a contract on line 1 already`,
		"topic: ''\n":                                        `"" is not the name of a topic`,
		"topic: [t]\n":                                       "a list is not the name of a topic",
		"topic: t\nclient: Java\n":                           `client: unknown client "Java": names are lower case, want "java"`,
		"topic: t\nclient: java\npartitions: 0":              "partitions: 0 is below 1; write a whole number from 1 to 1000000",
	} {
		_, err := plan.Parse(strings.NewReader(text), "orders.yaml")
		wrong := (*plan.ContractError)(nil)
		if !errors.As(err, &wrong) {
			t.Errorf("%q: %v, which is no ContractError", text, err)
			continue
		}
		if first, _, _ := strings.Cut(err.Error(), "\n"); !strings.Contains(first, want) {
			t.Errorf("%q:\n%s\ndoes not say\n%s", text, first, want)
		}
	}

	_, err := plan.Parse(strings.NewReader(start+"maxImbalance: 0.9\nmaxKeyShare: 1\n"), "orders.yaml")
	want := "orders.yaml:4:15: maxImbalance: 0.9 is below 1; write 1 or more, as in 1.5: the heaviest partition's load / the mean load\n" +
		"    2 | client: java\n" +
		"    3 | partitions: 12\n" +
		">   4 | maxImbalance: 0.9\n" +
		"                      ^\n" +
		"    5 | maxKeyShare: 1"
	if err == nil || err.Error() != want {
		t.Errorf("error:\n%v\nwant:\n%s", err, want)
	}
	if _, err := plan.Parse(strings.NewReader(strings.Repeat("#", 1<<20+1)), "orders.yaml"); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("a large file: %v", err)
	}
	if _, err := plan.Parse(brokenReader{}, "orders.yaml"); !errors.Is(err, errBroken) {
		t.Errorf("a broken reader: %v", err)
	}
}

var errBroken = errors.New("broken")

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errBroken }

// FuzzParse asserts that a file never panics, that what was accepted is in its
// range, and that messages can be shown.
func FuzzParse(f *testing.F) {
	f.Add(everyField)
	f.Add("topic: a\nclient: java\npartitions: 1\n---\ntopic: b\nclient: java\npartitions: 1\n")
	f.Add("{topic: t, client: java, partitions: 1, maxKeyShare: 20 %}")
	f.Add("topic: &t !!str |\n  x\nclient: *t\n<<: *t\n")
	f.Add("key,count\na,1\n")
	f.Add("- topic: [\x1b]\n\t: \xff")
	f.Fuzz(func(t *testing.T, text string) {
		contracts, err := plan.Parse(strings.NewReader(text), "fuzz.yaml")
		if err != nil {
			if wrong := (*plan.ContractError)(nil); !errors.As(err, &wrong) || contracts != nil {
				t.Fatalf("%v, %v", contracts, err)
			}
			if message := err.Error(); !utf8.ValidString(message) || strings.ContainsAny(message, "\x1b\r\x00") {
				t.Errorf("message %q", message)
			}
			return
		}
		// What the YAML parser drops in silence would be a limit that nobody checks.
		if _, err := plan.Parse(strings.NewReader(text+"\nunknown: 1\n"), "fuzz.yaml"); err == nil {
			t.Error("a line behind it was dropped")
		}
		for _, c := range contracts {
			if c.Topic == "" || c.Client == nil || c.Partitions < 1 || c.Partitions > plan.MaxPartitions || c.Line < 1 ||
				c.MaxImbalance != 0 && !(c.MaxImbalance >= 1) || !(c.MaxKeyShare >= 0 && c.MaxKeyShare <= 1) || c.MinDistinctKeys < 0 {
				t.Errorf("accepted %+v", c)
			}
		}
	})
}
