package example

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

func unescape(fragment string) (string, error) { return url.PathUnescape(fragment) }

// object appends an object: the members that are described, in the order in which the
// schema describes them, then those that are only required, then as many more as there
// must be.
func (m *maker) object(all []int, depth int) {
	required := m.required(all)
	var names []string
	schemas := map[string][]int{}
	for _, s := range all {
		m.members(m.t.Member(s, "properties"), func(name string, v int) {
			if _, known := schemas[name]; !known {
				names = append(names, name)
			}
			schemas[name] = append(schemas[name], v)
		})
	}
	for _, name := range required {
		if _, known := schemas[name]; !known {
			names = append(names, name)
			schemas[name] = m.others(all, name)
		}
	}
	least, most := m.limit(all, "minProperties", 0), m.limit(all, "maxProperties", 1<<20)
	m.out = append(m.out, '{')
	written := 0
	write := func(name string, schemas []int) {
		if written++; written > 1 {
			m.out = append(m.out, ',')
		}
		m.out = append(jsontape.AppendQuoted(m.out, name), ':')
		m.value(schemas, depth+1, 0)
	}
	optional := most - len(required)
	for _, name := range names {
		if !slices.Contains(required, name) {
			wanted := !m.bare && depth < maxOptional || len(names) <= least
			if !wanted || optional <= 0 || m.impossible(schemas[name]) {
				continue
			}
			optional--
		}
		write(name, schemas[name])
	}
	for i := 1; written < least && i <= 2*least && !m.failed; i++ {
		if name := m.name(all, i); !slices.Contains(names, name) {
			names = append(names, name)
			write(name, m.others(all, name))
		}
	}
	m.out = append(m.out, '}')
}

// name is the ith name of a member that no keyword names: one that the schemas allow, if that can
// be told.
func (m *maker) name(all []int, i int) string {
	patterns := []string{}
	for _, s := range all {
		if v := m.t.Member(s, "propertyNames"); v > 0 {
			if p := m.t.Member(v, "pattern"); p > 0 && m.t.Tokens[p].Kind == jsontape.String {
				patterns = append(patterns, m.t.Str(p))
			}
		}
	}
	for _, s := range all {
		m.members(m.t.Member(s, "patternProperties"), func(pattern string, _ int) { patterns = append(patterns, pattern) })
	}
	for _, pattern := range patterns {
		if made, ok := matching(pattern, i-1, 1); ok && made != "" {
			return made
		}
	}
	return "key" + strconv.Itoa(i)
}

// members calls f for the members of the object at token v, if it is one.
func (m *maker) members(v int, f func(name string, value int)) {
	if v < 0 || m.t.Tokens[v].Kind != jsontape.Object {
		return
	}
	for i := v + 1; i < m.t.Next(v); i = m.t.Next(i + 1) {
		f(m.t.Str(i), i+1)
	}
}

// strings calls f for the strings in the array at token v, if it is one.
func (m *maker) strings(v int, f func(string)) {
	if v < 0 || m.t.Tokens[v].Kind != jsontape.Array {
		return
	}
	for i := v + 1; i < m.t.Next(v); i = m.t.Next(i) {
		if m.t.Tokens[i].Kind == jsontape.String {
			f(m.t.Str(i))
		}
	}
}

// required lists the members that have to be there, also because others are.
func (m *maker) required(all []int) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, s := range all {
		m.strings(m.t.Member(s, "required"), add)
	}
	for i := 0; i < len(names); i++ {
		for _, s := range all {
			for _, keyword := range []string{"dependentRequired", "dependencies"} {
				m.members(m.t.Member(s, keyword), func(name string, v int) {
					if name == names[i] {
						m.strings(v, add)
					}
				})
			}
		}
	}
	return names
}

// others lists the schemas for a member that has none of its own.
func (m *maker) others(all []int, name string) []int {
	var found []int
	for _, s := range all {
		matched := false
		m.members(m.t.Member(s, "patternProperties"), func(pattern string, v int) {
			if re, err := regexp.Compile(pattern); err == nil && re.MatchString(name) {
				matched = true
				found = append(found, v)
			}
		})
		if v := m.t.Member(s, "additionalProperties"); v > 0 && !matched && m.t.Tokens[v].Kind == jsontape.Object {
			found = append(found, v)
		}
	}
	return found
}

// impossible reports whether no value satisfies one of the schemas, plainly.
func (m *maker) impossible(schemas []int) bool {
	return slices.ContainsFunc(schemas, func(s int) bool { return m.t.Tokens[s].Kind == jsontape.False })
}

// array appends an array: what its first places are for, and as many items as there must
// be, or one where it may have one.
func (m *maker) array(all []int, depth int) {
	var places [][]int // by index, schemas of their own
	var rest, contains []int
	place := func(i, schema int) {
		for len(places) <= i {
			places = append(places, nil)
		}
		places[i] = append(places[i], schema)
	}
	for _, s := range all {
		for _, keyword := range []string{"prefixItems", "items"} {
			v := m.t.Member(s, keyword)
			if v < 0 {
				continue
			}
			if m.t.Tokens[v].Kind != jsontape.Array {
				rest = append(rest, v)
				continue
			}
			for i, n := v+1, 0; i < m.t.Next(v); i, n = m.t.Next(i), n+1 {
				place(n, i)
			}
		}
		if v := m.t.Member(s, "contains"); v > 0 {
			contains = append(contains, v)
		}
	}
	least, most := m.limit(all, "minItems", 0), m.limit(all, "maxItems", 1<<20)
	size := least
	if len(contains) > 0 {
		size = max(size, m.limit(all, "minContains", 1))
	}
	if !m.bare && depth < maxOptional {
		size = max(size, len(places))
		if !m.impossible(rest) {
			size = max(size, 1)
		}
	}
	size = min(size, most)
	m.out = append(m.out, '[')
	for i := range size {
		if i > 0 {
			m.out = append(m.out, ',')
		}
		schemas := slices.Clone(contains)
		if i < len(places) {
			schemas = append(schemas, places[i]...)
		} else {
			schemas = append(schemas, rest...)
		}
		m.value(schemas, depth+1, i)
		if m.failed {
			return
		}
	}
	m.out = append(m.out, ']')
}

// limit is the strictest limit of a keyword whose name begins with min or max.
func (m *maker) limit(all []int, keyword string, none int) int {
	limit := none
	for _, s := range all {
		v := m.t.Member(s, keyword)
		if v < 0 {
			continue
		}
		n, err := strconv.ParseFloat(string(m.t.Bytes(v)), 64)
		if err != nil || n > 1<<20 {
			n = 1 << 20
		}
		if keyword[:3] == "min" {
			limit = max(limit, int(n))
		} else {
			limit = min(limit, int(n))
		}
	}
	return limit
}
