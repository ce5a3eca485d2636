package jsonrt

// nearest gives the candidate that name is most likely a misspelling of, or "". Only close
// calls count: one edit for short names, up to a third of the letters for long ones, and a
// difference in case, '-' or '_' alone always.
func nearest(name string, candidates []string) string {
	const longest = 64 // beyond it a hint is worth less than its cost
	if name == "" || len(name) > longest {
		return ""
	}
	best, bestDistance := "", min(3, max(1, len([]rune(name))/3))+1
	for _, candidate := range candidates {
		if len(candidate) > longest {
			continue
		}
		a, b := fold(name), fold(candidate)
		// Names without a letter in common are no misspellings of each other.
		if d := distance(a, b); d < bestDistance && d < max(len(a), len(b), 1) {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// fold removes what people mix up most: case, dashes, underscores and spaces.
func fold(s string) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		switch {
		case r == '-' || r == '_' || r == ' ':
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
