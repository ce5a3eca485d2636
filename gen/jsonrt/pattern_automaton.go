package jsonrt

import (
	"regexp/syntax"
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"
)

// automaton is a deterministic finite automaton over classes of code points: code points in
// one class are alike to the expression. It finds out whether the expression matches
// anywhere; where, nobody asks.
type automaton struct {
	// next[state+class] is the state that follows. States are multiples of stride, so that
	// they index this table; 0 is the state that can't match any more and stride the one
	// that has matched. The last class stands for the end of the string.
	next   []uint16
	stride uint16
	start  uint16
	// ascii holds the classes of the code points below 0x80.
	ascii [utf8.RuneSelf]uint8
	// The code points from starts[i] up to the next are in class classes[i].
	starts  []rune
	classes []uint8
}

func (a *automaton) match(s string) bool {
	next, stride, state := a.next, a.stride, a.start
	for i := 0; i < len(s); {
		var class uint8
		if c := s[i]; c < utf8.RuneSelf {
			class = a.ascii[c]
			i++
		} else {
			r, size := decodeRune(s[i:])
			class = a.classOf(r)
			i += size
		}
		state = next[state+uint16(class)]
		if state <= stride {
			return state != 0
		}
	}
	return next[state+stride-1] != 0
}

func (a *automaton) classOf(r rune) uint8 {
	if len(a.starts) == 1 {
		return a.classes[0]
	}
	return a.classes[sort.Search(len(a.starts), func(i int) bool { return a.starts[i] > r })-1]
}

const (
	// maxTable limits the memory of an automaton: two bytes for each entry.
	maxTable = 1 << 15
	// maxBuildSteps limits the time to build one, to some milliseconds.
	maxBuildSteps = 1 << 20
)

// newAutomaton builds the automaton of an expression, or gives nil if it would be large.
func newAutomaton(program *syntax.Prog) *automaton {
	b := automatonBuilder{program: program, mark: make([]uint32, len(program.Inst))}
	for _, inst := range program.Inst {
		const boundaries = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&boundaries != 0 {
			b.words = true
		}
	}
	b.anchored = program.StartCond()&syntax.EmptyBeginText != 0
	if !b.findClasses() || !b.findStates() {
		return nil
	}
	return &b.automaton
}

type automatonBuilder struct {
	automaton
	program  *syntax.Prog
	words    bool // the expression asks for word boundaries
	anchored bool // a match starts at the start of the string or nowhere
	// samples holds one code point of each class.
	samples []rune
	states  []automatonState
	ids     map[string]uint16
	steps   int
	mark    []uint32
	round   uint32
}

// automatonState is a set of places in the program, with what went before as far as
// assertions ask for it.
type automatonState struct {
	places    []uint32
	begin     bool // nothing went before
	afterWord bool
}

// findClasses divides the code points into classes; it reports whether they are few enough.
func (b *automatonBuilder) findClasses() bool {
	// Instructions that came from one class share its ranges.
	var tests []*syntax.Inst
	known := map[*rune]bool{}
	bounds := []rune{0, utf8.RuneSelf}
	bound := func(lo, hi rune) { bounds = append(bounds, lo, hi+1) }
	for i := range b.program.Inst {
		inst := &b.program.Inst[i]
		switch inst.Op {
		case syntax.InstRune, syntax.InstRune1:
			if len(inst.Rune) == 0 || known[&inst.Rune[0]] {
				continue
			}
			known[&inst.Rune[0]] = true
			if len(inst.Rune) == 1 {
				// [Kk] becomes one letter, case ignored.
				first := inst.Rune[0]
				bound(first, first)
				for r := unicode.SimpleFold(first); r != first; r = unicode.SimpleFold(r) {
					bound(r, r)
				}
			}
			for k := 0; k+1 < len(inst.Rune); k += 2 {
				bound(inst.Rune[k], inst.Rune[k+1])
			}
		case syntax.InstRuneAnyNotNL:
			bound('\n', '\n')
		case syntax.InstAlt, syntax.InstAltMatch, syntax.InstCapture, syntax.InstEmptyWidth,
			syntax.InstMatch, syntax.InstFail, syntax.InstNop, syntax.InstRuneAny:
			continue
		}
		tests = append(tests, inst)
	}
	if b.words {
		for _, r := range [][2]rune{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}} {
			bound(r[0], r[1])
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)

	numbers := map[string]uint8{}
	signature := make([]byte, len(tests)+1)
	for i, lo := range bounds {
		if lo > unicode.MaxRune {
			break
		}
		for k, inst := range tests {
			signature[k] = 0
			if inst.MatchRune(lo) {
				signature[k] = 1
			}
		}
		signature[len(tests)] = 0
		if b.words && syntax.IsWordChar(lo) {
			signature[len(tests)] = 1
		}
		b.steps += len(tests)
		class, ok := numbers[string(signature)]
		if !ok {
			if len(numbers) == 0xFF || b.steps > maxBuildSteps {
				return false
			}
			class = uint8(len(numbers))
			numbers[string(signature)] = class
			b.samples = append(b.samples, lo)
		}
		if lo < utf8.RuneSelf {
			for r := lo; r < bounds[i+1]; r++ {
				b.ascii[r] = class
			}
			continue
		}
		if n := len(b.classes); n == 0 || b.classes[n-1] != class {
			b.starts = append(b.starts, lo)
			b.classes = append(b.classes, class)
		}
	}
	b.stride = uint16(len(numbers)) + 1
	return true
}

// findStates fills the table; it reports whether it stayed within the limits.
func (b *automatonBuilder) findStates() bool {
	b.ids = map[string]uint16{}
	b.states = make([]automatonState, 2) // no match any more, and matched
	b.next = make([]uint16, 2*b.stride)
	b.start, _ = b.id(automatonState{places: []uint32{uint32(b.program.Start)}, begin: true})
	for i := 2; i < len(b.states); i++ {
		state := b.states[i]
		// What the next code point is matters only to word boundaries.
		var atoms [2][]uint32
		var matched [2]bool
		atoms[0], matched[0] = b.closure(&state, false, false)
		if b.words {
			atoms[1], matched[1] = b.closure(&state, true, false)
		}
		for class, sample := range b.samples {
			word := 0
			if b.words && syntax.IsWordChar(sample) {
				word = 1
			}
			next := b.stride
			if !matched[word] {
				following := automatonState{afterWord: word == 1}
				for _, place := range atoms[word] {
					if inst := &b.program.Inst[place]; inst.MatchRune(sample) {
						following.places = append(following.places, inst.Out)
					}
				}
				b.steps += len(atoms[word])
				if !b.anchored {
					following.places = append(following.places, uint32(b.program.Start))
				}
				var ok bool
				if next, ok = b.id(following); !ok {
					return false
				}
			}
			b.next[i*int(b.stride)+class] = next
		}
		if _, matched := b.closure(&state, false, true); matched {
			b.next[(i+1)*int(b.stride)-1] = b.stride
		}
	}
	return true
}

// id gives the number of a state, a new one if need be; ok is false if there are too many.
func (b *automatonBuilder) id(state automatonState) (id uint16, ok bool) {
	if len(state.places) == 0 {
		return 0, true
	}
	slices.Sort(state.places)
	state.places = slices.Compact(state.places)
	key := make([]byte, 1, 1+4*len(state.places))
	if state.begin {
		key[0] = 1
	}
	if state.afterWord {
		key[0] |= 2
	}
	for _, place := range state.places {
		key = append(key, byte(place), byte(place>>8), byte(place>>16), byte(place>>24))
	}
	if id, ok = b.ids[string(key)]; ok {
		return id, true
	}
	if len(b.next)+int(b.stride) > maxTable || b.steps > maxBuildSteps {
		return 0, false
	}
	id = uint16(len(b.next))
	b.ids[string(key)] = id
	b.states = append(b.states, state)
	b.next = append(b.next, make([]uint16, b.stride)...)
	return id, true
}

// closure follows everything that takes no code point. It gives the instructions that take
// one, and whether the match is complete. word says whether the next code point belongs to a
// word, end that there is none.
func (b *automatonBuilder) closure(state *automatonState, word, end bool) (atoms []uint32, matched bool) {
	var holds syntax.EmptyOp
	if state.begin {
		holds |= syntax.EmptyBeginText | syntax.EmptyBeginLine
	}
	if end {
		holds |= syntax.EmptyEndText | syntax.EmptyEndLine
	}
	if state.afterWord != word {
		holds |= syntax.EmptyWordBoundary
	} else {
		holds |= syntax.EmptyNoWordBoundary
	}
	b.round++
	stack := slices.Clone(state.places)
	for len(stack) > 0 {
		place := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b.mark[place] == b.round {
			continue
		}
		b.mark[place] = b.round
		b.steps++
		switch inst := &b.program.Inst[place]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^holds == 0 {
				stack = append(stack, inst.Out)
			}
		case syntax.InstMatch:
			return nil, true
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			atoms = append(atoms, place)
		case syntax.InstFail:
		}
	}
	return atoms, false
}
