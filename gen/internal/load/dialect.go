package load

import "strings"

// Draft is a published version of JSON Schema. Drafts are ordered.
type Draft int

// The drafts that the compiler knows.
const (
	Draft3 Draft = iota + 1
	Draft4
	Draft6
	Draft7
	Draft2019
	Draft2020
	V1
)

// drafts holds, for every draft, the name used by the -default-dialect flag and the URI of
// its meta-schema without scheme and fragment. check is the published file that schemas are
// checked with, read as the draft by, where the library that checks them does not know the draft.
var drafts = []struct {
	draft     Draft
	name, uri string
	check     string
	by        Draft
}{
	{draft: Draft3, name: "draft3", uri: "json-schema.org/draft-03/schema", check: "draft-03/check", by: Draft7},
	{draft: Draft4, name: "draft4", uri: "json-schema.org/draft-04/schema"},
	{draft: Draft6, name: "draft6", uri: "json-schema.org/draft-06/schema"},
	{draft: Draft7, name: "draft7", uri: "json-schema.org/draft-07/schema"},
	{draft: Draft2019, name: "2019-09", uri: "json-schema.org/draft/2019-09/schema"},
	{draft: Draft2020, name: "2020-12", uri: "json-schema.org/draft/2020-12/schema"},
	{draft: V1, name: "v1", uri: "json-schema.org/v1", check: "v1", by: Draft2020},
}

// String gives the name that the -default-dialect flag uses.
func (d Draft) String() string {
	for _, known := range drafts {
		if known.draft == d {
			return known.name
		}
	}
	return "unknown"
}

// ParseDraft reads a draft's name as the -default-dialect flag takes it.
func ParseDraft(name string) (Draft, bool) {
	for _, known := range drafts {
		if known.name == name {
			return known.draft, true
		}
	}
	return 0, false
}

// DraftNames lists the names that ParseDraft takes.
func DraftNames() []string {
	var names []string
	for _, known := range drafts {
		names = append(names, known.name)
	}
	return names
}

// draftOf finds the draft whose meta-schema uri names, with either scheme and with or
// without an empty fragment.
func draftOf(uri string) (Draft, bool) {
	rest, ok := strings.CutPrefix(uri, "http://")
	if !ok {
		if rest, ok = strings.CutPrefix(uri, "https://"); !ok {
			return 0, false
		}
	}
	rest = strings.TrimSuffix(rest, "#")
	if rest == "json-schema.org/schema" {
		return Draft2020, true // "the latest"
	}
	for _, known := range drafts {
		// v1 has a meta-schema for each year: https://json-schema.org/v1/2026.
		if year, ok := strings.CutPrefix(rest, known.uri); ok && (year == "" || known.draft == V1 && isYear(year)) {
			return known.draft, true
		}
	}
	return 0, false
}

func isYear(s string) bool {
	return len(s) == 5 && s[0] == '/' && strings.Trim(s[1:], "0123456789") == ""
}

// metaURI is the URI of the draft's meta-schema.
func (d Draft) metaURI() string {
	for _, known := range drafts {
		if known.draft == d {
			scheme := "http://"
			if d >= Draft2019 {
				scheme = "https://"
			}
			return scheme + known.uri
		}
	}
	return ""
}

// Vocabulary is a set of keyword groups (JSON Schema core 2020-12, section 8.1.2). Drafts
// before 2019-09 know no vocabularies and have all of them but the format assertion.
type Vocabulary uint8

// The vocabularies of 2019-09 and 2020-12. Annotations are one group here, because none of
// them is checked.
const (
	Core Vocabulary = 1 << iota
	Applicators
	Unevaluated
	Validation
	FormatAssertion
	Annotations
)

const standard = Core | Applicators | Unevaluated | Validation | Annotations

// Dialect is what a schema is read by: the draft and the vocabularies in force.
type Dialect struct {
	Draft Draft
	Vocab Vocabulary
}

func (d Draft) dialect() Dialect {
	if d == V1 {
		// There format asserts (validation, section "Semantic Content With format").
		return Dialect{Draft: d, Vocab: standard | FormatAssertion}
	}
	return Dialect{Draft: d, Vocab: standard}
}

// vocabularies gives the group that a vocabulary URI stands for in the draft.
func (d Draft) vocabulary(uri string) (Vocabulary, bool) {
	prefix := "https://json-schema.org/draft/2020-12/vocab/"
	if d == Draft2019 {
		prefix = "https://json-schema.org/draft/2019-09/vocab/"
	}
	name, ok := strings.CutPrefix(uri, prefix)
	if !ok {
		return 0, false
	}
	switch name {
	case "core":
		return Core, true
	case "applicator":
		if d == Draft2019 {
			return Applicators | Unevaluated, true
		}
		return Applicators, true
	case "unevaluated":
		return Unevaluated, d != Draft2019
	case "validation":
		return Validation, true
	case "format":
		return FormatAssertion, d == Draft2019
	case "format-assertion":
		return FormatAssertion, d != Draft2019
	case "meta-data", "content", "format-annotation":
		return Annotations, true
	}
	return 0, false
}
