package workload

// Uniform gives every key the same weight.
type Uniform struct{}

func (Uniform) String() string { return "uniform" }

func (Uniform) problem() (parameter int, what, fix string) { return 0, "", "" }

func (Uniform) fill(w []float64, first, n int) {
	for j := range w {
		w[j] = 1
	}
}
