package toolkit

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// Tool adds a tool to a server, before it serves or while it does: clients that are connected are
// then told that the list has changed. handler gets the arguments of a call after they were checked,
// and a context that ends when the client cancels or leaves, or when [Timeout] is over. It may be
// called many times at once.
//
// In is the type of the arguments: a generated type of Options.Types, any type that encoding/json
// decodes from an object, or json.RawMessage with [InputSchema] for their bytes as they came. Out
// is the type of the result:
//
//   - string, [Content], and slices of strings, of contents, or of both ([]any) become content
//     blocks, in order;
//   - *[Result] is the result as it stands;
//   - json.RawMessage is structured content, byte for byte;
//   - any other type is structured content as encoding/json encodes it, with the same JSON as
//     text beside it, and its schema is told to clients. A generated type encodes itself;
//   - any decides by the value of each call, and has no schema: what is neither of the above nor an
//     object is the text of its JSON.
//
// An error of handler is a result with IsError whose text is that of the error. So is a panic, without
// its text, which the log has no more of than the stack.
//
// The error is a *[ToolError], which says what is wrong with the tool. The tool is not there then.
// To add several tools and see every mistake, join the errors:
//
//	err := errors.Join(
//		toolkit.Tool(s, "search", "Finds books.", search),
//		toolkit.Tool(s, "order", "Orders a book.", order, toolkit.Timeout(5*time.Second)),
//	)
func Tool[In, Out any](s *Server, name, description string, handler func(context.Context, In) (Out, error), options ...ToolOption) error {
	d := definition{name: name, description: description}
	for _, option := range options {
		option.ofTool(&d)
	}
	if handler == nil {
		return &ToolError{Tool: name, Message: "the tool has no function"}
	}
	input, err := s.newInput(reflect.TypeFor[In](), &d)
	if err != nil {
		return err
	}
	output, err := s.newOutput(reflect.TypeFor[Out](), &d)
	if err != nil {
		return err
	}
	decode := decoder[In](input)
	return s.add(&d, &tool{
		server: s, name: name, timeout: d.timeout, inputErrors: d.inputErrors, input: input, output: output,
		prepare: func(ctx context.Context, data []byte, t *jsontape.Tape, v int) (run, error) {
			in, err := decode(ctx, data, t, v)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context) (any, error) { return handler(ctx, in) }, nil
		},
	})
}

// ToolError says why a tool can't be added.
type ToolError struct {
	// Tool is the name of the tool.
	Tool string
	// Side is "input" or "output" where the fault is in a schema or a type, else "".
	Side string
	// Pointer leads to the fault in the schema (RFC 6901). The root is "".
	Pointer string
	// Message says what is wrong, and what to do.
	Message string
}

// Error names the tool, the side and the place, and says what is wrong.
func (e *ToolError) Error() string {
	text := "tool " + strconv.Quote(e.Tool)
	if e.Side != "" {
		text += ", " + e.Side + " schema"
	}
	if e.Pointer != "" {
		text += ", " + e.Pointer
	}
	return text + ": " + e.Message
}

// toolName is what the name of a tool may be (2025-11-25, server/tools, tool names).
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// add puts a tool on the list.
func (s *Server) add(d *definition, t *tool) error {
	switch {
	case !toolName.MatchString(d.name):
		return &ToolError{Tool: d.name, Message: "the name must have 1 to 128 characters, each a letter from A to Z or a to z, a digit, or one of _ - ."}
	case d.fault != "":
		return &ToolError{Tool: d.name, Message: d.fault}
	}
	definition := mcp.Tool{
		Name: d.name, Title: d.title, Description: d.description, Annotations: d.annotations,
		RawInputSchema: t.input.text, RawOutputSchema: t.output.text,
	}
	if err := mcp.ValidateParamHeaderAnnotations(&definition); err != nil {
		return d.errorAt(sideInput, "", "its x-mcp-header can't be used: %v", err)
	}
	s.mu.Lock()
	_, taken := s.tools[d.name]
	if !taken {
		s.tools[d.name] = t
		s.offers.tools.Store(true)
		s.transport.MCP().AddTools(mcpserver.ServerTool{Tool: definition, Handler: t.handle})
	}
	s.mu.Unlock()
	if taken {
		return &ToolError{Tool: d.name, Message: "there is a tool of this name already: choose another, or remove that one first"}
	}
	s.transport.ListChanged(transport.SectionTools)
	return nil
}

// errorAt makes the error of a fault in a schema or a type.
func (d *definition) errorAt(side, pointer, format string, args ...any) error {
	return &ToolError{Tool: d.name, Side: side, Pointer: pointer, Message: fmt.Sprintf(format, args...)}
}
