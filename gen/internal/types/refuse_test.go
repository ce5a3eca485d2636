package types

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefusedValues: what JSON cannot say, or would say twice, is an error with its place, and
// nothing panics.
func TestRefusedValues(t *testing.T) {
	schemas := map[string]string{
		"tree.json": `{"type":"object","required":["one"],"additionalProperties":{"$ref":"#/$defs/body"},"properties":{
			"one":{"$ref":"#/$defs/body"},"may":{"$ref":"#/$defs/body"},"null":{"anyOf":[{"$ref":"#/$defs/body"},{"type":"null"}]},"list":{"type":"array","items":{"$ref":"#/$defs/body"}},
			"map":{"type":"object","additionalProperties":{"type":"array","items":{"$ref":"#/$defs/body"}}},"pair":{"type":"array","prefixItems":[{"$ref":"#/$defs/body"},{"type":"string"}],"minItems":2},
			"union":{"anyOf":[{"$ref":"#/$defs/body"},{"type":"string"}]}},
			"$defs":{"body":{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"next":{"$ref":"#/$defs/body"},"opt":{"anyOf":[{"$ref":"#/$defs/self"},{"type":"null"}]}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]},
			"self":{"type":["object","null"],"properties":{"self":{"$ref":"#/$defs/self"}}}}}`,
		"extra.json": `{"type":"object","properties":{"id":{"type":"string"},"opt":{"type":"integer"}},"required":["id"],"if":{"required":["opt"]},"then":{"properties":{"soft":{"type":"integer"}}}}`,
		"inner.json": `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"},"l":{"$ref":"#/$defs/l"},"t":{"$ref":"#/$defs/t"}},"$defs":{
			"a":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"]},"l":{"type":"array","items":{"$ref":"#/$defs/l"}},"t":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2}}}`,
	}
	const statements = `
	var a *Tree_BodyA
	ok := &Tree_BodyB{}
	for _, v := range []Tree{
		{One: a}, {One: (*Tree_BodyB)(nil)}, {}, {One: ok, May: a}, {One: ok, Null: jsonrt.Some[Tree_Body](a)}, {One: ok, Null: jsonrt.Some[Tree_Body](nil)},
		{One: ok, List: []Tree_Body{ok, a}}, {One: ok, List: []Tree_Body{ok, nil}}, {One: ok, Map: map[string][]Tree_Body{"x/y~": {ok, ok, a}}},
		{One: ok, Pair: &Tree_Pair{Item0: a}}, {One: &Tree_BodyA{Next: a}}, {One: ok, AdditionalProperties: map[string]Tree_Body{"z": a}},
		{One: &Tree_BodyA{Opt: jsonrt.Some(Tree_Self{Self: jsonrt.Some[*Tree_Self](nil)})}},
	} {
		show(v)
		fmt.Println(v.Validate())
	}
	v := Tree{One: ok}
	v.Union.SetObject(a)
	show(v)
	v.Union.SetObject(&Tree_BodyA{Next: a})
	show(v)

	raw := func(names ...string) map[string]json.RawMessage {
		m := map[string]json.RawMessage{}
		for _, name := range names {
			m[name] = json.RawMessage("1")
		}
		return m
	}
	show(Extra{AdditionalProperties: raw("id")})
	show(Extra{AdditionalProperties: raw("other", "opt")})
	show(Extra{AdditionalProperties: raw("soft")})
	show(Extra{Soft: new(int64(2)), AdditionalProperties: raw("soft")})
	show(Extra{AdditionalProperties: raw("\xff", "\ufffd")})
	show(Extra{AdditionalProperties: raw("\xed\xa0\x80")})
	show(Extra{AdditionalProperties: map[string]json.RawMessage{"q\"": json.RawMessage("{")}})

	x := Inner_A{X: 1, Y: new(int64(2))}
	fmt.Println(json.Unmarshal([]byte("{\"x\":3,\"y\":\"\"}"), &x), json.Unmarshal([]byte("{\"y\":3}"), &x) != nil, x.X, *x.Y)
	l := Inner_L{{}}
	fmt.Println(json.Unmarshal([]byte("[[],[],1]"), &l), len(l))
	p := Inner_T{Item0: 4, Item1: "as it was"}
	fmt.Println(json.Unmarshal([]byte("[5]"), &p), p.Item0, p.Item1)
`
	require.Equal(t, strings.TrimLeft(`
"/one": a required value is nil
/one: a required value is nil
"/one": a required value is nil
/one: a required value is nil
"/one": a required value is nil
/one: a required value is nil
"/may": a required value is nil
/may: a required value is nil
"/null": a required value is nil
/null: a required value is nil
"/null": a required value is nil
/null: a required value is nil
"/list/1": a required value is nil
/list/1: a required value is nil
"/list/1": a required value is nil
/list/1: a required value is nil
"/map/x~1y~0/2": a required value is nil
/map/x~1y~0/2: a required value is nil
"/pair/0": a required value is nil
/pair/0: a required value is nil
"/one/next": a required value is nil
/one/next: a required value is nil
"/z": a required value is nil
/z: a required value is nil
"/one/opt/self": a required value is nil
/one/opt/self: a required value is nil
"/union": a required value is nil
"/union/next": a required value is nil
"/id": AdditionalProperties holds a member that has a field of its own; set the field instead
"/opt": AdditionalProperties holds a member that has a field of its own; set the field instead
{"id":"","soft":1}
"/soft": AdditionalProperties holds a member that has a field of its own; set the field instead
"/�": the member name "\xff" is not UTF-8
{"id":"","\ud800":1}
"/q\"": a json.RawMessage is not JSON: byte 1: the document ends inside the object that starts at byte 0: expected a member name in double quotes or '}' after '{'
/y: must be integer true 1 2
/2: must be array 1
must have at least 2 items 4 as it was
`, "\n"), runMain(t, schemas, Options{}, statements))
}
