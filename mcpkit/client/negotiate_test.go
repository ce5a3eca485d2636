package client_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// methods are the methods of what a server was sent.
func methods(t *testing.T, s *server) []string {
	t.Helper()
	var all []string
	for _, m := range s.sent() {
		var read struct{ Method string }
		require.NoError(t, json.Unmarshal([]byte(m), &read))
		all = append(all, read.Method)
	}
	return all
}

// TestHandshake: initialize and then initialized, without an id, and nothing else.
func TestHandshake(t *testing.T) {
	s := &server{}
	connect(t, s, client.Options{Name: "probe", Title: "A \"probe\"", Version: "1.2"})
	require.Equal(t, []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"probe","title":"A \"probe\"","version":"1.2"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}, s.sent())
}

// TestDefaultClientInfo: a client that does not say who it is is its module.
func TestDefaultClientInfo(t *testing.T) {
	s := &server{}
	connect(t, s, client.Options{})
	require.Contains(t, s.sent()[0], `"clientInfo":{"name":"github.com/zenlix/echo-mcp","version":"`)
}

const discovered = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"Be brief.","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"modern","version":"3"}}}`

// TestNegotiation: which of the two eras comes first depends on the transport; either leads to the
// other.
func TestNegotiation(t *testing.T) {
	notFound := refuse(-32601, "Method not found")
	for name, tt := range map[string]struct {
		alone    bool
		protocol string
		answers  map[string]func(client.Call) (json.RawMessage, error)
		asked    []string
		version  string
		failure  string
	}{
		"a stream, an older server": {asked: []string{"initialize", "notifications/initialized"}, version: "2025-11-25"},
		"a stream, a server without a handshake": {
			answers: map[string]func(client.Call) (json.RawMessage, error){"initialize": notFound, "server/discover": result(discovered)},
			asked:   []string{"initialize", "server/discover"}, version: "2026-07-28",
		},
		"a stream, a server that refuses everything": {
			answers: map[string]func(client.Call) (json.RawMessage, error){"initialize": refuse(-32000, "no licence")},
			asked:   []string{"initialize", "server/discover"}, failure: "initialize: error -32000: no licence",
		},
		"alone, a server of both eras": {
			alone: true, answers: map[string]func(client.Call) (json.RawMessage, error){"server/discover": result(discovered)},
			asked: []string{"server/discover"}, version: "2026-07-28",
		},
		"alone, an older server": {alone: true, asked: []string{"server/discover", "initialize", "notifications/initialized"}, version: "2025-11-25"},
		"alone, an older server with an odd answer": {
			alone: true, answers: map[string]func(client.Call) (json.RawMessage, error){"server/discover": result(`7`)},
			asked: []string{"server/discover", "initialize", "notifications/initialized"}, version: "2025-11-25",
		},
		"alone, an older server whose transport fails": {
			alone: true, answers: map[string]func(client.Call) (json.RawMessage, error){"server/discover": func(client.Call) (json.RawMessage, error) { return nil, client.ErrSessionLost }},
			asked: []string{"server/discover", "initialize", "notifications/initialized"}, version: "2025-11-25",
		},
		"the server knows only an older version": {
			answers: map[string]func(client.Call) (json.RawMessage, error){"initialize": result(`{"protocolVersion":"2024-11-05","capabilities":{}}`)},
			asked:   []string{"initialize", "notifications/initialized"}, version: "2024-11-05",
		},
		"the server knows no version in common": {
			answers: map[string]func(client.Call) (json.RawMessage, error){"initialize": result(`{"protocolVersion":"1999-01-01","capabilities":{}}`)},
			asked:   []string{"initialize"}, failure: "the server speaks version 1999-01-01 of MCP, this client only 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05",
		},
		"initialize agrees to a version without initialize": {
			answers: map[string]func(client.Call) (json.RawMessage, error){"initialize": result(`{"protocolVersion":"2026-07-28","capabilities":{}}`)},
			asked:   []string{"initialize"}, failure: "the server speaks version 2026-07-28 of MCP",
		},
		"the answer names no version": {
			answers: map[string]func(client.Call) (json.RawMessage, error){"initialize": result(`{}`)},
			asked:   []string{"initialize"}, failure: "initialize: the server's reply breaks the protocol: the result names no protocolVersion",
		},
		"exactly 2025-03-26": {protocol: "2025-03-26", asked: []string{"initialize", "notifications/initialized"}, version: "2025-03-26"},
		"exactly 2025-06-18, not to be had": {
			protocol: "2025-06-18", answers: map[string]func(client.Call) (json.RawMessage, error){"initialize": result(`{"protocolVersion":"2024-11-05"}`)},
			asked: []string{"initialize"}, failure: "the server does not speak version 2025-06-18 of MCP, but 2024-11-05",
		},
		"exactly 2026-07-28": {
			protocol: "2026-07-28", answers: map[string]func(client.Call) (json.RawMessage, error){"server/discover": result(discovered)},
			asked: []string{"server/discover"}, version: "2026-07-28",
		},
		"exactly 2026-07-28, not to be had": {
			protocol: "2026-07-28", answers: map[string]func(client.Call) (json.RawMessage, error){
				"server/discover": func(client.Call) (json.RawMessage, error) {
					return nil, &client.Error{Code: -32022, Message: "no", Data: json.RawMessage(`{"supported":["2027-01-01"],"requested":"2026-07-28"}`)}
				},
			},
			asked: []string{"server/discover"}, failure: "the server does not speak version 2026-07-28 of MCP, but 2027-01-01",
		},
		"exactly what does not exist": {protocol: "2025", failure: `this client does not speak version "2025" of MCP, only 2026-07-28, 2025-11-25`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: tt.answers}
			transport := s.transport()
			if tt.alone {
				transport = independent{transport}
			}
			session, err := client.Connect(t.Context(), transport, client.Options{Protocol: tt.protocol})
			require.Equal(t, tt.asked, methods(t, s))
			if tt.failure != "" {
				require.ErrorContains(t, err, tt.failure)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.version, session.ProtocolVersion())
			require.NoError(t, session.Close())
		})
	}
}

// TestProbeIsBounded: a server that leaves server/discover unanswered costs a wait, not the session.
func TestProbeIsBounded(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"server/discover": silent}}
	begun := time.Now()
	session, err := client.Connect(t.Context(), independent{s.transport()}, client.Options{Timeout: 200 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, "2025-11-25", session.ProtocolVersion())
	require.Less(t, time.Since(begun), soon)
	require.NoError(t, session.Close())
}

// TestStatelessRequests: in the era without a handshake every request says who sends it, whatever
// stands in its parameters.
func TestStatelessRequests(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"server/discover": result(discovered), "x": result(`{}`), "tools/call": result(`{}`)}}
	session := connect(t, s, client.Options{Protocol: "2026-07-28", Name: "c", Version: "1"})
	require.Equal(t, "modern", session.Server().Name)
	require.Equal(t, "3", session.Server().Version)
	require.Equal(t, "Be brief.", session.Instructions())
	const who = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`
	for _, tt := range []struct{ params, sent string }{
		{``, `{"_meta":{` + who + `}}`},
		{`{}`, `{"_meta":{` + who + `}}`},
		{` { "a" : 1e400 } `, ` { "a" : 1e400 ,"_meta":{` + who + `}} `},
		{`{"_meta":{},"a":1}`, `{"_meta":{` + who + `},"a":1}`},
		{`{"_meta":{"k":[1]},"a":1}`, `{"_meta":{"k":[1],` + who + `},"a":1}`},
		{`{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"mine"}}}`, `{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"mine"},"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`},
	} {
		_, err := session.Request(t.Context(), "x", json.RawMessage(tt.params))
		require.NoError(t, err)
		sent := s.sent()
		require.Contains(t, sent[len(sent)-1], `"method":"x","params":`+tt.sent+`}`)
	}
	_, err := session.CallTool(t.Context(), "t", json.RawMessage(`{ "n": 1e400 }`))
	require.NoError(t, err)
	sent := s.sent()
	require.Contains(t, sent[len(sent)-1], `"params":{"name":"t","arguments":{ "n": 1e400 },"_meta":{`+who+`}}}`)
}

// TestServerInfo: what the server leaves out is empty, and capabilities are never nil.
func TestServerInfo(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
		"initialize": result(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{ "listChanged" : true },"prompts":null},"serverInfo":{"name":"n","title":"t","version":"v","websiteUrl":"https://a.example"},"instructions":"i"}`),
	}}
	session := connect(t, s, client.Options{})
	require.Equal(t, client.Info{Name: "n", Title: "t", Version: "v", Raw: json.RawMessage(`{"name":"n","title":"t","version":"v","websiteUrl":"https://a.example"}`)}, session.Server())
	require.Equal(t, `{"tools":{ "listChanged" : true },"prompts":null}`, string(session.Capabilities()))
	require.True(t, session.Offers("tools"))
	require.False(t, session.Offers("prompts"))
	require.False(t, session.Offers("resources"))
	require.Equal(t, "i", session.Instructions())

	for _, missing := range []string{`{"protocolVersion":"2025-06-18"}`, `{"protocolVersion":"2025-06-18","capabilities":null,"serverInfo":7,"instructions":null}`} {
		s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"initialize": result(missing)}}
		session := connect(t, s, client.Options{})
		require.Equal(t, `{}`, string(session.Capabilities()))
		require.Empty(t, session.Server().Name)
		require.Empty(t, session.Instructions())
	}
}

// TestSessionLost: a server that has forgotten the session is initialised again, once, however many
// requests notice.
func TestSessionLost(t *testing.T) {
	forgotten := true
	s := &server{}
	s.answers = map[string]func(client.Call) (json.RawMessage, error){
		"x": func(c client.Call) (json.RawMessage, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if forgotten {
				forgotten = false
				return nil, client.ErrSessionLost
			}
			return json.RawMessage(`{"ok":1}`), nil
		},
		"y": func(client.Call) (json.RawMessage, error) { return nil, client.ErrSessionLost },
	}
	session := connect(t, s, client.Options{})
	r, err := session.Request(t.Context(), "x", json.RawMessage(`{"n":1e400}`))
	require.NoError(t, err)
	require.Equal(t, `{"ok":1}`, string(r))
	require.Equal(t, []string{"initialize", "notifications/initialized", "x", "initialize", "notifications/initialized", "x"}, methods(t, s))
	require.Equal(t, `{"jsonrpc":"2.0","id":4,"method":"x","params":{"n":1e400}}`, s.sent()[5])

	_, err = session.Request(t.Context(), "y", nil)
	require.ErrorIs(t, err, client.ErrSessionLost)
	require.Len(t, s.sent(), 6+4) // y, the handshake, y: not a third time
}

// TestConnectFails: the transport is closed, and the error is the one that tells.
func TestConnectFails(t *testing.T) {
	died := errors.New("exit status 3: cannot find module")
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
		"initialize": func(c client.Call) (json.RawMessage, error) { c.Lose(died); return nil, client.ErrNoReply },
	}}
	_, err := client.Connect(t.Context(), s.transport(), client.Options{})
	require.ErrorIs(t, err, died)
	require.ErrorIs(t, err, client.ErrLost)
	require.EqualError(t, err, "initialize: the connection to the server has ended: exit status 3: cannot find module")

	s = &server{answers: map[string]func(client.Call) (json.RawMessage, error){"initialize": silent}}
	_, err = client.Connect(t.Context(), s.transport(), client.Options{Timeout: 50 * time.Millisecond})
	timeout := requireTimeout(t, err, "initialize")
	require.Equal(t, 50*time.Millisecond, timeout.Limit)
	require.Equal(t, []string{"initialize"}, methods(t, s), "the handshake must not be cancelled")

	_, err = client.Connect(t.Context(), s.transport(), client.Options{Capabilities: json.RawMessage(`[]`)})
	require.ErrorContains(t, err, "Options.Capabilities must be a JSON object")
}
