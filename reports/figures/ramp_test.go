package figures

import "testing"

// A scale must read the same in grey: each step is darker than the one before.
func TestRamps(t *testing.T) {
	for name, r := range map[string]ramp{"blues": blues, "oranges": oranges} {
		last := 1.0
		for i := range 101 {
			now := lightness(r.at(float64(i) / 100))
			if now >= last {
				t.Errorf("%s at %d %%: lightness %v after %v", name, i, now, last)
			}
			last = now
		}
		if r.at(0) != r[0] || r.at(1) != r[len(r)-1] || r.at(-1) != r[0] || r.at(2) != r[len(r)-1] {
			t.Errorf("%s: the ends are not the ends", name)
		}
		if lightness(r[0]) > 0.88 || last < 0.2 {
			t.Errorf("%s: from %v to %v, too near to white or ink", name, lightness(r[0]), last)
		}
	}
}

func TestBins(t *testing.T) {
	for n, want := range map[int]binning{
		1: {1, 1, 1}, 100: {100, 1, 100}, 101: {101, 2, 51}, 200: {200, 2, 100}, 201: {201, 5, 41}, 1000: {1000, 10, 100}, 1_000_000: {1_000_000, 10_000, 100},
	} {
		if got := bin(n, 100); got != want {
			t.Errorf("%d: got %+v, want %+v", n, got, want)
		}
	}
	if got := bin(101, 100).name(50); got != "100 to 100" {
		t.Error(got)
	}
}
