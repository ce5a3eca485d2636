package catalog

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/generated"
)

// Parse reads a document that AppendJSON has written, or another program. The error is a
// *jsontape.SyntaxError, or one of jsonrt.Schema.Validate for JSON that is no such document. The
// catalogue shares the memory of data, which must not change.
func Parse(data []byte) (*Catalog, error) {
	var t jsontape.Tape
	if err := t.Parse(data, jsontape.Options{}); err != nil {
		return nil, err
	}
	schema, _ := generated.Registry.Lookup(SchemaID)
	if err := schema.ValidateTape(context.Background(), &t, 0); err != nil {
		return nil, err
	}
	p := parser{&t}
	server := t.Member(0, "server")
	c := &Catalog{Server: Server{Info: p.raw(server, "info"), Capabilities: p.raw(server, "capabilities"), Instructions: p.text(server, "instructions")}}
	items := t.Member(0, "items")
	c.Items = make([]*Item, 0, t.Len(items))
	for i := items + 1; i < t.Next(items); i = t.Next(i) {
		c.Items = append(c.Items, p.item(i))
	}
	return c, nil
}

// parser reads a document that satisfies the schema.
type parser struct{ t *jsontape.Tape }

func (p parser) raw(o int, name string) json.RawMessage {
	if i := p.t.Member(o, name); i >= 0 {
		return p.t.Bytes(i)
	}
	return nil
}

func (p parser) text(o int, name string) string {
	if i := p.t.Member(o, name); i >= 0 {
		return p.t.Str(i)
	}
	return ""
}

func (p parser) item(o int) *Item {
	t := p.t
	meta, detail := t.Member(o, "meta"), t.Member(o, "detail")
	item := &Item{
		Type: Type(p.text(o, "type")), Name: p.text(o, "name"), Title: p.text(o, "title"), Description: p.text(o, "description"),
		Meta: Meta{Icons: p.raw(meta, "icons"), Annotations: p.raw(meta, "annotations"), Meta: p.raw(meta, "_meta")},
		Detail: Detail{
			Input: p.schema(detail, "input"), Output: p.schema(detail, "output"),
			URI: p.text(detail, "uri"), URITemplate: p.text(detail, "uriTemplate"), MIMEType: p.text(detail, "mimeType"), UI: p.raw(detail, "ui"),
		},
	}
	if n, err := strconv.ParseInt(string(p.raw(detail, "size")), 10, 64); err == nil {
		item.Detail.Size = &n
	}
	if warnings := t.Member(o, "warnings"); warnings >= 0 {
		for i := warnings + 1; i < t.Next(warnings); i = t.Next(i) {
			item.Warnings = append(item.Warnings, t.Str(i))
		}
	}
	return item
}

func (p parser) schema(detail int, name string) *Schema {
	i := p.t.Member(detail, name)
	if i < 0 {
		return nil
	}
	return &Schema{JSON: p.raw(i, "json"), Text: p.text(i, "text"), Error: p.text(i, "error")}
}
