package jsontape

import (
	"bytes"
	"hash/maphash"
)

// nameSet is the memory of RepeatedName: an open hash table of the names of one object.
type nameSet struct {
	slots   []slot
	stamp   uint32 // of the object at hand; slots with another stamp are free
	scratch []byte // an unescaped name
	other   []byte // another one
}

type slot struct {
	hash  uint64
	token uint32
	stamp uint32
}

// seed is drawn at random once per process, so that nobody can prepare names that collide.
var seed = maphash.MakeSeed()

// RepeatedName is the token of the first member name, in document order, under the value
// at token root that repeats an earlier name of its object, compared after unescaping; -1
// if there is none. It takes time linear in the text of the names and, once the tape is
// warm, no allocation. Objects whose content is not indexed (Options.IndexDepth) are not
// looked into.
func (t *Tape) RepeatedName(root int) int {
	first := t.Next(root)
	for i := root; i < first; i++ {
		if t.Tokens[i].Kind == Object {
			first = t.repeatedIn(i, first)
		}
	}
	if first == t.Next(root) {
		return -1
	}
	return first
}

// repeatedIn is the first repeated name of the object, or limit if there is none before.
func (t *Tape) repeatedIn(obj, limit int) int {
	end := min(limit, t.Next(obj))
	count := 0
	for c := obj + 1; c < end; c = t.Next(c + 1) {
		count++
	}
	if count < 2 {
		return limit
	}
	s := &t.names
	s.reset(count)
	for c := obj + 1; c < end; c = t.Next(c + 1) {
		if t.addName(c) {
			return c
		}
	}
	return limit
}

// reset empties the set and makes room for count names.
func (s *nameSet) reset(count int) {
	size := len(s.slots)
	if size < 2*count {
		size = max(size, 16)
		for size < 2*count {
			size *= 2
		}
		s.slots = make([]slot, size)
		s.stamp = 0
	}
	s.stamp++
	if s.stamp == 0 {
		clear(s.slots)
		s.stamp = 1
	}
}

// addName adds the name at token i to the set and reports whether it was there.
func (t *Tape) addName(i int) bool {
	s := &t.names
	var text []byte
	text, s.scratch = t.name(i, s.scratch)
	h := maphash.Bytes(seed, text)
	mask := uint64(len(s.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		e := &s.slots[at]
		if e.stamp != s.stamp {
			*e = slot{hash: h, token: uint32(i), stamp: s.stamp}
			return false
		}
		if e.hash != h {
			continue
		}
		var earlier []byte
		earlier, s.other = t.name(int(e.token), s.other)
		if bytes.Equal(text, earlier) {
			return true
		}
	}
}

// name is the unescaped name at token i, in scratch if it had escapes. It returns scratch,
// which may have grown.
func (t *Tape) name(i int, scratch []byte) (name, rest []byte) {
	k := &t.Tokens[i]
	text := t.Data[k.Start+1 : k.End-1]
	if k.Flags&Escaped == 0 {
		return text, scratch
	}
	scratch = appendUnescaped(scratch[:0], text)
	return scratch, scratch
}
