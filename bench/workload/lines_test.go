package workload

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	for _, test := range []struct {
		what, input string
		want        []string
		notes       int
	}{
		{"nothing", "", nil, 0},
		{"no newline", "a", []string{`1 "a"`}, 0},
		{"newline", "a\n", []string{`1 "a"`}, 0},
		{"empty lines", "\na\n\n", []string{`1 ""`, `2 "a"`, `3 ""`}, 0},
		{"CR LF", "a\r\n\r\nb\n", []string{`1 "a"`, `2 ""`, `3 "b"`}, 1},
		{"two CRs", "a\r\r\n", []string{`1 "a\r"`}, 1},
		{"CR within", "a\rb\n", []string{`1 "a\rb"`}, 0},
		{"CR at the end", "a\r", []string{`1 "a"`}, 1},
		{"mark", "\xEF\xBB\xBFa\n\xEF\xBB\xBFb\n", []string{`1 "a"`, `2 "\ufeffb"`}, 1},
		{"two marks", "\xEF\xBB\xBF\xEF\xBB\xBFa", []string{`1 "\ufeffa"`}, 1},
		{"half a mark", "\xEF\xBBa", []string{`1 "\xef\xbba"`}, 0},
		{"mark alone", "\xEF\xBB\xBF", nil, 1},
		{"mark and newline", "\xEF\xBB\xBF\r\n", []string{`1 ""`}, 2},
	} {
		for how, r := range map[string]io.Reader{
			"at once":      strings.NewReader(test.input),
			"byte by byte": iotest.OneByteReader(strings.NewReader(test.input)),
		} {
			var got, notes []string
			lines := NewLines(r, "-", func(s string) { notes = append(notes, s) })
			for number, text := range lines.All() {
				if text == nil {
					t.Errorf("%s: line %d is nil", test.what, number)
				}
				got = append(got, fmt.Sprintf("%d %q", number, text))
			}
			if diff := cmp.Diff(test.want, got); diff != "" || lines.Err() != nil {
				t.Errorf("%s, %s: %v (-want +got):\n%s", test.what, how, lines.Err(), diff)
			}
			if len(notes) != test.notes {
				t.Errorf("%s: notes %q, want %d", test.what, notes, test.notes)
			}
		}
	}
}

// TestLinesAtOnce asserts that a line is handed out before the next is read, as
// it must be when somebody types.
func TestLinesAtOnce(t *testing.T) {
	r, w := io.Pipe()
	next := make(chan string)
	go func() {
		for _, key := range []string{"a", "b"} {
			if _, err := io.WriteString(w, key+"\n"); err != nil {
				panic(err)
			}
			next <- key // blocks until the line was handed out
		}
		w.Close()
	}()
	for _, text := range NewLines(r, "-", nil).All() {
		if want := <-next; string(text) != want {
			t.Errorf("line %q, want %q", text, want)
		}
	}
}

func TestLinesResumed(t *testing.T) {
	lines := NewLines(strings.NewReader("a\nb\nc\n"), "-", nil)
	var got []string
	for range 2 {
		for number, text := range lines.All() {
			got = append(got, fmt.Sprintf("%d %s", number, text))
			if number == 2 {
				break
			}
		}
	}
	if diff := cmp.Diff([]string{"1 a", "2 b", "3 c"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLinesError(t *testing.T) {
	boom := errors.New("boom")
	lines := NewLines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(boom)), "keys.txt", nil)
	n := 0
	for range lines.All() {
		n++
	}
	if err := lines.Err(); n != 1 || !errors.Is(err, boom) || err.Error() != "keys.txt:2: boom" {
		t.Errorf("%d lines and error %v, want 1 and boom in line 2", n, err)
	}
}
