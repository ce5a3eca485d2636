package echo_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/echo"
)

// hint is what jsonrt says of a string that holds what is wanted.
const hint = "got a string that holds JSON: send the value itself, without the quotes around it"

const source = "\n{ \"type\" : \"object\" }\r\n"

// registry has schemas written by hand: an object, anything, a string, a long one, a long one
// or no string, an array without values, and an array.
func registry() jsonrt.Registry {
	kind := func(k jsontape.Kind) jsonrt.CheckFunc {
		return func(c *jsonrt.Checker, v int) bool {
			return c.Kind(v) == k || c.Fail(v, "#", "type", "must be "+k.String())
		}
	}
	return jsonrt.NewRegistry(
		&jsonrt.Schema{ID: "zenlix-agent-stage-v1", Title: "A \"title\"", Description: "Agent\nstage", Source: source, Check: kind(jsontape.Object)},
		&jsonrt.Schema{ID: "report_outline_v1", Source: "true", Check: func(*jsonrt.Checker, int) bool { return true }},
		&jsonrt.Schema{ID: `a/b "ü"`, Source: "{}", Check: kind(jsontape.String)},
		&jsonrt.Schema{ID: "long", Source: "{}", Check: func(c *jsonrt.Checker, v int) bool {
			return c.Runes(v) > 9 || c.Fail(v, "#", "minLength", "must have at least 10 characters")
		}},
		&jsonrt.Schema{ID: "long or object", Source: "{}", Check: func(c *jsonrt.Checker, v int) bool {
			return c.Kind(v) != jsontape.String || c.Runes(v) > 99 || c.Fail(v, "#", "minLength", "must have at least 100 characters")
		}},
		&jsonrt.Schema{ID: "many", Source: "{}", Check: func(c *jsonrt.Checker, v int) bool {
			if !kind(jsontape.Array)(c, v) {
				return false
			}
			for i := v + 1; i < c.Next(v); i = c.Next(i) {
				if !c.Fail(i, "#/items", "type", "must be string") {
					return false
				}
			}
			return true
		}},
		&jsonrt.Schema{ID: "__proto__", Source: "{}", Check: kind(jsontape.Array)},
	)
}

func TestList(t *testing.T) {
	t.Parallel()
	require.Equal(t, `{"schemas":[`+
		`{"schema_id":"__schemaless__","description":"Accepts any JSON value: the payload is returned without validation.","builtin":true},`+
		`{"schema_id":"__proto__","builtin":true},`+
		`{"schema_id":"a/b \"ü\"","builtin":true},`+
		`{"schema_id":"long","builtin":true},`+
		`{"schema_id":"long or object","builtin":true},`+
		`{"schema_id":"many","builtin":true},`+
		`{"schema_id":"report_outline_v1","builtin":true},`+
		`{"schema_id":"zenlix-agent-stage-v1","title":"A \"title\"","description":"Agent\nstage","builtin":true}]}`,
		string(echo.New(registry(), echo.Options{}).List().Bytes()))
	require.Equal(t, `{"schemas":[{"schema_id":"__schemaless__","description":"Accepts any JSON value: the payload is returned without validation.","builtin":true}]}`,
		string(echo.New(jsonrt.Registry{}, echo.Options{}).List().Bytes()))
}

func TestGet(t *testing.T) {
	t.Parallel()
	s := echo.New(registry(), echo.Options{})
	for id, want := range map[string]string{
		"zenlix-agent-stage-v1": `{"schema_id":"zenlix-agent-stage-v1","description":"Agent\nstage","builtin":true,"schema":{ "type" : "object" }}`,
		"report_outline_v1":     `{"schema_id":"report_outline_v1","builtin":true,"schema":true}`,
		echo.Schemaless:         `{"schema_id":"__schemaless__","description":"Accepts any JSON value: the payload is returned without validation.","builtin":true,"schema":null}`,
		`a/b "ü"`:               `{"schema_id":"a/b \"ü\"","builtin":true,"schema":{}}`,
	} {
		a := s.Get(id)
		require.False(t, a.Failed())
		require.Equal(t, want, string(a.Bytes()))
		var e echo.GetEnvelope
		require.NoError(t, json.Unmarshal(a.Bytes(), &e))
		require.Equal(t, id, e.SchemaID)
	}
}

// ask echoes a payload, by itself and as a part of a larger document, which must not make a
// difference.
func ask(t *testing.T, s *echo.Service, id, payload string, maxDepth int) echo.Answer {
	t.Helper()
	answer := s.Echo(t.Context(), id, []byte(payload))
	var tape jsontape.Tape
	if tape.Parse([]byte(`[0,`+payload+`,0]`), jsontape.Options{MaxDepth: maxDepth + 1}) == nil {
		part := s.EchoTape(t.Context(), id, &tape, 2)
		require.Equal(t, answer.Code, part.Code)
		require.Equal(t, string(answer.Head), string(part.Head))
		require.Equal(t, strings.Trim(string(answer.Payload), " \n\t"), strings.Trim(string(part.Payload), " \n\t"))
		require.Equal(t, string(answer.Tail), string(part.Tail))
	}
	return answer
}

func TestEcho(t *testing.T) {
	t.Parallel()
	s := echo.New(registry(), echo.Options{})
	for _, c := range []struct{ id, payload string }{
		{echo.Schemaless, `{"a":1,"a":2}`},
		{echo.Schemaless, strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)},
		{"report_outline_v1", ` [1.0 , 1E400,"<&>\ud800\/"] `},
		{"zenlix-agent-stage-v1", `{"b":1,"a":2}`},
		{`a/b "ü"`, `"{\"a\":1}"`},
		{"__proto__", `[]`},
	} {
		payload := []byte(c.payload)
		a := s.Echo(t.Context(), c.id, payload)
		require.False(t, a.Failed())
		require.Same(t, &payload[0], &a.Payload[0], "the payload is not copied")
		ask(t, s, c.id, c.payload, jsontape.DefaultMaxDepth)
		require.Equal(t, `{"ok":true,"schema_id":`+string(jsontape.AppendQuoted(nil, c.id))+`,"payload":`+c.payload+`}`, string(a.Bytes()))
	}
}

// failure reads the envelope of a failure and checks its form.
func failure(t *testing.T, a echo.Answer) *echo.Error {
	t.Helper()
	require.True(t, a.Failed())
	require.Empty(t, a.Payload)
	decoder := json.NewDecoder(strings.NewReader(string(a.Bytes())))
	decoder.DisallowUnknownFields()
	var e echo.EchoEnvelope
	require.NoError(t, decoder.Decode(&e), "%s", a.Bytes())
	require.False(t, e.OK)
	require.NotNil(t, e.Error)
	require.Equal(t, a.Code, e.Error.Code)
	require.NotEmpty(t, e.Error.Message)
	require.True(t, strings.HasPrefix(string(a.Bytes()), `{"ok":false,"error":{"code":"`+string(a.Code)+`","message":"`), "%s", a.Bytes())
	return e.Error
}

func TestFailures(t *testing.T) {
	t.Parallel()
	s := echo.New(registry(), echo.Options{MaxDepth: 5})
	for _, c := range []struct {
		name, id, payload string
		code              echo.Code
		says              string
		details           []echo.Detail
	}{
		{"unknown id", "nope", `1`, echo.CodeSchemaNotFound, `there is no schema "nope"; list_schemas has all ids`, nil},
		{"misspelt id", "zenlix_agent_stage_v1", `1`, echo.CodeSchemaNotFound, `did you mean "zenlix-agent-stage-v1"?`, nil},
		{"part of an id", "Outline", `1`, echo.CodeSchemaNotFound, `did you mean "report_outline_v1"?`, nil},
		{"schemaless", "schemaless", `1`, echo.CodeSchemaNotFound, `did you mean "__schemaless__"?`, nil},
		{"no id", "", `1`, echo.CodeSchemaNotFound, "list_schemas", nil},
		{
			"wrong type", "zenlix-agent-stage-v1", `[1]`, echo.CodeSchemaValidationFailed, "repair what details lists",
			[]echo.Detail{{Path: "", Message: "must be object", Keyword: "type", SchemaPath: "#/type"}},
		},
		{
			"two faults", "many", `[ 1 ,"a"]`, echo.CodeSchemaValidationFailed, "repair",
			[]echo.Detail{{Path: "/0", Message: "must be string", Keyword: "type", SchemaPath: "#/items/type"}, {Path: "/1", Message: "must be string", Keyword: "type", SchemaPath: "#/items/type"}},
		},
		{
			"string that is too short", "long", `"123"`, echo.CodeSchemaValidationFailed, "the payload does not satisfy the schema: repair",
			[]echo.Detail{{Path: "", Message: "must have at least 10 characters", Keyword: "minLength", SchemaPath: "#/minLength"}},
		},
		{
			"string of something else", "zenlix-agent-stage-v1", `"{stage}"`, echo.CodeSchemaValidationFailed, "repair",
			[]echo.Detail{{Path: "", Message: "must be object", Keyword: "type", SchemaPath: "#/type"}},
		},
		{
			"repeated name", "zenlix-agent-stage-v1", `{"a/b":[{"x":1,"\u0078":2}]}`, echo.CodeInvalidRequest, "twice",
			[]echo.Detail{{Path: "/a~1b/0/x", Message: "this member name is repeated"}},
		},
		{"too deep", "many", `[[[[[[]]]]]]`, echo.CodeInvalidRequest, "deeper than 5 levels, the limit of this server", nil},
		{"not JSON", "many", `[1,]`, echo.CodeInvalidRequest, "byte 3", nil},
		{"not UTF-8", "many", "\"\xff\"", echo.CodeInvalidRequest, "UTF-8", nil},
		{"empty", "many", ``, echo.CodeInvalidRequest, "not JSON", nil},
	} {
		e := failure(t, ask(t, s, c.id, c.payload, 5))
		require.Equal(t, c.code, e.Code, c.name)
		require.Contains(t, e.Message, c.says, c.name)
		require.Equal(t, c.id, e.SchemaID, c.name)
		require.Equal(t, c.details, e.Details, c.name)
	}
	require.Equal(t, echo.CodeSchemaNotFound, failure(t, s.Get("nope")).Code)
	require.Equal(t, echo.CodeInvalidRequest, failure(t, echo.Invalid("x", "y")).Code)
	require.Equal(t, echo.CodeInternalError, failure(t, echo.Internal("x")).Code)
}

func TestManyFaults(t *testing.T) {
	t.Parallel()
	e := failure(t, echo.New(registry(), echo.Options{}).Echo(t.Context(), "many", []byte(`[`+strings.Repeat("1,", 149)+`1]`)))
	require.Len(t, e.Details, jsonrt.MaxDetails)
	require.Contains(t, e.Message, "50 more faults are not listed")
}

// TestIDsThatAreNoText: an id may be any JSON string, also one that is no Unicode text, or
// too long to be repeated.
func TestIDsThatAreNoText(t *testing.T) {
	t.Parallel()
	s := echo.New(registry(), echo.Options{})
	surrogate := string(jsontape.AppendUnquoted(nil, []byte(`"\ud800"`)))
	require.Contains(t, string(s.Get(surrogate).Bytes()), `"schema_id":"\ud800"`)
	e := failure(t, s.Get(strings.Repeat("x", 1_000_000)))
	require.Empty(t, e.SchemaID)
	require.Less(t, len(e.Message), 200)
}

// TestUnwrap: a string is looked into where its schema refuses it, one level deep and nowhere
// else.
func TestUnwrap(t *testing.T) {
	t.Parallel()
	s := echo.New(registry(), echo.Options{MaxDepth: 5})
	for _, c := range []struct{ name, id, payload, want string }{
		{"object", "zenlix-agent-stage-v1", `"{\"stage\" : \"\\u0061\\n\" }"`, `{"stage" : "\u0061\n" }`},
		{"white space around it", "zenlix-agent-stage-v1", `"\n {}\t"`, "\n {}\t"},
		{"array", "__proto__", `"[1.0,1E400]"`, `[1.0,1E400]`},
		{"another type than a text that is too short", "long or object", `"{}"`, `{}`},
		{"a string in a string", "long", `"\"1234567890\""`, `"\"1234567890\""`},
	} {
		a := ask(t, s, c.id, c.payload, 5)
		require.False(t, a.Failed(), c.name)
		require.Equal(t, c.want, string(a.Payload), c.name)
		require.Equal(t, c.want != c.payload, a.Unwrapped, c.name)
	}
	for _, c := range []struct{ name, id string }{
		{"a string that the schema takes stays one", `a/b "ü"`},
		{"schemaless takes a string too", echo.Schemaless},
		{"and so does a schema for anything", "report_outline_v1"},
	} {
		a := ask(t, s, c.id, `"{}"`, 5)
		require.Equal(t, `"{}"`, string(a.Payload), c.name)
		require.False(t, a.Unwrapped, c.name)
	}

	wrongType := func(more string) []echo.Detail {
		return []echo.Detail{{Message: "must be object" + more, Keyword: "type", SchemaPath: "#/type"}}
	}
	inside := "got a string that holds JSON; the details are about the value inside it. Send that value itself, not as a string; "
	for _, c := range []struct {
		name, id, payload string
		code              echo.Code
		says              string
		details           []echo.Detail
	}{
		{"not JSON", "zenlix-agent-stage-v1", `"stage"`, echo.CodeSchemaValidationFailed, "the payload does not satisfy the schema: ", wrongType("")},
		{
			"nearly JSON", "zenlix-agent-stage-v1", `" {\"stage\":\"a\",}"`, echo.CodeSchemaValidationFailed,
			"got a string that begins like JSON but is none: byte 14: expected a member name in double quotes after ',', found '}'; send the value itself; ", wrongType(""),
		},
		{"JSON of another type", "zenlix-agent-stage-v1", `"[]"`, echo.CodeSchemaValidationFailed, inside + "the payload does not satisfy the schema", wrongType("")},
		{"no payload of a type unknown", "zenlix-agent-stage-v1", `"null"`, echo.CodeSchemaValidationFailed, inside, wrongType("")},
		{
			"faults inside", "many", `"[1,[2]]"`, echo.CodeSchemaValidationFailed, inside,
			[]echo.Detail{{Path: "/0", Message: "must be string", Keyword: "type", SchemaPath: "#/items/type"}, {Path: "/1", Message: "must be string", Keyword: "type", SchemaPath: "#/items/type"}},
		},
		{"a string once more", "zenlix-agent-stage-v1", `"\"{}\""`, echo.CodeSchemaValidationFailed, inside, wrongType("; " + hint)},
		{
			"repeated name inside", "zenlix-agent-stage-v1", `"{\"a\":1,\"a\":2}"`, echo.CodeInvalidRequest, inside + "a member name of the payload is there twice",
			[]echo.Detail{{Path: "/a", Message: "this member name is repeated"}},
		},
		{"too deep inside", "zenlix-agent-stage-v1", `"{\"a\":[[[[[]]]]]}"`, echo.CodeInvalidRequest, "deeper than 5 levels, the limit of this server", nil},
		{"lone surrogate unescaped", "zenlix-agent-stage-v1", `"\"\ud800\""`, echo.CodeSchemaValidationFailed, "the payload does not satisfy the schema: ", wrongType("")},
		{
			"a string that is too short", "long", `"123"`, echo.CodeSchemaValidationFailed, "the payload does not satisfy the schema: ",
			[]echo.Detail{{Message: "must have at least 10 characters", Keyword: "minLength", SchemaPath: "#/minLength"}},
		},
	} {
		e := failure(t, ask(t, s, c.id, c.payload, 5))
		require.Equal(t, c.code, e.Code, c.name)
		require.Contains(t, e.Message, c.says, c.name)
		require.Equal(t, c.details, e.Details, c.name)
	}
}

// TestKeepJSONStrings: a string stays one, and its sender hears what to do.
func TestKeepJSONStrings(t *testing.T) {
	t.Parallel()
	s := echo.New(registry(), echo.Options{MaxDepth: 5, KeepJSONStrings: true})
	for payload, says := range map[string]string{
		`"{\"stage\":\"a\"}"`:   "got a string that holds JSON; send the value itself; the payload does not",
		`"{\"a\":[[[[[]]]]]}"`:  "the payload does not satisfy the schema",
		`"{\"stage\":\"a\",}"`:  "got a string that begins like JSON but is none: ",
		`"{\"a\":1,\"a\":2} 3"`: "got a string that begins like JSON but is none: ",
		`"stage"`:               "the payload does not satisfy the schema: ",
	} {
		e := failure(t, ask(t, s, "zenlix-agent-stage-v1", payload, 5))
		require.Equal(t, echo.CodeSchemaValidationFailed, e.Code, payload)
		require.Contains(t, e.Message, says, payload)
		require.Len(t, e.Details, 1)
		require.Contains(t, e.Details[0].Message, "must be object")
	}
	require.Equal(t, "must have at least 10 characters", failure(t, ask(t, s, "long", `"123"`, 5)).Details[0].Message)
}

func TestConcurrentEchoes(t *testing.T) {
	t.Parallel()
	s := echo.New(registry(), echo.Options{})
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			payload := strings.Repeat("[", i+1) + strings.Repeat("]", i+1)
			for range 20 {
				require.Equal(t, payload, string(s.Echo(t.Context(), "__proto__", []byte(payload)).Payload))
				require.Equal(t, echo.CodeSchemaValidationFailed, s.Echo(t.Context(), "zenlix-agent-stage-v1", []byte(payload)).Code)
			}
		})
	}
	group.Wait()
}

// TestUndecided: a payload that can't be decided is refused like one beyond a limit, and nobody
// checks for a client that has left.
func TestUndecided(t *testing.T) {
	t.Parallel()
	endless := &jsonrt.Schema{ID: "endless", Source: "{}", Check: func(c *jsonrt.Checker, v int) bool {
		for item, end := v+1, c.Next(v); item < end; item = c.Next(item) {
			for c.Kind(item) == jsontape.Null && c.Step(item, "endless.json#/items") {
			}
		}
		return true
	}}
	s := echo.New(jsonrt.NewRegistry(endless), echo.Options{})
	answer := s.Echo(t.Context(), "endless", []byte(`[1,null,null]`))
	require.Equal(t, echo.CodeInvalidRequest, answer.Code)
	require.Equal(t, `{"ok":false,"error":{"code":"INVALID_REQUEST","message":"the payload could not be decided: checking the value that details names takes more work than one call may cost; make it shorter or simpler",`+
		`"schema_id":"endless","details":[{"path":"/1","message":"can't be decided within the work of one call","keyword":"","schema_path":"#/items"}]}}`, string(answer.Bytes()))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	answer = s.Echo(ctx, "endless", []byte(`[1,null]`))
	require.Equal(t, echo.CodeInvalidRequest, answer.Code)
	require.Contains(t, string(answer.Bytes()), "cancelled")
}
