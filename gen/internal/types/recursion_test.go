package types

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// knots makes schemas that lead back to themselves: a few definitions, each of a random form,
// with references to the root and to each other wherever a schema can stand.
type knots struct {
	*rand.Rand
	id   string
	defs int
}

type dict map[string]any

func (k *knots) chance(percent int) bool { return k.IntN(100) < percent }

// root makes a whole schema. Its dynamic anchor has a twin in some.
func (k *knots) root(id string) dict {
	k.id = "http://knots.example/" + id
	k.defs = 1 + k.IntN(5)
	s := k.form(2)
	if k.chance(30) {
		s = dict{"$ref": k.to()}
	}
	defs := dict{}
	for i := range k.defs {
		defs[fmt.Sprintf("D%d", i)] = k.form(2)
		if i > 0 && k.chance(20) {
			defs[fmt.Sprintf("D%d", i)] = k.scalar()
		}
	}
	if k.chance(30) {
		twin := defs["D0"].(dict)
		twin["$id"], twin["$dynamicAnchor"] = k.id+"/twin", "node"
	}
	s["$id"], s["$dynamicAnchor"], s["$defs"] = k.id, "node", defs
	return s
}

// to is where a reference leads.
func (k *knots) to() string {
	if k.chance(20) {
		return k.id
	}
	return fmt.Sprintf("%s#/$defs/D%d", k.id, k.IntN(k.defs))
}

// at is the schema of a place inside a form: mostly one that leads back.
func (k *knots) at(depth int) any {
	ref := dict{"$ref": k.to()}
	switch n := k.IntN(100); {
	case n < 35:
		return ref
	case n < 50:
		return dict{"anyOf": []any{ref, dict{"type": "null"}}, "default": nil}
	case n < 54:
		return dict{"oneOf": []any{dict{"type": "null"}, ref}}
	case n < 60:
		return dict{"allOf": []any{ref}}
	case n < 64:
		return dict{"$dynamicRef": "#node"}
	case n < 68:
		return k.scalar()
	case depth > 0:
		return k.form(depth - 1)
	}
	return ref
}

func (k *knots) scalar() any {
	return []any{
		true,
		dict{},
		dict{"type": "string"},
		dict{"type": "integer"},
		dict{"type": "boolean"},
		dict{"type": "null"},
		dict{"const": "x"},
		dict{"const": 1},
		dict{"const": nil},
		dict{"const": false},
		dict{"enum": []any{"a", "b"}},
		dict{"enum": []any{"a", nil}},
		dict{"type": []any{"string", "null"}},
		dict{"type": []any{"string", "number"}},
		dict{"const": dict{"a": []any{1}}},
		dict{"const": []any{}},
		dict{"enum": []any{1, "a"}},
		dict{"type": "string", "minLength": 1},
		false,
	}[k.IntN(19)]
}

func (k *knots) list(depth int) []any {
	var list []any
	for range 1 + k.IntN(3) {
		list = append(list, k.at(depth))
	}
	return list
}

// typed adds the type, or null besides, or says nothing.
func (k *knots) typed(s dict, name string) dict {
	switch n := k.IntN(10); {
	case n < 4:
		s["type"] = name
	case n < 8:
		s["type"] = []any{name, "null"}
	case n < 9:
		s["type"] = []any{name, "string", "null"}
	}
	return s
}

// form is a schema that has others inside.
func (k *knots) form(depth int) dict {
	switch k.IntN(9) {
	case 0, 1, 2:
		return k.object(depth)
	case 3:
		s := dict{"additionalProperties": k.at(depth)}
		if k.chance(30) {
			s = dict{"patternProperties": dict{"^x-": k.at(depth)}}
		}
		if k.chance(20) {
			s["additionalProperties"] = false
		}
		return k.typed(s, "object")
	case 4:
		return k.typed(dict{"items": k.at(depth)}, "array")
	case 5:
		s := dict{"prefixItems": k.list(depth)}
		if k.chance(60) {
			s["minItems"] = k.IntN(3)
		}
		if k.chance(60) {
			s["items"] = k.at(depth)
			if k.chance(50) {
				s["items"] = false
			}
		}
		return k.typed(s, "array")
	case 6:
		return dict{[]string{"anyOf", "oneOf"}[k.IntN(2)]: k.list(depth)}
	case 7:
		s := dict{"allOf": k.list(depth)}
		if k.chance(50) {
			maps.Copy(s, k.object(depth))
		}
		return s
	}
	return k.tagged(depth)
}

func (k *knots) object(depth int) dict {
	properties := dict{}
	var required []any
	for _, name := range []string{"a", "b", "c"}[:1+k.IntN(3)] {
		properties[name] = k.at(depth)
		if k.chance(40) {
			required = append(required, name)
		}
	}
	s := dict{"properties": properties}
	if required != nil {
		s["required"] = required
	}
	if k.chance(30) {
		s["additionalProperties"] = k.at(depth)
		if k.chance(50) {
			s["additionalProperties"] = false
		}
	}
	if k.chance(10) {
		s["patternProperties"] = dict{"^x-": k.at(depth)}
	}
	if k.chance(10) {
		s["if"], s["then"] = dict{"required": []any{"a"}}, k.at(depth)
	}
	if k.chance(5) {
		s["unevaluatedProperties"] = k.at(depth)
	}
	return k.typed(s, "object")
}

// tagged is a union whose branches a member tells apart.
func (k *knots) tagged(depth int) dict {
	var branches []any
	for i := range 2 + k.IntN(2) {
		s := k.object(depth)
		s["properties"].(dict)["kind"] = dict{"const": fmt.Sprintf("k%d", i)}
		s["required"] = []any{"kind"}
		s["type"] = "object"
		branches = append(branches, s)
	}
	s := dict{"oneOf": branches}
	if k.chance(30) {
		s["properties"], s["type"] = dict{"z": k.at(depth)}, "object"
	}
	return s
}

// knotted runs schemas, by id, through the compiler and type-checks what comes out. Schemas
// that the compiler refuses are left out; it gives the number of those that are not.
func knotted(tb testing.TB, schemas map[string]dict) (compiled int, faults []error) {
	tb.Helper()
	texts := map[string]string{}
	for id, s := range schemas {
		text, err := json.Marshal(s)
		require.NoError(tb, err)
		texts[id+".json"] = string(text)
	}
	graph := loaded(tb, texts)
	_, refused := plan.Build(facts.Of(graph), plan.Options{})
	bad := map[string]bool{}
	for _, d := range refused {
		require.Contains(tb, d.Message, "leads back to itself")
		bad[strings.TrimSuffix(filepath.Base(d.Path), ".json")] = true
	}
	graph.Messages = slices.DeleteFunc(graph.Messages, func(m *load.Message) bool { return bad[m.ID] })
	files, _ := generate(tb, graph, Options{})
	return len(graph.Messages), typeCheck(files)
}

// TestRecursion searches for a recursive schema whose types do not compile.
func TestRecursion(t *testing.T) {
	const batches, each = 3, 60
	compiled := 0
	for batch := range uint64(batches) {
		k := &knots{Rand: rand.New(rand.NewPCG(1, batch))}
		schemas := map[string]dict{}
		for i := range each {
			id := fmt.Sprintf("k%d", i)
			schemas[id] = k.root(id)
		}
		n, faults := knotted(t, schemas)
		compiled += n
		if len(faults) == 0 {
			continue
		}
		for _, id := range slices.Sorted(maps.Keys(schemas)) {
			if _, faults := knotted(t, map[string]dict{id: schemas[id]}); len(faults) > 0 {
				text, _ := json.Marshal(schemas[id])
				t.Errorf("%v\n%s", faults[0], text)
			}
		}
		t.Error(faults)
	}
	require.Greater(t, compiled, batches*each/2)
}
