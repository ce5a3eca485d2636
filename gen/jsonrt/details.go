package jsonrt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

const (
	// MaxDetails is how many faults a ValidationError lists; the rest are only counted.
	MaxDetails = 100
	// MaxDetailBytes bounds the texts of all details of a ValidationError together. The first
	// is listed whatever its size.
	MaxDetailBytes = 64 << 10
	// MaxPointerBytes bounds a Detail's path. A payload can have members with names of any
	// length at any depth; a path that would be longer leads to the last part on the way that
	// it can name, and the message tells the rest.
	MaxPointerBytes = 16 << 10
)

// err turns the recorded faults into details in document order.
func (c *Checker) err() *ValidationError {
	slices.SortStableFunc(c.faults, func(a, b fault) int { return cmp.Compare(a.order, b.order) })
	e := &ValidationError{More: c.more, Incomplete: c.work.over || c.cut}
	type seen struct {
		token           int
		suffix, message string
	}
	known := map[seen]bool{}
	size := 0
	for _, f := range c.faults {
		// allOf and $ref can state one rule twice; the reader needs it once.
		k := seen{f.token, f.suffix, f.detail.Message}
		if known[k] {
			continue
		}
		known[k] = true
		if len(e.Details) == MaxDetails || size > MaxDetailBytes {
			e.More++
			continue
		}
		d := f.detail
		d.SchemaPath = c.ownLocation(d.SchemaPath)
		var whole bool
		if d.Path, whole = c.pointer(f.token, f.suffix); !whole {
			d.Message = "inside this, " + strconv.Itoa(int(c.tokens[f.token].Start-c.tokens[c.root].Start)) +
				" bytes into the payload, at a path that is too long to tell: " + d.Message
		}
		size += len(d.Path) + len(d.Message) + len(d.Keyword) + len(d.SchemaPath)
		if size > MaxDetailBytes && len(e.Details) > 0 {
			e.More++
			continue
		}
		e.Details = append(e.Details, d)
	}
	if len(e.Details) == 0 {
		// The work for explaining ended before anything was found that could be told.
		e.Details = []Detail{{Message: "does not satisfy the schema; finding out where costs more than one call may: check parts of it by themselves"}}
	}
	return e
}

// pointer is the path of a fault, whole unless it would be too long: then it is that of the
// last value on the way to token whose path is not.
func (c *Checker) pointer(token int, suffix string) (path string, whole bool) {
	path, whole = c.tape.PointerWithin(c.root, token, MaxPointerBytes)
	if !whole || len(path)+len(suffix) > MaxPointerBytes {
		return path, false
	}
	return path + suffix, true
}

// ownLocation leaves out the name of the schema's own file.
func (c *Checker) ownLocation(at string) string {
	if c.schema == nil {
		return at
	}
	if fragment, own := strings.CutPrefix(at, c.schema.file()); own && strings.HasPrefix(fragment, "#") {
		return fragment
	}
	return at
}
