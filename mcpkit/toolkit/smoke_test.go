package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

func TestSmoke(t *testing.T) {
	type in struct {
		Query string `json:"query" jsonschema:"minLength=1,description=What to look for"`
		Limit *int   `json:"limit" jsonschema:"minimum=1"`
	}
	type out struct {
		Found []string `json:"found"`
		Next  *string  `json:"next"`
	}
	s := toolkit.New(toolkit.Info{Name: "smoke"}, toolkit.Options{})
	require.NoError(t, toolkit.Tool(s, "search", "Searches.", func(_ context.Context, q in) (out, error) {
		if q.Query == "nil" {
			return out{}, nil
		}
		return out{Found: []string{q.Query, "<&>"}}, nil
	}))
	require.NoError(t, toolkit.Tool(s, "ping", "Pings.", func(context.Context, struct{}) (string, error) { return "pong", nil }))
	require.NoError(t, toolkit.Tool(s, "boom", "Panics.", func(context.Context, struct{}) (string, error) { panic("secret") }))
	require.NoError(t, toolkit.Tool(s, "fail", "Fails.", func(context.Context, struct{}) (string, error) { return "", errors.New("no luck") }))
	require.NoError(t, toolkit.Tool(s, "raw", "Raw.", func(_ context.Context, r json.RawMessage) (json.RawMessage, error) { return r, nil }, toolkit.InputSchema([]byte(`{"type":"object"}`))))
	require.NoError(t, toolkit.Tool(s, "slow", "Slow.", func(ctx context.Context, _ struct{}) (string, error) { <-ctx.Done(); return "late", nil }, toolkit.Timeout(50*time.Millisecond)))
	c := toolkit.TestPair(t, s)
	tools, err := c.Tools()
	require.NoError(t, err)
	for _, tool := range tools {
		t.Log(tool.Name, string(tool.InputSchema), string(tool.OutputSchema))
	}
	for _, call := range []struct{ tool, args string }{
		{"search", `{"query":"x"}`}, {"search", `{"query":"x","limit":2.0}`}, {"search", `{"query":""}`}, {"search", `{"query":5,"lmit":1}`}, {"search", `{"query":"nil"}`},
		{"ping", `{}`}, {"ping", `null`}, {"boom", `{}`}, {"fail", `{}`}, {"raw", `{ "a" : 1.0 , "b":"\u0041<"}`}, {"slow", `{}`}, {"none", `{}`},
	} {
		r, err := c.Call(call.tool, json.RawMessage(call.args))
		text, _ := json.Marshal(r)
		t.Log(call.tool, call.args, "→", string(text), err)
	}
}
