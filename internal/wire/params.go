package wire

import (
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// mcp-go decodes params with encoding/json and passes its errors on, which speak of Go. So
// what the methods that this server has want of their params is checked here first, and a
// fault is told in the words of the protocol.

// member is what a method wants of one member of its params.
type member struct {
	name     string // members of objects inside are written a.b
	kind     jsontape.Kind
	required bool
	values   []string      // of a string that is one of a few
	of       jsontape.Kind // of each value in an array or object, Invalid if that doesn't matter
}

var (
	listParams     = []member{{name: "cursor", kind: jsontape.String}}
	resourceParams = []member{{name: "uri", kind: jsontape.String, required: true}}
)

// paramsOf is what each method wants (2025-11-25 and 2026-07-28, schema). Members that are
// null count as missing, and what isn't listed is not looked at.
var paramsOf = map[string][]member{
	MethodInitialize: {
		{name: "protocolVersion", kind: jsontape.String},
		{name: "capabilities", kind: jsontape.Object},
		{name: "clientInfo", kind: jsontape.Object},
		{name: "clientInfo.name", kind: jsontape.String},
		{name: "clientInfo.title", kind: jsontape.String},
		{name: "clientInfo.version", kind: jsontape.String},
	},
	MethodToolsCall: {
		{name: "name", kind: jsontape.String, required: true},
		{name: "task", kind: jsontape.Object},
	},
	"tools/list":               listParams,
	"resources/list":           listParams,
	"resources/templates/list": listParams,
	"prompts/list":             listParams,
	methodRead:                 resourceParams,
	MethodSubscribe:            resourceParams,
	MethodUnsubscribe:          resourceParams,
	methodGetPrompt: {
		{name: "name", kind: jsontape.String, required: true},
		{name: "arguments", kind: jsontape.Object, of: jsontape.String},
	},
	"completion/complete": {
		{name: "ref", kind: jsontape.Object, required: true},
		{name: "ref.type", kind: jsontape.String, required: true, values: []string{"ref/prompt", "ref/resource"}},
		{name: "ref.name", kind: jsontape.String},
		{name: "ref.uri", kind: jsontape.String},
		{name: "argument", kind: jsontape.Object, required: true},
		{name: "argument.name", kind: jsontape.String, required: true},
		{name: "argument.value", kind: jsontape.String, required: true},
		{name: "context", kind: jsontape.Object},
		{name: "context.arguments", kind: jsontape.Object, of: jsontape.String},
	},
	MethodSetLevel: {{
		name: "level", kind: jsontape.String, required: true,
		values: []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"},
	}},
	MethodSubscriptionsListen: {
		{name: "notifications", kind: jsontape.Object},
		{name: "notifications.toolsListChanged", kind: jsontape.True},
		{name: "notifications.promptsListChanged", kind: jsontape.True},
		{name: "notifications.resourcesListChanged", kind: jsontape.True},
		{name: "notifications.resourceSubscriptions", kind: jsontape.Array, of: jsontape.String},
	},
}

// metaMembers is what every method wants of _meta.
var metaMembers = []member{
	{name: mcp.MetaKeyProtocolVersion, kind: jsontape.String},
	{name: mcp.MetaKeyClientInfo, kind: jsontape.Object},
	{name: mcp.MetaKeyClientCapabilities, kind: jsontape.Object},
	{name: mcp.MetaKeyLogLevel, kind: jsontape.String},
}

// checkParams looks at the params of a request or notification, keeps what Message has of
// them, and returns what is wrong with them, "" if nothing.
func (r *reading) checkParams(m *Message) (fault string) {
	t := r.tape
	if r.meta != 0 && t.Tokens[r.meta].Kind != jsontape.Null {
		if fault := r.checkMeta(m); fault != "" {
			return fault
		}
	}
	if m.Since2026() && until2026[m.Method] {
		return "" // whatever its params are, there is no such method
	}
	for _, want := range paramsOf[m.Method] {
		parent, name := r.params, want.name
		if outer, inner, nested := strings.Cut(want.name, "."); nested {
			if parent = r.member(r.params, outer); parent == 0 {
				continue
			}
			name = inner
		}
		if fault := want.check(t, r.member(parent, name), "params."+want.name); fault != "" {
			return fault + " (" + m.Method + ")"
		}
	}
	if i := r.member(r.params, "cursor"); i != 0 {
		m.Cursor = t.Bytes(i)
	}
	return ""
}

// checkMeta is checkParams for _meta.
func (r *reading) checkMeta(m *Message) (fault string) {
	t := r.tape
	const meta = "params._meta"
	if k := t.Tokens[r.meta].Kind; k != jsontape.Object {
		return meta + " must be an object, not " + article(k)
	}
	for _, want := range metaMembers {
		if fault := want.check(t, r.member(r.meta, want.name), meta+`["`+want.name+`"]`); fault != "" {
			return fault
		}
	}
	if i := r.member(r.meta, "progressToken"); i != 0 {
		if k := t.Tokens[i].Kind; k != jsontape.String && k != jsontape.Number {
			return meta + ".progressToken must be a string or a number, not " + article(k)
		}
		m.ProgressToken = t.Bytes(i)
	}
	if i := r.member(r.meta, mcp.MetaKeyProtocolVersion); i != 0 {
		m.Version = t.Bytes(i)
		if mcp.IsModernProtocol(t.Str(i)) && r.member(r.meta, mcp.MetaKeyClientCapabilities) == 0 && m.Kind == Request {
			return meta + `["` + mcp.MetaKeyClientCapabilities + `"] is missing: send {} if the client has none`
		}
	}
	return ""
}

// member is the token of a member's value, 0 if there is none or it is null.
func (r *reading) member(obj int, name string) int {
	if obj == 0 {
		return 0
	}
	if i := r.tape.Member(obj, name); i > 0 && r.tape.Tokens[i].Kind != jsontape.Null {
		return i
	}
	return 0
}

// check returns what is wrong with the value at token i, 0 for none, which is called so.
func (want *member) check(t *jsontape.Tape, i int, called string) (fault string) {
	if i == 0 {
		if !want.required {
			return ""
		}
		return called + " is missing: it must be " + article(want.kind) + want.oneOf()
	}
	kind := t.Tokens[i].Kind
	if kind == jsontape.False {
		kind = jsontape.True
	}
	if kind != want.kind {
		return called + " must be " + article(want.kind) + ", not " + article(kind)
	}
	if want.values != nil && !slices.Contains(want.values, t.Str(i)) {
		return called + " is " + clip(t.Bytes(i)) + ": it must be" + strings.TrimPrefix(want.oneOf(), ",")
	}
	if want.of == jsontape.Invalid {
		return ""
	}
	for c := i + 1; c < t.Next(i); c = t.Next(c) {
		value, which := c, ""
		if kind == jsontape.Object {
			value, which, c = c+1, " "+clip(t.Bytes(c)), c+1
		}
		if k := t.Tokens[value].Kind; k != want.of {
			return "each value in " + called + " must be " + article(want.of) + ", but" + which + " there is " + article(k)
		}
	}
	return ""
}

// oneOf words which values there are.
func (want *member) oneOf() string {
	if want.values == nil {
		return ""
	}
	return `, one of "` + strings.Join(want.values, `", "`) + `"`
}

// Since2026 reports whether the message names protocol version 2026-07-28 or a later one.
func (m *Message) Since2026() bool { return mcp.IsModernProtocol(m.VersionText()) }

// VersionText is Version as text.
func (m *Message) VersionText() string {
	if m.Version == nil {
		return ""
	}
	return string(jsontape.AppendUnquoted(nil, m.Version))
}
