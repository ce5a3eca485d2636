package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// form is how the values of a tool become a result.
type form int

const (
	byValue   form = iota // any: each value decides
	asContent             // strings and contents
	asJSON                // structured content
	asResult              // *Result
	asRawJSON             // json.RawMessage
)

// output is what a tool gives.
type output struct {
	side
	form    form
	anyRoot bool
	tapes   tapes
}

var content = reflect.TypeFor[Content]()

// formOf is the form of a type's values.
func formOf(t reflect.Type) form {
	switch {
	case t == reflect.TypeFor[*Result](), t == reflect.TypeFor[Result]():
		return asResult
	case t == rawMessage:
		return asRawJSON
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return byValue
	case isContent(t):
		return asContent
	}
	return asJSON
}

// isContent reports whether values of a type are content blocks: see blocks.
func isContent(t reflect.Type) bool {
	if t == reflect.TypeFor[string]() || t.Implements(content) && t.Kind() != reflect.Pointer {
		return true
	}
	if t.Kind() != reflect.Slice || t.Name() != "" {
		return false
	}
	switch t.Elem() {
	case reflect.TypeFor[string](), reflect.TypeFor[any](), content, reflect.TypeFor[Text](), reflect.TypeFor[Image](), reflect.TypeFor[Audio](), reflect.TypeFor[File]():
		return true
	}
	return false
}

// newOutput finds out what a tool gives, and its schema.
func (s *Server) newOutput(t reflect.Type, d *definition) (*output, error) {
	o := &output{form: formOf(t), anyRoot: d.anyRoot, tapes: s.tapes}
	if d.outputSchema != nil {
		found, err := newSide(d, sideOutput, d.outputSchema)
		if err != nil {
			return nil, err
		}
		o.side = *found
		if o.form == asContent {
			o.form = asJSON
		}
		return o, nil
	}
	if o.form != asJSON {
		return o, nil
	}
	found, err := s.sideOf(t, d, sideOutput)
	if err != nil {
		return nil, err
	}
	o.side = *found
	return o, nil
}

// answer is a result as it is written.
type answer struct {
	content    []wire.Piece // nil is the structured content as text
	structured []byte
	isError    bool
	meta       map[string]any
}

// errNotObject means that structured content is no object where it must be one.
var errNotObject = errors.New("structured content must be an object, unless the tool has AnyRoot")

// answer makes the result of a value that the tool has returned. The errors are those of checks,
// and others that say what the author has done wrong.
func (o *output) answer(value any) (*answer, error) {
	if r, ok := value.(Result); ok {
		value = &r
	}
	if r, ok := value.(*Result); ok {
		return o.result(r)
	}
	switch o.form {
	case asContent:
		return contentAnswer(value)
	case byValue:
		if a, err := contentAnswer(value); err == nil && o.schema == nil {
			return a, nil
		} else if err != nil && !errors.Is(err, errNoContent) {
			return nil, err
		}
		if o.schema == nil && !o.anyRoot {
			return o.anyValue(value)
		}
	case asJSON, asResult, asRawJSON:
	}
	structured, err := o.structured(value)
	if err != nil {
		return nil, err
	}
	return &answer{structured: structured}, nil
}

func contentAnswer(value any) (*answer, error) {
	list, err := blocks(value)
	if err != nil {
		return nil, err
	}
	p, err := pieces(list)
	if err != nil {
		return nil, err
	}
	return &answer{content: p}, nil
}

// anyValue makes the result of a value that says by itself what it is: an object is structured
// content, and the JSON of anything else is text.
func (o *output) anyValue(value any) (*answer, error) {
	data, err := encode(value)
	if err == nil {
		err = checkJSON(data)
	}
	switch {
	case err != nil:
		return nil, err
	case isObject(data):
		return &answer{structured: data}, nil
	}
	return contentAnswer(Text(data))
}

// structured encodes structured content and checks it.
func (o *output) structured(value any) ([]byte, error) {
	data, err := encode(value)
	if err != nil {
		return nil, err
	}
	if o.schema != nil {
		return data, o.validate(data)
	}
	if _, given := value.(json.RawMessage); given {
		if err := checkJSON(data); err != nil {
			return nil, err
		}
	}
	if !o.anyRoot && !isObject(data) {
		return nil, errNotObject
	}
	return data, nil
}

// tapes keeps warm tapes for results. Large ones make the collector run so often that a sync.Pool
// would keep none.
type tapes chan *jsontape.Tape

// maxTapes is how many tapes a server keeps.
const maxTapes = 2

func (k tapes) get() *jsontape.Tape {
	select {
	case t := <-k:
		return t
	default:
		return new(jsontape.Tape)
	}
}

func (k tapes) put(t *jsontape.Tape) {
	if t.Data = nil; cap(t.Tokens) > maxKeptTokens {
		return
	}
	select {
	case k <- t:
	default:
	}
}

// maxKeptTokens bounds the memory that a kept tape holds on to: 4 MiB, enough for a result of one or
// two megabytes.
const maxKeptTokens = 1 << 18

// validate checks structured content.
func (o *output) validate(data []byte) error {
	t := o.tapes.get()
	defer o.tapes.put(t)
	if err := t.Parse(data, jsontape.Options{}); err != nil {
		return err
	}
	return o.schema.ValidateTape(context.Background(), t, 0)
}

var errNilResult = errors.New("the result is nil")

// result makes the result that the tool has made itself.
func (o *output) result(r *Result) (a *answer, err error) {
	if r == nil {
		return nil, errNilResult
	}
	a = &answer{isError: r.IsError, meta: r.Meta}
	switch {
	case r.IsError && r.Structured != nil:
		if a.structured, err = encode(r.Structured); err == nil {
			err = checkJSON(a.structured)
		}
	case r.Structured != nil:
		a.structured, err = o.structured(r.Structured)
	case o.schema != nil && !r.IsError:
		err = &jsonrt.ValidationError{Details: []jsonrt.Detail{{Message: "is required: the tool has an output schema, so its results need structured content"}}}
	}
	if err != nil {
		return nil, err
	}
	if len(r.Content) == 0 && a.structured != nil && !r.IsError {
		return a, nil
	}
	a.content, err = pieces(r.Content)
	return a, err
}
