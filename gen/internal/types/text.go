package types

import (
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// stringType is string, or a declared type with constants where the schema lists the values.
func (b *builder) stringType(members []*load.Schema) *typ {
	all := b.all(members, text)
	t := &typ{form: formString}
	var lister *load.Schema
	var values []string
	for _, s := range all {
		if k := s.Shows(load.GoMinLength); k != nil && atLeastOne(&s.File.Tape, k.Value) {
			t.nonEmpty = true
		}
		list, finite := b.ownStrings(s)
		if !finite {
			continue
		}
		if len(list) == 1 {
			t.constant, t.nonEmpty = stringConstant(list[0]), list[0] != ""
			continue
		}
		if len(list) > 1 && (lister == nil || len(list) < len(values)) {
			lister, values = s, list
		}
	}
	if lister == nil {
		return t
	}
	n, isNew := b.declare([]*load.Schema{lister}, text, shapeEnum)
	if isNew {
		n.values = values
	}
	return &typ{form: formNamed, named: n, constant: t.constant}
}

// ownStrings are the strings that the schema's own keywords allow, each once; false where
// they do not limit them to a list.
func (b *builder) ownStrings(s *load.Schema) (list []string, finite bool) {
	t := &s.File.Tape
	for i := range s.Keywords {
		var some []string
		switch k := &s.Keywords[i]; k.Go {
		case load.GoConst:
			if t.Tokens[k.Value].Kind == jsontape.String {
				some = []string{t.Str(k.Value)}
			}
		case load.GoEnum:
			some = strs(t, k.Value)
		case load.GoUnion:
			branches := b.branches(k, text)
			if len(branches) < 2 {
				continue // a single branch is in the closure by itself
			}
			var ok bool
			if some, ok = b.branchStrings(branches); !ok {
				continue
			}
		default:
			continue
		}
		if !finite || len(some) < len(list) {
			list, finite = some, true
		}
	}
	var unique []string
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			unique = append(unique, s)
		}
	}
	return unique, finite
}

// branchStrings are the strings that the branches allow together; false where one of them
// does not limit them to a list.
func (b *builder) branchStrings(branches []*load.Schema) (list []string, finite bool) {
	for _, branch := range branches {
		if b.listing[branch] {
			return nil, false // a branch that leads back to itself
		}
		b.listing[branch] = true
		some, ok := b.finiteStrings([]*load.Schema{branch})
		delete(b.listing, branch)
		if !ok {
			return nil, false
		}
		list = append(list, some...)
	}
	return list, true
}

// finiteStrings are the strings possible at a place; false where the schema does not limit
// them to a list.
func (b *builder) finiteStrings(members []*load.Schema) (list []string, finite bool) {
	if b.kindsOf(members)&text == 0 {
		return nil, true
	}
	for _, s := range b.all(members, text) {
		if some, ok := b.ownStrings(s); ok && (!finite || len(some) < len(list)) {
			list, finite = some, true
		}
	}
	return list, finite
}

// strs are the strings of an array.
func strs(t *jsontape.Tape, v int) []string {
	var list []string
	for e := range elements(t, v) {
		if t.Tokens[e].Kind == jsontape.String {
			list = append(list, t.Str(e))
		}
	}
	return list
}
