package reports

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// WriteFile writes a file that is either whole or not there. It calls write with
// a file beside path and renames that to path when write, flush and sync have
// succeeded. When anything fails, including a panic in write, the new file is
// removed and what was at path before is untouched; a killed process may leave
// the file beside, named .keyspread-<number>.tmp, but never half of path.
//
// A new file has permissions 0644 less the umask; one that replaces another
// keeps the other's. A symbolic link is followed. A path that is a device or
// pipe, such as /dev/null, is written directly. "" and "-" have no meaning here:
// standard output is the caller's. Errors name path and what to do.
func WriteFile(path string, write func(io.Writer) error) error {
	target, replaced := path, fs.FileMode(0)
	switch info, err := os.Stat(path); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("write %s: %w", path, reason(err))
	case err != nil: // a new file
	case info.IsDir():
		return fmt.Errorf("write %s: it is a directory: name a file in it", path)
	case !info.Mode().IsRegular():
		return writeDirect(path, write)
	default:
		replaced = info.Mode().Perm()
		if real, err := filepath.EvalSymlinks(path); err == nil {
			target = real
		}
	}

	beside, err := create(filepath.Dir(target))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %s: no directory %s: create it first", path, filepath.Dir(target))
	}
	if err != nil {
		return fmt.Errorf("write %s: cannot create a file in %s: %w: choose a directory you may write to", path, filepath.Dir(target), reason(err))
	}
	unfinished.Store(beside.Name(), true)
	defer unfinished.Delete(beside.Name())
	done := false
	defer func() {
		if !done {
			beside.Close()
			os.Remove(beside.Name())
		}
	}()
	if replaced != 0 {
		if err := beside.Chmod(replaced); err != nil {
			return fmt.Errorf("write %s: cannot keep its permissions: %w", path, reason(err))
		}
	}
	if err := fill(beside, write); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	// Without the sync a crash after the rename could leave an empty file.
	if err := errors.Join(beside.Sync(), beside.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, reason(err))
	}
	if err := os.Rename(beside.Name(), target); err != nil {
		return fmt.Errorf("write %s: cannot replace it: %w", path, reason(err))
	}
	done = true
	return nil
}

// unfinished holds the names of files that WriteFile is writing beside their
// places.
var unfinished sync.Map

// RemoveUnfinished removes what [WriteFile] has begun and not finished. It is for a
// process that is about to exit in the middle of it.
func RemoveUnfinished() {
	unfinished.Range(func(name, _ any) bool {
		os.Remove(name.(string))
		return true
	})
}

// create makes a new file in dir. Unlike os.CreateTemp it lets the umask decide
// about the permissions.
func create(dir string) (*os.File, error) {
	for {
		name := filepath.Join(dir, fmt.Sprintf(".keyspread-%08x.tmp", rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return f, err
	}
}

// fill calls write with a buffered f.
func fill(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return reason(w.Flush())
}

// writeDirect writes to what cannot be replaced by a rename.
func writeDirect(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, reason(err))
	}
	if err := errors.Join(fill(f, write), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// reason drops the path of an fs.PathError or os.LinkError, which names the file
// beside: the caller's message names the one the user knows.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
