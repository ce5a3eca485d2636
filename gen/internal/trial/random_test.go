package trial

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// random makes schemas over all keywords, and documents that nearly fit them.
type random struct {
	*rand.Rand
	draft load.Draft
	defs  int // how many definitions the schema has
}

type object = map[string]any

func pick[T any](r *random, list ...T) T { return list[r.IntN(len(list))] }

func (r *random) chance(percent int) bool { return r.IntN(100) < percent }

func (r *random) name() string { return pick(r, "a", "b", "c", "d", "x-y", "é", "") }

func (r *random) number() json.Number {
	return json.Number(pick(r, "0", "1", "2", "3", "-1", "1.0", "0.5", "1.5", "10", "1e1", "0.01", "19.99", "9007199254740993", "9007199254740992", "-0", "2.50"))
}

func (r *random) text() string {
	return pick(r, "", "a", "ab", "abc", "b", "cab", "x-y", "é", "😀😀", "A1", "12", "a\n", "null", "1")
}

func (r *random) scalar() any {
	switch r.IntN(5) {
	case 0:
		return nil
	case 1:
		return r.chance(50)
	case 2:
		return r.text()
	}
	return r.number()
}

func (r *random) value(depth int) any {
	if depth <= 0 || r.chance(50) {
		return r.scalar()
	}
	if r.chance(50) {
		list := []any{}
		for range r.IntN(4) {
			list = append(list, r.value(depth-1))
		}
		return list
	}
	o := object{}
	for range r.IntN(4) {
		o[r.name()] = r.value(depth - 1)
	}
	return o
}

func (r *random) pattern() string {
	return pick(r, "^a", "b$", "^[a-c]+$", "a|b", "^x-", "[0-9]", "^.$", "^(a|b|c)$", "é", "^a*b*$", "^\\S+$")
}

// root makes a whole schema: definitions, and a root over them.
func (r *random) root() object {
	r.defs = r.IntN(4)
	s := r.object(3)
	defs := object{}
	for i := range r.defs {
		defs[fmt.Sprintf("d%d", i)] = r.schema(2)
	}
	if r.defs > 0 {
		keyword := "$defs"
		if r.draft < load.Draft2019 {
			keyword = "definitions"
		}
		s[keyword] = defs
	}
	if r.draft < load.Draft2019 && s["$ref"] != nil {
		return object{"$ref": s["$ref"], "definitions": defs}
	}
	if r.draft == load.Draft2020 && r.chance(30) {
		s["$dynamicAnchor"] = "node"
	}
	if r.draft == load.Draft2019 && r.chance(30) {
		s["$recursiveAnchor"] = true
	}
	return s
}

func (r *random) schema(depth int) any {
	if r.draft > load.Draft4 && r.chance(8) {
		return r.chance(70)
	}
	return r.object(depth)
}

// object makes an object schema of a few keywords.
func (r *random) object(depth int) object {
	s := object{}
	for range 1 + r.IntN(4) {
		r.keyword(s, depth)
	}
	if ref, ok := s["$ref"]; ok && r.draft < load.Draft2019 {
		// Nothing beside it counts. The interpreter looks at const, contains, propertyNames and
		// if all the same; a table of gen/internal/plan has that case.
		return object{"$ref": ref}
	}
	return s
}

func (r *random) schemas(depth int) []any {
	var list []any
	for range 1 + r.IntN(3) {
		list = append(list, r.schema(depth))
	}
	return list
}

func (r *random) schemaMap(depth int, key func() string) object {
	o := object{}
	for range 1 + r.IntN(3) {
		o[key()] = r.schema(depth)
	}
	return o
}

func (r *random) names() []any {
	set := map[string]bool{}
	list := []any{}
	for range 1 + r.IntN(2) {
		if n := r.name(); !set[n] {
			set[n] = true
			list = append(list, n)
		}
	}
	return list
}

func (r *random) types() any {
	names := []string{"null", "boolean", "integer", "number", "string", "array", "object"}
	if r.chance(60) {
		return pick(r, names...)
	}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:1+r.IntN(3)]
}

// keyword adds one keyword, or some that belong together.
func (r *random) keyword(s object, depth int) {
	if depth <= 0 || r.chance(40) {
		r.assertion(s)
		return
	}
	depth--
	switch r.IntN(22) {
	case 0, 1, 2:
		s["properties"] = r.schemaMap(depth, r.name)
	case 3:
		s["patternProperties"] = r.schemaMap(depth, r.pattern)
	case 4:
		s["additionalProperties"] = r.schema(depth)
		if r.draft == load.Draft4 && r.chance(50) {
			s["additionalProperties"] = false
		}
	case 5, 6:
		s["items"] = r.schema(depth)
		if r.draft < load.Draft2020 && r.chance(40) {
			s["items"], s["additionalItems"] = r.schemas(depth), r.schema(depth)
		}
	case 7:
		if r.draft == load.Draft2020 {
			s["prefixItems"] = r.schemas(depth)
		}
	case 8:
		if r.draft >= load.Draft6 {
			s["contains"] = r.schema(depth)
		}
		if r.draft >= load.Draft2019 && r.chance(50) {
			s["minContains"], s["maxContains"] = r.IntN(3), r.IntN(4)
		}
	case 9:
		if r.draft >= load.Draft6 {
			s["propertyNames"] = r.schema(0)
		}
	case 10:
		s["allOf"] = r.schemas(depth)
	case 11, 12:
		s["anyOf"] = r.schemas(depth)
	case 13:
		s["oneOf"] = r.schemas(depth)
	case 14:
		s["not"] = r.schema(depth)
	case 15:
		if r.draft >= load.Draft7 {
			s["if"], s["then"], s["else"] = r.schema(depth), r.schema(depth), r.schema(depth)
		}
	case 16:
		r.dependency(s, depth)
	case 17, 18:
		r.reference(s)
	case 19, 20:
		if r.draft >= load.Draft2019 {
			s["unevaluatedProperties"] = r.schema(depth)
			if r.chance(60) {
				s["unevaluatedProperties"] = false
			}
		}
	case 21:
		if r.draft >= load.Draft2019 {
			s["unevaluatedItems"] = r.schema(depth)
			if r.chance(60) {
				s["unevaluatedItems"] = false
			}
		}
	}
}

func (r *random) dependency(s object, depth int) {
	switch {
	case r.draft < load.Draft2019 && r.chance(50):
		s["dependencies"] = object{r.name(): r.names()}
	case r.draft < load.Draft2019:
		s["dependencies"] = object{r.name(): r.schema(depth)}
	case r.chance(50):
		s["dependentRequired"] = object{r.name(): r.names()}
	default:
		s["dependentSchemas"] = object{r.name(): r.schema(depth)}
	}
}

func (r *random) reference(s object) {
	switch {
	case r.draft == load.Draft2020 && r.chance(20):
		s["$dynamicRef"] = "#"
	case r.draft == load.Draft2019 && r.chance(20):
		s["$recursiveRef"] = "#"
	case r.defs == 0 || r.chance(20):
		s["$ref"] = "#"
	case r.draft < load.Draft2019:
		s["$ref"] = fmt.Sprintf("#/definitions/d%d", r.IntN(r.defs))
	default:
		s["$ref"] = fmt.Sprintf("#/$defs/d%d", r.IntN(r.defs))
	}
}

func (r *random) assertion(s object) {
	switch r.IntN(14) {
	case 0, 1, 2:
		s["type"] = r.types()
	case 3:
		list := []any{}
		for range 1 + r.IntN(3) {
			v := r.value(1)
			same := func(other any) bool { return text(other) == text(v) }
			if !slices.ContainsFunc(list, same) {
				list = append(list, v)
			}
		}
		s["enum"] = list
	case 4:
		if r.draft >= load.Draft6 {
			s["const"] = r.value(1)
		}
	case 5:
		s[pick(r, "minimum", "maximum")] = r.number()
	case 6:
		keyword := pick(r, "Minimum", "Maximum")
		if r.draft == load.Draft4 {
			s[strings.ToLower(keyword)], s["exclusive"+keyword] = r.number(), r.chance(70)
		} else {
			s["exclusive"+keyword] = r.number()
		}
	case 7:
		s["multipleOf"] = json.Number(pick(r, "1", "2", "3", "0.5", "0.01", "1e1", "1.5"))
	case 8:
		s[pick(r, "minLength", "maxLength")] = r.IntN(4)
	case 9:
		s["pattern"] = r.pattern()
	case 10:
		s[pick(r, "minItems", "maxItems")] = r.IntN(4)
	case 11:
		s["uniqueItems"] = r.chance(80)
	case 12:
		s[pick(r, "minProperties", "maxProperties")] = r.IntN(4)
	case 13:
		s["required"] = r.names()
	}
}

// text is the JSON text of a value made of what encoding/json takes.
func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error() // no JSON: whoever reads it says so
	}
	return string(data)
}

// document makes a value that tries to satisfy a schema, and then perhaps damages it.
func (r *random) document(root object) any {
	v := r.fit(root, root, 5)
	for range r.IntN(3) {
		v = r.damage(v)
	}
	return v
}

func (r *random) fit(schema any, root object, depth int) any {
	s, ok := schema.(object)
	if !ok || depth <= 0 {
		return r.value(2)
	}
	if v, ok := s["const"]; ok {
		return v
	}
	if list, ok := s["enum"].([]any); ok {
		return pick(r, list...)
	}
	for _, keyword := range []string{"$ref", "allOf", "anyOf", "oneOf", "then"} {
		if s[keyword] == nil || !r.chance(50) {
			continue
		}
		switch sub := s[keyword].(type) {
		case []any:
			return r.fit(pick(r, sub...), root, depth-1)
		case string:
			target := any(root)
			for _, step := range strings.Split(sub, "/")[1:] {
				target = target.(object)[step]
			}
			return r.fit(target, root, depth-1)
		default:
			return r.fit(sub, root, depth-1)
		}
	}
	kind := ""
	switch t := s["type"].(type) {
	case string:
		kind = t
	case []string:
		kind = pick(r, t...)
	default:
		kind = r.guess(s)
	}
	switch kind {
	case "object":
		return r.fitObject(s, root, depth)
	case "array":
		return r.fitArray(s, root, depth)
	case "string":
		return r.text()
	case "integer", "number":
		return r.number()
	case "boolean":
		return r.chance(50)
	case "null":
		return nil
	}
	return r.value(2)
}

// guess picks a type that the keywords of a schema look at.
func (r *random) guess(s object) string {
	for _, keyword := range []string{"properties", "required", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames", "minProperties", "dependentRequired", "dependencies"} {
		if s[keyword] != nil {
			return "object"
		}
	}
	for _, keyword := range []string{"items", "prefixItems", "contains", "uniqueItems", "minItems", "unevaluatedItems"} {
		if s[keyword] != nil {
			return "array"
		}
	}
	if r.chance(30) {
		return pick(r, "object", "array")
	}
	return ""
}

func (r *random) fitObject(s, root object, depth int) any {
	o := object{}
	if properties, ok := s["properties"].(object); ok {
		for name, sub := range properties {
			if r.chance(75) {
				o[name] = r.fit(sub, root, depth-1)
			}
		}
	}
	if names, ok := s["required"].([]any); ok {
		for _, name := range names {
			if _, there := o[name.(string)]; !there {
				o[name.(string)] = r.value(1)
			}
		}
	}
	for range r.IntN(3) {
		name := r.name()
		if _, there := o[name]; !there {
			o[name] = r.fit(s["additionalProperties"], root, depth-1)
		}
	}
	return o
}

func (r *random) fitArray(s, root object, depth int) any {
	list := []any{}
	prefix, _ := s["prefixItems"].([]any)
	rest := s["items"]
	if tuple, ok := rest.([]any); ok {
		prefix, rest = tuple, s["additionalItems"]
	}
	for _, sub := range prefix {
		list = append(list, r.fit(sub, root, depth-1))
	}
	for range r.IntN(3) {
		sub := rest
		if s["contains"] != nil && r.chance(50) {
			sub = s["contains"]
		}
		list = append(list, r.fit(sub, root, depth-1))
	}
	return list
}

// damage changes one place of a value.
func (r *random) damage(v any) any {
	if r.chance(30) {
		return r.value(2)
	}
	switch v := v.(type) {
	case []any:
		if len(v) == 0 || r.chance(30) {
			return append(slices.Clone(v), r.value(1))
		}
		list := slices.Clone(v)
		i := r.IntN(len(list))
		if r.chance(30) {
			return slices.Delete(list, i, i+1)
		}
		list[i] = r.damage(list[i])
		return list
	case object:
		o := object{}
		for name, member := range v {
			switch {
			case r.chance(15):
			case r.chance(30):
				o[name] = r.damage(member)
			default:
				o[name] = member
			}
		}
		if r.chance(30) {
			o[r.name()] = r.value(1)
		}
		return o
	}
	return r.scalar()
}
