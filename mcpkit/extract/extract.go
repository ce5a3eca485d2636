// Package extract finds the messages that agents emitted in what was recorded of them: results
// of tools, logs of MCP, transcripts of agents, requests and answers of the APIs of models. A
// message is an object that the tools of Echo MCP answer,
//
//	{"ok":true,"schema_id":"zenlix-agent-stage-v1","payload":{"stage":"build"}}
//
// wherever it stands: in structuredContent, in the text of a block, in a string inside of a
// string. [Messages] yields one after the other, from JSON lines and from whole documents of any
// size, in bounded memory and on all cores:
//
//	for message, err := range extract.Messages(file, extract.Options{File: "rollout.jsonl"}) {
//		if err != nil {
//			log.Print(err) // a broken line, for instance; the next ones follow
//			continue
//		}
//		fmt.Println(message.Line, message.SchemaID, string(message.Payload))
//	}
//
// # What is looked into
//
// Every object and array, and every string whose text is JSON, up to 16 strings deep. The text of
// another string is looked into line by line: a line counts that is JSON, behind "data:" too, as
// in a recorded stream of server-sent events. What stands inside the payload of a message is part
// of that message and not looked into.
//
// # Lines and documents
//
// An input is JSON lines where its first line that is not blank is JSON in itself, or is broken.
// If it is the beginning of a value that goes on behind it, the input holds documents, one or more,
// each on as many lines as it likes.
//
// # One message recorded twice
//
// A result has its message in structuredContent and in a text block, and agents write both down
// once more. Messages are the same if they have one schema id and equal payloads (as JSON with
// numbers of double precision: what a client has decoded and encoded again is equal), stand in one
// line or document (or one element of the array that it is), and the recording does not tell them
// apart. It does by the id of the call ([Message.CallID]), or, where there is none, by recording
// both at one place: two texts in a list are two messages, structuredContent and the text beside it
// are one. The message that is given is then the one from a string, since that is closer to what
// the server wrote. Codex writes each call down in two lines with one call_id: they count as one line here,
// as long as fewer than 1,024 other messages stand between them.
package extract

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// DefaultMaxBytes is the size of the largest message that is looked for in an input that can't be
// kept in memory: 64 MiB, which is what the server takes by default.
const DefaultMaxBytes = 64 << 20

// Options says what is looked for, and where. The zero value is ready for use.
type Options struct {
	// File is the name of the input in messages and errors. It is not opened.
	File string
	// SchemaID leaves out the messages of all other schemas. "" means all.
	SchemaID string
	// Failures gives calls that were refused as well, {"ok":false,"error":{…}}, as messages with
	// a Failure.
	Failures bool
	// MaxBytes is how large a message may be as it is recorded, with the string around it. It is
	// asked only in lines and documents of more than 256 KiB, where a larger one is an error
	// that says so. 0 means DefaultMaxBytes.
	MaxBytes int
	// Workers is how many goroutines look through the input. 0 means one for each core that Go
	// may use (GOMAXPROCS); with 1 everything happens in the goroutine of the caller.
	Workers int
	// Idle, if set, is called whenever the next message has to be waited for: a good moment to
	// flush what was written of the ones before.
	Idle func()

	window int // how much is read at once; 0 means defaultWindow. Tests make it small.
}

// Message is a message that an agent emitted or, with [Options.Failures], a call that was refused.
type Message struct {
	// SchemaID is the id of its schema. Of a refused call it may be "".
	SchemaID string
	// Payload is the message: JSON, byte for byte as it was recorded. It is nil for a refused
	// call, and belongs to the caller.
	Payload json.RawMessage
	// Failure tells why the call was refused. It is nil for a message.
	Failure *Failure
	// CallID is the id that the recording gives the call: the nearest tool_use_id, tool_call_id or
	// call_id in an object around the message. It is "" where there is none. Logs of requests to
	// an API repeat the conversation so far in each: there it tells messages that are new.
	CallID string
	// File is Options.File.
	File string
	// Line is the line of the input, counted from 1, on which the message, or the outermost
	// string that holds it, begins.
	Line int
	// Offset is how many bytes of the input, uncompressed, stand before it.
	Offset int64
}

// Failure is what the server answers when it refuses a call.
type Failure struct {
	// Code is one of INVALID_REQUEST, SCHEMA_NOT_FOUND, SCHEMA_VALIDATION_FAILED,
	// INVALID_SCHEMA_DEFINITION and INTERNAL_ERROR, unless a newer server knows more.
	Code string `json:"code"`
	// Message says in plain English what is wrong.
	Message string `json:"message"`
	// SchemaID is the id that the call named, "" where it is not known.
	SchemaID string `json:"schema_id,omitempty"`
	// Details are the faults of the payload, in document order.
	Details []jsonrt.Detail `json:"details,omitempty"`
}

// BrokenError is the error of a line, or of a part of a document, that is not JSON or breaks a
// limit. The input is read on behind it.
type BrokenError struct {
	// File is Options.File.
	File string
	// Line is where the fault stands, counted from 1.
	Line int
	// Column counts the characters of the line up to the fault, itself included. It is 0 where
	// that is not known, in lines and documents of more than 256 KiB.
	Column int
	// Offset is how many bytes of the input stand before the fault.
	Offset int64
	// Reason says what is wrong, in plain English.
	Reason string
}

// Error is "FILE:LINE:COLUMN: REASON", less what is not known.
func (e *BrokenError) Error() string {
	text := fmt.Sprintf("%d", e.Line)
	if e.File != "" {
		text = e.File + ":" + text
	} else {
		text = "line " + text
	}
	if e.Column > 0 {
		text += fmt.Sprintf(":%d", e.Column)
	}
	return text + ": " + e.Reason
}

// Messages reads r to its end and yields the messages in it, in the order of the input. Broken
// lines are errors of type [*BrokenError] in between, after which the others follow. After any
// other error, which is one of reading r, nothing follows. A message that comes with an error is
// the zero Message.
//
// The memory that it takes does not depend on the size of the input: some megabytes, 1 MiB for each
// worker, and three times the size of the largest message. A line that is longer, be it a gigabyte,
// is read piece by piece.
//
// A loop that is left early waits for a Read of r that is under way. r is not closed.
func Messages(r io.Reader, o Options) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) { run(r, o, yield) }
}
