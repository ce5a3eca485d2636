package toolkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

func rawEcho(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
	return arguments, nil
}

var anyObject = toolkit.InputSchema([]byte(`{"type":"object"}`))

// payloads are arguments that encoding/json, or mcp-go, would change.
var payloads = []string{
	`{}`, `{ "a" : 1.0 , "b":[ 1E400,-0,9007199254740993 ]}`, `{"a":"\u0041\/<&>"}`, `{"z":1,"a":2}`, `{"s":"\ud800"}`, "{\"u\":\"\u2028\u2029é\"}", `{"":{"":[]}}`, `{"n":null}`,
}

// TestArgumentsAreExact: a tool gets the bytes of its arguments as they came, and what it gives as
// JSON is sent as it is.
func TestArgumentsAreExact(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	var mu sync.Mutex
	var got string
	add(t, s, "echo", func(_ context.Context, r json.RawMessage) (json.RawMessage, error) {
		mu.Lock()
		defer mu.Unlock()
		got = string(r)
		return r, nil
	}, anyObject)
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for _, payload := range append(payloads, `{"long":"`+strings.Repeat("x", 200_000)+`"}`) {
			a := c.ask(t, "tools/call", call("echo", payload))
			require.Nil(t, a.Error)
			require.True(t, payload == got, payload[:min(len(payload), 80)])
			require.True(t, payload == string(a.Result.Structured), payload[:min(len(payload), 80)])
			require.True(t, payload == a.text(t))
		}
	})
}

// FuzzArguments: what a tool gets, and what comes back, are the bytes that were sent.
func FuzzArguments(f *testing.F) {
	for _, payload := range payloads {
		f.Add(payload)
	}
	f.Add("{\"\xa9\":1}")
	s := toolkit.New(toolkit.Info{Name: "fuzz"}, toolkit.Options{})
	if err := toolkit.Tool(s, "echo", "", rawEcho, anyObject); err != nil {
		f.Fatal(err)
	}
	c := toolkit.TestPair(f, s)
	f.Fuzz(func(t *testing.T, payload string) {
		if !json.Valid([]byte(payload)) || !strings.HasPrefix(payload, "{") || strings.ContainsAny(payload, "\r\n") {
			return
		}
		r, err := c.Call("echo", json.RawMessage(payload))
		if err != nil || r.IsError {
			return // repeated names, bad UTF-8, numbers that can't be compared
		}
		require.Equal(t, strings.TrimRight(payload, " \t"), string(r.Structured.(json.RawMessage)))
	})
}

// TestT17WrongArguments: wrong arguments are a result that the model reads where the client's version
// of the protocol knows that, else an error; and what an option says.
func TestT17WrongArguments(t *testing.T) {
	t.Parallel()
	type in struct {
		N int `json:"n"`
	}
	tool := func(_ context.Context, _ in) (string, error) { return "", nil }
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "default", tool)
	add(t, s, "rpc", tool, toolkit.InputErrorsAs(toolkit.RPC))
	add(t, s, "result", tool, toolkit.InputErrorsAs(toolkit.ToolResult))
	const details = `[{"path":"/n","message":"must be integer","keyword":"type","schema_path":"#/properties/n/type"}]`
	const arguments = `{"n":"five"}`
	everywhere(t, s, func(t *testing.T, c client, version string) {
		for name, asResult := range map[string]bool{"default": version != old, "rpc": false, "result": true} {
			a := c.ask(t, "tools/call", call(name, arguments))
			if !asResult {
				require.Nil(t, a.Result, name)
				require.Equal(t, -32602, a.Error.Code)
				require.JSONEq(t, details, string(a.Error.Data))
				require.Contains(t, a.Error.Message, "\n/n: must be integer")
				continue
			}
			require.Nil(t, a.Error, name)
			require.True(t, a.Result.IsError)
			require.Equal(t, `the arguments of the tool "`+name+"\" are wrong: repair them and call it again\n/n: must be integer", a.text(t))
			require.Nil(t, a.Result.Structured)
			var meta map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(a.Result.Meta, &meta))
			require.JSONEq(t, details, string(meta[toolkit.MetaDetails]))
		}
	})
	s, _ = newServer(t, toolkit.Options{InputErrors: toolkit.RPC})
	add(t, s, "server", tool)
	add(t, s, "tool", tool, toolkit.InputErrorsAs(toolkit.ToolResult))
	c := dialStdio(t, s, recent)
	require.Equal(t, -32602, c.ask(t, "tools/call", call("server", arguments)).Error.Code)
	require.True(t, c.ask(t, "tools/call", call("tool", arguments)).Result.IsError)
}

// TestDecodingIsExact: nothing of the laxness of encoding/json shows.
func TestDecodingIsExact(t *testing.T) {
	t.Parallel()
	type in struct {
		Name  string           `json:"name"`
		Byte  uint8            `json:"byte"`
		Int   int64            `json:"int"`
		Float float64          `json:"float"`
		Num   json.Number      `json:"num"`
		At    *time.Time       `json:"at"`
		Ports []uint16         `json:"ports"`
		Raw   *json.RawMessage `json:"raw"`
		Blob  []byte           `json:"blob"`
	}
	s, _ := newServer(t, toolkit.Options{Types: generated.Registry})
	var got in
	open := toolkit.InputSchema([]byte(`{"type":"object","properties":{"name":{"type":"string"}}}`))
	add(t, s, "open", func(_ context.Context, i in) (string, error) { got = i; return "", nil }, open)
	add(t, s, "stage", func(_ context.Context, m generated.ZenlixAgentStageV1) (generated.ZenlixAgentStageV1, error) {
		return m, nil
	})
	c := toolkit.TestPair(t, s)
	for arguments, fault := range map[string]string{
		`{"name":"a","name":"b"}`:     "/name: this member name is repeated",
		`{"name":"\ud800"}`:           "/name: has an escape such as \\ud800 that stands for no character",
		`{"byte":256}`:                "/byte: must be from 0 to 255",
		`{"byte":-1}`:                 "/byte: must be from 0 to 255",
		`{"byte":1.5}`:                "/byte: must be written as an integer",
		`{"int":9223372036854775808}`: "/int: must be from -9223372036854775808 to 9223372036854775807",
		`{"float":1e400}`:             "/float: must be within the range of a 64-bit float",
		`{"ports":[1,65536]}`:         "/ports/1: must be from 0 to 65535",
		`{"blob":"%"}`:                "/blob: must be base64",
		`{"at":"yesterday"}`:          "/at: is no value that this tool can take",
		`{"int":"5"}`:                 "/int: must be written as an integer",
	} {
		r, err := c.Call("open", json.RawMessage(arguments))
		require.NoError(t, err)
		require.True(t, r.IsError, arguments)
		text := string(r.Content[0].(toolkit.Text))
		require.Contains(t, text, "\n"+fault, arguments)
		require.NotContains(t, text, "Go", arguments)
	}
	// What only the library can check has limits of its own; plain schemas have none.
	add(t, s, "odd", rawEcho, toolkit.InputSchema([]byte(`{"type":"object","properties":{"n":{"not":{"const":1}}}}`)))
	add(t, s, "plain", rawEcho, toolkit.InputSchema([]byte(`{"type":"object","properties":{"n":{"minimum":1}}}`)))
	for _, n := range []string{"1e999999999", "-1e-1001", strings.Repeat("1", 1001)} {
		r, err := c.Call("odd", json.RawMessage(`{"n":`+n+`}`))
		require.NoError(t, err)
		require.Contains(t, string(r.Content[0].(toolkit.Text)), "/n: must be a number with at most 1,000 digits")
		r, err = c.Call("plain", json.RawMessage(`{"n":`+n+`}`))
		require.NoError(t, err)
		require.Equal(t, n[0] == '-', r.IsError)
	}
	r, err := c.Call("open", json.RawMessage(`{"NAME":"folded","Name":"folded","na\u006de":"right","byte":2.55e2,"ports":[1.0,2],"num":9007199254740993,"raw":{ "x" :1.0},"at":"2026-01-02T03:04:05Z"}`))
	require.NoError(t, err)
	require.False(t, r.IsError, r.Content)
	require.Equal(t, "right", got.Name, "names count as they are written")
	require.EqualValues(t, 255, got.Byte)
	require.Equal(t, []uint16{1, 2}, got.Ports)
	require.Equal(t, json.Number("9007199254740993"), got.Num)
	require.JSONEq(t, `{"x":1.0}`, string(*got.Raw))

	r, err = c.Call("stage", json.RawMessage(`{"stage":"plan","extra":{"n":1E400}}`))
	require.NoError(t, err)
	require.Equal(t, `{"stage":"plan","extra":{"n":1E400}}`, string(r.Structured.(json.RawMessage)))
	add(t, s, "pointers", func(_ context.Context, m *generated.ZenlixAgentStageV1) (*generated.ZenlixAgentStageV1, error) {
		if m.Stage == "none" {
			return nil, nil
		}
		return m, nil
	})
	r, err = c.Call("pointers", json.RawMessage(`{"stage":"plan","extra":{"n":1E400}}`))
	require.NoError(t, err)
	require.Equal(t, `{"stage":"plan","extra":{"n":1E400}}`, string(r.Structured.(json.RawMessage)))
	_, err = c.Call("pointers", json.RawMessage(`{"stage":"none"}`))
	require.ErrorContains(t, err, "must be object", "nil is null")
	r, err = c.Call("stage", json.RawMessage(`{"stage":1,"stage_staus":"start"}`))
	require.NoError(t, err)
	require.Contains(t, string(r.Content[0].(toolkit.Text)), "\n/stage: must be string\n/stage_staus: is not allowed here; did you mean \"stage_status\"?")
}

// TestPanics: a panic is a failed call without a word of what went wrong, which the log has no more
// of than the stack; the next call works.
func TestPanics(t *testing.T) {
	t.Parallel()
	s, log := newServer(t, toolkit.Options{})
	add(t, s, "boom", boom)
	add(t, s, "nil", func(context.Context, none) (string, error) {
		var p *string
		return *p, nil
	})
	add(t, s, "timed", boom, toolkit.Timeout(time.Minute))
	add(t, s, "encoding", constant(panics{}), toolkit.OutputSchema([]byte(`{"type":"object"}`)))
	add(t, s, "ping", constant("pong"))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for _, tool := range []string{"boom", "nil", "timed"} {
			a := c.ask(t, "tools/call", call(tool, `{}`))
			require.True(t, a.Result.IsError, tool)
			require.Equal(t, "the tool failed for a reason that is in the log of the server", a.text(t))
		}
		require.Equal(t, -32603, c.ask(t, "tools/call", call("encoding", `{}`)).Error.Code)
		require.Equal(t, "pong", c.ask(t, "tools/call", call("ping", `{}`)).text(t))
	})
	require.NotContains(t, log.String(), "secret")
	require.Contains(t, log.String(), "call_test.go", "the stack leads to the tool")
}

// panics is a type that can't be encoded.
type panics struct{ N int }

// MarshalJSON implements json.Marshaler.
func (panics) MarshalJSON() ([]byte, error) { panic("secret of a caller") } //nolint:forbidigo // that is what is tested

func boom(context.Context, none) (string, error) { panic("secret of a caller") } //nolint:forbidigo // as above

// TestT27Timeouts: a time-out must be more than zero; without one a call takes as long as it takes.
func TestT27Timeouts(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	for _, limit := range []time.Duration{0, -1, -time.Second, math.MinInt64} {
		err := toolkit.Tool(s, "bad", "", constant(""), toolkit.Timeout(limit))
		require.ErrorContains(t, err, `tool "bad": the time-out must be more than zero, not `+limit.String())
	}
	add(t, s, "timed", constant("in time"), toolkit.Timeout(time.Hour))
	add(t, s, "untimed", func(ctx context.Context, _ none) (bool, error) {
		_, limited := ctx.Deadline()
		return limited, nil
	}, toolkit.AnyRoot())
	c := dialStdio(t, s, recent)
	require.Equal(t, "in time", c.ask(t, "tools/call", call("timed", `{}`)).text(t))
	require.Equal(t, "false", c.ask(t, "tools/call", call("untimed", `{}`)).text(t))
}

// TestT28TimedOut: a call that takes too long gets one answer; its context ends, and what it gives
// later is dropped.
func TestT28TimedOut(t *testing.T) {
	t.Parallel()
	s, log := newServer(t, toolkit.Options{})
	ended := make(chan error, 100)
	var late sync.WaitGroup
	add(t, s, "sleep", func(ctx context.Context, _ none) (string, error) {
		late.Add(1)
		defer late.Done()
		<-ctx.Done()
		ended <- ctx.Err()
		time.Sleep(20 * time.Millisecond)
		return "too late", nil
	}, toolkit.Timeout(30*time.Millisecond))
	add(t, s, "obeys", func(ctx context.Context, _ none) (string, error) { <-ctx.Done(); return "", ctx.Err() }, toolkit.Timeout(time.Millisecond))
	add(t, s, "ping", constant("pong"))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		a := c.ask(t, "tools/call", call("sleep", `{}`))
		require.Nil(t, a.Result)
		require.Equal(t, -32603, a.Error.Code)
		require.Equal(t, `the tool "sleep" did not answer within 30ms: try again, or with less to do`, a.Error.Message)
		require.Equal(t, context.DeadlineExceeded, <-ended)
		late.Wait()
		require.Equal(t, -32603, c.ask(t, "tools/call", call("obeys", `{}`)).Error.Code, "a tool that ends with its context")
		require.Equal(t, "pong", c.ask(t, "tools/call", call("ping", `{}`)).text(t), "the next line is the next answer")
	})
	require.NotContains(t, log.String(), "too late")
	require.Contains(t, log.String(), `"code":"TIMEOUT"`)
}

// TestCancelledCallsGetNoAnswer: neither a tool that stops nor one that goes on answers.
func TestCancelledCallsGetNoAnswer(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	started, ended := make(chan bool), make(chan bool)
	wait := func(ctx context.Context, _ none) (string, error) {
		started <- true
		<-ctx.Done()
		ended <- true
		return "a value", nil
	}
	add(t, s, "untimed", wait)
	add(t, s, "timed", wait, toolkit.Timeout(time.Hour))
	add(t, s, "ping", constant("pong"))
	for _, tool := range []string{"untimed", "timed"} {
		c := dialStdio(t, s, recent)
		c.send(t, request(recent, `"call"`, "tools/call", call(tool, `{}`)))
		<-started
		c.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}`)
		<-ended
		require.Equal(t, "pong", c.ask(t, "tools/call", call("ping", `{}`)).text(t), "no answer came before")

		h := dialHTTP(t, s, recent)
		done := make(chan response, 1)
		go func() { done <- h.post(t, request(recent, `"call"`, "tools/call", call(tool, `{}`)), "", "") }()
		<-started
		h.post(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}`, "", "")
		<-ended
		require.Equal(t, http.StatusAccepted, (<-done).status)
	}
}

// TestManyCallsAtOnce: calls run at the same time, and their arguments and results don't mix.
func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	type value struct {
		N    int    `json:"n"`
		Fill string `json:"fill"`
	}
	add(t, s, "typed", func(_ context.Context, v value) (value, error) { return v, nil })
	add(t, s, "timed", func(_ context.Context, r json.RawMessage) (json.RawMessage, error) { return r, nil }, anyObject, toolkit.Timeout(time.Minute))
	c := toolkit.TestPair(t, s)
	var calls sync.WaitGroup
	for i := range 200 {
		calls.Go(func() {
			tool := []string{"typed", "timed"}[i%2]
			want := fmt.Sprintf(`{"n":%d,"fill":"%s"}`, i, strings.Repeat("x", i*50))
			r, err := c.Call(tool, json.RawMessage(want))
			if err != nil || string(r.Structured.(json.RawMessage)) != want {
				t.Errorf("%s %d: %v", tool, i, err)
			}
		})
	}
	calls.Wait()
}

// TestSlowToolsHoldNothing: tools that take their time keep neither other calls nor the reading of
// messages waiting, however large their arguments were.
func TestSlowToolsHoldNothing(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{Limits: toolkit.Limits{MessageBytes: 1 << 20}})
	release := make(chan bool)
	started := make(chan bool, 8)
	add(t, s, "slow", func(context.Context, json.RawMessage) (string, error) { started <- true; <-release; return "done", nil }, anyObject)
	add(t, s, "ping", func(context.Context, json.RawMessage) (string, error) { return "pong", nil }, anyObject)
	large := `{"list":[` + strings.Repeat(`{},`, 100_000) + `{}]}`
	c := toolkit.TestPair(t, s)
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if r, err := c.Call("slow", json.RawMessage(large)); err != nil || r.IsError {
				t.Errorf("%v %v", r, err)
			}
		})
	}
	for range 8 {
		<-started
	}
	r, err := c.Call("ping", json.RawMessage(large))
	require.NoError(t, err)
	require.Equal(t, toolkit.Text("pong"), r.Content[0])
	close(release)
	calls.Wait()
}

// TestLimitsHold: the limits of messages are those of every server of this module.
func TestLimitsHold(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{Limits: toolkit.Limits{MessageBytes: 10_000, Depth: 20}})
	add(t, s, "echo", rawEcho, anyObject)
	c := dialStdio(t, s, recent)
	large, deep := call("echo", `{"x":"`+strings.Repeat("x", 20_000)+`"}`), call("echo", `{"x":`+strings.Repeat("[", 30)+strings.Repeat("]", 30)+`}`)
	require.Equal(t, `the tool "echo" can't be called so: the message is larger than 10000 bytes, the limit of this server`, c.ask(t, "tools/call", large).text(t))
	require.Equal(t, `the tool "echo" can't be called so: the message is nested deeper than 20 levels, the limit of this server`, c.ask(t, "tools/call", deep).text(t))
}
