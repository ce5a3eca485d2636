package server

import (
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// Arguments that a tool does not know are ignored beside the right ones: some clients add a
// dummy to every call. Where a required one is missing, the answer says what came in its
// place and what was probably meant.

// argPayload is the argument of echo that holds the message.
const argPayload = "payload"

// The arguments of the tools.
var (
	getArguments  = []string{argSchemaID}
	echoArguments = []string{argSchemaID, argPayload}
)

// synonyms are names under which models and clients send an argument.
var synonyms = map[string][]string{
	argSchemaID: {"schema", "id", "schema_name", "name", "type", "message_type"},
	argPayload:  {"message", "data", "content", "body", "value", "json", "object", "event"},
}

// wrappers are names under which clients send the arguments as a whole, by mistake.
var wrappers = []string{"arguments", "args", "params", "parameters", "input", "tool_input", "raw", "kwargs"}

// meant reports whether an argument was probably meant to be the other.
func meant(name, argument string) bool {
	_, ok := near.Misspelling(name, argument)
	return ok || slices.ContainsFunc(synonyms[argument], func(s string) bool { return strings.EqualFold(s, name) })
}

// isWrapper reports whether arguments are sent inside a member of this name.
func isWrapper(name string) bool {
	return slices.ContainsFunc(wrappers, func(w string) bool { return strings.EqualFold(w, name) })
}

// guessed words what the missing argument may be, from what came in its place: "" if nothing
// did, else a clause that begins with a semicolon.
func guessed(call *wire.Call, arguments []string, missing string) string {
	if len(call.Others) == 0 {
		return ""
	}
	for _, o := range call.Others {
		if meant(o.Name, missing) {
			return "; got " + quote(o.Name) + ": did you mean " + quote(missing) + "?"
		}
	}
	for _, o := range call.Others {
		if isWrapper(o.Name) && o.Kind == jsontape.Object {
			return "; got " + quote(o.Name) + ": send its members directly, as the arguments of the call"
		}
	}
	var came, expected []string
	for _, o := range call.Others {
		came = append(came, quote(o.Name)+" ("+kindName(o.Kind)+")")
	}
	for _, a := range arguments {
		expected = append(expected, quote(a))
	}
	text := "; got " + strings.Join(came, ", ") + " where " + strings.Join(expected, " and ") + " is expected"
	if len(expected) > 1 {
		text = strings.TrimSuffix(text, " is expected") + " are expected"
	}
	return text
}

// kindName is the type of a value, in the words of JSON Schema.
func kindName(k jsontape.Kind) string {
	if k == jsontape.True || k == jsontape.False {
		return "boolean"
	}
	return k.String()
}

// quote quotes a name for a message.
func quote(name string) string { return string(jsontape.AppendQuoted(nil, name)) }

// schemaID is the argument schema_id of a tool that takes these arguments, or what is wrong
// with it.
func schemaID(call *wire.Call, arguments []string) (id, fault string) {
	switch call.SchemaID.Kind {
	case jsontape.Invalid:
		return "", `the argument "schema_id" is missing; list_schemas has all ids` + guessed(call, arguments, argSchemaID)
	case jsontape.String:
	case jsontape.Null, jsontape.False, jsontape.True, jsontape.Number, jsontape.Object, jsontape.Array:
		return "", `the argument "schema_id" must be a string, not of type ` + call.SchemaID.Kind.String() + `; list_schemas has all ids`
	}
	id = string(jsontape.AppendUnquoted(nil, call.SchemaID.Text))
	if id == "" {
		return "", `the argument "schema_id" must not be empty; list_schemas has all ids`
	}
	return id, ""
}

// wrapped is the member of a typed tool's arguments in which the message was sent, "" if it was
// not: all members have names of echo's arguments or of such a wrapper, and the schema's text
// names none of them.
func wrapped(payload []byte, schema string) string {
	var t jsontape.Tape
	if t.Parse(payload, jsontape.Options{MaxDepth: wire.MaxDepthCeiling, IndexDepth: 2}) != nil || t.Tokens[0].Kind != jsontape.Object {
		return ""
	}
	found := ""
	for i := 1; i < t.Next(0); i = t.Next(i + 1) {
		name := t.Str(i)
		if strings.Contains(schema, quote(name)) {
			return ""
		}
		switch {
		case name == argSchemaID:
		case name == argPayload || isWrapper(name) || meant(name, argPayload):
			found = name
		default:
			return ""
		}
	}
	return found
}
