package load

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Drafts differ in their keywords, and in the values that a keyword takes: a list under items, true
// under required. Folders mix drafts without saying so, and none of this is passed over in silence.
//
// A keyword that the schema's draft does not have is an annotation there, as the specification says:
// it checks nothing, and there is a warning. A value that the draft does not have is a fault where the
// file says with $schema what it is. Where it says nothing, the draft is only a default, and no doubt
// what the author has in mind: the value is read as in the draft that has it, with a warning.

// row finds what the member at token key is to the schema: a row of the table and, where the value
// is read as in another draft, such a draft; false for no keyword.
func (s *Schema) row(key int) (spec Spec, form Draft, known bool) {
	t := &s.File.Tape
	own, known := s.Dialect.Spec(t.Str(key))
	if s.saysDraft() {
		return own, 0, known
	}
	if known {
		other, is := s.otherRow(key)
		if !is || other.Check == CheckItems && t.Member(s.Tok, "prefixItems") >= 0 {
			return own, 0, true // right, or wrong, or two lists for the same items
		}
		return other, other.usual(s.Dialect.Draft), true
	}
	// A keyword that only says something beside such a value goes with it: additionalItems.
	for _, other := range Rows(t.Str(key)) {
		beside := t.Member(s.Tok, other.Beside)
		if other.Beside == "" || beside < 0 || s.Dialect.Vocab&other.Vocab == 0 {
			continue
		}
		if _, form, _ := s.row(beside - 1); form != 0 && other.holds(form) {
			return other, form, true
		}
	}
	return own, 0, false
}

// otherRow finds the row of a keyword, at token key, for a value that the draft of the schema does
// not have for it but others have.
func (s *Schema) otherRow(key int) (Spec, bool) {
	t := &s.File.Tape
	own, known := s.Dialect.Spec(t.Str(key))
	if !known || own.Shape.fits(t, key+1) {
		return Spec{}, false
	}
	for _, other := range Rows(own.Name) {
		if !other.holds(s.Dialect.Draft) && other.Shape.fits(t, key+1) {
			return other, true
		}
	}
	return Spec{}, false
}

// saysDraft reports whether the file itself says, with $schema, what draft the schema is of.
func (s *Schema) saysDraft() bool {
	t := &s.File.Tape
	resource := 0
	if s.Resource.Root != nil {
		resource = s.Resource.Root.Tok
	}
	return isString(t, t.Member(0, "$schema")) || isString(t, t.Member(resource, "$schema"))
}

// usual is the draft in which the row holds that an author most likely has in mind, who does not
// mean the draft d.
func (s Spec) usual(d Draft) Draft {
	switch {
	case s.holds(Draft7):
		return Draft7
	case d < s.From:
		return s.From
	}
	return s.To
}

// span says in which drafts the row holds.
func (s Spec) span() string {
	switch {
	case s.From == s.To:
		return "of " + s.From.String() + " only"
	case s.To == open:
		return "since " + s.From.String()
	}
	return "up to " + s.To.String()
}

// wayOut says how a schema is read as one of the draft.
func (l *loader) wayOut(s *Schema, d Draft) string {
	f := s.File
	line := fmt.Sprintf(`"$schema": %q`, d.schemaURI())
	if f.folder && !s.saysDraft() {
		return fmt.Sprintf("-dialect-of '%s=%s', or with %s in the file", f.Name, d, line)
	}
	return line
}

// schemaURI is what $schema says of a schema of the draft.
func (d Draft) schemaURI() string {
	if d < Draft2019 {
		return d.metaURI() + "#"
	}
	return d.metaURI()
}

// otherwise says of a value that is a fault what it would be in another draft; "" where it is wrong
// in all. The value is that of the member at token key of a schema.
func (l *loader) otherwise(s *Schema, key int) string {
	row, is := s.otherRow(key)
	if !is {
		return ""
	}
	form := forms[row.Check]
	return fmt.Sprintf("; "+form.what+" is a form %s: write %s, or say which draft is meant with %s", row.Name, row.span(), form.instead, l.wayOut(s, row.usual(s.Dialect.Draft)))
}

// forms are what values are that only some drafts have for a keyword, and what the others have
// instead, by what the keyword means in the former.
var forms = map[Check]struct{ what, instead string }{
	CheckItems:        {"a list under %s", "prefixItems"},
	CheckExclusive:    {"true or false under %s", "the limit itself there"},
	CheckBound:        {"a number under %s", "the limit under minimum or maximum, with true here"},
	CheckSelfRequired: {"true or false under %s", "the name of the member into the list required beside properties"},
	CheckRequired:     {"a list under %s", `"required": true into the schema of each member`},
	CheckAny:          {"a schema under %s", "anyOf"},
	CheckDependency:   {"a single name under %s", "a list of names"},
}

// otherForm warns of a keyword whose value has a form of another draft. The warning is for every
// file: in none of them does the text alone say what is checked.
func (l *loader) otherForm(s *Schema, k *Keyword) {
	if _, known := s.Dialect.Spec(k.Name); k.Form == 0 || !known {
		return // additionalItems goes with items, which has the warning
	}
	form := forms[k.Check]
	l.warn(s.File.At(k.Key, "warning: "+form.what+" is a form %s, and is read so here, though the schema is of %s; write %s, or say which draft is meant with %s",
		k.Name, k.span(), s.Dialect.Draft, form.instead, l.wayOut(s, k.Form)))
}

// otherDraft warns of a keyword, at token key, that has a meaning in other drafts only.
func (l *loader) otherDraft(s *Schema, key int, rows []Spec) {
	draft := s.Dialect.Draft
	row := rows[0]
	for _, r := range rows {
		if r.Shape.takes(s.File.Tape.Tokens[key+1].Kind) {
			row = r // of two forms that which is here
		}
	}
	if row.Vocab == Annotations && !row.Shape.HoldsSchemas() || row.holds(draft) {
		return // it checks nothing anywhere, or the dialect leaves it out on purpose
	}
	instead := ""
	if now, ok := successors[row.Name]; ok {
		if _, known := s.Dialect.Spec(now); known {
			instead = "use " + now + ", or "
		}
	}
	does := "checks"
	if row.Vocab == Core && row.Shape != Reference {
		does = "means"
	}
	l.warn(s.File.At(key, "warning: %s is a keyword %s and %s nothing here, in %s; %ssay which draft is meant with %s",
		row.Name, row.span(), does, draft, instead, l.wayOut(s, row.usual(draft))))
}

// successors are the keywords that came for others.
var successors = map[string]string{
	"$recursiveAnchor": "$dynamicAnchor", "$recursiveRef": "$dynamicRef", "disallow": "not", "divisibleBy": "multipleOf", "extends": "allOf", "id": "$id",
}

// checkForms checks the values that have a form of another draft against its meta-schema.
func (l *loader) checkForms(s *Schema) {
	for _, k := range slices.Concat(s.Keywords, s.Hidden) {
		if k.Form == 0 {
			continue
		}
		document := map[string]any{k.Name: l.document(s.File, k.Value, k.Form)}
		if k.Check == CheckExclusive {
			document[k.Beside] = json.Number("0") // which it must not stand without; effects tells of that
		}
		l.against(k.Form, s.File, s.Tok, document)
	}
}

// isOther reports whether the member at token key of a schema is none that the meta-schema of the
// schema's draft should see: it has a form of another draft, or only other drafts know it.
func (s *Schema) isOther(key int) bool {
	for _, k := range slices.Concat(s.Keywords, s.Hidden) {
		if k.Key == key {
			return k.Form != 0
		}
	}
	rows := Rows(s.File.Tape.Str(key))
	for _, r := range rows {
		if r.holds(s.Dialect.Draft) {
			return false
		}
	}
	return len(rows) > 0
}
