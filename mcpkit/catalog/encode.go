package catalog

import (
	"encoding/json"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// AppendJSON appends the document to dst: JSON that satisfies the schema mcp_catalog_v1, with an item
// on each line and a line break at the end. Schemas and what else a server sends as JSON keep their
// bytes. The same catalogue always gives the same bytes.
func (c *Catalog) AppendJSON(dst []byte) []byte {
	o := object{append(dst, `{"server":`...), 0}
	server := object{append(o.dst, '{'), 0}
	server.raw("info", c.Server.Info)
	server.raw("capabilities", c.Server.Capabilities)
	server.text("instructions", c.Server.Instructions)
	dst = append(server.dst, `},"items":[`...)
	for i, item := range c.Items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = item.append(append(dst, '\n'))
	}
	if len(c.Items) > 0 {
		dst = append(dst, '\n')
	}
	return append(dst, "]}\n"...)
}

// MarshalJSON gives what AppendJSON does. Note that encoding/json removes white space from it.
func (c *Catalog) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil), nil }

// append appends the item.
func (i *Item) append(dst []byte) []byte {
	o := object{append(dst, '{'), 0}
	o.text("type", string(i.Type))
	o.name("name")
	o.dst = jsontape.AppendQuoted(o.dst, i.Name) // also where it is ""
	o.text("title", i.Title)
	o.text("description", i.Description)
	o.object("meta", func(o *object) {
		o.raw("icons", i.Meta.Icons)
		o.raw("annotations", i.Meta.Annotations)
		o.raw("_meta", i.Meta.Meta)
	})
	o.object("detail", func(o *object) {
		o.schema("input", i.Detail.Input)
		o.schema("output", i.Detail.Output)
		o.text("uri", i.Detail.URI)
		o.text("uriTemplate", i.Detail.URITemplate)
		o.text("mimeType", i.Detail.MIMEType)
		if i.Detail.Size != nil {
			o.raw("size", strconv.AppendInt(nil, *i.Detail.Size, 10))
		}
		o.raw("ui", i.Detail.UI)
	})
	if len(i.Warnings) > 0 {
		o.name("warnings")
		o.dst = append(o.dst, '[')
		for n, w := range i.Warnings {
			if n > 0 {
				o.dst = append(o.dst, ',')
			}
			o.dst = jsontape.AppendQuoted(o.dst, w)
		}
		o.dst = append(o.dst, ']')
	}
	return append(o.dst, '}')
}

// object is an object that is being written. Members without a value are left out.
type object struct {
	dst     []byte
	members int
}

func (o *object) name(name string) {
	if o.members > 0 {
		o.dst = append(o.dst, ',')
	}
	o.members++
	o.dst = append(jsontape.AppendQuoted(o.dst, name), ':')
}

func (o *object) text(name, value string) {
	if value != "" {
		o.name(name)
		o.dst = jsontape.AppendQuoted(o.dst, value)
	}
}

func (o *object) raw(name string, value json.RawMessage) {
	if value != nil {
		o.name(name)
		o.dst = append(o.dst, value...)
	}
}

func (o *object) object(name string, members func(*object)) {
	o.name(name)
	inner := object{append(o.dst, '{'), 0}
	members(&inner)
	o.dst = append(inner.dst, '}')
}

func (o *object) schema(name string, s *Schema) {
	if s == nil {
		return
	}
	o.object(name, func(o *object) {
		o.raw("json", s.JSON)
		o.text("text", s.Text)
		o.text("error", s.Error)
	})
}
