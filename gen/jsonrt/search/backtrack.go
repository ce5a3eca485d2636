package search

import (
	"encoding/binary"
	"strings"
	"unicode"
)

const (
	// maxStack bounds the memory for going back, to 12 MiB.
	maxStack = 1 << 20
	// maxFailed bounds how many states are remembered as failed.
	maxFailed = 1 << 16
	// patience is after how many steps remembering begins. Most strings are decided before,
	// and remembering costs more than trying again.
	patience = 1 << 14
	// stepsToRemember is what that costs more, in steps.
	stepsToRemember = 8
)

// search is a machine at work on one string.
type search struct {
	*machine
	s         string
	meter     Meter
	registers []int32 // positions, -1 where unset, and counts
	stack     []undo
	failed    map[string]struct{}
	key       []byte
	steps     int // not yet paid for
	total     int
	ended     bool // before the answer was found
}

// undo is what to do on going back: set a register, or go on at code.
type undo struct {
	register int32 // or goOn
	code     int32
	value    int32 // of the register, or the position
}

const goOn = -1

func (m *machine) match(text string, meter Meter) (matched, decided bool) {
	t, ok := m.memory.Get().(*search)
	if !ok {
		t = &search{machine: m, registers: make([]int32, m.registers)}
	}
	t.s, t.meter, t.steps, t.total, t.ended = text, meter, 0, 0, false
	defer func() {
		t.s, t.meter, t.failed, t.stack = "", nil, nil, t.stack[:0]
		if cap(t.stack) > payEvery {
			t.stack = nil
		}
		m.memory.Put(t)
	}()
	for i := 0; ; {
		for k := range t.registers {
			t.registers[k] = -1
		}
		matched = t.run(m.start, i, true)
		if matched || t.ended || m.anchored || i == len(text) {
			break
		}
		_, size := decode(text, i)
		i += size
	}
	if !t.pay() {
		return false, false
	}
	return matched, true
}

func (t *search) pay() bool {
	t.total += t.steps
	if !t.meter.Spend(t.steps) {
		t.ended = true
	}
	t.steps = 0
	return !t.ended
}

// run matches from an instruction and a position on. If it fails, all is as it was before.
// outer says that it is no look-around: only there a state that failed once fails always.
func (t *search) run(at int32, pos int, outer bool) bool {
	base := len(t.stack)
	for {
		if t.steps++; t.steps >= payEvery && !t.pay() {
			return false
		}
		i, here := &t.code[at], at
		ok := true
		switch at = i.next; i.code {
		case codeMatch:
			t.keep(base)
			return true
		case codeRune:
			pos, ok = t.take(i, pos)
		case codeBegin:
			ok = pos == 0
		case codeEnd:
			ok = pos == len(t.s)
		case codeBoundary:
			ok = boundary(t.s, pos) != i.negate
		case codeSplit:
			ok = t.fresh(here, pos, outer) && t.push(undo{goOn, i.alt, int32(pos)})
		case codeLoop:
			at, ok = t.loop(here, pos, outer)
		case codeCount:
			count := t.registers[i.register]
			if count <= i.min || count < i.max && i.max != unlimited {
				ok = t.set(i.register, count+1)
			}
		case codeZero:
			ok = t.set(i.register, 0)
		case codeSave:
			ok = t.set(i.register, int32(pos))
		case codeReset:
			for k := i.register; k < i.end && ok; k++ {
				ok = t.registers[k] < 0 || t.set(k, -1)
			}
		case codeProgress:
			ok = int(t.registers[i.start]) != pos || i.register >= 0 && t.registers[i.register] <= i.min
		case codeLook:
			before := len(t.stack)
			found := t.run(i.alt, pos, false)
			if found && i.negate {
				t.back(before)
			}
			ok = found != i.negate
		case codeBackref:
			pos, ok = t.again(i, pos)
		}
		if t.ended {
			return false
		}
		if ok {
			continue
		}
		if at, pos, ok = t.resume(base); !ok {
			return false
		}
	}
}

// unlimited is the max of a loop without an upper bound.
const unlimited = 1<<31 - 1

// loop decides on another round of a counted loop.
func (t *search) loop(here int32, pos int, outer bool) (at int32, ok bool) {
	i := &t.code[here]
	switch count := t.registers[i.register]; {
	case count < i.min:
		return i.next, true
	case count >= i.max && i.max != unlimited:
		return i.alt, true
	}
	first, second := choice(i.negate, i.next, i.alt)
	return first, t.fresh(here, pos, outer) && t.push(undo{goOn, second, int32(pos)})
}

// take takes one code point.
func (t *search) take(i *inst, pos int) (int, bool) {
	if i.backwards {
		if pos == 0 {
			return pos, false
		}
		c, size := decodeLast(t.s, pos)
		return pos - size, i.set.has(c)
	}
	if pos == len(t.s) {
		return pos, false
	}
	c, size := decode(t.s, pos)
	return pos + size, i.set.has(c)
}

// again takes what a group matched, which is nothing if it matched nowhere. Of several groups
// of one name at most one has matched.
func (t *search) again(i *inst, pos int) (int, bool) {
	text := ""
	for _, g := range i.groups {
		if begin, end := t.registers[2*g], t.registers[2*g+1]; begin >= 0 && end >= 0 {
			text = t.s[begin:end]
			break
		}
	}
	t.steps += len(text) >> 3
	switch {
	case i.fold:
		return t.againFolded(text, pos, i.backwards)
	case i.backwards:
		return pos - len(text), strings.HasSuffix(t.s[:pos], text)
	}
	return pos + len(text), strings.HasPrefix(t.s[pos:], text)
}

// againFolded is again under the i flag. Code points that are equal but for their case may
// differ in length.
func (t *search) againFolded(text string, pos int, backwards bool) (int, bool) {
	t.steps += len(text)
	for text != "" {
		var want, got rune
		var size int
		if backwards {
			if pos == 0 {
				return pos, false
			}
			want, size = decodeLast(text, len(text))
			text = text[:len(text)-size]
			got, size = decodeLast(t.s, pos)
			pos -= size
		} else {
			if pos == len(t.s) {
				return pos, false
			}
			want, size = decode(text, 0)
			text = text[size:]
			got, size = decode(t.s, pos)
			pos += size
		}
		if !equalFold(want, got) {
			return pos, false
		}
	}
	return pos, true
}

// equalFold reports whether two code points are equal when case is ignored (Canonicalize,
// ECMA-262, section 22.2.2.7.3, under the u flag).
func equalFold(a, b rune) bool {
	for r := unicode.SimpleFold(a); r != a; r = unicode.SimpleFold(r) {
		if r == b {
			return true
		}
	}
	return a == b
}

// set sets a register and notes how to undo that.
func (t *search) set(register, value int32) bool {
	ok := t.push(undo{register, 0, t.registers[register]})
	t.registers[register] = value
	return ok
}

// push notes what to do on going back. It ends the search when there is no room for that.
func (t *search) push(u undo) bool {
	if len(t.stack) == maxStack {
		t.ended = true
		return false
	}
	t.stack = append(t.stack, u)
	return true
}

// resume goes back to the last choice above base. It reports false if there is none.
func (t *search) resume(base int) (at int32, pos int, ok bool) {
	for len(t.stack) > base {
		last := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if last.register == goOn {
			return last.code, int(last.value), true
		}
		t.registers[last.register] = last.value
	}
	return 0, 0, false
}

// back undoes everything above base.
func (t *search) back(base int) {
	for {
		if _, _, more := t.resume(base); !more {
			return
		}
	}
}

// keep drops the choices above base, but not how to undo: what a look-ahead has found stands.
func (t *search) keep(base int) {
	kept := t.stack[:base]
	for _, u := range t.stack[base:] {
		if u.register != goOn {
			kept = append(kept, u)
		}
	}
	t.stack = kept
}

// fresh reports whether the choice at an instruction was not met before in this state, and
// notes it: had it led to a match, nobody would ask again.
func (t *search) fresh(at int32, pos int, outer bool) bool {
	if !outer || t.total < patience {
		return true
	}
	t.steps += stepsToRemember
	k := binary.LittleEndian.AppendUint32(t.key[:0], uint32(at))
	k = binary.LittleEndian.AppendUint32(k, uint32(pos))
	for _, r := range t.registers {
		k = binary.LittleEndian.AppendUint32(k, uint32(r))
	}
	t.key = k
	if _, known := t.failed[string(k)]; known {
		return false
	}
	if len(t.failed) < maxFailed {
		if t.failed == nil {
			t.failed = map[string]struct{}{}
		}
		t.failed[string(k)] = struct{}{}
	}
	return true
}
