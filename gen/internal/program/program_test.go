package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// planned plans the schema x.json.
func planned(t *testing.T, schema string) *plan.Plan {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.json"), []byte(schema), 0o644))
	graph, faults := load.Load(load.Options{Dir: dir})
	require.Empty(t, faults)
	p, faults := plan.Build(facts.Of(graph), plan.Options{})
	require.Empty(t, faults)
	return p
}

func dumped(t *testing.T, p *Program) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, p.Dump(&b))
	return b.String()
}

// TestPasses keeps what each pass makes of a program: that of testdata/PASS.json as the passes before
// it left it. UPDATE=1 writes the golden files anew: read them as the next pass has to.
func TestPasses(t *testing.T) {
	for i, pass := range passes() {
		t.Run(pass.name, func(t *testing.T) {
			schema, err := os.ReadFile(filepath.Join("testdata", pass.name+".json"))
			require.NoError(t, err)
			p := Lower(planned(t, string(schema)))
			for _, earlier := range passes()[:i] {
				earlier.run(p)
			}
			before := dumped(t, p)
			pass.run(p)
			after := dumped(t, p)
			require.NotEqual(t, before, after, "the pass did nothing")
			got := before + "\n==== " + pass.name + " ====\n\n" + after
			golden := filepath.Join("testdata", pass.name+".golden")
			if os.Getenv("UPDATE") != "" {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// TestMemory: a function remembers its verdicts where a choice meets a recursion, and nowhere else.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		remembers    bool
	}{
		{"a list", `{"properties":{"next":{"$ref":"#"}}}`, false},
		{"a tree", `{"type":"object","properties":{"left":{"$ref":"#"},"right":{"$ref":"#"},"all":{"type":"array","items":{"$ref":"#"}}},"additionalProperties":{"$ref":"#"}}`, false},
		{"branches by kind", `{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#"}}]}`, false},
		{"branches by a tag", `{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"a"},"x":{"$ref":"#"}}},{"type":"object","required":["k"],"properties":{"k":{"const":"b"},"x":{"$ref":"#"}}}]}`, false},
		{"patterns beside a member", `{"properties":{"a":{"$ref":"#"}},"patternProperties":{"^a":{"$ref":"#"}}}`, true},
		{"two patterns", `{"patternProperties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}`, true},
		{"allOf for one member", `{"properties":{"a":{"$ref":"#"}},"allOf":[{"properties":{"a":{"$ref":"#"}}}]}`, true},
		{"allOf for different members", `{"properties":{"a":{"$ref":"#"}},"allOf":[{"properties":{"b":{"$ref":"#"}}}]}`, false},
		{"a union that is tried", `{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"b":{"$ref":"#"}}}]}`, true},
		{"items and contains", `{"items":{"$ref":"#"},"contains":{"$ref":"#"}}`, true},
		{"not", `{"not":{"properties":{"a":{"$ref":"#"}}}}`, true},
		{"if", `{"if":{"properties":{"a":{"$ref":"#"}}},"then":{"properties":{"a":{"$ref":"#"}}}}`, true},
		{"two ways in a circle of two", `{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"x":{"$ref":"#/$defs/b"}},"additionalProperties":{"$ref":"#/$defs/a"}},"b":{"items":{"$ref":"#/$defs/a"},"properties":{"y":{"$ref":"#/$defs/a"}}}}}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Build(planned(t, c.schema), nil)
			require.Equal(t, c.remembers, strings.Contains(dumped(t, p), "  remembers\n"), dumped(t, p))
		})
	}
}

// A loop over members that could tell faults in another order, or not all of them, stays by itself.
func TestLoopsThatStay(t *testing.T) {
	for name, allOf := range map[string]string{
		"patterns before members":                  `{"patternProperties":{"^x":{"type":"string"}}},{"properties":{"xa":{"minLength":1}}}`,
		"names behind members":                     `{"properties":{"a":{"type":"string"}}},{"propertyNames":{"maxLength":3}}`,
		"additional members that depend on a name": `{"properties":{"a":true},"required":["b"],"additionalProperties":{"type":"string"}},{"properties":{"b":{"minLength":1}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := Build(planned(t, `{"type":"object","allOf":[`+allOf+`]}`), nil)
			require.Equal(t, 2, strings.Count(dumped(t, p), "each member k of v"), dumped(t, p))
		})
	}
}
