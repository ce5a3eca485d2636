package ecma

// class parses what follows "[" into node (ClassContents).
func (p *parser) class(node *Node) {
	node.Op, node.Char = Class, 0
	node.Negate = p.accept("^")
	for p.more() {
		if p.accept("]") {
			return
		}
		start := p.pos
		low := p.classAtom()
		if !p.more() || !p.at("-") || p.at("-]") {
			p.addItems(node, low)
			continue
		}
		p.pos++
		if !p.more() {
			break
		}
		high := p.classAtom()
		switch {
		case p.err != nil:
		case low.Escape != 0 || high.Escape != 0:
			// [\w-.]: without the u flag the dash stands for itself.
			if !p.lenient {
				p.fail(start, `a range can't start or end with a class; write "\-" for the character`)
			}
			p.addItems(node, low, Item{Lo: '-', Hi: '-'}, high)
		case low.Lo > high.Lo:
			p.fail(start, "the range is in the wrong order")
		default:
			p.addItems(node, Item{Lo: low.Lo, Hi: high.Lo})
		}
	}
	p.fail(node.Pos, "the class is not closed")
}

func (p *parser) addItems(node *Node, items ...Item) {
	if !p.verdict {
		node.Items = append(node.Items, items...)
	}
}

// classAtom parses one character or escape of a class.
func (p *parser) classAtom() Item {
	start := p.pos
	r := p.next()
	if r != '\\' {
		return Item{Lo: r, Hi: r}
	}
	if !p.more() {
		p.fail(start, "nothing follows the backslash")
		return Item{}
	}
	if item, ok := p.classEscape(); ok {
		return item
	}
	switch c := p.src[p.pos]; {
	case c == 'b':
		p.pos++
		r = '\b'
	case c == '-':
		p.pos++
		r = '-'
	case p.lenient && '1' <= c && c <= '7':
		r = p.octal()
	case p.lenient && c == 'c' && p.pos+1 < len(p.src) && (isDigit(p.src[p.pos+1]) || p.src[p.pos+1] == '_'):
		r = rune(p.src[p.pos+1] & 0x1F)
		p.pos += 2
	default:
		r = p.characterEscape(start)
	}
	return Item{Lo: r, Hi: r}
}
