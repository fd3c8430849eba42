package workload

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"
	parquetformat "github.com/parquet-go/parquet-go/format"

	"github.com/keyspread/keyspread/partition"
)

// parquetFormat is Parquet with columns named key, count, bytes, tenant and
// partition in any case and order, and others, which are not read. Keys are
// strings, byte arrays, UUIDs or integers, whose decimal text is the key. In
// messages the line is the number of the row.
var parquetFormat = format{
	name:       Parquet,
	extensions: []string{".parquet"},
	layout:     "parquet",
	sniff: func(s sample) (string, bool) {
		return "because it begins as Parquet does", bytes.HasPrefix(s.text, parquetMagic)
	},
	read:    readParquet,
	samples: readParquet,
}

var parquetMagic = []byte("PAR1")

func readParquet(src *source, in *intake) error {
	file, size, err := openRandom(src)
	if err != nil {
		return err
	}
	defer file.Close()
	return readParquetFile(file, size, in)
}

// readParquetFile reads a whole file.
func readParquetFile(file io.ReaderAt, size int64, in *intake) (err error) {
	// The library trusts what a file says about itself, and panics where a damaged
	// one contradicts that.
	defer func() {
		if p := recover(); p != nil {
			err = damagedParquet(in.name, fmt.Errorf("%v", p))
		}
	}()
	if err := checkFooter(file, size); err != nil {
		return damagedParquet(in.name, err)
	}
	f, err := parquet.OpenFile(file, size, &parquet.FileConfig{
		SkipPageIndex: true, SkipBloomFilters: true, ReadBufferSize: 256 << 10, ReadMode: parquet.ReadModeSync,
	})
	if err != nil {
		return damagedParquet(in.name, err)
	}
	p := &parquetReader{in: in}
	if wrong := p.columns(f.Root()); wrong != nil {
		wrong.Name = in.name
		return wrong
	}
	in.announce()
	checks, stop := p.checkAhead(f, file, size)
	defer stop()
	for _, group := range f.RowGroups() {
		if err := <-checks; err != nil {
			return damagedParquet(in.name, err)
		}
		if err := p.group(group); err != nil {
			return err
		}
	}
	return nil
}

// checkAhead checks the row groups one after another, ahead of who reads them, and
// sends for each whether it is in order. Stop ends it, and waits for that.
func (p *parquetReader) checkAhead(f *parquet.File, file io.ReaderAt, size int64) (checks <-chan error, stop func()) {
	results, stopped, ended := make(chan error), make(chan struct{}), make(chan struct{})
	check := func(checker *chunkChecker, group *parquetformat.RowGroup) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("%v", p)
			}
		}()
		for _, c := range p.used {
			if err := checker.check(&group.Columns[c.index].MetaData, c.optional); err != nil {
				return fmt.Errorf("column %s: %w", c.name, err)
			}
		}
		return nil
	}
	go func() {
		defer close(ended)
		defer close(results)
		checker := &chunkChecker{file: file, size: size}
		groups := f.Metadata().RowGroups
		for i := range groups {
			err := check(checker, &groups[i])
			select {
			case results <- err:
			case <-stopped:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return results, func() {
		close(stopped)
		<-ended
	}
}

func damagedParquet(name string, err error) error {
	return &ReadError{Name: name, Problem: "not readable as Parquet: " + escaped(err.Error()), Fix: "is the file whole, and not encrypted?", Err: err}
}

// escaped returns text that may come from an input, fit for a terminal.
func escaped(text string) string {
	q := quote([]byte(text))
	return q[1 : len(q)-1]
}

// A parquetReader reads the columns of a file side by side.
type parquetReader struct {
	in      *intake
	used    []*parquetColumn
	by      map[role]*parquetColumn
	row     int64                 // number of the row before the batch
	batch   [batchRows]entry      // rows of the batch
	nulls   [batchRows]bool       // whose key is null
	missing [batchRows]bool       // which have no bytes
	places  [batchRows]int        // 1 + partition, 0 if unknown
	bad     [batchRows]*ReadError // what is wrong with a row
}

// partitionRole goes on where role ends.
const partitionRole = tenantRole + 1

// columns finds the columns by their names.
func (p *parquetReader) columns(root *parquet.Column) *ReadError {
	roles := map[string]role{keyColumn: keyRole, countColumn: countRole, bytesColumn: bytesRole, tenantColumn: tenantRole, partitionColumn: partitionRole}
	p.by = map[role]*parquetColumn{}
	var names, others []string
	for _, c := range root.Columns() {
		names = append(names, strconv.Quote(c.Name()))
		name := columnName([]byte(c.Name()))
		role, ok := roles[name]
		if !ok {
			if name != timeColumn {
				others = append(others, quote([]byte(c.Name())))
			}
			continue
		}
		if p.by[role] != nil {
			return &ReadError{Field: "columns", Problem: fmt.Sprintf("column %s is there twice", name), Fix: "rename the one that is not meant"}
		}
		column, wrong := newParquetColumn(c, role)
		if wrong != nil {
			return wrong
		}
		p.by[role] = column
		p.used = append(p.used, column)
	}
	if p.by[keyRole] == nil {
		return &ReadError{
			Problem: "no column named key, the columns are " + escaped(strings.Join(names, ", ")),
			Fix:     "name the column of keys key, and those of records, bytes and tenants count, bytes and tenant",
		}
	}
	p.in.header = true
	p.in.sum.HasBytes, p.in.sum.HasTenant = p.by[bytesRole] != nil, p.by[tenantRole] != nil
	p.in.layout = "parquet: " + p.describe()
	if len(others) > 0 {
		const shown = 8
		if more := len(others) - shown; more > 0 {
			others = append(others[:shown], fmt.Sprintf("and %d more", more))
		}
		p.in.layout += "; not used: " + strings.Join(others, ", ")
	}
	return nil
}

// describe says in words which columns are read.
func (p *parquetReader) describe() string {
	var names []string
	for role := keyRole; role <= partitionRole; role++ {
		if c := p.by[role]; c != nil {
			names = append(names, c.name)
		}
	}
	text := strings.Join(names, ", ")
	if p.by[countRole] == nil {
		text += " (each row counts 1)"
	}
	return text
}

// group reads a row group.
func (p *parquetReader) group(group parquet.RowGroup) error {
	chunks := group.ColumnChunks()
	defer func() {
		for _, c := range p.used {
			c.close()
		}
	}()
	for _, c := range p.used {
		c.pages = chunks[c.index].Pages()
	}
	for rows := group.NumRows(); rows > 0; {
		n := min(rows, batchRows)
		for _, c := range p.used {
			if err := c.ready(); err != nil {
				return damagedParquet(p.in.name, fmt.Errorf("column %s: %w", c.name, err))
			}
			n = min(n, c.left)
		}
		if err := p.rows(int(n)); err != nil {
			return err
		}
		rows -= n
		p.row += n
	}
	return nil
}

// rows reads n rows and counts them.
func (p *parquetReader) rows(n int) error {
	for i := range n {
		p.batch[i] = entry{records: 1}
		p.nulls[i], p.missing[i], p.places[i], p.bad[i] = false, false, 0, nil
	}
	indexes := p.by[keyRole].indexes
	for _, c := range p.used {
		if err := c.read(n); err != nil {
			return damagedParquet(p.in.name, fmt.Errorf("column %s: %w", c.name, err))
		}
		switch c.role {
		case keyRole, tenantRole:
			p.texts(c, n)
		default:
			p.numbers(c, n)
		}
	}
	if p.plain(n) && p.countPlain(indexes, n) {
		p.in.sum.Rows += int64(n)
		return nil
	}
	for i := range n {
		if err := p.in.tolerate(p.count(i)); err != nil {
			return err
		}
	}
	return nil
}

// countPlain counts n rows without surprise, whose keys have the indexes in the
// dictionary if there are any. It does nothing and returns false if that might
// exceed a limit of the counter.
func (p *parquetReader) countPlain(indexes []int32, n int) bool {
	c, known := p.in.counter, p.by[keyRole].known
	if indexes == nil {
		return c.addBatch(p.batch[:n])
	}
	// A key of the dictionary is looked up once, when it occurs first.
	first := false
	for i := range n {
		first = first || known[indexes[i]] == 0
	}
	if first {
		if !c.addBatch(p.batch[:n]) {
			return false
		}
		for i := range n {
			if known[indexes[i]] == 0 {
				known[indexes[i]] = int32(c.indexOf(p.batch[i].key)) + 1
			}
		}
		return true
	}
	if !c.within(p.batch[:n]) {
		return false
	}
	for i := range n {
		e := &p.batch[i]
		if err := c.again(int(known[indexes[i]])-1, e.records, e.bytes, e.tenant); err != nil {
			panic("the table refused what is within its limits") // and within checked them
		}
	}
	return true
}

// plain reports whether the rows hold no surprise.
func (p *parquetReader) plain(n int) bool {
	if p.in.use != nil || p.in.Encoding != partition.Raw {
		return false
	}
	for i := range n {
		if p.nulls[i] || p.missing[i] || p.bad[i] != nil {
			return false
		}
	}
	return true
}

// count counts one row of the batch.
func (p *parquetReader) count(i int) *ReadError {
	e := &p.batch[i]
	wrong := p.bad[i]
	if wrong == nil {
		wrong = p.in.add(row{key: e.key, null: p.nulls[i], records: e.records, bytes: e.bytes, tenant: e.tenant, observed: p.places[i]})
		if wrong != nil {
			wrong.Text = quote(e.key)
		} else if p.missing[i] {
			p.in.noBytes++
		}
	}
	if wrong != nil {
		wrong.Name, wrong.Line = p.in.name, int(p.row)+i+1
	}
	return wrong
}

// texts takes the values as keys or tenants.
func (p *parquetReader) texts(c *parquetColumn, n int) {
	const longest = len("-9223372036854775808")
	if cap(c.text) == 0 {
		c.text = make([]byte, 0, batchRows*max(longest, len(uuid.Nil.String())))
	}
	c.text = c.text[:0]
	for i := range n {
		v := &c.values[i]
		if v.IsNull() {
			if c.role == keyRole {
				p.nulls[i] = true
			}
			continue
		}
		from := len(c.text)
		var text []byte
		switch {
		case c.uuid:
			id, err := uuid.FromBytes(v.ByteArray())
			if err != nil {
				p.bad[i] = &ReadError{Field: c.name, Text: quote(v.ByteArray()), Problem: "not a UUID of 16 bytes", Fix: skipFix}
				continue
			}
			c.text = append(c.text, id.String()...)
		case c.kind == parquet.Int32 && c.unsigned:
			c.text = strconv.AppendUint(c.text, uint64(v.Uint32()), 10)
		case c.kind == parquet.Int32:
			c.text = strconv.AppendInt(c.text, int64(v.Int32()), 10)
		case c.kind == parquet.Int64 && c.unsigned:
			c.text = strconv.AppendUint(c.text, v.Uint64(), 10)
		case c.kind == parquet.Int64:
			c.text = strconv.AppendInt(c.text, v.Int64(), 10)
		default:
			text = v.ByteArray()
			if len(text) > MaxLine {
				p.bad[i] = &ReadError{Field: c.name, Text: quote(text), Problem: fmt.Sprintf("longer than %d MiB", MaxLine>>20), Fix: skipFix}
			}
			if text == nil {
				text = []byte{}
			}
		}
		if text == nil {
			text = c.text[from:]
		}
		if c.role == keyRole {
			p.batch[i].key = text
		} else {
			p.batch[i].tenant = text
		}
	}
}

// numbers takes the values as counts, bytes or partitions.
func (p *parquetReader) numbers(c *parquetColumn, n int) {
	for i := range n {
		v := &c.values[i]
		if v.IsNull() {
			switch c.role {
			case bytesRole:
				p.missing[i] = true
			case countRole:
				p.bad[i] = &ReadError{Field: c.name, Problem: "null, so not a number of records", Fix: "write 0 if there are none, or " + skipFix}
			}
			continue
		}
		number, shown, ok := c.number(v)
		if c.role == partitionRole {
			ok = ok && number < math.MaxInt32
		}
		if !ok {
			problem, fix := "not a partition", skipFix
			if c.role != partitionRole {
				problem, fix = wholeProblem([]byte(shown), map[bool]string{true: "records", false: "bytes"}[c.role == countRole])
			}
			if p.bad[i] == nil {
				p.bad[i] = &ReadError{Field: c.name, Text: quote([]byte(shown)), Problem: problem, Fix: fix}
			}
			continue
		}
		switch c.role {
		case countRole:
			p.batch[i].records = number
		case bytesRole:
			p.batch[i].bytes = number
		case partitionRole:
			p.places[i] = int(number) + 1
		}
	}
}
