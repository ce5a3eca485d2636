package load

import "slices"

// Spec is one row of the table of keywords: all that a keyword is.
type Spec struct {
	Name string
	// From and To are the drafts in which the row holds. To is open where the keyword lives on.
	From, To Draft
	Vocab    Vocabulary
	Shape    Shape
	// Beside is the keyword without which this one says nothing; "" where it stands for itself.
	Beside string
	Check  Check
	Go     Go
}

// open is the end of a row that holds in the latest draft and, until somebody says otherwise, in
// those to come.
const open Draft = 0

// specs is every keyword that has a meaning in some draft, sorted by name, then by draft where
// a keyword has changed its meaning. What is not here is an unknown keyword and therefore an
// annotation, as the specification says. A test walks the meta-schemas and fails when one of
// their keywords is missing.
//
// A keyword that means what another one does is a row and nothing else. A new meaning is a
// value of Check, which gen/internal/plan has a function for, or of Go, which gen/internal/types
// reads.
var specs = []Spec{
	{"$anchor", Draft2019, open, Core, Text, "", NoCheck, NoGo},
	{"$comment", Draft7, open, Annotations, Text, "", NoCheck, NoGo},
	// Older drafts have definitions, but people write $defs there too, and mean this.
	{"$defs", Draft3, open, Core, Map, "", NoCheck, GoDefinitions},
	{"$dynamicAnchor", Draft2020, open, Core, Text, "", CheckAnchor, NoGo},
	{"$dynamicRef", Draft2020, open, Core, Reference, "", CheckDynamicRef, GoDynamicRef},
	// Up to draft 4 the keyword is id, but people write $id there too, and mean this.
	{"$id", Draft3, open, Core, Text, "", NoCheck, NoGo},
	{"$recursiveAnchor", Draft2019, Draft2019, Core, Boolean, "", CheckAnchor, NoGo},
	{"$recursiveRef", Draft2019, Draft2019, Core, Reference, "", CheckDynamicRef, GoDynamicRef},
	{"$ref", Draft3, open, Core, Reference, "", CheckRef, GoRef},
	{"$schema", Draft3, open, Core, Text, "", NoCheck, NoGo},
	{"$vocabulary", Draft2019, Draft2020, Core, Members, "", NoCheck, NoGo},
	{"additionalItems", Draft3, Draft2019, Applicators, One, "items", CheckAdditionalItems, GoAdditionalItems},
	{"additionalProperties", Draft3, open, Applicators, One, "", CheckOthers, GoOthers},
	{"allOf", Draft4, open, Applicators, List, "", CheckAll, GoAll},
	{"anyOf", Draft4, open, Applicators, List, "", CheckAny, GoUnion},
	{"const", Draft6, open, Validation, Anything, "", CheckConst, GoConst},
	{"contains", Draft6, open, Applicators, One, "", CheckContains, NoGo},
	{"contentEncoding", Draft7, open, Annotations, Text, "", NoCheck, NoGo},
	{"contentMediaType", Draft7, open, Annotations, Text, "", NoCheck, NoGo},
	{"contentSchema", Draft2019, open, Annotations, One, "contentMediaType", NoCheck, NoGo},
	{"default", Draft3, open, Annotations, Anything, "", NoCheck, NoGo},
	{"definitions", Draft3, open, Core, Map, "", NoCheck, GoDefinitions},
	// dependencies is gone since 2019-09, but its meaning there is agreed on: the official
	// suite tests it as an optional keyword of the later drafts.
	{"dependencies", Draft3, Draft3, Applicators, DependenciesOrName, "", CheckDependency, GoMaybe},
	{"dependencies", Draft4, open, Applicators, Dependencies, "", CheckDependency, GoMaybe},
	{"dependentRequired", Draft2019, open, Validation, Members, "", CheckDependency, NoGo},
	{"dependentSchemas", Draft2019, open, Applicators, Map, "", CheckDependency, GoMaybe},
	{"deprecated", Draft2019, open, Annotations, Boolean, "", NoCheck, NoGo},
	{"description", Draft3, open, Annotations, Text, "", NoCheck, NoGo},
	{"disallow", Draft3, Draft3, Validation, Types, "", CheckNot, NoGo},
	{"divisibleBy", Draft3, Draft3, Validation, Number, "", CheckMultiple, NoGo},
	{"else", Draft7, open, Applicators, One, "if", CheckElse, GoMaybe},
	{"enum", Draft3, open, Validation, Values, "", CheckEnum, GoEnum},
	{"examples", Draft6, open, Annotations, Values, "", NoCheck, NoGo},
	// Up to draft 4 these say whether the limit beside them is excluded.
	{"exclusiveMaximum", Draft3, Draft4, Validation, Boolean, "maximum", CheckExclusive, NoGo},
	{"exclusiveMaximum", Draft6, open, Validation, Number, "", CheckBound, GoMost},
	{"exclusiveMinimum", Draft3, Draft4, Validation, Boolean, "minimum", CheckExclusive, NoGo},
	{"exclusiveMinimum", Draft6, open, Validation, Number, "", CheckBound, GoLeast},
	{"extends", Draft3, Draft3, Applicators, OneOrList, "", CheckAll, GoAll},
	// format is a group of its own: whether it asserts is the caller's choice.
	{"format", Draft3, open, Core, Text, "", CheckFormat, NoGo},
	{"id", Draft3, Draft4, Core, Text, "", NoCheck, NoGo},
	{"if", Draft7, open, Applicators, One, "", CheckIf, NoGo},
	{"items", Draft3, Draft2019, Applicators, OneOrList, "", CheckItems, GoItems},
	{"items", Draft2020, open, Applicators, One, "", CheckItems, GoItems},
	{"maxContains", Draft2019, open, Validation, Number, "contains", CheckMaxContains, NoGo},
	{"maxItems", Draft3, open, Validation, Number, "", CheckMaxItems, NoGo},
	{"maxLength", Draft3, open, Validation, Number, "", CheckLength, NoGo},
	{"maxProperties", Draft4, open, Validation, Number, "", CheckMaxMembers, NoGo},
	{"maximum", Draft3, open, Validation, Number, "", CheckBound, GoMost},
	{"minContains", Draft2019, open, Validation, Number, "contains", CheckMinContains, NoGo},
	{"minItems", Draft3, open, Validation, Number, "", CheckMinItems, GoMinItems},
	{"minLength", Draft3, open, Validation, Number, "", CheckLength, GoMinLength},
	{"minProperties", Draft4, open, Validation, Number, "", CheckMinMembers, NoGo},
	{"minimum", Draft3, open, Validation, Number, "", CheckBound, GoLeast},
	{"multipleOf", Draft4, open, Validation, Number, "", CheckMultiple, NoGo},
	{"not", Draft4, open, Applicators, One, "", CheckNot, NoGo},
	{"oneOf", Draft4, open, Applicators, List, "", CheckOne, GoUnion},
	{"pattern", Draft3, open, Validation, Text, "", CheckPattern, NoGo},
	{"patternProperties", Draft3, open, Applicators, Map, "", CheckPatterns, GoPatterns},
	{"prefixItems", Draft2020, open, Applicators, List, "", CheckPrefixItems, GoPrefixItems},
	{"properties", Draft3, open, Applicators, Map, "", CheckProperties, GoProperties},
	// A proposal for v1.
	{"propertyDependencies", V1, open, Applicators, MapOfMaps, "", CheckDependency, GoMaybe},
	{"propertyNames", Draft6, open, Applicators, One, "", CheckNames, NoGo},
	{"readOnly", Draft4, open, Annotations, Boolean, "", NoCheck, NoGo},
	// In draft 3 a member says of itself whether it is required.
	{"required", Draft3, Draft3, Validation, Boolean, "", CheckSelfRequired, GoSelfRequired},
	{"required", Draft4, open, Validation, Values, "", CheckRequired, GoRequired},
	{"then", Draft7, open, Applicators, One, "if", CheckThen, GoMaybe},
	{"title", Draft3, open, Annotations, Text, "", NoCheck, NoGo},
	// In draft 3 schemas may stand among the names of types. Names alone are the later row.
	{"type", Draft3, Draft3, Validation, Types, "", CheckAny, GoUnion},
	{"type", Draft4, open, Validation, TextOrValues, "", CheckType, GoKind},
	{"unevaluatedItems", Draft2019, open, Unevaluated, One, "", CheckUnevaluatedItems, NoGo},
	{"unevaluatedProperties", Draft2019, open, Unevaluated, One, "", CheckUnevaluatedMembers, NoGo},
	{"uniqueItems", Draft3, open, Validation, Boolean, "", CheckUnique, GoUnique},
	{"writeOnly", Draft7, open, Annotations, Boolean, "", NoCheck, NoGo},
}

// Spec finds the row of a keyword as the dialect knows it; false means unknown in this dialect.
func (d Dialect) Spec(name string) (Spec, bool) {
	for _, s := range Rows(name) {
		if s.holds(d.Draft) && d.Vocab&s.Vocab != 0 {
			return s, true
		}
	}
	return Spec{}, false
}

func (s Spec) holds(d Draft) bool { return s.From <= d && (s.To == open || d <= s.To) }

// Rows lists the rows of a keyword, the oldest draft first; none for a name that is no keyword.
func Rows(name string) []Spec { return byName[name] }

// Keywords lists the whole table, by name and draft.
func Keywords() []Spec { return slices.Clone(specs) }

// byName are the rows by the names of their keywords.
var byName = func() map[string][]Spec {
	m := make(map[string][]Spec, len(specs))
	for _, s := range specs {
		m[s.Name] = append(m[s.Name], s)
	}
	return m
}()

// Known gives the newest row of a keyword, for whoever reads a pointer without its dialect. The
// row of a name that is no keyword says nothing.
func Known(name string) Spec {
	rows := Rows(name)
	if len(rows) == 0 {
		return Spec{Name: name}
	}
	return rows[len(rows)-1]
}

// Applies reports whether the schemas inside the keyword hold for something by its standing
// there. Those of definitions are applied through a reference or not at all.
func (s Spec) Applies() bool { return s.Check != NoCheck }

// idKeywords are the keywords that give a schema its URI; the first that a schema has counts.
func (d Draft) idKeywords() []string {
	if _, ok := d.dialect().Spec("id"); ok {
		return []string{"id", "$id"}
	}
	return []string{"$id"}
}
