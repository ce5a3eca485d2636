package streamable_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

func Example() {
	// A server that wants a token.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer token" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"example","version":"1"}}}`)
	}))
	defer server.Close()

	ctx := context.Background()
	for _, header := range []http.Header{{}, {"Authorization": {"Bearer token"}}} {
		transport, err := streamable.New(server.URL, streamable.Options{Header: header})
		if err != nil {
			fmt.Println(err)
			return
		}
		session, err := client.Connect(ctx, transport, client.Options{})
		var status *streamable.HTTPError
		if errors.As(err, &status) {
			fmt.Println(status.Status, status.Body)
			continue
		}
		fmt.Println("connected to version", session.ProtocolVersion())
		_ = session.Close()
	}
	// Output:
	// 401 who are you?
	// connected to version 2026-07-28
}
