package types

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// messageCase is a schema with a document, and what the driver says of the message: its Go type
// and the verdict after a change by hand.
type messageCase struct {
	id, schema, document, goType string
	change, changed              string // Go statements on m, and what Validate says then
}

const (
	circle = `{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number","minimum":0}},"required":["kind","r"],"additionalProperties":false}`
	square = `{"type":"object","properties":{"kind":{"const":"square"},"a":{"type":"number"}},"required":["kind","a"],"additionalProperties":false}`
	tree   = `{"type":"object","properties":{"n":{"type":"integer","maximum":9},"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["n"],"additionalProperties":false}`
)

var messageCases = []messageCase{
	{"object", `{"type":"object","properties":{"x":{"type":"string","minLength":1}},"required":["x"]}`, `{"x":"a","y":1}`, "Object", `m.X = ""`, "/x: must not be empty"},
	{"no members", `{"type":"object"}`, `{"a":1}`, "NoMembers", `m["b"] = []byte("{")`, "/b: a json.RawMessage is not JSON: byte 1: the document ends inside the object that starts at byte 0: expected a member name in double quotes or '}' after '{'"},
	{"tagged", `{"oneOf":[` + circle + `,` + square + `]}`, `{"kind":"circle","r":1}`, "Tagged", `m.Value.(*Tagged_Circle).R = -1`, "/r: must be at least 0"},
	{"tagged by reference", `{"$ref":"#/$defs/s","$defs":{"s":{"anyOf":[` + circle + `,` + square + `]}}}`, `{"kind":"square","a":1}`, "TaggedByReference", `m.Value = nil`, "a required value is nil"},
	{
		"tagged beside members", `{"type":"object","properties":{"id":{"type":"string","maxLength":1},"kind":{"enum":["a","b"]}},"required":["id","kind"],
		"oneOf":[{"properties":{"kind":{"const":"a"},"s":{"type":"string"}}},{"properties":{"kind":{"const":"b"},"n":{"type":"integer"}}}]}`,
		`{"id":"1","kind":"b","n":2}`, "TaggedBesideMembers", `m.Value.(*TaggedBesideMembers_B).ID = "22"`, "/id: must have at most 1 character",
	},
	{
		"tagged beside variant", `{"type":"object","properties":{"kind":{"type":"string"},"variant":{"type":"object","properties":{"n":{"type":"integer","minimum":1}}}},"required":["kind"],
		"oneOf":[{"properties":{"kind":{"const":"a"}}},{"properties":{"kind":{"const":"b"}}}]}`,
		`{"kind":"a","variant":{"n":1}}`, "TaggedBesideVariant", `var v TaggedBesideVariant_RootVariant = m.Value; v.(*TaggedBesideVariant_A).Variant = &TaggedBesideVariant_Variant{N: new(int64)}`, "/variant/n: must be at least 1",
	},
	{"tagged or null", `{"anyOf":[{"type":"null"},` + circle + `,` + square + `]}`, `{"kind":"circle","r":1}`, "TaggedOrNull", `m.Value = nil`, "<nil>"},
	{
		"tagged recursion", `{"oneOf":[{"type":"object","properties":{"kind":{"const":"leaf"}},"required":["kind"],"additionalProperties":false},
		{"type":"object","properties":{"kind":{"const":"pair"},"left":{"$ref":"#"},"right":{"$ref":"#"}},"required":["kind","left","right"],"additionalProperties":false}]}`,
		`{"kind":"pair","left":{"kind":"leaf"},"right":{"kind":"leaf"}}`, "TaggedRecursion", `m.Value.(*TaggedRecursion_Pair).Left = nil`, "/left: a required value is nil",
	},
	{"shares variants 1", `{"oneOf":[{"$ref":"common/shapes.json#/$defs/circle"},{"$ref":"common/shapes.json#/$defs/square"}]}`, `{"kind":"circle","r":1}`, "SharesVariants1", `m.Value.(*Common_Shapes_Circle).R = -1`, "/r: must be at least 0"},
	{"shares variants 2", `{"oneOf":[{"$ref":"common/shapes.json#/$defs/circle"},{"$ref":"common/shapes.json#/$defs/square"}]}`, `{"kind":"circle","r":1}`, "SharesVariants2", `m.Value.(*Common_Shapes_Circle).R = -1`, "/r: must be at least 0"},
	{"messages as variants", `{"oneOf":[{"$ref":"ping.json"},{"$ref":"pong.json"}]}`, `{"kind":"ping","n":1}`, "MessagesAsVariants", `m.Value.(*Ping).N = 0`, "/n: must be at least 1"},
	{"ping", `{"type":"object","properties":{"kind":{"const":"ping"},"n":{"type":"integer","minimum":1}},"required":["kind","n"],"additionalProperties":false}`, `{"kind":"ping","n":1}`, "Ping", `m.N = 0`, "/n: must be at least 1"},
	{"pong", `{"type":"object","properties":{"kind":{"const":"pong"}},"required":["kind"],"additionalProperties":false}`, `{"kind":"pong"}`, "Pong", `m.Kind = "ping"`, "/kind: must be the constant \"pong\"; a value that is not set stands for it"},
	{"alias 1", `{"$ref":"common/money.json"}`, `{"amount":1}`, "Alias1", `m.Amount = -1`, "/amount: must be at least 0"},
	{"alias 2", `{"$ref":"common/money.json"}`, `{"amount":1}`, "Alias2", `m.Amount = -1`, "/amount: must be at least 0"},
	{"alias of a message", `{"$ref":"alias 1.json"}`, `{"amount":1}`, "AliasOfAMessage", `m = AliasOfAMessage(Alias1(m)); m.Amount = -1`, "/amount: must be at least 0"},
	{"alias of a union", `{"$ref":"tagged.json"}`, `{"kind":"circle","r":1}`, "AliasOfAUnion", `m.Value.(*Tagged_Circle).R = -1`, "/r: must be at least 0"},
	{"alias of an enum", `{"$ref":"color.json"}`, `"red"`, "AliasOfAnEnum", `m = AliasOfAnEnum_Blue`, "<nil>"},
	{"alias that limits", `{"allOf":[{"$ref":"common/money.json"}],"properties":{"amount":{"maximum":5}}}`, `{"amount":1}`, "AliasThatLimits", `m.Amount = 6`, "/amount: must be at most 5"},
	{"alias that requires", `{"$ref":"#/$defs/tree","required":["children"],"$defs":{"tree":` + tree + `}}`, `{"n":1,"children":[{"n":2}]}`, "AliasThatRequires", `m.Children[0] = AliasThatRequires_Tree{N: 10}`, "/children/0/n: must be at most 9"},
	{"recursion", `{"type":"object","properties":{"n":{"type":"integer","maximum":9},"next":{"$ref":"#"}},"required":["n"],"additionalProperties":false}`, `{"n":1,"next":{"n":2}}`, "Recursion", `m.Next.N = 10`, "/next/n: must be at most 9"},
	{"recursion by reference", `{"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"#/$defs/tree","$defs":{"tree":` + tree + `}}`, `{"n":1,"children":[{"n":2}]}`, "RecursionByReference", `m.Children[0] = RecursionByReference{N: 10}`, "/children/0/n: must be at most 9"},
	{"recursion by allOf", `{"allOf":[{"$ref":"#/$defs/tree"}],"$defs":{"tree":` + tree + `}}`, `{"n":1,"children":[{"n":2}]}`, "RecursionByAllOf", `m.Children[0] = RecursionByAllOf{N: 10}`, "/children/0/n: must be at most 9"},
	{"all of", `{"allOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{"type":"string","maxLength":1}},"required":["b"]}]}`, `{"a":1,"b":"x"}`, "AllOf", `m.B = "xx"`, "/b: must have at most 1 character"},
	{"nullable object", `{"type":["object","null"],"properties":{"x":{"type":"string","minLength":1}},"required":["x"],"additionalProperties":false}`, `null`, "NullableObject", `m.Value = &NullableObject_Object{}`, "/x: must not be empty"},
	{"nullable string", `{"type":["string","null"],"minLength":1}`, `null`, "NullableString", `m.Value = new("")`, "must not be empty"},
	{"nullable list", `{"type":["array","null"],"items":{"type":"integer"},"maxItems":1}`, `null`, "NullableList", `m.Value = []int64{1, 2}`, "must have at most 1 item"},
	{"union", `{"anyOf":[{"type":"string"},{"type":"integer","minimum":1}]}`, `"x"`, "Union", `m.SetInt64(0)`, "must be at least 1"},
	{"untagged union", `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}]}`, `{"a":"x"}`, "UntaggedUnion", `m.Union = jsonrt.Union{}`, "a required value is nil"},
	{"list", `{"type":"array","items":{"type":"string"},"maxItems":2}`, `["a","b"]`, "List", `m = append(m, "c")`, "must have at most 2 items"},
	{"recursive list", `{"type":"array","items":{"$ref":"#"},"maxItems":1}`, `[[]]`, "RecursiveList", `m = append(m, nil)`, "must have at most 1 item"},
	{"tuple", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer","minimum":1}],"minItems":2,"items":false}`, `["a",1]`, "Tuple", `m.Item1 = 0`, "/1: must be at least 1"},
	{"string", `{"type":"string","maxLength":1}`, `"a"`, "String", `m = "aa"`, "must have at most 1 character"},
	{"color", `{"enum":["red","blue"]}`, `"red"`, "Color", `m = "rad"`, "must be one of \"red\", \"blue\"; did you mean \"red\"?"},
	{"constant", `{"const":"a"}`, `"a"`, "Constant", `m = "b"`, "must be the constant \"a\"; a value that is not set stands for it"},
	{"integer", `{"type":"integer","minimum":1}`, `1`, "Integer", `m = 0`, "must be at least 1"},
	{"number", `{"type":"number","minimum":1}`, `1.5`, "Number", `m = 0`, "must be at least 1"},
	{"boolean", `{"type":"boolean"}`, `true`, "Boolean", `m = false`, "<nil>"},
	{"null", `{"type":"null"}`, `null`, "Null", ``, "<nil>"},
	{"true", `true`, `[1.0,null]`, "True", `m.Value = []byte("[")`, "a json.RawMessage is not JSON: byte 1: the document ends inside the array that starts at byte 0: expected a value or ']' after '['"},
	{"empty", `{}`, `1e400`, "Empty", `m.Value = nil`, "<nil>"},
	{"mixed enum", `{"enum":["a",1,null]}`, `1`, "MixedEnum", `m.Union = jsonrt.Union{}`, "a required value is nil"},
	{
		"names like methods", `{"type":"object","properties":{"schema_id":{"type":"string"},"SchemaID":{"type":"string"},"appendJSON":{"type":"string"},"validate":{"type":"string"}},"additionalProperties":false}`,
		`{"schema_id":"a","SchemaID":"b","appendJSON":"c","validate":"d"}`, "NamesLikeMethods", `m.SchemaIDMember = nil`, "<nil>",
	},
	{"decode", `{"type":"string"}`, `"x"`, "Message_Decode", ``, "<nil>"},
}

// TestMessages: whatever the schema of a message, its values are Messages of one Go type, which
// a type switch tells from all others, and which are validated as what they are now.
func TestMessages(t *testing.T) {
	schemas := map[string]string{
		"common/money.json":  `{"x-go-name":"Cash","type":"object","properties":{"amount":{"type":"number","minimum":0}},"required":["amount"],"additionalProperties":false}`,
		"common/shapes.json": `{"$defs":{"circle":` + circle + `,"square":` + square + `}}`,
	}
	var try, cases strings.Builder
	var want []string
	for _, c := range messageCases {
		schemas[c.id+".json"] = c.schema
		fmt.Fprintf(&try, "\ttry(%q, %q)\n", c.id, c.document)
		fmt.Fprintf(&cases, "\tcase %s:\n\t\t%s\n\t\treturn m\n", c.goType, c.change)
		want = append(want, fmt.Sprintf("%s: main.%s %s, then %s", c.id, c.goType, c.document, c.changed))
	}
	files, roots := compile(t, schemas, Options{})
	require.Len(t, slices.Collect(maps.Keys(roots)), len(messageCases))
	files["main.go"] = []byte(`package main

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

func change(m jsonrt.Message) jsonrt.Message {
	switch m := m.(type) {
` + cases.String() + `	}
	return nil
}

func try(id, document string) {
	m, err := Decode(id, []byte(document))
	if err != nil {
		fmt.Println(id, err)
		return
	}
	s, _ := Registry.Lookup(id)
	empty := reflect.New(s.Type)
	if empty.Elem().Interface().(jsonrt.Message).SchemaID() != id || m.SchemaID() != id || reflect.TypeOf(m) != s.Type {
		fmt.Println(id, "has another type or id")
	}
	data, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(data, empty.Interface())
	}
	if err == nil {
		err = m.Validate()
	}
	if err != nil || !reflect.DeepEqual(empty.Elem().Interface(), m) {
		fmt.Println(id, "does not come back:", err)
	}
	fmt.Printf("%s: %T %s, then %v\n", id, m, data, change(m).Validate())
}

func main() {
` + try.String() + `}
`)
	out := run(t, build(t, files), &bytes.Buffer{})
	require.Equal(t, strings.Join(want, "\n")+"\n", string(out))
}
