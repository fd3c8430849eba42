package workload

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	parquetformat "github.com/parquet-go/parquet-go/format"
)

// A parquetColumn is one column that is used.
type parquetColumn struct {
	name     string
	role     role
	index    int // of the leaf
	kind     parquet.Kind
	optional bool // it may have nulls
	unsigned bool
	uuid     bool

	pages  parquet.Pages
	page   parquet.Page
	reader parquet.ValueReader
	left   int64 // values of the page not read yet
	values [batchRows]parquet.Value
	text   []byte // scratch: integers of the batch in decimal

	indexes    []int32            // of the values left in the dictionary, nil if the page has no such
	dictionary parquet.Dictionary // they are of
	known      []int32            // 1 + index in the counter of each of its keys, 0 as long as it is not counted
}

// newParquetColumn checks that a column can be read in its role.
func newParquetColumn(c *parquet.Column, r role) (*parquetColumn, *ReadError) {
	column := &parquetColumn{name: columnName([]byte(c.Name())), role: r}
	wrong := &ReadError{Problem: fmt.Sprintf("column %s is repeated or nested", column.name)}
	isText := r == keyRole || r == tenantRole
	wrong.Fix = fmt.Sprintf("cast it to a %s when exporting", map[bool]string{true: "string or an integer", false: "BIGINT"}[isText])
	if !c.Leaf() || c.Repeated() {
		return nil, wrong
	}
	wrong.Problem = fmt.Sprintf("column %s is a %s", column.name, escaped(c.Type().String()))
	column.index, column.kind, column.optional = c.Index(), c.Type().Kind(), c.Optional()
	whole, decimal := true, false // a date, a time or a fraction may be stored as an integer, too
	if l := c.Type().LogicalType(); l != nil {
		switch l := l.Value.(type) {
		case *parquetformat.UUIDType:
			column.uuid = true
		case *parquetformat.IntType:
			column.unsigned = !l.IsSigned
		case *parquetformat.DecimalType:
			whole, decimal = l.Scale == 0, true
		case *parquetformat.DateType, *parquetformat.TimeType, *parquetformat.TimestampType, *parquetformat.Float16Type:
			whole = false
		}
	}
	switch column.kind {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		if isText && whole && !decimal {
			return column, nil
		}
	case parquet.Int32, parquet.Int64:
		if whole {
			return column, nil
		}
	case parquet.Double, parquet.Float:
		if !isText { // sum() of some databases
			return column, nil
		}
	}
	return nil, wrong
}

// ready makes sure that the column has a page with values left.
func (c *parquetColumn) ready() error {
	for c.left == 0 {
		parquet.Release(c.page)
		c.page = nil
		page, err := c.pages.ReadPage()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return errors.New("has fewer values than the file has rows")
			}
			return err
		}
		c.page, c.reader, c.left = page, page.Values(), page.NumValues()
		if c.role == keyRole {
			c.lookUp()
		}
	}
	return nil
}

// lookUp notes the indexes of the page's values in its dictionary, if all have one.
func (c *parquetColumn) lookUp() {
	c.indexes = nil
	dictionary := c.page.Dictionary()
	if dictionary == nil || c.page.NumNulls() > 0 {
		return
	}
	data := c.page.Data()
	if data.Kind() != encoding.Int32 || int64(len(data.Int32())) != c.left {
		return
	}
	c.indexes = data.Int32()
	if dictionary != c.dictionary {
		c.dictionary, c.known = dictionary, make([]int32, dictionary.Len())
	}
}

func (c *parquetColumn) close() {
	parquet.Release(c.page)
	if c.pages != nil {
		c.pages.Close()
	}
	c.pages, c.page, c.left = nil, nil, 0
	c.indexes, c.dictionary, c.known = nil, nil, nil
}

// read reads n values, which stay valid until the page ends.
func (c *parquetColumn) read(n int) error {
	for done := 0; done < n; {
		m, err := c.reader.ReadValues(c.values[done:n])
		if done += m; done < n && (err != nil || m == 0) {
			return fmt.Errorf("has a page that ends too early: %w", errors.Join(err, io.ErrUnexpectedEOF))
		}
	}
	c.left -= int64(n)
	if c.indexes != nil {
		c.indexes = c.indexes[n:]
	}
	return nil
}

// number returns a value as a whole number of zero or more, and its text for a
// message.
func (c *parquetColumn) number(v *parquet.Value) (n int64, shown string, ok bool) {
	switch c.kind {
	case parquet.Int32:
		n = int64(v.Int32())
		if c.unsigned {
			n = int64(v.Uint32())
		}
	case parquet.Int64:
		n = v.Int64()
		if c.unsigned && n < 0 {
			return 0, strconv.FormatUint(v.Uint64(), 10), false
		}
	default:
		f := v.Double()
		if c.kind == parquet.Float {
			f = float64(v.Float())
		}
		if f < 0 || f > 1<<53 || f != math.Trunc(f) {
			return 0, strconv.FormatFloat(f, 'g', -1, 64), false
		}
		n = int64(f)
	}
	if n < 0 {
		return 0, strconv.FormatInt(n, 10), false
	}
	return n, "", true
}
