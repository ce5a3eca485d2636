package bundle

import (
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// What the APIs of models take is draft 2020-12 without composition at the root (package
// modelapi). A tool's input schema is the bundle in that form: keywords of older drafts become
// their successors, and what stands at the root in anyOf, oneOf, allOf, $ref, enum or not
// becomes properties as far as it can. It then allows more than the schema, never less, and
// says so; the server checks every payload against the schema itself.

// anyObject is the input schema where there is no better one.
const anyObject = `{"type":"object","properties":{},"$comment":"This schema can't be told in the form that tools are described in; get_schema has it."}`

// simplified is added to the description of an input schema that allows more than its schema.
const simplified = "This input schema is simplified: get_schema has the whole schema, which the server checks."

// Keywords by what they do.
var (
	identifies   = []string{"$schema", "$id", "id", "$anchor", "$vocabulary", "$recursiveAnchor"}
	compositions = []string{"allOf", "anyOf", "oneOf", "$ref", "enum", "const", "not"}
)

// toolText is the input schema that the text of a bundle in this draft becomes, and "" where the
// text is one.
func toolText(text string, draft load.Draft) string {
	if draft == load.Draft3 {
		return anyObject
	}
	var t jsontape.Tape
	if t.Parse([]byte(text), jsontape.Options{}) != nil {
		return anyObject
	}
	old := tree(&t, 0)
	m := modern{draft: draft, counts: strings.Contains(text, `"unevaluatedItems"`), loose: looksAround(old) && !refersBelow(old, positive)}
	root, ok := m.schema(old, positive).(*object)
	if !ok || m.beyond {
		return anyObject
	}
	m.flatten(root)
	m.spread(root)
	rename(root)
	for _, ref := range m.refs(root, nil) {
		if _, ok := at(root, ref); !ok || m.flat && ref == `"#"` {
			return anyObject
		}
	}
	var before, after strings.Builder
	print(&before, old)
	print(&after, root)
	if before.String() == after.String() {
		return ""
	}
	return after.String()
}

// modern makes draft 2020-12 of a schema.
type modern struct {
	draft  load.Draft
	weaker bool // the result allows more
	flat   bool // compositions at the root are gone
	counts bool // some schema asks which elements others have looked at
	loose  bool // schemas in positive places may allow more, as some have a pattern that must go
	beyond bool // some schema has a keyword that draft 2020-12 does not have
	looked int  // how many schemas fields has looked at
}

// place says what becomes of the whole where a schema in it allows more.
type place bool

// Places.
const (
	positive place = true  // the whole allows more, or the same
	other    place = false // the whole may allow less
)

// below is the place of what a keyword holds. That oneOf is a positive one holds where it
// becomes anyOf.
func (p place) below(keyword string) place {
	return p && !place(slices.Contains([]string{"not", "if", "contains"}, keyword))
}

// refersBelow reports whether a reference stands in another place than a positive one: what
// it refers to does, too.
func refersBelow(v any, p place) bool {
	return somewhere(v, p, func(o *object, p place) bool {
		return p == other && slices.ContainsFunc([]string{"$ref", "$dynamicRef", "$recursiveRef"}, func(k string) bool { return o.values[k] != nil })
	})
}

// looksAround reports whether a pattern stands in a positive place that OpenAI's API refuses,
// and the request with it.
func looksAround(v any) bool {
	return somewhere(v, positive, func(o *object, p place) bool { return p == positive && isLookAround(o.values["pattern"]) })
}

func isLookAround(value any) bool {
	text, ok := value.(raw)
	return ok && text[0] == '"' && modelapi.LooksAround(string(jsontape.AppendUnquoted(nil, []byte(text))))
}

// somewhere reports whether it holds for an object in a value.
func somewhere(v any, p place, holds func(*object, place) bool) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return somewhere(e, p, holds) })
	case *object:
		return holds(v, p) || slices.ContainsFunc(v.names, func(n string) bool { return somewhere(v.values[n], p.below(n), holds) })
	}
	return false
}

// schema is a schema in draft 2020-12.
func (m *modern) schema(v any, at place) any {
	old, ok := v.(*object)
	if !ok {
		return v
	}
	out := newObject()
	_, ref := old.values["$ref"]
	for _, name := range old.names {
		value := old.values[name]
		_, text := value.(raw)
		shape := load.Known(name).Shape
		switch {
		case isLater(name, m.draft): // a member without meaning
		case isLater(name, load.Draft2020):
			m.beyond = true
		case text && slices.Contains(identifies, name):
		case ref && m.draft <= load.Draft7 && name != "$ref" && name != "definitions":
		case name == "$recursiveRef":
			out.set("$ref", value)
		case (name == "exclusiveMinimum" || name == "exclusiveMaximum") && isBoolean(value):
		case name == "minimum" && old.values["exclusiveMinimum"] == raw("true"):
			out.set("exclusiveMinimum", value)
		case name == "maximum" && old.values["exclusiveMaximum"] == raw("true"):
			out.set("exclusiveMaximum", value)
		case old.draft3(name):
			m.beyond = true
		case name == "items" && old.list("items") != nil:
			if list := old.list("items"); len(list) > 0 {
				out.set("prefixItems", m.schemas(list, at.below(name)))
			}
			if rest, ok := old.values["additionalItems"]; ok {
				out.set("items", m.schema(rest, at.below(name)))
			}
		case name == "additionalItems" && (m.draft < load.Draft2020 || old.list("items") != nil):
		case name == "dependencies" && m.draft <= load.Draft7 && old.sub(name) != nil:
			m.dependencies(out, old.sub(name), at.below(name))
		case shape == load.Map && old.sub(name) != nil:
			out.set(name, m.members(old.sub(name), at.below(name)))
		case name == "oneOf" && m.loose && at == positive && old.list(name) != nil:
			m.weaker = true
			some := newObject()
			some.set("anyOf", m.schemas(old.list(name), at))
			out.set("allOf", append(slices.Clone(out.list("allOf")), some))
		case name == "allOf" && old.list(name) != nil:
			out.set(name, append(slices.Clone(out.list(name)), m.schemas(old.list(name), at)...))
		case shape == load.List && old.list(name) != nil:
			out.set(name, m.schemas(old.list(name), at.below(name)))
		case shape == load.One:
			out.set(name, m.schema(value, at.below(name)))
		case name == "pattern" && m.loose && at == positive && isLookAround(value):
			m.weaker = true
		default:
			out.set(name, value)
		}
	}
	m.items(out)
	return out
}

// draft3 reports whether a member has a form that only draft 3 has, but which the compiler reads as
// it does there in every draft (load.Keyword.Form).
func (o *object) draft3(name string) bool {
	switch name {
	case "required":
		return isBoolean(o.values[name])
	case "type":
		return slices.ContainsFunc(o.list(name), func(v any) bool { _, is := v.(*object); return is })
	case "dependencies":
		return o.sub(name) != nil && slices.ContainsFunc(o.sub(name).names, func(n string) bool {
			text, is := o.sub(name).values[n].(raw)
			return is && text[0] == '"'
		})
	}
	return false
}

func isBoolean(v any) bool { return v == raw("true") || v == raw("false") }

// isLater reports whether what checks something in later drafts does not in this one.
func isLater(keyword string, draft load.Draft) bool {
	rows := load.Rows(keyword)
	return len(rows) > 0 && rows[0].Applies() && draft < rows[0].From
}

// items gives an array the items that APIs ask for where it says nothing of them, and says
// "none" by a schema that is an object.
func (m *modern) items(s *object) {
	value, has := s.values["items"]
	switch {
	case has && value == raw("false"):
		none := newObject()
		none.set("not", newObject())
		s.set("items", none)
	case !has && !m.counts && allowsArray(s):
		s.set("items", newObject())
	}
}

// allowsArray reports whether a schema's type names arrays.
func allowsArray(s *object) bool {
	return s.values["type"] == raw(`"array"`) || slices.Contains(s.list("type"), any(raw(`"array"`)))
}

func (m *modern) schemas(list []any, at place) []any {
	out := make([]any, 0, len(list))
	for _, s := range list {
		out = append(out, m.schema(s, at))
	}
	return out
}

func (m *modern) members(old *object, at place) *object {
	out := newObject()
	for _, name := range old.names {
		out.set(name, m.schema(old.values[name], at))
	}
	return out
}

// dependencies become dependentRequired and dependentSchemas (2019-09).
func (m *modern) dependencies(out, old *object, at place) {
	for _, name := range old.names {
		into, value := "dependentSchemas", m.schema(old.values[name], at)
		if old.list(name) != nil {
			into, value = "dependentRequired", old.values[name]
		}
		if out.sub(into) == nil {
			out.set(into, newObject())
		}
		out.sub(into).set(name, value)
	}
}
