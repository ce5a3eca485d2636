package toolkit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

// resource adds a resource that must be right.
func resource[Out toolkit.ResourceResult](t *testing.T, s *toolkit.Server, uri string, read func(context.Context, toolkit.ReadRequest) (Out, error), options ...toolkit.ResourceOption) {
	t.Helper()
	require.NoError(t, toolkit.Resource(s, uri, "a name", "A resource for tests.", read, options...))
}

func uriParams(uri string) string { return fmt.Sprintf(`{"uri":%q}`, uri) }

// TestM38Resources: resources are listed without being read, and read byte for byte.
func TestM38Resources(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	var reads atomic.Int64
	text := "<&>\u2028\n" + strings.Repeat("é", 1<<17)
	require.NoError(t, toolkit.Resource(s, "notes:///today", "today", "The note of today.", func(_ context.Context, r toolkit.ReadRequest) (string, error) {
		reads.Add(1)
		require.Nil(t, r.Variables)
		return text, nil
	}, toolkit.Title("Today"), toolkit.MIMEType("text/markdown")))
	resource(t, s, "notes:///bytes", toolkit.Static([]byte{0, 255}), toolkit.MIMEType("application/octet-stream"))
	resource(t, s, "notes:///none", toolkit.Static([]byte(nil)))
	resource(t, s, "notes:///file", toolkit.Static(toolkit.FileText("notes:///other", "text/csv", "a,b")))
	resource(t, s, "notes:///files", toolkit.Static([]toolkit.File{{Text: "1"}, toolkit.FileBytes("notes:///2", "", []byte("2"))}))
	resource(t, s, "notes:///no-files", toolkit.Static([]toolkit.File(nil)))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		before := reads.Load()
		list := c.ask(t, "resources/list", "")
		require.Nil(t, list.Error)
		require.Contains(t, string(list.Result.Resources), `{"uri":"notes:///today","name":"today","title":"Today","description":"The note of today.","mimeType":"text/markdown"}`)
		require.Equal(t, before, reads.Load(), "a list reads nothing")
		a := c.ask(t, "resources/read", uriParams("notes:///today"))
		require.Nil(t, a.Error)
		require.Equal(t, `[{"uri":"notes:///today","mimeType":"text/markdown","text":"`+strings.ReplaceAll(text, "\n", `\n`)+`"}]`, string(a.Result.Contents))
		for uri, want := range map[string]string{
			"notes:///bytes":    `[{"uri":"notes:///bytes","mimeType":"application/octet-stream","blob":"AP8="}]`,
			"notes:///none":     `[{"uri":"notes:///none","blob":""}]`,
			"notes:///file":     `[{"uri":"notes:///other","mimeType":"text/csv","text":"a,b"}]`,
			"notes:///files":    `[{"uri":"notes:///files","text":"1"},{"uri":"notes:///2","blob":"Mg=="}]`,
			"notes:///no-files": `[]`,
		} {
			a := c.ask(t, "resources/read", uriParams(uri))
			require.Nil(t, a.Error)
			require.Equal(t, want, string(a.Result.Contents))
		}
	})
}

// TestTemplates: a resource whose URI has variables is a template.
func TestTemplates(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	show := func(label string) func(context.Context, toolkit.ReadRequest) (string, error) {
		return func(_ context.Context, r toolkit.ReadRequest) (string, error) {
			if r.Variables["day"] == "never" {
				return "", fmt.Errorf("looking for it: %w", toolkit.ErrNoResource)
			}
			return fmt.Sprintf("%s %s %v", label, r.URI, r.Variables), nil
		}
	}
	resource(t, s, "notes:///{day}", show("first"), toolkit.MIMEType("text/plain"))
	resource(t, s, "notes:///{+path}", show("second"))
	resource(t, s, "notes:///today", toolkit.Static("of its own"))
	everywhere(t, s, func(t *testing.T, c client, version string) {
		list := c.ask(t, "resources/templates/list", "")
		require.JSONEq(t, `[{"uriTemplate":"notes:///{+path}","name":"a name","description":"A resource for tests."},
			{"uriTemplate":"notes:///{day}","name":"a name","description":"A resource for tests.","mimeType":"text/plain"}]`, string(list.Result.ResourceTemplates))
		for uri, want := range map[string]string{
			"notes:///mon%20day": `"first notes:///mon%20day map[day:mon day]"`,
			"notes:///a/b":       `"second notes:///a/b map[path:a/b]"`,
			"notes:///today":     `"of its own"`,
		} {
			a := c.ask(t, "resources/read", uriParams(uri))
			require.Nil(t, a.Error)
			require.Contains(t, string(a.Result.Contents), want)
		}
		for _, uri := range []string{"notes:///never", "other:///x"} {
			a := c.ask(t, "resources/read", uriParams(uri))
			require.NotNil(t, a.Error)
			want := -32602 // since 2026-07-28; -32002 before (server/resources, error handling)
			if version != modern {
				want = -32002
			}
			require.Equal(t, want, a.Error.Code)
			require.Equal(t, "there is no such resource; resources/list has all", a.Error.Message)
			require.JSONEq(t, uriParams(uri), string(a.Error.Data))
		}
	})
}

// TestM47Crashes: an error and a panic of what reads a resource or makes a prompt are the error -32603,
// without the words of the panic, and the server goes on.
func TestM47Crashes(t *testing.T) {
	t.Parallel()
	s, log := newServer(t, toolkit.Options{})
	resource(t, s, "x:///panic", func(context.Context, toolkit.ReadRequest) (string, error) { panic("hush-hush") }) //nolint:forbidigo // the panic is what is tested
	resource(t, s, "x:///error", func(context.Context, toolkit.ReadRequest) (string, error) { return "", errors.New("the disk is full") })
	resource(t, s, "x:///slow", func(ctx context.Context, _ toolkit.ReadRequest) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}, toolkit.Timeout(20*time.Millisecond))
	require.NoError(t, toolkit.Prompt(s, "panic", "", func(context.Context, none) (string, error) { panic(errors.New("hush-hush")) })) //nolint:forbidigo // the panic is what is tested
	require.NoError(t, toolkit.Prompt(s, "error", "", func(context.Context, none) (string, error) { return "", errors.New("the disk is full") }))
	require.NoError(t, toolkit.Prompt(s, "role", "", func(context.Context, none) ([]toolkit.Message, error) {
		return []toolkit.Message{{Role: "hush-hush", Content: toolkit.Text("x")}}, nil
	}))
	require.NoError(t, toolkit.Prompt(s, "content", "", func(context.Context, none) ([]toolkit.Message, error) {
		return []toolkit.Message{toolkit.User(nil)}, nil
	}))
	require.NoError(t, toolkit.Prompt(s, "slow", "", func(context.Context, none) (string, error) {
		time.Sleep(100 * time.Millisecond)
		return "late", nil
	}, toolkit.Timeout(20*time.Millisecond)))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for _, test := range []struct{ method, params, want string }{
			{"resources/read", uriParams("x:///panic"), `the resource "x:///panic" failed for a reason that is in the log of the server`},
			{"resources/read", uriParams("x:///error"), `the resource "x:///error" failed: the disk is full`},
			{"resources/read", uriParams("x:///slow"), `the resource "x:///slow" did not answer within 20ms: try again, or with less to do`},
			{"prompts/get", `{"name":"panic"}`, `the prompt "panic" failed for a reason that is in the log of the server`},
			{"prompts/get", `{"name":"error"}`, `the prompt "error" failed: the disk is full`},
			{"prompts/get", `{"name":"role"}`, `the prompt "role" returned messages that can't be sent`},
			{"prompts/get", `{"name":"content"}`, `the prompt "content" returned messages that can't be sent`},
			{"prompts/get", `{"name":"slow"}`, `the prompt "slow" did not answer within 20ms: try again, or with less to do`},
		} {
			a := c.ask(t, test.method, test.params)
			require.NotNil(t, a.Error, test.params)
			require.Equal(t, -32603, a.Error.Code)
			require.Equal(t, test.want, a.Error.Message)
		}
		require.Nil(t, c.ask(t, "resources/list", "").Error)
	})
	require.NotContains(t, log.String(), "hush-hush")
}

// TestResourceMistakes: what is wrong with a resource is told when it is added.
func TestResourceMistakes(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	resource(t, s, "x:///taken", toolkit.Static(""))
	resource(t, s, "x:///{taken}", toolkit.Static(""))
	for want, err := range map[string]error{
		`resource "today": the URI must begin with a scheme`:                  toolkit.Resource(s, "today", "n", "", toolkit.Static("")),
		`resource "": the URI must begin with a scheme`:                       toolkit.Resource(s, "", "n", "", toolkit.Static("")),
		`resource "{x}:///y": the template must begin with a scheme`:          toolkit.Resource(s, "{x}:///y", "n", "", toolkit.Static("")),
		`resource "x:///{y": the template is none of RFC 6570`:                toolkit.Resource(s, "x:///{y", "n", "", toolkit.Static("")),
		`resource "x:///a": the resource has no name`:                         toolkit.Resource(s, "x:///a", "", "", toolkit.Static("")),
		`resource "x:///b": the resource has no function`:                     toolkit.Resource[string](s, "x:///b", "n", "", nil),
		`resource "x:///c": the time-out must be more than zero`:              toolkit.Resource(s, "x:///c", "n", "", toolkit.Static(""), toolkit.Timeout(-1)),
		`resource "x:///taken": there is a resource with this URI already`:    toolkit.Resource(s, "x:///taken", "n", "", toolkit.Static("")),
		`resource "x:///{taken}": there is a resource with this URI already:`: toolkit.Resource(s, "x:///{taken}", "n", "", toolkit.Static("")),
	} {
		var e *toolkit.AddError
		require.ErrorAs(t, err, &e, want)
		require.Contains(t, err.Error(), want)
	}
	require.False(t, s.RemoveResource("x:///a"), "nothing was added by mistake")
}
