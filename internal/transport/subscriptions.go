package transport

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// resourceHooks sees to requests about one resource.
//
// None changes while the server runs: schemas are compiled in. So a subscription
// (2025-11-25, server/resources, subscriptions) to a resource that exists is accepted and
// no notification ever follows. Nothing is kept of it, however many there are.
//
// Since 2026-07-28 a subscription is a stream that stays open. It would cost both sides a
// connection for news that never come, so there the server neither declares subscriptions
// nor agrees to them in subscriptions/listen.
func (s *Server) resourceHooks(hooks *mcpserver.Hooks) {
	hooks.AddBeforeReadResource(func(ctx context.Context, _ any, r *mcp.ReadResourceRequest) {
		s.checkResource(ctx, r.Params.URI)
	})
	// mcp-go lets a client subscribe to any resource, but it refuses the empty URI.
	hooks.AddBeforeSubscribe(func(ctx context.Context, _ any, r *mcp.SubscribeRequest) {
		if !s.checkResource(ctx, r.Params.URI) {
			r.Params.URI = ""
		}
	})
	hooks.AddBeforeUnsubscribe(func(ctx context.Context, _ any, r *mcp.UnsubscribeRequest) {
		if !s.checkResource(ctx, r.Params.URI) {
			r.Params.URI = ""
		}
	})
	hooks.AddBeforeSubscriptionsListen(func(_ context.Context, _ any, r *mcp.SubscriptionsListenRequest) {
		r.Params.Notifications.ResourceSubscriptions = nil
	})
	hooks.AddAfterDiscover(func(_ context.Context, _ any, _ *mcp.DiscoverRequest, r *mcp.DiscoverResult) {
		if r.Capabilities.Resources != nil {
			r.Capabilities.Resources.Subscribe = false
		}
	})
}

// checkResource reports whether a resource exists. If not it words the error that mcp-go's
// answer is going to have: with the URI as it was received (2025-11-25 and 2026-07-28,
// server/resources, error handling).
func (s *Server) checkResource(ctx context.Context, uri string) bool {
	if s.app.HasResource(uri) {
		return true
	}
	_ = NoResource(ctx) // for mcp-go to run into
	return false
}

// NoResource is the error of a request for a resource that there is not. The answer is going to have
// it, also where mcp-go makes the error.
func NoResource(ctx context.Context) error {
	failure := &wire.Error{Code: mcp.RESOURCE_NOT_FOUND, Message: "there is no such resource; resources/list has all"}
	if mcp.IsModernProtocol(mcpserver.RequestProtocolVersion(ctx)) {
		failure.Code = mcp.INVALID_PARAMS
	}
	if text := wire.URI(ctx); text != nil {
		failure.Data = append(append([]byte(`{"uri":`), text...), '}')
	}
	return wire.Fail(ctx, failure)
}
