package generated_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/generated"
)

// decoders are the functions that decode the message types of this repository, by id, with what
// they give as a jsonrt.Message. There may be types of others besides.
var decoders = map[string]func([]byte) (jsonrt.Message, error){
	"zenlix-agent-stage-v1": decoder(generated.DecodeZenlixAgentStageV1),
	"report_outline_v1":     decoder(generated.DecodeReportOutlineV1),
	"workflow_stage_v1":     decoder(generated.DecodeWorkflowStageV1),
	"tool_run_report_v1":    decoder(generated.DecodeToolRunReportV1),
}

func decoder[T jsonrt.Message](decode func([]byte) (T, error)) func([]byte) (jsonrt.Message, error) {
	return func(data []byte) (jsonrt.Message, error) { return decode(data) }
}

// samples has a valid message of each of those types.
var samples = map[string]string{
	"zenlix-agent-stage-v1": `{"stage":"bu\u0069ld \ud83d\ude00","stage_status":"running","extra":{"a":[1,2.50,{"b":null}]}}`,
	"report_outline_v1":     `{"title":"é","items":[{"index":1,"heading":"a"},{"index":2.0,"heading":"b","notes":"\n"}]}`,
	"workflow_stage_v1":     `{"event_type":"stage_started","stage":"a","sequence":1e2}`,
	"tool_run_report_v1": `{"run_id":"6f1a6c0e-58e5-4d0c-9d8b-0a6a3f6f3c11","started_at":"2026-08-01T09:30:00Z","agent":{"name":"b","version":"1.2.3","homepage":"https://example.com/"},
		"cost":{"currency":"EUR","amount":19.9900},"labels":{"a":"b"},
		"steps":[{"tool":"t","duration_ms":1.5,"confidence":null,"outcome":{"status":"success","artifacts":["a","b"]},"steps":[{"tool":"u","duration_ms":2,"outcome":{"status":"skipped","reason":"r"}}]}]}`,
}

// Messages of all types may be decoded, validated and encoded at the same time: what they share is
// memory that waits for the next one.
func TestMessagesAtTheSameTime(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		for id, sample := range samples {
			all.Go(func() {
				want, err := generated.Decode(id, []byte(sample))
				assert.NoError(t, err)
				text, err := want.MarshalJSON()
				assert.NoError(t, err)
				for range 100 {
					m, err := generated.Decode(id, text)
					assert.NoError(t, err)
					assert.Equal(t, want, m)
					assert.NoError(t, m.Validate())
					line, err := m.AppendJSON([]byte("data: "))
					assert.NoError(t, err)
					assert.Equal(t, "data: "+string(text), string(line))
				}
			})
		}
	}
	all.Wait()
}

// FuzzDecode: what the validator accepts decodes, and encodes to an equal value, unless a
// number does not fit its Go type; what it refuses does not decode. As a part of another document
// it decodes likewise.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"stage":"build","stage_status":"running","next_stage":"","extra":{"a":[1.0,null,"\u0041\ud800"],"b":{}}}`,
		`{"stage":"","extra":{"":["<&>"]}}`, `{"Stage":"x"}`, `{"stage":"a","stage":"b"}`, `{"stage":null}`, `{"stage":"a","stage_status":""}`,
		`{"title":"t","items":[{"index":1.0,"heading":"h","notes":"n"},{"index":9223372036854775808,"heading":"h"}]}`,
		`{"event_type":"stage_started","stage":"s","message":"\/","sequence":10e-1}`,
		`{"run_id":"6f1a6c0e-58e5-4d0c-9d8b-0a6a3f6f3c11","started_at":"2026-08-01T09:30:00Z","agent":{"name":"a","version":"1.2.3","homepage":"https://example.com/"},
		"steps":[{"tool":"t","duration_ms":0.1,"retries":3,"confidence":null,"outcome":{"status":"success","artifacts":[]},"steps":[{"tool":"u","duration_ms":1e3,"confidence":0.25,"outcome":{"status":"failure","error":"e","retryable":false}}]}],
		"cost":{"currency":"EUR","amount":19.99},"labels":{"b":"1","a":"2"}}`,
		`[]`, `null`, `{`, ``,
	} {
		f.Add([]byte(seed))
	}
	for _, sample := range samples {
		f.Add([]byte(sample))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		for id, decode := range decoders {
			original := string(document)
			m, err := generated.Decode(id, document)
			v, errOfType := decode(document)
			require.Equal(t, errOfType, err)
			s, _ := generated.Registry.Lookup(id)
			if jsontape.Valid(document) == nil {
				part, errOfPart := decodePart(t, s, original)
				require.Equal(t, err, errOfPart)
				require.Equal(t, m, part)
			}
			invalid := s.Validate(document)
			var misfit *jsonrt.DecodeError
			switch {
			case invalid != nil:
				require.Equal(t, invalid, err)
				require.Nil(t, m)
			case errors.As(err, &misfit):
				require.Contains(t, misfit.Message, "does not fit")
				require.Nil(t, m)
			default:
				require.NoError(t, err)
				require.Equal(t, v, m)
				require.Equal(t, id, m.SchemaID())
				require.NoError(t, m.Validate())
				data, err := json.Marshal(m)
				require.NoError(t, err)
				equalUnlessRounded(t, original, data)
				exact, err := m.MarshalJSON() // json.Marshal puts & and < into escapes, also in raw values
				require.NoError(t, err)
				again, err := generated.Decode(id, exact)
				require.NoError(t, err, "%s comes back as %s", document, exact)
				require.Equal(t, m, again)
			}
		}
	})
}

// decodePart decodes a document where it stands inside another one, which changes afterwards.
func decodePart(t *testing.T, s *jsonrt.Schema, document string) (jsonrt.Message, error) {
	t.Helper()
	data := []byte(`[{"a":"\u0061","b":[0]},` + document + `,"z"]`)
	var tape jsontape.Tape
	require.NoError(t, tape.Parse(data, jsontape.Options{MaxDepth: jsontape.DefaultMaxDepth + 1}))
	m, err := s.DecodeTape(t.Context(), &tape, tape.Next(1))
	for i := range data {
		data[i] = '?'
	}
	return m, err
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
