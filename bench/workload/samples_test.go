package workload_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/bench/workload"
)

func TestSamples(t *testing.T) {
	want := []workload.Sample{{Key: "user-7", Partition: 3}, {Key: "a,b", Partition: 0}, {Key: `\N`, Null: true, Partition: 5}, {Key: "", Partition: 2}}
	for name, text := range map[string]string{
		"headerless": "user-7,3\n\"a,b\",0\n\\N,5\n,2\n",
		"header":     "partition,offset,Key\n3,10,user-7\n0,11,\"a,b\"\n5,12,\\N\n2,13,\n",
		"CR LF":      "\ufeffkey,partition\r\nuser-7,3\r\n\"a,b\",0\r\n\\N,5\r\n,2\r\n",
		"tabs":       "user-7\t3\na,b\t0\n\\N\t5\n\t2\n",
		"map":        "key,client,partitions,partition\nuser-7,java,12,3\nx,librdkafka,12,\n\"a,b\",java,12,0\n\\N,java,12,5\n,java,12,2\n",
	} {
		var got []workload.Sample
		sum, err := workload.Samples(strings.NewReader(text), "-", workload.Options{}, func(s workload.Sample) error {
			got = append(got, s)
			return nil
		})
		if err != nil || !slices.Equal(got, want) || sum.Rows != int64(len(want)) {
			t.Errorf("%s: got %+v (%d rows, %v), want %+v", name, got, sum.Rows, err, want)
		}
		if (name == "map") != (len(sum.Warnings) == 1) {
			t.Errorf("%s: warnings %q", name, sum.Warnings)
		}
	}
}

func TestSamplesRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "no key,partition pairs in s.csv",
		"key,count\na,1\n":     "s.csv:1: header: no columns named key and partition",
		"key,key,partition\n":  `header "key": this column is there twice`,
		"a,1\nb,x\n":           `s.csv:2:3: partition "x": not a partition`,
		"a,1\nb,-1\n":          `s.csv:2:3: partition "-1": not a partition`,
		"a,1\nb,2147483648\n":  "not a partition",
		"a,1\nb,c,2\n":         "s.csv:2: \"b,c,2\": 3 fields, the first row has 2",
		"key,partition\n\"a,1": "never closed",
	} {
		_, err := workload.Samples(strings.NewReader(text), "s.csv", workload.Options{}, func(workload.Sample) error { return nil })
		var bad *workload.ReadError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", text, err, want)
		}
	}
	stop := errors.New("stop")
	if _, err := workload.Samples(strings.NewReader("a,1\n"), "-", workload.Options{}, func(workload.Sample) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got error %v, want that of the caller", err)
	}
}
