package echo

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Code says what kind of failure an envelope tells of. The set is closed.
type Code string

// The codes of failures.
const (
	// CodeInvalidRequest: arguments are missing, wrong or not JSON, a limit is exceeded, or
	// a member name of the payload repeats.
	CodeInvalidRequest Code = "INVALID_REQUEST"
	// CodeSchemaNotFound: no schema has this id.
	CodeSchemaNotFound Code = "SCHEMA_NOT_FOUND"
	// CodeSchemaValidationFailed: the payload does not satisfy its schema.
	CodeSchemaValidationFailed Code = "SCHEMA_VALIDATION_FAILED"
	// CodeInvalidSchemaDefinition: a schema can't be compiled. It occurs while an author changes
	// schemas, never in an answer of a server that was built from them.
	CodeInvalidSchemaDefinition Code = "INVALID_SCHEMA_DEFINITION"
	// CodeInternalError: the server failed.
	CodeInternalError Code = "INTERNAL_ERROR"
)

// maxQuotedID is the longest id that an answer repeats.
const maxQuotedID = 256

// Invalid is the failure INVALID_REQUEST. The message tells the caller how to do better;
// id is the schema id as far as it is known, else "".
func Invalid(id, message string) Answer {
	return failure(CodeInvalidRequest, id, message, nil)
}

// Faulty is the failure INVALID_SCHEMA_DEFINITION. The message has the faults of the schemas.
func Faulty(message string) Answer {
	return failure(CodeInvalidSchemaDefinition, "", message, nil)
}

// Internal is the failure INTERNAL_ERROR. It says nothing of the cause.
func Internal(id string) Answer {
	return failure(CodeInternalError, id, "the server failed to answer this call; its log says why", nil)
}

// notFound is the failure SCHEMA_NOT_FOUND.
func (s *Service) notFound(id string) Answer {
	message := "there is no schema with this id"
	if len(id) <= maxQuotedID {
		message = "there is no schema " + string(jsontape.AppendQuoted(nil, id))
	}
	nearest := near.Names(id, s.ids)
	for i, n := range nearest {
		if i == 0 {
			message += "; did you mean "
		} else {
			message += " or "
		}
		message += string(jsontape.AppendQuoted(nil, n))
	}
	if len(nearest) > 0 {
		message += "? list_schemas has all ids"
	} else {
		message += "; list_schemas has all ids"
	}
	return failure(CodeSchemaNotFound, id, message, nil)
}

// holdsJSON begins the hint for a string that should have been the value it describes.
const holdsJSON = "got a string that holds JSON"

// aboutText reports whether a string was refused for its text alone, too short say, so
// that another text is wanted rather than another type of value.
func aboutText(faults *jsonrt.ValidationError) bool {
	return !slices.ContainsFunc(faults.Details, func(d jsonrt.Detail) bool {
		switch d.Keyword {
		case "minLength", "maxLength", "pattern", "format":
			return false
		}
		return true
	})
}

// refused answers a payload that its schema, or the rule on repeated names, refuses. The
// hint, "" for none, goes before what is said of that.
func refused(id string, err error, hint string) Answer {
	if hint != "" {
		hint += "; "
	}
	var repeated *jsonrt.RepeatedNameError
	if errors.As(err, &repeated) {
		return failure(CodeInvalidRequest, id, hint+"a member name of the payload is there twice: keep one of the two",
			[]jsonrt.Detail{{Path: repeated.Path, Message: "this member name is repeated"}})
	}
	var undecided *jsonrt.UndecidedError
	if errors.As(err, &undecided) {
		return failure(CodeInvalidRequest, id, hint+"the payload could not be decided: checking the value that details names takes more work than one call may cost; make it shorter or simpler",
			[]jsonrt.Detail{{Path: undecided.Path, Message: "can't be decided within the work of one call", SchemaPath: undecided.SchemaPath}})
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Invalid(id, "the call was cancelled before the payload was checked")
	}
	var invalid *jsonrt.ValidationError
	if !errors.As(err, &invalid) {
		return Internal(id)
	}
	message := hint + "the payload does not satisfy the schema: repair what details lists and call again"
	if invalid.More > 0 {
		message += "; " + strconv.Itoa(invalid.More) + " more faults are not listed"
	}
	if invalid.Incomplete {
		message += "; there may be others that were not looked for"
	}
	return failure(CodeSchemaValidationFailed, id, message, invalid.Details)
}

// WithHint is a failure whose message begins with a hint of what the caller may have meant.
func (a Answer) WithHint(hint string) Answer {
	head := len(failureHead) + len(a.Code) + len(failureMessage)
	text := jsontape.AppendQuoted(nil, hint+"; ")
	text = text[1 : len(text)-1]
	a.Head = slices.Insert(slices.Clone(a.Head), head+1, text...)
	return a
}

// What a failure begins with, and what stands between its code and its message.
const (
	failureHead    = `{"ok":false,"error":{"code":"`
	failureMessage = `","message":`
)

// failure writes the envelope of a failure.
func failure(code Code, id, message string, details []jsonrt.Detail) Answer {
	b := append([]byte(nil), failureHead...)
	b = append(b, code...)
	b = jsontape.AppendQuoted(append(b, failureMessage...), message)
	if id != "" && len(id) <= maxQuotedID {
		b = jsontape.AppendQuoted(append(b, `,"schema_id":`...), id)
	}
	for i, d := range details {
		if i == 0 {
			b = append(b, `,"details":[`...)
		} else {
			b = append(b, ',')
		}
		b = jsontape.AppendQuoted(append(b, `{"path":`...), d.Path)
		b = jsontape.AppendQuoted(append(b, `,"message":`...), d.Message)
		b = jsontape.AppendQuoted(append(b, `,"keyword":`...), d.Keyword)
		b = jsontape.AppendQuoted(append(b, `,"schema_path":`...), d.SchemaPath)
		b = append(b, '}')
	}
	if len(details) > 0 {
		b = append(b, ']')
	}
	return Answer{Head: append(b, `}}`...), Code: code}
}
