package extract_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/extract"
)

const transcript = `{"type":"tool_result","tool_use_id":"toolu_1","content":"{\"ok\":true,\"schema_id\":\"zenlix-agent-stage-v1\",\"payload\":{\"stage\":\"build\"}}"}
{"type":"tool_result",
{"type":"tool_result","tool_use_id":"toolu_2","content":"{\"ok\":true,\"schema_id\":\"zenlix-agent-stage-v1\",\"payload\":{\"stage\":\"test\"}}"}
`

// Messages yields what a transcript holds, and tells of broken lines in between.
func ExampleMessages() {
	for m, err := range extract.Messages(strings.NewReader(transcript), extract.Options{File: "transcript.jsonl"}) {
		var broken *extract.BrokenError
		switch {
		case errors.As(err, &broken):
			fmt.Printf("line %d is broken\n", broken.Line)
		case err != nil: // reading has failed, nothing follows
			fmt.Println(err)
		default:
			fmt.Println(m.Line, m.CallID, m.SchemaID, string(m.Payload))
		}
	}
	// Output:
	// 1 toolu_1 zenlix-agent-stage-v1 {"stage":"build"}
	// line 2 is broken
	// 3 toolu_2 zenlix-agent-stage-v1 {"stage":"test"}
}

// A registry of generated types makes a Go value of each message.
func ExampleMessages_typed() {
	for m, err := range extract.Messages(strings.NewReader(transcript), extract.Options{SchemaID: "zenlix-agent-stage-v1"}) {
		if err != nil {
			continue
		}
		message, err := generated.Registry.Decode(m.SchemaID, m.Payload)
		if err != nil {
			fmt.Println(err)
			continue
		}
		if stage, ok := message.(generated.ZenlixAgentStageV1); ok { // or a switch over all types
			fmt.Println(stage.Stage)
		}
	}
	// Output:
	// build
	// test
}

// File reads a file, decompressed by its extension.
func ExampleFile() {
	n := 0
	for _, err := range extract.File("testdata/claude_code.jsonl", extract.Options{}) {
		if err == nil {
			n++
		}
	}
	fmt.Println(n, "messages")
	// Output: 3 messages
}
