package plan

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
)

// Prefix is the word that names everything generated from a file: the message's Go name, or
// the name of a shared file.
func Prefix(f *load.File) string { return f.GoPrefix() }

// nameFuncs names the functions and matchers after the place of their schema. Where two short
// names are equal, both get the keywords of the path added, and if that does not help, a hash
// of it: so a name depends on the schema and on what it clashes with, never on an order.
func nameFuncs(p *Plan) {
	styles := []func(*Func) string{
		func(f *Func) string { return f.verb() + shortName(f.Schema) },
		func(f *Func) string { return f.verb() + longName(f.Schema) },
		func(f *Func) string { return f.verb() + longName(f.Schema) + f.scope.words() },
		func(f *Func) string {
			return f.verb() + longName(f.Schema) + "_" + hash(f.Schema.Pointer+f.scope.key())
		},
	}
	taken := map[string]int{}
	for _, f := range p.Funcs {
		names := map[string]bool{}
		for _, style := range styles {
			names[style(f)] = true
		}
		for n := range names {
			taken[n]++
		}
	}
	for _, f := range p.Funcs {
		for _, style := range styles {
			if f.Name = style(f); taken[f.Name] == 1 {
				break
			}
		}
	}
	matchers := map[string]map[*Matcher]bool{}
	eachMatcher(p, func(m *Matcher) {
		n := shortName(m.Schema)
		if matchers[n] == nil {
			matchers[n] = map[*Matcher]bool{}
		}
		matchers[n][m] = true
	})
	eachMatcher(p, func(m *Matcher) {
		m.Name = "match" + shortName(m.Schema)
		if len(matchers[shortName(m.Schema)]) > 1 {
			// Several patterns of one schema: told apart by their text.
			m.Name += "_" + hash(m.Source)
		}
	})
}

func eachMatcher(p *Plan, visit func(*Matcher)) {
	for _, f := range p.Funcs {
		eachNode(f.Node, func(n *Node) {
			for _, c := range n.Checks {
				for _, u := range c.uses() {
					if u.matcher != nil {
						visit(u.matcher)
					}
				}
			}
		})
	}
}

// shortName leaves out the keywords that only lead to a name.
func shortName(s *load.Schema) string { return Prefix(s.File) + pathWords(s.Pointer, true) }

func longName(s *load.Schema) string { return Prefix(s.File) + pathWords(s.Pointer, false) }

// verb starts the name of a function: collect for one that notes what it evaluates.
func (f *Func) verb() string {
	switch f.Collect {
	case CollectMembers:
		return "collect"
	case CollectItems:
		return "collectItems"
	case CollectMembers | CollectItems:
		return "collectAll"
	}
	return "check"
}

// words names a scope by the places its anchors lead to.
func (sc scope) words() string {
	words := ""
	for _, b := range sc {
		words += "In" + shortName(b.schema)
	}
	return words
}

func hash(text string) string {
	h := fnv.New32a()
	h.Write([]byte(text))
	return fmt.Sprintf("%08x", h.Sum32())
}

// unescape decodes one step of a pointer (RFC 6901, section 4).
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// pathWords turns a pointer into words: "/properties/stage" into "Stage", "/items" into
// "Item", "/anyOf/0" into "AnyOf0".
func pathWords(pointer string, short bool) string {
	if pointer == "" {
		return ""
	}
	var b strings.Builder
	steps := strings.Split(pointer[1:], "/")
	for i := 0; i < len(steps); i++ {
		step := unescape.Replace(steps[i])
		switch k := load.Known(step); {
		case !short:
		case i+1 < len(steps) && (k.Go == load.GoDefinitions || k.Check == load.CheckProperties || k.Check == load.CheckPatterns):
			i++
			step = unescape.Replace(steps[i])
		case k.Check == load.CheckItems || k.Check == load.CheckPrefixItems:
			step = "Item"
		case k.Check == load.CheckOthers:
			step = "Value"
		}
		word := names.Exported(step)
		if digits(step) {
			word = step
		}
		b.WriteString(word)
	}
	return b.String()
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Matchers lists the patterns of the plan in the order of its functions, each once.
func (p *Plan) Matchers() []*Matcher {
	var list []*Matcher
	seen := map[*Matcher]bool{}
	eachMatcher(p, func(m *Matcher) {
		if !seen[m] {
			seen[m] = true
			list = append(list, m)
		}
	})
	return list
}

// ValueName names a package-level value that belongs to a location. The hash keeps apart the
// places whose words are the same.
func ValueName(word, location string) string {
	file, pointer, _ := strings.Cut(location, "#")
	words := names.Exported(strings.TrimSuffix(file, ".json"))
	if strings.HasPrefix(pointer, "/") {
		words += pathWords(pointer, true)
	}
	return word + words + "_" + hash(location)
}
