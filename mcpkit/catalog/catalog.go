package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/runtimeschema"
)

// SchemaID is the id of the message type that the document is.
const SchemaID = "mcp_catalog_v1"

// Type says what an item is.
type Type string

// The types of items, in the order in which a catalogue has them.
const (
	Tool             Type = "tool"
	Resource         Type = "resource"
	ResourceTemplate Type = "resource-template"
	Prompt           Type = "prompt"
)

// Catalog is what one server offers. It is not to be changed.
type Catalog struct {
	Server Server
	// Items are the tools, then the resources, the resource templates and the prompts, each in the
	// server's order.
	Items []*Item
}

// Find is the first item of a type that has the name, as clients find it; nil if there is none.
func (c *Catalog) Find(t Type, name string) *Item {
	for _, item := range c.Items {
		if item.Type == t && item.Name == name {
			return item
		}
	}
	return nil
}

// Server is what a server says about itself.
type Server struct {
	// Info (serverInfo) and Capabilities are JSON objects as they were sent, nil where they are not
	// known.
	Info, Capabilities json.RawMessage
	// Instructions tell a model how to use the server; "" for none.
	Instructions string
}

// Item is one tool, resource, resource template or prompt. What the server did not say is "" or nil.
type Item struct {
	Type Type
	// Name is the name, or the type where the server sent none that is a string.
	Name string
	// Title is the name for people. That of a tool may come from its annotations.
	Title       string
	Description string
	Meta        Meta
	Detail      Detail
	// Warnings tell people what is odd about the item. Each begins with the place in the definition
	// that the server sent, a JSON Pointer.
	Warnings []string
}

// Validate checks the arguments for a tool or a prompt. It returns nil, a *SchemaError where the
// schema of the arguments can't be used, ErrNoSchema for a resource or a template, or an error of
// jsonrt.Schema.Validate: a *jsonrt.ValidationError lists each fault with its path, keyword and
// message. An item whose server gave no schema takes any JSON.
func (i *Item) Validate(arguments []byte) error { return i.Detail.Input.Validate(arguments) }

// Meta is what a server says beside, as it was sent; nil for nothing.
type Meta struct {
	Icons, Annotations json.RawMessage
	// Meta is the member _meta, where extensions of the protocol put theirs.
	Meta json.RawMessage
}

// Detail is what only items of some types have.
type Detail struct {
	// Input is the schema of the arguments of a tool or a prompt, nil for other items.
	Input *Schema
	// Output is the schema of the structured results of a tool, nil for none.
	Output *Schema
	// URI is that of a resource, URITemplate the one of a template (RFC 6570).
	URI, URITemplate string
	MIMEType         string
	// Size is how large a resource is, in bytes; nil where that is not known.
	Size *int64
	// UI is what MCP Apps say of the item's user interface: _meta.ui as it was sent, of any shape;
	// nil for nothing.
	UI json.RawMessage
}

// Schema is the schema of one side of an item.
type Schema struct {
	// JSON is the schema byte for byte as it was sent; that of a prompt is made of its arguments. It
	// is nil where there is none, or Text has it.
	JSON json.RawMessage
	// Text is the schema where no document can hold it as JSON, since it repeats a name or nests too
	// deep; else "".
	Text string
	// Error says why nothing can be checked with the schema: the place in it, a JSON Pointer, and
	// what is wrong there. "" means that it can be used.
	Error string

	once    sync.Once
	checks  *jsonrt.Schema
	remarks []runtimeschema.Remark
}

// ErrNoSchema says that an item has no schema of this kind.
var ErrNoSchema = errors.New("there is no schema to check it with")

// SchemaError says that a schema can't be used.
type SchemaError struct {
	// Reason says why: the place in the schema, a JSON Pointer, and what is wrong there.
	Reason string
}

// Error says why the schema can't be used.
func (e *SchemaError) Error() string { return "the schema can't be used: " + e.Reason }

// Validate checks a JSON document. The errors are those of Item.Validate; a nil Schema gives
// ErrNoSchema.
func (s *Schema) Validate(data []byte) error {
	compiled, err := s.Compiled()
	if err != nil {
		return err
	}
	return compiled.Validate(data)
}

// Compiled is the schema as what checks documents. The error is a *SchemaError, or ErrNoSchema
// where s is nil.
func (s *Schema) Compiled() (*jsonrt.Schema, error) {
	if s == nil {
		return nil, ErrNoSchema
	}
	s.once.Do(s.compile)
	if s.Error != "" {
		return nil, &SchemaError{s.Error}
	}
	return s.checks, nil
}

// compile makes checks, or sets Error.
func (s *Schema) compile() {
	if s.Error != "" {
		return
	}
	s.checks = &jsonrt.Schema{Source: string(s.JSON), Check: func(*jsonrt.Checker, int) bool { return true }}
	if s.JSON == nil {
		return
	}
	check, err := runtimeschema.Compile(s.JSON)
	if err != nil {
		s.checks, s.Error = nil, err.Error()
		return
	}
	s.checks.Check, s.remarks = check.Run, check.Remarks()
}

// ListError says that a server did not give a list that it offers.
type ListError struct {
	// Method is the request: "tools/list".
	Method string
	// Err is why, an error of client.Session.List.
	Err error
}

// Error names the method and says why.
func (e *ListError) Error() string {
	if why := e.Err.Error(); strings.Contains(why, e.Method) {
		return why
	}
	return fmt.Sprintf("%s: %v", e.Method, e.Err)
}

// Unwrap gives Err.
func (e *ListError) Unwrap() error { return e.Err }
