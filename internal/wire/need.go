package wire

import "bytes"

// What it takes to deal with a message, in bytes of memory.
const (
	// tokenBytes is what a value or member name takes on the tape.
	tokenBytes = 16
	// copyBytes is what it takes again in a document with escapes, of which a check makes a
	// second tape with the decoded strings.
	copyBytes = tokenBytes
	// checkBytes is what a check may keep of a value or member name: its mark where a schema
	// asks for what is unevaluated, and what it remembers of verdicts.
	checkBytes = 4 + 8
	// nameBytes is what a member name takes while it is looked for a repeated one.
	nameBytes = 24
	// levelBytes is what a level of nesting takes of the stack of a check: at most 840 bytes
	// were measured, and while it grows the old stack is there too, which is half of that.
	levelBytes = 5 << 8
	// scratchBytes is what else there may be, for a message of that size or more: automata
	// and engines of patterns, details. A message of a hundredth has a hundredth of it.
	scratchBytes = 1 << 20
	scratchSize  = 16 << 10
	// What mcp-go takes for a byte and for a value of what it gets.
	forwardBytes      = 8
	forwardValueBytes = 512
)

// Need is how much memory it takes at most to read a message, to check its payload, which
// may nest as deep as maxDepth, and to answer it, without the message itself. It looks at
// the message, but does not read it: characters in strings count as if they were structure.
func Need(message []byte, maxDepth int) int64 {
	count := func(c byte) int64 { return int64(bytes.Count(message, []byte{c})) }
	size, escapes, open := int64(len(message)), count('\\'), count('[')+count('{')
	// What a string holds may be read as JSON, and there escapes can stand for structure.
	names := min(count(':')+escapes, size/5+1)
	values := 1 + open + count(',') + escapes
	return need(size, names, values, open, maxDepth, escapes > 0)
}

// MaxNeed is what Need may be for a message of so many bytes.
func MaxNeed(size int64, maxDepth int) int64 {
	return max(need(size, 0, size, size, maxDepth, true), need(size, size/5+1, size, size, maxDepth, true))
}

// need is Need for a message of so many bytes with at most so many member names, values and
// opening brackets.
func need(size, names, values, open int64, maxDepth int, escaped bool) int64 {
	// A value has at least two bytes with what parts it from the next; a member has five.
	tokens := min(names+values, (size-names)/2+1)
	perToken := int64(tokenBytes + checkBytes)
	if escaped {
		perToken += copyBytes
	}
	levels := min(open, int64(maxDepth)+payloadDepth)
	text := size // of strings, decoded
	forward := min(size, maxForwardBytes)*forwardBytes + min(tokens, maxForwardValues)*forwardValueBytes
	scratch := scratchBytes * min(size, scratchSize) / scratchSize
	return tokens*perToken + names*nameBytes + levels*levelBytes + text + forward + scratch
}
