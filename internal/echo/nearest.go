package echo

import (
	"cmp"
	"slices"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
)

// maxNearest is how many ids a message suggests.
const maxNearest = 3

// Nearest finds the ids that the given one may have been meant to be, the likeliest first:
// those of which it is a misspelling, and those that contain it or are contained in it.
func Nearest(id string, ids []string) []string {
	type match struct {
		id    string
		edits int
	}
	var found []match
	for _, candidate := range ids {
		edits, ok := near.Misspelling(id, candidate)
		if !ok {
			edits, ok = near.Part(id, candidate)
		}
		if ok {
			found = append(found, match{candidate, edits})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(a.edits, b.edits) })
	var nearest []string
	for _, m := range found[:min(len(found), maxNearest)] {
		nearest = append(nearest, m.id)
	}
	return nearest
}
