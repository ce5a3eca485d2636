package jsonrt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// text is a message of strings of at most three characters, written by hand as the generator
// would.
type text string

var schemaText = &jsonrt.Schema{
	ID: "text", Tool: "emit_text", Type: reflect.TypeFor[text](),
	Message: func(d *jsonrt.Decoder) jsonrt.Message { return text(d.String(0)) },
	Check: func(c *jsonrt.Checker, v int) bool {
		return c.Runes(v) <= 3 || c.Fail(v, "text.json#", "maxLength", "must have at most 3 characters, not "+c.Name(v))
	},
}

func (text) SchemaID() string               { return "text" }
func (v text) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil) }

func (v text) AppendJSON(dst []byte) ([]byte, error) {
	e := jsonrt.NewEncoder()
	e.String(string(v))
	return e.AppendTo(dst)
}

func (v text) Validate() error {
	e := jsonrt.NewEncoder()
	e.String(string(v))
	return e.Validate(schemaText)
}

func TestSchemaDecode(t *testing.T) {
	m, err := schemaText.Decode([]byte(`"ab"`))
	require.NoError(t, err)
	require.Equal(t, text("ab"), m)
	var invalid *jsonrt.ValidationError
	m, err = schemaText.Decode([]byte(`"abcd"`))
	require.ErrorAs(t, err, &invalid)
	require.Nil(t, m)

	// What fits the schema and not the Go type is no message.
	any := *schemaText
	any.Check = func(*jsonrt.Checker, int) bool { return true }
	var misfit *jsonrt.DecodeError
	m, err = any.Decode([]byte(`1`))
	require.ErrorAs(t, err, &misfit)
	require.Nil(t, m)

	_, err = (&jsonrt.Schema{ID: "x"}).Decode([]byte(`1`))
	require.EqualError(t, err, `the schema "x" has no Go type: it was not made by echo-gen`)
}

// TestSchemaDecodeTape: a part of a document decodes as it would alone.
func TestSchemaDecodeTape(t *testing.T) {
	decode := func(s *jsonrt.Schema, ctx context.Context, part string) (jsonrt.Message, error) {
		tape, root := within(t, part)
		return s.DecodeTape(ctx, tape, root)
	}
	m, err := decode(schemaText, t.Context(), `"ab"`)
	require.NoError(t, err)
	require.Equal(t, text("ab"), m)

	m, err = decode(schemaText, t.Context(), `"abcd"`)
	_, want := schemaText.Decode([]byte(`"abcd"`))
	require.Equal(t, want, err)
	require.Nil(t, m)

	m, err = decode(schemaText, t.Context(), `{"b":1,"\u0062":2}`)
	require.Equal(t, &jsonrt.RepeatedNameError{Path: "/b"}, err)
	require.Nil(t, m)

	_, err = decode(&jsonrt.Schema{ID: "x"}, t.Context(), `1`)
	require.EqualError(t, err, `the schema "x" has no Go type: it was not made by echo-gen`)
}

// The memory in which one message was validated serves the next one; what was said of the first
// stays.
func TestErrorsKeepTheirText(t *testing.T) {
	first := text("first").Validate()
	require.Error(t, text("other").Validate())
	require.EqualError(t, first, "must have at most 3 characters, not first")
	var invalid *jsonrt.ValidationError
	require.ErrorAs(t, first, &invalid)
	require.Equal(t, []jsonrt.Detail{{Message: "must have at most 3 characters, not first", Keyword: "maxLength", SchemaPath: "#/maxLength"}}, invalid.Details)
}

func TestUnknownSchema(t *testing.T) {
	r := jsonrt.NewRegistry(&jsonrt.Schema{ID: "order_v1"}, &jsonrt.Schema{ID: "order_v2"}, &jsonrt.Schema{ID: "invoice"})
	for id, want := range map[string]struct {
		nearest []string
		message string
	}{
		"order-v1":               {[]string{"order_v1", "order_v2"}, `there is no schema "order-v1"; did you mean "order_v1" or "order_v2"?`},
		"Invoice":                {[]string{"invoice"}, `there is no schema "Invoice"; did you mean "invoice"?`},
		"nothing like it":        {nil, `there is no schema "nothing like it"`},
		"":                       {nil, `there is no schema ""`},
		strings.Repeat("x", 129): {nil, "there is no schema with this id of 129 bytes"},
	} {
		m, err := r.Decode(id, []byte(`{}`))
		require.Nil(t, m)
		var unknown *jsonrt.UnknownSchemaError
		require.ErrorAs(t, err, &unknown)
		require.Equal(t, &jsonrt.UnknownSchemaError{ID: id, Nearest: want.nearest}, unknown)
		require.EqualError(t, err, want.message)
	}
}

func TestMerge(t *testing.T) {
	// The packages that the schemas stand for are those of their Go types.
	schema := func(id, tool string, of any) *jsonrt.Schema {
		return &jsonrt.Schema{ID: id, Tool: tool, Type: reflect.TypeOf(of)}
	}
	order, invoice, free := schema("order", "emit_order", text("")), schema("invoice", "emit_invoice", json.Number("")), schema("free", "", json.Number(""))
	merged, err := jsonrt.Merge(jsonrt.NewRegistry(order), jsonrt.Registry{}, jsonrt.NewRegistry(invoice, free))
	require.NoError(t, err)
	require.Equal(t, []*jsonrt.Schema{free, invoice, order}, merged.Schemas())

	// What was merged before can be merged again.
	again, err := jsonrt.Merge(merged, jsonrt.NewRegistry(order))
	require.NoError(t, err)
	require.Equal(t, merged, again)
	none, err := jsonrt.Merge()
	require.NoError(t, err)
	require.Zero(t, none.Len())

	other, tool, second := schema("order", "emit_order", json.Number("")), schema("in.voice", "emit_invoice", text("")), schema("free", "", text(""))
	merged, err = jsonrt.Merge(jsonrt.NewRegistry(order, invoice, free), jsonrt.NewRegistry(other, tool, second))
	require.Zero(t, merged.Len())
	var all interface{ Unwrap() []error }
	require.ErrorAs(t, err, &all)
	require.Equal(t, []error{
		&jsonrt.ConflictError{First: free, Second: second},
		&jsonrt.ConflictError{First: invoice, Second: tool, Tool: "emit_invoice"},
		&jsonrt.ConflictError{First: order, Second: other},
	}, all.Unwrap())
	require.EqualError(t, err, `the packages encoding/json and github.com/zenlix/echo-mcp/gen/jsonrt_test both have a schema with the id "free"; rename one of the two schema files
the typed tools of the schemas "invoice" of package encoding/json and "in.voice" of package github.com/zenlix/echo-mcp/gen/jsonrt_test would both be called emit_invoice; rename one of the two schema files
the packages github.com/zenlix/echo-mcp/gen/jsonrt_test and encoding/json both have a schema with the id "order"; rename one of the two schema files`)
	var conflict *jsonrt.ConflictError
	require.ErrorAs(t, err, &conflict)
	require.Equal(t, []string{"encoding/json", "github.com/zenlix/echo-mcp/gen/jsonrt_test"}, []string{conflict.First.Package(), conflict.Second.Package()})
}

// Packages of generated code become one registry where the program starts.
func ExampleMerge() {
	orders := jsonrt.NewRegistry(schemaText) // in truth the Registry of a generated package
	billing := jsonrt.NewRegistry(&jsonrt.Schema{ID: "invoice"})
	registry, err := jsonrt.Merge(orders, billing)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := registry.Decode("text", []byte(`"abc"`))
	fmt.Println(m, err)

	_, err = registry.Decode("txt", []byte(`"abc"`))
	var unknown *jsonrt.UnknownSchemaError
	if errors.As(err, &unknown) {
		fmt.Println(unknown.ID, "may be", unknown.Nearest)
	}
	// Output:
	// abc <nil>
	// txt may be [text]
}
