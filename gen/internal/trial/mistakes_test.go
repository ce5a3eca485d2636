package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// catalogSchema has what the project's own schemas lack.
const catalogSchema = `{
  "type": "object",
  "properties": {
    "name": {"type": "string", "minLength": 2, "maxLength": 8},
    "size": {"type": "integer", "minimum": 1, "maximum": 9},
    "price": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.01},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "uniqueItems": true},
    "point": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "items": false},
    "when": {"anyOf": [{"type": "string", "pattern": "^[0-9]{4}$"}, {"type": "object", "properties": {"year": {"type": "integer"}, "month": {"type": "integer"}}, "required": ["year"]}]},
    "value": {"type": ["string", "integer", "null"]},
    "codes": {"type": "array", "contains": {"type": "integer"}},
    "mode": {"const": "fast"},
    "level": {"enum": [1, "high", null]},
    "card": {"type": "string"},
    "color": {"type": "string", "enum": ["red", "green", "blue"]},
    "shape": {"oneOf": [
      {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
      {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]}
    ]},
    "range": {"oneOf": [{"type": "integer", "maximum": 10}, {"type": "integer", "minimum": 10}]},
    "id": {"not": {"type": "null"}},
    "never": false
  },
  "patternProperties": {"^x-": {"type": "integer"}},
  "additionalProperties": false,
  "dependentRequired": {"card": ["name"]},
  "if": {"properties": {"mode": {"const": "fast"}}, "required": ["mode"]},
  "then": {"required": ["size"]},
  "propertyNames": {"maxLength": 10}
}`

var mistakes = []struct{ about, schema, payload string }{
	{"a member is missing", "zenlix-agent-stage-v1", `{}`},
	{"a member of the wrong type", "zenlix-agent-stage-v1", `{"stage":1}`},
	{"a member misspelt", "zenlix-agent-stage-v1", `{"stage":"a","stage_staus":"running"}`},
	{"a member in camel case", "zenlix-agent-stage-v1", `{"stage":"a","nextStage":"b"}`},
	{"a member that is not known at all", "zenlix-agent-stage-v1", `{"stage":"a","color":"red"}`},
	{"case of a name", "zenlix-agent-stage-v1", `{"Stage":"a"}`},
	{"an enum value misspelt", "zenlix-agent-stage-v1", `{"stage":"a","stage_status":"runing"}`},
	{"an enum value in capitals", "zenlix-agent-stage-v1", `{"stage":"a","stage_status":"SUCCESS"}`},
	{"null for an optional member", "zenlix-agent-stage-v1", `{"stage":"a","next_stage":null}`},
	{"an array for an object", "zenlix-agent-stage-v1", `[{"stage":"a"}]`},
	{"several faults at once", "zenlix-agent-stage-v1", `{"stage_status":"done","extra":[],"x":1}`},
	{"a repeated member", "zenlix-agent-stage-v1", `{"stage":"a","stage":"b"}`},
	{"faults deep inside", "report_outline_v1", `{"title":"","items":[{"index":1,"heading":"a"},{"index":0,"heading":2},{"index":"3"}]}`},
	{"a number as text", "workflow_stage_v1", `{"event_type":"stage_started","stage":"a","sequence":"1"}`},
	{"a fraction for an integer", "workflow_stage_v1", `{"event_type":"stage_started","stage":"a","sequence":1.5}`},
	{"a negative count", "workflow_stage_v1", `{"event_type":"stage_started","stage":"a","sequence":-1}`},
	{"an empty list", "report_outline_v1", `{"title":"a","items":[]}`},
	{"text too short", "catalog", `{"name":"a"}`},
	{"text too long, counted in characters", "catalog", `{"name":"ééééééééé"}`},
	{"beyond a limit", "catalog", `{"size":10}`},
	{"at an exclusive limit", "catalog", `{"price":0}`},
	{"not a multiple", "catalog", `{"price":0.005}`},
	{"too many items", "catalog", `{"tags":["a","b","c","d"]}`},
	{"equal items", "catalog", `{"tags":["a","b","a"]}`},
	{"a tuple too long", "catalog", `{"point":[1,2,3]}`},
	{"a pattern", "catalog", `{"when":"20255"}`},
	{"a branch of anyOf that got far", "catalog", `{"when":{"month":1}}`},
	{"no branch of anyOf by type", "catalog", `{"when":7}`},
	{"none of several types", "catalog", `{"value":[]}`},
	{"nothing that contains wants", "catalog", `{"codes":["a"]}`},
	{"not the constant", "catalog", `{"mode":"slow","size":1}`},
	{"none of mixed values", "catalog", `{"level":2}`},
	{"a member that another one needs", "catalog", `{"card":"1"}`},
	{"what then asks for", "catalog", `{"mode":"fast"}`},
	{"the branch that a tag names", "catalog", `{"shape":{"kind":"circle","side":1}}`},
	{"a tag that names no branch", "catalog", `{"shape":{"kind":"circel","radius":1}}`},
	{"a missing tag", "catalog", `{"shape":{"radius":1}}`},
	{"two branches of oneOf", "catalog", `{"range":10}`},
	{"what not forbids", "catalog", `{"id":null}`},
	{"a member that must not be there", "catalog", `{"never":1}`},
	{"a member behind a pattern", "catalog", `{"x-a":"1"}`},
	{"a member name too long", "catalog", `{"x-aaaaaaaaaaaa":1}`},
	{"names that need escapes in a pointer", "catalog", `{"a/b":1,"m~n":2}`},
}

// TestMistakes keeps what people and models are told about typical mistakes. UPDATE=1 writes
// the golden file anew: read it as somebody who has to repair the payload.
func TestMistakes(t *testing.T) {
	schemas := map[string]string{"catalog": catalogSchema}
	for _, id := range []string{"zenlix-agent-stage-v1", "report_outline_v1", "workflow_stage_v1"} {
		data, err := os.ReadFile(filepath.Join(Root(t), "schemas", id+".json"))
		require.NoError(t, err)
		schemas[id] = string(data)
	}
	compiled := Compile(t, schemas, Options{AssertFormat: true})
	require.Empty(t, compiled.Refused)
	var b strings.Builder
	for _, m := range mistakes {
		fmt.Fprintf(&b, "%s\n  %s\n", m.about, m.payload)
		r := compiled.Validate(t, m.schema, m.payload)[0]
		require.False(t, r.Valid, m.about)
		if r.Error != "" {
			fmt.Fprintf(&b, "    %s\n", r.Error)
		}
		for _, d := range r.Details {
			fmt.Fprintf(&b, "    %s: %s  (%s)\n", strings.TrimSpace(fmt.Sprintf("%q", d.Path)), d.Message, d.SchemaPath)
		}
		b.WriteByte('\n')
	}
	golden := filepath.Join("testdata", "mistakes.txt")
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}
