package jsonrt

import (
	"cmp"
	"slices"
	"strings"

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
	home   string // what locations in the schema's own file start with
	marks  []uint32
	frame  uint32
	trail  []marked

	verdicts          map[memoKey]bool
	calls, patience   int
	attempt, attempts uint32 // the branch of a union whose faults are being collected; 1 is none

	more   int // faults beyond maxFaults
	effort int // how much may still be spent on finding the branch of a union that was meant
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

// maxFaults bounds the memory of one failing validation: what lies beyond is only counted.
const maxFaults = 10_000

func (c *Checker) release() {
	if cap(c.own.Tokens) > maxKeptTokens {
		c.own.Tokens = nil
	}
	if cap(c.marks) > maxKeptTokens || cap(c.trail) > maxKeptTokens {
		c.marks, c.trail = nil, nil
	}
	c.trail = c.trail[:0]
	c.verdicts = nil
	c.own.Data = nil
	if cap(c.copied) > maxKeptTokens || cap(c.buffer) > maxKeptTokens {
		c.copied, c.buffer = nil, nil
	}
	c.tape, c.tokens, c.data, c.decoded = nil, nil, nil, nil
	clear(c.texts[:])
	c.faults = nil
	checkers.Put(c)
}

func (c *Checker) run(t *jsontape.Tape, root int, s *Schema) error {
	if name := t.RepeatedName(root); name >= 0 {
		return &RepeatedNameError{Path: t.PointerFrom(root, name)}
	}
	c.tape, c.tokens, c.data = t, t.Tokens, t.Data
	c.decode(root)
	c.root, c.loud = root, false
	c.calls, c.patience = 0, callsPerToken*len(t.Tokens)
	if s.Check(c, root) {
		return nil
	}
	c.loud, c.home = true, s.ID+".json"
	c.attempt, c.attempts = 1, 1
	c.patience, c.more, c.effort = 0, 0, effortPerToken*len(t.Tokens)
	s.Check(c, root)
	return c.err()
}

// err turns the recorded faults into details in document order.
func (c *Checker) err() *ValidationError {
	slices.SortStableFunc(c.faults, func(a, b fault) int { return cmp.Compare(a.order, b.order) })
	e := &ValidationError{More: c.more}
	type seen struct {
		token           int
		suffix, message string
	}
	known := map[seen]bool{}
	for _, f := range c.faults {
		// allOf and $ref can state one rule twice; the reader needs it once.
		k := seen{f.token, f.suffix, f.detail.Message}
		if known[k] {
			continue
		}
		known[k] = true
		if len(e.Details) == MaxDetails {
			e.More++
			continue
		}
		f.detail.SchemaPath = strings.TrimPrefix(f.detail.SchemaPath, c.home)
		f.detail.Path = c.tape.PointerFrom(c.root, f.token) + f.suffix
		e.Details = append(e.Details, f.detail)
	}
	return e
}
