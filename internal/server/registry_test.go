package server_test

import (
	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

const stageID = "zenlix-agent-stage-v1"

// stageSource has line breaks and characters that mcp-go would escape.
const stageSource = "{\n  \"type\": \"object\",\n  \"description\": \"<stage> & \u2028\",\n  \"required\": [\"stage\"]\n}\n"

// The tool of that schema, and what it takes.
const (
	stageTool   = "emit_zenlix-agent-stage-v1"
	stageBundle = `{"type":"object","properties":{"stage":{"type":"string"}},"required":["stage"],"maxProperties":1}`
)

// testRegistry has a schema written by hand as the generator would write it, one that
// accepts anything, and one whose check panics.
func testRegistry() jsonrt.Registry {
	return jsonrt.NewRegistry(
		&jsonrt.Schema{ID: stageID, Title: "Stage", Description: "Agent stage status event", Source: stageSource, Bundle: stageBundle, Tool: stageTool, Check: checkStage},
		&jsonrt.Schema{ID: "any", Source: "true", Check: func(*jsonrt.Checker, int) bool { return true }},
		&jsonrt.Schema{ID: "panics", Source: "{}", Check: func(*jsonrt.Checker, int) bool {
			panic("secret in the panic") //nolint:forbidigo // what is tested
		}},
	)
}

// checkStage wants an object with a string stage and, beside it, at most strings
// stage_status and next_stage and an object extra.
func checkStage(c *jsonrt.Checker, v int) bool {
	if c.Kind(v) != jsontape.Object {
		return c.Fail(v, "#", "type", "must be object")
	}
	stage := false
	for i := v + 1; i < c.Next(v); i = c.Next(i + 1) {
		want := jsontape.String
		switch name := c.Name(i); name {
		case "stage":
			stage = true
		case "stage_status", "next_stage":
		case "extra":
			want = jsontape.Object
		default:
			if !c.Unknown(i, "#", "additionalProperties", "stage", "stage_status", "next_stage", "extra") {
				return false
			}
			continue
		}
		if c.Kind(i+1) != want && !c.Fail(i+1, "#/properties/"+c.Name(i), "type", "must be "+want.String()) {
			return false
		}
	}
	return stage || c.Missing(v, "#", "stage")
}
