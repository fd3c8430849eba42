package partition

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A KeyEncoding turns the text of a key, as it stands in a file or on the
// command line, into the bytes that a serializer puts on the wire. Partitions
// depend on the bytes: "8831" as text, as a long and as JSON are three keys.
//
// The zero value is Raw.
type KeyEncoding struct {
	kind     encodingKind
	schemaID uint32 // of avro
}

type encodingKind uint8

const (
	rawKind encodingKind = iota
	jsonKind
	int32Kind
	int64Kind
	uuidKind
	avroKind
	hexKind
	base64Kind
)

// The encodings without a parameter; [ParseKeyEncoding] also makes avro:<id>.
var (
	Raw    = KeyEncoding{kind: rawKind}    // the text's own bytes: String serializers
	JSON   = KeyEncoding{kind: jsonKind}   // a JSON string, quoted, escaped as Jackson does
	Int32  = KeyEncoding{kind: int32Kind}  // 4 bytes big-endian: IntegerSerializer
	Int64  = KeyEncoding{kind: int64Kind}  // 8 bytes big-endian: LongSerializer
	UUID   = KeyEncoding{kind: uuidKind}   // the 16 bytes of a UUID; Java's UUIDSerializer writes text, which is Raw
	Hex    = KeyEncoding{kind: hexKind}    // bytes written in hexadecimal
	Base64 = KeyEncoding{kind: base64Kind} // bytes written in base64, padded or not, either alphabet
)

var encodingNames = map[string]KeyEncoding{
	"raw": Raw, "json": JSON, "int32": Int32, "int64": Int64, "uuid": UUID, "hex": Hex, "base64": Base64,
}

// KeyEncodingNames lists what [ParseKeyEncoding] takes, for usage texts.
const KeyEncodingNames = "raw, json, int32, int64, uuid, avro:<schema id>, hex, base64"

// ParseKeyEncoding returns the encoding with the given name: raw, json, int32,
// int64, uuid, hex, base64, or avro:<schema id> for the Confluent wire format of
// an Avro string (a zero byte, the schema id in 4 bytes big-endian, the length
// as a zigzag varint, the text), with an id from 0 to 2147483647.
func ParseKeyEncoding(name string) (KeyEncoding, error) {
	if e, ok := encodingNames[name]; ok {
		return e, nil
	}
	if id, ok := strings.CutPrefix(name, "avro:"); ok {
		n, err := strconv.ParseUint(id, 10, 31)
		if err != nil {
			return KeyEncoding{}, fmt.Errorf("key encoding %q: schema id %q is not a whole number from 0 to 2147483647, as in avro:42", name, id)
		}
		return KeyEncoding{kind: avroKind, schemaID: uint32(n)}, nil
	}
	if name == "avro" {
		return KeyEncoding{}, errors.New(`key encoding "avro" needs the schema id, as in avro:42`)
	}
	return KeyEncoding{}, fmt.Errorf("unknown key encoding %q: want one of %s", name, KeyEncodingNames)
}

// String returns the name that [ParseKeyEncoding] takes.
func (e KeyEncoding) String() string {
	if e.kind == avroKind {
		return fmt.Sprintf("avro:%d", e.schemaID)
	}
	for name, known := range encodingNames {
		if known == e {
			return name
		}
	}
	return "invalid"
}

// AppendKey appends the key bytes of text to dst. The result is never nil, so
// that an empty text in an encoding that allows it is the empty key, not the
// null key. The error says why text is not a value of the encoding.
func (e KeyEncoding) AppendKey(dst []byte, text string) ([]byte, error) {
	if dst == nil {
		dst = []byte{}
	}
	switch e.kind {
	case jsonKind:
		if !utf8.ValidString(text) {
			return nil, errors.New("not valid UTF-8, so it has no JSON form: give the bytes with --key-encoding hex")
		}
		return appendJSON(dst, text), nil
	case int32Kind:
		n, err := parseInt(text, 32)
		return binary.BigEndian.AppendUint32(dst, uint32(n)), err
	case int64Kind:
		n, err := parseInt(text, 64)
		return binary.BigEndian.AppendUint64(dst, uint64(n)), err
	case uuidKind:
		return appendUUID(dst, text)
	case avroKind:
		if !utf8.ValidString(text) {
			return nil, errors.New("not valid UTF-8, so it is no Avro string: give the bytes with --key-encoding hex")
		}
		dst = append(dst, 0)
		dst = binary.BigEndian.AppendUint32(dst, e.schemaID)
		dst = binary.AppendVarint(dst, int64(len(text)))
		return append(dst, text...), nil
	case hexKind:
		b, err := hex.DecodeString(text)
		if err != nil {
			return nil, errors.New("not hexadecimal: want an even number of digits 0-9 a-f and nothing else")
		}
		return append(dst, b...), nil
	case base64Kind:
		return appendBase64(dst, text)
	}
	return append(dst, text...), nil
}

func parseInt(text string, bits int) (int64, error) {
	n, err := strconv.ParseInt(text, 10, bits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("does not fit in int%d", bits)
	case err != nil:
		return 0, fmt.Errorf("not a decimal integer, so not an int%d", bits)
	}
	return n, nil
}

// appendJSON appends text as a JSON string the way Jackson, Java's usual JSON
// serializer, writes it: short escapes where JSON has them, \u00XX in capitals
// for other control characters, everything else as it is. (Go's encoding/json
// also escapes U+2028, and < > & by default, which would make other keys.)
func appendJSON(dst []byte, text string) []byte {
	const digits = "0123456789ABCDEF"
	dst = append(dst, '"')
	for i := range len(text) {
		switch b := text[i]; {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b >= 0x20:
			dst = append(dst, b)
		case b == '\b':
			dst = append(dst, '\\', 'b')
		case b == '\t':
			dst = append(dst, '\\', 't')
		case b == '\n':
			dst = append(dst, '\\', 'n')
		case b == '\f':
			dst = append(dst, '\\', 'f')
		case b == '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[b>>4], digits[b&15])
		}
	}
	return append(dst, '"')
}

// appendUUID appends the 16 bytes of a UUID written 8-4-4-4-12, or as 32 digits.
func appendUUID(dst []byte, text string) ([]byte, error) {
	digits := text
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		digits = text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	}
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != 16 {
		return nil, errors.New("not a UUID: want 32 hexadecimal digits, plain or as 8-4-4-4-12")
	}
	return append(dst, b...), nil
}

// appendBase64 accepts padded and unpadded text in the standard and the URL-safe
// alphabet, since exports use all four.
func appendBase64(dst []byte, text string) ([]byte, error) {
	standard := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	b, err := base64.RawStdEncoding.Strict().DecodeString(standard)
	if err != nil || strings.ContainsAny(text, "\r\n") || len(text) != len(standard) && len(text)%4 != 0 {
		return nil, errors.New("not base64")
	}
	return append(dst, b...), nil
}

// Text returns the text whose key is the given bytes, the inverse of AppendKey up
// to spelling: hexadecimal in lower case, base64 padded, UUIDs with hyphens.
// Bytes that are no value of the encoding, and the null key, come back as they
// are.
func (e KeyEncoding) Text(key []byte) string {
	switch {
	case e.kind == int32Kind && len(key) == 4:
		return strconv.Itoa(int(int32(binary.BigEndian.Uint32(key))))
	case e.kind == int64Kind && len(key) == 8:
		return strconv.FormatInt(int64(binary.BigEndian.Uint64(key)), 10)
	case e.kind == uuidKind && len(key) == 16:
		h := hex.EncodeToString(key)
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	case e.kind == hexKind:
		return hex.EncodeToString(key)
	case e.kind == base64Kind:
		return base64.StdEncoding.EncodeToString(key)
	case e.kind == jsonKind:
		var text string
		if json.Unmarshal(key, &text) == nil {
			return text
		}
	case e.kind == avroKind && len(key) > 5:
		if length, n := binary.Varint(key[5:]); n > 0 && int64(len(key)-5-n) == length {
			return string(key[5+n:])
		}
	}
	return string(key)
}

// ForEncoding returns the client as it maps keys of encoding e. Only clients
// that hash a Java object instead of bytes differ: with int32, int64 and uuid
// the object is an Integer, a Long or a UUID, and its own hashCode counts. Pulsar's
// Java client takes such keys as bytes, of which it hashes the Base64 text. Keys of
// another length are refused.
func (c *Client) ForEncoding(e KeyEncoding) *Client {
	var name string
	var hashCode func([]byte) uint32
	var size int
	switch e.kind {
	case int32Kind:
		name, hashCode, size = "Integer.hashCode", javaIntegerHash, 4
	case int64Kind:
		name, hashCode, size = "Long.hashCode", javaLongHash, 8
	case uuidKind:
		name, hashCode, size = "UUID.hashCode", javaUUIDHash, 16
	default:
		return c
	}
	object := *c
	object.Text, object.Size = false, size
	switch c.Name {
	case "spring-hashcode":
		object.Hash = word(name, 32, hashCode)
	case "flink":
		object.Hash = flinkOf(name, hashCode)
	case "pulsar-java":
		object.Hash = word("javahash of Base64", 32, func(key []byte) uint32 {
			return javaStringHash([]byte(base64.StdEncoding.EncodeToString(key)))
		})
	default:
		return c
	}
	return &object
}
