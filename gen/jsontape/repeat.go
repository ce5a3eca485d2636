package jsontape

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// RepeatedName is the token of the first member name, in document order, under the value
// at token root that repeats an earlier name of its object, compared after unescaping; -1
// if there is none. It takes time linear in the text of the names, whatever they are, and
// once the tape is warm it does not allocate. Objects whose content is not indexed
// (Options.IndexDepth) are not looked into.
//
// It looks only into objects where the reader met a member name with an escape, or one that
// its filter could not tell from an earlier one: for most documents that is none.
func (t *Tape) RepeatedName(root int) int {
	if t.distinct {
		return -1
	}
	end := t.Next(root)
	first := end
	for i := root; i < first; i++ {
		if k := &t.Tokens[i]; k.Kind == Object && k.unsure != 0 {
			// An outer object comes first here, but a name of an inner one may come before
			// the outer one's.
			if c := t.repeatedIn(i); c >= 0 {
				first = c
			}
		}
	}
	if first == end {
		return -1
	}
	return first
}

// RepeatedMember is RepeatedName for the names of the object at token i alone: what is inside
// its members is not looked at. It is -1 where the token is no object.
func (t *Tape) RepeatedMember(i int) int {
	if k := &t.Tokens[i]; k.Kind != Object || k.unsure == 0 {
		return -1
	}
	return t.repeatedIn(i)
}

// hashFactor spreads a word over the upper bits of its product (2^64 divided by the golden
// ratio).
const hashFactor = 0x9E3779B97F4A7C15

// fewNames is how many names an object may have to be checked without a hash table.
const fewNames = 32

// names is the memory of RepeatedName for the names of one object.
type names struct {
	prints [fewNames]uint64
	tokens [fewNames]uint32
	table  []slot // of the object at hand: of a power of two, at most two thirds in use
	a, b   []byte // unescaped names
}

// slot is a name in the table, or free if token is 0, which is no name's. A name takes at
// most 24 bytes of the table.
type slot struct {
	hash  uint32
	token uint32
}

// repeatedIn is the first name of the object that repeats an earlier one, or -1.
//
// Few names are compared one by one, by a print of their text. A filter of one bit per
// print says whether there is anything to compare at all.
func (t *Tape) repeatedIn(obj int) int {
	var (
		data   = t.Data
		tokens = t.Tokens
		end    = int(tokens[obj].Next)
		filter uint64
		n      int
	)
	for c := obj + 1; c < end; c = int(tokens[c+1].Next) {
		k := &tokens[c]
		if n == fewNames || k.Flags&Escaped != 0 {
			return t.repeatedInTable(obj)
		}
		// The print is made of the first and last eight bytes and the length. It is the
		// whole name where that has less than eight bytes.
		start, size := int(k.Start)+1, int(k.End-k.Start)-2
		p := load(data, start)
		if size < 8 {
			p = p<<8<<(56-8*uint(size)) | uint64(size)
		} else {
			p += uint64(size)*hashFactor ^ binary.LittleEndian.Uint64(data[start+size-8:])
		}
		bit := uint64(1) << (p * hashFactor >> 58)
		if filter&bit != 0 {
			for i, earlier := range t.names.prints[:n] {
				if earlier == p && bytes.Equal(t.Bytes(c), t.Bytes(int(t.names.tokens[i]))) {
					return c
				}
			}
		}
		filter |= bit
		t.names.prints[n] = p
		t.names.tokens[n] = uint32(c)
		n++
	}
	return -1
}

// seed is drawn at random once per process, so that nobody can prepare names that collide.
var seed = maphash.MakeSeed()

// repeatedInTable is repeatedIn for any number of names and with escapes, by a hash table.
func (t *Tape) repeatedInTable(obj int) int {
	t.names.reset(t.Len(obj))
	end := t.Next(obj)
	for c := obj + 1; c < end; c = t.Next(c + 1) {
		if t.addName(c) {
			return c
		}
	}
	return -1
}

// reset empties the table and makes room for count names.
func (s *names) reset(count int) {
	size := 1 << bits.Len(uint(count+count/2))
	if size > cap(s.table) {
		s.table = make([]slot, size)
		return
	}
	s.table = s.table[:size]
	clear(s.table)
}

// addName adds the name at token i to the table and reports whether it was there.
func (t *Tape) addName(i int) bool {
	s := &t.names
	name := t.name(i, &s.a)
	hash := maphash.Bytes(seed, name)
	mask := uint64(len(s.table) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		e := &s.table[at]
		if e.token == 0 {
			*e = slot{hash: uint32(hash >> 32), token: uint32(i)}
			return false
		}
		if e.hash == uint32(hash>>32) && bytes.Equal(name, t.name(int(e.token), &s.b)) {
			return true
		}
	}
}

// name is the name at token i, unescaped into scratch if need be.
func (t *Tape) name(i int, scratch *[]byte) []byte {
	k := &t.Tokens[i]
	text := t.Data[k.Start+1 : k.End-1]
	if k.Flags&Escaped == 0 {
		return text
	}
	*scratch = appendUnescaped((*scratch)[:0], text)
	return *scratch
}
