// Go asks the partitioners of the Go clients.
//
//	go run . KEYS COUNTS
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

const repeats = 24

// preset is one setting of one client. Key is nil for the null key, and empty but
// not nil for the empty key.
type preset struct {
	name, module, algorithm string
	hash                    func(key []byte) int32 // nil: not to be had
	partition               func(key []byte, n int) int
	// value replaces partition for clients that answer in a unit of their own.
	value func(key []byte) int64
	unit  string
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: go run . KEYS COUNTS")
	}
	keys := [][]byte{nil}
	for _, line := range lines(os.Args[1])[1:] {
		field, _, _ := strings.Cut(line, ",")
		key, err := hex.DecodeString(field)
		if err != nil {
			log.Fatal(err)
		}
		keys = append(keys, append([]byte{}, key...))
	}
	var counts []int
	for _, line := range lines(os.Args[2]) {
		n, err := strconv.Atoi(line)
		if err != nil {
			log.Fatal(err)
		}
		counts = append(counts, n)
	}

	out := bufio.NewWriter(os.Stdout)
	for _, p := range presets(counts) {
		fmt.Fprintf(out, "client\t%s\t%s\t%s\t%s\t%s\n", p.name, p.module, version(p.module), p.algorithm, p.unit)
		for _, key := range keys {
			p.ask(out, key, counts)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

func presets(counts []int) []preset {
	all := append(saramaPresets(), kafkaGoPresets(counts)...)
	all = append(all, franzPresets()...)
	return append(all, pulsarGo(counts), cassandra())
}

// ask calls one after another, so that a sticky or rotating choice shows.
func (p preset) ask(out *bufio.Writer, key []byte, counts []int) {
	name := "null"
	if key != nil {
		name = hex.EncodeToString(key)
	} else if p.partition == nil {
		return // without partitions there is no null key
	}
	for range repeats {
		fmt.Fprintf(out, "row\t%s\t%s\t", p.name, name)
		if p.hash != nil && key != nil {
			fmt.Fprint(out, p.hash(key))
		}
		fmt.Fprint(out, "\t")
		if p.value != nil {
			fmt.Fprintf(out, "\t%d\n", p.value(key))
			continue
		}
		for i, n := range counts {
			if i > 0 {
				fmt.Fprint(out, " ")
			}
			fmt.Fprint(out, p.partition(key, n))
		}
		fmt.Fprintln(out)
	}
}

func lines(file string) []string {
	data, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// version reads what go.mod chose from the running program.
func version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		log.Fatal("no build information")
	}
	for _, dep := range info.Deps {
		if dep.Path == module {
			return dep.Version
		}
	}
	log.Fatalf("%s is not part of this program", module)
	return ""
}
