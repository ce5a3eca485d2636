package transport

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// The sections of what a server offers, as the names of methods call them.
const (
	SectionTools       = "tools"
	SectionResources   = "resources"
	SectionPrompts     = "prompts"
	SectionCompletions = "completion"
)

// absent is the error of a request for what the server does not offer, nil if it does.
func (s *Server) absent(ctx context.Context, m *wire.Message) *wire.Error {
	section, _, _ := strings.Cut(m.Method, "/")
	switch section {
	case SectionTools, SectionResources, SectionPrompts, SectionCompletions:
		if s.app.Offers != nil && !s.app.Offers(section) {
			return &wire.Error{Code: mcp.METHOD_NOT_FOUND, Message: "this server has no " + strings.TrimSuffix(section, "s") + "s: its capabilities say what it has"}
		}
	}
	switch m.Method {
	case wire.MethodSubscribe, wire.MethodUnsubscribe:
		if !s.app.Subscriptions && !m.Since2026() {
			return &wire.Error{Code: mcp.METHOD_NOT_FOUND, Message: "this server has no subscriptions to resources: read a resource again to see whether it has changed"}
		}
	case wire.MethodSetLevel, wire.MethodSubscriptionsListen:
		if mcpserver.ClientSessionFromContext(ctx) == nil { // see Handle
			return &wire.Error{Code: mcp.METHOD_NOT_FOUND, Message: "there is no connection over which notifications could come"}
		}
	}
	return nil
}

// sectionHooks keeps what is declared true: sections with nothing in them, and what needs a
// connection where there is none, are left out.
func (s *Server) sectionHooks(hooks *mcpserver.Hooks) {
	hooks.AddAfterInitialize(func(ctx context.Context, _ any, _ *mcp.InitializeRequest, r *mcp.InitializeResult) {
		s.declare(ctx, &r.Capabilities)
	})
	hooks.AddAfterDiscover(func(ctx context.Context, _ any, _ *mcp.DiscoverRequest, r *mcp.DiscoverResult) {
		s.declare(ctx, &r.Capabilities)
	})
}

func (s *Server) declare(ctx context.Context, c *mcp.ServerCapabilities) {
	if s.app.Offers != nil {
		if !s.app.Offers(SectionTools) {
			c.Tools = nil
		}
		if !s.app.Offers(SectionResources) {
			c.Resources = nil
		}
		if !s.app.Offers(SectionPrompts) {
			c.Prompts = nil
		}
	}
	if mcpserver.ClientSessionFromContext(ctx) != nil {
		return
	}
	c.Logging = nil
	if c.Tools != nil {
		c.Tools.ListChanged = false
	}
	if c.Resources != nil {
		c.Resources.ListChanged = false
	}
	if c.Prompts != nil {
		c.Prompts.ListChanged = false
	}
}
