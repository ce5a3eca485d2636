package jsonrt

import (
	"context"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Checker is the state of one validation: the tape and, when wanted, the faults.
//
// A generated check has one body for the verdict and for the errors. A Checker starts out
// quiet: the first fault makes every check return false and the walk ends there. Only when
// that happens does the document get a second walk in which Fail and its relatives record
// the fault and return true, so that the same checks go on and find the rest. A valid
// document therefore never pays for errors, and the errors cannot disagree with the verdict.
//
// A check that needs the verdict of a part (a branch of anyOf, say) runs it between Quiet and
// Restore.
type Checker struct {
	tape   *jsontape.Tape
	tokens []jsontape.Token // of tape
	data   []byte           // of tape

	// Tokens and texts for Name, see decode; and their memory.
	decoded, copied []jsontape.Token
	texts           [jsontape.Escaped + 1]string
	buffer          []byte

	loud   bool
	faults []fault
	root   int
	schema *Schema // whose own file needs no name in a location; nil where there is none
	marks  []uint32
	frame  uint32
	trail  []marked // marks that Try may have to undo
	tries  int      // calls of Try and Unmarked under way

	work              work
	verdicts          verdicts
	calls, patience   int
	attempt, attempts uint32 // the branch of a union whose faults are being collected; 1 is none

	held   int  // bytes of all faults that are kept, those of attempts included
	more   int  // faults beyond maxFaultBytes
	cut    bool // not all faults have been looked for
	effort int  // how much may still be spent on finding the branch of a union that was meant
	own    jsontape.Tape
}

// fault is a Detail before its path has been worked out.
type fault struct {
	order  uint32 // where it stands in the document: the token of the value that was checked
	token  int    // the value or member name whose path is meant
	suffix string // a member that is missing from the object at token
	detail Detail
}

// effortPerToken bounds the cost of explaining failed unions: so many looks at each token of
// the document. Branches are tried with all their faults, and unions inside them likewise,
// which would multiply.
const effortPerToken = 64

// bytesPerLook is how much of a string counts as one look at a token.
const bytesPerLook = 256

// bytes is about what the fault takes.
func (f *fault) bytes() int {
	return faultBytes + len(f.suffix) + len(f.detail.Message) + len(f.detail.SchemaPath)
}

const (
	faultBytes = 128
	// maxFaultBytes bounds the memory of one failing validation: what lies beyond is only
	// counted.
	maxFaultBytes = 2 << 20
)

func (c *Checker) release() {
	if cap(c.own.Tokens) > maxKeptTokens {
		c.own.Tokens = nil
	}
	if cap(c.marks) > maxKeptTokens || cap(c.trail) > maxKeptTokens {
		c.marks, c.trail = nil, nil
	}
	c.trail, c.tries = c.trail[:0], 0
	c.verdicts = verdicts{}
	c.work = work{}
	c.own.Data = nil
	if cap(c.copied) > maxKeptTokens || cap(c.buffer) > maxKeptTokens {
		c.copied, c.buffer = nil, nil
	}
	c.tape, c.tokens, c.data, c.decoded = nil, nil, nil, nil
	clear(c.texts[:])
	c.faults = nil
	checkers.Put(c)
}

// run checks the value at token root. What is told of it names the places in the file of s, if
// any, without that file's name.
func (c *Checker) run(ctx context.Context, t *jsontape.Tape, root int, check CheckFunc, s *Schema) error {
	c.tape, c.tokens, c.data = t, t.Tokens, t.Data
	c.root, c.loud, c.schema = root, false, s
	if name := t.RepeatedName(root); name >= 0 {
		path, _ := c.pointer(name, "")
		return &RepeatedNameError{Path: path}
	}
	c.decode(root)
	c.work.ctx = ctx
	steps := freeSteps + stepsPerByte*len(c.tape.Bytes(root))
	c.grant(steps)
	c.calls, c.patience = 0, callsPerToken*len(t.Tokens)
	valid := check(c, root)
	switch {
	case c.work.over:
		return c.undecided()
	case valid:
		return nil
	}
	// The verdict stands. If the work for explaining it ends, what was found by then is told.
	c.grant(steps)
	c.loud = true
	c.attempt, c.attempts = 1, 1
	c.patience, c.held, c.more, c.cut, c.effort = 0, 0, 0, false, effortPerToken*len(t.Tokens)
	check(c, root)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return c.err()
}
