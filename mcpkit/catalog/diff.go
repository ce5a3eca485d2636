package catalog

import (
	"bytes"
	"encoding/json"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Change is one difference between two catalogues of a server.
type Change struct {
	// Breaking says that a caller who relied on the older catalogue may fail: what it sends may be
	// refused, or what it gets may not be what it expects. Where that can't be told, it is so.
	Breaking bool `json:"breaking"`
	// Type and Name say which item has changed; both are "" for the server itself. Resources go by
	// their URI, templates by their URI template.
	Type Type   `json:"type,omitempty"`
	Name string `json:"name,omitempty"`
	// Path leads to the place in the item's detail: /input/properties/n. It follows references, so it
	// need not be there literally. "" is the item as a whole.
	Path string `json:"path"`
	// Message says what has changed.
	Message string `json:"message"`
}

// String is the change in one line.
func (c Change) String() string {
	s := "server"
	if c.Type != "" {
		s = string(c.Type) + " " + c.Name
	}
	if c.Path != "" {
		s += ": " + c.Path
	}
	return s + ": " + c.Message
}

// Diff lists what has changed from older to newer, in the order of the items.
//
// Arguments may become wider and results narrower. The other way round is breaking: an item, a
// property or a value that is gone, a new required argument, a narrower type or limit of an argument,
// a wider one of a result.
func Diff(older, newer *Catalog) []Change {
	var changes []Change
	left := maxCompared
	server := differ{add: func(c Change) { changes = append(changes, c) }, left: &left}
	server.about(&older.Server, &newer.Server)

	was, is := index(older), index(newer)
	for _, item := range older.Items {
		key := keyOf(item)
		if was[key] != item {
			continue // one before has its name, so nobody reaches it
		}
		d := differ{left: &left, add: func(c Change) {
			c.Type, c.Name = key.t, key.name
			changes = append(changes, c)
		}}
		if now := is[key]; now != nil {
			d.item(item, now)
		} else {
			d.tell(true, "", "is gone")
		}
	}
	for _, item := range newer.Items {
		if key := keyOf(item); is[key] == item && was[key] == nil {
			changes = append(changes, Change{Type: key.t, Name: key.name, Message: "is new"})
		}
	}
	return changes
}

// key is what tells items apart.
type key struct {
	t    Type
	name string
}

func keyOf(i *Item) key {
	switch {
	case i.Type == Resource && i.Detail.URI != "":
		return key{i.Type, i.Detail.URI}
	case i.Type == ResourceTemplate && i.Detail.URITemplate != "":
		return key{i.Type, i.Detail.URITemplate}
	}
	return key{i.Type, i.Name}
}

// index are the items that can be reached.
func index(c *Catalog) map[key]*Item {
	m := make(map[key]*Item, len(c.Items))
	for _, item := range c.Items {
		if k := keyOf(item); m[k] == nil {
			m[k] = item
		}
	}
	return m
}

// differ compares the two states of one item.
type differ struct {
	add  func(Change)
	left *int // of maxCompared
}

func (d differ) tell(breaking bool, path, message string) {
	d.add(Change{Breaking: breaking, Path: path, Message: message})
}

// differs tells of a part that is not what it was, and that no caller depends on.
func (d differ) differs(what string, was, is json.RawMessage) {
	if !sameJSON(was, is) {
		d.tell(false, "", what+" has changed")
	}
}

func (d differ) text(breaking bool, what, was, is string) {
	if was != is {
		d.tell(breaking, "", what+" has changed")
	}
}

// about compares what the server says about itself.
func (d differ) about(was, is *Server) {
	d.differs("its info", was.Info, is.Info)
	d.text(false, "its instructions text", was.Instructions, is.Instructions)
	older, newer := sections(was.Capabilities), sections(is.Capabilities)
	for _, name := range older.names {
		switch now, there := newer.parts[name]; {
		case !there:
			d.tell(true, "", "the capability "+quote(name)+" is gone")
		default:
			d.differs("the capability "+quote(name), older.parts[name], now)
		}
	}
	for _, name := range newer.names {
		if _, there := older.parts[name]; !there {
			d.tell(false, "", "the capability "+quote(name)+" is new")
		}
	}
}

type memberList struct {
	names []string
	parts map[string]json.RawMessage
}

// sections are the members of an object.
func sections(object json.RawMessage) memberList {
	list := memberList{parts: make(map[string]json.RawMessage)}
	var t jsontape.Tape
	if object == nil || t.Parse(object, jsontape.Options{}) != nil || t.Tokens[0].Kind != jsontape.Object {
		return list
	}
	for i := 1; i < len(t.Tokens); i = t.Next(i + 1) {
		list.names = append(list.names, t.Str(i))
		list.parts[t.Str(i)] = t.Bytes(i + 1)
	}
	return list
}

// item compares an item with what it has become.
func (d differ) item(was, is *Item) {
	d.text(false, "its name", was.Name, is.Name)
	d.text(false, "its title", was.Title, is.Title)
	d.text(false, "its description", was.Description, is.Description)
	d.text(true, "its media type", was.Detail.MIMEType, is.Detail.MIMEType)
	if (was.Detail.Size == nil) != (is.Detail.Size == nil) || was.Detail.Size != nil && *was.Detail.Size != *is.Detail.Size {
		d.tell(false, "", "its size has changed")
	}
	d.differs("what its icons are", was.Meta.Icons, is.Meta.Icons)
	d.differs("what its annotations say", was.Meta.Annotations, is.Meta.Annotations)
	d.differs("its _meta", was.Meta.Meta, is.Meta.Meta)
	d.side(argument, was.Detail.Input, is.Detail.Input)
	switch {
	case was.Detail.Output != nil && is.Detail.Output == nil:
		d.tell(true, "/output", "results have no schema any more")
	case was.Detail.Output == nil && is.Detail.Output != nil:
		d.tell(false, "/output", "results have a schema now")
	default:
		d.side(result, was.Detail.Output, is.Detail.Output)
	}
}

// side compares the schemas of one side.
func (d differ) side(s side, was, is *Schema) {
	if was == nil || is == nil {
		return
	}
	path := "/" + string(s)
	switch {
	case was.Error == "" && is.Error != "":
		d.tell(true, path, "its schema can't be used any more: "+is.Error)
	case was.Error != "" && is.Error == "":
		d.tell(false, path, "its schema can be used now")
	case was.Error != "":
		if was.Error != is.Error || was.Text != is.Text || !sameJSON(was.JSON, is.JSON) {
			d.tell(false, path, "its schema, which can't be used, has changed")
		}
	case !sameJSON(was.JSON, is.JSON):
		c := comparison{differ: d, side: s, met: make(map[[2]int]bool)}
		c.was.parse(was.JSON)
		c.is.parse(is.JSON)
		c.schema(path, 0, 0)
	}
}

// sameJSON reports whether two texts, nil for none, are the same JSON value.
func sameJSON(a, b json.RawMessage) bool {
	if a == nil || b == nil || bytes.Equal(a, b) {
		return (a == nil) == (b == nil)
	}
	var t, u jsontape.Tape
	return t.Parse(a, jsontape.Options{}) == nil && u.Parse(b, jsontape.Options{}) == nil && jsonrt.Equal(&t, 0, &u, 0)
}

func quote(s string) string { return string(jsontape.AppendQuoted(nil, s)) }
