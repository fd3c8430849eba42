package workload

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	parquetformat "github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// This file checks what a Parquet file claims before the library believes it: a
// length of two gigabytes in a damaged file would be allocated, and LZ4 data that
// is damaged never stops growing. What passes may still be wrong, but takes little
// memory, with one exception: the lengths of delta-encoded strings are not added up,
// so that a file made for it can ask for four gigabytes. See "Apache Parquet
// format", parquet.thrift and Encodings.md.

const (
	maxFooter     = 256 << 20 // bytes
	maxPage       = 128 << 20 // bytes of a page, decompressed; writers make a hundredth of that
	maxPageValues = 64 << 20  // values of a page, which may take no bytes at all
	maxPageHeader = 16 << 20  // bytes, of which statistics may take many

	// plainDictionary is deprecated in the format, and what most files have.
	plainDictionary parquetformat.Encoding = 2
)

// checkFooter checks what a file ends with: the footer, its length in 4 bytes, the
// magic.
func checkFooter(file io.ReaderAt, size int64) error {
	const magic, length = 4, 4
	end := make([]byte, length+magic)
	if size < magic+length+magic {
		return errors.New("too short")
	}
	if _, err := file.ReadAt(end, size-int64(len(end))); err != nil && err != io.EOF {
		return err
	}
	if string(end[length:]) != string(parquetMagic) {
		return fmt.Errorf("it ends with %q and not with %q", end[length:], parquetMagic)
	}
	n := int64(binary.LittleEndian.Uint32(end))
	if n > size-magic-length-magic || n > maxFooter {
		return fmt.Errorf("its footer is said to have %d bytes, and the file has %d", n, size)
	}
	footer := make([]byte, n)
	if _, err := file.ReadAt(footer, size-int64(len(end))-n); err != nil && err != io.EOF {
		return err
	}
	if _, err := walkThrift(footer, nil); err != nil {
		return fmt.Errorf("its footer: %w", err)
	}
	return nil
}

// A pageHeader is what is needed of a page's header.
type pageHeader struct {
	uncompressed, compressed int64 // bytes of the page
	values                   int64
	encoding                 parquetformat.Encoding
	version                  int   // of a data page; 0 for a dictionary
	levels                   int64 // bytes before the compressed ones, in version 2
	plain                    bool  // not compressed, in version 2
}

// A chunkChecker checks the pages of column chunks.
type chunkChecker struct {
	file                     io.ReaderAt
	size                     int64 // of the file
	compressed, decompressed []byte
}

// check checks the pages of a column chunk; optional says that it has definition
// levels.
func (k *chunkChecker) check(c *parquetformat.ColumnMetaData, optional bool) error {
	file, size := k.file, k.size
	at := c.DataPageOffset
	if c.DictionaryPageOffset != 0 {
		at = c.DictionaryPageOffset
	}
	if at < 0 || c.TotalCompressedSize < 0 || at > size || c.TotalCompressedSize > size-at {
		return errors.New("lies outside the file")
	}
	buf := make([]byte, 4<<10)
	for end := at + c.TotalCompressedSize; at < end; {
		h, n, err := readPageHeader(file, at, end, &buf)
		if err != nil {
			return err
		}
		at += n
		if h.compressed < 0 || h.uncompressed < 0 || h.compressed > min(end-at, maxPage) || h.uncompressed > maxPage || h.values < 0 || h.values > maxPageValues {
			return fmt.Errorf("has a page of %d bytes (%d decompressed) and %d values", h.compressed, h.uncompressed, h.values)
		}
		if err := k.page(at, c.Codec, h, optional); err != nil {
			return err
		}
		at += h.compressed
	}
	return nil
}

// readPageHeader reads the header at an offset and returns its length.
func readPageHeader(file io.ReaderAt, at, end int64, buf *[]byte) (h pageHeader, length int64, err error) {
	for {
		n, err := file.ReadAt((*buf)[:min(int64(len(*buf)), end-at)], at)
		if err != nil && err != io.EOF {
			return h, 0, err
		}
		h = pageHeader{}
		length, err := walkThrift((*buf)[:n], func(outer, id int16, value int64) {
			switch {
			case outer == 0 && id == 2:
				h.uncompressed = value
			case outer == 0 && id == 3:
				h.compressed = value
			case (outer == 5 || outer == 7 || outer == 8) && id == 1:
				h.values = max(h.values, value)
				h.version = map[int16]int{5: 1, 7: 0, 8: 2}[outer]
			case outer == 5 && id == 2 || outer == 8 && id == 4:
				h.encoding = parquetformat.Encoding(value)
			case outer == 8 && (id == 5 || id == 6):
				h.levels += value
			case outer == 8 && id == 7:
				h.plain = value == 0
			}
		})
		if errors.Is(err, errThriftEnds) && n == len(*buf) && n < maxPageHeader {
			*buf = make([]byte, 2*n)
			continue
		}
		if err != nil {
			return h, 0, fmt.Errorf("has a damaged page header: %w", err)
		}
		return h, int64(length), nil
	}
}

// page checks that the page at an offset does not decompress to more than it says,
// and has no more values.
func (k *chunkChecker) page(at int64, codec parquetformat.CompressionCodec, h pageHeader, optional bool) error {
	if h.levels < 0 || h.levels > h.compressed {
		return errors.New("has a page that is shorter than its levels")
	}
	k.compressed = slices.Grow(k.compressed[:0], int(h.compressed))[:h.compressed]
	if _, err := k.file.ReadAt(k.compressed, at); err != nil && err != io.EOF {
		return err
	}
	levels, body := k.compressed[:h.levels], k.compressed[h.levels:]
	if !h.plain && codec != parquetformat.Uncompressed && len(body) > 0 {
		if err := checkCompressed(body, codec, h); err != nil {
			return err
		}
		if h.version > 0 && (optional || h.encoding != parquetformat.Plain) {
			k.decompressed = slices.Grow(k.decompressed[:0], int(h.uncompressed))
			var err error
			if k.decompressed, err = parquet.LookupCompressionCodec(codec).Decode(k.decompressed[:h.uncompressed], body); err != nil {
				return err
			}
			body = k.decompressed
		}
	} else if h.uncompressed > h.compressed {
		return errors.New("has a page that is not compressed and shorter than it says")
	}
	if h.version == 0 {
		return nil
	}
	if h.version == 1 && optional {
		const length = 4
		if len(body) < length || int64(binary.LittleEndian.Uint32(body)) > int64(len(body)-length) {
			return errors.New("has a page that is shorter than its levels")
		}
		end := length + int(binary.LittleEndian.Uint32(body))
		levels, body = body[length:end], body[end:]
	}
	return errors.Join(checkRuns(levels, 1, h.values), checkValues(body, h))
}

// checkValues checks how many values a page's encoding says that there are.
func checkValues(body []byte, h pageHeader) error {
	switch h.encoding {
	case plainDictionary, parquetformat.RLEDictionary:
		if len(body) > 0 {
			return checkRuns(body[1:], int64(body[0]), h.values)
		}
	case parquetformat.DeltaBinaryPacked, parquetformat.DeltaLengthByteArray, parquetformat.DeltaByteArray:
		for range 2 { // values of a block, blocks
			_, n := binary.Uvarint(body)
			body = body[max(n, 0):]
		}
		if total, _ := binary.Uvarint(body); total > uint64(h.values) {
			return fmt.Errorf("has a page of %d values that says it has %d", h.values, total)
		}
	}
	return nil
}

// checkRuns checks how many values there are in data of the run-length and
// bit-packing hybrid, of so many bits each. Where it ends too early the library
// notices.
func checkRuns(data []byte, width, values int64) error {
	const padding = 512 // values: a writer may fill up its last groups
	for total := int64(0); len(data) > 0; {
		header, n := binary.Uvarint(data)
		if n <= 0 {
			return nil
		}
		data = data[n:]
		count, length := int64(header>>1), (width+7)/8
		if count > values+padding {
			return fmt.Errorf("has a run of %d values in a page of %d", count, values)
		}
		if header&1 != 0 {
			length = count * width
			count *= 8
		}
		if total += count; total > values+padding {
			return fmt.Errorf("has more values than the %d of its page", values)
		}
		data = data[min(length, int64(len(data))):]
	}
	return nil
}

// mostCompressed is how many times larger a codec can make data, about; 0 if there
// is no limit.
var mostCompressed = map[parquetformat.CompressionCodec]int64{
	parquetformat.Snappy: 32, parquetformat.Lz4Raw: 256, parquetformat.Gzip: 1100,
}

// checkCompressed checks that a page does not decompress to more than it says, nor
// says more than is possible.
func checkCompressed(body []byte, codec parquetformat.CompressionCodec, h pageHeader) error {
	if most := mostCompressed[codec]; most > 0 && h.uncompressed-h.levels > most*(int64(len(body))+16) {
		return fmt.Errorf("has a page of %d bytes that says it decompresses to %d", len(body), h.uncompressed)
	}
	wrong := errors.New("has a page that decompresses to more than it says")
	switch codec {
	case parquetformat.Snappy:
		if n, err := snappy.DecodedLen(body); err != nil || int64(n) > h.uncompressed {
			return wrong
		}
	case parquetformat.Zstd:
		var header zstd.Header
		if header.Decode(body) == nil && header.HasFCS && header.FrameContentSize > uint64(h.uncompressed) {
			return wrong
		}
	case parquetformat.Lz4Raw:
		if _, err := lz4.UncompressBlock(body, make([]byte, h.uncompressed)); err != nil {
			return wrong
		}
	}
	return nil
}
