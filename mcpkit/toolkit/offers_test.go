package toolkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

const initialize = `{"protocolVersion":"` + recent + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`

// declared asks a server what it offers.
func declared(t *testing.T, c client, version string) string {
	t.Helper()
	method, params := "initialize", strings.Replace(initialize, recent, version, 1)
	if version == modern {
		method, params = "server/discover", ""
	}
	a := c.ask(t, method, params)
	require.Nil(t, a.Error, "%+v", a.Error)
	return string(a.Result.Capabilities)
}

// TestM41Capabilities: what a server says it offers is what was added to it.
func TestM41Capabilities(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		add  func(s *toolkit.Server) error
		want string
	}{
		{func(*toolkit.Server) error { return nil }, `{}`},
		{func(s *toolkit.Server) error { return toolkit.Tool(s, "t", "", constant("")) }, `{"tools":{"listChanged":true}}`},
		{func(s *toolkit.Server) error { return toolkit.Prompt(s, "p", "", constant("")) }, `{"prompts":{"listChanged":true}}`},
		{func(s *toolkit.Server) error { return toolkit.Resource(s, "x:///", "r", "", toolkit.Static("")) }, `{"resources":{"listChanged":true}}`},
		{func(s *toolkit.Server) error { return toolkit.Resource(s, "x:///{y}", "r", "", toolkit.Static("")) }, `{"resources":{"listChanged":true}}`},
	} {
		s, _ := newServer(t, toolkit.Options{})
		require.NoError(t, test.add(s))
		everywhere(t, s, func(t *testing.T, c client, version string) {
			got := strings.Replace(strings.Replace(declared(t, c, version), `"logging":{},`, "", 1), `"logging":{}`, "", 1)
			require.JSONEq(t, test.want, got)
			require.NotContains(t, got, "subscribe")
		})
		require.NotContains(t, string(s.Handle(t.Context(), []byte(request(recent, "1", "initialize", initialize)))), "listChanged", "there is no connection to tell it on")
	}
	stateless, _ := newServer(t, toolkit.Options{HTTP: toolkit.HTTP{Stateless: true}})
	add(t, stateless, "t", constant(""))
	require.JSONEq(t, `{"tools":{}}`, declared(t, dialHTTP(t, stateless, recent), recent), "without sessions nobody can be told")
}

// TestM50Absent: the methods of a section with nothing in it are unknown, and those of what the toolkit
// does not have.
func TestM50Absent(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "t", constant(""))
	empty, _ := newServer(t, toolkit.Options{})
	absent := func(methods ...string) func(t *testing.T, c client, version string) {
		return func(t *testing.T, c client, _ string) {
			for _, method := range methods {
				for _, params := range []string{"", `{"uri":"x:///","name":"x"}`} {
					a := c.ask(t, method, params)
					require.NotNil(t, a.Error, method)
					require.Equal(t, -32601, a.Error.Code, method)
				}
			}
		}
	}
	everywhere(t, s, absent("resources/list", "resources/read", "resources/templates/list", "resources/subscribe", "prompts/list", "prompts/get", "completion/complete", "no/such"))
	everywhere(t, empty, absent("tools/list", "tools/call"))
	resources, _ := newServer(t, toolkit.Options{})
	resource(t, resources, "x:///", toolkit.Static(""))
	everywhere(t, resources, absent("resources/subscribe", "resources/unsubscribe", "prompts/list", "tools/list"))
}

// TestM45Unknown: an unknown tool or prompt is the error -32602, and so is an unknown resource since
// 2026-07-28; before, the protocol has a code of its own for that.
func TestM45Unknown(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "t", constant(""))
	resource(t, s, "x:///", toolkit.Static(""))
	require.NoError(t, toolkit.Prompt(s, "p", "", constant("")))
	everywhere(t, s, func(t *testing.T, c client, version string) {
		for method, params := range map[string]string{"tools/call": `{"name":"absent"}`, "prompts/get": `{"name":"absent"}`, "resources/read": `{"uri":"absent:///"}`} {
			want := -32602
			if method == "resources/read" && version != modern {
				want = -32002
			}
			a := c.ask(t, method, params)
			require.NotNil(t, a.Error, method)
			require.Equal(t, want, a.Error.Code, "an unknown name for "+method)
		}
	})
}

// TestM42ToolsList: a list of tools has what is for clients, and nothing else.
func TestM42ToolsList(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "plain", constant(""))
	add(t, s, "full", constant(struct{}{}), toolkit.Title("Full"), toolkit.WithHints(toolkit.Hints{ReadOnly: true}), toolkit.Timeout(1<<40), toolkit.InputErrorsAs(toolkit.RPC))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for _, tool := range items(t, c, "tools/list", "tools", "") {
			var members map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(tool, &members))
			for member := range members {
				require.Contains(t, []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"}, member)
			}
		}
	})
}

// items gives the items on one page of a list, and checks that it ends with it.
func items(t *testing.T, c client, method, member, cursor string) []json.RawMessage {
	t.Helper()
	list, next := pageOf(t, c, method, member, cursor)
	require.Empty(t, next)
	return list
}

// pageOf gives the items on one page of a list, and the cursor of the next.
func pageOf(t *testing.T, c client, method, member, cursor string) (list []json.RawMessage, next string) {
	t.Helper()
	var raw map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(result(t, c, method, cursor), &raw))
	require.NoError(t, json.Unmarshal(raw[member], &list))
	require.NotNil(t, list, "a list is never null")
	if raw["nextCursor"] != nil {
		require.NoError(t, json.Unmarshal(raw["nextCursor"], &next))
		require.NotEmpty(t, next)
	}
	return list, next
}

// result gives the result of a list.
func result(t *testing.T, c client, method, cursor string) json.RawMessage {
	t.Helper()
	params := ""
	if cursor != "" {
		params = fmt.Sprintf(`{"cursor":%q}`, cursor)
	}
	switch c := c.(type) {
	case *stdioClient:
		c.last++
		c.send(t, request(c.version, strconv.Itoa(c.last), method, params))
		return resultOf(t, c.line(t))
	case *httpClient:
		return resultOf(t, c.post(t, request(c.version, "1", method, params), method, "").body)
	}
	return nil
}

func resultOf(t *testing.T, answer string) json.RawMessage {
	t.Helper()
	var a struct{ Result json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(answer), &a))
	require.NotNil(t, a.Result, answer)
	return a.Result
}

// TestM43Pages: lists come in pages of 100, or as many as the server's option says, each item once
// whatever its name is; the last page has no cursor, also where it is full.
func TestM43Pages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ size, items, pages, last int }{{0, 105, 2, 5}, {0, 100, 1, 100}, {0, 200, 2, 100}, {7, 20, 3, 6}, {1, 3, 3, 1}, {1000, 205, 1, 205}} {
		s, _ := newServer(t, toolkit.Options{PageSize: test.size})
		for i := range test.items {
			add(t, s, fmt.Sprint("tool", i), constant(""))
			require.NoError(t, toolkit.Prompt(s, fmt.Sprint("prompt", i), "", constant("")))
			require.NoError(t, toolkit.Resource(s, fmt.Sprint("x:///", i), "the same name", "", toolkit.Static("")))
			require.NoError(t, toolkit.Resource(s, fmt.Sprintf("x:///%d/{y}", i), "the same name", "", toolkit.Static("")))
		}
		for _, version := range []string{recent, modern} {
			c := dialStdio(t, s, version)
			for method, member := range map[string]string{"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates"} {
				seen := map[string]bool{}
				cursor, pages, last := "", 0, 0
				for ; pages == 0 || cursor != ""; pages++ {
					var list []json.RawMessage
					list, cursor = pageOf(t, c, method, member, cursor)
					last = len(list)
					for _, item := range list {
						require.False(t, seen[string(item)], "twice: %s", item)
						seen[string(item)] = true
					}
				}
				require.Len(t, seen, test.items, method)
				require.Equal(t, [2]int{test.pages, test.last}, [2]int{pages, last}, "pages and items on the last one")
			}
		}
	}
}

// TestM44BadCursors: a cursor that the list did not give is refused, and the server goes on. What came
// and went since does not matter.
func TestM44BadCursors(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{PageSize: 1})
	for _, name := range []string{"a", "b", "c", "d"} {
		add(t, s, name, constant(""))
		require.NoError(t, toolkit.Prompt(s, name, "", constant("")))
	}
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		_, second := pageOf(t, c, "tools/list", "tools", "")
		for _, cursor := range []string{"99999", "zz", "abcd", "YQ==", "YQ", "0", "-1", "null", second + "x", strings.ToUpper(second), second[:len(second)-1], "%", "ä", " "} {
			a := c.ask(t, "tools/list", fmt.Sprintf(`{"cursor":%q}`, cursor))
			require.NotNil(t, a.Error, cursor)
			require.Equal(t, -32602, a.Error.Code, "a bad cursor")
			require.Equal(t, "params.cursor is none that tools/list gave: send a nextCursor as it came, or none for the first page", a.Error.Message)
		}
		require.Equal(t, -32602, c.ask(t, "tools/list", `{"cursor":5}`).Error.Code)
		require.NotNil(t, c.ask(t, "prompts/list", fmt.Sprintf(`{"cursor":%q}`, second)).Error, "the cursor of another list")
		list, _ := pageOf(t, c, "tools/list", "tools", second)
		require.Contains(t, string(list[0]), `"name":"b"`)
	})
	c := dialStdio(t, s, recent)
	_, second := pageOf(t, c, "tools/list", "tools", "")
	require.True(t, s.Remove("a"))
	require.True(t, s.Remove("b"))
	c.line(t) // the notices
	c.line(t)
	list, _ := pageOf(t, c, "tools/list", "tools", second)
	require.Contains(t, string(list[0]), `"name":"c"`)
}

// TestM40Handle: a server is a function from a message to its answer.
func TestM40Handle(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{Limits: toolkit.Limits{MessageBytes: 2000, Depth: 5}})
	add(t, s, "twice", func(ctx context.Context, in struct {
		Text string `json:"text"`
	},
	) (string, error) {
		toolkit.Progress(ctx, 1, 2) // has nowhere to go
		return in.Text + in.Text, nil
	})
	add(t, s, "boom", func(context.Context, none) (string, error) { panic("hush-hush") }) //nolint:forbidigo // the panic is what is tested
	resource(t, s, "x:///", toolkit.Static("<x>"))
	handle := func(message string) string { return string(s.Handle(t.Context(), []byte(message))) }
	for message, want := range map[string]string{
		`not json`:                 `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`,
		``:                         `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`,
		`[]`:                       `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`,
		`{"jsonrpc":"2.0","id":1}`: `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`:                                                   `{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`,
		`{"jsonrpc":"2.0","id":"a","method":"no/such"}`:                                                             `{"jsonrpc":"2.0","id":"a","error":{"code":-32601,`,
		request(recent, "1", "initialize", initialize):                                                              `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{},"tools":{}}`,
		request(recent, "1", "tools/call", call("twice", `{"text":"<\u0061>"}`)):                                    `"result":{"content":[{"type":"text","text":"<a><a>"}]}}`,
		request(modern, "1", "tools/call", call("twice", `{"text":"a"}`)):                                           `"content":[{"type":"text","text":"aa"}]`,
		request(recent, "1", "tools/call", call("boom", `{}`)):                                                      `"isError":true`,
		request(recent, "1", "resources/read", `{"uri":"x:///"}`):                                                   `"result":{"contents":[{"uri":"x:///","text":"<x>"}]}}`,
		request(recent, "1", "logging/setLevel", `{"level":"debug"}`):                                               `"error":{"code":-32601,`,
		request(modern, "1", "subscriptions/listen", `{"notifications":{}}`):                                        `"error":{"code":-32601,`,
		request(recent, "1", "ping", `{"a":"`+strings.Repeat("x", 2000)+`"}`):                                       `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`,
		request(recent, "1", "ping", `{"a":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)+`}`):                 `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"the message is nested deeper than 5 levels`,
		request(recent, "1", "tools/call", `{"name":"twice","arguments":{"text":"a"},"_meta":{"progressToken":1}}`): `"text":"aa"`,
	} {
		got := handle(message)
		require.Contains(t, got, want, message)
		require.True(t, json.Valid([]byte(got)), got)
		require.NotContains(t, got, "\n")
	}
	for _, message := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","method":"no/such"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`,
	} {
		require.Nil(t, s.Handle(t.Context(), []byte(message)), message)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	require.NotContains(t, string(s.Handle(ended, []byte(request(recent, "1", "tools/call", call("twice", `{"text":"a"}`))))), "aa")
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			require.Contains(t, handle(request(recent, strconv.Itoa(i), "tools/call", call("twice", fmt.Sprintf(`{"text":"%d."}`, i)))), fmt.Sprintf(`"text":"%d.%d."`, i, i))
		})
	}
	all.Wait()
}

// TestM48Values: what a function that returns any gives becomes a result by what it is.
func TestM48Values(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	for i, test := range []struct {
		value any
		want  string
	}{
		{"text", `{"content":[{"type":"text","text":"text"}]}`},
		{[]any{"a", toolkit.Text("b")}, `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`},
		{toolkit.Failure(toolkit.Text("no"), toolkit.Text("way")), `{"content":[{"type":"text","text":"no"},{"type":"text","text":"way"}],"isError":true}`},
		{&toolkit.Result{Content: []toolkit.Content{toolkit.Text("a")}}, `{"content":[{"type":"text","text":"a"}]}`},
		{map[string]any{"n": 1}, `{"content":[{"type":"text","text":"{\"n\":1}"}],"structuredContent":{"n":1}}`},
		{42, `{"content":[{"type":"text","text":"42"}]}`},
		{1.5, `{"content":[{"type":"text","text":"1.5"}]}`},
		{true, `{"content":[{"type":"text","text":"true"}]}`},
		{nil, `{"content":[{"type":"text","text":"null"}]}`},
		{[]int{1, 2}, `{"content":[{"type":"text","text":"[1,2]"}]}`},
		{[]any{"a", 1}, `{"content":[{"type":"text","text":"[\"a\",1]"}]}`},
		{json.RawMessage(`9007199254740993`), `{"content":[{"type":"text","text":"9007199254740993"}]}`},
	} {
		add(t, s, fmt.Sprint("t", i), constant(test.value))
		answer := s.Handle(t.Context(), []byte(request(recent, "1", "tools/call", call(fmt.Sprint("t", i), `{}`))))
		require.Equal(t, test.want, string(resultOf(t, string(answer))), "%v", test.value)
	}
}

// TestM51Builders: text and failures of tools are made by one call.
func TestM51Builders(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "text", constant(toolkit.Text("hello")))
	add(t, s, "failure", constant(toolkit.Failure(toolkit.Text("the printer is on fire"))))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		a := c.ask(t, "tools/call", call("text", `{}`))
		require.Equal(t, "hello", a.text(t))
		require.False(t, a.Result.IsError)
		a = c.ask(t, "tools/call", call("failure", `{}`))
		require.Equal(t, "the printer is on fire", a.text(t))
		require.True(t, a.Result.IsError)
	})
}

// TestM52Progress: progress is told to who asks for it, before the answer and under the token as it
// came, and to nobody else.
func TestM52Progress(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	tell := func(ctx context.Context) {
		for _, done := range []float64{0, 1, 1, 0.5, 2.5} {
			toolkit.Progress(ctx, done, 3)
		}
		toolkit.Progress(ctx, 3, 0)
	}
	after := make(chan context.Context, 1)
	add(t, s, "work", func(ctx context.Context, _ none) (string, error) {
		tell(ctx)
		after <- ctx
		return "done\n", nil
	})
	resource(t, s, "x:///", func(ctx context.Context, _ toolkit.ReadRequest) (string, error) {
		tell(ctx)
		after <- ctx
		return "done\n", nil
	})
	require.NoError(t, toolkit.Prompt(s, "work", "", func(ctx context.Context, _ none) (string, error) {
		tell(ctx)
		after <- ctx
		return "done\n", nil
	}))
	notice := func(token, progress string) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":` + progress + `,"progressToken":` + token
	}
	for _, version := range []string{old, recent, modern} {
		for _, token := range []string{`"a<b"`, `9007199254740993`, `""`} {
			for method, params := range map[string]string{"tools/call": `{"name":"work"`, "prompts/get": `{"name":"work"`, "resources/read": `{"uri":"x:///"`} {
				asking := request(version, "7", method, params+`,"_meta":{"progressToken":`+token+`}}`)
				if version == modern {
					asking = strings.Replace(strings.Replace(asking, `,"_meta":{"progressToken":`+token+`}`, "", 1), `"_meta":{`, `"_meta":{"progressToken":`+token+`,`, 1)
				}
				told := strings.ReplaceAll(token, "<", `\u003c`)
				want := []string{notice(told, "0") + `,"total":3}}`, notice(told, "1") + `,"total":3}}`, notice(told, "2.5") + `,"total":3}}`, notice(told, "3") + `}}`}

				c := dialStdio(t, s, version)
				c.send(t, asking)
				var got []string
				for range 5 {
					got = append(got, c.line(t))
				}
				require.Equal(t, want, got[:4], "progress on stdio")
				require.Contains(t, got[4], `"id":7,"result"`)
				require.Contains(t, got[4], `"text":"done\n"`)
				toolkit.Progress(<-after, 4, 0)
				c.send(t, request(version, "8", method, params+`}`))
				require.Contains(t, c.line(t), `"id":8,"result"`, "nothing is told to who does not ask, and nothing after the answer")
				<-after

				web := dialHTTP(t, s, version)
				name := map[string]string{"tools/call": "work", "prompts/get": "work", "resources/read": "x:///"}[method]
				r := web.post(t, asking, method, name)
				require.Equal(t, "text/event-stream", r.header.Get("Content-Type"))
				events := regexp.MustCompile(`(?m)^data: (.*)$`).FindAllStringSubmatch(r.body, -1)
				require.Len(t, events, 5, r.body)
				for i, event := range events[:4] {
					require.Equal(t, want[i], event[1], "progress over HTTP")
				}
				require.Contains(t, events[4][1], `"id":7,"result"`)
				require.Contains(t, events[4][1], `"text":"done\n"`)
				toolkit.Progress(<-after, 4, 0)
				r = web.post(t, request(version, "8", method, params+`}`), method, name)
				require.Equal(t, "application/json", r.header.Get("Content-Type"))
				<-after
			}
		}
	}
}

// TestM53ListChanged: clients are told that a list has changed when it has, once each time.
func TestM53ListChanged(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	resource(t, s, "x:///first", toolkit.Static(""))
	c, web := dialStdio(t, s, recent), dialHTTP(t, s, recent)
	c.ask(t, "ping", "")
	events := web.listen(t)
	change := func(list string) {
		t.Helper()
		want := `{"jsonrpc":"2.0","method":"notifications/` + list + `/list_changed"}`
		require.Equal(t, want, c.line(t))
		require.Equal(t, want, <-events)
	}
	for range 2 {
		require.NoError(t, toolkit.Prompt(s, "p", "", constant("")))
		change("prompts")
		resource(t, s, "x:///y", toolkit.Static(""))
		change("resources")
		resource(t, s, "x:///{y}", toolkit.Static(""))
		change("resources")
		add(t, s, "t", constant(""))
		change("tools")
		require.Error(t, toolkit.Prompt(s, "p", "", constant("")))
		require.Error(t, toolkit.Resource(s, "x:///y", "n", "", toolkit.Static("")))
		require.True(t, s.RemovePrompt("p"))
		change("prompts")
		require.True(t, s.RemoveResource("x:///y"))
		change("resources")
		require.True(t, s.RemoveResource("x:///{y}"))
		change("resources")
		require.True(t, s.Remove("t"))
		change("tools")
		require.False(t, s.RemovePrompt("p") || s.RemoveResource("x:///y") || s.RemoveResource("x:///{y}") || s.Remove("t"))
	}
	require.Equal(t, `[]`, string(c.ask(t, "prompts/list", "").Result.Prompts), "nothing more was told, and the empty list is one")
	require.Equal(t, `[]`, string(c.ask(t, "resources/templates/list", "").Result.ResourceTemplates))
	require.Equal(t, -32002, c.ask(t, "resources/read", `{"uri":"x:///z"}`).Error.Code)
}

// TestListsWhileConnected: resources and prompts can come and go while clients use them.
func TestListsWhileConnected(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	var all sync.WaitGroup
	for i := range 4 {
		c := s.Connect(t.Context())
		go func() { _, _ = io.Copy(io.Discard, c) }()
		all.Go(func() {
			defer c.Close()
			for n := range 50 {
				for _, message := range []string{
					request(recent, "1", "initialize", initialize), `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
					request(recent, "2", "prompts/list", ""), request(recent, "3", "resources/templates/list", ""), request(recent, "4", "resources/list", ""),
					request(recent, "5", "resources/read", uriParams(fmt.Sprintf("x:///%d/%d", i, n))), request(recent, "6", "prompts/get", `{"name":"p"}`),
				} {
					_, err := io.WriteString(c, message+"\n")
					require.NoError(t, err)
				}
			}
		})
		all.Go(func() {
			for n := range 50 {
				name, uri := fmt.Sprintf("p%d.%d", i, n), fmt.Sprintf("x:///%d/%d", i, n)
				require.NoError(t, toolkit.Prompt(s, name, "", constant("")))
				require.NoError(t, toolkit.Resource(s, uri, "n", "", toolkit.Static("")))
				require.NoError(t, toolkit.Resource(s, uri+"/{y}", "n", "", toolkit.Static("")))
				require.True(t, s.RemovePrompt(name) && s.RemoveResource(uri) && s.RemoveResource(uri+"/{y}"))
			}
		})
	}
	all.Wait()
}
