package reports_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/keyspread/keyspread/reports"
)

func write(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// holds checks that dir holds exactly the given files, name=content.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Name()+"="+string(content))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s holds %q, want %q", dir, got, want)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	for _, content := range []string{"one", "", strings.Repeat("x", 1<<20)} {
		if err := reports.WriteFile(path, write(content)); err != nil {
			t.Fatal(err)
		}
		holds(t, dir, "out.csv="+content)
	}
	t.Chdir(dir)
	if err := reports.WriteFile("out.csv", write("relative")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "out.csv=relative")
}

func TestWriteFilePermissions(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	mode := func() fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	// What os.Create gives with 0644 is 0644 less the umask, whatever that is.
	plain, err := os.OpenFile(filepath.Join(dir, "plain"), os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	info, _ := plain.Stat()
	plain.Close()
	if err := reports.WriteFile(path, write("a")); err != nil || mode() != info.Mode().Perm() {
		t.Errorf("a new file: %v, %v, want %v", mode(), err, info.Mode().Perm())
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := reports.WriteFile(path, write("b")); err != nil || mode() != 0o600 {
		t.Errorf("a replaced private file: %v, %v, want 0600", mode(), err)
	}
}

func TestWriteFileFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(real, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Skip(err)
	}
	if err := reports.WriteFile(link, write("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "link=new", "real=new")
	if target, err := os.Readlink(link); target != "real" {
		t.Errorf("the link is gone: %q, %v", target, err)
	}
}

func TestWriteFileFails(t *testing.T) {
	half := func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("half", 1<<16)) // beyond any buffer
		return errFull
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, advice string
		write        func(io.Writer) error
	}{
		{"new", "disk full", half},
		{"old", "disk full", half},
		{"sub", "name a file in it", write("x")},
		{"none/out", "create it first", write("x")},
		{"old/out", "not a directory", write("x")},
	} {
		if err := os.WriteFile(filepath.Join(dir, "old"), []byte("kept"), 0o644); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, c.path)
		err := reports.WriteFile(path, c.write)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.advice) {
			t.Errorf("%s: %v, want the path and %q", c.path, err, c.advice)
		}
		if strings.Contains(c.advice, "full") && !errors.Is(err, errFull) {
			t.Errorf("%s: %v does not wrap the writer's error", c.path, err)
		}
		holds(t, dir, "old=kept")
	}
}

func TestWriteFilePanics(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() { _ = recover() }()
		_ = reports.WriteFile(filepath.Join(dir, "out"), func(io.Writer) error { panic("bug") })
	}()
	holds(t, dir)
}

func TestWriteFileReadOnlyDirectory(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	err := reports.WriteFile(filepath.Join(dir, "out"), write("x"))
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "choose a directory") {
		t.Error(err)
	}
}

// A device must never be replaced by a file.
func TestWriteFileToDevice(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil || before.Mode().IsRegular() {
		t.Skip("no device to write to")
	}
	if err := reports.WriteFile(os.DevNull, write("x")); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Fatalf("%s became %v, %v", os.DevNull, after.Mode(), err)
	}
	if err := reports.WriteFile(os.DevNull, func(io.Writer) error { return errFull }); !errors.Is(err, errFull) {
		t.Error(err)
	}
}
