package types

import (
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// stringType is string, or a declared type with constants where the schema lists the values.
func (b *builder) stringType(members []*load.Schema) *typ {
	all := b.facts.All(members, text)
	t := &typ{form: formString}
	var lister *load.Schema
	var values []string
	for _, s := range all {
		if k := s.Shows(load.GoMinLength); k != nil && atLeastOne(&s.File.Tape, k.Value) {
			t.nonEmpty = true
		}
		list, finite := b.facts.OwnConstants(s, text)
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
