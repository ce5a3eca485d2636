package server

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// TestNoInterpreter: mcp-go's checks of arguments and results, which interpret schemas, are
// off whatever the options say. They are off while the server has none of their checkers.
func TestNoInterpreter(t *testing.T) {
	for options, tools := range map[*transport.Options]Tools{
		{}:                {},
		{MaxDepth: 5}:     {Typed: true},
		{Stateless: true}: {NoText: true, KeepJSONStrings: true},
	} {
		mcp := reflect.ValueOf(New(jsonrt.Registry{}, *options, tools).MCP()).Elem()
		for _, checker := range []string{"inputValidator", "outputValidator"} {
			field := mcp.FieldByName(checker)
			require.True(t, field.IsValid(), "mcp-go keeps its checkers elsewhere now: look where, and whether they are off")
			require.True(t, field.IsNil(), checker)
		}
	}
}
