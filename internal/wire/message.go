package wire

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Kind says what a message is (JSON-RPC 2.0, sections 4 and 5).
type Kind uint8

// The kinds of message.
const (
	Request      Kind = iota + 1 // method and id: wants one answer
	Notification                 // method, no id: wants none
	Response                     // result or error: answers a request of ours
)

// Methods that the transports treat specially.
const (
	MethodInitialize          = "initialize"
	MethodToolsCall           = "tools/call"
	MethodSubscriptionsListen = "subscriptions/listen"
	MethodSetLevel            = "logging/setLevel"
	methodCancelled           = "notifications/cancelled"
	methodRead                = "resources/read"
	MethodSubscribe           = "resources/subscribe"
	MethodUnsubscribe         = "resources/unsubscribe"
	methodGetPrompt           = "prompts/get"
)

// Codes of JSON-RPC errors (section 5.1).
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// MaxDepthCeiling is the greatest limit of a payload's depth, ten times the default.
const MaxDepthCeiling = 100_000

// payloadDepth is how many containers surround a payload: message, params, arguments.
const payloadDepth = 3

// Message is one well-formed JSON-RPC message. It points into the bytes it was parsed from.
type Message struct {
	Kind   Kind
	ID     []byte // the id's text as received; nil for a notification
	Method string // "" for a response
	// Forward is the message for mcp-go: without the arguments of a tool call and what a
	// client tells of itself, with an id that mcp-go returns unchanged, and small: at most
	// 64 KiB and 1024 values.
	Forward []byte
	// Call holds what was taken out of a tools/call request, and with Parser.Contents out of one for
	// a resource or a prompt; nil for other methods.
	Call *Call
	// Error is what an error in mcp-go's answer is replaced by, nil for mcp-go's code with
	// words of our own. Fail sets it, and Parse where the params can't be right: the message is
	// then for mcp-go to refuse.
	Error *Error
	// Version is the text of the protocol version that _meta names, Cursor that of the cursor
	// in params; nil if there is none.
	Version, Cursor []byte
	// ProgressToken is the text of the token under which the client wants to be told how far the
	// request is; nil if it does not.
	ProgressToken []byte
	// URI is the text of the URI that a request about one resource names, else nil.
	URI []byte
	// Cancels is the text of the id that a notifications/cancelled names, else nil.
	Cancels []byte
}

// Refusal is the answer to a message that is not dealt with.
type Refusal struct {
	Code    int
	ID      []byte // the id's text, or null where it can't be told
	Message string
	Data    []byte // JSON text, nil for none
}

// AppendTo appends the refusal as a JSON-RPC error response to dst.
func (r *Refusal) AppendTo(dst []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, r.ID...)
	dst = append(dst, `,"error":`...)
	dst = (&Error{Code: r.Code, Message: r.Message, Data: r.Data}).appendTo(dst)
	return append(dst, '}')
}

// Parser reads messages. The zero value is ready; any number of goroutines may use it.
type Parser struct {
	// MaxDepth is how deep a payload may nest. 0 means jsontape.DefaultMaxDepth, and more
	// than MaxDepthCeiling means that.
	MaxDepth int
	// WholeArguments tells, by its name, whether a tool's arguments are the payload as they
	// stand. nil means that no tool is such.
	WholeArguments func(tool string) bool
	// Unchecked is the id of a schema that accepts every payload, "" for none. A payload for
	// it gets no tape: nobody would look at it.
	Unchecked string
	// Contents says that a handler answers resources/read and prompts/get with Call.AnswerList, and
	// that the arguments of prompts/get are a payload.
	Contents bool
}

// reading is one message being read.
type reading struct {
	*Parser
	tape *jsontape.Tape
	envelope
}

// envelope has the tokens of the members of a message that mean something; 0 is absent.
type envelope struct {
	jsonrpc, id, method, params, result, err int
	// of params
	name, arguments, meta, requestID int
}

// Parse reads data, which must hold exactly one JSON-RPC message. Exactly one result is
// nil, except that both are for a notification that has to be ignored.
//
// Refused are: what is not JSON in UTF-8 (-32700); what is no JSON-RPC request,
// notification or response, which includes batches (only protocol version 2025-03-26 has
// them), and ids that are not strings or integers; members that repeat; names that a decoder which
// ignores case or folds Unicode would take for one of the names that structure a message,
// and such names written with escapes (-32600). A fault inside the arguments of a tool call
// is no refusal: it is left in Call.Fault for the tool to answer. A message of which too much
// would be left for mcp-go is refused (-32600), or ignored where it is a notification.
func (p *Parser) Parse(data []byte) (*Message, *Refusal) {
	r := reading{Parser: p, tape: tapes.Get().(*jsontape.Tape)}
	m, refusal := r.read(data)
	if m == nil || m.Call == nil || m.Call.tape == nil {
		releaseTape(r.tape)
	}
	return m, refusal
}

func (r *reading) read(data []byte) (*Message, *Refusal) {
	t := r.tape
	o := jsontape.Options{MaxDepth: r.maxDepth() + payloadDepth}
	if !r.looksChecked(data) {
		o.IndexDepth = payloadDepth + 1
	}
	if err := t.Parse(data, o); err != nil {
		return r.unread(data, err)
	}
	if k := t.Tokens[0].Kind; k == jsontape.Array {
		return refuse(nil, "this server takes no batches, which the protocol has only in version 2025-03-26: send the messages one by one")
	} else if k != jsontape.Object {
		return refuse(nil, "a message must be a JSON object, not "+article(k))
	}
	fault := r.walk()
	m := &Message{}
	if r.method == 0 && (r.result != 0 || r.err != 0) {
		// A response, sound or not. Nothing that is sent back may carry its id, which counts
		// requests of ours: the other side would take it for one of its own.
		if fault != "" {
			return refuse(nil, fault)
		}
		m.Kind = Response
		if fault = r.forward(m); fault != "" {
			return refuse(nil, fault)
		}
		return m, nil
	}
	if r.id != 0 {
		if why := idFault(t, r.id); why != "" {
			return refuse(nil, why)
		}
		m.ID = t.Bytes(r.id)
	}
	if fault == "" {
		fault = r.classify(m)
	}
	if fault == "" {
		fault = r.forward(m)
	}
	switch {
	case fault == "":
	case m.Kind == Notification:
		return nil, nil // nobody waits for an answer
	default:
		return refuse(m.ID, fault)
	}
	if fault = r.checkParams(m); fault != "" {
		if m.Kind == Notification {
			return nil, nil // as above
		}
		m.Error = &Error{Code: CodeInvalidParams, Message: fault}
	}
	return r.finish(m, o.IndexDepth == 0)
}

// headSize is how much of a message looksChecked looks at.
const headSize = 512

// looksChecked guesses from the beginning of a message whether its payload will be checked
// against a schema, which takes a token for each of its values. A wrong guess costs time:
// nothing else depends on it.
func (p *Parser) looksChecked(data []byte) bool {
	return p.Unchecked == "" || !bytes.Contains(data[:min(len(data), headSize)], []byte(p.Unchecked))
}

func (p *Parser) maxDepth() int {
	if p.MaxDepth <= 0 {
		return jsontape.DefaultMaxDepth
	}
	return min(p.MaxDepth, MaxDepthCeiling)
}

// tapes keeps warm tapes.
var tapes = sync.Pool{New: func() any { return new(jsontape.Tape) }}

// maxKeptTokens bounds the memory that a kept tape holds on to: 4 MiB, enough for a payload
// of one or two megabytes. The text of the last message is not kept.
const maxKeptTokens = 1 << 18

func releaseTape(t *jsontape.Tape) {
	t.Data = nil
	if cap(t.Tokens) <= maxKeptTokens {
		tapes.Put(t)
	}
}

// unread answers a message that could not be read into the tape.
func (p *Parser) unread(data []byte, err error) (*Message, *Refusal) {
	var syntax *jsontape.SyntaxError
	if errors.As(err, &syntax) && syntax.Reason == jsontape.ReasonDepth {
		var s Scanner
		s.Scan(data)
		return s.Refuse(fmt.Sprintf("nested deeper than %d levels, the limit of this server", p.maxDepth()))
	}
	return nil, &Refusal{Code: CodeParseError, ID: null, Message: "the message is not JSON: " + err.Error()}
}

// walk finds the members of the message and of its params. It returns what is wrong with
// their names, "" if nothing.
func (r *reading) walk() (fault string) {
	t := r.tape
	fault = members(t, 0, messageNames, []*int{&r.jsonrpc, &r.id, &r.method, &r.params, &r.result, &r.err})
	if fault != "" && count(t, 0, "id") > 1 {
		r.id = 0 // an id that stands there twice is nobody's
	}
	if fault == "" && r.params != 0 && t.Tokens[r.params].Kind == jsontape.Object {
		fault = members(t, r.params, paramsNames, []*int{&r.name, &r.arguments, &r.meta})
		if i := t.Member(r.params, "requestId"); i > 0 {
			r.requestID = i
		}
	}
	return fault
}

// classify fills in kind and method of a message that is no response. It returns what
// keeps it from being JSON-RPC.
func (r *reading) classify(m *Message) (fault string) {
	t := r.tape
	switch {
	case r.jsonrpc == 0:
		return `the member "jsonrpc" is missing: it must be "2.0"`
	case t.Tokens[r.jsonrpc].Kind != jsontape.String || t.Str(r.jsonrpc) != "2.0":
		return `the member "jsonrpc" must be "2.0"`
	case r.method == 0:
		return `the member "method" is missing`
	case r.result != 0 || r.err != 0:
		return `a message with "method" must not have "result" or "error"`
	case t.Tokens[r.method].Kind != jsontape.String:
		return `the member "method" must be a string`
	case r.params != 0 && t.Tokens[r.params].Kind != jsontape.Object:
		return `the member "params" must be an object`
	case len(t.Bytes(r.method)) > maxForwardBytes:
		return r.excess(m, len(t.Bytes(r.method)), "bytes", maxForwardBytes)
	}
	m.Method = string(jsontape.AppendUnquoted(nil, t.Bytes(r.method)))
	m.Kind = Notification
	if r.id != 0 {
		m.Kind = Request
	}
	return ""
}

// finish takes out what the transports and tools need to know. indexed says that the tape
// has a token for every value.
func (r *reading) finish(m *Message, indexed bool) (*Message, *Refusal) {
	t := r.tape
	whole := false
	switch m.Method {
	case MethodToolsCall:
		m.Call = &Call{}
		if r.name != 0 {
			if t.Tokens[r.name].Kind != jsontape.String {
				return nil, &Refusal{Code: CodeInvalidParams, ID: idOrNull(m.ID), Message: "the name of the tool must be a string"}
			}
			m.Call.Tool = string(jsontape.AppendUnquoted(nil, t.Bytes(r.name)))
		}
		whole = r.WholeArguments != nil && r.WholeArguments(m.Call.Tool)
		m.Call.fill(t, r.arguments, whole)
		m.Call.readText(t, r.meta)
	case methodCancelled:
		if r.requestID != 0 {
			m.Cancels = t.Bytes(r.requestID)
		}
	case methodGetPrompt:
		if r.Contents {
			whole = true
			m.Call = &Call{}
			m.Call.fill(t, r.arguments, whole)
		}
	case methodRead, MethodSubscribe, MethodUnsubscribe:
		if r.Contents && m.Method == methodRead {
			m.Call = &Call{}
		}
		if i := t.Member(r.params, "uri"); r.params != 0 && i > 0 && t.Tokens[i].Kind == jsontape.String {
			m.URI = t.Bytes(i)
		}
	}
	arguments := r.taken(m)
	if i := r.repeatedName(0, 1, arguments); i > 0 {
		return refuse(m.ID, "the member "+clip(t.Pointer(i))+" is there twice: keep one of the two")
	}
	if arguments != 0 && m.Call.Fault == "" && !whole {
		if i := t.RepeatedMember(arguments); i > 0 {
			m.Call.Fault = "the argument " + clip(t.Bytes(i)) + " is there twice: keep one of the two"
		}
	}
	if m.Call != nil && indexed {
		m.Call.keep(t, r.maxDepth(), whole)
	}
	return m, nil
}

// taken is the token of the arguments that are taken out of the message, 0 if none are.
func (r *reading) taken(m *Message) int {
	if m.Method == MethodToolsCall || r.Contents && m.Method == methodGetPrompt {
		return r.arguments
	}
	return 0
}

// repeatedName is the token of the first name, in document order, that repeats another of
// its object, -1 if there is none: in the value at token v, which is at this depth, and in
// what is inside it, down to where a payload would begin. It leaves out the value at token
// skip.
func (r *reading) repeatedName(v, depth, skip int) int {
	t := r.tape
	first := t.RepeatedMember(v)
	if k := t.Tokens[v].Kind; depth == payloadDepth || k != jsontape.Object && k != jsontape.Array {
		return first
	}
	for c := v + 1; c < t.Next(v); c = t.Next(c) { // names too: there is nothing inside one
		if c == skip {
			continue
		}
		if i := r.repeatedName(c, depth+1, skip); i > 0 && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// refuse makes the refusal of a message that is not JSON-RPC.
func refuse(id []byte, why string) (*Message, *Refusal) {
	return nil, &Refusal{Code: CodeInvalidRequest, ID: idOrNull(id), Message: why}
}

func idOrNull(id []byte) []byte {
	if len(id) == 0 {
		return null
	}
	return id
}
