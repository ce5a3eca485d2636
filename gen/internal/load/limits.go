package load

import "github.com/zenlix/echo-mcp/gen/jsontape"

// The limits of what is loaded. Every later pass walks over the graph, and what it makes of a
// schema is as long as the way to it: without these limits the output would grow with the
// square of the input, and the stack with the input.
const (
	// maxDepth is how deep arrays and objects nest in a file. Schemas in use have some 40 levels.
	maxDepth = 512
	// maxChain is how many schemas lead from a message to the last one, each inside the one
	// before or referred to by it.
	maxChain = 100_000
	// The pointers of a file's schemas, which become names and locations in the output, may
	// have so many bytes in all for each byte of the file, and these beside.
	pointerFactor, pointerGrace = 64, 1 << 20
	// mostFaults is after how many faults no more are looked for: to tell where one is takes a
	// look at the whole file.
	mostFaults = 1000
)

// full reports whether enough faults are known.
func (l *loader) full() bool { return len(l.faults) >= mostFaults }

// tooDeep finds the first array or object that lies deeper than maxDepth, or -1.
func tooDeep(t *jsontape.Tape) int {
	var ends []int // where the arrays and objects around end
	for i := range t.Tokens {
		for len(ends) > 0 && i >= ends[len(ends)-1] {
			ends = ends[:len(ends)-1]
		}
		switch t.Tokens[i].Kind {
		case jsontape.Array, jsontape.Object:
			if ends = append(ends, t.Next(i)); len(ends) > maxDepth {
				return i
			}
		case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Number, jsontape.String:
		}
	}
	return -1
}

// pointersTooLong adds the pointer of s to those of its file, and notes a fault once they are
// too long together: long member names with many schemas inside.
func (l *loader) pointersTooLong(s *Schema) bool {
	f := s.File
	limit := pointerFactor*len(f.Tape.Data) + pointerGrace
	before := f.pointers
	f.pointers += len(s.Pointer)
	if before <= limit && f.pointers > limit {
		l.fault(f.At(s.Tok, "the pointers to the schemas of this file have more than %d bytes in all; shorten the member names on the way here, or give what is inside a name in $defs and refer to it", limit))
	}
	return f.pointers > limit
}
