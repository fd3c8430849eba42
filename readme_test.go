package keyspread_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the output shown in README.md")

// A session is one command of the README with the output shown below it.
type session struct{ command, output string }

// TestReadme executes every command of the README and compares what it prints on
// standard output with what the README shows. Console blocks hold commands after
// "$ "; blocks of sh hold make targets and installation, which are checked
// against the Makefile and the module path.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "./cmd/keyspread").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	work := t.TempDir()

	commands := 0
	rewritten := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		var b strings.Builder
		b.WriteString("```console\n")
		for _, s := range sessions(block) {
			commands++
			got := execute(t, s.command, bin, work)
			if got != s.output && !*update {
				t.Errorf("$ %s\nthe README shows:\n%s\nit prints:\n%s", s.command, s.output, got)
			}
			b.WriteString("$ " + s.command + "\n" + got)
		}
		b.WriteString("```\n")
		return b.String()
	})
	if commands < 5 {
		t.Errorf("found only %d commands in the README", commands)
	}
	if *update && rewritten != string(text) {
		if err := os.WriteFile("README.md", []byte(rewritten), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	checkFigures(t, string(text), work)
	checkShell(t, string(text))
}

// checkFigures compares the figures that the README shows with those that its
// commands have just written.
func checkFigures(t *testing.T, readme, work string) {
	t.Helper()
	images := image.FindAllStringSubmatch(readme, -1)
	if len(images) == 0 {
		t.Error("the README shows no figure")
	}
	for _, found := range images {
		shown := found[1]
		drawn, err := os.ReadFile(filepath.Join(work, "out", filepath.Base(shown)))
		if err != nil {
			t.Errorf("no command of the README draws %s: %v", shown, err)
			continue
		}
		if *update {
			if err := os.WriteFile(shown, drawn, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if committed, err := os.ReadFile(shown); err != nil || !bytes.Equal(committed, drawn) {
			t.Errorf("%s is not what the README's command draws (%v): make golden", shown, err)
		}
	}
}

var (
	image        = regexp.MustCompile(`!\[[^]]*\]\((.github/images/[^)]+)\)`)
	consoleBlock = regexp.MustCompile("(?ms)^```console\n.*?^```\n")
	shellBlock   = regexp.MustCompile("(?ms)^```sh\n(.*?)^```\n")
)

// sessions splits a console block.
func sessions(block string) []session {
	var list []session
	lines := strings.SplitAfter(block, "\n")
	for _, line := range lines[1 : len(lines)-2] { // without the fences
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, session{command: strings.TrimSuffix(command, "\n")})
		} else if len(list) > 0 {
			list[len(list)-1].output += line
		}
	}
	return list
}

// execute runs a command line with the freshly built keyspread and returns its
// standard output.
func execute(t *testing.T, command, bin, work string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("$ %s: %v\n%s", command, err, stderr.String())
	}
	return stdout.String()
}

// checkShell checks the commands that this test cannot run: CI runs each make
// target.
func checkShell(t *testing.T, readme string) {
	t.Helper()
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range shellBlock.FindAllStringSubmatch(readme, -1) {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			command := strings.TrimSpace(strings.SplitN(line, "#", 2)[0])
			switch {
			case strings.HasPrefix(command, "make "):
				target := strings.Fields(command)[1]
				if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:`).Match(makefile) {
					t.Errorf("the README says %q, but the Makefile has no target %s", command, target)
				}
			case command == "go install "+module+"/cmd/keyspread@latest", command == "":
			default:
				t.Errorf("the README has the command %q, which nothing checks", command)
			}
		}
	}
}
