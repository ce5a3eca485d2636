package jsonrt

import (
	"cmp"
	"slices"
	"strconv"
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
	loud   bool
	faults []fault
	root   int
	own    jsontape.Tape
}

// fault is a Detail before its path has been worked out.
type fault struct {
	order  uint32 // where it stands in the document: the token of the value that was checked
	token  int    // the value or member name whose path is meant
	suffix string // a member that is missing from the object at token
	detail Detail
}

// maxFaults bounds the memory of one failing validation: what lies beyond is only counted.
const maxFaults = 10_000

func (c *Checker) release() {
	if cap(c.own.Tokens) > maxKeptTokens {
		c.own.Tokens = nil
	}
	c.own.Data = nil
	c.tape = nil
	c.faults = nil
	checkers.Put(c)
}

func (c *Checker) run(t *jsontape.Tape, root int, check CheckFunc) error {
	if name := t.RepeatedName(root); name >= 0 {
		return &RepeatedNameError{Path: t.PointerFrom(root, name)}
	}
	c.tape, c.root, c.loud = t, root, false
	if check(c, root) {
		return nil
	}
	c.loud = true
	check(c, root)
	return c.err()
}

// err turns the recorded faults into details in document order.
func (c *Checker) err() *ValidationError {
	slices.SortStableFunc(c.faults, func(a, b fault) int { return cmp.Compare(a.order, b.order) })
	e := &ValidationError{}
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
		f.detail.Path = c.tape.PointerFrom(c.root, f.token) + f.suffix
		e.Details = append(e.Details, f.detail)
	}
	return e
}

// Kind is the kind of the value at v.
func (c *Checker) Kind(v int) jsontape.Kind { return c.tape.Tokens[v].Kind }

// Next is the token after the value at v and everything inside it.
func (c *Checker) Next(v int) int { return int(c.tape.Tokens[v].Next) }

// Name is the decoded member name, or string value, at v.
func (c *Checker) Name(v int) string { return c.tape.Str(v) }

// Text is the exact text of the value at v.
func (c *Checker) Text(v int) []byte { return c.tape.Bytes(v) }

// IsInteger reports whether the value at v is a number without a fractional part, however it
// is written: 1, 1.0 and 10e-1 are integers (JSON Schema validation 2020-12, section 6.1.1).
func (c *Checker) IsInteger(v int) bool {
	t := c.tape.Tokens[v]
	return t.Kind == jsontape.Number && (t.Flags&jsontape.Integer != 0 || IsInteger(c.tape.Bytes(v)))
}

// Runes is the length of the string at v in code points.
func (c *Checker) Runes(v int) int { return RuneCount(c.tape, v) }

// Quiet makes the checks that follow give a verdict only. The result goes to Restore.
func (c *Checker) Quiet() (loud bool) {
	loud = c.loud
	c.loud = false
	return loud
}

// Restore ends what Quiet began.
func (c *Checker) Restore(loud bool) { c.loud = loud }

// Fail records that the value at v does not meet keyword of the schema at location at. It
// returns whether the walk goes on.
func (c *Checker) Fail(v int, at, keyword, message string) bool {
	return c.record(v, v, "", at, keyword, message)
}

func (c *Checker) record(order, token int, suffix, at, keyword, message string) bool {
	if !c.loud {
		return false
	}
	if len(c.faults) < maxFaults {
		path := at
		if keyword != "" {
			path = at + "/" + keyword
		}
		c.faults = append(c.faults, fault{order: uint32(order), token: token, suffix: suffix, detail: Detail{Message: message, Keyword: keyword, SchemaPath: path}})
	}
	return true
}

// Missing records that the object at v lacks the member name.
func (c *Checker) Missing(v int, at, name string) bool {
	if !c.loud {
		return false
	}
	return c.record(v, v, string(jsontape.AppendPointerToken(nil, name)), at, "required", "is required")
}

// Required records every one of names whose bit is not set in seen.
func (c *Checker) Required(v int, at string, seen uint64, names ...string) bool {
	if !c.loud {
		return false
	}
	for i, name := range names {
		if seen&(1<<i) == 0 {
			c.Missing(v, at, name)
		}
	}
	return true
}

// Depends records that the object at v has member but lacks name.
func (c *Checker) Depends(v int, at, keyword, member, name string) bool {
	if !c.loud {
		return false
	}
	return c.record(v, v, string(jsontape.AppendPointerToken(nil, name)), at, keyword, "is required because "+strconv.Quote(member)+" is present")
}

// Unknown records that the member whose name stands at name is not allowed; known are the
// names that are, for the sake of a spelling hint.
func (c *Checker) Unknown(name int, at, keyword string, known ...string) bool {
	if !c.loud {
		return false
	}
	message := "is not allowed here"
	if near := nearest(c.tape.Str(name), known); near != "" {
		message += "; did you mean " + strconv.Quote(near) + "?"
	}
	return c.record(name, name, "", at, keyword, message)
}

// OneOfValues records that the value at v is none of those allowed by enum or const. list
// is how the allowed values read in the message.
func (c *Checker) OneOfValues(v int, at, keyword, list string, known ...string) bool {
	if !c.loud {
		return false
	}
	message := "must be " + list
	if c.Kind(v) == jsontape.String {
		if near := nearest(c.tape.Str(v), known); near != "" {
			message += "; did you mean " + strconv.Quote(near) + "?"
		}
	}
	return c.record(v, v, "", at, keyword, message)
}

// Union records that the value at v satisfies none of the branches of an anyOf or oneOf.
// The faults of the branch that the author most likely meant are recorded too: of the
// branches whose type and constants fit, the one whose first fault lies furthest in the
// document.
func (c *Checker) Union(v int, at, keyword string, branches ...CheckFunc) bool {
	if !c.loud {
		return false
	}
	before := c.faults
	best, bestRank := []fault(nil), -1
	bestIndex := -1
	for i, branch := range branches {
		c.faults = nil
		branch(c, v)
		if rank := c.rank(v); rank > bestRank {
			best, bestRank, bestIndex = c.faults, rank, i
		}
	}
	c.faults = before
	if bestRank <= 0 {
		return c.record(v, v, "", at, keyword, "matches none of the "+strconv.Itoa(len(branches))+" forms allowed here: "+joinMessages(c, v, branches))
	}
	c.record(v, v, "", at, keyword, "matches none of the "+strconv.Itoa(len(branches))+" forms allowed here; measured by the closest one, number "+strconv.Itoa(bestIndex+1)+":")
	c.faults = append(c.faults, best...)
	return true
}

// rank says how far the faults recorded so far let the value at v get: 0 when it fails at
// once by its type or constant, else more the later the first fault stands.
func (c *Checker) rank(v int) int {
	first := len(c.tape.Tokens)
	for _, f := range c.faults {
		if f.token == v && f.suffix == "" {
			switch f.detail.Keyword {
			case "type", "const", "enum", "":
				return 0
			}
		}
		switch f.detail.Keyword {
		case "const", "enum":
			// A constant that differs says: another branch is meant.
			return 1
		}
		first = min(first, f.token)
	}
	return 2 + first - v
}

func joinMessages(c *Checker, v int, branches []CheckFunc) string {
	before := c.faults
	var parts []string
	for _, branch := range branches {
		c.faults = nil
		branch(c, v)
		for _, f := range c.faults {
			if f.token == v && f.suffix == "" && !slices.Contains(parts, f.detail.Message) {
				parts = append(parts, f.detail.Message)
			}
		}
	}
	c.faults = before
	return strings.Join(parts, " or ")
}
