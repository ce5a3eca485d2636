package client_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// TestExactBytes: arguments reach the server, and results the caller, byte for byte.
func TestExactBytes(t *testing.T) {
	for _, text := range []string{
		`{}`, `{ "a" : [ 1e400 , -0.0, 10000000000000000000000000001 ] }`, `{"a":"<&>\u2028\/\ud800é\u00e9"}`, `{"b":1,"a":2,"b":3}`,
		"{\t\"a\" :\n1}", `{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, `{"long":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
			"tools/call": func(c client.Call) (json.RawMessage, error) {
				arguments := strings.TrimSuffix(strings.TrimPrefix(string(c.Params), `{"name":"a","arguments":`), `}`)
				return json.RawMessage(`{"content":[],"structuredContent":` + arguments + `,"_meta":` + arguments + `}`), nil
			},
		}}
		r, err := connect(t, s, client.Options{}).CallTool(t.Context(), "a", json.RawMessage(text))
		require.NoError(t, err)
		require.True(t, strings.Contains(s.sent()[2], `"arguments":`+text+`}`))
		require.True(t, string(r.StructuredContent) == text)
		require.True(t, string(r.Meta) == text)
		require.True(t, string(r.Raw) == `{"content":[],"structuredContent":`+text+`,"_meta":`+text+`}`)
	}
}

// TestNoArguments are an empty object.
func TestNoArguments(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"tools/call": result(`{}`)}}
	_, err := connect(t, s, client.Options{}).CallTool(t.Context(), "ä\"\n", nil)
	require.NoError(t, err)
	require.Equal(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ä\"\n","arguments":{}}}`, s.sent()[2])
}

// TestResults: a tool that has failed is a result and no error, and its text is that of its texts.
func TestResults(t *testing.T) {
	for name, tt := range map[string]struct {
		result, text string
		failed       bool
		failure      string
	}{
		"text":                    {`{"content":[{"type":"text","text":"a\u0062"}]}`, "ab", false, ""},
		"mixed":                   {`{"content":[{"type":"text","text":"a"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"text","text":"b"},{"type":"resource","resource":{"uri":"u","text":"not this"}}]}`, "ab", false, ""},
		"failed":                  {`{"content":[{"type":"text","text":"no such file"}],"isError":true}`, "no such file", true, ""},
		"not failed":              {`{"content":[],"isError":false}`, "", false, ""},
		"a text that says failed": {`{"content":[],"isError":"true"}`, "", false, ""},
		"no content":              {`{}`, "", false, ""},
		"null content":            {`{"content":null,"structuredContent":null}`, "", false, ""},
		"content of odd parts":    {`{"content":[7,null,{"type":7},{"type":"text"},{"type":"new","x":1}]}`, "", false, ""},
		"content that is no list": {`{"content":"text"}`, "", false, `tools/call: the server's reply breaks the protocol: the member "content" must be a list, but is of type string`},
		"not an object":           {`"text"`, "", false, "the result must be an object, but is of type string"},
		"null":                    {`null`, "", false, "the result must be an object, but is of type null"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"tools/call": result(tt.result)}}
			r, err := connect(t, s, client.Options{}).CallTool(t.Context(), "a", nil)
			if tt.failure != "" {
				require.ErrorContains(t, err, tt.failure)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.text, r.Text())
			require.Equal(t, tt.failed, r.IsError)
			require.Nil(t, r.StructuredContent)
			require.Equal(t, tt.result, string(r.Raw))
		})
	}
}

// TestContent: all kinds of parts.
func TestContent(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"tools/call": result(`{"content":[
		{"type":"image","data":"aGk=","mimeType":"image/png"},
		{"type":"audio","data":"?","mimeType":"audio/wav"},
		{"type":"resource_link","uri":"u","name":"n","mimeType":"m"},
		{"type":"resource","resource":{"uri":"u","mimeType":"m","text":""}},
		{"type":"resource","resource":{"uri":"u","blob":"aGk="}}]}`)}}
	r, err := connect(t, s, client.Options{}).CallTool(t.Context(), "a", nil)
	require.NoError(t, err)
	image, err := r.Content[0].Bytes()
	require.NoError(t, err)
	require.Equal(t, "hi", string(image))
	_, err = r.Content[1].Bytes()
	require.ErrorContains(t, err, "illegal base64")
	require.Equal(t, client.Content{Type: "resource_link", URI: "u", Name: "n", MIMEType: "m", Raw: json.RawMessage(`{"type":"resource_link","uri":"u","name":"n","mimeType":"m"}`)}, r.Content[2])
	require.True(t, r.Content[3].Resource.IsText)
	require.False(t, r.Content[4].Resource.IsText)
	blob, err := r.Content[4].Resource.Bytes()
	require.NoError(t, err)
	require.Equal(t, "hi", string(blob))
}

// TestReadResource reads what a URI leads to.
func TestReadResource(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"resources/read": result(`{"contents":[{"uri":"u","mimeType":"text/plain","text":"a"},{"uri":"v","blob":"aGk="}]}`)}}
	session := connect(t, s, client.Options{})
	r, err := session.ReadResource(t.Context(), `file:///a"b`)
	require.NoError(t, err)
	require.Equal(t, `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"file:///a\"b"}}`, s.sent()[2])
	require.Len(t, r.Contents, 2)
	require.Equal(t, "a", r.Contents[0].Text)
	require.Equal(t, "text/plain", r.Contents[0].MIMEType)
	bytes, err := r.Contents[1].Bytes()
	require.NoError(t, err)
	require.Equal(t, "hi", string(bytes))

	s.answers["resources/read"] = result(`{"contents":{}}`)
	_, err = session.ReadResource(t.Context(), "u")
	require.ErrorContains(t, err, `resources/read: the server's reply breaks the protocol: the member "contents" must be a list`)
	s.answers["resources/read"] = refuse(-32002, "Resource not found")
	_, err = session.ReadResource(t.Context(), "u")
	require.EqualError(t, err, "resources/read: error -32002: Resource not found")
}

// TestGetPrompt fills in a prompt.
func TestGetPrompt(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"prompts/get": result(`{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"a"}},{"role":"assistant","content":{"type":"resource","resource":{"uri":"u","text":"t"}}}]}`)}}
	session := connect(t, s, client.Options{})
	p, err := session.GetPrompt(t.Context(), "p", map[string]string{"k": `v"`})
	require.NoError(t, err)
	require.Equal(t, `{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"p","arguments":{"k":"v\""}}}`, s.sent()[2])
	require.Equal(t, "d", p.Description)
	require.Equal(t, "user", p.Messages[0].Role)
	require.Equal(t, "a", p.Text())
	require.Equal(t, "t", p.Messages[1].Content.Resource.Text)
	_, err = session.GetPrompt(t.Context(), "p", nil)
	require.NoError(t, err)
	require.Equal(t, `{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"p"}}`, s.sent()[3])
}
