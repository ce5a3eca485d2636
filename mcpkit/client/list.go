package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Tool is a tool that a server has. What the server left out, or gave a wrong type, is empty.
type Tool struct {
	Name, Title, Description string
	// InputSchema and OutputSchema are the exact bytes of the schemas, nil for none.
	InputSchema, OutputSchema json.RawMessage
	// Annotations are hints about what the tool does, nil for none.
	Annotations json.RawMessage
	// Raw is the whole of it as it came.
	Raw json.RawMessage
}

// Resource is a resource that a server has.
type Resource struct {
	URI, Name, Title, Description, MIMEType string
	// Raw is the whole of it as it came.
	Raw json.RawMessage
}

// ResourceTemplate stands for the resources whose URIs follow a pattern.
type ResourceTemplate struct {
	URITemplate                        string // a URI template of RFC 6570
	Name, Title, Description, MIMEType string
	// Raw is the whole of it as it came.
	Raw json.RawMessage
}

// Prompt is a prompt that a server has.
type Prompt struct {
	Name, Title, Description string
	Arguments                []PromptArgument
	// Raw is the whole of it as it came.
	Raw json.RawMessage
}

// PromptArgument is a value that a prompt asks for.
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
}

// Tools lists the tools of the server, of all pages, in the server's order. The errors are those of
// [Session.List].
func (s *Session) Tools(ctx context.Context) ([]Tool, error) {
	return list(ctx, s, "tools/list", func(m message, i int) Tool {
		return Tool{
			Name: m.member(i, "name"), Title: m.member(i, "title"), Description: m.member(i, "description"),
			InputSchema: m.raw(i, "inputSchema"), OutputSchema: m.raw(i, "outputSchema"), Annotations: m.raw(i, "annotations"),
			Raw: m.bytes(i),
		}
	})
}

// Resources lists the resources of the server. See [Session.Tools].
func (s *Session) Resources(ctx context.Context) ([]Resource, error) {
	return list(ctx, s, "resources/list", func(m message, i int) Resource {
		return Resource{
			URI: m.member(i, "uri"), Name: m.member(i, "name"), Title: m.member(i, "title"),
			Description: m.member(i, "description"), MIMEType: m.member(i, "mimeType"), Raw: m.bytes(i),
		}
	})
}

// ResourceTemplates lists the templates of resources of the server. See [Session.Tools].
func (s *Session) ResourceTemplates(ctx context.Context) ([]ResourceTemplate, error) {
	return list(ctx, s, "resources/templates/list", func(m message, i int) ResourceTemplate {
		return ResourceTemplate{
			URITemplate: m.member(i, "uriTemplate"), Name: m.member(i, "name"), Title: m.member(i, "title"),
			Description: m.member(i, "description"), MIMEType: m.member(i, "mimeType"), Raw: m.bytes(i),
		}
	})
}

// Prompts lists the prompts of the server. See [Session.Tools].
func (s *Session) Prompts(ctx context.Context) ([]Prompt, error) {
	return list(ctx, s, "prompts/list", func(m message, i int) Prompt {
		p := Prompt{
			Name: m.member(i, "name"), Title: m.member(i, "title"), Description: m.member(i, "description"), Raw: m.bytes(i),
		}
		if a := m.at(i, "arguments"); a >= 0 && m.tape.Tokens[a].Kind == jsontape.Array {
			for e := range m.elements(a) {
				required := m.at(e, "required")
				p.Arguments = append(p.Arguments, PromptArgument{
					m.member(e, "name"), m.member(e, "title"), m.member(e, "description"),
					required >= 0 && m.tape.Tokens[required].Kind == jsontape.True,
				})
			}
		}
		return p
	})
}

// lists are the methods that list something, and the member of their results that is the list.
var lists = map[string]string{
	"tools/list":               "tools",
	"resources/list":           "resources",
	"resources/templates/list": "resourceTemplates",
	"prompts/list":             "prompts",
}

// List gives the items of a list as they came, of all pages: method is tools/list, resources/list,
// resources/templates/list or prompts/list. A list that is missing or null is empty. A list is whole
// or an error: a *[PageError] where the pages do not end, a *[ProtocolError] where the server sends
// something else than a list of objects, an *[Error] with the code -32601 from a server that has no
// such list, and see [Session.CallTool] for the others.
func (s *Session) List(ctx context.Context, method string) ([]json.RawMessage, error) {
	return list(ctx, s, method, func(m message, i int) json.RawMessage { return m.bytes(i) })
}

// list follows the pages of a list. Each item is read by item, from its token.
func list[T any](ctx context.Context, s *Session, method string, item func(m message, token int) T) ([]T, error) {
	member, ok := lists[method]
	if !ok {
		return nil, &InputError{method, errors.New("this method is not one of those that list something")}
	}
	var all []T
	var params json.RawMessage
	seen := map[string]bool{}
	for pages := 1; ; pages++ {
		m, err := s.ask(ctx, method, params)
		if err != nil {
			return nil, err
		}
		cursor, err := page(m, method, member, func(token int) { all = append(all, item(m, token)) })
		m.release()
		if err != nil {
			return nil, err
		}
		if cursor == "" {
			return all, nil
		}
		if seen[cursor] || pages >= s.options.MaxPages {
			return nil, &PageError{method, cursor, pages, seen[cursor]}
		}
		seen[cursor] = true
		params = append(jsontape.AppendQuoted([]byte(`{"cursor":`), cursor), '}')
	}
}

// page reads one page of a list and gives the cursor of the next, "" where there is none.
func page(m message, method, member string, each func(token int)) (cursor string, err error) {
	if kind := m.tape.Tokens[m.result].Kind; kind != jsontape.Object {
		return "", &ProtocolError{method, fmt.Sprintf("the result must be an object, but is of type %s", kind)}
	}
	if items := m.at(m.result, member); items >= 0 && m.tape.Tokens[items].Kind != jsontape.Null {
		if kind := m.tape.Tokens[items].Kind; kind != jsontape.Array {
			return "", &ProtocolError{method, fmt.Sprintf("the member %q must be a list, but is of type %s", member, kind)}
		}
		n := 0
		for i := range m.elements(items) {
			if kind := m.tape.Tokens[i].Kind; kind != jsontape.Object {
				return "", &ProtocolError{method, fmt.Sprintf("item %d of %q must be an object, but is of type %s", n, member, kind)}
			}
			each(i)
			n++
		}
	}
	next := m.at(m.result, "nextCursor")
	if next < 0 || m.tape.Tokens[next].Kind == jsontape.Null {
		return "", nil
	}
	if kind := m.tape.Tokens[next].Kind; kind != jsontape.String {
		return "", &ProtocolError{method, fmt.Sprintf("nextCursor must be a string, but is %s", excerpt(m.bytes(next)))}
	}
	return m.tape.Str(next), nil
}
