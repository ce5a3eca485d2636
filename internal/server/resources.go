package server

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

const (
	// schemaMedia is the media type of a schema.
	schemaMedia = "application/schema+json"
	// schemaURI begins the URI of a schema's resource; its id follows, percent-encoded.
	schemaURI = "schema://"
	// schemaTemplate is the template (RFC 6570) of such URIs.
	schemaTemplate = schemaURI + "{" + argSchemaID + "}"
	templateName   = "schema"
	// argSchemaID is the variable of the template, and the argument of tools and prompt.
	argSchemaID = "schema_id"
)

// addResources registers every schema as a resource. Without schemas the server has no
// resources and doesn't say that it had.
func (s *Server) addResources() {
	o := s.Options()
	if s.registry.Len() == 0 && !o.HandOver {
		return
	}
	mcpserver.WithResourceCapabilities(true, o.HandOver && !o.Stateless)(s.MCP()) // nothing changes while this server lives
	for _, schema := range s.registry.Schemas() {
		s.MCP().AddResource(mcp.Resource{
			URI:         resourceURI(schema.ID),
			Name:        schema.ID,
			Title:       cmp.Or(schema.Title, schema.ID),
			Description: schema.Description,
			MIMEType:    schemaMedia,
			Size:        new(int64(len(schema.Source))),
		}, func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return contents(r.Params.URI, schema), nil
		})
	}
	// The template stands for URIs that are written otherwise than in the list, with other
	// characters percent-encoded say.
	s.MCP().AddResourceTemplate(mcp.NewResourceTemplate(schemaTemplate, templateName,
		mcp.WithTemplateDescription("The JSON Schema of a message, byte for byte as its author wrote it."),
		mcp.WithTemplateMIMEType(schemaMedia),
	), s.readSchema)
}

// readSchema answers for the template. What its error becomes is up to checkResource.
func (s *Server) readSchema(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	schema, ok := s.schemaAt(r.Params.URI)
	if !ok {
		return nil, mcpserver.ErrResourceNotFound
	}
	return contents(r.Params.URI, schema), nil
}

// schemaAt is the schema whose resource has a URI, which is written as the template allows.
func (s *Server) schemaAt(uri string) (*jsonrt.Schema, bool) {
	escaped, ok := strings.CutPrefix(uri, schemaURI)
	if !ok || strings.ContainsFunc(escaped, func(r rune) bool { return r != '%' && !isUnreserved(r) }) {
		return nil, false
	}
	id, err := url.PathUnescape(escaped)
	if err != nil {
		return nil, false
	}
	return s.registry.Lookup(id)
}

func contents(uri string, schema *jsonrt.Schema) []mcp.ResourceContents {
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: schemaMedia, Text: schema.Source}}
}

// resourceURI is the URI of a schema, as the template makes it: all but the unreserved
// characters are percent-encoded (RFC 6570, section 3.2.2).
func resourceURI(id string) string {
	const hex = "0123456789ABCDEF"
	uri := []byte(schemaURI)
	for i := range len(id) {
		if c := id[i]; isUnreserved(rune(c)) {
			uri = append(uri, c)
		} else {
			uri = append(uri, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(uri)
}

// isUnreserved reports whether a character stands for itself in a URI (RFC 3986, section 2.3).
func isUnreserved(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._~", r)
}
