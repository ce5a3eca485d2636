package generated_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
)

func ExampleDecodeZenlixAgentStageV1() {
	m, err := generated.DecodeZenlixAgentStageV1([]byte(`{"stage":"build","stage_status":"running","extra":{"eta":12}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	if m.StageStatus == generated.ZenlixAgentStageV1_StageStatus_Running {
		fmt.Println(m.Stage, "is running; eta", string(m.Extra["eta"]))
	}
	// Output: build is running; eta 12
}

func ExampleZenlixAgentStageV1_Validate() {
	m := generated.ZenlixAgentStageV1{Stage: "build", StageStatus: "runing"}
	fmt.Println(m.Validate())
	// Output: /stage_status: must be one of "start", "running", "success", "failed"; did you mean "running"?
}

func ExampleDecodeReportOutlineV1() {
	m, err := generated.DecodeReportOutlineV1([]byte(`{"title":"Quarter","items":[{"index":1,"heading":"Sales","notes":"by region"},{"index":2,"heading":"Costs"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range m.Items {
		fmt.Println(item.Index, item.Heading, item.Notes != nil)
	}
	// Output:
	// 1 Sales true
	// 2 Costs false
}

func ExampleDecodeWorkflowStageV1() {
	m, err := generated.DecodeWorkflowStageV1([]byte(`{"event_type":"stage_failed","stage":"deploy","sequence":7.0}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Sequence, m.EventType == generated.WorkflowStageV1_EventType_StageFailed)
	// Output: 7 true
}

// A union whose forms a member tells apart is an interface; a type switch takes it apart.
func ExampleDecodeToolRunReportV1() {
	m, err := generated.DecodeToolRunReportV1([]byte(`{
		"run_id": "6f1a6c0e-58e5-4d0c-9d8b-0a6a3f6f3c11", "started_at": "2026-08-01T09:30:00Z", "agent": {"name": "builder"},
		"steps": [
			{"tool": "compile", "duration_ms": 812.5, "outcome": {"status": "success", "artifacts": ["bin/echo-mcp"]}},
			{"tool": "test", "duration_ms": 90, "confidence": null, "outcome": {"status": "failure", "error": "2 of 311 failed"}}
		]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range m.Steps {
		switch outcome := step.Outcome.(type) {
		case *generated.ToolRunReportV1_Success:
			fmt.Println(step.Tool, "made", outcome.Artifacts)
		case *generated.ToolRunReportV1_Failure:
			fmt.Println(step.Tool, "failed:", outcome.Error, "- confidence is null:", step.Confidence.IsNull())
		case *generated.ToolRunReportV1_Skipped:
			fmt.Println(step.Tool, "skipped:", outcome.Reason)
		}
	}
	// Output:
	// compile made [bin/echo-mcp]
	// test failed: 2 of 311 failed - confidence is null: true
}

// Whatever the id, the message is of the Go type of its schema, so a type switch tells what has
// come.
func ExampleDecode() {
	for _, result := range []struct{ id, payload string }{
		{"zenlix-agent-stage-v1", `{"stage":"build","stage_status":"success"}`},
		{"report_outline_v1", `{"title":"Quarter","items":[{"index":1,"heading":"Sales"}]}`},
		{"workflow_stage_v1", `{"event_type":"paused","stage":"deploy","sequence":7}`},
		{"zenlix_agent_stage", `{"stage":"build"}`},
	} {
		m, err := generated.Decode(result.id, []byte(result.payload))
		var invalid *jsonrt.ValidationError
		var unknown *jsonrt.UnknownSchemaError
		switch {
		case errors.As(err, &invalid):
			fmt.Println(result.id+":", invalid.Details[0].Path, invalid.Details[0].Message)
		case errors.As(err, &unknown):
			fmt.Println(unknown.ID, "is not known; there is", unknown.Nearest)
		case err != nil:
			fmt.Println(err) // not JSON, a repeated member name, or a number too large for its Go type
		}
		switch m := m.(type) {
		case generated.ZenlixAgentStageV1:
			fmt.Println(m.SchemaID()+":", m.Stage)
		case generated.ReportOutlineV1:
			fmt.Println(m.SchemaID()+":", m.Title, "with", len(m.Items), "items")
		}
	}
	// Output:
	// zenlix-agent-stage-v1: build
	// report_outline_v1: Quarter with 1 items
	// workflow_stage_v1: /event_type must be one of "stage_started", "stage_progress", "stage_completed", "stage_failed"
	// zenlix_agent_stage is not known; there is [zenlix-agent-stage-v1]
}

// A message that was changed is validated as what it is now.
func ExampleWorkflowStageV1_AppendJSON() {
	m, err := generated.DecodeWorkflowStageV1([]byte(`{"event_type":"stage_started","stage":"deploy","sequence":7}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	m.Sequence = -1
	fmt.Println(m.Validate())
	m.Sequence = 8
	line, err := m.AppendJSON([]byte("data: "))
	fmt.Println(string(line), err)
	// Output:
	// /sequence: must be at least 0
	// data: {"event_type":"stage_started","stage":"deploy","sequence":8} <nil>
}

// A producer fills in the struct and leaves constants, such as a variant's status, to the
// encoder.
func ExampleToolRunReportV1() {
	m := generated.ToolRunReportV1{
		RunID: "6f1a6c0e-58e5-4d0c-9d8b-0a6a3f6f3c11", StartedAt: "2026-08-01T09:30:00Z",
		Agent: generated.ToolRunReportV1_Agent{Name: "builder"},
		Steps: []generated.ToolRunReportV1_Step{{
			Tool: "lint", DurationMs: 4, Confidence: jsonrt.Some(0.9),
			Outcome: &generated.ToolRunReportV1_Skipped{Reason: "no changes"},
		}},
	}
	if err := m.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	data, err := json.Marshal(m.Steps)
	fmt.Println(string(data), err)
	// Output: [{"tool":"lint","duration_ms":4,"confidence":0.9,"outcome":{"status":"skipped","reason":"no changes"}}] <nil>
}
