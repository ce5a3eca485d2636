package toolkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

// review is the arguments of a prompt.
type review struct {
	Code   string   `json:"code" jsonschema:"minLength=1,description=What to review."`
	Depth  int      `json:"depth,omitempty" jsonschema:"title=How deep,maximum=3"`
	Strict *bool    `json:"strict,omitempty"`
	Tags   []string `json:"tags,omitempty"`
}

// TestM39Prompts: a string is one message of the user, a list is sent as it is; arguments are typed.
func TestM39Prompts(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	require.NoError(t, toolkit.Prompt(s, "review", "Reviews code.", func(_ context.Context, r review) (string, error) {
		strict := "unsaid"
		if r.Strict != nil {
			strict = fmt.Sprint(*r.Strict)
		}
		return fmt.Sprintf("%s|%d|%s|%q", r.Code, r.Depth, strict, r.Tags), nil
	}, toolkit.Title("Review")))
	require.NoError(t, toolkit.Prompt(s, "talk", "", func(context.Context, none) ([]toolkit.Message, error) {
		return []toolkit.Message{
			toolkit.User(toolkit.Text("<hello>")), toolkit.Assistant(toolkit.Image{Data: []byte{1}, MIMEType: "image/png"}),
			toolkit.User(toolkit.FileText("x:///y", "text/plain", "z")),
		}, nil
	}))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		list := c.ask(t, "prompts/list", "")
		require.JSONEq(t, `[{"name":"review","title":"Review","description":"Reviews code.","arguments":[
			{"name":"code","description":"What to review.","required":true},{"name":"depth","title":"How deep"},{"name":"strict"},{"name":"tags"}]},
			{"name":"talk"}]`, string(list.Result.Prompts))

		long := strings.Repeat("<&>\u2028é", 20_000) // more than mcp-go gets of any message
		for arguments, want := range map[string]string{
			`{"code":"5","depth":"2"}`:                                `5|2|unsaid|[]`,
			`{"code":"x","strict":"true","tags":"[\"a\",\"b\"]"}`:     `x|0|true|[\"a\" \"b\"]`,
			`{"code":"true","strict":"false"}`:                        `true|0|false|[]`,
			`{"code":"` + long + `"}`:                                 long + `|0|unsaid|[]`,
			`{"strict":"\u0074rue", "code":"tags","tags" : " [ ] " }`: `tags|0|true|[]`,
		} {
			a := c.ask(t, "prompts/get", `{"name":"review","arguments":`+arguments+`}`)
			require.Nil(t, a.Error, "%+v", a.Error)
			require.Equal(t, `[{"role":"user","content":{"type":"text","text":"`+want+`"}}]`, string(a.Result.Messages))
		}
		for _, arguments := range []string{``, `,"arguments":{}`, `,"arguments":null`} {
			a := c.ask(t, "prompts/get", `{"name":"talk"`+arguments+`}`)
			require.Nil(t, a.Error, "%+v", a.Error)
			require.Equal(t, `[{"role":"user","content":{"type":"text","text":"<hello>"}},`+
				`{"role":"assistant","content":{"type":"image","mimeType":"image/png","data":"AQ=="}},`+
				`{"role":"user","content":{"type":"resource","resource":{"uri":"x:///y","mimeType":"text/plain","text":"z"}}}]`, string(a.Result.Messages))
		}
	})
}

// TestPromptArguments: wrong arguments of a prompt are the error -32602, with their faults.
func TestPromptArguments(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	require.NoError(t, toolkit.Prompt(s, "review", "", func(context.Context, review) (string, error) { return "", nil }))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for arguments, want := range map[string]string{
			`{}`:                                 "/code: is required",
			`{"code":""}`:                        "/code: must not be empty",
			`{"code":"x","depth":"deep"}`:        "/depth: must be integer",
			`{"code":"x","depth":"4"}`:           "/depth: must be at most 3",
			`{"code":"x","depth":"null"}`:        "/depth: must be integer",
			`{"code":"x","dept":"1"}`:            "/dept: is not allowed here",
			`{"code":"x","code":"y"}`:            "/code: this member name is repeated",
			`{"code":"\ud800"}`:                  "/code: has an escape such as \\ud800",
			`{"code":"x","tags":"[1]"}`:          "/tags/0: must be string",
			`{"code":"x","strict":"true false"}`: "/strict: must be boolean",
		} {
			a := c.ask(t, "prompts/get", `{"name":"review","arguments":`+arguments+`}`)
			require.NotNil(t, a.Error, arguments)
			require.Equal(t, -32602, a.Error.Code, arguments)
			require.Contains(t, a.Error.Message, "the arguments of the prompt \"review\" are wrong\n"+want, arguments)
			path, _, _ := strings.Cut(want, ":")
			require.Contains(t, string(a.Error.Data), `"path":"`+path+`"`, arguments)
		}
		a := c.ask(t, "prompts/get", `{"name":"review","arguments":{"code":5}}`)
		require.Equal(t, "each value in params.arguments must be a string, but \"code\" there is a number (prompts/get)", a.Error.Message)
	})
}

// TestManyPromptArguments: to read the values of arguments takes time in proportion to them, or one
// request of a few megabytes would keep the server busy for minutes.
func TestManyPromptArguments(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	require.NoError(t, toolkit.Prompt(s, "count", "", func(_ context.Context, counts map[string]int) (string, error) {
		return fmt.Sprint(len(counts)), nil
	}))
	const n = 400_000
	var arguments strings.Builder
	for i := range n {
		fmt.Fprintf(&arguments, `"a%d":"1",`, i)
	}
	begun := time.Now()
	a := dialStdio(t, s, recent).ask(t, "prompts/get", `{"name":"count","arguments":{`+arguments.String()+`"~/":"1"}}`)
	require.NotNil(t, a.Error, "not all of the faults are told, so not all are mended")
	require.Equal(t, -32602, a.Error.Code)
	require.Less(t, time.Since(begun), time.Minute)
}

// TestPromptMistakes: what is wrong with a prompt is told when it is added.
func TestPromptMistakes(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	require.NoError(t, toolkit.Prompt(s, "taken", "", constant("")))
	for want, err := range map[string]error{
		`prompt "": the name must be text, and not empty`:                             toolkit.Prompt(s, "", "", constant("")),
		`prompt "a": the prompt has no function`:                                      toolkit.Prompt[none, string](s, "a", "", nil),
		`prompt "b": the time-out must be more than zero`:                             toolkit.Prompt(s, "b", "", constant(""), toolkit.Timeout(0)),
		`prompt "taken": there is a prompt of this name already`:                      toolkit.Prompt(s, "taken", "", constant("")),
		`prompt "c": the arguments are an object: take a struct or a map, not string`: toolkit.Prompt(s, "c", "", func(context.Context, string) (string, error) { return "", nil }),
		`prompt "d": json.RawMessage says nothing about`:                              toolkit.Prompt(s, "d", "", func(context.Context, json.RawMessage) (string, error) { return "", nil }),
	} {
		var e *toolkit.AddError
		require.ErrorAs(t, err, &e, want)
		require.Contains(t, err.Error(), want)
	}
	require.False(t, s.RemovePrompt("a"), "nothing was added by mistake")
}
