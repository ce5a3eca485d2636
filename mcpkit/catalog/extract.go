package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// ErrNoSession says that Extract was called without a session.
var ErrNoSession = errors.New("catalog.Extract needs a session: make one with client.Connect")

// methodNotFound is the code of JSON-RPC 2.0, section 5.1.
const methodNotFound = -32601

// notFound is how servers say it that have another code for it.
var notFound = regexp.MustCompile(`(?i)\bmethod\b.*\bnot found\b`)

// Extract makes the catalogue of a server. It asks for the lists that the server says it has, with
// all their pages, and neither opens nor closes the session. A server that offers resources but
// does not know resources/templates/list has no templates.
//
// The error is ErrNoSession for a nil session, or a *ListError that names the list and wraps the
// error of client.Session.List.
func Extract(ctx context.Context, session *client.Session) (*Catalog, error) {
	if session == nil {
		return nil, ErrNoSession
	}
	d := Definitions{Info: session.Server().Raw, Capabilities: session.Capabilities(), Instructions: session.Instructions()}
	for _, list := range []struct {
		section, method string
		into            *[]json.RawMessage
	}{
		{"tools", "tools/list", &d.Tools},
		{"resources", "resources/list", &d.Resources},
		{"resources", "resources/templates/list", &d.ResourceTemplates},
		{"prompts", "prompts/list", &d.Prompts},
	} {
		if !session.Offers(list.section) {
			continue
		}
		items, err := session.List(ctx, list.method)
		var rejected *client.Error
		if list.into == &d.ResourceTemplates && errors.As(err, &rejected) && (rejected.Code == methodNotFound || notFound.MatchString(rejected.Message)) {
			continue
		}
		if err != nil {
			return nil, &ListError{list.method, err}
		}
		*list.into = items
	}
	return Compose(d)
}
