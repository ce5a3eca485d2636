package echo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxNearest is how many ids a message suggests.
const maxNearest = 3

// Nearest finds the ids that the given one may have been meant to be, the likeliest first:
// those that contain it or are contained in it, and those a few letters away. Case and the
// kind of separator don't count.
func Nearest(id string, ids []string) []string {
	if id == "" || len(id) > maxQuotedID {
		return nil
	}
	type match struct {
		id       string
		distance int
	}
	var found []match
	want := foldID(id)
	for _, candidate := range ids {
		have := foldID(candidate)
		d := levenshtein.ComputeDistance(want, have)
		close := d <= max(2, len(want)/3)
		part := len(want) >= 3 && (strings.Contains(have, want) || strings.Contains(want, have))
		if close || part {
			found = append(found, match{candidate, d})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(a.distance, b.distance) })
	var near []string
	for _, m := range found[:min(len(found), maxNearest)] {
		near = append(near, m.id)
	}
	return near
}

// foldID makes ids alike that differ in case or separators.
func foldID(id string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch r {
		case '-', ' ', '.', '/':
			return '_'
		}
		return r
	}, strings.ToLower(id)), "_")
}
