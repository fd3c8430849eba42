package figures

import (
	"fmt"
	"testing"
)

func TestSI(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.25: "0.25", 1: "1", 12.34: "12.3", 999.4: "999", 1234: "1,234", 9999: "9,999",
		10000: "10k", 41712: "41.7k", 999600: "1M", 1e6: "1M", 1.25e9: "1.25G", 2e15: "2P", 1e21: "1e+06P",
		0.0001: "0.0001",
	} {
		if got := si(x); got != want {
			t.Errorf("si(%g) = %q, want %q", x, got, want)
		}
	}
}

func TestLoadTicks(t *testing.T) {
	for max, want := range map[float64]string{
		1:      "[0 0.2 0.4 0.6 0.8 1.0]",
		6:      "[0 2 4 6]",
		9:      "[0 2 4 6 8]",
		1120:   "[0 250 500 750 1,000]",
		11200:  "[0 2.5k 5.0k 7.5k 10.0k]",
		70000:  "[0 20k 40k 60k]",
		1.12e9: "[0 0.25G 0.50G 0.75G 1.00G]",
	} {
		var labels []string
		for _, tick := range (loadTicks{}).Ticks(0, max) {
			labels = append(labels, tick.Label)
		}
		if got := fmt.Sprint(labels); got != want {
			t.Errorf("up to %g: %s, want %s", max, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	if got := shorten("user-8831", 9); got != "user-8831" {
		t.Error(got)
	}
	if got := shorten("0123456789", 9); got != "012345…89" {
		t.Error(got)
	}
}
