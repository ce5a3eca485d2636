package transport

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/protocol"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// requestHooks refuses requests that mcp-go would misread, or refuse in the words of a
// library. What is left to mcp-go to refuse gets our words in wire.Message.WriteAnswer.
func (s *Server) requestHooks(hooks *mcpserver.Hooks) {
	hooks.AddOnRequestInitialization(func(ctx context.Context, _, _ any) error {
		m := wire.MessageFrom(ctx)
		if m == nil {
			return nil
		}
		if fault := s.absent(ctx, m); fault != nil {
			m.Error = fault
		}
		if m.Error == nil {
			m.Error = s.requestFault(m)
		}
		if m.Error == nil {
			return nil
		}
		return m.Error
	})
}

// requestFault says what is wrong with a request whose params have the right types, nil if
// nothing.
func (s *Server) requestFault(m *wire.Message) *wire.Error {
	if fault := versionFault(m.VersionText()); fault != nil {
		return fault
	}
	if m.Cursor == nil {
		return nil
	}
	if _, ok := positionOf(m); ok || !isList(m.Method) {
		return nil
	}
	return &wire.Error{
		Code:    wire.CodeInvalidParams,
		Message: "params.cursor is none that " + m.Method + " gave: send a nextCursor as it came, or none for the first page",
	}
}

// versionFault is the error of a request that names a protocol version which the server does
// not have (2026-07-28, basic/versioning), nil if it has it or the request names none.
func versionFault(version string) *wire.Error {
	if version == "" || mcp.IsValidProtocolVersion(version) {
		return nil
	}
	requested := jsontape.AppendQuoted(nil, clipped(version))
	data := append([]byte(`{"supported":["`+strings.Join(protocol.Versions(), `","`)+`"],"requested":`), requested...)
	return &wire.Error{
		Code: mcp.UNSUPPORTED_PROTOCOL_VERSION,
		Message: "this server does not have protocol version " + string(requested) + ": use " +
			strings.Join(protocol.Versions(), ", "),
		Data: append(data, '}'),
	}
}

// maxVersion is how much of a version that a caller made up is repeated.
const maxVersion = 64

func clipped(version string) string {
	if len(version) <= maxVersion {
		return version
	}
	return strings.ToValidUTF8(version[:maxVersion], "") + "…"
}
