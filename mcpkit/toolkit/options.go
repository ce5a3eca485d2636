package toolkit

import (
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// definition is what the author of a tool, a prompt or a resource says about it.
type definition struct {
	name, description, title string
	mimeType                 string // of a resource
	inputSchema              []byte
	outputSchema             []byte
	anyRoot                  bool
	timeout                  time.Duration
	inputErrors              InputErrors
	annotations              mcp.ToolAnnotation
	fault                    string // of an option, "" if none
}

// Options of [Tool], [Prompt] and [Resource].
type (
	// ToolOption is an option of a tool.
	ToolOption interface{ ofTool(d *definition) }
	// PromptOption is an option of a prompt.
	PromptOption interface{ ofPrompt(d *definition) }
	// ResourceOption is an option of a resource.
	ResourceOption interface{ ofResource(d *definition) }
	// Option is an option that all of them have.
	Option func(d *definition)

	toolOption     func(d *definition)
	resourceOption func(d *definition)
)

func (o Option) ofTool(d *definition)             { o(d) }
func (o Option) ofPrompt(d *definition)           { o(d) }
func (o Option) ofResource(d *definition)         { o(d) }
func (o toolOption) ofTool(d *definition)         { o(d) }
func (o resourceOption) ofResource(d *definition) { o(d) }

// Title is the name for people. By default there is none.
func Title(title string) Option { return func(d *definition) { d.title = title } }

// InputSchema is the JSON Schema of the arguments: one document, in any dialect that it names with
// $schema, 2020-12 by default, whose references stay inside. It takes the place of the schema of
// the Go type.
func InputSchema(schema []byte) ToolOption {
	return toolOption(func(d *definition) { d.inputSchema = notNil(schema) })
}

// OutputSchema is the JSON Schema of the structured content, as InputSchema is that of the
// arguments.
func OutputSchema(schema []byte) ToolOption {
	return toolOption(func(d *definition) { d.outputSchema = notNil(schema) })
}

func notNil(schema []byte) []byte {
	if schema == nil {
		return []byte{}
	}
	return schema
}

// AnyRoot allows structured content that is no object, as protocol versions from 2026-07-28 on do.
// By default such an output schema is an error, since older clients refuse the tool.
func AnyRoot() ToolOption { return toolOption(func(d *definition) { d.anyRoot = true }) }

// MIMEType is the media type of a resource, such as "text/markdown". By default none is told.
func MIMEType(mimeType string) ResourceOption {
	return resourceOption(func(d *definition) { d.mimeType = mimeType })
}

// Timeout is how long a call may take, or the reading of a resource or prompt. When it is over the
// request is answered with the JSON-RPC error -32603, the context of the function ends, and what it
// returns later is dropped. The time must be more than zero. By default a request may take as long as
// its client waits.
func Timeout(limit time.Duration) Option {
	return func(d *definition) {
		if d.timeout = limit; limit <= 0 {
			d.fault = "the time-out must be more than zero, not " + limit.String() + ": leave it out for none"
		}
	}
}

// InputErrorsAs is Options.InputErrors for one tool.
func InputErrorsAs(how InputErrors) ToolOption {
	return toolOption(func(d *definition) { d.inputErrors = how })
}

// Hints are what a client may expect of a tool (2025-11-25, schema, ToolAnnotations). Of what is not
// said it has to expect the contrary.
type Hints struct {
	// ReadOnly says that the tool changes nothing.
	ReadOnly bool
	// NonDestructive says that it only adds to what there is.
	NonDestructive bool
	// Idempotent says that a second call with the same arguments changes nothing more.
	Idempotent bool
	// ClosedWorld says that it deals with nothing outside the server.
	ClosedWorld bool
}

// WithHints tells clients what to expect of the tool. By default they are told nothing.
func WithHints(h Hints) ToolOption {
	return toolOption(func(d *definition) {
		d.annotations = mcp.ToolAnnotation{}
		if h.ReadOnly {
			d.annotations.ReadOnlyHint = new(true)
		}
		if h.NonDestructive {
			d.annotations.DestructiveHint = new(false)
		}
		if h.Idempotent {
			d.annotations.IdempotentHint = new(true)
		}
		if h.ClosedWorld {
			d.annotations.OpenWorldHint = new(false)
		}
	})
}
