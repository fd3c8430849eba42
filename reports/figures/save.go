package figures

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/keyspread/keyspread/reports"
)

// save writes base.svg and base.png into dir, which it creates if need be, once
// both are drawn.
func save(dir, base string, render func(format string) ([]byte, error)) ([]string, error) {
	if base == "" || base == "." || base == ".." || base != filepath.Base(base) {
		return nil, fmt.Errorf("save figure: %q is not a plain file name", base)
	}
	formats := []string{"svg", "png"}
	images := make([][]byte, len(formats))
	for i, format := range formats {
		var err error
		if images[i], err = render(format); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("save figure: %w", err)
	}
	var paths []string
	for i, format := range formats {
		path := filepath.Join(dir, base+"."+format)
		err := reports.WriteFile(path, func(w io.Writer) error {
			_, err := w.Write(images[i])
			return err
		})
		if err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}
