package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"slices"

	echomcp "github.com/zenlix/echo-mcp"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// A session with a server in this program. Over stdio or HTTP only the transport is another.
func ExampleConnect() {
	ctx := context.Background()
	server := echomcp.New(generated.Registry, echomcp.Options{Info: echomcp.Info{Name: "echo"}})
	session, err := client.Connect(ctx, client.InMemory(server.Connect), client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	result, err := session.CallTool(ctx, "echo", json.RawMessage(`{"schema_id":"zenlix-agent-stage-v1","payload":{"stage":"build"}}`))
	if err != nil {
		log.Print(err) // the server has rejected the call, or can't be reached
		return
	}
	fmt.Println(session.Server().Name, result.IsError, string(result.StructuredContent))
	// Output: echo false {"ok":true,"schema_id":"zenlix-agent-stage-v1","payload":{"stage":"build"}}
}

// A server for tests, which fails in the ways that a program has to cope with.
func ExampleFake() {
	ctx := context.Background()
	session, err := client.Connect(ctx, client.Fake(func(c client.Call) (json.RawMessage, error) {
		if c.Method == "tools/call" {
			return nil, &client.Error{Code: -32602, Message: "unknown tool"}
		}
		return nil, nil // the ordinary answer
	}), client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	_, err = session.CallTool(ctx, "absent", nil)
	var rejected *client.Error
	fmt.Println(errors.As(err, &rejected), rejected.Code, rejected.Message)
	// Output: true -32602 unknown tool
}

// A struct goes to an echo server, and the validated one comes back.
func ExampleEcho() {
	ctx := context.Background()
	server := echomcp.New(generated.Registry, echomcp.Options{})
	session, err := client.Connect(ctx, client.InMemory(server.Connect), client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	stage, err := client.Echo(ctx, session, generated.ZenlixAgentStageV1{Stage: "build", StageStatus: "running"})
	fmt.Println(stage.Stage, stage.StageStatus, err)
	_, err = client.Echo(ctx, session, generated.ZenlixAgentStageV1{Stage: "build", StageStatus: "nearly there"})
	fmt.Println(err)
	// Output:
	// build running <nil>
	// SCHEMA_VALIDATION_FAILED: the payload does not satisfy the schema: repair what details lists and call again
	// /stage_status: must be one of "start", "running", "success", "failed"
}

// Results that were recorded, read as messages.
func ExampleMessages() {
	recorded := []json.RawMessage{
		json.RawMessage(`{"content":[],"structuredContent":{"ok":true,"schema_id":"zenlix-agent-stage-v1","payload":{"stage":"build"}}}`),
		json.RawMessage(`{"content":[{"type":"text","text":"pong"}]}`),
	}
	for m, err := range client.Messages(generated.Registry, slices.Values(recorded)) {
		switch m := m.(type) {
		case generated.ZenlixAgentStageV1:
			fmt.Println("stage", m.Stage)
		case nil:
			fmt.Println(err)
		}
	}
	// Output:
	// stage build
	// the result is not that of an echo: it has neither structured content nor a text that is an envelope
}
