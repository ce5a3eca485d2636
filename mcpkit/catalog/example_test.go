package catalog_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/catalog"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// The catalogue of a live server. Here the server is a function; package client/stdio starts one,
// client/streamable speaks HTTP.
func ExampleExtract() {
	ctx := context.Background()
	server := client.Fake(func(c client.Call) (json.RawMessage, error) {
		switch c.Method {
		case "initialize":
			return json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"weather","version":"1.0.0"}}`), nil
		case "tools/list":
			return json.RawMessage(`{"tools":[{"name":"forecast","inputSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}]}`), nil
		}
		return nil, &client.Error{Code: -32601, Message: "Method not found"}
	})
	session, err := client.Connect(ctx, server, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	c, err := catalog.Extract(ctx, session)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(c.AppendJSON(nil)))
	fmt.Println(c.Find(catalog.Tool, "forecast").Validate([]byte(`{"town":"Bern"}`)))
	if err := session.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"server":{"info":{"name":"weather","version":"1.0.0"},"capabilities":{"tools":{}}},"items":[
	// {"type":"tool","name":"forecast","meta":{},"detail":{"input":{"json":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}}
	// ]}
	// /city: is required
}

// Definitions give the same document without a server, and the document is a message like any
// other.
func ExampleCompose() {
	definitions, err := catalog.ParseDefinitions([]byte(`{"tools":[{"name":"forecast","inputSchema":{"type":"object"}}]}`))
	if err != nil {
		log.Fatal(err)
	}
	c, err := catalog.Compose(definitions)
	if err != nil {
		log.Fatal(err)
	}
	message, err := generated.DecodeMCPCatalogV1(c.AppendJSON(nil))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(message.Items[0].Type, message.Items[0].Name)
	// Output: tool forecast
}
