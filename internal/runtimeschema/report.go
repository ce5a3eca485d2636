package runtimeschema

import (
	"encoding/json"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// report tells the faults that the library has found, in the words of compiled schemas.
type report struct {
	*Check
	c    *jsonrt.Checker
	root int // the token of the value that was checked
	// What a value holds, by its token: a large one may have a fault in each of its parts.
	names map[int]map[string]int // the tokens of the names of an object's members
	items map[int][]int          // the tokens of an array's items
}

// tell tells a fault, or those that it is made of. near is the token of a value that it is in.
func (r *report) tell(e *jsonschema.ValidationError, near int) bool {
	c := r.c
	v := r.locate(e.InstanceLocation, near)
	at := location(e.SchemaURL)
	fail := func(keyword, message string) bool { return c.Fail(v, at, keyword, message) }
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, cause := range e.Causes {
			if !r.tell(cause, v) {
				return false
			}
		}
		return true
	case *kind.AnyOf:
		return r.union(e, v, at, "anyOf")
	case *kind.OneOf:
		if k.Subschemas == nil {
			return r.union(e, v, at, "oneOf")
		}
		return fail("oneOf", "matches more than one of the "+r.count(at, "oneOf")+"forms allowed here; exactly one is wanted")
	case *kind.Not:
		return fail("not", `has the form that is forbidden here (see the schema's "not")`)
	case *kind.FalseSchema:
		parent, last := cutLast(at)
		if keyword := last; slices.Contains([]string{"additionalProperties", "unevaluatedProperties", "items", "additionalItems", "unevaluatedItems", "propertyNames"}, keyword) {
			return c.Fail(v, parent, keyword, "is not allowed here")
		}
		return fail("", "is not allowed here")
	case *kind.Type:
		return fail("type", "must be "+either(k.Want))
	case *kind.Enum:
		return r.notOneOf(v, at, "enum", k.Want)
	case *kind.Const:
		return r.notOneOf(v, at, "const", []any{k.Want})
	case *kind.Required:
		return r.each(k.Missing, func(name string) bool { return c.Missing(v, at, name) })
	case *kind.Dependency:
		return r.each(k.Missing, func(name string) bool { return c.Depends(v, at, "dependencies", k.Prop, name) })
	case *kind.DependentRequired:
		return r.each(k.Missing, func(name string) bool { return c.Depends(v, at, "dependentRequired", k.Prop, name) })
	case *kind.AdditionalProperties:
		return r.each(k.Properties, func(name string) bool {
			return c.Unknown(r.member(v, name), at, "additionalProperties", r.known(at)...)
		})
	case *kind.PropertyNames:
		return c.Fail(r.member(v, k.Property), at, "propertyNames", "has a name that is not allowed here")
	}
	return fail(keywordOf(e), wordsOf(e))
}

func (r *report) each(names []string, tell func(string) bool) bool {
	for _, name := range names {
		if !tell(name) {
			return false
		}
	}
	return true
}

// union tells that none of the branches of anyOf or oneOf fits.
func (r *report) union(e *jsonschema.ValidationError, v int, at, keyword string) bool {
	branches := make([]jsonrt.CheckFunc, len(e.Causes))
	for i, cause := range e.Causes {
		branches[i] = func(*jsonrt.Checker, int) bool { return r.tell(cause, v) }
	}
	return r.c.Union(v, at, keyword, branches...)
}

// notOneOf tells which values are wanted.
func (r *report) notOneOf(v int, at, keyword string, want []any) bool {
	var names, texts []string
	for _, value := range want {
		if name, ok := value.(string); ok {
			names = append(names, name)
		}
		text, _ := json.Marshal(value) // it was read from JSON
		texts = append(texts, string(text))
	}
	if len(names) == len(want) {
		return r.c.NotOneOf(v, at, keyword, names...)
	}
	return r.c.NotOneOfJSON(v, at, keyword, texts...)
}

// locate is the token of the value at a place, or near where there is none.
func (r *report) locate(path []string, near int) int {
	c, v := r.c, r.root
	for _, name := range path {
		switch c.Kind(v) {
		case jsontape.Object:
			i := r.member(v, name)
			if i == v {
				return near
			}
			v = i + 1
		case jsontape.Array:
			items := r.itemsOf(v)
			n, err := strconv.Atoi(name)
			if err != nil || n >= len(items) {
				return near
			}
			v = items[n]
		case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Number, jsontape.String:
			return near
		}
	}
	return v
}

// member is the token of a member's name, that of the object where there is none.
func (r *report) member(obj int, name string) int {
	names := r.names[obj]
	if names == nil {
		names = make(map[string]int, r.c.Len(obj))
		for i, end := obj+1, r.c.Next(obj); i < end; i = r.c.Next(i + 1) {
			names[r.c.Name(i)] = i
		}
		r.names[obj] = names
	}
	if i, found := names[name]; found {
		return i
	}
	return obj
}

// itemsOf are the tokens of an array's items.
func (r *report) itemsOf(array int) []int {
	items := r.items[array]
	if items == nil {
		for i, end := array+1, r.c.Next(array); i < end; i = r.c.Next(i) {
			items = append(items, i)
		}
		r.items[array] = items
	}
	return items
}

// known are the names of the properties of the schema at a location.
func (r *report) known(at string) []string {
	schema := Find(r.tape, at)
	if schema < 0 {
		return nil
	}
	i := r.tape.Member(schema, "properties")
	if i < 0 || r.tape.Tokens[i].Kind != jsontape.Object {
		return nil
	}
	var names []string
	for n := i + 1; n < r.tape.Next(i); n = r.tape.Next(n + 1) {
		names = append(names, r.tape.Str(n))
	}
	return names
}

// count words how many branches a union has: "3 ", "" where that can't be told.
func (r *report) count(at, keyword string) string {
	if schema := Find(r.tape, at); schema >= 0 {
		if i := r.tape.Member(schema, keyword); i > 0 {
			return strconv.Itoa(r.tape.Len(i)) + " "
		}
	}
	return ""
}

// Find is the token of the schema that a reference to a place in this text leads to, -1 if there
// is none.
func Find(t *jsontape.Tape, reference string) int {
	fragment, ok := strings.CutPrefix(reference, "#")
	if !ok {
		return -1
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return -1
	}
	return t.Lookup(pointer)
}

// location is the location that a URL of the library leads to: "#/properties/a".
func location(at string) string {
	_, fragment, _ := strings.Cut(at, "#")
	if pointer, err := url.PathUnescape(fragment); err == nil {
		fragment = pointer
	}
	return "#" + fragment
}

// cutLast parts a location from its last name.
func cutLast(at string) (parent, last string) {
	i := strings.LastIndexByte(at, '/')
	if i < 0 {
		return at, ""
	}
	return at[:i], at[i+1:]
}

// deepest is the fault that says most about a schema which is none: the one that lies deepest.
func deepest(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	best := e
	for _, cause := range e.Causes {
		if d := deepest(cause); len(best.Causes) > 0 || len(d.InstanceLocation) > len(best.InstanceLocation) {
			best = d
		}
	}
	return best
}

// pointerOf is the pointer to a place.
func pointerOf(path []string) string {
	var pointer []byte
	for _, name := range path {
		pointer = jsontape.AppendPointerToken(pointer, name)
	}
	return string(pointer)
}

// keywordOf is the keyword that a fault belongs to.
func keywordOf(e *jsonschema.ValidationError) string {
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		return path[0]
	}
	return ""
}

// wordsOf says what is wrong with a value, for faults that are about nothing else.
func wordsOf(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return "must be " + either(k.Want)
	case *kind.Enum:
		return "must be one of " + texts(k.Want)
	case *kind.Const:
		return "must be " + texts([]any{k.Want})
	case *kind.Required:
		return "lacks " + strings.Join(k.Missing, ", ")
	case *kind.AdditionalProperties:
		return "has members that are not allowed: " + strings.Join(k.Properties, ", ")
	case *kind.Minimum:
		return "must be at least " + decimal(k.Want)
	case *kind.Maximum:
		return "must be at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be greater than " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + decimal(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + decimal(k.Want)
	case *kind.MinLength:
		return atLeast(k.Want, "character", "characters")
	case *kind.MaxLength:
		return atMost(k.Want, "character", "characters")
	case *kind.MinItems:
		return atLeast(k.Want, "item", "items")
	case *kind.MaxItems:
		return atMost(k.Want, "item", "items")
	case *kind.MinProperties:
		return atLeast(k.Want, "member", "members")
	case *kind.MaxProperties:
		return atMost(k.Want, "member", "members")
	case *kind.Pattern:
		return "must match the pattern " + k.Want
	case *kind.Format:
		return "must be " + formatName(k.Want)
	case *kind.UniqueItems:
		return "must not hold equal items, but items " + strconv.Itoa(k.Duplicates[0]) + " and " + strconv.Itoa(k.Duplicates[1]) + " are equal"
	case *kind.AdditionalItems:
		return "has more items than are allowed: " + strconv.Itoa(k.Count) + " too many"
	case *kind.Contains:
		return "must contain at least 1 item of the form that contains describes"
	case *kind.MinContains:
		return "must contain at least " + plural(k.Want, "item", "items") + " of the form that contains describes"
	case *kind.MaxContains:
		return "must contain at most " + plural(k.Want, "item", "items") + " of the form that contains describes"
	case *kind.RefCycle:
		return "can't be checked: the schema refers to itself without end"
	}
	return "does not satisfy the schema"
}

func atLeast(n int, one, many string) string {
	if n == 1 {
		return "must not be empty"
	}
	return "must have at least " + plural(n, one, many)
}

func atMost(n int, one, many string) string {
	if n == 0 {
		return "must be empty"
	}
	return "must have at most " + plural(n, one, many)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// either joins the words of a list by "or".
func either(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

func texts(values []any) string {
	list := make([]string, len(values))
	for i, v := range values {
		text, _ := json.Marshal(v) // it was read from JSON
		list[i] = string(text)
	}
	return strings.Join(list, ", ")
}

// decimal writes a number that was read from a decimal.
func decimal(n *big.Rat) string {
	digits, _ := n.FloatPrec()
	return n.FloatString(digits)
}
