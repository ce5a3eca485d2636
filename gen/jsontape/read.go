package jsontape

import (
	"math"
	"math/bits"
)

// none is the parent of the root. No document has as many tokens: each needs a byte.
const none = math.MaxUint32

// read is the reader behind Parse and Valid: a state machine over the bytes that looks at
// each byte once and writes tokens. It returns the tokens, how many are in use and the
// fault, if any.
//
// It keeps no stack. The token of an open container holds its parent in Next until the
// closing bracket puts the right value there. A value deeper than the indexed depth is
// written like any other but not counted (step is 0), and the token of such a container
// goes away when it closes.
func read(data []byte, tokens []Token, o Options) ([]Token, int, fault) {
	if uint64(len(data)) > math.MaxUint32 {
		return tokens, 0, fault{0, tooLarge}
	}
	maxDepth, indexDepth := o.limits()
	var (
		p        uint           // position in data
		start    uint           // of the value or name being read
		n        uint           // tokens in use
		step     uint   = 1     // 1 where values are indexed at the present depth, else 0
		open     uint32 = none  // index of the innermost open container
		depth           = 0     // number of open containers
		inObject        = false // the innermost open container is an object
		isName          = false // the string being read is a name
		want            = wantValue
		flags    Flags
		c        byte
	)

value: // want says what to expect; white space may come first
	for {
		if p >= uint(len(data)) {
			return tokens, int(n), fault{int(p), want}
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	start = p
	if n >= uint(len(tokens)) {
		tokens = grow(tokens)
	}
	switch c {
	case '"':
		isName = false
		goto str
	case '{', '[':
		if depth == maxDepth {
			return tokens, int(n), fault{int(p), tooDeep}
		}
		inObject = c == '{'
		kind := Array
		if inObject {
			kind = Object
		}
		tokens[n] = Token{Start: uint32(p), Next: open, Kind: kind}
		open = uint32(n)
		n++
		depth++
		step = 0
		if depth < indexDepth {
			step = 1
		}
		p++
		goto first
	case 't':
		if uint32(load(data, p)) != 'e'<<24|'u'<<16|'r'<<8|'t' {
			return tokens, int(n), fault{int(p), wantLiteral}
		}
		p += 4
		tokens[n] = Token{Start: uint32(start), End: uint32(p), Next: uint32(n + 1), Kind: True}
		n += step
		goto after
	case 'f':
		if load(data, p)&(1<<40-1) != 'e'<<32|'s'<<24|'l'<<16|'a'<<8|'f' {
			return tokens, int(n), fault{int(p), wantLiteral}
		}
		p += 5
		tokens[n] = Token{Start: uint32(start), End: uint32(p), Next: uint32(n + 1), Kind: False}
		n += step
		goto after
	case 'n':
		if uint32(load(data, p)) != 'l'<<24|'l'<<16|'u'<<8|'n' {
			return tokens, int(n), fault{int(p), wantLiteral}
		}
		p += 4
		tokens[n] = Token{Start: uint32(start), End: uint32(p), Next: uint32(n + 1), Kind: Null}
		n += step
		goto after
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		var f what
		p, flags, f = number(data, p)
		if f != noFault {
			return tokens, int(n), fault{int(p), f}
		}
		tokens[n] = Token{Start: uint32(start), End: uint32(p), Next: uint32(n + 1), Kind: Number, Flags: flags}
		n += step
		goto after
	}
	return tokens, int(n), fault{int(p), want}

first: // after the opening bracket
	for {
		if p >= uint(len(data)) {
			break
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	if inObject {
		want = wantFirstMember
		if p < uint(len(data)) && data[p] == '}' {
			goto closing
		}
		goto name
	}
	want = wantFirst
	if p < uint(len(data)) && data[p] == ']' {
		goto closing
	}
	goto value

name: // want says what to expect; white space may come first
	for {
		if p >= uint(len(data)) {
			return tokens, int(n), fault{int(p), want}
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	if c != '"' {
		return tokens, int(n), fault{int(p), want}
	}
	start = p
	if n >= uint(len(tokens)) {
		tokens = grow(tokens)
	}
	isName = true

str: // data[p] is the opening quote of a name or value
	flags = 0
	p++
	for {
		m := stringEnds(load(data, p))
		if m == 0 {
			p += 8
			continue
		}
		p += uint(bits.TrailingZeros64(m)) / 8
		if p >= uint(len(data)) {
			return tokens, int(n), fault{int(p), inString}
		}
		c = data[p]
		if c == '"' {
			break
		}
		if c == '\\' {
			flags |= Escaped
			size, f := escape(data, p)
			if f != noFault {
				return tokens, int(n), fault{int(p + size), f}
			}
			p += size
			continue
		}
		if c < 0x80 {
			return tokens, int(n), fault{int(p), inString}
		}
		flags |= NonASCII
		size := multibyte(data, p)
		if size == 0 {
			return tokens, int(n), fault{int(p), badUTF8}
		}
		p += size
	}
	p++
	tokens[n] = Token{Start: uint32(start), End: uint32(p), Next: uint32(n + 1), Kind: String, Flags: flags}
	n += step
	if !isName {
		goto after
	}
	for {
		if p >= uint(len(data)) {
			return tokens, int(n), fault{int(p), wantColon}
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	if c != ':' {
		return tokens, int(n), fault{int(p), wantColon}
	}
	p++
	want = wantValue
	goto value

closing: // data[p] is the closing bracket of the innermost container
	p++
	{
		k := &tokens[open]
		k.End = uint32(p)
		parent := k.Next
		k.Next = uint32(n)
		depth--
		step = 1
		if depth >= indexDepth {
			step = 0
			n = uint(open)
		}
		open = parent
	}
	if open != none {
		inObject = tokens[open].Kind == Object
	}

after: // after a value
	for {
		if p >= uint(len(data)) {
			break
		}
		c = data[p]
		if c > ' ' || !isSpace(c) {
			break
		}
		p++
	}
	if open == none {
		if p < uint(len(data)) {
			return tokens, int(n), fault{int(p), wantEnd}
		}
		return tokens, int(n), fault{}
	}
	if inObject {
		if p < uint(len(data)) {
			if c == ',' {
				p++
				want = wantMember
				goto name
			}
			if c == '}' {
				goto closing
			}
		}
		return tokens, int(n), fault{int(p), wantAfterMember}
	}
	if p < uint(len(data)) {
		if c == ',' {
			p++
			want = wantElement
			goto value
		}
		if c == ']' {
			goto closing
		}
	}
	return tokens, int(n), fault{int(p), wantAfterElement}
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}

func grow(tokens []Token) []Token {
	bigger := make([]Token, max(64, 2*len(tokens)))
	copy(bigger, tokens)
	return bigger
}

// number reads the number that starts at data[p] with '-' or a digit and returns the
// position after it, or that of the fault.
func number(data []byte, p uint) (uint, Flags, what) {
	if data[p] == '-' {
		p++
	}
	flags := Integer
	if p < uint(len(data)) && data[p] == '0' {
		p++
		if p < uint(len(data)) && isDigit(data[p]) {
			return p, 0, noLeadingZero
		}
	} else {
		q := digits(data, p)
		if q == p {
			return p, 0, wantDigitInteger
		}
		p = q
	}
	if p < uint(len(data)) && data[p] == '.' {
		flags = 0
		p++
		q := digits(data, p)
		if q == p {
			return p, 0, wantDigitFraction
		}
		p = q
	}
	if p < uint(len(data)) && (data[p] == 'e' || data[p] == 'E') {
		flags = 0
		p++
		if p < uint(len(data)) && (data[p] == '+' || data[p] == '-') {
			p++
		}
		q := digits(data, p)
		if q == p {
			return p, 0, wantDigitExponent
		}
		p = q
	}
	return p, flags, noFault
}

func isDigit(c byte) bool {
	return c-'0' < 10
}

// digits is the position after the digits at data[p:].
func digits(data []byte, p uint) uint {
	for {
		m := digitEnds(load(data, p))
		if m != 0 {
			return p + uint(bits.TrailingZeros64(m))/8
		}
		p += 8
	}
}

// escape is the length of the escape sequence whose backslash is at data[p], or how far
// from there the byte is that spoils it.
func escape(data []byte, p uint) (uint, what) {
	if p+1 >= uint(len(data)) {
		return 1, inString
	}
	switch data[p+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, noFault
	case 'u':
		for i := uint(2); i < 6; i++ {
			if p+i >= uint(len(data)) {
				return i, inString
			}
			if unhex(data[p+i]) > 15 {
				return i, wantHex
			}
		}
		return 6, noFault
	}
	return 1, wantEscape
}

// unhex is the value of a hexadecimal digit, and more than 15 for every other byte.
func unhex(c byte) byte {
	switch {
	case c-'0' < 10:
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xFF
}
