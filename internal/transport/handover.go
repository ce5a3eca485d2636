package transport

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// listNotices are the notices that a list is another now (2025-11-25, server/tools,
// server/resources, server/prompts).
var listNotices = []string{
	mcp.MethodNotificationToolsListChanged,
	mcp.MethodNotificationResourcesListChanged,
	mcp.MethodNotificationPromptsListChanged,
}

// handOverStdio tells the client on stdio, with Options.HandOver, that the server after this one
// may have other lists.
func (s *Server) handOverStdio(session *stdioSession) {
	if !s.options.HandOver {
		return
	}
	for _, method := range listNotices {
		s.mcp.SendNotificationToAllClients(method, nil)
	}
}

// handOverHTTP is handOverStdio for the clients that have opened a stream.
func (s *Server) handOverHTTP() {
	if !s.options.HandOver {
		return
	}
	for _, method := range listNotices {
		s.mcp.SendNotificationToAllClients(method, nil) // to those that listen since 2026-07-28
		doc, _ := json.Marshal(mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{Method: method}})
		s.http().sessionStreams.sendAll(doc, func(string) bool { return true })
	}
}
