// Command demo shows in twenty lines what the server does: a client starts it over stdio,
// lists the schemas, echoes a payload, sees a bad one refused, and reads the good one into
// its Go struct:
//
//	go run ./internal/demo BINARY
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/generated"
)

const stage = "zenlix-agent-stage-v1"

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	if len(args) != 1 {
		return fmt.Errorf("wanted the server's binary, got %q", args)
	}
	c, err := client.NewStdioMCPClient(args[0], nil, "serve")
	if err != nil {
		return err
	}
	defer func() {
		if closing := c.Close(); err == nil {
			err = closing
		}
	}()
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return err
	}

	fmt.Fprintln(out, "list_schemas {}")
	var list struct {
		Schemas []struct {
			ID          string `json:"schema_id"`
			Description string `json:"description"`
		} `json:"schemas"`
	}
	if _, err := call(ctx, c, "list_schemas", map[string]any{}, &list); err != nil {
		return err
	}
	for _, s := range list.Schemas {
		fmt.Fprintf(out, "  %-24s %s\n", s.ID, s.Description)
	}

	payload := json.RawMessage(`{"stage":"build","stage_status":"running","extra":{"seconds":1.50}}`)
	fmt.Fprintf(out, "\necho {\"schema_id\":%q,\"payload\":%s}\n", stage, payload)
	var good struct {
		Payload json.RawMessage `json:"payload"`
	}
	text, err := call(ctx, c, "echo", map[string]any{"schema_id": stage, "payload": payload}, &good)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, " ", text)

	wrong := json.RawMessage(`{"stage":7,"stage_staus":"running"}`)
	fmt.Fprintf(out, "\necho {\"schema_id\":%q,\"payload\":%s}\n", stage, wrong)
	var bad struct {
		Error struct {
			Code    string `json:"code"`
			Details []struct{ Path, Message string }
		} `json:"error"`
	}
	if _, err := call(ctx, c, "echo", map[string]any{"schema_id": stage, "payload": wrong}, &bad); err != nil {
		return err
	}
	fmt.Fprintln(out, " ", bad.Error.Code)
	for _, d := range bad.Error.Details {
		fmt.Fprintf(out, "    %s: %s\n", d.Path, d.Message)
	}

	fmt.Fprintln(out, "\ngenerated.DecodeZenlixAgentStageV1(payload)")
	message, err := generated.DecodeZenlixAgentStageV1(good.Payload)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "  Stage:       %q\n", message.Stage)
	fmt.Fprintf(out, "  StageStatus: %q\n", message.StageStatus)
	fmt.Fprintf(out, "  Extra:       %s\n", message.Extra)
	return sumType(ctx, c, out)
}

// sumType echoes a message with a oneOf inside, which is an interface in Go, and takes it apart.
func sumType(ctx context.Context, c *client.Client, out io.Writer) error {
	payload := json.RawMessage(`{"run_id":"6f1a6c0e-58e5-4d0c-9d8b-0a6a3f6f3c11","started_at":"2026-08-01T09:30:00Z","agent":{"name":"builder"},
		"steps":[{"tool":"build","duration_ms":812.5,"outcome":{"status":"success"}},{"tool":"test","duration_ms":90,"outcome":{"status":"failure","error":"2 of 311 failed"}}]}`)
	var echoed struct {
		Payload json.RawMessage `json:"payload"`
	}
	if _, err := call(ctx, c, "echo", map[string]any{"schema_id": "tool_run_report_v1", "payload": payload}, &echoed); err != nil {
		return err
	}
	fmt.Fprintln(out, "\ngenerated.DecodeToolRunReportV1(report)")
	report, err := generated.DecodeToolRunReportV1(echoed.Payload)
	if err != nil {
		return err
	}
	for _, step := range report.Steps {
		switch outcome := step.Outcome.(type) {
		case *generated.ToolRunReportV1_Success:
			fmt.Fprintf(out, "  %-6s %T\n", step.Tool, outcome)
		case *generated.ToolRunReportV1_Failure:
			fmt.Fprintf(out, "  %-6s %T: %s\n", step.Tool, outcome, outcome.Error)
		case *generated.ToolRunReportV1_Skipped:
			fmt.Fprintf(out, "  %-6s %T: %s\n", step.Tool, outcome, outcome.Reason)
		}
	}
	return nil
}

// call calls a tool, decodes the text of its answer into result, and gives that text.
func call(ctx context.Context, c *client.Client, tool string, args map[string]any, result any) (string, error) {
	answer, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: args}})
	if err != nil {
		return "", err
	}
	if len(answer.Content) != 1 {
		return "", fmt.Errorf("%s: got %d content blocks", tool, len(answer.Content))
	}
	text, ok := answer.Content[0].(mcp.TextContent)
	if !ok {
		return "", fmt.Errorf("%s: got a %T", tool, answer.Content[0])
	}
	return text.Text, json.Unmarshal([]byte(text.Text), result)
}
