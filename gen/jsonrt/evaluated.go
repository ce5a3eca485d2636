package jsonrt

import "math"

// The checks of a schema with unevaluatedProperties or unevaluatedItems note which members
// and items they evaluate, in marks: for every token the number of the newest frame when it
// was marked. A frame belongs to one unevaluated keyword and one value. It sees the marks that
// are not older than itself: its own and those of the frames inside it, but not what an
// enclosing schema evaluated before. Numbers only grow, also from document to document, so
// marks are never cleared.

// Frame begins a frame.
func (c *Checker) Frame() uint32 {
	if c.frame == math.MaxUint32 {
		clear(c.marks)
		c.frame = 0
	}
	if missing := len(c.tokens) - len(c.marks); missing > 0 {
		c.marks = append(c.marks, make([]uint32, missing)...)
	}
	c.frame++
	return c.frame
}

// Mark notes that the member name or item at token k has been evaluated.
func (c *Checker) Mark(k int) {
	if c.marks[k] == c.frame {
		return
	}
	if c.tries > 0 {
		if len(c.trail) >= marksPerToken*len(c.tokens) {
			c.giveUp(k, "#") // no document of a sensible schema comes here
			return
		}
		c.trail = append(c.trail, marked{uint32(k), c.marks[k]})
	}
	c.marks[k] = c.frame
}

// marksPerToken bounds the memory for undoing marks: members can be marked again for every frame
// within a branch.
const marksPerToken = 16

// Marked reports whether token k has been evaluated since frame began.
func (c *Checker) Marked(frame uint32, k int) bool { return c.marks[k] >= frame }

// marked is a mark as it was before it was set.
type marked struct{ token, before uint32 }

// Try runs a branch for its verdict. If the branch fails, what it marked is undone: a failed
// branch has evaluated nothing.
func (c *Checker) Try(branch CheckFunc, v int) bool {
	loud, trail := c.Quiet(), len(c.trail)
	c.tries++
	ok := branch(c, v)
	c.tries--
	c.Restore(loud)
	if !ok {
		c.undo(trail)
	}
	if c.tries == 0 {
		c.trail = c.trail[:0] // what is marked now stays
	}
	return ok
}

// Unmarked runs what not refuses for its verdict, and undoes what it marked in any case.
func (c *Checker) Unmarked(branch CheckFunc, v int) bool {
	loud, trail := c.Quiet(), len(c.trail)
	c.tries++
	ok := branch(c, v)
	c.tries--
	c.Restore(loud)
	c.undo(trail)
	return ok
}

// undo takes back the marks since the trail was that long.
func (c *Checker) undo(trail int) {
	for i := len(c.trail) - 1; i >= trail; i-- {
		c.marks[c.trail[i].token] = c.trail[i].before
	}
	c.trail = c.trail[:trail]
}

// markAll notes all parts of the value at v: when no branch of a union fits, nobody can say
// what would have been evaluated, and complaining about every part helps nobody.
func (c *Checker) markAll(v int) {
	if len(c.marks) < len(c.tokens) {
		return
	}
	for k := v + 1; k < c.Next(v); k++ {
		c.Mark(k)
	}
}
