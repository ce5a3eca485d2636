package toolkit

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/protocol"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// tool is a tool that was added.
type tool struct {
	server      *Server
	name        string
	timeout     time.Duration // 0 is none
	inputErrors InputErrors
	input       *side
	output      *output
	// prepare checks and decodes arguments, and gives what is left to run.
	prepare func(ctx context.Context, data []byte, t *jsontape.Tape, v int) (run, error)
}

// run is a call whose arguments are decoded.
type run func(context.Context) (any, error)

// How calls end, for the log and the metrics.
const (
	codeInvalidArguments = "INVALID_ARGUMENTS"
	codeInvalidResult    = "INVALID_RESULT"
	codeToolFailed       = "TOOL_FAILED"
	codePanic            = "PANIC"
	codeTimeout          = "TIMEOUT"
	codeCancelled        = "CANCELLED"
)

var (
	// errNoCall means that a tool was reached past package wire, which no transport does.
	errNoCall   = errors.New("the call did not come through the wire")
	errPanic    = errors.New("the tool failed for a reason that is in the log of the server")
	errTimeout  = errors.New("the call took too long")
	emptyObject = []byte("{}")
)

// handle is the handler that mcp-go calls. It leaves the result with the call, and returns one that
// holds the placeholders for it.
func (t *tool) handle(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	call := wire.FromContext(ctx)
	if call == nil {
		return nil, errNoCall
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	start := time.Now()
	a, code, failure := t.call(ctx, call, &r)
	t.server.transport.Observe(ctx, transport.Outcome{
		Tool: t.name, Code: code, PayloadBytes: len(call.Payload.Text), Took: time.Since(start),
	})
	if failure != nil {
		return nil, wire.Fail(ctx, failure)
	}
	result := &mcp.CallToolResult{IsError: a.isError}
	if a.meta != nil {
		result.Meta = mcp.NewMetaFromMap(a.meta)
	}
	var token string
	if a.content == nil {
		token = call.Answer([3][]byte{a.structured})
	} else {
		token = call.AnswerContent(a.content, a.structured)
	}
	result.Content = []mcp.Content{mcp.NewTextContent(token)}
	if a.structured != nil {
		result.StructuredContent = token
	}
	return result, nil
}

// call makes the answer to a call: a result, or the error that it ends with. code says how it went,
// "" for well.
func (t *tool) call(ctx context.Context, call *wire.Call, r *mcp.CallToolRequest) (a *answer, code string, failure *wire.Error) {
	run, err := t.arguments(ctx, call)
	call.Checked()
	if err != nil {
		a, failure = t.refuse(ctx, r, err)
		return a, codeInvalidArguments, failure
	}
	value, err := t.server.run(ctx, t.timeout, run)
	switch {
	case errors.Is(err, errTimeout):
		return nil, codeTimeout, late("tool "+quoted(t.name), t.timeout)
	case ctx.Err() != nil:
		return nil, codeCancelled, cancelled()
	case errors.Is(err, errPanic):
		t.server.transport.TellFailure(ctx, t.name, "")
		return failed(err.Error()), codePanic, nil
	case err != nil:
		return failed(err.Error()), codeToolFailed, nil
	}
	a, err = t.answer(ctx, value)
	if err != nil {
		return nil, codeInvalidResult, t.badResult(ctx, err)
	}
	if a.isError {
		code = codeToolFailed
	}
	return a, code, nil
}

// failed is the result of a tool that has failed.
func failed(why string) *answer {
	content, _ := pieces([]Content{Text(why)}) // text can always be sent
	return &answer{content: content, isError: true}
}

// arguments checks and decodes the arguments of a call. Those that are null are none, as some
// clients send it for that.
func (t *tool) arguments(ctx context.Context, call *wire.Call) (run, error) {
	if call.Fault != "" {
		return nil, errors.New(call.Fault)
	}
	data := call.Payload.Text
	tape, v := call.Tape()
	if call.Payload.Kind == jsontape.Null || call.Payload.Kind == jsontape.Invalid {
		data, tape = emptyObject, nil
	}
	if tape != nil && v == 0 {
		tape = nil
	}
	return t.prepare(ctx, data, tape, v)
}

// answer makes the result of a value. Methods of the author's types encode it, and may panic.
func (t *tool) answer(ctx context.Context, value any) (a *answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			t.server.transport.LogPanic(ctx, r)
			a, err = nil, errPanic
		}
	}()
	return t.output.answer(value)
}

// refuse answers a call with wrong arguments.
func (t *tool) refuse(ctx context.Context, r *mcp.CallToolRequest, err error) (*answer, *wire.Error) {
	how := t.inputErrors
	if how == ByVersion {
		how = t.server.inputs
	}
	if how == ByVersion {
		if how = RPC; transport.ProtocolVersion(ctx, r) >= protocol.InputErrors {
			how = ToolResult
		}
	}
	list, text := faults(err)
	if list == nil {
		text = "the tool " + quoted(t.name) + " can't be called so: " + text
	} else {
		text = "the arguments of the tool " + quoted(t.name) + " are wrong: repair them and call it again\n" + text
	}
	if how == RPC {
		return nil, &wire.Error{Code: wire.CodeInvalidParams, Message: text, Data: detailsJSON(list)}
	}
	a := failed(text)
	if list != nil {
		a.meta = map[string]any{MetaDetails: list}
	}
	return a, nil
}

// MetaDetails is the member of a result's _meta that has the faults of arguments that were refused,
// each with path, message, keyword and schema_path.
const MetaDetails = "io.github.zenlix.echo-mcp/details"

// badResult is the error of a call whose result can't be sent. It is the author's to mend: the log
// says what it is, without what the result holds.
func (t *tool) badResult(ctx context.Context, err error) *wire.Error {
	list, text := faults(err)
	about := []slog.Attr{slog.String("tool", t.name)}
	for i, d := range list {
		if i == maxLogged {
			break
		}
		about = append(about, slog.String("fault_"+strconv.Itoa(i+1), d.SchemaPath))
	}
	message := "the tool " + quoted(t.name) + " returned a result that can't be sent"
	if list != nil {
		message += ": it does not satisfy the tool's output schema\n" + text
	} else {
		about = append(about, slog.String("error", unsendable(err)))
	}
	t.server.transport.Log().LogAttrs(ctx, slog.LevelError, "a tool's result can't be sent", about...)
	return &wire.Error{Code: wire.CodeInternalError, Message: message, Data: detailsJSON(list)}
}

// maxLogged is how many faults of a result are logged.
const maxLogged = 3

// unsendable words why a result can't be encoded. What other packages say may hold what the result
// holds.
func unsendable(err error) string {
	for _, own := range []error{errNotObject, errNilResult, errNoContent, errNoURI, errNoMIMEType, errPanic} {
		if errors.Is(err, own) {
			return own.Error()
		}
	}
	return "encoding/json can't encode it, or it is no JSON"
}

// faults are the details of an error of a check, nil where it is of another kind, and its text.
func faults(err error) (list []jsonrt.Detail, text string) {
	var invalid *jsonrt.ValidationError
	var repeated *jsonrt.RepeatedNameError
	var unfit *jsonrt.DecodeError
	switch {
	case errors.As(err, &invalid):
		return invalid.Details, invalid.Error()
	case errors.As(err, &repeated):
		list = []jsonrt.Detail{{Path: repeated.Path, Message: "this member name is repeated; keep one of the two"}}
	case errors.As(err, &unfit):
		list = []jsonrt.Detail{{Path: unfit.Path, Message: unfit.Message}}
	default:
		return nil, err.Error()
	}
	return list, strings.TrimPrefix(list[0].Path+": "+list[0].Message, ": ")
}

// detailsJSON is the JSON of details, nil for none.
func detailsJSON(list []jsonrt.Detail) []byte {
	if list == nil {
		return nil
	}
	data, _ := encode(list) // strings can always be encoded
	return data
}
