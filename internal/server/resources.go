package server

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/wire"
)

const (
	// schemaMedia is the media type of a schema.
	schemaMedia = "application/schema+json"
	// schemaURI begins the URI of a schema's resource; its id follows, percent-encoded.
	schemaURI = "schema://"
	// schemaTemplate is the template (RFC 6570) of such URIs.
	schemaTemplate = schemaURI + "{" + argSchemaID + "}"
	// argSchemaID is the variable of the template, and the argument of tools and prompt.
	argSchemaID = "schema_id"
)

// addResources registers every schema as a resource. Without schemas the server has no
// resources and doesn't say that it had.
func (s *Server) addResources() {
	if s.registry.Len() == 0 {
		return
	}
	for _, schema := range s.registry.Schemas() {
		s.mcp.AddResource(mcp.Resource{
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
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(schemaTemplate, "schema",
		mcp.WithTemplateDescription("The JSON Schema of a message, byte for byte as its author wrote it."),
		mcp.WithTemplateMIMEType(schemaMedia),
	), s.readSchema)
}

// readSchema answers for URIs that are written otherwise than in the list, with other
// characters percent-encoded say, and for those of schemas that don't exist.
func (s *Server) readSchema(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	id, err := url.PathUnescape(strings.TrimPrefix(r.Params.URI, schemaURI))
	if schema, ok := s.registry.Lookup(id); err == nil && ok {
		return contents(r.Params.URI, schema), nil
	}
	code := mcp.RESOURCE_NOT_FOUND
	if mcp.IsModernProtocol(mcpserver.RequestProtocolVersion(ctx)) {
		code = mcp.INVALID_PARAMS
	}
	wire.SetErrorCode(ctx, code)
	return nil, errors.New("there is no such schema; resources/list has all")
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
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			uri = append(uri, c)
		default:
			uri = append(uri, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(uri)
}
