package figures

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/keyspread/keyspread/reports"
)

// A drawing is one kind of figure.
type drawing interface {
	check() error    // says what cannot be drawn
	draw(c *canvas)  // draws what check allows
	name() string    // the title, or what it is
	summary() string // the figure in words, for those who cannot see it
}

// write draws a figure in the given format. Nothing is written on an error unless
// it is w's.
func write(w io.Writer, d drawing, format string) error {
	image, err := render(d, format)
	if err != nil {
		return err
	}
	_, err = w.Write(image)
	return err
}

// render returns a figure's bytes in the given format.
func render(d drawing, format string) ([]byte, error) {
	canvas, err := newCanvas(format)
	if err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("draw %q: %w", d.name(), err)
	}
	d.draw(canvas)
	var b bytes.Buffer
	if err := canvas.write(&b, d.name(), d.summary()); err != nil {
		return nil, fmt.Errorf("draw %q: %w", d.name(), err)
	}
	return b.Bytes(), nil
}

// save writes base.svg and base.png into dir, which it creates if need be, once
// both are drawn.
func save(dir, base string, d drawing) ([]string, error) {
	if base == "" || base == "." || base == ".." || base != filepath.Base(base) {
		return nil, fmt.Errorf("save figure: %q is not a plain file name", base)
	}
	formats := []string{"svg", "png"}
	images := make([][]byte, len(formats))
	for i, format := range formats {
		var err error
		if images[i], err = render(d, format); err != nil {
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
