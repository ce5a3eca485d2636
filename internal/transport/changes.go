package transport

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/protocol"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// Lists that change (2025-11-25, list changed notification in server/tools, server/resources and
// server/prompts).
//
// mcp-go would tell every session that it knows, over HTTP in whichever answer comes first, and
// at once, also a client that has not said that it is ready. So it tells those only that have
// asked with subscriptions/listen over HTTP, and the server tells the others: on stdio between the
// answers, over HTTP on the stream that the client has opened with GET.

// methodInitialized is the notification with which a client says that it is ready.
const methodInitialized = "notifications/initialized"

// ListChanged tells the clients that the list of a section is another now. What it has is added to
// MCP and deleted there before.
func (s *Server) ListChanged(section string) {
	if s.app.Changes {
		s.listChanged("notifications/" + section + "/list_changed")
	}
}

// handOver tells the clients, where Options.HandOver says so, that the server after this one may
// have other lists.
func (s *Server) handOver() {
	if !s.options.HandOver {
		return
	}
	for _, method := range []string{
		mcp.MethodNotificationToolsListChanged, mcp.MethodNotificationResourcesListChanged, mcp.MethodNotificationPromptsListChanged,
	} {
		s.mcp.SendNotificationToAllClients(method, nil) // as mcp-go does where a tool comes or goes
		s.listChanged(method)
	}
}

// listChanged tells the clients that mcp-go does not tell that a list is another now.
func (s *Server) listChanged(method string) {
	if s.options.Stateless {
		return
	}
	s.stdio.each(func(session *stdioSession) { session.listChanged(method) })
	if s.metrics.Load() == nil {
		return // nobody has used HTTP
	}
	t := s.http()
	doc, _ := json.Marshal(listNotice(method)) // there is nothing in it that can't be encoded
	t.sessionStreams.sendAll(doc, func(session string) bool {
		waits, _ := t.uninitialized.get(session)
		return !waits
	})
}

func listNotice(method string) mcp.JSONRPCNotification {
	return mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{Method: method}}
}

// changeHooks keeps what a client on stdio listens to, and keeps HTTP sessions from mcp-go.
func (s *Server) changeHooks(hooks *mcpserver.Hooks) {
	hooks.AddBeforeSubscriptionsListen(func(ctx context.Context, id any, r *mcp.SubscriptionsListenRequest) {
		if session, ok := mcpserver.ClientSessionFromContext(ctx).(*stdioSession); ok {
			session.listen(ctx, id, r.Params.Notifications)
		}
	})
	hooks.AddOnRegisterSession(func(ctx context.Context, session mcpserver.ClientSession) {
		if !isStdio(session) {
			s.mcp.UnregisterSession(ctx, session.SessionID())
		}
	})
}

// noteReady notes which HTTP sessions have not said yet that they are ready. One that this process
// did not begin counts as ready.
func (t *httpTransport) noteReady(m *wire.Message, begun, session string) {
	switch {
	case t.sessions == nil:
	case m.Method == wire.MethodInitialize && begun != "":
		t.uninitialized.set(begun, true)
	case m.Method == methodInitialized && session != "":
		if _, known := t.uninitialized.get(session); known {
			t.uninitialized.set(session, false)
		}
	}
}

// stdioClients are the sessions on stdio. The zero value has none.
type stdioClients struct {
	mu       sync.Mutex
	sessions map[*stdioSession]struct{}
}

func (c *stdioClients) add(session *stdioSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions == nil {
		c.sessions = make(map[*stdioSession]struct{})
	}
	c.sessions[session] = struct{}{}
}

func (c *stdioClients) remove(session *stdioSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, session)
}

// each calls f, which must not wait, for every session.
func (c *stdioClients) each(f func(*stdioSession)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for session := range c.sessions {
		f(session)
	}
}

// listen has the session told of changes under the id of a subscriptions/listen request until
// ctx, which is that of the request, ends (2026-07-28, basic/utilities/subscriptions).
func (s *stdioSession) listen(ctx context.Context, id any, wanted mcp.SubscriptionFilter) {
	l := &listener{id, map[string]bool{
		mcp.MethodNotificationToolsListChanged:     wanted.ToolsListChanged,
		mcp.MethodNotificationResourcesListChanged: wanted.ResourcesListChanged,
		mcp.MethodNotificationPromptsListChanged:   wanted.PromptsListChanged,
	}}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listeners == nil {
		s.listeners = make(map[*listener]struct{})
	}
	s.listeners[l] = struct{}{}
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.listeners, l)
	})
}

// listener is a request that listens to changes.
type listener struct {
	id     any
	wanted map[string]bool // by the method of the notice
}

// listChanged tells the client once, and each of its listeners that wants to know. A queue that is
// full has such a notice in it, or its client does not read.
func (s *stdioSession) listChanged(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	send := func(n mcp.JSONRPCNotification) {
		select {
		case s.notifications <- n:
		default:
		}
	}
	if s.ready.Load() {
		send(listNotice(method))
	}
	for l := range s.listeners {
		if l.wanted[method] {
			n := listNotice(method)
			n.Params.Meta = map[string]any{mcp.MetaKeySubscriptionID: l.id}
			send(n)
		}
	}
}

// SetSubscriptionFilter implements mcp-go's SessionWithSubscriptionFilter.
func (s *stdioSession) SetSubscriptionFilter(mcp.SubscriptionFilter) {}

// SubscriptionFilter implements mcp-go's SessionWithSubscriptionFilter: where the list of tools
// changes, mcp-go tells the session of nothing.
func (s *stdioSession) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	return mcp.SubscriptionFilter{}, s.changes
}

// SetProtocolVersion implements what mcp-go asks of a session that knows its version.
func (s *stdioSession) SetProtocolVersion(version string) { s.version.Store(version) }

// ProtocolVersion implements mcp-go's SessionWithProtocolVersion.
func (s *stdioSession) ProtocolVersion() string {
	version, _ := s.version.Load().(string)
	return version
}

// ProtocolVersion is the version of the protocol that holds for a request: that of its _meta, of
// its session, or of the header. A request over HTTP without a header is of 2025-03-26 (2025-06-18,
// basic/transports, protocol version header).
func ProtocolVersion(ctx context.Context, r *mcp.CallToolRequest) string {
	if version := mcpserver.RequestProtocolVersion(ctx); version != "" {
		return version
	}
	if version := r.Header.Get(mcp.HeaderProtocolVersion); version != "" {
		return version
	}
	return protocol.HTTPDefault
}
