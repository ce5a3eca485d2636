// Package near decides whether one name is likely a misspelling of another. Everything that
// guesses what a caller meant asks here, so that one rule holds.
package near

import (
	"cmp"
	"slices"
)

// longest is the longest name, in bytes, that is compared: beyond it a hint is worth less
// than its cost.
const longest = 256

// shortest is the shortest name, in letters, that is looked for as a part of another.
const shortest = 3

// Misspelling reports whether name is likely a misspelling of candidate, and how many edits
// they are apart: insertions, deletions, replacements and swaps of neighbours. Allowed is one
// edit for each three letters of name, at least one and at most three, and names must have a
// letter in common. Case, '-', '_', '.', '/' and spaces don't count; a name of nothing else is
// near no other.
func Misspelling(name, candidate string) (edits int, ok bool) {
	if name == "" || candidate == "" || len(name) > longest || len(candidate) > longest {
		return 0, false
	}
	a, b := fold(name), fold(candidate)
	allowed := min(3, max(1, len(a)/3))
	if len(a) == 0 || len(b) == 0 || len(a)-len(b) > allowed || len(b)-len(a) > allowed {
		return 0, false
	}
	edits = distance(a, b)
	return edits, edits <= allowed && edits < max(len(a), len(b))
}

// Part reports whether one of the two names, of at least three letters, is a part of the other,
// and how many letters more the other has.
func Part(name, candidate string) (more int, ok bool) {
	if len(name) > longest || len(candidate) > longest {
		return 0, false
	}
	a, b := fold(name), fold(candidate)
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(b) - len(a), len(a) >= shortest && contains(b, a)
}

// contains reports whether part stands in whole.
func contains(whole, part []rune) bool {
	for i := 0; i+len(part) <= len(whole); i++ {
		if string(whole[i:i+len(part)]) == string(part) {
			return true
		}
	}
	return false
}

// mostNames is how many candidates a message suggests.
const mostNames = 3

// Names finds the candidates that name may have been meant to be, at most three, the likeliest
// first: those of which it is a misspelling, and those that contain it or are contained in it.
func Names(name string, candidates []string) []string {
	type match struct {
		name  string
		edits int
	}
	var found []match
	for _, candidate := range candidates {
		edits, ok := Misspelling(name, candidate)
		if !ok {
			edits, ok = Part(name, candidate)
		}
		if ok {
			found = append(found, match{candidate, edits})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(a.edits, b.edits) })
	var list []string
	for _, m := range found[:min(len(found), mostNames)] {
		list = append(list, m.name)
	}
	return list
}

// fold removes what people mix up most: case and separators.
func fold(s string) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		switch {
		case r == '-' || r == '_' || r == '.' || r == '/' || r == ' ':
			continue
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
		}
		out = append(out, r)
	}
	return out
}

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn
// a into b (optimal string alignment).
func distance(a, b []rune) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
