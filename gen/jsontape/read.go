package jsontape

import (
	"bytes"
	"math"
	"math/bits"
)

// none is the parent of the root. No document has as many tokens: each takes a byte.
const none = math.MaxUint32

// reader is the state of one run over a document, as far as it changes only where a
// container opens or closes. The rest lives in the variables of run.
type reader struct {
	tokens     []Token // all of them may be written to; those in use come first
	used       int     // how many are in use, set at the end of the run
	open       uint32  // index of the innermost open container, or none
	step       uint    // 1 where values are indexed at the present depth, else 0
	depth      int     // number of open containers
	maxDepth   int
	indexDepth int
	unsure     uint8 // 1 if any object is
	flags      Flags // of all strings
	fault      fault
}

// run reads the document into r.tokens and reports whether it is well formed; r.fault says
// what is wrong. It is a state machine that looks at every byte once. Parse and Valid
// share it.
//
// There is no stack. The token of an open container holds its parent in Next until the
// closing bracket puts the right value there. A value below the indexed depth is written
// like any other, but the next one overwrites it (r.step is 0), and the token of such a
// container goes away when it closes.
//
// The states are labels: the compiler keeps position and count in registers and each
// transition costs one jump. What the reader expected at a fault is worked out afterwards,
// by explain, and the calls that are seldom needed stand outside of this function: both
// make room for registers, which is worth a third of the speed. The loop over white space
// is written out in each state, which is worth a twentieth.
func (r *reader) run(data []byte) bool {
	var (
		tokens = r.tokens
		p      int    // position in data
		n      uint   // tokens in use
		in     Kind   // kind of the innermost open container, Invalid outside of the root
		tail   uint64 // last bytes of the string, as far as they shared a word with its end
		isName bool   // the string being read is a name
		c      byte   // data[p], in states where it is known
	)

	if uint64(len(data)) > math.MaxUint32 {
		return r.stop(0, 0, tooLarge)
	}
	r.open, r.step = none, 1
	if r.maxDepth <= 0 {
		r.maxDepth = DefaultMaxDepth
	}
	r.maxDepth = min(r.maxDepth, DepthCeiling)
	if r.indexDepth <= 0 {
		r.indexDepth = math.MaxInt
	}

value: // where a value must come next, perhaps after white space
	for {
		if uint(p) >= uint(len(data)) {
			return r.stop(n, p, wantValue)
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	for n >= uint(len(tokens)) {
		tokens = r.grow(p, data)
	}
	tokens[n].Start = uint32(p)
	if c == '"' {
		isName = false
		goto str
	}
	{
		k := &tokens[n]
		switch c {
		case '{', '[':
			if r.depth == r.maxDepth {
				return r.stop(n, p, tooDeep)
			}
			in = Array
			if c == '{' {
				in = Object
			}
			k.Kind, k.Flags, k.unsure = in, 0, 0
			k.End, k.Next = 0, r.open
			r.open = uint32(n)
			n++
			r.depth++
			r.step = 0
			if r.depth < r.indexDepth {
				r.step = 1
			}
			p++
			goto first
		case 't':
			if uint32(load(data, p)) != 'e'<<24|'u'<<16|'r'<<8|'t' {
				return r.stop(n, p, wantValue)
			}
			p += 4
			k.Kind, k.Flags = True, 0
		case 'f':
			if load(data, p)&(1<<40-1) != 'e'<<32|'s'<<24|'l'<<16|'a'<<8|'f' {
				return r.stop(n, p, wantValue)
			}
			p += 5
			k.Kind, k.Flags = False, 0
		case 'n':
			if uint32(load(data, p)) != 'l'<<24|'l'<<16|'u'<<8|'n' {
				return r.stop(n, p, wantValue)
			}
			p += 4
			k.Kind, k.Flags = Null, 0
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			end, flags, cause := number(data, p)
			if cause != noFault {
				return r.stop(n, end, cause)
			}
			p = end
			k.Kind, k.Flags = Number, flags
		default:
			return r.stop(n, p, wantValue)
		}
		k.End = uint32(p)
		n += r.step
		k.Next = uint32(n)
		goto after
	}

first: // after an opening bracket
	for {
		if uint(p) >= uint(len(data)) {
			return r.stop(n, p, wantValue)
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	if in == Object {
		if c == '}' {
			goto closing
		}
		goto name
	}
	if c == ']' {
		goto closing
	}
	goto value

name: // where a member name must come next, perhaps after white space
	for {
		if uint(p) >= uint(len(data)) {
			return r.stop(n, p, wantName)
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	if c != '"' {
		return r.stop(n, p, wantName)
	}
	for n >= uint(len(tokens)) {
		tokens = r.grow(p, data)
	}
	tokens[n].Start = uint32(p)
	isName = true

str: // at the opening quote of a name or value, with room for its token
	p++
	for {
		w := load(data, p)
		m := stringEnds(w)
		if m != 0 {
			tail = w & (m&-m - 1)
			p += bits.TrailingZeros64(m) / 8
			break
		}
		p += 8
	}
	{
		k := &tokens[n]
		k.Kind, k.Flags = String, 0
		if uint(p) >= uint(len(data)) || data[p] != '"' {
			end, flags, cause := stringRest(data, p)
			if cause != noFault {
				return r.stop(n, end, cause)
			}
			p = end
			k.Flags = flags
			r.flags |= flags
			if isName && flags&Escaped != 0 {
				tokens[r.open].unsure = 1
			}
		}
		p++
		k.End = uint32(p)
		n += r.step
		k.Next = uint32(n)
	}
	if !isName {
		goto after
	}
	{
		// A filter of 32 bits, for which End has room while the object is open, tells
		// RepeatedName where it need not look.
		o := &tokens[r.open]
		bit := tail * hashFactor >> (64 - 5)
		o.unsure |= uint8(o.End >> bit & 1)
		o.End |= 1 << bit
	}
	for {
		if uint(p) >= uint(len(data)) {
			return r.stop(n, p, wantColon)
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	if c != ':' {
		return r.stop(n, p, wantColon)
	}
	p++
	goto value

closing: // at the closing bracket of the innermost container
	p++
	{
		k := &tokens[r.open]
		parent := k.Next
		r.unsure |= k.unsure
		k.End = uint32(p)
		k.Next = uint32(n)
		r.depth--
		r.step = 1
		if r.depth >= r.indexDepth {
			r.step = 0
			n = uint(r.open)
		}
		r.open = parent
		in = Invalid
		if parent != none {
			in = tokens[parent].Kind
		}
	}

after: // after a value
	for {
		if uint(p) >= uint(len(data)) {
			if in == Invalid {
				r.used = int(n)
				return true
			}
			return r.stop(n, p, wantNext)
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	if in == Object {
		if c == ',' {
			p++
			goto name
		}
		if c == '}' {
			goto closing
		}
	} else if in == Array {
		if c == ',' {
			p++
			goto value
		}
		if c == ']' {
			goto closing
		}
	}
	return r.stop(n, p, wantNext)
}

// stop ends a run at a fault. It is never inlined, so that the many places that call it
// stay small.
//
//go:noinline
func (r *reader) stop(n uint, p int, cause cause) bool {
	r.used = int(n)
	r.fault = fault{p, cause}
	return false
}

// grow makes room for more tokens, at offset p of the data. A long document gets as many at
// once as the rest can have: doubling would leave up to half of the memory unused, and need
// half as much again while tokens are copied.
//
//go:noinline
func (r *reader) grow(p int, data []byte) []Token {
	const few = 4096
	n := max(256, 2*len(r.tokens))
	if n > few && r.indexDepth == math.MaxInt {
		n = len(r.tokens) + mostTokens(data[p:])
	}
	bigger := make([]Token, n)
	copy(bigger, r.tokens)
	r.tokens = bigger
	return bigger
}

// mostTokens is how many tokens a piece of a document can have, begun before it or not.
// Characters in strings count as if they were structure, but never more than two bytes make
// a token.
func mostTokens(piece []byte) int {
	count := func(c byte) int { return bytes.Count(piece, []byte{c}) }
	return min(1+2*count(':')+count(',')+count('[')+count('{'), len(piece)/2) + 2
}

// isSpace reports whether c is white space (RFC 8259, section 2).
func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}
