package jsonrt

import (
	"bytes"
	"slices"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Equal reports whether the value at token i of t equals the value at token j of u as JSON
// Schema defines it (core section 4.2.2): numbers by their mathematical value, strings code
// point by code point, arrays element by element, objects by their members in any order.
//
// Both values must be indexed to their full depth and free of repeated member names. Every
// part of the two values is looked at once, so the cost is linear; objects that list the
// same members in different orders are sorted, which adds a logarithm and allocates.
func Equal(t *jsontape.Tape, i int, u *jsontape.Tape, j int) bool {
	a, b := &t.Tokens[i], &u.Tokens[j]
	// Equal values have equally many tokens, whatever their order and spelling.
	if a.Kind != b.Kind || int(a.Next)-i != int(b.Next)-j {
		return false
	}
	switch a.Kind {
	case jsontape.Number:
		x, y := t.Data[a.Start:a.End], u.Data[b.Start:b.End]
		return bytes.Equal(x, y) || EqualNumber(x, y)
	case jsontape.String:
		return equalStrings(t, i, u, j)
	case jsontape.Array:
		return equalArrays(t, i, u, j)
	case jsontape.Object:
		return equalObjects(t, i, u, j)
	case jsontape.Null, jsontape.False, jsontape.True, jsontape.Invalid:
	}
	return true
}

func equalArrays(t *jsontape.Tape, i int, u *jsontape.Tape, j int) bool {
	iEnd, jEnd := int(t.Tokens[i].Next), int(u.Tokens[j].Next)
	for i, j = i+1, j+1; i < iEnd && j < jEnd; {
		if !Equal(t, i, u, j) {
			return false
		}
		i, j = int(t.Tokens[i].Next), int(u.Tokens[j].Next)
	}
	return i == iEnd && j == jEnd
}

func equalObjects(t *jsontape.Tape, i int, u *jsontape.Tape, j int) bool {
	// The names decide first whether members stand in the same order: a value that was
	// compared before its place is sure would be compared again, and again at each level.
	iEnd, jEnd := int(t.Tokens[i].Next), int(u.Tokens[j].Next)
	k, l := i+1, j+1
	for k < iEnd && l < jEnd && equalStrings(t, k, u, l) {
		k, l = int(t.Tokens[k+1].Next), int(u.Tokens[l+1].Next)
	}
	if k == iEnd && l == jEnd {
		for k, l = i+1, j+1; k < iEnd; {
			if !Equal(t, k+1, u, l+1) {
				return false
			}
			k, l = int(t.Tokens[k+1].Next), int(u.Tokens[l+1].Next)
		}
		return true
	}

	names, others := sortedNames(t, k, iEnd), sortedNames(u, l, jEnd)
	if len(names) != len(others) {
		return false
	}
	for n, name := range names {
		if !equalStrings(t, int(name), u, int(others[n])) {
			return false
		}
	}
	for k, l = i+1, j+1; k < iEnd && l < jEnd && equalStrings(t, k, u, l); {
		if !Equal(t, k+1, u, l+1) {
			return false
		}
		k, l = int(t.Tokens[k+1].Next), int(u.Tokens[l+1].Next)
	}
	for n, name := range names {
		if !Equal(t, int(name)+1, u, int(others[n])+1) {
			return false
		}
	}
	return true
}

// sortedNames lists the tokens of the member names from token i to the object's end, sorted
// by name.
func sortedNames(t *jsontape.Tape, i, end int) []uint32 {
	var names []uint32
	for ; i < end; i = int(t.Tokens[i+1].Next) {
		names = append(names, uint32(i))
	}
	slices.SortFunc(names, func(a, b uint32) int { return compareStrings(t, int(a), t, int(b)) })
	return names
}
