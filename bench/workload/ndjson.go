package workload

import (
	"bytes"
	"strings"
)

// ndjsonFormat is JSON objects, one a line or over several lines, with the members
// key, count, bytes, tenant and partition in any case. The key is a string or a
// number, whose text is the key; null is the null key.
var ndjsonFormat = newJSONFormat(format{
	name:       NDJSON,
	extensions: []string{".ndjson", ".jsonl"},
	layout:     "JSON objects",
}, jsonFlavour{
	roles: []jsonMember{{keyColumn, jsonKey}, {countColumn, jsonCount}, {bytesColumn, jsonBytes}, {tenantColumn, jsonTenant}, {partitionColumn, jsonPartition}},
	known: func(has func(string) bool) bool { return has(keyColumn) },
	why:   "because the first line is a JSON object with a key",
})

// kcatJSONFormat is what kcat -J prints.
var kcatJSONFormat = newJSONFormat(format{
	name:   KcatJSON,
	layout: "JSON of kcat: key, partition",
}, jsonFlavour{
	roles: []jsonMember{{keyColumn, jsonKey}, {partitionColumn, jsonPartition}, {topicMember, jsonTopic}},
	known: func(has func(string) bool) bool {
		return has(topicMember) && has(partitionColumn) && has("offset") && (has("ts") || has("tstype") || has("broker") || has("payload"))
	},
	why: "because the first line has the members that kcat -J prints",
})

// rpkJSONFormat is what rpk topic consume prints without -f: JSON over several
// lines, where an empty key is left out as a null key is. With --meta-only it has
// the size of the value.
var rpkJSONFormat = newJSONFormat(format{
	name:   RpkJSON,
	layout: "JSON of rpk: key, partition",
}, jsonFlavour{
	roles:   []jsonMember{{keyColumn, jsonKey}, {partitionColumn, jsonPartition}, {topicMember, jsonTopic}, {"value_size", jsonBytes}},
	keyless: true,
	known: func(has func(string) bool) bool {
		return has(topicMember) && has("timestamp") && has(partitionColumn) && has("offset")
	},
	why: "because the first object has the members that rpk prints",
})

const topicMember = "topic"

// A jsonFlavour says which members of an object are used for what.
type jsonFlavour struct {
	roles   []jsonMember
	keyless bool                             // an object may have no key, which is null then
	known   func(has func(string) bool) bool // whether an object with these members is of this flavour
	why     string
}

// A jsonMember is a member of an object that is used.
type jsonMember struct {
	name string
	role jsonRole
}

// A jsonRole is what a member is used for.
type jsonRole int

const (
	jsonKey jsonRole = iota
	jsonCount
	jsonBytes
	jsonTenant
	jsonPartition
	jsonTopic
	jsonRoles // their number
)

func newJSONFormat(f format, flavour jsonFlavour) format {
	f.sniff = flavour.sniff
	f.read = func(src *source, in *intake) error { return readJSON(src, in, flavour) }
	f.samples = f.read
	return f
}

// sniff looks at the first object only: an error in a later one is better than
// taking all of them for bare keys.
func (f jsonFlavour) sniff(s sample) (why string, ok bool) {
	text := bytes.TrimLeft(s.text, " \t\r\n")
	var names []string
	_, wrong := jsonScanner{text}.object(func(name []byte, _, _ int) { names = append(names, string(name)) })
	if wrong != nil && (!wrong.ends || s.whole) {
		return "", false
	}
	return f.why, f.known(func(want string) bool {
		for _, name := range names {
			if strings.EqualFold(name, want) {
				return true
			}
		}
		return false
	})
}
