package client_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	echomcp "github.com/zenlix/echo-mcp"
	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

func echoSession(t *testing.T) *client.Session {
	t.Helper()
	server := echomcp.New(generated.Registry, echomcp.Options{})
	s, err := client.Connect(t.Context(), client.InMemory(server.Connect), client.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// TestEcho: a struct goes out and the validated one comes back, or the faults.
func TestEcho(t *testing.T) {
	s := echoSession(t)
	sent := generated.ZenlixAgentStageV1{Stage: "a", StageStatus: "success"}
	back, err := client.Echo(t.Context(), s, sent)
	require.NoError(t, err)
	require.Equal(t, sent, back)

	_, err = client.Echo(t.Context(), s, generated.ZenlixAgentStageV1{Stage: "a", StageStatus: "no such status"})
	var refused *client.CallError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, client.CodeSchemaValidationFailed, refused.Code)
	require.Equal(t, "zenlix-agent-stage-v1", refused.SchemaID)
	require.Equal(t, "/stage_status", refused.Details[0].Path)

	_, err = client.Echo(t.Context(), s, unwritable{})
	var input *client.InputError
	require.ErrorAs(t, err, &input)
	var encode *jsonrt.EncodeError
	require.ErrorAs(t, err, &encode)
}

// unwritable is a message that is no JSON document.
type unwritable struct{ generated.ZenlixAgentStageV1 }

func (unwritable) AppendJSON(dst []byte) ([]byte, error) { return dst, &jsonrt.EncodeError{} }

// TestEchoOfAnother: what comes back is checked here too.
func TestEchoOfAnother(t *testing.T) {
	for answer, failure := range map[string]string{
		`{"content":[],"structuredContent":{"ok":true,"schema_id":"other","payload":{}}}`:                          `a message of the schema "zenlix-agent-stage-v1" came back as one of "other"`,
		`{"content":[],"structuredContent":{"ok":true,"schema_id":"zenlix-agent-stage-v1","payload":{"stage":7}}}`: "the message that came back: ",
		`{"content":[{"type":"text","text":"pong"}]}`:                                                              "the result is not that of an echo",
	} {
		s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"tools/call": result(answer)}}
		_, err := client.Echo(t.Context(), connect(t, s, client.Options{}), generated.ZenlixAgentStageV1{Stage: "a"})
		require.ErrorContains(t, err, failure)
	}
}

// TestMessages: a stream of results gives messages by their types, and what holds none an error
// without an end to the stream.
func TestMessages(t *testing.T) {
	s := echoSession(t)
	var results []*client.Result
	for _, arguments := range []string{
		`{"schema_id":"zenlix-agent-stage-v1","payload":{"stage":"one"}}`,
		`{"schema_id":"zenlix-agent-stage-v1","payload":{}}`,
		`{"schema_id":"report_outline_v1","payload":{"title":"t","items":[{"index":1,"heading":"h"}]}}`,
	} {
		r, err := s.CallTool(t.Context(), "echo", json.RawMessage(arguments))
		require.NoError(t, err)
		results = append(results, r)
	}
	results = append(results, &client.Result{Raw: json.RawMessage(`{"content":[]}`)},
		&client.Result{Raw: json.RawMessage(`{"structuredContent":{"ok":true,"schema_id":"absent","payload":{}}}`)})
	var told []string
	for m, err := range client.Messages(generated.Registry, slices.Values(results)) {
		switch m := m.(type) {
		case generated.ZenlixAgentStageV1:
			told = append(told, "stage "+m.Stage)
		case generated.ReportOutlineV1:
			told = append(told, "outline "+m.Title)
		case nil:
			told = append(told, strings.SplitN(err.Error(), ":", 2)[0])
		}
	}
	require.Equal(t, []string{"stage one", "SCHEMA_VALIDATION_FAILED", "outline t", "the result is not that of an echo", `there is no schema "absent"`}, told)

	for m, err := range client.Messages(generated.Registry, slices.Values(results)) {
		require.NoError(t, err)
		require.Equal(t, "zenlix-agent-stage-v1", m.SchemaID())
		break // a consumer may stop
	}
}

// TestCodes: the client has the server's codes.
func TestCodes(t *testing.T) {
	for ours, theirs := range map[client.Code]echo.Code{
		client.CodeInvalidRequest: echo.CodeInvalidRequest, client.CodeSchemaNotFound: echo.CodeSchemaNotFound,
		client.CodeSchemaValidationFailed: echo.CodeSchemaValidationFailed, client.CodeInvalidSchemaDefinition: echo.CodeInvalidSchemaDefinition,
		client.CodeInternalError: echo.CodeInternalError,
	} {
		require.Equal(t, string(theirs), string(ours))
	}
}
