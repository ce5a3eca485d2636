package jsonrt

import "github.com/zenlix/echo-mcp/gen/jsontape"

// IsInteger is replaced by branch rt.
func IsInteger(text []byte) bool { return false }

// RuneCount is replaced by branch rt.
func RuneCount(t *jsontape.Tape, i int) int { return len(t.Str(i)) }
