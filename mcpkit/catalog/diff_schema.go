package catalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// side is the side of an item that a schema is about.
type side string

const (
	argument side = "input"  // what callers send: that it became narrower is breaking
	result   side = "output" // what callers get: that it became wider is breaking
)

// What comparing two catalogues may take. References make pairs of any two parts of a schema, so
// one of a megabyte could keep a comparison busy for days, or its changes take all memory.
const (
	maxCompared = 100_000_000 // bytes of schemas, looked at once for each pair
	costOfTell  = 1000        // of a change, in such bytes
	costOfPath  = 100         // how long a path is that costs as much again as a short one
)

// comparison compares two states of one schema.
type comparison struct {
	differ
	side    side
	was, is schemaText
	met     map[[2]int]bool // pairs that were compared: schemas may contain themselves
	cut     bool            // it has said that there is more than it compares
}

func (c *comparison) tell(breaking bool, path, message string) {
	*c.left -= costOfTell
	c.differ.tell(breaking, path, message)
}

// keywords are those of two schemas. It returns false, and says so, where comparing them would be
// too much.
func (c *comparison) keywords(path string, older, newer int) (was, is map[string]int, ok bool) {
	if *c.left <= 0 {
		if !c.cut {
			c.cut = true
			c.other(path, "there is more here than is compared")
		}
		return nil, nil, false
	}
	was, is = c.was.keywords(older), c.is.keywords(newer)
	*c.left -= (c.was.looked + c.is.looked) * (1 + len(path)/costOfPath)
	c.was.looked, c.is.looked = 0, 0
	return was, is, true
}

// narrower tells of a change after which the schema refuses what it took before, or may do so.
func (c *comparison) narrower(path, message string) { c.tell(c.side == argument, path, message) }

// wider tells of a change after which the schema takes what it refused before.
func (c *comparison) wider(path, message string) { c.tell(c.side == result, path, message) }

// other tells of a change whose effect can't be told.
func (c *comparison) other(path, message string) {
	c.tell(true, path, message+": whether that matters can't be told")
}

// annotations are the keywords that check nothing.
var annotations = []string{"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}

// silent are the keywords that are looked at together with others, or mean nothing to a caller.
var silent = []string{"$schema", "$id", "id", "$comment", "$defs", "definitions", "$anchor", "$dynamicAnchor", "$vocabulary", "properties", "required", "type", "enum", "const", "additionalProperties", "items", "anyOf", "oneOf", "allOf"}

// limits are the keywords that hold a number, and whether a larger one refuses more.
var limits = map[string]bool{
	"minimum": true, "exclusiveMinimum": true, "minLength": true, "minItems": true, "minProperties": true, "minContains": true,
	"maximum": false, "exclusiveMaximum": false, "maxLength": false, "maxItems": false, "maxProperties": false, "maxContains": false,
}

// schema compares the schemas at two tokens.
func (c *comparison) schema(path string, older, newer int) {
	older, newer = c.was.follow(older), c.is.follow(newer)
	if c.met[[2]int{older, newer}] {
		return
	}
	c.met[[2]int{older, newer}] = true
	was, is, ok := c.keywords(path, older, newer)
	if !ok {
		return
	}
	if refused, refuses := c.was.Tokens[older].Kind == jsontape.False, c.is.Tokens[newer].Kind == jsontape.False; refused || refuses {
		switch {
		case !refused:
			c.narrower(path, "is not allowed any more")
		case !refuses:
			c.wider(path, "is allowed now")
		}
		return
	}
	c.types(path, was, is)
	c.values(path, was, is)
	c.properties(path, was, is)
	c.items(path, was, is)
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		c.branches(path, keyword, was, is)
	}
	names := maps.Clone(was)
	maps.Copy(names, is)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if slices.Contains(silent, name) {
			continue
		}
		c.keyword(path, name, was[name], is[name])
	}
}

// keyword compares the values of any other keyword, 0 where it is not there.
func (c *comparison) keyword(path, name string, older, newer int) {
	larger, isLimit := limits[name]
	switch {
	case older > 0 && newer > 0 && jsonrt.Equal(&c.was.Tape, older, &c.is.Tape, newer):
	case slices.Contains(annotations, name) || strings.HasPrefix(name, "x-"):
		c.tell(false, path, "its "+name+" has changed")
	case older == 0:
		c.narrower(path, "has a new limit: "+name+" "+c.is.short(newer))
	case newer == 0:
		c.wider(path, "is no longer limited by "+name+" "+c.was.short(older))
	case isLimit && c.was.Tokens[older].Kind == jsontape.Number && c.is.Tokens[newer].Kind == jsontape.Number:
		limit := jsonrt.MustDecimal(string(c.was.Bytes(older)))
		message := name + " was " + c.was.short(older) + " and is " + c.is.short(newer)
		if grew := jsonrt.CompareNumber(c.is.Bytes(newer), &limit) > 0; grew == larger {
			c.narrower(path, message)
		} else {
			c.wider(path, message)
		}
	default:
		c.other(path, name+" has changed")
	}
}

// types compares which types are allowed.
func (c *comparison) types(path string, was, is map[string]int) {
	read := func(s *schemaText, i int) []string {
		if i == 0 {
			return nil
		}
		var names []string
		for _, text := range s.texts(i) {
			names = append(names, strings.Trim(text, `"`))
		}
		return names
	}
	older, newer := read(&c.was, was["type"]), read(&c.is, is["type"])
	takes := func(types []string, one string) bool {
		return types == nil || slices.Contains(types, one) || one == "integer" && slices.Contains(types, "number")
	}
	within := func(these, those []string) bool {
		if these == nil {
			return those == nil
		}
		return !slices.ContainsFunc(these, func(one string) bool { return !takes(those, one) })
	}
	either := func(types []string) string {
		if types == nil {
			return "of any type"
		}
		return strings.Join(types, " or ")
	}
	message := "was " + either(older) + " and is " + either(newer)
	switch narrower, wider := !within(older, newer), !within(newer, older); {
	case narrower && wider:
		c.tell(true, path, message)
	case narrower:
		c.narrower(path, message)
	case wider:
		c.wider(path, message)
	}
}

// values compares which values enum and const allow.
func (c *comparison) values(path string, was, is map[string]int) {
	read := func(s *schemaText, keywords map[string]int) []string {
		if i := keywords["const"]; i > 0 {
			return []string{s.text(i)}
		}
		if i := keywords["enum"]; i > 0 {
			return s.texts(i)
		}
		return nil
	}
	older, newer := read(&c.was, was), read(&c.is, is)
	switch {
	case older == nil && newer == nil:
		return
	case older == nil:
		c.narrower(path, "may only be "+list(newer))
		return
	case newer == nil:
		c.wider(path, "may be more than "+list(older))
		return
	}
	if gone := without(older, newer); len(gone) > 0 {
		c.narrower(path, "can't be "+list(gone)+" any more")
	}
	if added := without(newer, older); len(added) > 0 {
		c.wider(path, "can be "+list(added)+", too")
	}
}

// without are the texts that the others lack.
func without(texts, others []string) []string {
	known := make(map[string]bool, len(others))
	for _, o := range others {
		known[o] = true
	}
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return known[text] })
}

// list joins texts, the first ten of many.
func list(texts []string) string {
	const most = 10
	if len(texts) > most {
		return strings.Join(texts[:most], ", ") + " …"
	}
	return strings.Join(texts, ", ")
}

// properties compares properties, required and additionalProperties.
func (c *comparison) properties(path string, was, is map[string]int) {
	oldNames, older := c.was.members(was["properties"])
	newNames, newer := c.is.members(is["properties"])
	required := func(s *schemaText, i int) map[string]bool {
		names := make(map[string]bool)
		if i > 0 && s.Tokens[i].Kind == jsontape.Array {
			for e := i + 1; e < s.Next(i); e = s.Next(e) {
				if s.Tokens[e].Kind == jsontape.String { // nothing has checked a document's schemas
					names[s.Str(e)] = true
				}
			}
		}
		return names
	}
	needed, needs := required(&c.was, was["required"]), required(&c.is, is["required"])
	at := func(name string) string { return path + "/properties" + string(jsontape.AppendPointerToken(nil, name)) }
	for _, name := range oldNames {
		now, there := newer[name]
		if !there {
			c.tell(true, at(name), "is gone")
			continue
		}
		c.schema(at(name), older[name], now)
	}
	for _, name := range newNames {
		switch _, there := older[name]; {
		case there:
		case needs[name] && !needed[name]:
			c.narrower(at(name), "is new and required")
		default:
			c.tell(false, at(name), "is new")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		_, added := newer[name]
		_, there := older[name]
		if !needed[name] && (there || !added) {
			c.narrower(at(name), "is required now")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		_, there := newer[name]
		_, before := older[name]
		if !needs[name] && (there || !before) {
			c.wider(at(name), "is no longer required")
		}
	}
	c.rest(path, "additionalProperties", "members that are not named", was, is)
}

// items compares the schema of all elements; of a list of schemas, one for each place, it tells
// that it has changed.
func (c *comparison) items(path string, was, is map[string]int) {
	isList := func(s *schemaText, i int) bool { return i > 0 && s.Tokens[i].Kind == jsontape.Array }
	if isList(&c.was, was["items"]) || isList(&c.is, is["items"]) {
		if was["items"] == 0 || is["items"] == 0 || !jsonrt.Equal(&c.was.Tape, was["items"], &c.is.Tape, is["items"]) {
			c.other(path+"/items", "has changed")
		}
		return
	}
	c.rest(path, "items", "elements", was, is)
}

// rest compares a keyword that holds the schema of all members or elements.
func (c *comparison) rest(path, keyword, what string, was, is map[string]int) {
	older, newer := was[keyword], is[keyword]
	switch {
	case older == 0 && newer == 0:
	case older == 0:
		switch c.is.Tokens[newer].Kind {
		case jsontape.True:
		case jsontape.False:
			c.narrower(path, what+" are not allowed any more")
		default:
			c.narrower(path+"/"+keyword, "has a new schema")
		}
	case newer == 0:
		switch c.was.Tokens[older].Kind {
		case jsontape.True:
		case jsontape.False:
			c.wider(path, what+" are allowed now")
		default:
			c.wider(path+"/"+keyword, "has no schema any more")
		}
	default:
		c.schema(path+"/"+keyword, older, newer)
	}
}

// branches compares the branches of anyOf, oneOf or allOf. Those that stayed as they were are left
// out; where as many remain on both sides they are compared in turn.
func (c *comparison) branches(path, keyword string, was, is map[string]int) {
	read := func(s *schemaText, i int) []int {
		var tokens []int
		if i > 0 && s.Tokens[i].Kind == jsontape.Array {
			for e := i + 1; e < s.Next(i); e = s.Next(e) {
				tokens = append(tokens, e)
			}
		}
		return tokens
	}
	older, newer := read(&c.was, was[keyword]), read(&c.is, is[keyword])
	path += "/" + keyword
	gained, lost := c.wider, c.narrower // a branch of anyOf more allows more
	if keyword == "allOf" {
		gained, lost = lost, gained
	}
	switch {
	case len(older) == 0 && len(newer) == 0:
		return
	case len(older) == 0:
		c.narrower(path, "is new")
		return
	case len(newer) == 0:
		c.wider(path, "is gone")
		return
	}
	known := make(map[string]int)
	for _, token := range older {
		known[string(c.was.Bytes(token))]++
	}
	newer = slices.DeleteFunc(newer, func(token int) bool {
		text := string(c.is.Bytes(token))
		known[text]--
		return known[text] >= 0
	})
	for _, token := range read(&c.is, is[keyword]) {
		known[string(c.is.Bytes(token))] = -1
	}
	older = slices.DeleteFunc(older, func(token int) bool { return known[string(c.was.Bytes(token))] < 0 })
	if len(older) == len(newer) {
		for i := range older {
			c.schema(path, older[i], newer[i])
		}
		return
	}
	for _, token := range older {
		lost(path, "this form is gone: "+c.was.short(token))
	}
	for _, token := range newer {
		gained(path, "this form is new: "+c.is.short(token))
	}
}
