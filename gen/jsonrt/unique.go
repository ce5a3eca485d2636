package jsonrt

import (
	"math/bits"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

const (
	// pairwiseItems is up to how many items are simply compared with each other.
	pairwiseItems = 8
	// stackItems is up to how many items the working memory stays on the stack.
	stackItems = 64
)

// Unique checks uniqueItems on the array at token array. If ok is false, second is the token
// of the first item that equals an earlier one, and first is the earliest such item.
//
// The expected time is linear in the size of the array: items are hashed with a key drawn
// for each call, so a payload can't be made to collide. Neither do nested arrays with
// uniqueItems at every level cost more than that times a logarithm, however deep: an item is
// looked into only if a sibling has as many tokens, and then the array is at least twice as
// large as the item. An array of up to 64 scalars is checked without allocation; a longer one
// takes up to 21 bytes an item.
func Unique(t *jsontape.Tape, array int) (first, second int, ok bool) {
	end := int(t.Tokens[array].Next)
	var buffer [stackItems]uint32
	items := buffer[:0]
	if n := t.Len(array); n > stackItems {
		items = make([]uint32, 0, n)
	}
	for i := array + 1; i < end; i = int(t.Tokens[i].Next) {
		items = append(items, uint32(i))
	}
	if len(items) <= pairwiseItems {
		return uniquePairwise(t, items)
	}
	return uniqueHashed(t, items)
}

func uniquePairwise(t *jsontape.Tape, items []uint32) (first, second int, ok bool) {
	for n, item := range items {
		for _, earlier := range items[:n] {
			if Equal(t, int(earlier), t, int(item)) {
				return int(earlier), int(item), false
			}
		}
	}
	return 0, 0, true
}

func uniqueHashed(t *jsontape.Tape, items []uint32) (first, second int, ok bool) {
	h := newHasher(t)
	var hashBuffer [stackItems]uint32
	var slotBuffer [2 * stackItems]uint32
	var alikeBuffer [stackItems]bool
	hashes, slots, alike := hashBuffer[:], slotBuffer[:], alikeBuffer[:]
	if len(items) > stackItems {
		hashes = make([]uint32, len(items))
		slots = make([]uint32, 1<<bits.Len(uint(len(items)+len(items)/2)))
		alike = make([]bool, len(items))
	}

	// First scalars get their hash, and arrays and objects one that tells only their size.
	containers := false
	for n, item := range items {
		hashes[n] = uint32(h.shallow(int(item)) >> 32)
		containers = containers || isContainer(t, item)
	}
	// Then those arrays and objects that have siblings of their size get their hash.
	if containers {
		for n, item := range items {
			if !isContainer(t, item) {
				continue
			}
			earlier := insert(slots, hashes, n, func(e int) bool { return isContainer(t, items[e]) })
			if earlier >= 0 {
				alike[earlier], alike[n] = true, true
			}
		}
		for n, item := range items {
			if alike[n] {
				hashes[n] = uint32(h.value(int(item)) >> 32)
			}
		}
		clear(slots)
	}
	for n, item := range items {
		earlier := insert(slots, hashes, n, func(e int) bool { return Equal(t, int(items[e]), t, int(item)) })
		if earlier >= 0 {
			return int(items[earlier]), int(item), false
		}
	}
	return 0, 0, true
}

// insert puts item n into the hash table slots, unless an item of the same hash is there for
// which same reports true: then it returns that item, else -1. A slot holds the number of an
// item plus one; at most two thirds of the slots, a power of two, are ever in use.
func insert(slots, hashes []uint32, n int, same func(item int) bool) int {
	mask := uint32(len(slots) - 1)
	for at := hashes[n] & mask; ; at = (at + 1) & mask {
		if slots[at] == 0 {
			slots[at] = uint32(n) + 1
			return -1
		}
		if e := int(slots[at] - 1); hashes[e] == hashes[n] && same(e) {
			return e
		}
	}
}

func isContainer(t *jsontape.Tape, i uint32) bool {
	kind := t.Tokens[i].Kind
	return kind == jsontape.Object || kind == jsontape.Array
}
