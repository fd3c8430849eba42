package reports

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
	"github.com/keyspread/keyspread/partition/detect"
)

// A Redactor replaces the names of keys and tenants by a keyed hash of them:
//
//	user-8831  becomes  key-3f9a1c2b7d4e8a10
//
// The same name becomes the same hash wherever it stands. Null and empty keys stay
// what they are. The hash is HMAC-SHA256, cut to 64 bits: two of ten million names
// share one with a probability of 3 in a million.
//
// Redact results before they are drawn or written, then no format shows a name. A
// nil *Redactor replaces nothing. Left alone are counts, partitions, and the names
// of files; where a key lands narrows down which one it is.
type Redactor struct{ mac hash.Hash }

// NewRedactor returns a redactor with the secret as the key of its hash, so that
// results redacted with one secret can be compared. Whoever knows the secret can
// test whether a name is the one that was redacted, so it should be long and
// random. With an empty secret the key is random: then names cannot be compared
// with those of another redactor.
func NewRedactor(secret string) *Redactor {
	key := []byte(secret)
	if secret == "" {
		key = make([]byte, sha256.Size)
		rand.Read(key) // never fails
	}
	return &Redactor{hmac.New(sha256.New, key)}
}

// Name returns what stands for a key that is neither null nor empty.
func (r *Redactor) Name(key string) string { return r.hash("key", key) }

// Tenant returns what stands for a tenant. A key and a tenant of the same name
// have different hashes.
func (r *Redactor) Tenant(name string) string { return r.hash("tenant", name) }

// redactedBytes is how much of a hash stands for a name.
const redactedBytes = 8

func (r *Redactor) hash(kind, name string) string {
	r.mac.Reset()
	r.mac.Write([]byte(kind + "\x00" + name))
	return kind + "-" + hex.EncodeToString(r.mac.Sum(nil)[:redactedBytes])
}

// Key returns what stands for a key of a result.
func (r *Redactor) Key(k partition.KeyText) partition.KeyText {
	if r == nil {
		return k
	}
	text, err := k.Bytes()
	if err != nil { // a result edited by hand
		text = []byte(k.KeyHex)
	}
	if len(text) == 0 {
		return k
	}
	return partition.TextOf(r.Name(string(text)))
}

// text returns what stands for a text that was given for a key. Spellings of one
// key, such as 0A and 0a in hexadecimal, are one name.
func (r *Redactor) text(text string, key []byte, encoding partition.KeyEncoding) string {
	if r == nil || text == "" {
		return text
	}
	return r.Name(encoding.Text(key))
}

// Spreads redacts the names of keys in spreads, those in the reasons of verdicts
// included.
func (r *Redactor) Spreads(results []*bench.Spread) {
	if r == nil {
		return
	}
	for _, s := range results {
		for i, k := range s.TopKeys {
			s.TopKeys[i].KeyText = r.Key(k.KeyText)
		}
		if s.HotKey != nil {
			s.HotKey.KeyText = r.Key(s.HotKey.KeyText)
		}
		s.Judge()
	}
}

// Churns redacts the names of keys in changes.
func (r *Redactor) Churns(changes []*bench.Churn) {
	if r == nil {
		return
	}
	for _, c := range changes {
		for i, k := range c.TopMoved {
			c.TopMoved[i].KeyText = r.Key(k.KeyText)
		}
	}
}

// Detection redacts the names of keys in a detection.
func (r *Redactor) Detection(d detect.Detection) detect.Detection {
	if r == nil {
		return d
	}
	several := make([]detect.SplitKey, len(d.Several))
	for i, s := range d.Several {
		several[i] = detect.SplitKey{Key: r.Name(s.Key), Partitions: s.Partitions}
	}
	d.Several = several
	return d
}
