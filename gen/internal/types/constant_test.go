package types

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// runMain compiles schemas with a program that has the given statements in its func main.
func runMain(tb testing.TB, schemas map[string]string, o Options, statements string) string {
	tb.Helper()
	files, _ := compile(tb, schemas, o)
	files["main.go"] = []byte(`package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// show prints what becomes of a value, or the place and the reason where nothing does.
func show(v json.Marshaler) {
	data, err := json.Marshal(v)
	var at *jsonrt.EncodeError
	switch {
	case errors.As(err, &at):
		fmt.Printf("%q: %v\n", at.Path, at.Err)
		data, err = nil, nil
	case err != nil:
		panic(err)
	}
	if v, ok := v.(interface{ Validate() error }); ok && data != nil {
		err = v.Validate()
	}
	if err != nil {
		fmt.Println("INVALID", err)
	}
	if data != nil {
		fmt.Println(string(data))
	}
}

func main() {
` + statements + `
}
`)
	return string(run(tb, build(tb, files), &bytes.Buffer{}))
}

// TestConstants: a value made in Go has its constants without a word about them, of whatever
// type, required or not; what was decoded without one stays so; what contradicts is an error.
func TestConstants(t *testing.T) {
	schemas := map[string]string{
		"all.json": `{"type":"object","additionalProperties":false,"required":["t","f","n","z","x","d","s","e","a","o"],"properties":{
			"t":{"const":true},"f":{"const":false},"n":{"const":-7},"z":{"const":0},"x":{"const":null},"d":{"const":1.50},"s":{"const":"c\"é"},
			"e":{"type":"string","enum":["only"]},"a":{"const":[1,"b"]},"o":{"allOf":[{"const":{"k":[]}},{"type":"object"}]}}}`,
		"may.json": `{"type":"object","additionalProperties":false,"properties":{
			"t":{"const":true},"f":{"const":false},"n":{"const":-7},"z":{"const":0},"x":{"const":null},"d":{"const":1.50},"s":{"const":"c\"é"},
			"e":{"type":"string","enum":["only"]},"a":{"const":[1,"b"]},"o":{"allOf":[{"const":{"k":[]}},{"type":"object"}]},"free":{"type":"string"}}}`,
		"in.json":   `{"type":"object","additionalProperties":false,"properties":{"l":{"type":"array","items":{"const":3}},"m":{"type":"object","additionalProperties":{"const":true}},"p":{"prefixItems":[{"const":"v1"},{"type":"integer"}],"type":"array","minItems":2,"items":false},"q":{"anyOf":[{"const":"w"},{"type":"null"}]},"u":{"enum":["k",2]}},"required":["q"]}`,
		"soft.json": `{"type":"object","properties":{"a":{"type":"integer"}},"if":{"required":["a"]},"then":{"properties":{"kind":{"const":"has"}}}}`,
		"event.json": `{"type":"object","required":["kind"],"oneOf":[{"$ref":"#/$defs/create"},{"$ref":"#/$defs/drop"}],"$defs":{
			"create":{"type":"object","properties":{"kind":{"const":"create","default":"create"},"v":{"const":2,"default":2}}},"drop":{"type":"object","properties":{"kind":{"const":"drop","default":"drop"}}}}}`,
		"answer.json": `{"oneOf":[{"type":"object","properties":{"ok":{"const":true},"value":{"type":"string"}},"required":["ok","value"]},{"type":"object","properties":{"ok":{"const":false},"error":{"type":"string"}},"required":["ok","error"]}]}`,
	}
	const statements = `
	show(All{})
	show(All{T: true, N: -7, D: 1.5, S: "c\"é", E: "only", A: json.RawMessage("[ 1.0, \"\\u0062\" ]"), O: json.RawMessage("{\"k\":[]}")})
	for _, bad := range []All{{F: true}, {N: 7}, {Z: 1}, {D: 1.25}, {S: "c"}, {E: "other"}, {A: json.RawMessage("[]")}, {O: json.RawMessage("{\"k\":[],\"k\":[]}")}} {
		show(bad)
	}
	show(May{})
	yes, seven := true, int64(7)
	show(May{F: &yes})
	show(May{N: &seven})
	show(May{T: new(false)})
	show(May{N: new(int64(0))})
	show(May{S: "c"})
	read := May{N: &seven, Free: new("as it was")}
	fmt.Println(json.Unmarshal([]byte("{\"n\":7}"), &read) != nil, *read.N, *read.Free)
	fmt.Println(json.Unmarshal([]byte("{\"n\":-7.0,\"free\":\"\"}"), &read))
	show(read)
	read.S = "c\"é"
	show(read)

	show(In{L: []int64{0, 3}, M: map[string]bool{"a": false}, P: &In_P{Item1: 5}})
	w := "w"
	in := In{Q: &w}
	in.U.SetString("")
	show(in)
	show(In{L: []int64{3, 4}})
	show(In{Q: new("")})
	show(In{P: &In_P{Item0: "v2"}})
	in.U.SetInt64(3)
	show(in)
	show(Soft{})
	soft := Soft{Kind: "else"}
	show(soft)

	show(&Event_Create{})
	show(&Event_Drop{})
	show(Answer{Value: &Answer_WithOkValue{Value: "v"}})
	show(Answer{Value: &Answer_WithOkError{}})
`
	require.Equal(t, strings.TrimLeft(`
{"t":true,"f":false,"n":-7,"z":0,"x":null,"d":1.50,"s":"c\"é","e":"only","a":[1,"b"],"o":{"k":[]}}
{"t":true,"f":false,"n":-7,"z":0,"x":null,"d":1.50,"s":"c\"é","e":"only","a":[1,"b"],"o":{"k":[]}}
"/f": must be the constant false; a value that is not set stands for it
"/n": must be the constant -7; a value that is not set stands for it
"/z": must be the constant 0; a value that is not set stands for it
"/d": must be the constant 1.50; a value that is not set stands for it
"/s": must be the constant "c\"é"; a value that is not set stands for it
"/e": must be the constant "only"; a value that is not set stands for it
"/a": must be the constant [1,"b"]; a value that is not set stands for it
"/o": must be the constant {"k":[]}; a value that is not set stands for it
{"t":true,"f":false,"n":-7,"z":0,"x":null,"d":1.50,"s":"c\"é","e":"only","a":[1,"b"],"o":{"k":[]}}
"/f": must be the constant false; a value that is not set stands for it
"/n": must be the constant -7; a value that is not set stands for it
"/t": must be the constant true; a value that is not set stands for it
"/n": must be the constant -7; a value that is not set stands for it
"/s": must be the constant "c\"é"; a value that is not set stands for it
true 7 as it was
<nil>
{"n":-7,"free":""}
{"n":-7,"s":"c\"é","free":""}
{"l":[3,3],"m":{"a":true},"p":["v1",5],"q":null}
{"q":"w","u":"k"}
"/l/1": must be the constant 3; a value that is not set stands for it
"/q": must be the constant "w"; a value that is not set stands for it
"/p/0": must be the constant "v1"; a value that is not set stands for it
"/u": must be the constant 2; a value that is not set stands for it
{}
{"kind":"else"}
{"kind":"create","v":2}
{"kind":"drop"}
{"ok":true,"value":"v"}
{"ok":false,"error":""}
`, "\n"), runMain(t, schemas, Options{}, statements))
}

// made makes schemas of objects whose zero value in Go is valid: constants of every kind,
// required or not, said in one place or in several, among members that need nothing.
func made(r *rand.Rand, depth int) dict {
	constants := []any{"a", "", "q\"\\é", true, false, nil, 0, 1, -1.5, 1e21, json.Number("1.0"), json.Number("-0"), json.Number("9007199254740993"), []any{}, []any{1, dict{}}, dict{}, dict{"k": "v"}}
	place := func() any {
		c := constants[r.IntN(len(constants))]
		switch n := r.IntN(12); {
		case n < 4:
			return dict{"const": c, "default": c}
		case n == 4:
			return dict{"enum": []any{c}}
		case n == 5:
			return dict{"allOf": []any{dict{"const": c}, dict{"description": "twice"}}}
		case n == 6:
			return dict{"$ref": "#/$defs/c", "title": "by reference"}
		case n == 7:
			return dict{"anyOf": []any{dict{"const": c}, dict{"type": "null"}}}
		case n == 8 && depth > 0:
			return dict{"type": "array", "items": made(r, depth-1)}
		case n == 9 && depth > 0:
			return dict{"type": "array", "prefixItems": []any{dict{"const": c}, made(r, depth-1), dict{"type": "integer"}}, "minItems": 3}
		case n == 10:
			return dict{"type": []string{"string", "integer", "boolean", "array"}[r.IntN(4)]}
		case depth > 0:
			return made(r, depth-1)
		}
		return dict{"type": "string", "enum": []any{"only"}}
	}
	properties, required := dict{}, []any{}
	for i := range 1 + r.IntN(6) {
		name := fmt.Sprint("m", i)
		properties[name] = place()
		if r.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	s := dict{"type": "object", "properties": properties, "required": required}
	if r.IntN(2) == 0 {
		s["additionalProperties"] = false
	}
	return s
}

// TestZeroValues: what Go code makes without setting anything is valid where its schema needs
// nothing but constants, and null where that is possible.
func TestZeroValues(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	schemas := map[string]string{}
	statements := ""
	for i := range 40 {
		s := made(r, 2)
		s["$defs"] = dict{"c": dict{"const": []any{true, "x", 3, nil}[i%4]}}
		text, err := json.Marshal(s)
		require.NoError(t, err)
		schemas[fmt.Sprintf("z%d.json", i)] = string(text)
		statements += fmt.Sprintf("\tif text, err := json.Marshal(Z%d{}); err != nil {\n\t\tfmt.Println(%d, err)\n\t} else if err := (Z%[1]d{}).Validate(); err != nil {\n\t\tfmt.Println(%[1]d, string(text), err)\n\t}\n", i, i)
	}
	for _, exact := range []bool{false, true} {
		require.Equal(t, "", runMain(t, schemas, Options{ExactNumbers: exact}, statements+"\t_ = jsonrt.NullValue{}\n"))
	}
}
