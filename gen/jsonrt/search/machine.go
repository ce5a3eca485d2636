package search

import (
	"errors"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

// machine is an expression as instructions for backtracking.
type machine struct {
	code      []inst
	start     int32
	anchored  bool
	registers int // two for each group, then those of loops
	memory    sync.Pool
}

// inst is one instruction.
type inst struct {
	code      opcode
	backwards bool // inside a look-behind
	negate    bool
	fold      bool
	next, alt int32
	set       *runes
	register  int32 // or the first of a range
	end       int32 // behind the range
	start     int32 // the register that holds where the iteration began
	min, max  int32 // of a counted loop
	groups    []int // of a back-reference
}

type opcode uint8

const (
	codeRune     opcode = iota
	codeSplit           // next, and if that fails alt
	codeBegin           // the start of the string
	codeEnd             // its end
	codeBoundary        // a word begins or ends here
	codeLook            // alt matches here, or doesn't (negate)
	codeSave            // register = position
	codeReset           // the registers up to end are unset
	codeBackref         // what a group matched
	codeProgress        // fails where the position is that in register: an empty iteration
	codeZero            // register = 0: a counted loop begins
	codeLoop            // next while register < max, alt once register >= min
	codeCount           // register++
	codeMatch
)

const (
	// maxCode bounds the number of instructions.
	maxCode = 1 << 17
	// maxUnrolled is up to how many instructions a counted loop is written out.
	maxUnrolled = 1 << 10
)

// errTooLarge is what an expression gets that has too many instructions.
var errTooLarge = errors.New("the expression is too large: write fewer or shorter repeats")

func newMachine(re *ecma.Regexp) (*machine, error) {
	b := &coder{machine: &machine{registers: 2 * (re.Groups + 1)}}
	end := b.add(inst{code: codeMatch})
	b.start = b.compile(re.Root, end, false)
	b.anchored = beginsAnchored(re.Root)
	if len(b.code) > maxCode {
		return nil, errTooLarge
	}
	return b.machine, nil
}

type coder struct{ *machine }

func (b *coder) add(i inst) int32 {
	if len(b.code) <= maxCode { // one too many tells
		b.code = append(b.code, i)
	}
	return int32(len(b.code) - 1)
}

func (b *coder) newRegister() int32 {
	b.registers++
	return int32(b.registers - 1)
}

// compile adds the instructions for n, after which the machine goes on at next, and returns
// the first. Inside a look-behind everything goes from right to left (ECMA-262, section
// 22.2.2.3).
func (b *coder) compile(n *ecma.Node, next int32, backwards bool) int32 {
	switch n.Op {
	case ecma.Char, ecma.Class:
		return b.add(inst{code: codeRune, set: setOf(n), next: next, backwards: backwards})
	case ecma.Start:
		return b.add(inst{code: codeBegin, next: next})
	case ecma.End:
		return b.add(inst{code: codeEnd, next: next})
	case ecma.Boundary:
		return b.add(inst{code: codeBoundary, negate: n.Negate, next: next})
	case ecma.Group:
		if n.Index == 0 {
			return b.compile(n.Sub[0], next, backwards)
		}
		first, last := int32(2*n.Index), int32(2*n.Index+1)
		if backwards {
			first, last = last, first
		}
		closing := b.add(inst{code: codeSave, register: last, next: next})
		return b.add(inst{code: codeSave, register: first, next: b.compile(n.Sub[0], closing, backwards)})
	case ecma.Look:
		found := b.add(inst{code: codeMatch})
		return b.add(inst{code: codeLook, negate: n.Negate, next: next, alt: b.compile(n.Sub[0], found, n.Behind)})
	case ecma.Backref:
		return b.add(inst{code: codeBackref, groups: n.Indexes, fold: n.Flags&ecma.IgnoreCase != 0, next: next, backwards: backwards})
	case ecma.Concat:
		for i := range n.Sub {
			if !backwards {
				i = len(n.Sub) - 1 - i
			}
			next = b.compile(n.Sub[i], next, backwards)
		}
	case ecma.Alternate:
		first := b.compile(n.Sub[len(n.Sub)-1], next, backwards)
		for i := len(n.Sub) - 2; i >= 0; i-- {
			first = b.add(inst{code: codeSplit, next: b.compile(n.Sub[i], next, backwards), alt: first})
		}
		return first
	case ecma.Repeat:
		return b.repeat(n, next, backwards)
	case ecma.Empty, ecma.Any:
	}
	return next
}

func (b *coder) repeat(n *ecma.Node, next int32, backwards bool) int32 {
	body := n.Sub[0]
	times := n.Min
	if n.Max != ecma.Unlimited {
		times = n.Max
	}
	if times > 1 && size(body)*times > maxUnrolled {
		return b.counted(n, next, backwards)
	}
	if n.Max == ecma.Unlimited {
		loop := b.add(inst{code: codeSplit})
		first := b.iteration(body, loop, backwards, !nullable(body), nil)
		b.code[loop].next, b.code[loop].alt = choice(n.Lazy, first, next)
		next = loop
	} else {
		after := next
		for range n.Max - n.Min {
			first := b.iteration(body, next, backwards, !nullable(body), nil)
			split := inst{code: codeSplit}
			split.next, split.alt = choice(n.Lazy, first, after)
			next = b.add(split)
		}
	}
	for range n.Min {
		next = b.iteration(body, next, backwards, true, nil)
	}
	return next
}

// choice orders the two ways of a loop: a lazy one would rather end.
func choice(lazy bool, body, exit int32) (first, second int32) {
	if lazy {
		return exit, body
	}
	return body, exit
}

// counted compiles a repeat whose iterations are counted as they go.
func (b *coder) counted(n *ecma.Node, next int32, backwards bool) int32 {
	register := b.newRegister()
	loop := inst{code: codeLoop, register: register, min: int32(n.Min), max: int32(n.Max), alt: next, negate: n.Lazy}
	at := b.add(loop)
	first := b.iteration(n.Sub[0], at, backwards, !nullable(n.Sub[0]), &loop)
	loop.next = b.add(inst{code: codeCount, register: register, min: loop.min, max: loop.max, next: first})
	b.code[at] = loop
	return b.add(inst{code: codeZero, register: register, next: at})
}

// iteration compiles one round of a repeat: groups inside begin unset, and where the round
// may not be empty it fails if it is. loop is the counted loop it belongs to: there the
// first rounds, those that have to be, may be empty.
func (b *coder) iteration(body *ecma.Node, next int32, backwards, mayBeEmpty bool, loop *inst) int32 {
	var mark int32
	if !mayBeEmpty {
		mark = b.newRegister()
		progress := inst{code: codeProgress, start: mark, register: -1, next: next}
		if loop != nil {
			progress.register, progress.min = loop.register, loop.min
		}
		next = b.add(progress)
	}
	next = b.compile(body, next, backwards)
	if !mayBeEmpty {
		next = b.add(inst{code: codeSave, register: mark, next: next})
	}
	if first, last := groups(body); first > 0 {
		next = b.add(inst{code: codeReset, register: int32(2 * first), end: int32(2*last + 2), next: next})
	}
	return next
}

// groups gives the numbers of the first and the last group in n, which are numbered in order.
func groups(n *ecma.Node) (first, last int) {
	if n.Op == ecma.Group && n.Index > 0 {
		first, last = n.Index, n.Index
	}
	for _, sub := range n.Sub {
		low, high := groups(sub)
		if first == 0 {
			first = low
		}
		last = max(last, high)
	}
	return first, last
}

// size is about how many instructions n takes, at most maxCode.
func size(n *ecma.Node) int {
	total := 2
	for _, sub := range n.Sub {
		total = min(total+size(sub), maxCode)
	}
	if n.Op == ecma.Repeat {
		times := n.Min
		if n.Max != ecma.Unlimited {
			times = n.Max
		}
		total = min(total*max(min(times, maxUnrolled), 1), maxUnrolled+total)
	}
	return total
}

// nullable reports whether n may match without taking a code point.
func nullable(n *ecma.Node) bool {
	switch n.Op {
	case ecma.Char, ecma.Class, ecma.Any:
		return false
	case ecma.Concat:
		for _, sub := range n.Sub {
			if !nullable(sub) {
				return false
			}
		}
	case ecma.Alternate:
		for _, sub := range n.Sub {
			if nullable(sub) {
				return true
			}
		}
		return false
	case ecma.Group:
		return nullable(n.Sub[0])
	case ecma.Repeat:
		return n.Min == 0 || nullable(n.Sub[0])
	case ecma.Empty, ecma.Start, ecma.End, ecma.Boundary, ecma.Look, ecma.Backref:
	}
	return true
}
