package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// member is a member that a schema describes, for a person.
type member struct {
	// Name leads to it: "options.depth", "tags[]".
	Name        string
	Type        string
	Required    bool
	Description string
	Limits      string
}

// What a description for people goes into; the schema itself says the rest.
const (
	maxLevels  = 4   // of members in members
	maxMembers = 200 // of one schema
)

// members describes what a schema asks of an object.
func (s *Schema) members() []member {
	if s == nil || s.JSON == nil || s.Error != "" {
		return nil
	}
	d := describer{said: make(map[[2]int]string)}
	d.parse(s.JSON)
	d.describe("", 0, 1)
	return d.list
}

type describer struct {
	schemaText
	list []member
	said map[[2]int]string // see once
}

// describe lists the members of the schema at token i.
func (d *describer) describe(prefix string, i, level int) {
	schema := d.keywords(i)
	names, values := d.schemaText.members(schema["properties"])
	var required []string
	if r := schema["required"]; r > 0 {
		required = d.texts(r)
	}
	for _, name := range names {
		if len(d.list) >= maxMembers {
			return
		}
		at := values[name]
		own := d.keywords(at)
		m := member{Name: prefix + name, Type: d.typeOf(at, 1), Required: slices.Contains(required, quote(name)), Limits: d.limits(own)}
		if text := own["description"]; text > 0 && d.Tokens[text].Kind == jsontape.String {
			m.Description = d.Str(text)
		} else if text := own["title"]; text > 0 && d.Tokens[text].Kind == jsontape.String {
			m.Description = d.Str(text)
		}
		d.list = append(d.list, m)
		if level >= maxLevels {
			continue
		}
		d.describe(m.Name+".", at, level+1)
		if items := own["items"]; items > 0 && d.Tokens[items].Kind == jsontape.Object {
			d.describe(m.Name+"[].", items, level+1)
		}
	}
}

// typeOf says in a few words what the schema at token i allows.
func (d *describer) typeOf(i, level int) string {
	if d.Tokens[i].Kind == jsontape.False {
		return "nothing"
	}
	schema := d.keywords(i)
	if at := schema["const"]; at > 0 {
		return d.short(at)
	}
	if at := schema["enum"]; at > 0 && (d.Tokens[at].Kind != jsontape.Array || d.Len(at) > 0) {
		return d.once(at, level, func() string {
			texts := d.texts(at)
			for i, text := range texts {
				texts[i] = cut(text, maxShort)
			}
			return either(texts)
		})
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		at := schema[keyword]
		if at == 0 || d.Tokens[at].Kind != jsontape.Array || level > 3 {
			continue
		}
		return d.once(at, level, func() string {
			var parts []string
			for e := at + 1; e < d.Next(at); e = d.Next(e) {
				parts = append(parts, d.typeOf(e, level+1))
			}
			return either(parts)
		})
	}
	at := schema["type"]
	switch {
	case at == 0 && schema["properties"] > 0:
		return "object"
	case at == 0:
		return "any"
	}
	var parts []string
	for _, name := range d.texts(at) {
		name = strings.Trim(name, `"`)
		if items := schema["items"]; name == "array" && items > 0 && d.Tokens[items].Kind == jsontape.Object && level <= 3 {
			inner := d.once(items, level, func() string { return d.typeOf(items, level+1) })
			if strings.Contains(inner, " | ") {
				inner = "(" + inner + ")"
			}
			name = inner + "[]"
		}
		parts = append(parts, name)
	}
	return either(parts)
}

// once is what f says of the value at a token, found out once for each level: a thousand references
// may lead to a list of a thousand more.
func (d *describer) once(token, level int, f func() string) string {
	key := [2]int{token, level}
	text, known := d.said[key]
	if !known {
		text = f()
		d.said[key] = text
	}
	return text
}

// either joins the first few of the texts that differ.
func either(texts []string) string {
	const most = 8
	seen := make(map[string]bool)
	texts = slices.DeleteFunc(texts, func(text string) bool { was := seen[text]; seen[text] = true; return was })
	if len(texts) > most {
		texts = append(texts[:most:most], "…")
	}
	return strings.Join(texts, " | ")
}

// maxShort is how many bytes of a value are shown.
const maxShort = 60

// cut cuts a text that has more than so many bytes.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// limits says what else a schema asks for.
func (d *describer) limits(schema map[string]int) string {
	var parts []string
	for _, keyword := range []string{
		"format", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "default",
	} {
		if at := schema[keyword]; at > 0 {
			text := d.short(at)
			if d.Tokens[at].Kind == jsontape.String && keyword != "default" {
				text = cut(d.Str(at), maxShort)
			}
			parts = append(parts, keyword+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// nouns are what people call items of a type, one and many.
var nouns = map[Type][2]string{
	Tool: {"tool", "tools"}, Resource: {"resource", "resources"}, ResourceTemplate: {"resource template", "resource templates"}, Prompt: {"prompt", "prompts"},
}

// types are the types in the order of a catalogue.
var types = []Type{Tool, Resource, ResourceTemplate, Prompt}

// Summary says in a few words what the catalogue holds: "2 tools, 1 prompt, 1 error, 2 warnings".
func (c *Catalog) Summary() string {
	counts := make(map[Type]int)
	for _, item := range c.Items {
		counts[item.Type]++
	}
	var parts []string
	for _, t := range types {
		if n := counts[t]; n > 0 {
			parts = append(parts, count(n, nouns[t][0], nouns[t][1]))
		}
	}
	if parts == nil {
		parts = []string{"nothing"}
	}
	if faults, warnings := c.Faults(); faults+warnings > 0 {
		parts = append(parts, count(faults, "error", "errors"), count(warnings, "warning", "warnings"))
	}
	return strings.Join(parts, ", ")
}

// Faults counts the schemas that can't be used, and the warnings.
func (c *Catalog) Faults() (faults, warnings int) {
	for _, item := range c.Items {
		warnings += len(item.Warnings)
		for _, s := range []*Schema{item.Detail.Input, item.Detail.Output} {
			if s != nil && s.Error != "" {
				faults++
			}
		}
	}
	return faults, warnings
}

// Problems are the errors of the item's schemas and its warnings, in words.
func (i *Item) Problems() []string {
	var problems []string
	for _, f := range i.faults() {
		problems = append(problems, f.Value)
	}
	return problems
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Name is what the server calls itself, with its title and version; "" where it does not say.
func (s *Server) Name() (name, title, version string) {
	var t jsontape.Tape
	if s.Info == nil || t.Parse(s.Info, jsontape.Options{}) != nil {
		return "", "", ""
	}
	p := parser{&t}
	read := func(member string) string {
		if i := t.Member(0, member); i >= 0 && t.Tokens[i].Kind == jsontape.String {
			return p.text(0, member)
		}
		return ""
	}
	return read("name"), read("title"), read("version")
}
