package pattern

import (
	"fmt"
	"strconv"
	"strings"
)

// ecma writes n as an ECMA-262 expression for package search. Classes are written out as
// ranges, and only groups that are referred to capture, so that little is left to the
// engine's reading.
func (n *node) ecma() string {
	w := ecmaWriter{numbers: map[int]int{}}
	n.walk(func(n *node) {
		if n.op == opGroup {
			w.numbers[n.group] = len(w.numbers) + 1
		}
	})
	w.write(n)
	return w.String()
}

type ecmaWriter struct {
	strings.Builder
	numbers map[int]int // of groups in the pattern → in what is written
}

func (w *ecmaWriter) write(n *node) {
	switch n.op {
	case opEmpty:
		w.WriteString("(?:)")
	case opSet:
		w.set(n.set)
	case opBegin:
		w.WriteString("^")
	case opEnd:
		w.WriteString("$")
	case opBoundary:
		if n.negate {
			w.WriteString(`\B`)
		} else {
			w.WriteString(`\b`)
		}
	case opConcat:
		for _, s := range n.sub {
			w.group(s, s.op == opAlt)
		}
	case opAlt:
		for i, s := range n.sub {
			if i > 0 {
				w.WriteString("|")
			}
			w.write(s)
		}
	case opRepeat:
		w.group(n.sub[0], n.sub[0].op != opSet && n.sub[0].op != opGroup)
		w.WriteString(quantifier(n.min, n.max))
		if n.lazy {
			w.WriteString("?")
		}
	case opLook:
		direction, want := "", "="
		if n.behind {
			direction = "<"
		}
		if n.negate {
			want = "!"
		}
		w.WriteString("(?" + direction + want)
		w.write(n.sub[0])
		w.WriteString(")")
	case opGroup:
		w.WriteString("(")
		w.write(n.sub[0])
		w.WriteString(")")
	case opBackref:
		// Of several groups of one name at most one has matched; the others stand for
		// nothing.
		for _, group := range n.groups {
			number, ok := w.numbers[group]
			switch {
			case !ok: // the group is repeated zero times
				w.WriteString("(?:)")
			case n.fold:
				fmt.Fprintf(w, `(?i:\%d)`, number)
			default:
				fmt.Fprintf(w, `(?:\%d)`, number)
			}
		}
	}
}

func (w *ecmaWriter) group(n *node, grouped bool) {
	if grouped {
		w.WriteString("(?:")
	}
	w.write(n)
	if grouped {
		w.WriteString(")")
	}
}

func (w *ecmaWriter) set(s set) {
	if r, ok := s.single(); ok {
		w.WriteString(ecmaRune(r))
		return
	}
	inside, outside := ecmaSpans(s), ecmaSpans(s.complement())
	if len(outside) < len(inside) {
		w.WriteString("[^" + outside + "]")
		return
	}
	w.WriteString("[" + inside + "]")
}

func ecmaSpans(s set) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(ecmaRune(r.lo))
		if r.hi > r.lo {
			b.WriteString("-" + ecmaRune(r.hi))
		}
	}
	return b.String()
}

// ecmaRune writes a code point for use inside and outside of a class.
func ecmaRune(r rune) string {
	switch {
	case r == '_', '0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z':
		return string(r)
	case ' ' < r && r < 0x7F && strings.ContainsRune(`^$\.*+?()[]{}|/`, r):
		return `\` + string(r)
	}
	return `\u{` + strconv.FormatInt(int64(r), 16) + "}"
}
