// Package scenarios holds the inputs that come with keyspread: trimmed copies of
// two real, skewed key sources, so that every command can be tried without any
// file at hand.
//
// Start with [Inputs] for what there is and [Open] for one of them. Left out so
// far: scenarios, which add arrivals, consumers and strategies to a key source.
package scenarios

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
)

// Prefix marks the name of an embedded input where a file name is expected, as
// in example:flights.
const Prefix = "example:"

// An Input is one embedded key source.
type Input struct {
	Name   string // what follows Prefix
	File   string // its file name, which tells the format
	About  string // what it is
	Origin string // where it comes from and how it was trimmed

	data []byte // compressed with zstd
}

//go:embed flights-2001.csv.zst
var flights []byte

//go:embed npm-downloads.csv.zst
var npm []byte

var inputs = []Input{
	{
		Name:   "flights",
		File:   "flights-2001.csv.zst",
		About:  "25,000 US domestic flights in order of departure; key = route, tenant = origin airport, bytes = distance in miles standing in for record size",
		Origin: "US Bureau of Transportation Statistics on-time data (public US government data), the first 25,000 flights of 2001, as shipped in the npm package vega-datasets 3.2.1",
		data:   flights,
	},
	{
		Name:   "npm",
		File:   "npm-downloads.csv.zst",
		About:  "monthly downloads of the 5,000 most downloaded npm packages; key = package, tenant = its scope",
		Origin: "npm registry download counts of autumn 2026, the first 5,000 of the 20,000 most downloaded packages",
		data:   npm,
	},
}

// Inputs lists the embedded key sources.
func Inputs() []Input { return inputs }

// Open returns the compressed content of the embedded input with the given
// name, with or without [Prefix], and its file name. An unknown name is an error
// that lists the known ones.
func Open(name string) (content io.Reader, file string, err error) {
	short := strings.TrimPrefix(name, Prefix)
	var known []string
	for _, in := range inputs {
		if in.Name == short {
			return bytes.NewReader(in.data), in.File, nil
		}
		known = append(known, Prefix+in.Name)
	}
	return nil, "", fmt.Errorf("no embedded input %q: there are %s", name, strings.Join(known, " and "))
}
