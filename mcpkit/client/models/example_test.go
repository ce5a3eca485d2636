package models_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/models"
)

// The tools of a server for a request to the Messages API of Anthropic.
func ExampleAsTools() {
	ctx := context.Background()
	session, err := client.Connect(ctx, client.Fake(func(c client.Call) (json.RawMessage, error) {
		switch c.Method {
		case "tools/list":
			return json.RawMessage(`{"tools":[{"name":"library.search","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}},{"name":"any","inputSchema":{"type":"object","anyOf":[]}}]}`), nil
		case "tools/call":
			return json.RawMessage(`{"content":[{"type":"text","text":"2 books"}]}`), nil
		}
		return nil, nil
	}), client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	tools, err := models.AsTools(ctx, session, models.Anthropic)
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(string(tools.JSON()))
	for _, refused := range tools.Refused {
		fmt.Println(refused.Tool.Name, "is left out:", refused.Reason)
	}

	// The model calls a tool by the name that it was told.
	tool, _ := tools.Named("library_search_8f8969a4")
	result, err := tool.Call(ctx, json.RawMessage(`{"text":"go"}`))
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(result.Text())
	// Output:
	// [{"name":"library_search_8f8969a4","description":"library.search","input_schema":{"type":"object","properties":{"text":{"type":"string"}}}}]
	// any is left out: /anyOf: the input schema has anyOf at its root
	// 2 books
}
