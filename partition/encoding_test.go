package partition_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/partition"
	"pgregory.net/rapid"
)

func encoding(t testing.TB, name string) partition.KeyEncoding {
	t.Helper()
	e, err := partition.ParseKeyEncoding(name)
	if err != nil {
		t.Fatal(err)
	}
	if e.String() != name {
		t.Errorf("encoding %q calls itself %q", name, e)
	}
	return e
}

// TestKeyEncodings asserts bytes known from the serializers themselves; the
// Avro rows follow the Confluent wire format and the Avro specification.
func TestKeyEncodings(t *testing.T) {
	for _, row := range []struct{ encoding, text, want string }{
		{"raw", "8831", "38383331"},
		{"raw", "", ""},
		{"raw", "\xff", "ff"},
		{"int64", "8831", "000000000000227f"},
		{"int64", "-1", "ffffffffffffffff"},
		{"int64", "-9223372036854775808", "8000000000000000"},
		{"int32", "8831", "0000227f"},
		{"int32", "2147483647", "7fffffff"},
		{"json", "A", hex.EncodeToString([]byte(`"A"`))},
		{"json", "", "2222"},
		{"json", "<é\u2028\"\\/\x7f", hex.EncodeToString([]byte("\"<é\u2028\\\"\\\\/\x7f\""))},
		{"json", "\n\x1b", hex.EncodeToString([]byte(`"\n\u001B"`))},
		{"json", "\b\t\f\r\v", hex.EncodeToString([]byte(`"\b\t\f\r\u000B"`))},
		{"uuid", "fd7af248-ce5c-46a5-93d7-1c0c9005b99d", "fd7af248ce5c46a593d71c0c9005b99d"},
		{"uuid", "FD7AF248CE5C46A593D71C0C9005B99D", "fd7af248ce5c46a593d71c0c9005b99d"},
		{"avro:1", "user-7", "00000000010c" + hex.EncodeToString([]byte("user-7"))},
		{"avro:2147483647", strings.Repeat("x", 64), "007fffffff8001" + strings.Repeat("78", 64)},
		{"hex", "00FF", "00ff"},
		{"hex", "", ""},
		{"base64", "AP8=", "00ff"},
		{"base64", "AP8", "00ff"},
		{"base64", "-_-_", "fbffbf"},
		{"base64", "", ""},
	} {
		got, err := encoding(t, row.encoding).AppendKey(nil, row.text)
		if err != nil || got == nil || hex.EncodeToString(got) != row.want {
			t.Errorf("%s of %q: got %x (%v), want %s", row.encoding, row.text, got, err, row.want)
		}
	}
}

// TestSerializersDecideThePartition asserts that one number is three keys
// (Java, 12 partitions).
func TestSerializersDecideThePartition(t *testing.T) {
	java, err := partition.Lookup("java")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]partition.Placement{"raw": 2, "int64": 0, "int32": 7} {
		key, err := encoding(t, name).AppendKey(nil, "8831")
		if err != nil {
			t.Fatal(err)
		}
		if got := java.Place(key, 12); got != want {
			t.Errorf("8831 as %s: partition %v, want %v", name, got, want)
		}
	}
}

func TestBadKeys(t *testing.T) {
	for _, row := range []struct{ encoding, text, want string }{
		{"int32", "abc", "not a decimal integer"},
		{"int32", "2147483648", "does not fit in int32"},
		{"int64", "", "not a decimal integer"},
		{"int64", "9223372036854775808", "does not fit in int64"},
		{"uuid", "fd7af248-ce5c-46a5-93d7", "not a UUID"},
		{"uuid", "fd7af248_ce5c_46a5_93d7_1c0c9005b99d", "not a UUID"},
		{"hex", "abc", "not hexadecimal"},
		{"hex", "zz", "not hexadecimal"},
		{"base64", "AP8==", "not base64"},
		{"base64", "A", "not base64"},
		{"base64", "AP9=", "not base64"}, // bits beyond the last byte are set
		{"base64", "AP8\n", "not base64"},
		{"json", "\xff", "not valid UTF-8"},
		{"avro:1", "\xff", "not valid UTF-8"},
	} {
		if _, err := encoding(t, row.encoding).AppendKey(nil, row.text); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s of %q: got error %v, want %q", row.encoding, row.text, err, row.want)
		}
	}
}

func TestBadEncodingNames(t *testing.T) {
	for name, want := range map[string]string{
		"int":             "want one of raw, json",
		"avro":            "needs the schema id",
		"avro:":           "not a whole number",
		"avro:-1":         "not a whole number",
		"avro:4294967296": "not a whole number",
		"RAW":             "unknown key encoding",
		"avro:1,avro:2":   "not a whole number",
	} {
		if _, err := partition.ParseKeyEncoding(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", name, err, want)
		}
	}
}

// TestEncodingRoundTrip asserts that the text shown for a key leads back to the
// same bytes.
func TestEncodingRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"raw", "json", "int32", "int64", "uuid", "avro:7", "hex", "base64"}).Draw(t, "encoding")
		e, err := partition.ParseKeyEncoding(name)
		if err != nil {
			t.Fatal(err)
		}
		size := map[string]int{"int32": 4, "int64": 8, "uuid": 16}[name]
		var key []byte
		switch {
		case size > 0:
			key = rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "key")
		case name == "json" || name == "avro:7":
			if key, err = e.AppendKey(nil, rapid.String().Draw(t, "text")); err != nil {
				t.Fatal(err)
			}
		default:
			key = rapid.SliceOf(rapid.Byte()).Draw(t, "key")
		}
		again, err := e.AppendKey(nil, e.Text(key))
		if err != nil || string(again) != string(key) {
			t.Fatalf("%s: key %x became text %q, then key %x (%v)", name, key, e.Text(key), again, err)
		}
	})
}

// TestObjectHashes asserts that clients which hash a Java object see Long and
// Integer keys, not their text.
func TestObjectHashes(t *testing.T) {
	flink, err := partition.Lookup("flink")
	if err != nil {
		t.Fatal(err)
	}
	spring, err := partition.Lookup("spring-hashcode")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		encoding, text string
		want           int // Integer.hashCode, Long.hashCode, UUID.hashCode mod 97
	}{
		{"int32", "8831", 8831 % 97},
		{"int32", "-8831", 8831 % 97},
		{"int64", "8831", 8831 % 97},
		{"int64", "4294967296", 1},
		{"int64", "-1", 0},
		{"uuid", "00000001-0000-0002-0000-000400000008", 15},
	} {
		e := encoding(t, row.encoding)
		key, err := e.AppendKey(nil, row.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := spring.ForEncoding(e).Place(key, 97); got != partition.Placement(row.want) {
			t.Errorf("spring, %s %s: got %v, want %d", row.encoding, row.text, got, row.want)
		}
		if got := flink.ForEncoding(e).Place(key, 97); !got.Decided() {
			t.Errorf("flink, %s %s: refused, but it can hash the object", row.encoding, row.text)
		}
	}
	if java, _ := partition.Lookup("java"); java.ForEncoding(partition.Int64) != java {
		t.Error("java hashes bytes, so the encoding must not change it")
	}
}

// TestPulsarBinaryKeys asserts what the Java client 5.0.1 does with keyBytes: it
// hashes their Base64 text. The Long's partition was computed with other software.
func TestPulsarBinaryKeys(t *testing.T) {
	pulsar, err := partition.Lookup("pulsar-java")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]partition.Placement{"/w==": 0, "wyg=": 8, "dXNlci0xMDQy": 7} { // ff, c328, user-1042
		if got := pulsar.Place([]byte(text), 12); got != want {
			t.Errorf("%s: partition %v, want %v", text, got, want)
		}
	}
	key, err := partition.Int64.AppendKey(nil, "8831") // AAAAAAAAIn8=
	if err != nil {
		t.Fatal(err)
	}
	if got := pulsar.ForEncoding(partition.Int64).Place(key, 12); got != 10 {
		t.Errorf("8831 as a long: partition %v, want 10", got)
	}
	if got := pulsar.ForEncoding(partition.Int64).Place([]byte("short"), 12); got.Decided() {
		t.Errorf("5 bytes as a long: partition %v, want refused", got)
	}
}
