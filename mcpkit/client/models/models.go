// Package models offers the tools of a server to a model: in the form in which the API of the model
// takes them, without those that it would refuse.
//
//	tools, err := models.AsTools(ctx, session, models.Anthropic)
//	// tools.JSON() is the list for the request. When the model calls one:
//	tool, ok := tools.Named(name)
//	result, err := tool.Call(ctx, input)
//
// It is apart from package client since it judges schemas, which takes an interpreter of JSON Schema
// that other clients need not link.
package models

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/modelapi"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// API is the API of a model that tools are offered to, or rather the form in which it takes them.
type API string

// The APIs.
const (
	// OpenAI is the Chat Completions API of OpenAI, which many others speak too:
	// {"type":"function","function":{"name":…,"description":…,"parameters":…}}.
	// (https://platform.openai.com/docs/api-reference/chat/create)
	OpenAI API = "openai"
	// OpenAIResponses is the Responses API of OpenAI:
	// {"type":"function","name":…,"description":…,"parameters":…,"strict":false}.
	// (https://platform.openai.com/docs/api-reference/responses/create)
	OpenAIResponses API = "openai-responses"
	// Anthropic is the Messages API of Anthropic: {"name":…,"description":…,"input_schema":…}.
	// (https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools)
	Anthropic API = "anthropic"
	// Gemini is the API of Gemini: the list is that of functionDeclarations,
	// {"name":…,"description":…,"parametersJsonSchema":…}.
	// (https://ai.google.dev/api/caching#FunctionDeclaration)
	Gemini API = "gemini"
)

// rules is the name of the API in the rules about what APIs refuse.
func (a API) rules() string {
	switch a {
	case OpenAI, OpenAIResponses:
		return modelapi.OpenAIAPI
	case Anthropic:
		return modelapi.AnthropicAPI
	case Gemini:
		return modelapi.GeminiAPI
	}
	return ""
}

// Tools are the tools of a server in the form in which the API of a model takes them.
type Tools struct {
	// Tools are those that the API takes, in the server's order.
	Tools []Tool
	// Refused are those that the API would refuse, and with them the whole request.
	Refused []Refused
}

// Tool is a tool that a model can be offered.
type Tool struct {
	// Name is what the model calls it. Where the API takes the server's name it is that.
	Name string
	// Description is the server's, or the name where it has none.
	Description string
	// InputSchema is the schema of the arguments: the server's bytes, unless the API refuses them and
	// an edit that keeps the meaning helps, such as "properties": {} for a tool without arguments.
	InputSchema json.RawMessage
	// JSON is the tool as the API takes it.
	JSON json.RawMessage
	// Tool is the tool as the server has it.
	Tool client.Tool

	session *client.Session
}

// Call calls the tool with the arguments that a model has made. See [client.Session.CallTool].
func (t Tool) Call(ctx context.Context, arguments json.RawMessage, options ...client.CallOption) (*client.Result, error) {
	return t.session.CallTool(ctx, t.Tool.Name, arguments, options...)
}

// Refused is a tool that an API would refuse.
type Refused struct {
	Tool client.Tool
	// Rule is the rule that it breaks, as `echo-mcp lint` names it: see docs/lint.md.
	Rule string
	// Reason says what is wrong with the tool, Remedy what its author can do.
	Reason, Remedy string
	// Source is a page that says so.
	Source string
}

// JSON is the list of tools for a request: a JSON array.
func (m *Tools) JSON() json.RawMessage {
	list := []byte{'['}
	for i, t := range m.Tools {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, t.JSON...)
	}
	return append(list, ']')
}

// Named is the tool that a model calls by a name.
func (m *Tools) Named(name string) (Tool, bool) {
	i := slices.IndexFunc(m.Tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return m.Tools[i], true
}

// AsTools lists the tools of the server in the form that an API of models wants. What the API would
// refuse, and the whole request with it, is left out and reported with the rule. Names that the API
// does not take (it wants letters, digits, _ and - and at most 64 of them) are mapped to others,
// always to the same. The errors are those of [client.Session.List].
func AsTools(ctx context.Context, s *client.Session, api API) (*Tools, error) {
	asks := api.rules()
	if asks == "" {
		return nil, &client.InputError{Method: "tools/list", Err: fmt.Errorf("there is no API %q; those of models are %q, %q, %q and %q", string(api), OpenAI, OpenAIResponses, Anthropic, Gemini)}
	}
	tools, err := s.Tools(ctx)
	if err != nil {
		return nil, err
	}
	m := &Tools{}
	names := modelNames(tools)
	seen := map[string]bool{}
	most := modelapi.MaxTools(asks)
	for _, t := range tools {
		schema, rule, reason := acceptable(asks, names[t.Name], t)
		switch {
		case rule != "":
		case seen[t.Name]:
			rule, reason = "list-names", fmt.Sprintf("another tool before it is called %q too", t.Name)
		case most > 0 && len(m.Tools) == most:
			rule, reason = "list-length", fmt.Sprintf("%d tools come before it, as many as the API takes", most)
		}
		seen[t.Name] = true
		if rule != "" {
			m.Refused = append(m.Refused, refused(t, rule, reason))
			continue
		}
		offered := Tool{Name: names[t.Name], Description: t.Description, InputSchema: schema, Tool: t, session: s}
		if offered.Description == "" {
			offered.Description = t.Name
		}
		offered.JSON = offered.in(api)
		m.Tools = append(m.Tools, offered)
	}
	return m, nil
}

// acceptable gives the schema with which an API takes a tool, or the rule that it breaks.
func acceptable(asks, name string, t client.Tool) (schema json.RawMessage, rule, reason string) {
	schema = t.InputSchema
	// An edit may make room for another one.
	for range 4 {
		var broken []modelapi.Finding
		for _, f := range modelapi.Lint([]modelapi.Tool{{Name: name, Input: schema}}, modelapi.Options{}) {
			asked := slices.Contains(f.Rule.Clients, asks) || slices.Contains(f.Rule.Clients, modelapi.Protocol)
			if f.Rule.Level == modelapi.Refused && f.Rule.Subject != modelapi.OfOutput && asked {
				broken = append(broken, f)
			}
		}
		if len(broken) == 0 {
			return schema, "", ""
		}
		rule, reason = broken[0].Rule.ID, broken[0].String()
		mended, edits := modelapi.Apply(schema, broken)
		if edits == 0 {
			break
		}
		schema = mended
	}
	return nil, rule, reason
}

func refused(t client.Tool, rule, reason string) Refused {
	r := Refused{Tool: t, Rule: rule, Reason: reason}
	for _, known := range modelapi.Rules() {
		if known.ID == rule {
			r.Remedy, r.Source = known.Remedy, known.Sources[0]
		}
	}
	return r
}

// in is the tool in the form of an API.
func (t *Tool) in(api API) json.RawMessage {
	var b []byte
	text := func(member, value string) {
		b = jsontape.AppendQuoted(append(b, member...), value)
	}
	schema := func(member string) {
		b = append(append(b, member...), t.InputSchema...)
	}
	switch api {
	case OpenAI:
		text(`{"type":"function","function":{"name":`, t.Name)
		text(`,"description":`, t.Description)
		schema(`,"parameters":`)
		b = append(b, "}}"...)
	case OpenAIResponses:
		text(`{"type":"function","name":`, t.Name)
		text(`,"description":`, t.Description)
		schema(`,"parameters":`)
		b = append(b, `,"strict":false}`...)
	case Anthropic:
		text(`{"name":`, t.Name)
		text(`,"description":`, t.Description)
		schema(`,"input_schema":`)
		b = append(b, '}')
	case Gemini:
		text(`{"name":`, t.Name)
		text(`,"description":`, t.Description)
		schema(`,"parametersJsonSchema":`)
		b = append(b, '}')
	}
	return b
}
