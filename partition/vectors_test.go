package partition_test

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/partition"
)

// goldenCounts are the partition counts that every vector file holds.
var goldenCounts = []int{1, 2, 3, 6, 7, 8, 10, 12, 15, 16, 24, 48, 50, 64, 97, 100, 128, 1000, 1024, 10000}

// A goldenFile is what one real client answered; testdata/clients holds the
// programs that asked it.
type goldenFile struct {
	Client, Library, Version string

	NullKey         []*int
	NullKeyRefused  bool
	PartitionCounts []int
	Rows            []goldenRow
}

// A goldenRow is one key. Partitions are null where the client does not decide
// from the key. Hash, Value (slot or token) and Values (key groups) are there if
// the library tells them.
type goldenRow struct {
	KeyHex     string
	Hash       *int64
	Value      *int64
	Values     []int
	Partitions []*int
	Refused    bool
}

// withoutVectors are the presets that no library computes.
var withoutVectors = map[string]string{
	"unmasked-murmur2": "a bug, not a library",
	"kinesis":          "hashed by the service",
}

// TestGoldenVectors compares every row of every client's vectors with the preset
// of that name.
func TestGoldenVectors(t *testing.T) {
	golden := readGolden(t)
	keys := goldenKeys(t)
	for _, client := range partition.Clients() {
		file, ok := golden[client.Name]
		if why := withoutVectors[client.Name]; ok == (why != "") {
			t.Errorf("%s: has vectors: %v (%s)", client.Name, ok, why)
		}
		if !ok {
			continue
		}
		delete(golden, client.Name)
		t.Run(client.Name, func(t *testing.T) { compare(t, client, file, keys) })
	}
	for name := range maps.Keys(golden) {
		t.Errorf("vectors of %s, which is no preset", name)
	}
}

func compare(t *testing.T, client *partition.Client, file goldenFile, keys []string) {
	if file.Version == "" || file.Library == "" || !strings.Contains(client.Version, strings.TrimPrefix(file.Version, "v")) {
		t.Errorf("vectors of %s %s, but the registry says version %q", file.Library, file.Version, client.Version)
	}
	if client.Checked != partition.Run {
		t.Errorf("the registry says checked %q, but here are vectors", client.Checked)
	}
	if len(file.PartitionCounts) > 0 && !slices.Equal(file.PartitionCounts, goldenCounts) {
		t.Errorf("partition counts %v, want %v", file.PartitionCounts, goldenCounts)
	}
	var seen []string
	for _, row := range file.Rows {
		seen = append(seen, row.KeyHex)
		key, err := hex.DecodeString(row.KeyHex)
		if err != nil {
			t.Fatal(err)
		}
		compareRow(t, client, file.PartitionCounts, key, row)
	}
	if !slices.Equal(seen, keys) {
		t.Errorf("%d rows are not the %d keys of keys.csv in their order", len(seen), len(keys))
	}
	compareNull(t, client, file)
}

func compareRow(t *testing.T, client *partition.Client, counts []int, key []byte, row goldenRow) {
	digest, rule := client.Digest(key)
	if row.Refused != (rule == partition.Refused) {
		t.Errorf("key %x: refused: %v, want %v", key, rule, row.Refused)
	}
	if row.Refused {
		return
	}
	if client.Name == "cassandra" && len(key) == 0 {
		// The vector is the Go driver's 0; the server maps the empty key to the
		// minimum token, and so do we.
		if *row.Value != 0 || int64(digest.Lo) != math.MinInt64 {
			t.Errorf("empty key: driver %d, ours %d", *row.Value, int64(digest.Lo))
		}
		return
	}
	if want := row.Value; want != nil && int64(digest.Lo) != *want {
		t.Errorf("key %x: got %d, want %d", key, int64(digest.Lo), *want)
	}
	if want, ours := row.Hash, hashAsExposed(client, key, digest); want != nil && ours != *want {
		t.Errorf("key %x: hash %d, want %d", key, ours, *want)
	}
	for i, n := range counts {
		got := client.Place(key, n)
		if want := row.Partitions[i]; !same(got, want) {
			t.Errorf("key %x at %d: got %v, want %v", key, n, got, show(want))
		}
		if len(row.Values) > 0 && client.Raw(digest, n) != strconv.Itoa(row.Values[i]) {
			t.Errorf("key %x at %d: key group %s, want %d", key, n, client.Raw(digest, n), row.Values[i])
		}
	}
}

// hashAsExposed is our hash in the form in which the library shows its own.
func hashAsExposed(client *partition.Client, key []byte, d partition.Digest) int64 {
	switch client.Name {
	case "flink": // before its own mix
		pulsar, _ := partition.Lookup("pulsar-java")
		d, _ = pulsar.Digest(key)
	case "pulsar-java": // masked
		return int64(d.Lo & math.MaxInt32)
	}
	return int64(int32(d.Lo))
}

func compareNull(t *testing.T, client *partition.Client, file goldenFile) {
	if file.NullKeyRefused != (client.Null == partition.Refused) && len(file.PartitionCounts) > 0 {
		t.Errorf("null key: registry says %v, library refused it: %v", client.Null, file.NullKeyRefused)
	}
	for i, want := range file.NullKey {
		if got := client.Place(nil, goldenCounts[i]); !same(got, want) {
			t.Errorf("null key at %d: got %v, want %v", goldenCounts[i], got, show(want))
		}
	}
}

// same reports whether a placement is the partition that the client always chose,
// or undecided where it chose several.
func same(got partition.Placement, want *int) bool {
	p, ok := got.Partition()
	if want == nil {
		return !ok
	}
	return ok && p == *want
}

func show(p *int) string {
	if p == nil {
		return "any"
	}
	return strconv.Itoa(*p)
}

func readGolden(t *testing.T) map[string]goldenFile {
	t.Helper()
	paths, err := filepath.Glob("testdata/vectors/*.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	golden := map[string]goldenFile{}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		var file goldenFile
		if err := json.NewDecoder(z).Decode(&file); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		f.Close()
		if want := file.Client + ".json.gz"; filepath.Base(path) != want {
			t.Errorf("%s holds %s", path, file.Client)
		}
		golden[file.Client] = file
	}
	return golden
}

// goldenKeys returns the key list in hexadecimal and checks that it is the list
// that catches mistakes: long enough, every length up to 40, and with keys that
// tell the reductions apart.
func goldenKeys(t *testing.T) []string {
	t.Helper()
	f, err := os.Open("testdata/keys.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	lengths := map[int]bool{}
	negative := 0
	for _, row := range rows[1:] {
		key, err := hex.DecodeString(row[0])
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, row[0])
		lengths[len(key)] = true
		if int32(partition.Murmur2(key)) < 0 {
			negative++
		}
	}
	if len(keys) < 300 || negative < 100 {
		t.Errorf("%d keys, %d of them with a negative murmur2: want at least 300 and 100", len(keys), negative)
	}
	for n := range 41 {
		if !lengths[n] {
			t.Errorf("no key of %d bytes", n)
		}
	}
	return keys
}

// TestGoldenVectorsCanFail puts a wrong reduction in the place of a right one: the
// key list must notice.
func TestGoldenVectorsCanFail(t *testing.T) {
	golden := readGolden(t)
	for _, swap := range []struct{ vectors, preset string }{
		{"java", "unmasked-murmur2"},
		{"sarama", "sarama-reference"},
		{"sarama", "franz-go-sarama-hasher"},
		{"kafkajs-legacy", "java"},
		{"spring-hashcode", "pulsar-java"},
		{"pulsar-java", "pulsar-go"},
	} {
		client, err := partition.Lookup(swap.preset)
		if err != nil {
			t.Fatal(err)
		}
		differ := 0
		for _, row := range golden[swap.vectors].Rows {
			key, _ := hex.DecodeString(row.KeyHex)
			for i, n := range goldenCounts {
				if !row.Refused && !same(client.Place(key, n), row.Partitions[i]) {
					differ++
				}
			}
		}
		if differ < 100 {
			t.Errorf("%s passes as %s but for %d placements", swap.preset, swap.vectors, differ)
		}
	}
}

// A serializerRow is what one of Kafka's own serializers wrote.
type serializerRow struct {
	Serializer, Value, UTF16, Bits, Hex string

	Murmur2     int32
	Partition12 int
}

// TestSerializers compares key encodings with Kafka's own serializers, and the
// partitions of what those wrote.
func TestSerializers(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors/java-serializers.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Rows []serializerRow }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	java, err := partition.Lookup("java")
	if err != nil {
		t.Fatal(err)
	}
	encodings := map[string]partition.KeyEncoding{"String": partition.Raw, "UUID": partition.Raw, "Integer": partition.Int32, "Long": partition.Int64}
	compared := map[string]int{}
	for _, row := range file.Rows {
		key, err := hex.DecodeString(row.Hex)
		if err != nil {
			t.Fatal(err)
		}
		if got := int32(partition.Murmur2(key)); got != row.Murmur2 {
			t.Errorf("%s %s: murmur2 %d, want %d", row.Serializer, row.Value, got, row.Murmur2)
		}
		if got := java.Place(key, 12); got != partition.Placement(row.Partition12) {
			t.Errorf("%s %s: partition %v, want %d", row.Serializer, row.Value, got, row.Partition12)
		}
		encoding, ok := encodings[row.Serializer]
		if !ok || strings.Contains(row.Value, "\ufffd") || row.Serializer == "UUID" && row.Value != strings.ToLower(row.Value) {
			continue // floats, and texts that are no UTF-8 or are rewritten by Java itself
		}
		compared[row.Serializer]++
		if got, err := encoding.AppendKey(nil, row.Value); err != nil || fmt.Sprintf("%x", got) != row.Hex {
			t.Errorf("%s %s: %v gives %x (%v), want %s", row.Serializer, row.Value, encoding, got, err, row.Hex)
		}
	}
	for serializer := range encodings {
		if compared[serializer] < 2 {
			t.Errorf("only %d rows of %s compared", compared[serializer], serializer)
		}
	}
}
