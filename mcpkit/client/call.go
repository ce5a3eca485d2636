package client

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Result is what a tool has returned.
type Result struct {
	// Content are its parts, for the model.
	Content []Content
	// StructuredContent is the result as JSON, for programs; nil for none.
	StructuredContent json.RawMessage
	// IsError says that the tool was called and has failed; Text tells why.
	IsError bool
	// Meta is what the server has added in _meta, nil for nothing.
	Meta json.RawMessage
	// Raw is the whole of it as it came.
	Raw json.RawMessage
}

// Text is the text of all parts that are texts, joined without anything between them.
func (r *Result) Text() string { return text(r.Content) }

func text(content []Content) string {
	if i := slices.IndexFunc(content, func(c Content) bool { return c.Type == "text" }); i >= 0 && len(content) == 1 {
		return content[i].Text // of any size: it need not be copied
	}
	var b strings.Builder
	for _, c := range content {
		if c.Type == "text" {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

// Content is one part of what a tool returns or a prompt says.
type Content struct {
	// Type is "text", "image", "audio", "resource_link", "resource", or what else a server sends.
	Type string
	// Text is the text of a part of type text.
	Text string
	// Data is what an image or a sound is, in base64 as it came; Bytes decodes it.
	Data string
	// MIMEType is the type of an image, a sound, or of the resource that a link leads to.
	MIMEType string
	// URI and Name are those of the resource that a link leads to.
	URI, Name string
	// Resource is what a part of type resource holds, nil for other parts.
	Resource *ResourceContents
	// Raw is the whole of it as it came.
	Raw json.RawMessage
}

// Bytes are the bytes of an image or a sound. The error says that they are not base64.
func (c Content) Bytes() ([]byte, error) { return base64.StdEncoding.DecodeString(c.Data) }

// CallOption changes one call of a tool.
type CallOption func(*request)

// WithProgress asks the server to tell how far the call is. tell is called by the goroutine that
// reads from the server, so it must return soon and must not wait for the session; never again once
// the call has returned.
func WithProgress(tell func(Progress)) CallOption {
	return func(r *request) { r.progress = tell }
}

// CallTool calls a tool and waits for its result. arguments are a JSON object, which is sent as it
// is; nil means {}.
//
// A tool that has failed is a Result with IsError, not an error. The error is an *[Error] where the
// server has rejected the call, since it has no such tool, say; an *[InputError] where arguments are
// not a JSON object, so that nothing was sent; a *[TimeoutError]; a *[ProtocolError]; or it wraps
// [ErrLost], [ErrClosed], the error of ctx (the server is then told that nobody waits any more), or
// what the transport says.
func (s *Session) CallTool(ctx context.Context, name string, arguments json.RawMessage, options ...CallOption) (*Result, error) {
	const method = "tools/call"
	if len(arguments) == 0 {
		arguments = json.RawMessage(`{}`)
	}
	if err := checkArguments(method, arguments); err != nil {
		return nil, err
	}
	r := request{method: method, name: name}
	r.params.head = append(jsontape.AppendQuoted([]byte(`{"name":`), name), `,"arguments":`...)
	r.params.body, r.params.tail = arguments, []byte{'}'}
	for _, o := range options {
		o(&r)
	}
	m, err := s.sendThrough(ctx, r)
	if err != nil {
		return nil, err
	}
	defer m.release()
	return m.toolResult()
}

// checkArguments says why a text can't be sent as the arguments of a call. It would break the
// message apart if it were no JSON.
func checkArguments(method string, arguments json.RawMessage) error {
	var few [1]jsontape.Token
	t := jsontape.Tape{Tokens: few[:0]}
	if err := t.Parse(arguments, jsontape.Options{MaxDepth: jsontape.DepthCeiling, IndexDepth: 1}); err != nil {
		return &InputError{method, fmt.Errorf("the arguments are not JSON: %w", err)}
	}
	if kind := t.Tokens[0].Kind; kind != jsontape.Object {
		return &InputError{method, fmt.Errorf("the arguments must be a JSON object, not of type %s", kind)}
	}
	return nil
}

// toolResult reads the result of a call.
func (m message) toolResult() (*Result, error) {
	const method = "tools/call"
	if kind := m.tape.Tokens[m.result].Kind; kind != jsontape.Object {
		return nil, &ProtocolError{method, fmt.Sprintf("the result must be an object, but is of type %s", kind)}
	}
	failed := m.at(m.result, "isError")
	r := &Result{
		StructuredContent: m.raw(m.result, "structuredContent"),
		IsError:           failed >= 0 && m.tape.Tokens[failed].Kind == jsontape.True,
		Meta:              m.raw(m.result, "_meta"),
		Raw:               m.bytes(m.result),
	}
	content := m.at(m.result, "content")
	if content < 0 || m.tape.Tokens[content].Kind == jsontape.Null {
		return r, nil
	}
	if kind := m.tape.Tokens[content].Kind; kind != jsontape.Array {
		return nil, &ProtocolError{method, fmt.Sprintf("the member \"content\" must be a list, but is of type %s", kind)}
	}
	r.Content = make([]Content, 0, m.tape.Len(content))
	for block := range m.elements(content) {
		r.Content = append(r.Content, m.content(block))
	}
	return r, nil
}

// content reads one part.
func (m message) content(block int) Content {
	c := Content{
		Type: m.member(block, "type"), Text: m.member(block, "text"), Data: m.member(block, "data"),
		MIMEType: m.member(block, "mimeType"), URI: m.member(block, "uri"), Name: m.member(block, "name"),
		Raw: m.bytes(block),
	}
	if resource := m.at(block, "resource"); resource >= 0 && m.tape.Tokens[resource].Kind == jsontape.Object {
		contents := m.contents(resource)
		c.Resource = &contents
	}
	return c
}

// ResourceContents is what a resource holds, or a part of it.
type ResourceContents struct {
	URI, MIMEType string
	// Text is the text, where it is one; IsText says so.
	Text   string
	IsText bool
	// Blob is what it holds in base64 as it came, where it is no text; Bytes decodes it.
	Blob string
	// Raw is the whole of it as it came.
	Raw json.RawMessage
}

// Bytes are the bytes of the resource, be it a text or not. The error says that they are not base64.
func (r ResourceContents) Bytes() ([]byte, error) {
	if r.IsText {
		return []byte(r.Text), nil
	}
	return base64.StdEncoding.DecodeString(r.Blob)
}

func (m message) contents(i int) ResourceContents {
	text := m.at(i, "text")
	return ResourceContents{
		URI: m.member(i, "uri"), MIMEType: m.member(i, "mimeType"),
		Text: m.text(text), IsText: text >= 0 && m.tape.Tokens[text].Kind == jsontape.String,
		Blob: m.member(i, "blob"), Raw: m.bytes(i),
	}
}

// ReadResult is what a server gives for a URI.
type ReadResult struct {
	Contents []ResourceContents
	// Raw is the whole of it as it came.
	Raw json.RawMessage
}

// ReadResource reads the resource with a URI. The errors are those of [Session.CallTool].
func (s *Session) ReadResource(ctx context.Context, uri string) (*ReadResult, error) {
	const method = "resources/read"
	m, err := s.ask(ctx, method, append(jsontape.AppendQuoted([]byte(`{"uri":`), uri), '}'))
	if err != nil {
		return nil, err
	}
	defer m.release()
	r := &ReadResult{Raw: m.bytes(m.result)}
	_, err = page(m, method, "contents", func(i int) { r.Contents = append(r.Contents, m.contents(i)) })
	return r, err
}

// PromptResult is a prompt with its values filled in.
type PromptResult struct {
	Description string
	Messages    []PromptMessage
	// Raw is the whole of it as it came.
	Raw json.RawMessage
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role    string // "user" or "assistant"
	Content Content
}

// Text is the text of all messages that are texts, joined without anything between them.
func (p *PromptResult) Text() string {
	var b strings.Builder
	for _, m := range p.Messages {
		b.WriteString(text([]Content{m.Content}))
	}
	return b.String()
}

// GetPrompt fills in a prompt. The errors are those of [Session.CallTool].
func (s *Session) GetPrompt(ctx context.Context, name string, arguments map[string]string) (*PromptResult, error) {
	const method = "prompts/get"
	params := jsontape.AppendQuoted([]byte(`{"name":`), name)
	if len(arguments) > 0 {
		values, err := json.Marshal(arguments)
		if err != nil {
			return nil, &InputError{method, errors.New("the arguments can't be written as JSON")}
		}
		params = append(append(params, `,"arguments":`...), values...)
	}
	m, err := s.ask(ctx, method, append(params, '}'))
	if err != nil {
		return nil, err
	}
	defer m.release()
	r := &PromptResult{Raw: m.bytes(m.result)}
	if _, err := page(m, method, "messages", func(i int) {
		r.Messages = append(r.Messages, PromptMessage{m.member(i, "role"), m.content(m.at(i, "content"))})
	}); err != nil {
		return nil, err
	}
	r.Description = m.member(m.result, "description")
	return r, nil
}
