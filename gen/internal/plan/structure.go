package plan

import (
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// arrays plans what is said about arrays.
func (b *builder) arrays(s *load.Schema, n *Node) {
	if n.Types&Array == 0 {
		return
	}
	t := &s.File.Tape
	for _, name := range []string{"minItems", "maxItems"} {
		if k := s.Keyword(name); k != nil {
			if size, can := bound(s, k); can {
				n.Checks = append(n.Checks, &Count{At: n.At, Keyword: name, N: size})
			}
		}
	}
	if c := b.items(s, n); c != nil {
		n.Checks = append(n.Checks, c)
	}
	if k := s.Keyword("contains"); k != nil {
		c := &Contains{At: n.At, Min: 1, Max: -1}
		if m := s.Keyword("minContains"); m != nil {
			c.Min, _ = bound(s, m)
		}
		if m := s.Keyword("maxContains"); m != nil {
			if size, can := bound(s, m); can {
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
	if k := s.Keyword("uniqueItems"); k != nil && t.Tokens[k.Value].Kind == jsontape.True {
		n.Checks = append(n.Checks, &Unique{At: n.At})
	}
}

func (b *builder) items(s *load.Schema, n *Node) Check {
	c := &Items{At: n.At, Mark: b.collect&CollectItems != 0}
	prefix, rest := s.Keyword("prefixItems"), s.Keyword("items")
	if rest != nil && s.File.Tape.Tokens[rest.Value].Kind == jsontape.Array {
		// The array form, before 2020-12.
		prefix, rest = rest, s.Keyword("additionalItems")
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
	if len(c.Prefix) == 0 && c.Rest == nil && (!c.Mark || c.RestKeyword == "") {
		return nil
	}
	return c
}

// objects plans what is said about objects.
func (b *builder) objects(s *load.Schema, n *Node) {
	if n.Types&Object == 0 {
		return
	}
	for _, name := range []string{"minProperties", "maxProperties"} {
		if k := s.Keyword(name); k != nil {
			if size, can := bound(s, k); can {
				n.Checks = append(n.Checks, &Count{At: n.At, Keyword: name, N: size})
			}
		}
	}
	if c := b.members(s, n); c != nil {
		n.Checks = append(n.Checks, c)
	}
	b.dependencies(s, n)
}

func (b *builder) members(s *load.Schema, n *Node) Check {
	t := &s.File.Tape
	c := &Members{At: n.At, Mark: b.collect&CollectMembers != 0}
	index := map[string]int{}
	if k := s.Keyword("properties"); k != nil {
		for i, name := range k.Names {
			index[name] = len(c.Fields)
			c.Fields = append(c.Fields, Field{Name: name, Node: b.inside(k.Schemas[i])})
		}
	}
	if k := s.Keyword("required"); k != nil && t.Tokens[k.Value].Kind == jsontape.Array {
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
	if k := s.Keyword("patternProperties"); k != nil {
		key := k.Value + 1
		for i, name := range k.Names {
			c.Patterns = append(c.Patterns, PatternField{Source: name, Matcher: b.matcher(s, key), Node: b.inside(k.Schemas[i])})
			key = t.Next(key + 1)
		}
	}
	if k := s.Keyword("additionalProperties"); k != nil {
		c.HasRest = true
		if rest := b.inside(k.Schemas[0]); !rest.always() {
			c.Rest = rest
		}
	}
	if k := s.Keyword("propertyNames"); k != nil {
		if names := b.inside(k.Schemas[0]); !names.always() {
			c.Names = names
		}
	}
	if c.Rest == nil && !c.Mark {
		c.dropAlways()
	}
	if c.empty() {
		return nil
	}
	return c
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

// dependencies plans dependentRequired, dependentSchemas and their older common form.
func (b *builder) dependencies(s *load.Schema, n *Node) {
	t := &s.File.Tape
	names := func(list int) []string {
		var out []string
		for tok := list + 1; tok < t.Next(list); tok = t.Next(tok) {
			out = append(out, t.Str(tok))
		}
		return out
	}
	for i := range s.Keywords {
		k := &s.Keywords[i]
		switch k.Name {
		case "dependentRequired":
			for key := k.Value + 1; key < t.Next(k.Value); key = t.Next(key + 1) {
				if list := names(key + 1); len(list) > 0 {
					n.Checks = append(n.Checks, &Depends{At: n.At, Keyword: k.Name, Member: t.Str(key), Names: list})
				}
			}
		case "dependentSchemas", "dependencies":
			for i, name := range k.Names {
				if k.Schemas[i] == nil {
					if list := names(t.Member(k.Value, name)); len(list) > 0 {
						n.Checks = append(n.Checks, &Depends{At: n.At, Keyword: k.Name, Member: name, Names: list})
					}
				} else if sub := b.node(k.Schemas[i]); !sub.always() {
					n.Checks = append(n.Checks, &DependsSchema{Member: name, Node: sub})
				}
			}
		}
	}
}
