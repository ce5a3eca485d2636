package jsonrt

import "github.com/zenlix/echo-mcp/gen/jsonrt/near"

// nearest gives the candidate that name is most likely a misspelling of, or "".
func nearest(name string, candidates []string) string {
	const longest = 64 // there may be many candidates: beyond it a hint is worth less than its cost
	if len(name) > longest {
		return ""
	}
	best, bestEdits := "", 0
	for _, candidate := range candidates {
		if edits, ok := near.Misspelling(name, candidate); ok && (best == "" || edits < bestEdits) {
			best, bestEdits = candidate, edits
		}
	}
	return best
}
