package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

// conform plays the client in a scenario of the official conformance suite. It does what each asks
// for through what mcpkit/client has; for a scenario of OAuth it just connects.
func conform(ctx context.Context, url, scenario, hints string) error {
	t, err := streamable.New(url, streamable.Options{})
	if err != nil {
		return err
	}
	options := client.Options{Name: "mcpkit-conformance", Version: "1"}
	if scenario == "elicitation-sep1034-client-defaults" || scenario == "sep-2322-client-request-state" {
		options.Capabilities = json.RawMessage(`{"elicitation":{"form":{"applyDefaults":true}}}`)
		options.OnRequest = elicit
	}
	session, err := client.Connect(ctx, t, options)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	tools, err := session.Tools(ctx)
	if err != nil {
		return err
	}
	switch scenario {
	case "http-standard-headers":
		return everything(ctx, session)
	case "json-schema-2020-12-preservation":
		arguments, err := json.Marshal(map[string]any{"schema": tools[0].InputSchema})
		if err != nil {
			return err
		}
		_, err = session.CallTool(ctx, "json_schema_echo", arguments)
		return err
	case "http-custom-headers":
		return asTold(ctx, session, hints)
	}
	for _, tool := range tools {
		arguments := map[string]json.RawMessage{}
		for name, value := range map[string]string{"a": "5", "b": "3", "region": `"us-east1"`, "value": `"x"`} {
			arguments[name] = json.RawMessage(value)
		}
		text, err := json.Marshal(arguments)
		if err != nil {
			return err
		}
		if _, err := session.CallTool(ctx, tool.Name, text); err != nil {
			fmt.Println(tool.Name, "can't be called:", err) //nolint:forbidigo // the suite keeps what its client prints
		}
	}
	return nil
}

// asTold makes the calls that the suite gives in the environment.
func asTold(ctx context.Context, session *client.Session, hints string) error {
	var context struct {
		ToolCalls []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"toolCalls"`
	}
	if err := json.Unmarshal([]byte(hints), &context); err != nil {
		return err
	}
	for _, call := range context.ToolCalls {
		if _, err := session.CallTool(ctx, call.Name, call.Arguments); err != nil {
			return err
		}
	}
	return nil
}

// everything makes one request of each kind.
func everything(ctx context.Context, session *client.Session) error {
	if _, err := session.CallTool(ctx, "my-hyphenated-tool", nil); err != nil {
		return err
	}
	resources, err := session.Resources(ctx)
	if err != nil {
		return err
	}
	for _, r := range resources {
		if _, err := session.ReadResource(ctx, r.URI); err != nil {
			return err
		}
	}
	prompts, err := session.Prompts(ctx)
	if err != nil {
		return err
	}
	for _, p := range prompts {
		if _, err := session.GetPrompt(ctx, p.Name, nil); err != nil {
			return err
		}
	}
	return nil
}

// elicit answers elicitation/create with the defaults of the form.
func elicit(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if method != "elicitation/create" {
		return nil, client.ErrNotHandled
	}
	var form struct {
		RequestedSchema struct {
			Properties map[string]struct {
				Default json.RawMessage `json:"default"`
			} `json:"properties"`
		} `json:"requestedSchema"`
	}
	if err := json.Unmarshal(params, &form); err != nil {
		return nil, err
	}
	content := map[string]json.RawMessage{}
	for name, field := range form.RequestedSchema.Properties {
		if field.Default != nil {
			content[name] = field.Default
		}
	}
	return json.Marshal(map[string]any{"action": "accept", "content": content})
}
