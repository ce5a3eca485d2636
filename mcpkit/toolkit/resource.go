package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// ReadRequest says which resource is to be read.
type ReadRequest struct {
	// URI is the URI as the client has sent it.
	URI string
	// Variables are what the variables of the template have in it, decoded; nil for a resource that
	// is no template. The values of a list are joined with commas. They are the client's: a path
	// among them may lead anywhere.
	Variables map[string]string
}

// ResourceResult is what the function of a resource returns: text, bytes, or files. A file without
// URI or MIMEType gets those of the resource.
type ResourceResult interface {
	string | []byte | File | []File
}

// ErrNoResource means that there is no resource with a URI that fits a template. A function that
// returns it, or an error that wraps it, has the client told so.
var ErrNoResource = errors.New("there is no such resource")

// Resource adds a resource to a server, as [Tool] adds a tool. read is called whenever a client reads
// it, and never for a list; [Static] is for what does not change.
//
// A uri with variables in braces, such as "notes:///{day}" (RFC 6570), is a template: clients are told
// of it beside the resources, and read gets every URI that fits it and is no resource of its own. Of
// several templates that fit, the one that was added first counts. A read that finds nothing returns
// [ErrNoResource].
//
// An error or a panic of read is answered with the JSON-RPC error -32603 and the text of the error,
// but nothing of the panic.
//
// The error is a *[AddError], which says what is wrong with the resource. The resource is not there
// then.
func Resource[Out ResourceResult](s *Server, uri, name, description string, read func(context.Context, ReadRequest) (Out, error), options ...ResourceOption) error {
	d := definition{name: name, description: description}
	for _, option := range options {
		option.ofResource(&d)
	}
	r := &resource{uri: uri, mimeType: d.mimeType, timeout: d.timeout}
	switch fault := r.fault(); {
	case fault != "":
		return &AddError{Kind: "resource", Name: uri, Message: fault}
	case name == "":
		return &AddError{Kind: "resource", Name: uri, Message: "the resource has no name"}
	case read == nil:
		return &AddError{Kind: "resource", Name: uri, Message: "the resource has no function"}
	case d.fault != "":
		return &AddError{Kind: "resource", Name: uri, Message: d.fault}
	}
	r.read = func(ctx context.Context, request ReadRequest) (any, error) { return read(ctx, request) }
	return s.addResource(&d, r)
}

// Static is the function of a resource that always has the same content.
func Static[Out ResourceResult](content Out) func(context.Context, ReadRequest) (Out, error) {
	return func(context.Context, ReadRequest) (Out, error) { return content, nil }
}

// resource is a resource, or a template, that was added.
type resource struct {
	uri, mimeType string
	template      *mcp.URITemplate     // nil for a resource
	listed        mcp.ResourceTemplate // of a template, what mcp-go lists
	timeout       time.Duration        // 0 is none
	read          func(context.Context, ReadRequest) (any, error)
}

// fault says what is wrong with the URI, "" if nothing, and finds out whether it is a template.
func (r *resource) fault() string {
	if strings.ContainsAny(r.uri, "{}") {
		r.template = &mcp.URITemplate{}
		if err := json.Unmarshal(jsontape.AppendQuoted(nil, r.uri), r.template); err != nil {
			return "the template is none of RFC 6570: its variables must be written as {name}"
		}
		if scheme, _, found := strings.Cut(r.uri, ":"); !found || strings.Contains(scheme, "{") {
			return "the template must begin with a scheme, as notes:///{day} does"
		}
		return ""
	}
	if u, err := url.Parse(r.uri); err != nil || !u.IsAbs() {
		return "the URI must begin with a scheme, as notes:///today does (RFC 3986)"
	}
	return ""
}

// addResource puts a resource on its list.
func (s *Server) addResource(d *definition, r *resource) error {
	s.mu.Lock()
	taken := s.resources[r.uri] != nil || slices.ContainsFunc(s.templates, func(t *resource) bool { return t.uri == r.uri })
	if !taken {
		s.offers.resources.Store(true)
		if r.template == nil {
			s.resources[r.uri] = r
			s.transport.MCP().AddResource(mcp.Resource{URI: r.uri, Name: d.name, Title: d.title, Description: d.description, MIMEType: r.mimeType}, s.readResource)
		} else {
			s.templates = append(s.templates, r)
			r.listed = mcp.ResourceTemplate{
				URITemplate: r.template, Name: d.name, Title: d.title, Description: d.description, MIMEType: r.mimeType,
			}
			s.transport.MCP().AddResourceTemplate(r.listed, s.readResource)
		}
	}
	s.mu.Unlock()
	if taken {
		return &AddError{Kind: "resource", Name: r.uri, Message: "there is a resource with this URI already: choose another, or remove that one first"}
	}
	s.transport.ListChanged(transport.SectionResources)
	return nil
}

// RemoveResource takes away the resource, or the template, with a URI, as Remove takes a tool away.
func (s *Server) RemoveResource(uri string) bool {
	s.mu.Lock()
	_, found := s.resources[uri]
	if found {
		delete(s.resources, uri)
		s.transport.MCP().DeleteResources(uri)
	} else if i := slices.IndexFunc(s.templates, func(t *resource) bool { return t.uri == uri }); i >= 0 {
		found = true
		s.templates = slices.Delete(slices.Clone(s.templates), i, i+1)
		s.setTemplates()
	}
	s.mu.Unlock()
	if found {
		s.transport.ListChanged(transport.SectionResources)
	}
	return found
}

// setTemplates gives mcp-go, which can't delete one, the templates that there are.
func (s *Server) setTemplates() {
	all := make([]mcpserver.ServerResourceTemplate, len(s.templates))
	for i, t := range s.templates {
		all[i] = mcpserver.ServerResourceTemplate{Template: t.listed, Handler: s.readResource}
	}
	s.transport.MCP().SetResourceTemplates(all...)
}

// resourceAt is the resource that a URI stands for, nil if there is none, and the variables of its
// template.
func (s *Server) resourceAt(uri string) (*resource, map[string]string) {
	s.mu.Lock()
	r, templates := s.resources[uri], s.templates
	s.mu.Unlock()
	if r != nil {
		return r, nil
	}
	for _, t := range templates {
		values := t.template.Match(uri)
		if values == nil {
			continue
		}
		variables := make(map[string]string, len(values))
		for name, value := range values {
			variables[name] = strings.Join(value.V, ",")
		}
		return t, variables
	}
	return nil, nil
}

// readResource is the handler that mcp-go calls. It leaves the contents with the call, and returns a
// result that holds the placeholder for them.
func (s *Server) readResource(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	call := wire.FromContext(ctx)
	if call == nil {
		return nil, errNoCall
	}
	call.Checked()
	found, variables := s.resourceAt(r.Params.URI)
	if found == nil { // it was removed just now
		return nil, transport.NoResource(ctx)
	}
	what := "resource " + quoted(r.Params.URI)
	value, err := s.run(ctx, found.timeout, func(ctx context.Context) (any, error) {
		return found.read(ctx, ReadRequest{URI: r.Params.URI, Variables: variables})
	})
	switch {
	case errors.Is(err, ErrNoResource):
		return nil, transport.NoResource(ctx)
	case err != nil:
		return nil, wire.Fail(ctx, s.failure(ctx, err, what, found.timeout))
	}
	token := call.AnswerList(wire.ListContents, contentsPieces(value, File{URI: r.Params.URI, MIMEType: found.mimeType}))
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, Text: token}}, nil
}

// contentsPieces are the JSON of what a resource has returned. What a file does not say it has from
// the other one.
func contentsPieces(value any, otherwise File) []wire.Piece {
	var files []File
	switch v := value.(type) {
	case string:
		files = []File{{Text: v}}
	case []byte:
		files = []File{FileBytes("", "", v)}
	case File:
		files = []File{v}
	case []File:
		files = v
	}
	p := []wire.Piece{raw("[")}
	for i, f := range files {
		if i > 0 {
			p = append(p, raw(","))
		}
		if f.URI == "" {
			f.URI = otherwise.URI
		}
		if f.MIMEType == "" {
			f.MIMEType = otherwise.MIMEType
		}
		p = f.appendContents(p)
	}
	return append(p, raw("]"))
}
