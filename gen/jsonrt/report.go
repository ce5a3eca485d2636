package jsonrt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Fail records that the value at v does not meet keyword of the schema at location at. It
// returns whether the walk goes on.
func (c *Checker) Fail(v int, at, keyword, message string) bool {
	if c.loud && keyword == "type" && !c.full() {
		message += c.typeHint(v, message)
	}
	return c.record(v, v, "", at, keyword, message)
}

// typeHint adds what is easily overlooked about a value of the wrong type: that a number has a
// fraction, or that a string holds the text of what is wanted.
func (c *Checker) typeHint(v int, message string) string {
	switch c.Kind(v) {
	case jsontape.Number:
		if strings.Contains(message, "integer") {
			return ", without a fraction"
		}
	case jsontape.String:
		text := c.Name(v)
		if c.effort -= len(text) / bytesPerLook; c.effort < 0 {
			return ""
		}
		var inside jsontape.Tape // of the root alone, so that it takes no memory
		if inside.Parse([]byte(text), jsontape.Options{IndexDepth: 1}) != nil {
			return ""
		}
		kind := inside.Tokens[0].Kind.String()
		if strings.Contains(message, kind) || kind == "number" && strings.Contains(message, "integer") {
			return "; got a string that holds JSON: send the value itself, without the quotes around it"
		}
	case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Object, jsontape.Array:
	}
	return ""
}

// record puts a fault on the list. Once the work has ended nothing is recorded: a check that
// could not be decided must not look like a fault.
func (c *Checker) record(order, token int, suffix, at, keyword, message string) bool {
	switch {
	case !c.loud, c.work.over:
		return false
	case c.full():
		c.more++
		return true
	}
	path := at
	if keyword != "" {
		path = at + "/" + keyword
	}
	f := fault{order: uint32(order), token: token, suffix: suffix, detail: Detail{Message: message, Keyword: keyword, SchemaPath: path}}
	c.held += f.bytes()
	c.faults = append(c.faults, f)
	return true
}

// full reports whether faults are only counted from now on.
func (c *Checker) full() bool { return c.held > maxFaultBytes }

// drop forgets faults that were collected in an attempt.
func (c *Checker) drop(faults []fault) {
	for i := range faults {
		c.held -= faults[i].bytes()
	}
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
		if seen&(1<<i) == 0 && !c.Missing(v, at, name) {
			return false
		}
	}
	return true
}

// Depends records that the object at v has member but lacks name.
func (c *Checker) Depends(v int, at, keyword, member, name string) bool {
	if !c.loud {
		return false
	}
	return c.record(v, v, string(jsontape.AppendPointerToken(nil, name)), at, keyword, "is required because "+quote(member)+" is present")
}

// Unknown records that the member whose name stands at name is not allowed; known are the
// names that are, for the sake of a spelling hint.
func (c *Checker) Unknown(name int, at, keyword string, known ...string) bool {
	if !c.loud || c.full() {
		return c.record(name, name, "", at, keyword, "")
	}
	message := "is not allowed here"
	if near := nearest(c.Name(name), known); near != "" {
		message += "; did you mean " + quote(near) + "?"
	}
	return c.record(name, name, "", at, keyword, message)
}

// Union records that the value at v satisfies none of the branches of an anyOf or oneOf.
// The faults of the branch that the author most likely meant are recorded too: of the
// branches whose type and constants fit, the one whose first fault lies furthest in the
// document.
func (c *Checker) Union(v int, at, keyword string, branches ...CheckFunc) bool {
	if !c.loud {
		return false
	}
	none := "matches none of the " + strconv.Itoa(len(branches)) + " forms allowed here"
	if c.effort -= (c.Next(v) - v) * len(branches); c.effort < 0 {
		return c.record(v, v, "", at, keyword, none)
	}
	c.markAll(v) // behind the bound: it walks over the whole value
	before, more := c.faults, c.more
	best, bestRank := []fault(nil), -1
	bestIndex := -1
	for i, branch := range branches {
		c.attemptBranch(branch, v)
		if rank := c.rank(v); rank > bestRank {
			c.drop(best)
			best, bestRank, bestIndex = c.faults, rank, i
		} else {
			c.drop(c.faults)
		}
	}
	c.faults, c.more = before, more
	if bestRank <= 0 {
		c.drop(best)
		return c.record(v, v, "", at, keyword, none+": "+c.alternatives(v, branches))
	}
	c.record(v, v, "", at, keyword, none+"; it comes closest to form "+strconv.Itoa(bestIndex+1)+", whose faults are listed too")
	c.faults = append(c.faults, best...)
	return true
}

// attemptBranch leaves the faults of a branch, and only those, on the list.
func (c *Checker) attemptBranch(branch CheckFunc, v int) {
	c.faults = nil
	outer := c.attempt
	c.attempts++
	c.attempt = c.attempts
	branch(c, v)
	c.attempt = outer
}

// rank says how far the faults recorded so far let the value at v get: 0 when it fails at
// once by its type or constant, or for an unknown reason, else more the later the first fault
// stands.
func (c *Checker) rank(v int) int {
	if len(c.faults) == 0 {
		return 0 // there was no room for them
	}
	first := len(c.tokens)
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

// alternatives says in one line what the branches of a union want of the value at v itself.
func (c *Checker) alternatives(v int, branches []CheckFunc) string {
	before, more := c.faults, c.more
	defer func() { c.faults, c.more = before, more }()
	var wants []string
	for _, branch := range branches {
		c.attemptBranch(branch, v)
		for _, f := range c.faults {
			if f.token == v && f.suffix == "" && !slices.Contains(wants, f.detail.Message) {
				wants = append(wants, f.detail.Message)
			}
		}
		c.drop(c.faults)
	}
	const most = 8
	if len(wants) > most {
		wants = append(wants[:most], "…")
	}
	// "must be string, or must be object" reads better with one "must be".
	for i := 1; i < len(wants); i++ {
		wants[i] = strings.TrimPrefix(wants[i], "must be ")
	}
	return strings.Join(wants, " or ")
}

// NotOneOf records that the value at v is none of the strings that enum or const allows.
func (c *Checker) NotOneOf(v int, at, keyword string, allowed ...string) bool {
	if !c.loud || c.full() { // nobody would see the message
		return c.record(v, v, "", at, keyword, "")
	}
	quoted := make([]string, min(len(allowed), mostNamed))
	for i := range quoted {
		quoted[i] = quote(allowed[i])
	}
	return c.notOneOf(v, at, keyword, len(allowed), quoted, allowed)
}

// NotOneOfJSON is NotOneOf for values of any type, given as JSON texts.
func (c *Checker) NotOneOfJSON(v int, at, keyword string, allowed ...string) bool {
	if !c.loud || c.full() {
		return c.record(v, v, "", at, keyword, "")
	}
	return c.notOneOf(v, at, keyword, len(allowed), allowed[:min(len(allowed), mostNamed)], nil)
}

// mostNamed is how many of the values that are allowed a message names.
const mostNamed = 20

// notOneOf says that one of count values is wanted, of which texts are the first.
func (c *Checker) notOneOf(v int, at, keyword string, count int, texts, known []string) bool {
	message := "must be "
	if count > 1 {
		message = "must be one of "
	}
	message += strings.Join(texts, ", ")
	if count > len(texts) {
		message += ", … (" + strconv.Itoa(count) + " in all)"
	}
	if c.Kind(v) == jsontape.String && count > 1 {
		if near := nearest(c.Name(v), known); near != "" {
			message += "; did you mean " + quote(near) + "?"
		}
	}
	return c.record(v, v, "", at, keyword, message)
}

// BadTag records that the member name of the object at v does not say which of the forms of
// a union is meant.
func (c *Checker) BadTag(v int, at, keyword, name string, allowed ...string) bool {
	return c.badTag(v, at, keyword, name, c.NotOneOf, allowed)
}

// BadTagText is BadTag for constants that are no strings, given as JSON texts.
func (c *Checker) BadTagText(v int, at, keyword, name string, allowed ...string) bool {
	return c.badTag(v, at, keyword, name, c.NotOneOfJSON, allowed)
}

func (c *Checker) badTag(v int, at, keyword, name string, notOneOf func(v int, at, keyword string, allowed ...string) bool, allowed []string) bool {
	if !c.loud {
		return false
	}
	if c.Kind(v) != jsontape.Object {
		return c.record(v, v, "", at, keyword, "must be object")
	}
	c.markAll(v)
	m := c.tape.Member(v, name)
	if m < 0 {
		return c.record(v, v, string(jsontape.AppendPointerToken(nil, name)), at, keyword, "is required: it says which form the object has")
	}
	return notOneOf(m, at, keyword, allowed...)
}

// Unique checks that no two elements of the array at v are equal.
func (c *Checker) Unique(v int, at string) bool {
	first, second, ok := Unique(c.tape, v)
	if ok {
		return true
	}
	if !c.loud {
		return false
	}
	index := func(item int) string {
		n := 0
		for at := v + 1; at < item; at = c.Next(at) {
			n++
		}
		return strconv.Itoa(n)
	}
	return c.Fail(v, at, "uniqueItems", "must not hold equal items, but items "+index(first)+" and "+index(second)+" are equal")
}

func quote(s string) string { return string(jsontape.AppendQuoted(nil, s)) }
