package wire

import (
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// since2026 and until2026 are the methods that protocol version 2026-07-28 brought and took
// away.
var (
	since2026 = map[string]bool{"server/discover": true, MethodSubscriptionsListen: true}
	until2026 = map[string]bool{
		MethodInitialize: true, "ping": true, MethodSetLevel: true, MethodSubscribe: true, MethodUnsubscribe: true,
	}
)

// words is what the caller is told instead of mcp-go's own message for an error that has
// this code. It is "" for codes of which mcp-go makes no error here.
func (m *Message) words(code int) string {
	method := clip(jsontape.AppendQuoted(nil, m.Method))
	switch code {
	case mcp.METHOD_NOT_FOUND:
		switch modern := m.Since2026(); {
		case modern && until2026[m.Method]:
			return "the method " + method + " is gone since protocol version 2026-07-28, which the request names"
		case !modern && since2026[m.Method]:
			return "the method " + method + " needs protocol version 2026-07-28: name it in params._meta as " + mcp.MetaKeyProtocolVersion
		}
		return "this server has no method " + method + ": check the spelling, and what the server's capabilities say"
	case CodeInvalidParams:
		switch m.Method {
		case MethodToolsCall:
			return "there is no tool " + clip(jsontape.AppendQuoted(nil, m.Call.Tool)) + "; tools/list has all"
		case methodGetPrompt:
			return "there is no prompt with this name; prompts/list has all"
		}
		return m.unreadable(method)
	case CodeInvalidRequest, CodeParseError:
		return m.unreadable(method)
	case mcp.HEADER_MISMATCH:
		return "since protocol version 2026-07-28 the header Mcp-Method must be the method of the message" +
			", and Mcp-Name the name or the URI in its params: send both exactly as the message has them"
	case CodeInternalError:
		return "internal error"
	}
	return ""
}

// unreadable words that mcp-go could not read a request, for a reason that checkParams does
// not know.
func (m *Message) unreadable(method string) string {
	return "the params of " + method + " can't be read: each member must be spelled and typed as the MCP specification says, " +
		"and each number must be within the range of a 64-bit float"
}

// reword appends the edit that gives the error at token e, which is mcp-go's, our words.
func (m *Message) reword(t *jsontape.Tape, e int, edits []edit) []edit {
	code, message := t.Member(e, "code"), t.Member(e, "message")
	if code < 0 || message < 0 {
		return edits
	}
	n, err := strconv.Atoi(string(t.Bytes(code)))
	if err != nil {
		return edits
	}
	words := m.words(n)
	if words == "" {
		return edits
	}
	return append(edits, edit{token: message, raw: [3][]byte{jsontape.AppendQuoted(nil, words)}})
}
