// Package protocol has the versions of MCP that this module speaks, as a client and as a server.
package protocol

// Versions of the protocol at which something changed that this module has to know. They are dates:
// of two, the later one is the greater string.
const (
	// Oldest is the first version. A server that knows none takes a request over HTTP for one of
	// HTTPDefault (2025-06-18, basic/transports, protocol version header).
	Oldest      = "2024-11-05"
	HTTPDefault = "2025-03-26"
	// InputErrors is the first version in which wrong arguments of a tool are a result that the model
	// reads, and no error of the protocol (2025-11-25, server/tools, error handling). It is the last
	// one that begins with initialize.
	InputErrors = "2025-11-25"
	// Stateless is the first version without sessions: each request names its version (2026-07-28,
	// basic/lifecycle).
	Stateless = "2026-07-28"
)

// Versions are all versions, the newest first.
func Versions() []string {
	return []string{Stateless, InputErrors, "2025-06-18", HTTPDefault, Oldest}
}
