package jsonrt

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Message is a value of a message type, whichever it is. Every schema has one Go type, named
// after its id, and the values of that type, not pointers to them, are Messages; so a type
// switch over all message types reads
//
//	switch m := m.(type) {
//	case generated.ReportOutlineV1:
//	case generated.WorkflowStageV1:
//	}
//
// That holds for every schema. One of objects gives a struct or a map, one of arrays a slice or
// a struct with a field for each element, one of strings, numbers or booleans a type such as
// type Port int64. Where no such type can hold the value, the message is a struct around it.
// Its one field Value is an interface for a union whose forms a member tells apart, a pointer
// where null is valid beside one type, a json.RawMessage where any JSON is valid. For every
// other union the struct embeds a Union and has an As method for each form.
type Message interface {
	// SchemaID is the id of the message type. The zero value has it too.
	SchemaID() string
	// Validate checks the message as it is now, whatever it was when it was decoded. The error
	// is an *EncodeError where the Go value is no JSON document, else one of those that
	// Schema.Validate gives.
	Validate() error
	// MarshalJSON encodes the message without checking it. The error is an *EncodeError.
	MarshalJSON() ([]byte, error)
	// AppendJSON appends what MarshalJSON gives to dst. With an error it gives dst as it was.
	AppendJSON(dst []byte) ([]byte, error)
}

// Decode validates one JSON document and decodes it into a value of the Go type s.Type. The
// errors are those of Validate, and a *DecodeError for a number that its Go type cannot hold;
// there is no message then.
func (s *Schema) Decode(data []byte) (Message, error) {
	if s.Message == nil {
		return nil, s.untyped()
	}
	d, err := ParseValid(data, s)
	if err != nil {
		return nil, err
	}
	return s.message(d)
}

// DecodeTape is Decode of the value at token root of a tape that the caller parsed, and checks it
// as ValidateTape does. The message shares no memory with the tape and its data. Paths in errors
// are relative to the value.
func (s *Schema) DecodeTape(ctx context.Context, t *jsontape.Tape, root int) (Message, error) {
	if s.Message == nil {
		return nil, s.untyped()
	}
	c := checkers.Get().(*Checker)
	if err := c.run(ctx, t, root, s.Check, s); err != nil {
		c.release()
		return nil, err
	}
	return s.message(newDecoder(c, t, root))
}

func (s *Schema) untyped() error {
	return fmt.Errorf("the schema %q has no Go type: it was not made by echo-gen", s.ID)
}

// message decodes a document that was checked, and closes the Decoder.
func (s *Schema) message(d *Decoder) (Message, error) {
	m := s.Message(d)
	if err := d.Close(); err != nil {
		return nil, err
	}
	return m, nil
}

// Decode is Schema.Decode of the schema that id names. An id that no schema has gives an
// *UnknownSchemaError.
func (r Registry) Decode(id string, data []byte) (Message, error) {
	s, ok := r.Lookup(id)
	if !ok {
		return nil, r.unknown(id)
	}
	return s.Decode(data)
}

// UnknownSchemaError says that no schema has an id.
type UnknownSchemaError struct {
	ID string
	// Nearest are the ids that may have been meant, the likeliest first: at most three.
	Nearest []string
}

// maxQuotedID is up to how many bytes an id that came from elsewhere is repeated in a message.
const maxQuotedID = 128

func (e *UnknownSchemaError) Error() string {
	var b strings.Builder
	b.WriteString("there is no schema ")
	if len(e.ID) <= maxQuotedID {
		b.WriteString(strconv.Quote(e.ID))
	} else {
		b.WriteString("with this id of " + strconv.Itoa(len(e.ID)) + " bytes")
	}
	for i, id := range e.Nearest {
		if i == 0 {
			b.WriteString("; did you mean ")
		} else {
			b.WriteString(" or ")
		}
		b.WriteString(strconv.Quote(id))
	}
	if len(e.Nearest) > 0 {
		b.WriteByte('?')
	}
	return b.String()
}

func (r Registry) unknown(id string) error {
	ids := make([]string, len(r.schemas))
	for i, s := range r.schemas {
		ids[i] = s.ID
	}
	return &UnknownSchemaError{ID: id, Nearest: near.Names(id, ids)}
}
