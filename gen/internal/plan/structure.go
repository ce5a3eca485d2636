package plan

import (
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// contains plans how many elements have to satisfy a schema.
func (b *builder) contains(s *load.Schema, k *load.Keyword, n *Node) {
	c := &Contains{At: n.At, Min: 1, Max: -1}
	if m := s.Checks(load.CheckMinContains); m != nil {
		c.Min, _ = size(s, m)
	}
	if m := s.Checks(load.CheckMaxContains); m != nil {
		if size, can := size(s, m); can {
			c.Max = size
		}
	}
	if c.Min > 0 || c.Max >= 0 || b.collect&CollectItems != 0 {
		c.Mark = b.collect&CollectItems != 0 && s.Dialect.Draft >= load.Draft2020
		restore := b.without()
		c.Item, c.ItemFunc = b.branch(k.Schemas[0])
		restore()
		n.Checks = append(n.Checks, c)
	}
}

func (b *builder) unique(s *load.Schema, k *load.Keyword, n *Node) {
	if s.File.Tape.Tokens[k.Value].Kind == jsontape.True {
		n.Checks = append(n.Checks, &Unique{At: n.At})
	}
}

// items plans what is said about the elements, each by itself.
func (b *builder) items(s *load.Schema, k *load.Keyword, n *Node) {
	if !isFirst(s, k, load.CheckItems, load.CheckPrefixItems) {
		return
	}
	c := &Items{At: n.At, Mark: b.collect&CollectItems != 0}
	prefix, rest := s.Checks(load.CheckPrefixItems), s.Checks(load.CheckItems)
	if rest != nil && s.File.Tape.Tokens[rest.Value].Kind == jsontape.Array {
		// The array form, before 2020-12.
		prefix, rest = rest, s.Checks(load.CheckAdditionalItems)
	}
	if prefix != nil {
		for _, sub := range prefix.Schemas {
			c.Prefix = append(c.Prefix, b.inside(sub))
		}
		for len(c.Prefix) > 0 && c.Prefix[len(c.Prefix)-1].always() && rest == nil && !c.Mark {
			c.Prefix = c.Prefix[:len(c.Prefix)-1]
		}
	}
	if rest != nil {
		c.RestKeyword = rest.Name
		if r := b.inside(rest.Schemas[0]); !r.always() {
			c.Rest = r
		}
	}
	if len(c.Prefix) > 0 || c.Rest != nil || c.Mark && c.RestKeyword != "" {
		n.Checks = append(n.Checks, c)
	}
}

// members plans what is said about the members of an object, each by itself.
func (b *builder) members(s *load.Schema, k *load.Keyword, n *Node) {
	if !isFirst(s, k, load.CheckProperties, load.CheckRequired, load.CheckPatterns, load.CheckOthers, load.CheckNames) {
		return
	}
	t := &s.File.Tape
	c := &Members{At: n.At, Mark: b.collect&CollectMembers != 0}
	index := map[string]int{}
	if k := s.Checks(load.CheckProperties); k != nil {
		for i, name := range k.Names {
			index[name] = len(c.Fields)
			f := Field{Name: name, Node: b.inside(k.Schemas[i])}
			if own := k.Schemas[i].Checks(load.CheckSelfRequired); own != nil && t.Tokens[own.Value].Kind == jsontape.True {
				f.Required, f.RequiredAt = true, location(k.Schemas[i])
			}
			c.Fields = append(c.Fields, f)
		}
	}
	if k := s.Checks(load.CheckRequired); k != nil {
		for tok := k.Value + 1; tok < t.Next(k.Value); tok = t.Next(tok) {
			name := t.Str(tok)
			i, known := index[name]
			if !known {
				i = len(c.Fields)
				index[name] = i
				c.Fields = append(c.Fields, Field{Name: name, Undeclared: true})
			}
			c.Fields[i].Required = true
		}
	}
	if k := s.Checks(load.CheckPatterns); k != nil {
		key := k.Value + 1
		for i, name := range k.Names {
			c.Patterns = append(c.Patterns, PatternField{Source: name, Matcher: b.matcher(s, key), Node: b.inside(k.Schemas[i])})
			key = t.Next(key + 1)
		}
	}
	if k := s.Checks(load.CheckOthers); k != nil {
		c.HasRest = true
		if rest := b.inside(k.Schemas[0]); !rest.always() {
			c.Rest = rest
		}
	}
	if k := s.Checks(load.CheckNames); k != nil {
		if names := b.inside(k.Schemas[0]); !names.always() {
			c.Names = names
		}
	}
	if c.Rest == nil && !c.Mark {
		c.dropAlways()
	}
	if !c.empty() {
		n.Checks = append(n.Checks, c)
	}
}

// empty reports whether there is nothing to check or to note.
func (c *Members) empty() bool {
	return len(c.Fields) == 0 && len(c.Patterns) == 0 && c.Rest == nil && c.Names == nil && (!c.Mark || !c.HasRest)
}

// dropAlways leaves out members and patterns without a constraint. Where other members are
// restricted they have to stay: they say which members are not other ones.
func (c *Members) dropAlways() {
	fields := c.Fields[:0]
	for _, f := range c.Fields {
		if f.Required || !f.Node.always() {
			fields = append(fields, f)
		}
	}
	c.Fields = fields
	patterns := c.Patterns[:0]
	for _, p := range c.Patterns {
		if !p.Node.always() {
			patterns = append(patterns, p)
		}
	}
	c.Patterns = patterns
}

// dependency plans what has to hold where a member is present: other members, or a schema.
func (b *builder) dependency(s *load.Schema, k *load.Keyword, n *Node) {
	t := &s.File.Tape
	needs := func(name string, list int) {
		var names []string
		if t.Tokens[list].Kind == jsontape.String {
			names = []string{t.Str(list)} // draft 3 has this for a single name
		}
		for tok := list + 1; tok < t.Next(list); tok = t.Next(tok) {
			names = append(names, t.Str(tok))
		}
		if len(names) > 0 {
			n.Checks = append(n.Checks, &Depends{At: n.At, Keyword: k.Name, Member: name, Names: names})
		}
	}
	if !k.Shape.HoldsSchemas() {
		for key := k.Value + 1; key < t.Next(k.Value); key = t.Next(key + 1) {
			needs(t.Str(key), key+1)
		}
		return
	}
	for i, name := range k.Names {
		if k.Schemas[i] == nil {
			needs(name, t.Member(k.Value, name))
		} else if c := (&DependsSchema{Member: name, Node: b.node(k.Schemas[i])}); !c.Node.always() {
			if k.Shape == load.MapOfMaps {
				value := t.Str(k.Schemas[i].Tok - 1) // the name under which the schema stands
				c.Value = &value
			}
			n.Checks = append(n.Checks, c)
		}
	}
}
