package load

import (
	"cmp"
	"slices"
)

// Shape says where the subschemas of a keyword are.
type Shape uint8

// The shapes of keyword values.
const (
	Value        Shape = iota // no subschema
	One                       // a schema
	List                      // an array of schemas
	Map                       // an object of schemas
	OneOrList                 // a schema or an array of schemas: items before 2020-12
	Dependencies              // an object of schemas or lists of names
	Reference                 // a URI reference to a schema
)

// Spec describes a keyword.
type Spec struct {
	Name     string
	From, To Draft // the drafts that define it
	Vocab    Vocabulary
	Shape    Shape
}

// specs is every keyword that has a meaning in some draft, sorted by name. What is not here
// is an unknown keyword and therefore an annotation, as the specification says. A test walks
// the meta-schemas and fails when one of their keywords is missing.
var specs = []Spec{
	{"$anchor", Draft2019, Draft2020, Core, Value},
	{"$comment", Draft7, Draft2020, Annotations, Value},
	{"$defs", Draft2019, Draft2020, Core, Map},
	{"$dynamicAnchor", Draft2020, Draft2020, Core, Value},
	{"$dynamicRef", Draft2020, Draft2020, Core, Reference},
	{"$id", Draft6, Draft2020, Core, Value},
	{"$recursiveAnchor", Draft2019, Draft2019, Core, Value},
	{"$recursiveRef", Draft2019, Draft2019, Core, Reference},
	{"$ref", Draft4, Draft2020, Core, Reference},
	{"$schema", Draft4, Draft2020, Core, Value},
	{"$vocabulary", Draft2019, Draft2020, Core, Value},
	{"additionalItems", Draft4, Draft2019, Applicators, One},
	{"additionalProperties", Draft4, Draft2020, Applicators, One},
	{"allOf", Draft4, Draft2020, Applicators, List},
	{"anyOf", Draft4, Draft2020, Applicators, List},
	{"const", Draft6, Draft2020, Validation, Value},
	{"contains", Draft6, Draft2020, Applicators, One},
	{"contentEncoding", Draft7, Draft2020, Annotations, Value},
	{"contentMediaType", Draft7, Draft2020, Annotations, Value},
	{"contentSchema", Draft2019, Draft2020, Annotations, One},
	{"default", Draft4, Draft2020, Annotations, Value},
	{"definitions", Draft4, Draft2020, Core, Map},
	// dependencies is gone since 2019-09, but its meaning there is agreed on: the official
	// suite tests it as an optional keyword of the later drafts.
	{"dependencies", Draft4, Draft2020, Applicators, Dependencies},
	{"dependentRequired", Draft2019, Draft2020, Validation, Value},
	{"dependentSchemas", Draft2019, Draft2020, Applicators, Map},
	{"deprecated", Draft2019, Draft2020, Annotations, Value},
	{"description", Draft4, Draft2020, Annotations, Value},
	{"else", Draft7, Draft2020, Applicators, One},
	{"enum", Draft4, Draft2020, Validation, Value},
	{"examples", Draft6, Draft2020, Annotations, Value},
	{"exclusiveMaximum", Draft4, Draft2020, Validation, Value},
	{"exclusiveMinimum", Draft4, Draft2020, Validation, Value},
	// format is a group of its own: whether it asserts is the caller's choice.
	{"format", Draft4, Draft2020, Core, Value},
	{"id", Draft4, Draft4, Core, Value},
	{"if", Draft7, Draft2020, Applicators, One},
	{"items", Draft4, Draft2020, Applicators, OneOrList},
	{"maxContains", Draft2019, Draft2020, Validation, Value},
	{"maxItems", Draft4, Draft2020, Validation, Value},
	{"maxLength", Draft4, Draft2020, Validation, Value},
	{"maxProperties", Draft4, Draft2020, Validation, Value},
	{"maximum", Draft4, Draft2020, Validation, Value},
	{"minContains", Draft2019, Draft2020, Validation, Value},
	{"minItems", Draft4, Draft2020, Validation, Value},
	{"minLength", Draft4, Draft2020, Validation, Value},
	{"minProperties", Draft4, Draft2020, Validation, Value},
	{"minimum", Draft4, Draft2020, Validation, Value},
	{"multipleOf", Draft4, Draft2020, Validation, Value},
	{"not", Draft4, Draft2020, Applicators, One},
	{"oneOf", Draft4, Draft2020, Applicators, List},
	{"pattern", Draft4, Draft2020, Validation, Value},
	{"patternProperties", Draft4, Draft2020, Applicators, Map},
	{"prefixItems", Draft2020, Draft2020, Applicators, List},
	{"properties", Draft4, Draft2020, Applicators, Map},
	{"propertyNames", Draft6, Draft2020, Applicators, One},
	{"readOnly", Draft4, Draft2020, Annotations, Value},
	{"required", Draft4, Draft2020, Validation, Value},
	{"then", Draft7, Draft2020, Applicators, One},
	{"title", Draft4, Draft2020, Annotations, Value},
	{"type", Draft4, Draft2020, Validation, Value},
	{"unevaluatedItems", Draft2019, Draft2020, Unevaluated, One},
	{"unevaluatedProperties", Draft2019, Draft2020, Unevaluated, One},
	{"uniqueItems", Draft4, Draft2020, Validation, Value},
	{"writeOnly", Draft7, Draft2020, Annotations, Value},
}

// spec finds the keyword name as the dialect knows it; false means unknown in this dialect.
func (d Dialect) spec(name string) (Spec, bool) {
	i, found := slices.BinarySearchFunc(specs, name, func(s Spec, name string) int { return cmp.Compare(s.Name, name) })
	if !found {
		return Spec{}, false
	}
	s := specs[i]
	if d.Draft < s.From || d.Draft > s.To || d.Vocab&s.Vocab == 0 {
		return Spec{}, false
	}
	return s, true
}

// idKeyword is the keyword that gives a schema its URI.
func (d Draft) idKeyword() string {
	if d == Draft4 {
		return "id"
	}
	return "$id"
}
