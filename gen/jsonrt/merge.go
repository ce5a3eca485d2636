package jsonrt

import (
	"errors"
	"fmt"
	"slices"
)

// Merge makes one registry of several, of packages of generated code that may belong to
// several modules. A program merges where it starts:
//
//	registry, err := jsonrt.Merge(orders.Registry, billing.Registry)
//
// A schema that is in several of the registries, because they were merged before, counts once.
// Two schemas with one id are an error, as are two whose tools would have one name: a
// *ConflictError for each pair, joined.
func Merge(registries ...Registry) (Registry, error) {
	var all []*Schema
	var conflicts []error
	known := map[*Schema]bool{}
	ids, tools := map[string]*Schema{}, map[string]*Schema{}
	for _, r := range registries {
		for _, s := range r.schemas {
			if known[s] {
				continue
			}
			known[s] = true
			all = append(all, s)
			switch first, tool := ids[s.ID], tools[s.Tool]; {
			case first != nil:
				conflicts = append(conflicts, &ConflictError{First: first, Second: s})
				continue
			case tool != nil && s.Tool != "":
				conflicts = append(conflicts, &ConflictError{First: tool, Second: s, Tool: s.Tool})
			}
			ids[s.ID], tools[s.Tool] = s, s
		}
	}
	if len(conflicts) > 0 {
		return Registry{}, errors.Join(conflicts...)
	}
	return NewRegistry(all...), nil
}

// Without gives the registry without the schemas that have these ids.
func (r Registry) Without(ids ...string) Registry {
	return NewRegistry(slices.DeleteFunc(slices.Clone(r.schemas), func(s *Schema) bool { return slices.Contains(ids, s.ID) })...)
}

// ConflictError says that two schemas cannot be in one registry, since both have one id or the
// name of one tool. Their packages are First.Package() and Second.Package().
type ConflictError struct {
	First, Second *Schema
	// Tool is the name of the tool that both would have, "" where they have one id.
	Tool string
}

func (e *ConflictError) Error() string {
	if e.Tool == "" {
		return fmt.Sprintf("the packages %s and %s both have a schema with the id %q; rename one of the two schema files", e.First.Package(), e.Second.Package(), e.First.ID)
	}
	return fmt.Sprintf("the typed tools of the schemas %q of package %s and %q of package %s would both be called %s; rename one of the two schema files",
		e.First.ID, e.First.Package(), e.Second.ID, e.Second.Package(), e.Tool)
}

// Package is the import path of the generated package that the schema belongs to. It is "main"
// for code that was generated into a program's own package, and "" for a schema without a Go
// type.
func (s *Schema) Package() string {
	if s.Type == nil {
		return ""
	}
	return s.Type.PkgPath()
}
