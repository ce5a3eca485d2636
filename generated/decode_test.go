package generated_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/generated"
)

// message is what the fuzz test does with a message type.
type message struct {
	validate func([]byte) error
	again    func(t *testing.T, document []byte) ([]byte, error) // decodes and encodes
}

func messageOf[T any](validate func([]byte) error, decode func([]byte) (T, error)) message {
	return message{validate, func(t *testing.T, document []byte) ([]byte, error) {
		v, err := decode(document)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(v)
		require.NoError(t, err)
		w, err := decode(data)
		require.NoError(t, err, "%s comes back as %s", document, data)
		require.Equal(t, v, w)
		return data, nil
	}}
}

var messages = []message{
	messageOf(generated.ValidateZenlixAgentStageV1, generated.DecodeZenlixAgentStageV1),
	messageOf(generated.ValidateReportOutlineV1, generated.DecodeReportOutlineV1),
	messageOf(generated.ValidateWorkflowStageV1, generated.DecodeWorkflowStageV1),
	messageOf(generated.ValidateToolRunReportV1, generated.DecodeToolRunReportV1),
}

// FuzzDecode: what the validator accepts decodes, and encodes to an equal value, unless a
// number does not fit its Go type; what it refuses does not decode.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"stage":"build","stage_status":"running","next_stage":"","extra":{"a":[1.0,null,"\u0041\ud800"],"b":{}}}`,
		`{"stage":"","extra":{}}`, `{"Stage":"x"}`, `{"stage":"a","stage":"b"}`, `{"stage":null}`, `{"stage":"a","stage_status":""}`,
		`{"title":"t","items":[{"index":1.0,"heading":"h","notes":"n"},{"index":9223372036854775808,"heading":"h"}]}`,
		`{"event_type":"stage_started","stage":"s","message":"\/","sequence":10e-1}`,
		`{"run_id":"6f1a6c0e-58e5-4d0c-9d8b-0a6a3f6f3c11","started_at":"2026-08-01T09:30:00Z","agent":{"name":"a","version":"1.2.3","homepage":"https://example.com/"},
		"steps":[{"tool":"t","duration_ms":0.1,"retries":3,"confidence":null,"outcome":{"status":"success","artifacts":[]},"steps":[{"tool":"u","duration_ms":1e3,"confidence":0.25,"outcome":{"status":"failure","error":"e","retryable":false}}]}],
		"cost":{"currency":"EUR","amount":19.99},"labels":{"b":"1","a":"2"}}`,
		`[]`, `null`, `{`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		for _, m := range messages {
			original := string(document)
			invalid := m.validate(document)
			data, err := m.again(t, document)
			var misfit *jsonrt.DecodeError
			switch {
			case invalid != nil:
				require.Equal(t, invalid, err)
			case errors.As(err, &misfit):
				require.Contains(t, misfit.Message, "does not fit")
			default:
				require.NoError(t, err)
				equalUnlessRounded(t, original, data)
			}
		}
	})
}

// equalUnlessRounded compares two documents. A number with more digits than float64 holds may
// have lost them.
func equalUnlessRounded(t *testing.T, want string, got []byte) {
	t.Helper()
	var a, b jsontape.Tape
	require.NoError(t, a.Parse([]byte(want), jsontape.Options{}))
	require.NoError(t, b.Parse(got, jsontape.Options{}))
	if jsonrt.Equal(&a, 0, &b, 0) {
		return
	}
	var x, y any
	require.NoError(t, json.Unmarshal([]byte(want), &x))
	require.NoError(t, json.Unmarshal(got, &y))
	require.Equal(t, x, y)
}

// TestFilesAreGenerated keeps hand-written code out of the package; tests may stand here.
func TestFilesAreGenerated(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Regexp(t, `^// Code generated .* DO NOT EDIT\.\n`, string(text), path)
	}
}
