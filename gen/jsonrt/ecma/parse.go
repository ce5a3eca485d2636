package ecma

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxDepth is how deep groups may nest. It keeps the stack small whatever the pattern.
	maxDepth = 1000
	// maxGroups is how many groups may capture. Engines of ECMAScript have such limits, too.
	maxGroups = 1<<15 - 1
)

// Valid reports whether src is a regular expression under the u flag, without any leniency.
// Groups nested deeper than 1,000 are refused, as are more than 32,767 groups that capture.
// It keeps no tree, so that a long text from a stranger takes little memory.
func Valid(src string) bool {
	p := parser{src: src, verdict: true}
	_, err := p.parse()
	return err == nil
}

// Parse reads a pattern as schema authors write them: under the u flag, and if that refuses
// it, once more with the leniencies of ECMA-262 Annex B.1.2, which JavaScript has without
// that flag: needless escapes such as \- and \_, a lone "{", "}" or "]", a class escape as
// the end of a range ([\w-.]), legacy octal escapes, quantified look-aheads. What both
// grammars read keeps its u meaning: \u{1F600} is one code point, \p{L} is a property (an
// unknown property is an error), and a match proceeds by code points.
//
// The error is a *SyntaxError of the lenient reading.
func Parse(src string) (*Regexp, error) {
	re, err := parse(src, false)
	if err != nil {
		re, err = parse(src, true)
	}
	if err != nil {
		return nil, err
	}
	return re, nil
}

func parse(src string, lenient bool) (*Regexp, *SyntaxError) {
	p := parser{src: src, lenient: lenient}
	return p.parse()
}

func (p *parser) parse() (*Regexp, *SyntaxError) {
	if p.countGroups(); p.total > maxGroups {
		p.fail(0, "there are more than 32,767 groups that capture")
	}
	root, names := p.alternatives()
	if p.err == nil && p.pos < len(p.src) {
		p.fail(p.pos, `")" closes no group`)
	}
	p.resolve(names)
	if p.err != nil {
		return nil, p.err
	}
	return &Regexp{Root: root, Groups: p.groups, Lenient: p.lenient}, nil
}

type parser struct {
	src     string
	pos     int
	lenient bool
	verdict bool         // only the verdict is wanted: nodes are not kept
	scratch Node         // all nodes, then
	err     *SyntaxError // the first one; ends the parse
	flags   Flags
	depth   int
	groups  int // capturing groups opened so far
	total   int // capturing groups in the whole pattern
	named   bool
	byName  []*Node        // back-references by name
	meant   map[string]int // their names and where they stand, if nodes are not kept
}

// node makes a node.
func (p *parser) node(n Node) *Node {
	if p.verdict {
		p.scratch = n
		return &p.scratch
	}
	kept := n
	return &kept
}

// add adds a part to a node.
func (p *parser) add(node, sub *Node) {
	if !p.verdict {
		node.Sub = append(node.Sub, sub)
	}
}

// groupNames maps a group's name to the numbers of the groups that bear it.
type groupNames map[string][]int

func (p *parser) fail(pos int, msg string) {
	if p.err == nil {
		p.err = &SyntaxError{Offset: pos, Msg: msg}
		p.pos = len(p.src)
	}
}

// more reports whether there is anything left to parse.
func (p *parser) more() bool { return p.err == nil && p.pos < len(p.src) }

// at reports whether prefix stands at the current position.
func (p *parser) at(prefix string) bool { return strings.HasPrefix(p.src[p.pos:], prefix) }

// accept skips prefix if it stands at the current position.
func (p *parser) accept(prefix string) bool {
	if p.err != nil || !p.at(prefix) {
		return false
	}
	p.pos += len(prefix)
	return true
}

// next takes one code point. A surrogate, encoded like other code points (WTF-8), counts as
// one.
func (p *parser) next() rune {
	r, size := decodeRune(p.src[p.pos:])
	p.pos += size
	return r
}

func decodeRune(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 && len(s) >= 3 && s[0] == 0xED {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, size
}

// countGroups looks ahead for capturing groups: whether \2 is a back-reference depends on
// groups that may stand behind it.
func (p *parser) countGroups() {
	inClass := false
	for i := 0; i < len(p.src); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '(':
			if inClass {
				continue
			}
			rest := p.src[i+1:]
			switch {
			case !strings.HasPrefix(rest, "?"):
				p.total++
			case strings.HasPrefix(rest, "?<") && !strings.HasPrefix(rest, "?<=") && !strings.HasPrefix(rest, "?<!"):
				p.total++
				p.named = true
			}
		}
	}
}

// alternatives parses up to a closing parenthesis or the end (Disjunction).
func (p *parser) alternatives() (*Node, groupNames) {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.pos, "groups are nested too deeply")
	}
	defer func() { p.depth-- }()
	start := p.pos
	first, names := p.sequence()
	if !p.more() || !p.at("|") {
		return first, names
	}
	node := p.node(Node{Op: Alternate, Pos: start})
	p.add(node, first)
	for p.accept("|") {
		sub, more := p.sequence()
		p.add(node, sub)
		names = p.join(names, more, true)
	}
	return node, names
}

// sequence parses one alternative.
func (p *parser) sequence() (*Node, groupNames) {
	node := p.node(Node{Op: Concat, Pos: p.pos})
	var names groupNames
	for p.more() && !p.at("|") && !p.at(")") {
		sub, more := p.term()
		p.add(node, sub)
		names = p.join(names, more, false)
	}
	switch len(node.Sub) {
	case 0:
		node.Op = Empty
	case 1:
		return node.Sub[0], names
	}
	return node, names
}

// join unites the group names of two parts. One name may be used twice only in different
// alternatives. The smaller set goes into the larger, so nesting costs little.
func (p *parser) join(a, b groupNames, alternatives bool) groupNames {
	if len(a) < len(b) {
		a, b = b, a
	}
	for name, indexes := range b {
		if len(a[name]) > 0 && !alternatives {
			p.fail(p.pos, "the group name "+name+" is used twice")
		}
		a[name] = append(a[name], indexes...)
	}
	return a
}

// term parses an assertion or an atom, with its quantifier.
func (p *parser) term() (*Node, groupNames) {
	node, names, quantifiable := p.atom()
	if p.err != nil {
		return node, names
	}
	start := p.pos
	minimum, maximum, ok := p.quantifier()
	if !ok {
		return node, names
	}
	if !quantifiable {
		p.fail(start, "nothing to repeat")
	}
	repeat := p.node(Node{Op: Repeat, Min: minimum, Max: maximum, Pos: node.Pos})
	p.add(repeat, node)
	repeat.Lazy = p.accept("?")
	return repeat, names
}

// quantifier parses *, +, ? or a count in braces, if one stands here.
func (p *parser) quantifier() (minimum, maximum int, ok bool) {
	switch {
	case p.accept("*"):
		return 0, Unlimited, true
	case p.accept("+"):
		return 1, Unlimited, true
	case p.accept("?"):
		return 0, 1, true
	case p.more() && p.at("{"):
		return p.counts()
	}
	return 0, 0, false
}

// counts parses {n}, {n,} or {n,m}. Any other brace is an error, or plain text where lenient.
func (p *parser) counts() (minimum, maximum int, ok bool) {
	start := p.pos
	p.pos++
	minimum, ok = p.count()
	maximum = minimum
	if ok && p.accept(",") {
		var bounded bool
		if maximum, bounded = p.count(); !bounded {
			maximum = Unlimited
		}
	}
	if !ok || !p.accept("}") {
		p.pos = start
		if !p.lenient {
			p.fail(start, `"{" starts no repeat count; write "\{" for the character`)
		}
		return 0, 0, false
	}
	if minimum > maximum {
		p.fail(start, "the counts are in the wrong order")
	}
	return minimum, maximum, true
}

// count parses a decimal number; huge ones become Unlimited.
func (p *parser) count() (n int, ok bool) {
	for p.pos < len(p.src) && isDigit(p.src[p.pos]) {
		n = min(n*10+int(p.src[p.pos]-'0'), Unlimited)
		p.pos++
		ok = true
	}
	return n, ok
}

// atom parses one assertion, character, class or group. quantifiable says whether a
// quantifier may follow.
func (p *parser) atom() (node *Node, names groupNames, quantifiable bool) {
	start := p.pos
	r := p.next()
	node = p.node(Node{Op: Char, Char: r, Flags: p.flags, Pos: start})
	switch r {
	case '^':
		node.Op = Start
		return node, nil, false
	case '$':
		node.Op = End
		return node, nil, false
	case '.':
		node.Op = Any
	case '(':
		p.pos = start
		return p.group()
	case '[':
		p.class(node)
	case '\\':
		return node, nil, p.atomEscape(node)
	case '*', '+', '?':
		p.fail(start, "nothing to repeat")
	case '{':
		p.pos = start
		if _, _, ok := p.counts(); ok {
			p.fail(start, "nothing to repeat")
		} else if p.err == nil {
			p.pos = start + 1
		}
	case '}', ']':
		if !p.lenient {
			p.fail(start, "unmatched \""+string(r)+"\"; write \"\\"+string(r)+"\" for the character")
		}
	}
	return node, nil, true
}

// group parses what starts with "(".
func (p *parser) group() (node *Node, names groupNames, quantifiable bool) {
	start, flags := p.pos, p.flags
	node = p.node(Node{Op: Group, Flags: flags, Pos: start})
	quantifiable = true
	p.pos++
	switch {
	case p.accept("?:"):
	case p.accept("?="), p.accept("?!"):
		node.Op, node.Negate = Look, p.src[p.pos-1] == '!'
		quantifiable = p.lenient
	case p.accept("?<="), p.accept("?<!"):
		node.Op, node.Negate, node.Behind = Look, p.src[p.pos-1] == '!', true
		quantifiable = false
	case p.accept("?<"):
		p.groups++
		node.Index = p.groups
		node.Name = p.groupName()
	case p.accept("?"):
		p.modifiers(start)
	default:
		p.groups++
		node.Index = p.groups
	}
	name, index := node.Name, node.Index
	sub, names := p.alternatives()
	p.add(node, sub)
	p.flags = flags
	if !p.accept(")") {
		p.fail(start, "the group is not closed")
	}
	if name != "" {
		names = p.join(names, groupNames{name: {index}}, false)
	}
	return node, names, quantifiable
}

// modifiers parses the flags of (?ims-ims: … ) behind its question mark.
func (p *parser) modifiers(start int) {
	var on, off Flags
	target := &on
	dashed := false
	for p.more() {
		var flag Flags
		switch c := p.next(); c {
		case 'i':
			flag = IgnoreCase
		case 'm':
			flag = Multiline
		case 's':
			flag = DotAll
		case '-':
			if dashed {
				p.fail(start, "unknown kind of group")
			}
			target, dashed = &off, true
			continue
		case ':':
			if dashed && on|off == 0 {
				p.fail(start, "unknown kind of group")
			}
			p.flags = p.flags&^off | on
			return
		case ')':
			p.fail(start, `flags for the rest of the pattern are unknown to ECMA-262; write "(?i: … )" around what they are for`)
		case 'P':
			p.fail(start, `"(?P" is unknown to ECMA-262; a named group is "(?<name> … )"`)
		default:
			p.fail(start, "unknown kind of group")
		}
		if (on|off)&flag != 0 {
			p.fail(start, "a flag is given twice")
		}
		*target |= flag
	}
	p.fail(start, "the group is not closed")
}

// resolve gives the back-references by name their groups.
func (p *parser) resolve(names groupNames) {
	for name, pos := range p.meant {
		if len(names[name]) == 0 {
			p.fail(pos, "there is no group named "+name)
		}
	}
	for _, node := range p.byName {
		node.Indexes = names[node.Name]
		if len(node.Indexes) == 0 {
			p.fail(node.Pos, "there is no group named "+node.Name)
		}
	}
}
