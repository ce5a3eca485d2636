package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// Message is a message of a prompt: see [User] and [Assistant].
type Message struct {
	// Role is "user" or "assistant".
	Role string
	// Content is what is said.
	Content Content
}

// User is a message of the user.
func User(content Content) Message { return Message{"user", content} }

// Assistant is a message of the model.
func Assistant(content Content) Message { return Message{"assistant", content} }

// PromptResult is what the function of a prompt returns: a string is one message of the user, a list
// is sent as it is.
type PromptResult interface{ string | []Message }

// Prompt adds a prompt to a server, as [Tool] adds a tool. handler gets the arguments after they were
// checked.
//
// In is a struct whose fields are the arguments, with names, descriptions and limits as the arguments
// of tools have them. All arguments of prompts are strings in MCP; a field of another type is read
// from JSON text: 5, true, ["a","b"]. struct{} is for a prompt without arguments.
//
// Wrong arguments are answered with the JSON-RPC error -32602, whose data are the faults; an error or
// a panic of handler with -32603 and the text of the error, but nothing of the panic.
//
// The error is a *[AddError], which says what is wrong with the prompt. The prompt is not there then.
func Prompt[In any, Out PromptResult](s *Server, name, description string, handler func(context.Context, In) (Out, error), options ...PromptOption) error {
	d := definition{name: name, description: description}
	for _, option := range options {
		option.ofPrompt(&d)
	}
	switch {
	case name == "" || !utf8.ValidString(name):
		return &AddError{Kind: "prompt", Name: name, Message: "the name must be text, and not empty"}
	case handler == nil:
		return &AddError{Kind: "prompt", Name: name, Message: "the prompt has no function"}
	case d.fault != "":
		return &AddError{Kind: "prompt", Name: name, Message: d.fault}
	case reflect.TypeFor[In]() == rawMessage:
		return &AddError{Kind: "prompt", Name: name, Message: "json.RawMessage says nothing about the arguments: take a struct, or struct{} for none"}
	}
	input, err := s.sideOf(reflect.TypeFor[In](), &d, sideInput)
	if fault := new(ToolError); errors.As(err, &fault) {
		return &AddError{Kind: "prompt", Name: name, Pointer: fault.Pointer, Message: fault.Message}
	}
	decode := decoder[In](input)
	return s.addPrompt(&d, &prompt{
		server: s, name: name, description: description, timeout: d.timeout, input: input,
		prepare: func(ctx context.Context, data []byte, t *jsontape.Tape, v int) (run, error) {
			in, err := decode(ctx, data, t, v)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context) (any, error) { return handler(ctx, in) }, nil
		},
	})
}

// AddError says why a prompt or a resource can't be added.
type AddError struct {
	// Kind is "prompt" or "resource", Name its name or URI.
	Kind, Name string
	// Pointer leads to the fault in the schema of a prompt's arguments (RFC 6901). The root is "".
	Pointer string
	// Message says what is wrong, and what to do.
	Message string
}

// Error names what can't be added, and says what is wrong.
func (e *AddError) Error() string {
	text := e.Kind + " " + strconv.Quote(e.Name)
	if e.Pointer != "" {
		text += ", arguments, " + e.Pointer
	}
	return text + ": " + e.Message
}

// prompt is a prompt that was added.
type prompt struct {
	server            *Server
	name, description string
	timeout           time.Duration // 0 is none
	input             *side
	// prepare checks and decodes arguments, and gives what is left to run.
	prepare func(ctx context.Context, data []byte, t *jsontape.Tape, v int) (run, error)
}

// addPrompt puts a prompt on the list.
func (s *Server) addPrompt(d *definition, p *prompt) error {
	definition := mcp.Prompt{Name: d.name, Title: d.title, Description: d.description, Arguments: p.input.arguments()}
	s.mu.Lock()
	_, taken := s.prompts[d.name]
	if !taken {
		s.prompts[d.name] = p
		s.offers.prompts.Store(true)
		s.transport.MCP().AddPrompt(definition, p.handle)
	}
	s.mu.Unlock()
	if taken {
		return &AddError{Kind: "prompt", Name: d.name, Message: "there is a prompt of this name already: choose another, or remove that one first"}
	}
	s.transport.ListChanged(transport.SectionPrompts)
	return nil
}

// RemovePrompt takes a prompt away, as Remove takes a tool away.
func (s *Server) RemovePrompt(name string) bool {
	s.mu.Lock()
	_, found := s.prompts[name]
	if found {
		delete(s.prompts, name)
		s.transport.MCP().DeletePrompts(name)
	}
	s.mu.Unlock()
	if found {
		s.transport.ListChanged(transport.SectionPrompts)
	}
	return found
}

// arguments are what a client is told of the members of a schema.
func (s *side) arguments() []mcp.PromptArgument {
	var t jsontape.Tape
	if t.Parse(s.text, jsontape.Options{}) != nil {
		return nil // finish has read it
	}
	required := map[string]bool{}
	if list := t.Member(0, "required"); list > 0 && t.Tokens[list].Kind == jsontape.Array {
		for c := list + 1; c < t.Next(list); c = t.Next(c) {
			if t.Tokens[c].Kind == jsontape.String {
				required[t.Str(c)] = true
			}
		}
	}
	text := func(of int, member string) string {
		if i := t.Member(of, member); i > 0 && t.Tokens[i].Kind == jsontape.String {
			return t.Str(i)
		}
		return ""
	}
	var all []mcp.PromptArgument
	properties := t.Member(0, "properties")
	for c := properties + 1; properties > 0 && c < t.Next(properties); c = t.Next(c + 1) {
		all = append(all, mcp.PromptArgument{
			Name: t.Str(c), Title: text(c+1, "title"), Description: text(c+1, "description"), Required: required[t.Str(c)],
		})
	}
	return all
}

// handle is the handler that mcp-go calls. It leaves the messages with the call, and returns a result
// that holds the placeholder for them.
func (p *prompt) handle(ctx context.Context, _ mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	call := wire.FromContext(ctx)
	if call == nil {
		return nil, errNoCall
	}
	messages, failure := p.messages(ctx, call)
	if failure != nil {
		return nil, wire.Fail(ctx, failure)
	}
	token := call.AnswerList(wire.ListMessages, messages)
	return &mcp.GetPromptResult{
		Description: p.description,
		Messages:    []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(token))},
	}, nil
}

// messages makes the messages, or the error that the request ends with.
func (p *prompt) messages(ctx context.Context, call *wire.Call) ([]wire.Piece, *wire.Error) {
	tape, v := call.Tape()
	data := call.Payload.Text
	if call.Payload.Kind == jsontape.Null {
		data, tape = emptyObject, nil
	} else if v == 0 {
		tape = nil
	}
	run, err := p.prepare(ctx, data, tape, v)
	if values, ok := p.values(data, err); ok {
		run, err = p.prepare(ctx, values, nil, 0)
	}
	call.Checked()
	if err != nil {
		list, text := faults(err)
		return nil, &wire.Error{
			Code: wire.CodeInvalidParams, Message: "the arguments of the prompt " + quoted(p.name) + " are wrong\n" + text, Data: detailsJSON(list),
		}
	}
	value, err := p.server.run(ctx, p.timeout, run)
	if err != nil {
		return nil, p.server.failure(ctx, err, "prompt "+quoted(p.name), p.timeout)
	}
	var list []Message
	switch v := value.(type) {
	case string:
		list = []Message{User(Text(v))}
	case []Message:
		list = v
	}
	pieces, err := messagePieces(list)
	if err != nil {
		p.server.transport.Log().LogAttrs(ctx, slog.LevelError, "a prompt's messages can't be sent", slog.String("prompt", p.name), slog.String("error", err.Error()))
		return nil, &wire.Error{Code: wire.CodeInternalError, Message: "the prompt " + quoted(p.name) + " returned messages that can't be sent"}
	}
	return pieces, nil
}

var errRole = errors.New(`the role of a message must be "user" or "assistant"`)

// messagePieces are the JSON of messages.
func messagePieces(list []Message) (p []wire.Piece, err error) {
	p = append(p, raw("["))
	for i, m := range list {
		switch {
		case m.Role != "user" && m.Role != "assistant":
			return nil, errRole
		case m.Content == nil:
			return nil, errNoContent
		case i > 0:
			p = append(p, raw(","))
		}
		p = append(p, raw(`{"role":"`+m.Role+`","content":`))
		if p, err = m.Content.appendTo(p); err != nil {
			return nil, err
		}
		p = append(p, raw("}"))
	}
	return append(p, raw("]")), nil
}

// failure is the error of a request whose function did not end well. The text of an error is for the
// client, what a panic says is not.
func (s *Server) failure(ctx context.Context, err error, what string, limit time.Duration) *wire.Error {
	switch {
	case errors.Is(err, errTimeout):
		return late(what, limit)
	case ctx.Err() != nil:
		return cancelled()
	case errors.Is(err, errPanic):
		s.transport.TellFailure(ctx, "", "")
		return &wire.Error{Code: wire.CodeInternalError, Message: "the " + what + " failed for a reason that is in the log of the server"}
	}
	return &wire.Error{Code: wire.CodeInternalError, Message: "the " + what + " failed: " + err.Error()}
}

// values puts JSON in the place of the strings that hold it, where the schema has refused the string
// for being one. ok says that there were some.
func (p *prompt) values(data []byte, refused error) (values []byte, ok bool) {
	invalid := &jsonrt.ValidationError{}
	if !errors.As(refused, &invalid) {
		return nil, false
	}
	other := map[string]bool{}
	for _, d := range invalid.Details {
		if d.Keyword == "type" {
			other[d.Path] = true
		}
	}
	var t jsontape.Tape
	if len(other) == 0 || t.Parse(data, jsontape.Options{}) != nil {
		return nil, false
	}
	var b strings.Builder
	b.WriteByte('{')
	for c := 1; c < t.Next(0); c = t.Next(c + 1) {
		if c > 1 {
			b.WriteByte(',')
		}
		value := t.Bytes(c + 1)
		if other[string(jsontape.AppendPointerToken(nil, t.Str(c)))] {
			if text := t.Str(c + 1); json.Valid([]byte(text)) {
				value, ok = []byte(text), true
			}
		}
		b.Write(t.Bytes(c))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return []byte(b.String()), ok
}
