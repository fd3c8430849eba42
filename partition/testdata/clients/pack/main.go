// Pack reads the answers of the real clients from standard input and writes one
// compressed vector file per preset.
//
//	pack KEYS COUNTS OUTDIR < answers
//
// Two kinds of lines come in, their fields separated by tabs:
//
//	client  preset  library  version  algorithm  unit
//	row     preset  key      hash     partitions values
//
// A key is in hex, or "null". A hash is signed decimal or empty. Partitions are
// separated by spaces, in the order of COUNTS; "refused" says that the client
// cannot take the key, nothing that it does not answer in partitions. Values are
// raw answers in the client's own unit (slot, token, key group): one for the key, or
// one per partition count. Trailing fields may be missing.
//
// Every row comes 24 times. Rows that differ are how a client shows that it does not
// place this key by its bytes: all their partitions become null.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	repeats = 24
	// Below this many partitions two random choices are too often equal.
	countForRandomness = 16
	nullKey            = "null"
)

type header struct {
	Client    string `json:"client"`
	Library   string `json:"library"`
	Version   string `json:"version"`
	Algorithm string `json:"algorithm"`
	Unit      string `json:"unit,omitempty"`
	// NullKey is null where the client has no null key or its answer was not asked for.
	NullKey         []*int `json:"nullKey"`
	NullKeyRefused  bool   `json:"nullKeyRefused,omitempty"`
	PartitionCounts []int  `json:"partitionCounts"`
}

type row struct {
	KeyHex     string  `json:"keyHex"`
	Hash       *int32  `json:"hash,omitempty"`
	Value      *int64  `json:"value,omitempty"`
	Values     []int64 `json:"values,omitempty"`
	Partitions []*int  `json:"partitions,omitempty"`
	Refused    bool    `json:"refused,omitempty"`
}

// answers holds what one client said about one key, once per call.
type answers struct {
	hash, values string
	refused      bool
	calls        [][]int
}

type client struct {
	header
	keys map[string]*answers
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: pack KEYS COUNTS OUTDIR < answers")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(keysFile, countsFile, dir string, in io.Reader) error {
	keys, err := readKeys(keysFile)
	if err != nil {
		return err
	}
	counts, err := readCounts(countsFile)
	if err != nil {
		return err
	}
	clients, err := readAnswers(in)
	if err != nil {
		return err
	}
	if len(clients) == 0 {
		return errors.New("no answers on standard input")
	}
	for _, c := range clients {
		file, err := c.encode(keys, counts)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Client, err)
		}
		path := filepath.Join(dir, c.Client+".json.gz")
		if err := write(path, file); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %s %s\n", path, c.Library, c.Version)
	}
	return nil
}

func readKeys(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	var keys []string
	for _, line := range lines[1:] {
		key, _, ok := strings.Cut(line, ",")
		if !ok {
			return nil, fmt.Errorf("%s: no comma in %q", file, line)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func readCounts(file string) ([]int, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ints[int](string(data))
}

func ints[T int | int64](s string) ([]T, error) {
	var out []T
	for _, field := range strings.Fields(s) {
		v, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, T(v))
	}
	return out, nil
}

func readAnswers(in io.Reader) ([]*client, error) {
	var clients []*client
	byName := map[string]*client{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f := append(strings.Split(lines.Text(), "\t"), make([]string, 6)...)
		c := byName[f[1]]
		switch {
		case f[0] == "client" && c == nil:
			c = &client{keys: map[string]*answers{}}
			c.Client, c.Library, c.Version, c.Algorithm, c.Unit = f[1], f[2], f[3], f[4], f[5]
			if c.Version == "" {
				return nil, fmt.Errorf("%s: no version", c.Client)
			}
			byName[c.Client] = c
			clients = append(clients, c)
		case f[0] == "row" && c != nil:
			if err := c.add(f[2], f[3], f[4], f[5]); err != nil {
				return nil, fmt.Errorf("%s: key %q: %w", c.Client, f[2], err)
			}
		default:
			return nil, fmt.Errorf("unexpected line %q", lines.Text())
		}
	}
	return clients, lines.Err()
}

func (c *client) add(key, hash, partitions, values string) error {
	a := c.keys[key]
	if a == nil {
		a = &answers{hash: hash, values: values, refused: partitions == "refused"}
		c.keys[key] = a
	}
	if a.hash != hash || a.values != values || a.refused != (partitions == "refused") {
		return errors.New("hash, values or refusal differ from call to call")
	}
	var call []int
	if !a.refused {
		var err error
		if call, err = ints[int](partitions); err != nil {
			return err
		}
	}
	a.calls = append(a.calls, call)
	return nil
}

// partitions returns what all calls agreed on, one entry per partition count, nil
// in all of them if the calls disagree.
func (a *answers) partitions(counts []int) ([]*int, error) {
	if len(a.calls) != repeats {
		return nil, fmt.Errorf("%d calls instead of %d", len(a.calls), repeats)
	}
	if a.refused {
		return nil, nil
	}
	var varies, steady int
	out := make([]*int, len(counts))
	for i, n := range counts {
		same := true
		for _, call := range a.calls {
			if len(call) != len(counts) {
				return nil, fmt.Errorf("%d partitions for %d counts", len(call), len(counts))
			}
			if call[i] < 0 || call[i] >= n {
				return nil, fmt.Errorf("partition %d of %d", call[i], n)
			}
			same = same && call[i] == a.calls[0][i]
		}
		out[i] = &a.calls[0][i]
		switch {
		case !same:
			varies++
		case n >= countForRandomness:
			steady++
		}
	}
	if varies > 0 {
		if steady > 0 {
			return nil, fmt.Errorf("differs from call to call at %d counts and is steady at %d", varies, steady)
		}
		return make([]*int, len(counts)), nil
	}
	return out, nil
}

func (c *client) encode(keys []string, counts []int) ([]byte, error) {
	if first := c.keys[keys[0]]; first != nil && !first.refused && len(first.calls[0]) == 0 {
		counts = []int{} // answers in its own unit only
	}
	c.PartitionCounts = counts
	if null := c.keys[nullKey]; null != nil {
		c.NullKeyRefused = null.refused
		var err error
		if c.NullKey, err = null.partitions(counts); err != nil {
			return nil, fmt.Errorf("null key: %w", err)
		}
		delete(c.keys, nullKey)
	}

	head, err := json.Marshal(c.header)
	if err != nil {
		return nil, err
	}
	// One row per line compresses well and is readable with zless.
	out := bytes.NewBuffer(bytes.TrimSuffix(head, []byte("}")))
	out.WriteString(",\"rows\":[")
	for i, key := range keys {
		a := c.keys[key]
		if a == nil {
			return nil, fmt.Errorf("key %q is missing", key)
		}
		delete(c.keys, key)
		r := row{KeyHex: key, Refused: a.refused}
		if r.Partitions, err = a.partitions(counts); err != nil {
			return nil, fmt.Errorf("key %q: %w", key, err)
		}
		if a.hash != "" {
			h, err := strconv.ParseInt(a.hash, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("key %q: %w", key, err)
			}
			r.Hash = new(int32(h))
		}
		values, err := ints[int64](a.values)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", key, err)
		}
		if len(values) == 1 {
			r.Value = &values[0]
		} else {
			r.Values = values
		}
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n")
		out.Write(line)
	}
	out.WriteString("\n]}\n")
	if len(c.keys) > 0 {
		return nil, fmt.Errorf("%d keys that the key list does not have", len(c.keys))
	}
	return out.Bytes(), nil
}

// write compresses file to path. It leaves a file with the same content alone, because
// another Go release may compress the same content to other bytes.
func write(path string, file []byte) error {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if z, err := gzip.NewReader(bytes.NewReader(old)); err == nil {
		if content, err := io.ReadAll(z); err == nil && bytes.Equal(content, file) {
			return nil
		}
	}
	// Neither name nor time goes into the gzip header: the same content gives the same bytes.
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(file); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, slices.Clip(out.Bytes()), 0o644)
}
