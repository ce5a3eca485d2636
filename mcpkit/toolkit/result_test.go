package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

// png is as much of an image as tells what it is.
var png = []byte("\x89PNG\r\n\x1a\n0123")

// TestT7StringIsText: a string becomes one text block, exactly, and nothing else.
func TestT7StringIsText(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	odd := "pong <&> \u2028 \"\\\n\x00 \u00e9 𝄞"
	add(t, s, "ping", constant("pong"))
	add(t, s, "odd", constant(odd))
	add(t, s, "empty", constant(""))
	add(t, s, "broken", constant("a\xffb"))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		a := c.ask(t, "tools/call", call("ping", `{}`))
		require.Equal(t, `[{"type":"text","text":"pong"}]`, string(a.Result.Content))
		require.Nil(t, a.Result.Structured)
		require.False(t, a.Result.IsError)
		require.Equal(t, odd, c.ask(t, "tools/call", call("odd", `{}`)).text(t))
		require.Empty(t, c.ask(t, "tools/call", call("empty", `{}`)).text(t))
		require.Equal(t, "a\ufffdb", c.ask(t, "tools/call", call("broken", `{}`)).text(t))
	})
}

// TestT8ContentBecomesABlock: each kind of content is a block as the specification has it.
func TestT8ContentBecomesABlock(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "text", constant(toolkit.Text("hi")))
	add(t, s, "image", constant(toolkit.Image{Data: png, MIMEType: "image/png"}))
	add(t, s, "audio", constant(toolkit.Audio{Data: []byte("ID3"), MIMEType: "audio/mpeg"}))
	add(t, s, "file", constant(toolkit.FileText("notes:///a", "text/plain", "<note>")))
	add(t, s, "blob", constant(toolkit.FileBytes("notes:///b", "", []byte{0, 1})))
	add(t, s, "content", constant[toolkit.Content](toolkit.Text("hi")))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for tool, block := range map[string]string{
			"text":    `{"type":"text","text":"hi"}`,
			"image":   `{"type":"image","mimeType":"image/png","data":"iVBORw0KGgowMTIz"}`,
			"audio":   `{"type":"audio","mimeType":"audio/mpeg","data":"SUQz"}`,
			"file":    `{"type":"resource","resource":{"uri":"notes:///a","mimeType":"text/plain","text":"<note>"}}`,
			"blob":    `{"type":"resource","resource":{"uri":"notes:///b","blob":"AAE="}}`,
			"content": `{"type":"text","text":"hi"}`,
		} {
			require.Equal(t, "["+block+"]", string(c.ask(t, "tools/call", call(tool, `{}`)).Result.Content))
		}
	})
}

// TestT9BlocksKeepTheirOrder: slices of strings, of contents, and of both become several blocks.
func TestT9BlocksKeepTheirOrder(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	image := toolkit.Image{Data: png, MIMEType: "image/png"}
	add(t, s, "strings", constant([]string{"a", "b"}))
	add(t, s, "images", constant([]toolkit.Image{image}))
	add(t, s, "contents", constant([]toolkit.Content{toolkit.Text("a"), image}))
	add(t, s, "both", constant([]any{"a", image, toolkit.Text("b")}))
	add(t, s, "any", constant[any]([]any{image, "a"}))
	add(t, s, "nothing", constant([]toolkit.Content(nil)))
	add(t, s, "number", constant([]any{"a", 5}))
	add(t, s, "hole", constant([]toolkit.Content{nil}))
	const block = `{"type":"image","mimeType":"image/png","data":"iVBORw0KGgowMTIz"}`
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for tool, want := range map[string]string{
			"strings":  `[{"type":"text","text":"a"},{"type":"text","text":"b"}]`,
			"images":   `[` + block + `]`,
			"contents": `[{"type":"text","text":"a"},` + block + `]`,
			"both":     `[{"type":"text","text":"a"},` + block + `,{"type":"text","text":"b"}]`,
			"any":      `[` + block + `,{"type":"text","text":"a"}]`,
			"nothing":  `[]`,
		} {
			require.Equal(t, want, string(c.ask(t, "tools/call", call(tool, `{}`)).Result.Content), tool)
		}
		for _, tool := range []string{"number", "hole"} {
			require.Equal(t, -32603, c.ask(t, "tools/call", call(tool, `{}`)).Error.Code, tool)
		}
	})
}

// TestT10StructuredContentAndItsText: a struct is structured content, and the text beside it is the
// same JSON, byte for byte.
func TestT10StructuredContentAndItsText(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{Types: generated.Registry})
	type out struct {
		Found []string `json:"found"`
		Big   uint64   `json:"big"`
	}
	add(t, s, "struct", constant(out{[]string{"<&>", "é"}, math.MaxUint64}))
	add(t, s, "pointer", constant(&out{Found: []string{}}))
	add(t, s, "map", constant(map[string]int{"b": 1, "a": 2}))
	add(t, s, "any", constant[any](map[string]bool{"a": true}))
	add(t, s, "generated", constant(generated.ZenlixAgentStageV1{Stage: "plan"}))
	add(t, s, "raw", constant(json.RawMessage(` { "a" : 1.0, "b":1E400,"c":"\u0041\/<" } `)))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for tool, want := range map[string]string{
			"struct":    `{"found":["<&>","é"],"big":18446744073709551615}`,
			"pointer":   `{"found":[],"big":0}`,
			"map":       `{"a":2,"b":1}`,
			"any":       `{"a":true}`,
			"generated": `{"stage":"plan"}`,
			"raw":       ` { "a" : 1.0, "b":1E400,"c":"\u0041\/<" } `,
		} {
			a := c.ask(t, "tools/call", call(tool, `{}`))
			require.Nil(t, a.Error, tool)
			require.Equal(t, strings.TrimSpace(want), string(a.Result.Structured), tool)
			require.Equal(t, want, a.text(t), "the text of %s", tool)
		}
	})
}

// TestT12ResultsAreChecked: what does not satisfy the output schema is not sent. What counts is the
// JSON: a nil slice is null.
func TestT12ResultsAreChecked(t *testing.T) {
	t.Parallel()
	s, log := newServer(t, toolkit.Options{Types: generated.Registry})
	type out struct {
		Found []string `json:"found"`
		Rank  int      `json:"rank" jsonschema:"maximum=10"`
	}
	add(t, s, "nil", constant(out{}))
	add(t, s, "large", constant(out{[]string{"hush"}, 11}))
	add(t, s, "generated", constant(generated.ZenlixAgentStageV1{StageStatus: "hush"}))
	add(t, s, "raw", constant(json.RawMessage(`{"n":"hush"}`)), toolkit.OutputSchema([]byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)))
	add(t, s, "syntax", constant(json.RawMessage(`{"hush":`)))
	add(t, s, "twice", constant(json.RawMessage(`{"n":1,"n":2}`)), toolkit.OutputSchema([]byte(`{"type":"object"}`)))
	add(t, s, "nan", constant(map[string]float64{"hush": math.NaN()}))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for tool, path := range map[string]string{"nil": "/found", "large": "/rank", "generated": "/stage_status", "raw": "/n", "twice": "/n", "syntax": "", "nan": ""} {
			a := c.ask(t, "tools/call", call(tool, `{}`))
			require.Nil(t, a.Result, tool)
			require.Equal(t, -32603, a.Error.Code, tool)
			if path != "" {
				var details []struct{ Path string }
				require.NoError(t, json.Unmarshal(a.Error.Data, &details))
				require.Equal(t, path, details[0].Path, tool)
			}
		}
	})
	require.NotContains(t, log.String(), "hush", "the log has nothing of results")
	require.Contains(t, log.String(), `"fault_1":"#/properties/found/type"`)
}

// TestT18BadResults: the error names the tool and has the faults with their places.
func TestT18BadResults(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	type out struct {
		Found []string `json:"found"`
	}
	add(t, s, "bad", constant(out{}))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		a := c.ask(t, "tools/call", call("bad", `{}`))
		require.Equal(t, -32603, a.Error.Code)
		require.Equal(t, "the tool \"bad\" returned a result that can't be sent: it does not satisfy the tool's output schema\n/found: must be array", a.Error.Message)
		require.JSONEq(t, `[{"path":"/found","message":"must be array","keyword":"type","schema_path":"#/properties/found/type"}]`, string(a.Error.Data))
	})
}

// TestT13ExplicitResult: the content of a result that the tool has made itself stays as it is. Only
// where it is empty the structured content is there as text.
func TestT13ExplicitResult(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "kept", constant(&toolkit.Result{Content: []toolkit.Content{toolkit.Text("see below")}, Structured: map[string]int{"n": 1}, Meta: map[string]any{"k": "v"}}))
	add(t, s, "empty", constant(toolkit.Result{Structured: json.RawMessage(`{"n": 1}`)}))
	add(t, s, "nothing", constant(&toolkit.Result{}))
	add(t, s, "nil", constant[*toolkit.Result](nil))
	add(t, s, "any", constant[any](&toolkit.Result{Content: []toolkit.Content{toolkit.Text("x")}}))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		kept := c.ask(t, "tools/call", call("kept", `{}`)).Result
		require.Equal(t, `[{"type":"text","text":"see below"}]`, string(kept.Content))
		require.Equal(t, `{"n":1}`, string(kept.Structured))
		require.Contains(t, string(kept.Meta), `"k":"v"`)
		empty := c.ask(t, "tools/call", call("empty", `{}`)).Result
		require.Equal(t, `[{"type":"text","text":"{\"n\": 1}"}]`, string(empty.Content))
		require.Equal(t, `{"n": 1}`, string(empty.Structured))
		nothing := c.ask(t, "tools/call", call("nothing", `{}`)).Result
		require.Equal(t, `[]`, string(nothing.Content))
		require.Nil(t, nothing.Structured)
		require.Equal(t, -32603, c.ask(t, "tools/call", call("nil", `{}`)).Error.Code)
		require.Equal(t, "x", c.ask(t, "tools/call", call("any", `{}`)).text(t))
	})
}

// TestT19ErrorResultIsSentAsItIs: a result with IsError is neither checked nor added to.
func TestT19ErrorResultIsSentAsItIs(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	schema := toolkit.OutputSchema([]byte(`{"type":"object","required":["n"]}`))
	add(t, s, "soft", constant(&toolkit.Result{Content: []toolkit.Content{toolkit.Text("no luck")}, IsError: true}), schema)
	add(t, s, "with", constant(&toolkit.Result{Structured: json.RawMessage(`{"why": "<&>"}`), IsError: true}), schema)
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		soft := c.ask(t, "tools/call", call("soft", `{}`)).Result
		require.True(t, soft.IsError)
		require.Equal(t, `[{"type":"text","text":"no luck"}]`, string(soft.Content))
		require.Nil(t, soft.Structured)
		with := c.ask(t, "tools/call", call("with", `{}`)).Result
		require.True(t, with.IsError)
		require.Equal(t, `[]`, string(with.Content), "nothing is added")
		require.Equal(t, `{"why": "<&>"}`, string(with.Structured))
	})
}

// TestT20ProseHasNoSchema: tools that return prose or media have no output schema, and their results
// no structured content.
func TestT20ProseHasNoSchema(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "prose", constant("Once upon a time"))
	add(t, s, "media", constant([]any{"An image:", toolkit.Image{Data: png, MIMEType: "image/png"}}))
	for _, tool := range []string{"prose", "media"} {
		require.Nil(t, toolNamed(t, s, tool).OutputSchema)
		r, err := toolkit.TestPair(t, s).Call(tool, nil)
		require.NoError(t, err)
		require.Nil(t, r.Structured)
	}
}

// TestT35SuccessNeedsStructuredContent: a result that the tool has made itself must satisfy the
// output schema, too.
func TestT35SuccessNeedsStructuredContent(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	schema := toolkit.OutputSchema([]byte(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}`))
	add(t, s, "without", constant(&toolkit.Result{Content: []toolkit.Content{toolkit.Text("fine")}}), schema)
	add(t, s, "wrong", constant(&toolkit.Result{Structured: map[string]string{"n": "1"}}), schema)
	add(t, s, "right", constant(&toolkit.Result{Structured: map[string]int{"n": 1}}), schema)
	c := toolkit.TestPair(t, s)
	for tool, fault := range map[string]string{"without": "the tool has an output schema, so its results need structured content", "wrong": "/n: must be integer"} {
		_, err := c.Call(tool, nil)
		var failure *toolkit.CallError
		require.ErrorAs(t, err, &failure, tool)
		require.Equal(t, -32603, failure.Code)
		require.Contains(t, failure.Message, fault)
		require.Len(t, failure.Details, 1)
	}
	_, err := c.Call("right", nil)
	require.NoError(t, err)
}

// TestFilesNeedURIs: what the specification asks of a block is seen to before it is sent.
func TestFilesNeedURIs(t *testing.T) {
	t.Parallel()
	s, log := newServer(t, toolkit.Options{})
	add(t, s, "file", constant(toolkit.File{Text: "x"}))
	add(t, s, "image", constant(toolkit.Image{Data: png}))
	c := toolkit.TestPair(t, s)
	for _, tool := range []string{"file", "image"} {
		_, err := c.Call(tool, nil)
		var failure *toolkit.CallError
		require.ErrorAs(t, err, &failure, tool)
		require.Equal(t, -32603, failure.Code)
	}
	require.Contains(t, log.String(), "a file needs a URI")
}

// TestLargeResults: text, structured content and images of megabytes arrive whole.
func TestLargeResults(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	long := strings.Repeat("é\"\\\n", 1<<16)
	add(t, s, "text", constant(long))
	add(t, s, "json", constant(map[string]string{"long": long}))
	c := toolkit.TestPair(t, s)
	r, err := c.Call("text", nil)
	require.NoError(t, err)
	require.Equal(t, long, string(r.Content[0].(toolkit.Text)))
	r, err = c.Call("json", nil)
	require.NoError(t, err)
	require.Equal(t, string(r.Structured.(json.RawMessage)), string(r.Content[0].(toolkit.Text)))
	require.Len(t, r.Content, 1)
}

// failure is an error that a tool can return.
var errNoLuck = errors.New("no luck today")

// TestErrorsAreResults: the error of a tool is a result that a model can read, with the tool's words
// only.
func TestErrorsAreResults(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	type out struct{ N int }
	add(t, s, "fail", func(context.Context, none) (out, error) { return out{}, errNoLuck })
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		a := c.ask(t, "tools/call", call("fail", `{}`))
		require.True(t, a.Result.IsError)
		require.Equal(t, `[{"type":"text","text":"no luck today"}]`, string(a.Result.Content))
		require.Nil(t, a.Result.Structured, "nothing that clients would check against the output schema")
	})
}
