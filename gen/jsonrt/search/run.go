package search

// run is the memory of an automaton at work.
type run struct {
	now, then list
	holds     []bits // for each look-around, the positions where its inside matches
	steps     int    // not yet paid for
}

// list is a set of places that remembers their order (Briggs and Torczon, 1993).
type list struct {
	dense  []uint32
	sparse []uint32
}

func (l *list) add(p uint32) bool {
	if at := l.sparse[p]; int(at) < len(l.dense) && l.dense[at] == p {
		return false
	}
	l.sparse[p] = uint32(len(l.dense))
	l.dense = append(l.dense, p)
	return true
}

// bits is a set of positions in a string.
type bits []uint64

func (b bits) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bits) set(i int)      { b[i>>6] |= 1 << (i & 63) }

const (
	// payEvery is how many steps are paid for together.
	payEvery = 1 << 10
	// maxKept bounds the memory that a look-around keeps for the next string, in words.
	maxKept = 1 << 12
)

func (a *automaton) get() *run {
	if r, ok := a.memory.Get().(*run); ok {
		return r
	}
	n := len(a.places)
	return &run{
		now:   list{make([]uint32, 0, n), make([]uint32, n)},
		then:  list{make([]uint32, 0, n), make([]uint32, n)},
		holds: make([]bits, len(a.looks)),
	}
}

func (a *automaton) put(r *run) {
	for i, b := range r.holds {
		if cap(b) > maxKept {
			r.holds[i] = nil
		}
	}
	a.memory.Put(r)
}

// match runs forwards over s until a match ends.
func (a *automaton) match(s string, meter Meter) (matched, decided bool) {
	r := a.get()
	defer a.put(r)
	if !a.findLooks(r, s, meter) {
		return false, false
	}
	r.now.dense, r.steps = r.now.dense[:0], 0
	for i := 0; ; {
		if i == 0 || !a.anchored {
			a.enter(r, &r.now, a.start)
		}
		if a.follow(r, s, i) {
			return true, r.pay(meter)
		}
		if r.steps >= payEvery && !r.pay(meter) {
			return false, false
		}
		if i == len(s) || a.anchored && len(r.now.dense) == 0 {
			return false, r.pay(meter)
		}
		c, size := decode(s, i)
		a.step(r, c)
		i += size
	}
}

// mark notes every position of s where a match ends, or with backwards begins.
func (a *automaton) mark(s string, backwards bool, meter Meter, positions bits) bool {
	r := a.get()
	defer a.put(r)
	if !a.findLooks(r, s, meter) {
		return false
	}
	r.now.dense, r.steps = r.now.dense[:0], 0
	i := 0
	if backwards {
		i = len(s)
	}
	for {
		if i == 0 || !a.anchored {
			a.enter(r, &r.now, a.start)
		}
		if a.follow(r, s, i) {
			positions.set(i)
		}
		if r.steps >= payEvery && !r.pay(meter) {
			return false
		}
		switch {
		case backwards && i > 0:
			c, size := decodeLast(s, i)
			a.step(r, c)
			i -= size
		case !backwards && i < len(s):
			c, size := decode(s, i)
			a.step(r, c)
			i += size
		default:
			return r.pay(meter)
		}
	}
}

// findLooks works out where the look-arounds hold.
func (a *automaton) findLooks(r *run, s string, meter Meter) bool {
	words := len(s)>>6 + 1
	for k := range a.looks {
		l := &a.looks[k]
		if cap(r.holds[k]) < words {
			r.holds[k] = make(bits, words)
		}
		r.holds[k] = r.holds[k][:words]
		clear(r.holds[k])
		if !l.mark(s, !l.behind, meter, r.holds[k]) {
			return false
		}
	}
	return true
}

func (r *run) pay(meter Meter) bool {
	steps := r.steps
	r.steps = 0
	return meter.Spend(steps)
}

// enter adds a place to a list.
func (a *automaton) enter(r *run, l *list, p uint32) {
	r.steps++
	l.add(p)
}

// follow goes on from all places in r.now that take no code point, at position i of s, and
// reports whether a match is complete.
func (a *automaton) follow(r *run, s string, i int) (matched bool) {
	for k := 0; k < len(r.now.dense); k++ {
		p := &a.places[r.now.dense[k]]
		ok := false
		switch p.op {
		case opRune, opFail:
			continue
		case opMatch:
			matched = true
			continue
		case opSplit:
			a.enter(r, &r.now, p.alt)
			ok = true
		case opBegin:
			ok = i == 0
		case opEnd:
			ok = i == len(s)
		case opBoundary:
			ok = boundary(s, i) != p.negate
		case opLook:
			ok = r.holds[p.look].has(i) != a.looks[p.look].negate
		}
		if ok {
			a.enter(r, &r.now, p.next)
		}
	}
	return matched
}

// step takes the code point c.
func (a *automaton) step(r *run, c rune) {
	r.then.dense = r.then.dense[:0]
	for _, k := range r.now.dense {
		if p := &a.places[k]; p.op == opRune && p.set.has(c) {
			a.enter(r, &r.then, p.next)
		}
	}
	r.steps += len(r.now.dense)
	r.now, r.then = r.then, r.now
}
