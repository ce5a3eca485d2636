package jsonrt

import "context"

// One call may cost so much work: a fixed number of steps and some for each byte of its
// document. Almost every check takes time linear in the document and is not counted; what can
// take more is: patterns that are no plain code, and functions that a recursive schema may
// call again and again for one value. The count depends on schema and document alone, not on
// the clock, so a document that can't be decided here can't be decided anywhere.
const (
	freeSteps    = 1 << 24
	stepsPerByte = 32
	// stepsBetweenLooks is how much work passes before the context is looked at: less than a
	// hundredth of a second.
	stepsBetweenLooks = 1 << 18
)

// UndecidedError says that a document got no verdict, because finding it would have cost more
// than one call may. Nothing, no "not" and no "oneOf", turns that into a verdict.
type UndecidedError struct {
	// Path is the RFC 6901 pointer to the value or member that could not be decided.
	Path string
	// SchemaPath is the location in the schema of what could not be decided, as in Detail.
	SchemaPath string
}

func (e *UndecidedError) Error() string {
	return e.Path + ": whether this satisfies " + e.SchemaPath + " of the schema can't be decided with the work that one call may cost"
}

// work is what a call may still cost.
type work struct {
	ctx  context.Context
	left int // steps until ctx is looked at
	rest int // steps behind that
	// undecided is where it ended; over says that it did.
	over  bool
	token int
	at    string
}

// grant lets the checks that follow cost so many steps.
func (c *Checker) grant(steps int) {
	c.work.left, c.work.rest, c.work.over = 0, steps, false
}

// Spend pays for steps of work. It returns false when there are none left, or the context of
// the call has ended, and from then on. Who gets false returns at once; the verdict no longer
// matters.
func (c *Checker) Spend(steps int) bool {
	c.work.left -= steps
	return c.work.left >= 0 || c.goOn()
}

// goOn looks whether there is more to spend.
func (c *Checker) goOn() bool {
	w := &c.work
	if w.over || w.rest+w.left < 0 || w.ctx.Err() != nil {
		w.over = true
		w.left = -1
		return false
	}
	w.rest += w.left
	w.left = min(w.rest, stepsBetweenLooks)
	w.rest -= w.left
	return true
}

// giveUp ends the walk: whether the value at token v satisfies the schema at location at can't
// be decided. The first place counts.
func (c *Checker) giveUp(v int, at string) {
	if c.work.at == "" {
		c.work.token, c.work.at = v, at
	}
	c.work.over, c.work.left = true, -1
}

// undecided is the error of a walk that ended before its verdict: that of the context if that
// is why.
func (c *Checker) undecided() error {
	if c.work.ctx.Err() != nil {
		return context.Cause(c.work.ctx)
	}
	path, _ := c.pointer(c.work.token, "")
	return &UndecidedError{Path: path, SchemaPath: c.ownLocation(c.work.at)}
}

// Step pays for one call of a function that a document may cause to be called any number of
// times, for the value at v, and returns whether the walk goes on.
func (c *Checker) Step(v int, at string) bool {
	if c.Spend(1) {
		return true
	}
	c.giveUp(v, at)
	return false
}
