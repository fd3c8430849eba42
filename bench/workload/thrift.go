package workload

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var errThriftEnds = errors.New("ends in the middle of a value")

// walkThrift walks over the struct in Thrift's compact protocol at the front of
// data, checks that everything in it is as long as it says, and returns its length.
// Integers and truths of the struct, and of those in its fields, are handed out with
// their field's number and that of the field they are in, 0 for none.
func walkThrift(data []byte, visit func(outer, id int16, value int64)) (length int, err error) {
	t := thriftWalker{data: data, visit: visit}
	if err := t.structure(0, 0); err != nil {
		return 0, err
	}
	return t.at, nil
}

type thriftWalker struct {
	data  []byte
	at    int
	visit func(outer, id int16, value int64)
}

// The types of the compact protocol.
const (
	thriftTrue = 1 + iota
	thriftFalse
	thriftByte
	thriftI16
	thriftI32
	thriftI64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
	thriftUUID
)

func (t *thriftWalker) structure(depth int, outer int16) error {
	const deepest = 32
	if depth > deepest {
		return errors.New("nested too deep")
	}
	for id := int16(0); ; {
		b, err := t.byte()
		if err != nil || b == 0 {
			return err
		}
		if delta := int16(b >> 4); delta != 0 {
			id += delta
		} else {
			n, err := t.integer()
			if err != nil {
				return err
			}
			id = int16(n)
		}
		kind := b & 15
		switch {
		case kind == thriftTrue || kind == thriftFalse:
			t.found(depth, outer, id, 2-int64(kind))
		case kind == thriftI16 || kind == thriftI32 || kind == thriftI64:
			n, err := t.integer()
			if err != nil {
				return err
			}
			t.found(depth, outer, id, n)
		default:
			if err := t.value(kind, depth, id); err != nil {
				return err
			}
		}
	}
}

func (t *thriftWalker) found(depth int, outer, id int16, value int64) {
	if t.visit != nil && depth <= 1 {
		t.visit(outer, id, value)
	}
}

// value walks over a value that is in a list, or in a field and no integer.
func (t *thriftWalker) value(kind byte, depth int, id int16) error {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return t.skip(1)
	case thriftI16, thriftI32, thriftI64:
		_, err := t.integer()
		return err
	case thriftDouble:
		return t.skip(8)
	case thriftUUID:
		return t.skip(16)
	case thriftBinary:
		n, err := t.size()
		if err != nil {
			return err
		}
		return t.skip(n)
	case thriftList, thriftSet:
		b, err := t.byte()
		if err != nil {
			return err
		}
		n := int(b >> 4)
		if n == 15 {
			if n, err = t.size(); err != nil {
				return err
			}
		}
		return t.values(n, depth, b&15)
	case thriftMap:
		n, err := t.size()
		if err != nil || n == 0 {
			return err
		}
		b, err := t.byte()
		if err != nil {
			return err
		}
		return t.values(n, depth, b>>4, b&15)
	case thriftStruct:
		return t.structure(depth+1, id)
	}
	return fmt.Errorf("has a value of type %d", kind)
}

// values walks over n elements, each of values of the given types.
func (t *thriftWalker) values(n, depth int, kinds ...byte) error {
	const deepest = 32
	if depth++; depth > deepest {
		return errors.New("nested too deep")
	}
	if n > len(t.data)-t.at { // each has a byte at least
		return errThriftEnds
	}
	for range n {
		for _, kind := range kinds {
			if err := t.value(kind, depth, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *thriftWalker) byte() (byte, error) {
	if t.at == len(t.data) {
		return 0, errThriftEnds
	}
	t.at++
	return t.data[t.at-1], nil
}

func (t *thriftWalker) skip(n int) error {
	if n > len(t.data)-t.at {
		return errThriftEnds
	}
	t.at += n
	return nil
}

// size reads a length, which cannot be larger than what is left.
func (t *thriftWalker) size() (int, error) {
	n, length := binary.Uvarint(t.data[t.at:])
	switch {
	case length < 0:
		return 0, errors.New("has a length that is too long")
	case length == 0 || n > uint64(len(t.data)-t.at-length):
		return 0, errThriftEnds
	}
	t.at += length
	return int(n), nil
}

// integer reads an integer in zigzag order.
func (t *thriftWalker) integer() (int64, error) {
	n, length := binary.Varint(t.data[t.at:])
	switch {
	case length < 0:
		return 0, errors.New("has an integer that is too long")
	case length == 0:
		return 0, errThriftEnds
	}
	t.at += length
	return n, nil
}
