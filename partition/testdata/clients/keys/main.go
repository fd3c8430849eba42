// Keys writes the key list that every client is asked about: a header, then one line
// per key with its bytes in hex and why it is there.
//
//	keys > keys.csv
//
// Lines are in a fixed order and the random keys have a fixed seed, so the output never
// changes unless this program does. A reason never contains a comma: programs in
// other languages take what is before the first one.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"
)

// list keeps keys in order of arrival; a key that comes again only adds its reason.
type list struct {
	keys []string
	why  map[string][]string
}

func (l *list) add(why string, keys ...string) {
	if strings.ContainsAny(why, ",\n") {
		log.Fatalf("keys: reason %q would break the file", why)
	}
	for _, key := range keys {
		if l.why[key] == nil {
			l.keys = append(l.keys, key)
		}
		l.why[key] = append(l.why[key], why)
	}
}

func (l *list) addHex(why string, keys ...string) {
	for _, key := range keys {
		b, err := hex.DecodeString(key)
		if err != nil {
			log.Fatalf("keys: %q: %v", key, err)
		}
		l.add(why, string(b))
	}
}

func main() {
	l := &list{why: map[string][]string{}}
	edges(l)
	published(l)
	shapes(l)
	numbers(l)
	texts(l)
	random(l)

	out := bufio.NewWriter(os.Stdout)
	fmt.Fprintln(out, "hex,why")
	for _, key := range l.keys {
		fmt.Fprintf(out, "%x,%s\n", key, strings.Join(l.why[key], "; "))
	}
	if err := out.Flush(); err != nil {
		log.Fatalf("keys: %v", err)
	}
}

// edges are keys at the border of a reduction, found by brute force: there a mask, an
// absolute value before or after the remainder, and an unsigned remainder part ways.
func edges(l *list) {
	l.add("empty key", "")
	l.addHex("murmur2 = 0x80000000", "a7d6506c")
	l.addHex("murmur2 = 0x80000001", "3334f6a5")
	l.addHex("murmur2 = 0xffffffff", "a5d4305c")
	l.addHex("murmur2 = 0x7fffffff", "027d5343")
	l.addHex("murmur2 = 0", "e3871844")
	l.addHex("murmur2 = 1", "039d77d8")
	l.add("fnv1a = 0x80000000", "1468509572224")
	l.add("fnv1a = 0xffffffff", "user-596894489")
	l.add("fnv1a = 0x7fffffff", "user-1289048077")
	l.add("fnv1a = 0", "user-1227980079")
	l.addHex("crc32 = 0x80000000", "4e85ec36")
	l.addHex("crc32 = 0xffffffff", "ffffffff")
	l.addHex("crc32 = 0", "9d0ad96d")
	l.add("crc32 = 0", "user-5059189685")
	l.add("Java hashCode = 0x80000000", "polygenelubricants")
	l.add("Java hashCode = 0x80000001", "alxexlnc")
	l.add("Java hashCode = 0x7fffffff", "alxexlna")
	l.add("Java hashCode = 0xffffffff", "aaVdeoov")
	l.add("Java hashCode = 0", "aaVdeoow")
	l.add("Java hashCode negative", "TT0124")
	l.add("Flink mix of hashCode = 0x80000000", "ahaFperf")
	l.add("Flink mix of hashCode = 0x80000001", "agqpqbsd")
	l.add("Flink mix of hashCode = 0xffffffff", "agxjyyxt")
	l.add("Flink mix of hashCode = 0x7fffffff", "aufA5izg")
	l.add("Flink mix of hashCode = 0", "adka3yql")
}

// published are keys whose partition somebody wrote down in public.
func published(l *list) {
	l.add("check value", "user-1042", "user-8831", "user-2207", "user-77519")
	l.add("Kafka unit test", "21", "foobar", "a-little-bit-long-string", "a-little-bit-longer-string",
		"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", "abc")
	l.add("librdkafka unit test", "kafka", "giberish123456789", "1234", "234", "34",
		"23456", "this is another string with more length to it perhaps", "hejsan")
	l.add("KafkaJS unit test", "0", "1", "128", "2187", "16384", "78125", "279936", "823543")
	l.add("KafkaJS issue 357", "100:48069")
	l.add("KafkaJS issue 1154", "TT0124")
	l.add("node-sinek issue 39", "wu")
	l.add("node-sinek issue 40", "thingäöüÄÖÜ")
	l.add("node-rdkafka issue 817", "fd7af248-ce5c-46a5-93d7-1c0c9005b99d")
	l.add("node-rdkafka issue 616", "354afe16-939a-4ea8-8e17-8bb0840b6886", "f562ac3b-2224-4e25-a0ab-56094e10c239")
	l.add("confluent-kafka-python issue 1481", `Struct{documentKey={"_id": "638d1b94ce8def06be68b439"}}`)
	l.add("confluent-kafka-dotnet issue 1729", "UFJPRDAuQVNTRVQuMzEwMQ.002.AC000HN.01_RMSVel")
	l.add("franz-go issue 669", "test")
	l.add("sarama issue 1213", "593b1335-381e-4281-b339-6c85cf06266a", "53aaab45-67b3-468a-a9a7-b74c46868bd1",
		"f63d51ca-e9c9-4703-987b-8d83c1efdf20", "d4279299-34c6-40a4-8796-ac6ece9385cb",
		"66b91fdb-f1a0-458b-a8c6-cde77465c4f3", "d4eeeb1b-8c45-4250-9c2c-131b38208ee8")
	l.add("sarama pull request 709", "1468509572224")
	for _, word := range []string{"foo", "bar", "qux"} {
		for i := 1; i <= 4; i++ {
			l.add("Spring documentation sample", fmt.Sprint(word, i))
		}
	}
	l.add("blog on Java and librdkafka hashing", "my_key_1", "my_key_2", "my_key_3", "my_key_4")
	l.add("REST proxy issue 610: plain", "A", "B", "C")
	l.add("REST proxy issue 610: JSON", `"A"`, `"B"`, `"C"`)
	for i := 1000; i <= 1004; i++ {
		l.add("seq on standard input", fmt.Sprint(i))
	}
	l.add("Redis hash tag", "123456789", "user1000", "{user1000}.following", "{user1000}.followers", "foo{}{bar}",
		"foo{{bar}}zap", "{bar", "foo{bar}{zap}", "bar", "{}", "foo{bar", "foo}bar{", "{a}", "}{a}", "{\x00}b")
}

// shapes are lengths and byte values: tail handling, sign extension, truncation.
func shapes(l *list) {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
	high := make([]byte, 40)
	for i := range high {
		high[i] = byte(0x80 | (37*i+11)&0x7f)
	}
	for n := 1; n <= 40; n++ {
		l.add(fmt.Sprintf("length %d; ASCII", n), digits[:n])
		l.add(fmt.Sprintf("length %d; all bytes above 7f", n), string(high[:n]))
	}
	for _, b := range []string{"\x00", "\x80", "\xff"} {
		for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 33} {
			l.add(fmt.Sprintf("byte %x repeated", b), strings.Repeat(b, n))
		}
	}
	l.addHex("one byte at a sign or ASCII border", "01", "7f", "81", "fe")
	l.addHex("only the last byte is above 7f", "0080", "000080", "00000080", "0000000080", "61616161616161ff",
		"616161616161616161616161616161ff", "61616161616161616161616161616161ff")
	l.add("long text; 256 and 257 bytes", strings.Repeat("0123456789abcdef", 16), strings.Repeat("0123456789abcdef", 16)+"g")
	l.add("long text; last byte differs", strings.Repeat("0123456789abcdef", 16)+"h")
	l.add("NUL inside", "a\x00b", "\x00a", "a\x00", "\x00\x00a\x00", "user-1042\x00", "user-1042\x00tenant-7")
}

// numbers are what the serializers of other languages make of the same value.
func numbers(l *list) {
	for _, v := range []int64{0, 1, -1, math.MinInt64, math.MaxInt64, 1 << 53, 1<<53 + 1, 8831, math.MaxInt32 + 1} {
		l.add(fmt.Sprintf("int64 %d big endian", v), string(binary.BigEndian.AppendUint64(nil, uint64(v))))
		l.add(fmt.Sprintf("int64 %d as text", v), fmt.Sprint(v))
	}
	for _, v := range []int32{0, 1, -1, math.MinInt32, math.MaxInt32, 8831} {
		l.add(fmt.Sprintf("int32 %d big endian", v), string(binary.BigEndian.AppendUint32(nil, uint32(v))))
		l.add(fmt.Sprintf("int32 %d as text", v), fmt.Sprint(v))
	}
	for _, v := range []int16{0, 1, -1, math.MinInt16, math.MaxInt16, 8831} {
		l.add(fmt.Sprintf("int16 %d big endian", v), string(binary.BigEndian.AppendUint16(nil, uint16(v))))
	}
	for _, v := range []float64{0, math.Copysign(0, -1), 1, -1, 8831, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.NaN()} {
		l.add(fmt.Sprintf("float64 %v big endian", v), string(binary.BigEndian.AppendUint64(nil, math.Float64bits(v))))
	}
	for _, v := range []float32{8831, float32(math.Copysign(0, -1)), math.MaxFloat32} {
		l.add(fmt.Sprintf("float32 %v big endian", v), string(binary.BigEndian.AppendUint32(nil, math.Float32bits(v))))
	}
	l.add("number as text", "8831.0", "-0", "0.0", "007", " 8831", "8831 ")
	for _, id := range []string{
		"fd7af248-ce5c-46a5-93d7-1c0c9005b99d", "00000000-0000-0000-0000-000000000000",
		"ffffffff-ffff-ffff-ffff-ffffffffffff", "00112233-4455-6677-8899-aabbccddeeff",
	} {
		l.addHex("UUID of 16 bytes", strings.ReplaceAll(id, "-", ""))
		l.add("UUID as text", id)
	}
	l.add("UUID as text; upper case", "FD7AF248-CE5C-46A5-93D7-1C0C9005B99D")
	l.add("UUID as text; no hyphens", "fd7af248ce5c46a593d71c0c9005b99d")
	l.addHex("schema registry magic byte; id 1 and 2; same payload", "0000000001"+"06616263", "0000000002"+"06616263")
}

// texts are what people put into keys, and bytes that are no text at all.
func texts(l *list) {
	l.add("é composed and decomposed", "caf\u00e9", "cafe\u0301")
	l.add("multi-byte text", "ü", "Zürich", "Ключ", "ключ-42", "日本語", "キー", "열쇠", "مفتاح", "कुंजी", "กุญแจ", "κλειδί", "€")
	l.add("emoji", "\U0001F600", "user-\U0001F600", "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\U0001F1EB\U0001F1F7", "\u2764\ufe0f")
	l.add("border of the UTF-8 lengths", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\U00010000", "\U0010ffff")
	l.add("around the surrogates", "\ud7ff", "\ue000", "\ufffd")
	l.add("byte-order mark", "\ufeffuser-1042", "\ufeff")
	l.add("lone surrogate as Java serializes it", "?", "a?b")

	l.addHex("invalid UTF-8: bad continuation", "c328")
	l.addHex("invalid UTF-8: surrogate", "eda080", "edb080", "eda0bdedb880")
	l.addHex("invalid UTF-8: cut off", "f09f98", "e282", "c3", "6162e2")
	l.addHex("invalid UTF-8: overlong", "c080", "c1bf", "e08080", "f0808080")
	l.addHex("invalid UTF-8: never a byte of UTF-8", "ff", "feff0069", "61ff62")
	l.addHex("invalid UTF-8: above U+10FFFF", "f4908080", "f888808080")
	l.addHex("invalid UTF-8: lone continuation", "80", "6180")

	l.add("white space", " ", "\t", "\n", "\r\n", "user-1042 ", " user-1042", "user-1042\n", "user-1042\r", "a\tb", "a\nb", "\u00a0")
	l.add("case", "User-1042", "USER-1042")
	l.add("commas and quotes", ",", `"`, `'`, `""`, "a,b", `a,"b",c`, `say "hi"`, `it's`, "a;b", `a\b`, `\`, `\n`, "`")
	l.add("looks like another format", "null", "NULL", "nil", "None", "undefined", "true", "-", "--", "#", "=1+1", "@x", "+1",
		"<b>x</b>", "| a | b |", `{"id":8831}`, "[1,2]", "3 user-7", "key,count", "%s", "$HOME", "../x", "a:b", "a/b", "a|b", "a=b", "tenant-7/user-1042",
		"tenant-7:user-1042", "user-8831#7", "a@example.org", "\x1b[31mred\x1b[0m")
	for i := range 20 {
		l.add("small text number; synthetic key", fmt.Sprint(i), fmt.Sprint("user-", i))
	}
}

// random keys come from the same generator and seed for ever.
func random(l *list) {
	source := rand.NewPCG(20260101, 12)
	key := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(source.Uint64() >> 56)
		}
		return string(b)
	}
	for i := range 48 {
		l.add("random bytes", key(2+i%24))
	}
	for _, n := range []int{41, 42, 43, 44, 47, 48, 49, 63, 64, 65, 100, 127, 128, 129, 200, 254, 255, 256, 257} {
		l.add(fmt.Sprintf("random bytes; length %d", n), key(n))
	}
	for range 24 {
		l.add("random text", fmt.Sprintf("user-%d", source.Uint64()%1e10))
	}
}
