package pattern

import (
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// re2 writes n in the syntax of Go's regexp. Every class is written out, so no flag and no
// shorthand of that dialect can change what is meant. ok is false if n needs look-around or
// back-references, or so large a repeat that the program would not stay small.
func (n *node) re2() (expr string, ok bool) {
	if n.has(opLook) || n.has(opBackref) || n.cost() > maxCost {
		return "", false
	}
	w := re2Writer{budget: maxSource}
	w.write(n, 1)
	return w.String(), w.budget >= 0
}

const (
	// maxCost limits the number of instructions of a regexp. Matching costs up to this for
	// each character.
	maxCost = 20_000
	// maxSource limits the length of a regexp in generated code, where repeats that Go's
	// regexp refuses have to be written out.
	maxSource = 16 << 10
	// maxRepeat is the largest repeat count that Go's regexp takes, nested ones multiplied.
	maxRepeat = 1000
)

// cost estimates the number of instructions of a regexp.
func (n *node) cost() int {
	cost := 1
	for _, s := range n.sub {
		cost = min(cost+s.cost(), 2*maxCost)
	}
	if n.op == opRepeat {
		times := max(n.min, 1)
		if n.max != unlimited {
			times = max(n.max, 1)
		}
		cost = min(cost*min(times, 2*maxCost), 2*maxCost)
	}
	return cost
}

type re2Writer struct {
	strings.Builder
	budget int

	last     set // the last set of many ranges, and how it is written
	lastText string
}

// set writes a set. One of many ranges, such as \p{L}, is often followed by itself.
func (w *re2Writer) set(s set) {
	if len(s) <= maxSpans {
		w.add(re2Set(s))
		return
	}
	if !slices.Equal(s, w.last) {
		w.last, w.lastText = s, re2Set(s)
	}
	w.add(w.lastText)
}

func (w *re2Writer) add(s string) {
	if w.budget -= len(s); w.budget >= 0 {
		w.WriteString(s)
	}
}

// write writes n; around is the product of the counts of the repeats around it.
func (w *re2Writer) write(n *node, around int) {
	if w.budget < 0 {
		return
	}
	switch n.op {
	case opEmpty:
		w.add("(?:)")
	case opSet:
		w.set(n.set)
	case opBegin:
		w.add(`\A`)
	case opEnd:
		w.add(`\z`)
	case opBoundary:
		if n.negate {
			w.add(`\B`)
		} else {
			w.add(`\b`)
		}
	case opConcat:
		for _, s := range n.sub {
			w.operand(s, around, s.op == opAlt)
		}
	case opAlt:
		for i, s := range n.sub {
			if i > 0 {
				w.add("|")
			}
			w.write(s, around)
		}
	case opRepeat:
		w.repeat(n, around)
	case opGroup:
		w.write(n.sub[0], around)
	case opLook, opBackref:
		w.budget = -1
	}
}

func (w *re2Writer) operand(n *node, around int, grouped bool) {
	if grouped {
		w.add("(?:")
	}
	w.write(n, around)
	if grouped {
		w.add(")")
	}
}

// repeat writes a repeat. Where its count, times those of the repeats around it, exceeds
// what regexp takes, it is split up: x{2500} is x{1000}x{1000}x{500}.
func (w *re2Writer) repeat(n *node, around int) {
	low, high := n.min, n.max
	limit := max(maxRepeat/around/n.sub[0].product(), 1)
	part := func(low, high int) {
		w.operand(n.sub[0], around*max(low, high%unlimited, 1), n.sub[0].op != opSet)
		w.add(quantifier(low, high))
	}
	for low > limit {
		part(limit, limit)
		low -= limit
		if high != unlimited {
			high -= limit
		}
	}
	if high == unlimited {
		part(low, high)
		return
	}
	// What is left beyond the limit is optional.
	first := min(high, limit)
	part(low, first)
	for high -= first; high > 0 && w.budget >= 0; high -= min(high, limit) {
		part(0, min(high, limit))
	}
}

// product is the largest product of the counts of nested repeats within n.
func (n *node) product() int {
	product := 1
	for _, s := range n.sub {
		product = max(product, s.product())
	}
	if n.op == opRepeat {
		times := n.min
		if n.max != unlimited {
			times = n.max
		}
		product = min(product*max(times, 1), 1<<20)
	}
	return product
}

func quantifier(low, high int) string {
	switch {
	case low == 1 && high == 1:
		return ""
	case low == 0 && high == 1:
		return "?"
	case low == 0 && high == unlimited:
		return "*"
	case low == 1 && high == unlimited:
		return "+"
	case high == unlimited:
		return fmt.Sprintf("{%d,}", low)
	case low == high:
		return fmt.Sprintf("{%d}", low)
	}
	return fmt.Sprintf("{%d,%d}", low, high)
}

// re2Set writes a set as a literal or a class.
func re2Set(s set) string {
	if r, ok := s.single(); ok {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			return `\` + string(r)
		}
		return re2Rune(r)
	}
	switch {
	case len(s) == 0:
		return `[^\x00-\x{10FFFF}]`
	case len(s) == 1 && s[0] == anything[0]:
		return `(?s:.)`
	}
	inside, outside := re2Spans(s), re2Spans(s.complement())
	if len(outside) < len(inside) {
		return "[^" + outside + "]"
	}
	return "[" + inside + "]"
}

// maxSpans is up to how many ranges a set is written out. A larger one, which comes from a
// property, is written with the names of categories and scripts that RE2 knows.
const maxSpans = 20

// re2Spans writes the ranges of a set as they stand inside a class.
func re2Spans(s set) string {
	var b strings.Builder
	if len(s) > maxSpans {
		for _, known := range re2Tables() {
			name, table := known.name, known.set
			if left := s.minus(table); len(left) < len(s) && len(table.minus(s)) == 0 {
				b.WriteString(`\p{` + name + "}")
				s = left
			}
		}
	}
	for _, r := range s {
		b.WriteString(re2ClassRune(r.lo))
		if r.hi > r.lo {
			if r.hi > r.lo+1 {
				b.WriteByte('-')
			}
			b.WriteString(re2ClassRune(r.hi))
		}
	}
	return b.String()
}

// re2Names lists names of classes that RE2 knows, those that say most first.
var re2Names = sync.OnceValue(func() []string {
	names := []string{"L", "M", "N", "P", "S", "Z"}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts} {
		for _, name := range slices.Sorted(maps.Keys(tables)) {
			if _, err := syntax.Parse(`\p{`+name+"}", syntax.Perl); err == nil && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
})

// re2Tables are the classes that RE2 knows, with what belongs to them.
var re2Tables = sync.OnceValue(func() []namedSet {
	var tables []namedSet
	for _, name := range re2Names() {
		tables = append(tables, namedSet{name, re2Table(name)})
	}
	return tables
})

type namedSet struct {
	name string
	set  set
}

func re2Table(name string) set {
	if table, ok := unicode.Categories[name]; ok {
		return tableSet(table)
	}
	return tableSet(unicode.Scripts[name])
}

func re2ClassRune(r rune) string {
	if strings.ContainsRune(`\[]^-`, r) {
		return `\` + string(r)
	}
	return re2Rune(r)
}

// re2Rune writes a code point as itself if a reader can see it.
func re2Rune(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r <= unicode.MaxASCII && unicode.IsPrint(r), r > 0xFF && unicode.IsLetter(r), 0xC0 <= r && unicode.IsLetter(r):
		return string(r)
	case r <= 0xFF:
		return fmt.Sprintf(`\x%02X`, r)
	}
	return fmt.Sprintf(`\x{%04X}`, r)
}
