package jsonrt

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// CheckFunc is the generated check of one schema on the value at token v. It returns false
// to stop: see Checker for the rules.
type CheckFunc func(c *Checker, v int) bool

// Schema is one compiled message type. Generated code makes it; all fields are read-only.
type Schema struct {
	ID          string
	Title       string
	Description string
	// File is the name of the schema file where that is not ID and ".json", because the id
	// has characters that a file name can't have; else "".
	File string
	// Source holds the exact bytes of the schema file.
	Source string
	// Bundle is the schema in one text that refers to no other file. It is "" where Source
	// is that already, or where no such text exists.
	Bundle string
	// Tool is the name of a tool whose arguments are the payload. Only a schema that allows
	// nothing but objects has one; other schemas have "".
	Tool string
	// Type is the Go type of the message: what the generated Decode function returns, and what
	// Schema.Decode returns as a Message.
	Type reflect.Type
	// Message decodes a document that was checked; Schema.Decode calls it.
	Message func(*Decoder) Message
	// Check is the compiled validator.
	Check CheckFunc
}

// file is the name of the schema's file.
func (s *Schema) file() string { return cmp.Or(s.File, s.ID+".json") }

// Validate checks one JSON document against the schema. It returns nil, a
// *jsontape.SyntaxError if data is not JSON or nested deeper than jsontape.DefaultMaxDepth,
// a *RepeatedNameError, a *ValidationError, or an *UndecidedError if the verdict would cost
// more work than one call may. A valid document costs no allocation.
func (s *Schema) Validate(data []byte) error {
	c := checkers.Get().(*Checker)
	defer c.release()
	if err := c.own.Parse(data, jsontape.Options{}); err != nil {
		return err
	}
	return c.run(context.Background(), &c.own, 0, s.Check, s)
}

// ValidateTape checks the value at token root of a tape that the caller parsed. It returns
// nil, a *RepeatedNameError, a *ValidationError or an *UndecidedError, whose paths are relative
// to that value. Checking that takes long ends with ctx, and the error is then the cause of
// that.
func (s *Schema) ValidateTape(ctx context.Context, t *jsontape.Tape, root int) error {
	c := checkers.Get().(*Checker)
	defer c.release()
	return c.run(ctx, t, root, s.Check, s)
}

// checkers keeps warm checkers, each with a grown tape, so that a valid document costs no
// allocation.
var checkers = sync.Pool{New: func() any { return new(Checker) }}

// maxKeptTokens bounds what a pooled checker may hold on to: 1 MiB of tokens.
const maxKeptTokens = 1 << 16

// Registry is the immutable set of compiled schemas, sorted by id. The zero value is empty.
type Registry struct {
	schemas []*Schema
}

// NewRegistry makes a registry. Ids must be distinct; the generator sees to that. Merge makes one
// of several.
func NewRegistry(schemas ...*Schema) Registry {
	sorted := slices.Clone(schemas)
	slices.SortFunc(sorted, func(a, b *Schema) int { return cmp.Compare(a.ID, b.ID) })
	return Registry{schemas: sorted}
}

// Lookup finds a schema by its exact id.
func (r Registry) Lookup(id string) (*Schema, bool) {
	i, found := slices.BinarySearchFunc(r.schemas, id, func(s *Schema, id string) int { return cmp.Compare(s.ID, id) })
	if !found {
		return nil, false
	}
	return r.schemas[i], true
}

// Schemas lists all schemas, sorted by id. The slice must not be changed.
func (r Registry) Schemas() []*Schema { return r.schemas }

// Len is the number of schemas.
func (r Registry) Len() int { return len(r.schemas) }
