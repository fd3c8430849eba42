package partition

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A KeyText is the text of a key as results hold it in JSON, where it is
// embedded beside the other fields of a row:
//
//	null key         {"key": null}
//	valid UTF-8      {"key": "user-8831"}
//	any other bytes  {"key": "\ufffd(", "keyHex": "c328"}
type KeyText struct {
	// Key is the text, nil for the null key. If KeyHex is set it is only for
	// reading, with U+FFFD where the bytes are not UTF-8.
	Key *string `json:"key"`
	// KeyHex holds the text's bytes in hexadecimal if it is not valid UTF-8.
	KeyHex string `json:"keyHex,omitempty"`
}

// NewKeyText returns the text of a key of the given encoding, as results hold it.
func NewKeyText(key []byte, encoding KeyEncoding) KeyText {
	if key == nil {
		return KeyText{}
	}
	return TextOf(encoding.Text(key))
}

// TextOf returns a text that is not that of the null key, as results hold it.
func TextOf(text string) KeyText {
	if utf8.ValidString(text) {
		return KeyText{Key: &text}
	}
	readable := strings.ToValidUTF8(text, "\uFFFD")
	return KeyText{Key: &readable, KeyHex: hex.EncodeToString([]byte(text))}
}

// Bytes returns the exact bytes of the text: nil for the null key, an empty slice
// for an empty text. The error says that KeyHex is not hexadecimal.
func (k KeyText) Bytes() ([]byte, error) {
	switch {
	case k.KeyHex != "":
		b, err := hex.DecodeString(k.KeyHex)
		if err != nil {
			return nil, fmt.Errorf("keyHex %q: %w", k.KeyHex, err)
		}
		return b, nil
	case k.Key == nil:
		return nil, nil
	default:
		return []byte(*k.Key), nil
	}
}
