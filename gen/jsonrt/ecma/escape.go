package ecma

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// atomEscape parses what follows a backslash outside a class into node, and reports whether
// a quantifier may follow.
func (p *parser) atomEscape(node *Node) (quantifiable bool) {
	if !p.more() {
		p.fail(node.Pos, "nothing follows the backslash")
		return false
	}
	switch c := p.src[p.pos]; {
	case c == 'b', c == 'B':
		p.pos++
		node.Op, node.Negate = Boundary, c == 'B'
		return false
	case '1' <= c && c <= '9':
		return p.backReference(node)
	case c == 'k' && (p.named || !p.lenient):
		p.pos++
		if !p.accept("<") {
			p.fail(node.Pos, `\k must be followed by the name of a group: \k<name>`)
			return false
		}
		node.Op, node.Name = Backref, p.groupName()
		p.refer(node)
		return true
	}
	if item, ok := p.classEscape(); ok {
		node.Op = Class
		p.addItems(node, item)
		return true
	}
	node.Char = p.characterEscape(node.Pos)
	return true
}

// refer notes a back-reference by name, whose groups are known at the end.
func (p *parser) refer(node *Node) {
	switch {
	case !p.verdict:
		p.byName = append(p.byName, node)
	case p.meant == nil:
		p.meant = map[string]int{node.Name: node.Pos}
	case len(p.meant) <= maxGroups: // beyond that one of the names can't be a group's
		p.meant[node.Name] = node.Pos
	}
}

// backReference parses \1 and its like: the number of a group, or where lenient and there
// are fewer groups a legacy octal escape.
func (p *parser) backReference(node *Node) bool {
	start := p.pos
	number, _ := p.count()
	if number <= p.total {
		node.Op, node.Indexes = Backref, []int{number}
		return true
	}
	p.pos = start
	if !p.lenient {
		p.fail(node.Pos, "there is no group of this number")
		return true
	}
	if c := p.src[p.pos]; c >= '8' {
		p.pos++
		node.Char = rune(c)
		return true
	}
	node.Char = p.octal()
	return true
}

// octal parses up to three octal digits of a value up to 255 (Annex B, LegacyOctalEscape).
func (p *parser) octal() (value rune) {
	for start := p.pos; p.pos < len(p.src) && p.pos < start+3; p.pos++ {
		c := p.src[p.pos]
		if c < '0' || c > '7' || value*8+rune(c-'0') > 0xFF {
			break
		}
		value = value*8 + rune(c-'0')
	}
	return value
}

// classEscape parses \d, \s, \w, \p and their complements behind the backslash, if one
// stands here.
func (p *parser) classEscape() (item Item, ok bool) {
	c := p.src[p.pos]
	switch c {
	case 'd', 'D', 's', 'S', 'w', 'W':
		p.pos++
		return Item{Escape: c}, true
	case 'p', 'P':
	default:
		return Item{}, false
	}
	start := p.pos - 1
	p.pos++
	end := strings.IndexByte(p.src[p.pos:], '}')
	if !p.at("{") || end < 0 {
		p.fail(start, `\`+string(rune(c))+` must be followed by a property in braces, as in \p{L}`)
		return Item{}, true
	}
	property, value, both := strings.Cut(p.src[p.pos+1:p.pos+end], "=")
	kind, _ := LookupProperty(property, value)
	if kind == UnknownProperty || both && value == "" {
		p.fail(start, "unknown Unicode property")
	}
	if p.err == nil {
		p.pos += end + 1
	}
	return Item{Escape: c, Property: property, Value: value}, true
}

// characterEscape parses an escape that stands for one character, behind its backslash at
// start.
func (p *parser) characterEscape(start int) rune {
	c := p.next()
	switch c {
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case '^', '$', '\\', '.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '/':
		return c
	case 'c':
		if p.pos < len(p.src) && isLetter(p.src[p.pos]) {
			p.pos++
			return rune(p.src[p.pos-1] & 0x1F)
		}
		if p.lenient {
			p.pos-- // the backslash stands for itself, and the c follows
			return '\\'
		}
		p.fail(start, `\c must be followed by a letter`)
	case '0':
		if p.pos == len(p.src) || !isDigit(p.src[p.pos]) {
			return 0
		}
		if p.lenient {
			p.pos--
			return p.octal()
		}
		p.fail(start, "octal escapes are not allowed")
	case 'x':
		if value, ok := p.hex(2); ok {
			return value
		}
		if !p.lenient {
			p.fail(start, `\x must be followed by two hexadecimal digits`)
		}
	case 'u':
		if value, ok := p.unicodeEscape(); ok {
			return value
		}
		if !p.lenient {
			p.fail(start, `\u must be followed by four hexadecimal digits, or by a code point in braces`)
		}
	default:
		if !p.lenient {
			p.fail(start, "needless escape")
		}
	}
	return c
}

// unicodeEscape parses what follows \u: four digits, two such escapes that form a surrogate
// pair, or a code point in braces.
func (p *parser) unicodeEscape() (value rune, ok bool) {
	start := p.pos
	if p.accept("{") {
		digits := 0
		for ; p.pos < len(p.src) && isHex(p.src[p.pos]); digits++ {
			value = min(value<<4|hexValue(p.src[p.pos]), unicode.MaxRune+1)
			p.pos++
		}
		if digits > 0 && value <= unicode.MaxRune && p.accept("}") {
			return value, true
		}
		p.pos = start
		return 0, false
	}
	value, ok = p.hex(4)
	if ok && utf16.IsSurrogate(value) && p.at(`\u`) {
		high := p.pos
		p.pos += 2
		if low, ok := p.hex(4); ok {
			if pair := utf16.DecodeRune(value, low); pair != unicode.ReplacementChar {
				return pair, true
			}
		}
		p.pos = high
	}
	return value, ok
}

// hex parses exactly n hexadecimal digits, or nothing.
func (p *parser) hex(n int) (value rune, ok bool) {
	if len(p.src)-p.pos < n {
		return 0, false
	}
	for i := range n {
		c := p.src[p.pos+i]
		if !isHex(c) {
			return 0, false
		}
		value = value<<4 | hexValue(c)
	}
	p.pos += n
	return value, true
}

// groupName parses a group's name (an ECMAScript identifier) and the ">" behind it.
func (p *parser) groupName() string {
	start := p.pos
	var name strings.Builder
	for p.more() {
		r := p.next()
		if r == '>' && name.Len() > 0 {
			return name.String()
		}
		if r == '\\' && p.accept("u") {
			var ok bool
			if r, ok = p.unicodeEscape(); !ok {
				break
			}
		}
		if !isIdentifierStart(r) && (name.Len() == 0 || !isIdentifierPart(r)) {
			break
		}
		name.WriteRune(r)
	}
	p.fail(start, "bad group name; it must be like a variable's name and end with \">\"")
	return ""
}

func isIdentifierStart(r rune) bool {
	return r == '$' || r == '_' || unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_ID_Start)
}

func isIdentifierPart(r rune) bool {
	return isIdentifierStart(r) || r == '\u200c' || r == '\u200d' ||
		unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func hexValue(c byte) rune {
	if isDigit(c) {
		return rune(c - '0')
	}
	return rune(c|0x20-'a') + 10
}
