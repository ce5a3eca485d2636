package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

// A tool is a function from one Go type to another. This server has one, and speaks to a client
// that sends a single call.
func ExampleTool() {
	type temperature struct {
		Celsius float64 `json:"celsius" jsonschema:"minimum=-273.15"`
	}
	type converted struct {
		Fahrenheit float64 `json:"fahrenheit"`
	}
	s := toolkit.New(toolkit.Info{Name: "weather", Version: "1.0.0"}, toolkit.Options{})
	err := toolkit.Tool(s, "convert", "Converts to Fahrenheit.", func(_ context.Context, in temperature) (converted, error) {
		return converted{in.Celsius*9/5 + 32}, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	t := &example{} // in a test that is its *testing.T
	defer t.end()
	client := toolkit.TestPair(t, s)
	r, err := client.Call("convert", map[string]float64{"celsius": 100})
	fmt.Printf("%s %v\n", r.Structured, err)
	r, err = client.Call("convert", map[string]float64{"celsius": -300})
	fmt.Println(r.IsError, r.Content[0], err)
	// Output:
	// {"fahrenheit":212} <nil>
	// true the arguments of the tool "convert" are wrong: repair them and call it again
	// /celsius: must be at least -273.15 <nil>
}

// Mistakes in tools show when they are added, all of them if the errors are joined.
func ExampleTool_errors() {
	s := toolkit.New(toolkit.Info{Name: "mistakes"}, toolkit.Options{})
	run := func(context.Context, json.RawMessage) (string, error) { return "", nil }
	fmt.Println(errors.Join(
		toolkit.Tool(s, "one", "", run, toolkit.InputSchema([]byte(`{"type":"object","properties":{"n":{"type":"int"}}}`))),
		toolkit.Tool(s, "two", "", run, toolkit.InputSchema([]byte(`{"type":"object"}`)), toolkit.Timeout(-time.Second)),
	))
	// Output:
	// tool "one", input schema, /properties/n/type: this is not how JSON Schema has it: must be one of "array", "boolean", "integer", "null", "number", "object", "string"
	// tool "two": the time-out must be more than zero, not -1s: leave it out for none
}

// A generated type brings its schema, and the check that was compiled from it.
func ExampleOptions() {
	s := toolkit.New(toolkit.Info{Name: "stages"}, toolkit.Options{Types: generated.Registry})
	err := toolkit.Tool(s, "next", "Tells the next stage.", func(_ context.Context, stage generated.ZenlixAgentStageV1) (generated.ZenlixAgentStageV1, error) {
		return generated.ZenlixAgentStageV1{Stage: "after " + stage.Stage, StageStatus: "start"}, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	t := &example{}
	defer t.end()
	r, err := toolkit.TestPair(t, s).Call("next", generated.ZenlixAgentStageV1{Stage: "plan"})
	fmt.Printf("%s %v\n", r.Structured, err)
	// Output: {"stage":"after plan","stage_status":"start"} <nil>
}

// Text, images, recordings and files are the content of a result, in the order in which they are
// returned.
func ExampleContent() {
	s := toolkit.New(toolkit.Info{Name: "painter"}, toolkit.Options{})
	err := toolkit.Tool(s, "paint", "Paints.", func(context.Context, struct{}) ([]any, error) {
		image, err := toolkit.ImageBase64("iVBORw0KGgo=", "image/png")
		if err != nil {
			return nil, err
		}
		return []any{"A sunset:", image, toolkit.FileText("notes:///sunset.md", "text/markdown", "# Sunset")}, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	t := &example{}
	defer t.end()
	r, _ := toolkit.TestPair(t, s).Call("paint", nil)
	for _, content := range r.Content {
		fmt.Printf("%T\n", content)
	}
	// Output:
	// toolkit.Text
	// toolkit.Image
	// toolkit.File
}

// A resource has a URI, or a template of URIs.
func ExampleResource() {
	s := toolkit.New(toolkit.Info{Name: "notes"}, toolkit.Options{})
	err := errors.Join(
		toolkit.Resource(s, "notes:///readme", "readme", "What the notes are.", toolkit.Static("# Notes"), toolkit.MIMEType("text/markdown")),
		toolkit.Resource(s, "notes:///days/{day}", "day", "The note of a day.", func(_ context.Context, r toolkit.ReadRequest) (string, error) {
			if r.Variables["day"] != "monday" {
				return "", toolkit.ErrNoResource
			}
			return "Buy books.", nil
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, uri := range []string{"notes:///readme", "notes:///days/monday"} {
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`, uri)
		fmt.Printf("%s\n", s.Handle(context.Background(), []byte(message)))
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"notes:///readme","mimeType":"text/markdown","text":"# Notes"}]}}
	// {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"notes:///days/monday","text":"Buy books."}]}}
}

// The arguments of a prompt are strings in MCP, and typed here.
func ExamplePrompt() {
	type review struct {
		Code  string `json:"code" jsonschema:"description=What to review."`
		Depth int    `json:"depth,omitempty" jsonschema:"minimum=1,maximum=3"`
	}
	s := toolkit.New(toolkit.Info{Name: "reviewer"}, toolkit.Options{})
	err := toolkit.Prompt(s, "review", "Reviews code.", func(_ context.Context, r review) (string, error) {
		return fmt.Sprintf("Review this, in depth %d: %s", r.Depth, r.Code), nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	message := `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"review","arguments":{"code":"x := 1","depth":"2"}}}`
	fmt.Printf("%s\n", s.Handle(context.Background(), []byte(message)))
	// Output: {"jsonrpc":"2.0","id":1,"result":{"description":"Reviews code.","messages":[{"role":"user","content":{"type":"text","text":"Review this, in depth 2: x := 1"}}]}}
}

// A server on stdio ends when its input does.
func ExampleServer_ServeStdio() {
	s := toolkit.New(toolkit.Info{Name: "ping"}, toolkit.Options{})
	_ = toolkit.Tool(s, "ping", "Says pong.", func(context.Context, struct{}) (string, error) { return "pong", nil })
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	fmt.Println(s.ServeStdio(context.Background(), in, os.Stdout))
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{}}
	// <nil>
}

// example stands for the *testing.T of a test.
type example struct{ cleanups []func() }

func (*example) Helper()                           {}
func (e *example) Cleanup(end func())              { e.cleanups = append(e.cleanups, end) }
func (*example) Fatalf(format string, args ...any) { fmt.Fprintf(os.Stderr, format, args...) }

// end is what the end of a test does.
func (e *example) end() {
	for _, cleanup := range slices.Backward(e.cleanups) {
		cleanup()
	}
}
