package transport

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Log messages to clients (2025-11-25, server/utilities/logging).
//
// A call is answered by its result and nothing else. What a client can be told beside that
// is about the server, and there are two messages:
//
//   - error: a call of its session ended in INTERNAL_ERROR. It has the name of the tool and
//     the id of the schema, nothing of what was sent and nothing of what went wrong.
//   - notice: the server stops and takes no new requests.
//
// A client that did not ask with logging/setLevel gets none of them.
//
// They are sent where they disturb nothing: on stdio between the answers, over HTTP on the
// stream that the client has opened with GET. Without such a stream they are not sent: in
// the answer to a POST they would make a stream of it, and they are not worth keeping. The
// level of an HTTP session is known to the process that was asked for it, which forgets it
// after maxRecent others.
//
// Since 2026-07-28 there are no sessions, and a request says with its _meta which messages
// about itself it wants. On stdio it gets them, over HTTP there is no place for them but the
// answer, so there logging is not declared. Nor is it with Options.Stateless: nobody would
// ever be told anything.

// logMessage is what a log message says.
type logMessage struct {
	Message  string `json:"message"`
	Tool     string `json:"tool,omitempty"`
	SchemaID string `json:"schema_id,omitempty"`
}

// newLogMessage makes the notification of a log message. Its logger is the server.
func (s *Server) newLogMessage(level mcp.LoggingLevel, m logMessage) mcp.LoggingMessageNotification {
	return mcp.NewLoggingMessageNotification(level, s.options.Info.Name, m)
}

// stopMessage is the notification that the server stops.
func (s *Server) stopMessage() mcp.LoggingMessageNotification {
	return s.newLogMessage(mcp.LoggingLevelNotice, logMessage{Message: "the server stops and takes no new requests"})
}

// encodeLogMessage encodes a notification as mcp-go does. It holds nothing that can't be.
func encodeLogMessage(message mcp.LoggingMessageNotification) []byte {
	doc, _ := json.Marshal(mcp.JSONRPCNotification{
		JSONRPC: mcp.JSONRPC_VERSION,
		Notification: mcp.Notification{
			Method: message.Method,
			Params: mcp.NotificationParams{AdditionalFields: map[string]any{
				"level": message.Params.Level, "logger": message.Params.Logger, "data": message.Params.Data,
			}},
		},
	})
	return doc
}

// loggingHooks keeps the levels of HTTP sessions, and what is declared true.
func (s *Server) loggingHooks(hooks *mcpserver.Hooks) {
	hooks.AddAfterSetLevel(func(ctx context.Context, _ any, r *mcp.SetLevelRequest, _ *mcp.EmptyResult) {
		if session := mcpserver.ClientSessionFromContext(ctx); !isStdio(session) {
			s.http().levels.set(session.SessionID(), r.Params.Level)
		}
	})
	hooks.AddAfterDiscover(func(ctx context.Context, _ any, _ *mcp.DiscoverRequest, r *mcp.DiscoverResult) {
		if !isStdio(mcpserver.ClientSessionFromContext(ctx)) {
			r.Capabilities.Logging = nil
		}
	})
}

func isStdio(session mcpserver.ClientSession) bool {
	_, ok := session.(*stdioSession)
	return ok
}

// TellFailure tells the client of a call that it ended in an internal error.
func (s *Server) TellFailure(ctx context.Context, tool, schemaID string) {
	if s.options.Stateless {
		return
	}
	message := s.newLogMessage(mcp.LoggingLevelError, logMessage{"a call ended in an internal error", tool, schemaID})
	session := mcpserver.ClientSessionFromContext(ctx)
	switch {
	case session == nil: // Handle
	case isStdio(session):
		s.logUntold(ctx, s.mcp.SendLogMessageToClient(ctx, message))
	case mcpserver.IsModernRequest(ctx):
	case s.http().wants(session.SessionID(), message):
		s.http().sessionStreams.send(session.SessionID(), encodeLogMessage(message))
	}
}

// tellStop tells the client of a stdio session that the server stops.
func (s *Server) tellStop(ctx context.Context, session *stdioSession) {
	if !s.options.Stateless && session.Initialized() {
		s.logUntold(ctx, s.mcp.SendLogMessageToSpecificClient(session.id, s.stopMessage()))
	}
}

// tellStop tells the clients that have opened a stream that the server stops.
func (t *httpTransport) tellStop(message mcp.LoggingMessageNotification) {
	t.sessionStreams.sendAll(encodeLogMessage(message), func(session string) bool { return t.wants(session, message) })
}

// wants reports whether a session asked for messages of this level.
func (t *httpTransport) wants(session string, message mcp.LoggingMessageNotification) bool {
	level, _ := t.levels.get(session)
	return message.Params.Level.ShouldSendTo(level)
}

// logUntold logs that a client could not be told something: it does not read.
func (s *Server) logUntold(ctx context.Context, err error) {
	if err != nil {
		s.log.LogAttrs(ctx, slog.LevelInfo, "the client was not told", slog.Any("error", err))
	}
}
