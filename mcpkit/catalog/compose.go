package catalog

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/runtimeschema"
)

// Compose makes a catalogue of raw definitions, without a server. What Extract reads from a server
// gives the same catalogue.
func Compose(d Definitions) (*Catalog, error) {
	c := &Catalog{Server: Server{Info: d.Info, Capabilities: d.Capabilities, Instructions: d.Instructions}, Items: []*Item{}}
	for _, part := range []*json.RawMessage{&c.Server.Info, &c.Server.Capabilities} {
		if *part == nil {
			continue
		}
		var t jsontape.Tape
		if err := t.Parse(*part, jsontape.Options{MaxDepth: maxDepth}); err != nil || t.Tokens[0].Kind != jsontape.Object || t.RepeatedName(0) >= 0 {
			*part = nil // it says nothing that anyone could rely on
		}
	}
	if c.Server.Capabilities == nil {
		c.Server.Capabilities = d.implied()
	}
	for _, list := range []struct {
		t     Type
		items []json.RawMessage
	}{{Tool, d.Tools}, {Resource, d.Resources}, {ResourceTemplate, d.ResourceTemplates}, {Prompt, d.Prompts}} {
		seen := make(map[string]bool, len(list.items))
		for n, raw := range list.items {
			item, err := compose(list.t, raw)
			if err != nil {
				return nil, fmt.Errorf("%s %d: %w", list.t, n+1, err)
			}
			if seen[item.Name] && (list.t == Tool || list.t == Prompt) {
				item.warn("/name", "another "+string(list.t)+" before has this name: clients reach only one of them")
			}
			seen[item.Name] = true
			c.Items = append(c.Items, item)
		}
	}
	c.compile()
	return c, nil
}

// implied are the capabilities that the lists at hand imply.
func (d Definitions) implied() json.RawMessage {
	var sections []string
	for _, s := range []struct {
		name  string
		there bool
	}{{"tools", d.Tools != nil}, {"resources", d.Resources != nil || d.ResourceTemplates != nil}, {"prompts", d.Prompts != nil}} {
		if s.there {
			sections = append(sections, `"`+s.name+`":{}`)
		}
	}
	return json.RawMessage("{" + strings.Join(sections, ",") + "}")
}

// maxCost is what compiling the schemas of one server may cost together: a few seconds. Two thousand
// schemas with 300 objects each stay below.
const maxCost = 10 * runtimeschema.MaxCost

// compile compiles all schemas, on all cores, and adds to the items what there is to say about
// them.
func (c *Catalog) compile() {
	total := 0
	for _, item := range c.Items {
		for _, s := range []*Schema{item.Detail.Input, item.Detail.Output} {
			if s == nil || s.JSON == nil || s.Error != "" {
				continue
			}
			cost := runtimeschema.Cost(s.JSON)
			switch {
			case cost > runtimeschema.MaxCost: // says so when it is compiled
			case total+cost > maxCost:
				s.Error = "the schemas before this one cost as much as is checked of one server"
			default:
				total += cost
			}
		}
	}
	todo := make(chan *Item)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for item := range todo {
				item.remark("/inputSchema", item.Detail.Input)
				item.remark("/outputSchema", item.Detail.Output)
			}
		})
	}
	for _, item := range c.Items {
		if item.Type == Tool {
			todo <- item
		}
	}
	close(todo)
	workers.Wait()
}

// remark compiles a schema and adds what it says that is not checked.
func (i *Item) remark(side string, s *Schema) {
	if s == nil {
		return
	}
	s.once.Do(s.compile)
	for _, r := range s.remarks {
		i.warn(side+r.Pointer, r.Message)
	}
	s.remarks = nil
}

// warn adds a warning about the place in the definition that a pointer leads to.
func (i *Item) warn(pointer, message string) {
	if pointer != "" {
		message = pointer + ": " + message
	}
	i.Warnings = append(i.Warnings, message)
}

// maxDepth is how deep a part of a definition may nest to have a place in the document, which
// nests it a few levels deeper and is to be read with the default limit.
const maxDepth = jsontape.DefaultMaxDepth - 10

// reader reads one definition.
type reader struct {
	*Item
	t jsontape.Tape
}

// compose makes the item of a definition.
func compose(kind Type, raw json.RawMessage) (*Item, error) {
	r := reader{Item: &Item{Type: kind, Name: string(kind)}}
	if err := r.t.Parse(raw, jsontape.Options{MaxDepth: jsontape.DepthCeiling}); err != nil {
		return nil, err
	}
	if r.t.Tokens[0].Kind != jsontape.Object {
		r.warn("", "the definition is no object")
		if kind == Tool || kind == Prompt {
			r.Detail.Input = new(Schema)
		}
		return r.Item, nil
	}
	if i := r.t.RepeatedMember(0); i >= 0 {
		r.warn(r.t.Pointer(i), "this member is there twice: the first counts here, others may take the last")
	}
	if name, ok := r.text("name"); ok {
		r.Name = name
	} else {
		r.warn("/name", "there is no name that is a string: "+strconv.Quote(string(kind))+" stands for it")
	}
	r.Title, _ = r.text("title")
	r.Description, _ = r.text("description")
	r.Meta = Meta{Icons: r.part("icons"), Annotations: r.part("annotations"), Meta: r.part("_meta")}
	r.Detail.UI = r.ui()
	switch kind {
	case Tool:
		if annotations := r.t.Member(0, "annotations"); r.Title == "" && annotations >= 0 {
			if i := r.t.Member(annotations, "title"); i >= 0 && r.t.Tokens[i].Kind == jsontape.String {
				r.Title = r.t.Str(i)
			}
		}
		r.input()
		r.output()
	case Resource:
		r.Detail.URI = r.needed("uri")
		r.Detail.MIMEType, _ = r.text("mimeType")
		r.size()
	case ResourceTemplate:
		r.Detail.URITemplate = r.needed("uriTemplate")
		r.Detail.MIMEType, _ = r.text("mimeType")
	case Prompt:
		r.arguments()
	}
	return r.Item, nil
}

// text is a member that is a string.
func (r *reader) text(name string) (string, bool) {
	i := r.t.Member(0, name)
	if i < 0 || r.t.Tokens[i].Kind == jsontape.Null && name != "name" {
		return "", false
	}
	if r.t.Tokens[i].Kind != jsontape.String {
		if name != "name" {
			r.warn("/"+name, "is no string and left out")
		}
		return "", false
	}
	return r.t.Str(i), true
}

// needed is a member that must be a string.
func (r *reader) needed(name string) string {
	s, ok := r.text(name)
	if !ok && r.t.Member(0, name) < 0 {
		r.warn("/"+name, "is missing")
	}
	return s
}

// part is a member as it was sent; nil where it is missing, null or can't stand in the document.
func (r *reader) part(name string) json.RawMessage {
	return r.embed(r.t.Member(0, name))
}

// embed is the text of the value at token i, nil where i is -1, the value is null or can't stand in
// the document.
func (r *reader) embed(i int) json.RawMessage {
	if i < 0 || r.t.Tokens[i].Kind == jsontape.Null {
		return nil
	}
	if why := r.misfit(i); why != "" {
		r.warn(r.t.Pointer(i), why+", and is left out")
		return nil
	}
	return r.t.Bytes(i)
}

// misfit says why a document can't hold the value at token i: not everyone would read it, or read
// the same. It is "" where one can.
func (r *reader) misfit(i int) string {
	var t jsontape.Tape
	if err := t.Parse(r.t.Bytes(i), jsontape.Options{MaxDepth: maxDepth, IndexDepth: 1}); err != nil {
		return "nests deeper than " + strconv.Itoa(maxDepth) + " levels"
	}
	if r.t.RepeatedName(i) >= 0 {
		return "has a member twice"
	}
	return ""
}

// ui is what MCP Apps say: _meta.ui, or what they put there before they had that member.
func (r *reader) ui() json.RawMessage {
	meta := r.t.Member(0, "_meta")
	if meta < 0 || r.Meta.Meta == nil {
		return nil
	}
	if i := r.t.Member(meta, "ui"); i >= 0 {
		return r.embed(i)
	}
	if uri := r.embed(r.t.Member(meta, "ui/resourceUri")); uri != nil {
		return json.RawMessage(`{"resourceUri":` + string(uri) + `}`)
	}
	return nil
}

// input reads the schema of a tool's arguments.
func (r *reader) input() {
	i := r.t.Member(0, "inputSchema")
	if i < 0 || r.t.Tokens[i].Kind == jsontape.Null {
		r.Detail.Input = new(Schema)
		r.warn("/inputSchema", "is missing: any arguments are taken")
		return
	}
	r.Detail.Input = r.schema(i)
	if r.t.Tokens[i].Kind != jsontape.Object {
		r.warn("/inputSchema", "is no object: clients refuse such a tool")
	}
}

// output reads the schema of a tool's structured results.
func (r *reader) output() {
	i := r.t.Member(0, "outputSchema")
	if i < 0 || r.t.Tokens[i].Kind == jsontape.Null {
		return
	}
	r.Detail.Output = r.schema(i)
	if r.t.Tokens[i].Kind != jsontape.Object && r.Detail.Output.Error == "" {
		r.Detail.Output.Error = "an output schema must be an object"
	}
}

// schema is the schema at token i.
func (r *reader) schema(i int) *Schema {
	why := r.misfit(i)
	if why == "" {
		return &Schema{JSON: r.t.Bytes(i)}
	}
	at := ""
	if twice := r.t.RepeatedName(i); twice >= 0 {
		at = r.t.PointerFrom(i, twice)
		why = "this member is there twice"
	} else {
		why = "the schema " + why
	}
	return &Schema{Text: string(r.t.Bytes(i)), Error: strings.TrimPrefix(at+": "+why, ": ")}
}

// size reads how large a resource is.
func (r *reader) size() {
	i := r.t.Member(0, "size")
	if i < 0 || r.t.Tokens[i].Kind == jsontape.Null {
		return
	}
	n, err := strconv.ParseInt(string(r.t.Bytes(i)), 10, 64)
	if err != nil {
		r.warn("/size", "is no whole number of bytes and left out")
		return
	}
	r.Detail.Size = &n
}

// arguments makes the schema of the arguments of a prompt, which are strings (specification
// 2025-11-25, "Prompts", GetPromptRequest).
func (r *reader) arguments() {
	t := &r.t
	r.Detail.Input = new(Schema)
	list := t.Member(0, "arguments")
	if list < 0 || t.Tokens[list].Kind == jsontape.Null {
		return
	}
	if t.Tokens[list].Kind != jsontape.Array {
		r.warn("/arguments", "is no list: any arguments are taken")
		return
	}
	var properties, required []byte
	seen := make(map[string]bool)
	for a := list + 1; a < t.Next(list); a = t.Next(a) {
		name := t.Member(a, "name")
		if name < 0 || t.Tokens[name].Kind != jsontape.String {
			r.warn(t.Pointer(a), "has no name that is a string and is left out")
			continue
		}
		key := t.Str(name)
		if seen[key] {
			r.warn(t.Pointer(a), "another argument before has this name: this one is left out")
			continue
		}
		seen[key] = true
		properties = append(appendComma(properties), jsontape.AppendQuoted(nil, key)...)
		properties = append(properties, `:{"type":"string"`...)
		for _, member := range []string{"title", "description"} {
			if i := t.Member(a, member); i >= 0 && t.Tokens[i].Kind == jsontape.String {
				properties = append(properties, `,"`+member+`":`...)
				properties = append(properties, t.Bytes(i)...)
			}
		}
		properties = append(properties, '}')
		if i := t.Member(a, "required"); i >= 0 && t.Tokens[i].Kind == jsontape.True {
			required = append(appendComma(required), jsontape.AppendQuoted(nil, key)...)
		}
	}
	schema := `{"type":"object","properties":{` + string(properties) + `}`
	if required != nil {
		schema += `,"required":[` + string(required) + `]`
	}
	r.Detail.Input.JSON = json.RawMessage(schema + `,"additionalProperties":true}`)
}

func appendComma(list []byte) []byte {
	if len(list) > 0 {
		return append(list, ',')
	}
	return list
}
