package typed_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/typed"
	"github.com/zenlix/echo-mcp/mcpkit/client/typed/internal/shopmcp"
)

// inMemory gives the client of a shop in this process.
func inMemory(t *testing.T) *shopmcp.Client {
	t.Helper()
	server, err := shop()
	require.NoError(t, err)
	return shopmcp.New(connect(t, client.InMemory(server.Connect)))
}

// TestCalls: a typed call takes a struct and gives one, from a server that runs.
func TestCalls(t *testing.T) {
	shop := inMemory(t)
	out, err := shop.PlaceOrder(t.Context(), shopmcp.PlaceOrderInput{Article: "tea", Count: new(int64(2)), Wrap: shopmcp.PlaceOrderInput_Wrap_Paper})
	require.NoError(t, err)
	require.Equal(t, shopmcp.PlaceOrderOutput{Number: 7, Lines: []string{"2 tea"}}, out)

	// A tool without an output schema gives the client's result; so does one called close, which
	// ends nothing.
	for range 2 {
		r, err := shop.Close(t.Context(), shopmcp.CloseInput{})
		require.NoError(t, err)
		require.Equal(t, "closed", r.Text())
	}
	r, err := shop.CountStock(t.Context(), shopmcp.CountStockInput{Article: "tea"})
	require.NoError(t, err)
	require.Equal(t, "TEA: 3", r.Text())
}

// TestInputIsChecked: what the input schema refuses is not sent, and the error says what to repair.
func TestInputIsChecked(t *testing.T) {
	session := connect(t, client.Fake(func(c client.Call) (json.RawMessage, error) {
		if c.Method == "tools/call" {
			t.Errorf("sent: %s", c.Message)
		}
		return nil, nil
	}))
	_, err := shopmcp.New(session).PlaceOrder(t.Context(), shopmcp.PlaceOrderInput{Count: new(int64(101)), Wrap: "gold"})
	var input *typed.InputError
	require.ErrorAs(t, err, &input)
	require.Equal(t, "place_order", input.Tool)
	var invalid *jsonrt.ValidationError
	require.ErrorAs(t, err, &invalid)
	var paths []string
	for _, d := range invalid.Details {
		paths = append(paths, d.Path)
	}
	require.Equal(t, []string{"/article", "/count", "/wrap"}, paths)
	require.ErrorContains(t, err, "the tool place_order was not called, as it does not take these arguments: ")
}

// TestFailedToolIsAnError of a type of its own, which no rejected call has.
func TestFailedToolIsAnError(t *testing.T) {
	_, err := inMemory(t).PlaceOrder(t.Context(), shopmcp.PlaceOrderInput{Article: "moon"})
	var failed *typed.ToolError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "place_order", failed.Tool)
	require.True(t, failed.Result.IsError)
	require.EqualError(t, err, "the tool place_order has failed: the moon is not for sale")

	session := connect(t, client.Fake(func(c client.Call) (json.RawMessage, error) {
		if c.Method == "tools/call" {
			return nil, &client.Error{Code: -32602, Message: "no such tool"}
		}
		return nil, nil
	}))
	_, err = shopmcp.New(session).PlaceOrder(t.Context(), shopmcp.PlaceOrderInput{Article: "tea"})
	var rejected *client.Error
	require.ErrorAs(t, err, &rejected)
	require.Equal(t, -32602, rejected.Code)
	require.False(t, errors.As(err, &failed))
}

// TestOutputIsChecked: what a server answers beyond its own output schema is an error that says so,
// and never a half-filled struct.
func TestOutputIsChecked(t *testing.T) {
	for _, test := range []struct{ result, says string }{
		{`{"structuredContent":{"number":"7","lines":[]}}`, `/number: must be `},
		{`{"structuredContent":{"number":7}}`, `/lines: is required`},
		{`{"structuredContent":{"number":7,"lines":[],"extra":1}}`, `/extra: is not allowed here`},
		{`{"structuredContent":[]}`, `must be object`},
		{`{"structuredContent":null}`, `it holds no structuredContent`},
		{`{"structuredContent":{"number":7,"number":8,"lines":[]}}`, `/number: this member name is repeated`},
		{`{"structuredContent":{"number":1e30,"lines":[]}}`, `/number: `},
		{`{"content":[{"type":"text","text":"{\"number\":7,\"lines\":[]}"}]}`, `it holds no structuredContent`},
		{`{}`, `it holds no structuredContent`},
	} {
		session := connect(t, client.Fake(func(c client.Call) (json.RawMessage, error) {
			if c.Method == "tools/call" {
				return json.RawMessage(test.result), nil
			}
			return nil, nil
		}))
		out, err := shopmcp.New(session).PlaceOrder(t.Context(), shopmcp.PlaceOrderInput{Article: "tea"})
		var output *typed.OutputError
		require.ErrorAs(t, err, &output, test.result)
		require.Equal(t, "place_order", output.Tool)
		require.JSONEq(t, test.result, string(output.Result.Raw))
		require.ErrorContains(t, err, "the answer of the tool place_order is not as its output schema says: ")
		require.ErrorContains(t, err, test.says)
		require.Zero(t, out)
	}
}

// TestOptionsReachTheCall: what may be said about a call of the session may be said about a typed one.
func TestOptionsReachTheCall(t *testing.T) {
	var params json.RawMessage
	session := connect(t, client.Fake(func(c client.Call) (json.RawMessage, error) {
		if c.Method == "tools/call" {
			params = c.Params
			return json.RawMessage(`{"content":[]}`), nil
		}
		return nil, nil
	}))
	_, err := shopmcp.New(session).Close(t.Context(), shopmcp.CloseInput{}, client.WithProgress(func(client.Progress) {}))
	require.NoError(t, err)
	require.Contains(t, string(params), `"progressToken"`)
	require.Contains(t, string(params), `"arguments":{}`)
}
