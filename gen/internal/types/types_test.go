package types

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDeclarations says which Go type a schema gives, in the words of Go.
func TestDeclarations(t *testing.T) {
	for name, test := range map[string]struct {
		schema string
		want   []string // declarations, without comments and tags
	}{
		"struct": {
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"boolean"},"d":{"type":"array","items":{"type":"string"}}},"required":["a","b"],"additionalProperties":false}`,
			[]string{"type T struct { A string; B int64; C *bool; D []string }"},
		},
		"open struct keeps what it does not know": {
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`,
			[]string{"type T struct { A *string; AdditionalProperties map[string]int64 }"},
		},
		"null, absent and zero": {
			`{"type":"object","properties":{"o":{"type":"string"},"r":{"type":["string","null"]},"b":{"type":["string","null"]},"n":{"type":"null"}},"required":["r"],"additionalProperties":false}`,
			[]string{"type T struct { O *string; R *string; B jsonrt.Optional[string]; N *jsonrt.NullValue }"},
		},
		"a zero value that is never valid stands for absent": {
			`{"type":"object","properties":{"s":{"type":"string","minLength":1},"e":{"enum":["a","b"]},"f":{"enum":["a",""]}},"additionalProperties":false}`,
			[]string{"type T struct { S string; E T_E; F *T_F }", "type T_E string", "type T_F string"},
		},
		"integers as wide as the schema says": {
			`{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":18446744073709551615},"b":{"type":"integer","maximum":1e20},"c":{"type":"integer"},"d":{"type":"integer","minimum":-1,"maximum":9223372036854775808}},"required":["a","b","c","d"],"additionalProperties":false}`,
			[]string{"type T struct { A uint64; B json.Number; C int64; D json.Number }"},
		},
		"definitions": {
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/item"},"b":{"type":"array","items":{"$ref":"#/$defs/item"}},"c":{"description":"only a comment","$ref":"#/$defs/item"}},"required":["a"],"additionalProperties":false,
			"$defs":{"item":{"type":"object","properties":{"x":{"type":"string"},"next":{"$ref":"#/$defs/item"}},"required":["x"],"additionalProperties":false}}}`,
			[]string{"type T struct { A T_Item; B []T_Item; C *T_Item }", "type T_Item struct { X string; Next *T_Item }"},
		},
		"required recursion": {
			`{"type":"object","properties":{"self":{"$ref":"#"}},"required":["self"],"additionalProperties":false}`,
			[]string{"type T struct { Self *T }"},
		},
		"allOf": {
			`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"integer"}}}]}`,
			[]string{"type T struct { A string; B *int64; AdditionalProperties map[string]json.RawMessage }"},
		},
		"a contradiction is a type that nothing fits": {
			`{"type":"object","allOf":[{"properties":{"v":{"type":"object"}}},{"properties":{"v":{"type":"string"}}}],"properties":{"w":{"type":"string"}},"additionalProperties":true}`,
			[]string{"type T struct { W *string; AdditionalProperties map[string]json.RawMessage }"},
		},
		"lists of lists":           {`{"type":"array","items":{"type":"array","items":{"type":["integer","null"]}}}`, []string{"type T [][]*int64"}},
		"a list that holds itself": {`{"type":"array","items":{"$ref":"#"}}`, []string{"type T []T"}},
		"a map that holds itself":  {`{"type":"object","additionalProperties":{"$ref":"#"}}`, []string{"type T map[string]T"}},
		"true":                     {`true`, []string{"type T struct { Value json.RawMessage }"}},
		"empty":                    {`{}`, []string{"type T struct { Value json.RawMessage }"}},
		"string":                   {`{"type":"string"}`, []string{"type T string"}},
		"enum":                     {`{"enum":["a","b"]}`, []string{"type T string"}},
		"object or null":           {`{"type":["object","null"],"properties":{"a":{"type":"string"}},"additionalProperties":false}`, []string{"type T struct { Value *T_Object }", "type T_Object struct { A *string }"}},
		"null":                     {`{"type":"null"}`, []string{"type T struct { Value jsonrt.NullValue }"}},
		"several types":            {`{"type":"object","properties":{"v":{"type":["string","object"]}},"additionalProperties":false}`, []string{"type T struct { V T_V }", "type T_V struct { jsonrt.Union }"}},
		"no type but properties":   {`{"properties":{"v":{"type":"string"}}}`, []string{"type T struct { jsonrt.Union }", "type T_Object struct { V *string; AdditionalProperties map[string]json.RawMessage }"}},
		"a union that a member tells apart": {
			`{"oneOf":[{"$ref":"#/$defs/a"},{"type":"object","properties":{"kind":{"enum":["b","c"]},"n":{"type":"integer"}},"required":["kind"],"additionalProperties":false}],
			"$defs":{"a":{"type":"object","properties":{"kind":{"const":"a"},"s":{"type":"string"}},"required":["kind"],"additionalProperties":false}}}`,
			[]string{"type T struct { Value T_Variant }", "type T_Variant interface { json.Marshaler; isT_Variant(); encode(e *jsonrt.Encoder) }", "type T_BC struct { Kind T_BCKind; N *int64 }", "type T_BCKind string", "type T_A struct { Kind string; S *string }"},
		},
		"what holds for all variants is in each": {
			`{"type":"object","properties":{"id":{"type":"string"},"kind":{"enum":["a","b"]}},"required":["id","kind"],
			"oneOf":[{"properties":{"kind":{"const":"a"},"s":{"type":"string"}}},{"properties":{"kind":{"const":"b"},"n":{"type":"integer"}}}]}`,
			[]string{
				"type T struct { Value T_Variant }", "type T_Variant interface { json.Marshaler; isT_Variant(); encode(e *jsonrt.Encoder) }",
				"type T_A struct { ID string; Kind T_Kind; S *string; AdditionalProperties map[string]json.RawMessage }",
				"type T_B struct { ID string; Kind T_Kind; N *int64; AdditionalProperties map[string]json.RawMessage }", "type T_Kind string",
			},
		},
		"a nullable union":                  {`{"type":"object","properties":{"v":{"anyOf":[{"type":"null"},{"type":"string"},{"type":"array","items":{"type":"string"}}]}},"required":["v"],"additionalProperties":false}`, []string{"type T struct { V T_V }", "type T_V struct { jsonrt.Union }"}},
		"a nullable reference":              {`{"type":"object","properties":{"v":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/a"}]}},"required":["v"],"additionalProperties":false,"$defs":{"a":{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}}}`, []string{"type T struct { V *T_A }", "type T_A struct { X *string }"}},
		"constants as branches are an enum": {`{"type":"object","properties":{"v":{"oneOf":[{"const":"a","description":"first"},{"const":"b"}]}},"additionalProperties":false}`, []string{"type T struct { V T_V }", "type T_V string"}},
		"objects that nothing tells apart": {
			`{"type":"object","properties":{"v":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}]}},"additionalProperties":false,
			"$defs":{"a":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"],"additionalProperties":false},"b":{"type":"object","properties":{"y":{"type":"string"}},"required":["y"],"additionalProperties":false}}}`,
			[]string{"type T struct { V T_V }", "type T_V struct { jsonrt.Union }", "type T_A struct { X string }", "type T_B struct { Y string }"},
		},
		"members that only branches declare": {
			`{"properties":{"a":{"type":"string"}},"if":{"properties":{"a":{"const":"x"}}},"then":{"properties":{"b":{"type":"integer"}}},"dependentSchemas":{"a":{"properties":{"c":{"type":"array","items":{"type":"string"}}}}}}`,
			[]string{"type T struct { jsonrt.Union }", "type T_Object struct { A *string; B *int64; C []string; AdditionalProperties map[string]json.RawMessage }"},
		},
		"tuples": {
			`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"},{"type":["boolean","null"]}],"minItems":1,"items":{"type":"number"}}`,
			[]string{"type T struct { Item0 string; Item1 *int64; Item2 jsonrt.Optional[bool]; Rest []float64 }"},
		},
		"a pair of one type is a list": {`{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false}`, []string{"type T []float64"}},
		"properties without type, among others": {
			`{"type":"object","properties":{"v":{"properties":{"x":{"type":"string"}}}},"required":["v"],"additionalProperties":false}`,
			[]string{"type T struct { V *T_V; AdditionalProperties map[string]json.RawMessage }", "type T_V struct { X *string; AdditionalProperties map[string]json.RawMessage }"},
		},
		"names that the schema asks for": {
			`{"type":"object","properties":{"a":{"type":"string","x-go-name":"First"},"b":{"$ref":"#/$defs/c"},"d":{"type":"object","properties":{"e":{"type":"string"}},"additionalProperties":false,"x-go-name":"Dee"}},"additionalProperties":false,
			"$defs":{"c":{"type":"object","properties":{"x":{"enum":["p","q"],"x-go-name":"Why"}},"additionalProperties":false,"x-go-name":"Sea"}}}`,
			[]string{"type T struct { First *string; B *T_Sea; Dee *T_Dee }", "type T_Dee struct { E *string }", "type T_Sea struct { Why T_SeaWhy }", "type T_SeaWhy string"},
		},
		"a definition keeps its name": {
			`{"type":"object","properties":{"step":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false},"list":{"type":"array","items":{"$ref":"#/$defs/step"}}},"additionalProperties":false,
			"$defs":{"step":{"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":false}}}`,
			[]string{"type T struct { Step *T_StepObject; List []T_Step }", "type T_StepObject struct { A *string }", "type T_Step struct { B *string }"},
		},
		"a path that spells a definition (G2)": {
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/foo"},"b":{"$ref":"#/$defs/foo_bar"}},"additionalProperties":false,
			"$defs":{"foo":{"type":"object","properties":{"bar":{"type":"object","properties":{"baz":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false},
			"foo_bar":{"type":"object","properties":{"value":{"type":"string"}},"additionalProperties":false}}}`,
			[]string{"type T struct { A *T_Foo; B *T_FooBar }", "type T_Foo struct { Bar *T_FooBarObject }", "type T_FooBarObject struct { Baz *string }", "type T_FooBar struct { Value *string }"},
		},
		"a union at a path that spells a definition (G3)": {
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/Foo"}},"additionalProperties":false,
			"$defs":{"Foo":{"type":"object","properties":{"Bar":{"oneOf":[{"$ref":"#/$defs/FooBar"},{"$ref":"#/$defs/Baz"}]}},"additionalProperties":false},"FooBar":{"type":"string"},"Baz":{"type":"integer"}}}`,
			[]string{"type T struct { A *T_Foo }", "type T_Foo struct { Bar T_FooBar }", "type T_FooBar struct { jsonrt.Union }"},
		},
		"definitions named like packages and predeclared types (G5)": {
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/string"},"b":{"$ref":"#/$defs/error"},"c":{"$ref":"#/$defs/json"},"d":{"$ref":"#/$defs/jsonrt"}},"additionalProperties":true,
			"$defs":{"string":{"type":"object","properties":{"x":true}},"error":{"enum":["a","b"]},"json":{"type":"array","items":{"$ref":"#/$defs/json"}},"jsonrt":{"type":["string","integer"]}}}`,
			[]string{"type T struct { A *T_String; B T_Error; C T_JSON; D T_Jsonrt; AdditionalProperties map[string]json.RawMessage }", "type T_String struct { X json.RawMessage; AdditionalProperties map[string]json.RawMessage }", "type T_Error string", "type T_JSON []T_JSON", "type T_Jsonrt struct { jsonrt.Union }"},
		},
		"an enum of many kinds (G8)": {`{"enum":["1",1,null,true,1.5]}`, []string{"type T struct { jsonrt.Union }"}},
		"seven levels (G25)": {
			`{"type":"object","additionalProperties":false,"properties":{"one":{"type":"object","additionalProperties":false,"properties":{"two":{"type":"object","additionalProperties":false,"properties":{"three":{"type":"object","additionalProperties":false,
			"properties":{"four":{"type":"object","additionalProperties":false,"properties":{"five":{"type":"object","additionalProperties":false,"properties":{"six":{"type":"object","additionalProperties":false,"properties":{"seven":{"type":"object","additionalProperties":false,"properties":{"x":{"type":"string"}}}}}}}}}}}}}}}}}`,
			[]string{
				"type T struct { One *T_One }", "type T_One struct { Two *T_OneTwo }", "type T_OneTwo struct { Three *T_OneTwoThree }", "type T_OneTwoThree struct { Four *T_TwoThreeFour }", "type T_TwoThreeFour struct { Five *T_ThreeFourFive }",
				"type T_ThreeFourFive struct { Six *T_FourFiveSix }", "type T_FourFiveSix struct { Seven *T_FiveSixSeven }", "type T_FiveSixSeven struct { X *string }",
			},
		},
		"two unions of one place": {
			`{"type":"object","properties":{"v":{"type":["string","object","array"],"items":{"type":"string"},"properties":{"a":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}`,
			[]string{"type T struct { V T_V }", "type T_V struct { jsonrt.Union }", "type T_VObject struct { A *string }"},
		},
		"names of Go and methods":   {`{"type":"object","properties":{"type":{"type":"string"},"func":{"type":"string"},"error":{"type":"string"},"validate":{"type":"string"},"unmarshalJSON":{"type":"string"},"additionalProperties":{"type":"string"}},"additionalProperties":false}`, []string{"type T struct { Type *string; Func *string; Error *string; ValidateMember *string; UnmarshalJSONMember *string; AdditionalPropertiesMember *string }"}},
		"several keys, one Go name": {`{"type":"object","properties":{"foo-bar":{"type":"string"},"foo_bar":{"type":"string"},"fooBar":{"type":"string"},"+1":{"type":"integer"},"-1":{"type":"integer"}},"additionalProperties":false}`, []string{"type T struct { FooDashBar *string; FooUnderscoreBar *string; FooBar *string; Plus1 *int64; Minus1 *int64 }"}},
	} {
		t.Run(name, func(t *testing.T) {
			files, roots := compile(t, map[string]string{"t.json": test.schema}, Options{})
			require.Equal(t, map[string]string{"t": "T"}, roots)
			require.Equal(t, test.want, declarations(t, files["t_types.go"]))
		})
	}
}

// declarations are the type declarations of a file, each on one line.
func declarations(tb testing.TB, source []byte) []string {
	tb.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	require.NoError(tb, err)
	text := func(n ast.Node) string {
		return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
	}
	var list []string
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		spec := gen.Specs[0].(*ast.TypeSpec)
		assign := " "
		if spec.Assign != token.NoPos {
			assign = " = "
		}
		line := "type " + spec.Name.Name + assign
		if s, ok := spec.Type.(*ast.StructType); ok {
			var fields []string
			for _, f := range s.Fields.List {
				name := ""
				if len(f.Names) > 0 {
					name = f.Names[0].Name + " "
				}
				if name == "order " {
					continue // unexported, beside every AdditionalProperties
				}
				fields = append(fields, name+text(f.Type))
			}
			line += "struct { " + strings.Join(fields, "; ") + " }"
		} else {
			line += strings.NewReplacer("interface {\n\t", "interface { ", "\n\t", "; ", "\n}", " }").Replace(text(spec.Type))
		}
		list = append(list, line)
	}
	return list
}

// TestRoundTrip decodes documents and encodes them again, with the real checks, in one
// program.
func TestRoundTrip(t *testing.T) {
	schemas := map[string]string{
		"museum.json": `{"type":"object","properties":{"":{"type":"string"},"1st":{"type":"string"},"日本":{"type":"string"},"x y":{"type":"string"},"a,b":{"type":"string"},
			"quo\"te":{"type":"string"},"tick` + "`" + `":{"type":"string"},"back\\slash":{"type":"string"},"-":{"type":"string"},"\ud800":{"type":"string"},"type":{"type":"string"}},"additionalProperties":false}`,
		"states.json":        `{"type":"object","properties":{"o":{"type":"string"},"r":{"type":["string","null"]},"b":{"type":["string","null"]},"l":{"type":"array"},"m":{"type":["object","null"]}},"required":["r"]}`,
		"numbers.json":       `{"type":"object","properties":{"i":{"type":"integer"},"u":{"type":"integer","minimum":0,"maximum":18446744073709551615},"b":{"type":"integer","maximum":1e30},"n":{"type":"number"}}}`,
		"extra.json":         `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":{"type":"integer"}}`,
		"tree.json":          `{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#"}}},"required":["v"],"additionalProperties":false}`,
		"lists.json":         `{"type":"array","items":{"type":"array","items":{"type":["integer","null"]}}}`,
		"any.json":           `true`,
		"maybe.json":         `{"type":["object","null"],"properties":{"a":{"type":"string"}},"additionalProperties":false}`,
		"word.json":          `{"type":"string"}`,
		"hall.json":          `{"type":"array","items":{"$ref":"#"}}`,
		"registry.json":      `{"enum":["a","b"]}`,
		"validate_word.json": `{"type":"string"}`,
		"decode_word.json":   `{"type":"boolean"}`,
		"über v1.json":       `{"type":"integer"}`,
		"a b.json":           `{"type":["integer","null"]}`,
		"__proto__.json":     `{"type":"null"}`,
		"x_test.json":        `{"type":"number"}`,
		"report_linux.json":  `{"$ref":"common/money.json#/$defs/amount"}`,
		"type.json":          `{"type":"object","properties":{"price":{"$ref":"common/money.json#/$defs/amount"},"list":{"type":"array","items":{"$ref":"common/money.json#/$defs/amount"}}}}`,
		"common/money.json":  `{"$defs":{"amount":{"type":"object","properties":{"currency":{"enum":["EUR","USD"]},"value":{"type":"number"}},"required":["currency","value"],"additionalProperties":false}}}`,
		"next.json":          `{"type":["object","null"],"properties":{"next":{"$ref":"#"}}}`,
		"pydantic.json":      `{"$defs":{"Node":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}],"default":null},"twin":{"$ref":"#/$defs/Node"}}}},"$ref":"#/$defs/Node"}`,
		"mutual.json":        `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":["object","null"],"properties":{"b":{"$ref":"#/$defs/b"}}},"b":{"type":["array","null"],"prefixItems":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"},true],"minItems":1}}}`,
		"extension.json":     `{"type":"object","patternProperties":{"^x-":{"$ref":"#/$defs/ext"}},"$defs":{"ext":true}}`,
		"inert.json":         `{"description":"*/ panic(1)\n//go:build ignore\n//go:embed x\n+build ignore\n` + "`" + `\u2028// \u202e reversed\u0000","type":"object","properties":{"a":{"type":"string","description":"*/\n//go:build ignore\n//line x.go:1"}}}`,
	}
	exact := []document{
		{"numbers", `{"i":1.0,"u":18446744073709551615,"b":1000000000000000000000000000000,"n":1.10}`},
		{"numbers", `{"i":-9223372036854775808,"u":1e19,"b":-5e100,"n":1e400}`},
		{"numbers", `{"i":9223372036854775808,"n":0.1234567890123456789,"u":-0,"b":10e-1}`},
		{"numbers", `{"i":1e10000000,"n":9007199254740993}`},
	}
	documents := []document{
		{"museum", `{}`},
		{"museum", `{"":"a","1st":"b","日本":"c","x y":"d","a,b":"e","quo\"te":"f","tick` + "`" + `":"g","back\\slash":"h","-":"i","\ud800":"\udfff","type":"k"}`},
		{"states", `{"r":null}`},
		{"states", `{"r":"","o":"","b":""}`},
		{"states", `{"r":"x","b":null}`},
		{"states", `{"r":"x","l":[],"m":{},"x":null}`},
		{"states", `{"r":"x","m":null,"R":1,"O":"case is no accident"}`},
		{"numbers", `{"i":1.0,"u":18446744073709551615,"b":1000000000000000000000000000000,"n":1.10}`},
		{"numbers", `{"i":-9223372036854775808,"u":1e19,"b":-5e100,"n":1e300}`},
		{"numbers", `{"i":9223372036854775807,"n":0.1234567890123456,"u":-0,"b":10e-1}`},
		{"numbers", `{"i":9223372036854775807,"n":100000000000000000000000}`},
		{"extra", `{"id":"a","n":1}`},
		{"tree", `{"v":1,"kids":[{"v":2},{"v":3,"kids":[]}]}`},
		{"lists", `[[1,null],[]]`},
		{"any", `null`},
		{"any", `[1.0,"\u0041",{"b":1,"a":2}]`},
		{"maybe", `null`},
		{"maybe", `{}`},
		{"maybe", `{"a":"x"}`},
		{"word", `"\ud83d\ude00 \ud83d <&>\u2028"`},
		{"hall", `[[],[[]]]`},
		{"registry", `"b"`},
		{"validate_word", `"x"`},
		{"decode_word", `true`},
		{"über v1", `3`},
		{"a b", `null`},
		{"a b", `4`},
		{"__proto__", `null`},
		{"x_test", `2.50`},
		{"report_linux", `{"currency":"EUR","value":19.99}`},
		{"type", `{"price":{"currency":"USD","value":0},"list":[{"currency":"EUR","value":1e2}]}`},
		{"next", `null`},
		{"next", `{"next":{"next":null}}`},
		{"pydantic", `{"twin":{"next":null},"next":{"next":{},"twin":{}}}`},
		{"mutual", `{"a":{"b":[{"b":[null,null]},[{},[null],1]]}}`},
		{"extension", `{"x-a":null,"x-b":{"c":1}}`},
		{"inert", `{"a":"` + strings.Repeat("é", 20_000) + `"}`},
	}
	comeBack := func(program string, documents []document) {
		for i, a := range ask(t, program, documents) {
			d := documents[i]
			require.Empty(t, a.Error, "%s: %s", d.id, d.text)
			require.True(t, equalJSON(t, d.text, a.Encoded), "%s: %s comes back as %s", d.id, d.text, a.Encoded)
		}
	}
	files, roots := compile(t, schemas, Options{ExactNumbers: true})
	files["driver.go"] = driver(roots)
	comeBack(build(t, files), append(documents, exact...))
	files, roots = compile(t, schemas, Options{})
	files["driver.go"] = driver(roots)
	program := build(t, files)
	comeBack(program, documents)

	refused := []struct {
		document
		want string
	}{
		{document{"numbers", `{"i":9223372036854775808}`}, "/i: does not fit int64"},
		{document{"numbers", `{"i":1e10000000}`}, "/i: does not fit int64"},
		{document{"numbers", `{"n":1e400}`}, "/n: does not fit float64"},
		{document{"numbers", `{"n":9007199254740993}`}, "/n: does not fit float64, which would round the integer"},
		{document{"tree", `{"v":1,"kids":[{"v":-9223372036854775809}]}`}, "/kids/0/v: does not fit int64"},
		{document{"extra", `{"id":"a","n":"x"}`}, "/n: must be integer"},
		{document{"museum", `{"Type":"x"}`}, `/Type: is not allowed here; did you mean "type"?`},
		{document{"extra", `{"id":"a","id":"b"}`}, "/id: this member name is repeated; keep one of the two"},
	}
	for _, r := range refused {
		require.Equal(t, r.want, ask(t, program, []document{r.document})[0].Error, "%s: %s", r.id, r.text)
	}
	for name, text := range files {
		for line := range strings.SplitSeq(string(text), "\n") {
			require.NotRegexp(t, `^\s*//(go:|line )`, line, name)
		}
	}
}

// TestOverrideFaults says which x-go-name is refused, and why.
func TestOverrideFaults(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"string","x-go-name":"lower"}}}`:                                  `t.json:1:65: /properties/a/x-go-name: x-go-name "lower" must be an exported Go identifier without underscores`,
		`{"type":"object","properties":{"a":{"type":"string","x-go-name":7}}}`:                                        `t.json:1:65: /properties/a/x-go-name: x-go-name 7 must be an exported Go identifier without underscores`,
		`{"type":"object","properties":{"a":{"type":"string","x-go-name":"B"},"b":{"type":"string"}}}`:                `t.json:1:65: /properties/a/x-go-name: x-go-name "B" clashes with the field of another member`,
		`{"type":"object","properties":{"a":{"type":"string","x-go-name":"Validate"}}}`:                               `t.json:1:65: /properties/a/x-go-name: x-go-name "Validate" clashes with another field or a method of the struct`,
		`{"type":"object","properties":{"a":{"type":"string","x-go-name":"SchemaID"}}}`:                               `t.json:1:65: /properties/a/x-go-name: x-go-name "SchemaID" clashes with another field or a method of the struct`,
		`{"type":"object","properties":{"a":{"type":"string"}},"x-go-name":"Tee"}`:                                    `t.json:1:67: /x-go-name: x-go-name "Tee" has no effect: the name of a message type comes from the name of its file`,
		`{"type":"array","items":{"type":"string","x-go-name":"Word"}}`:                                               `t.json:1:54: /items/x-go-name: x-go-name "Word" has no effect: the schema gives neither a field nor a type of its own`,
		`{"type":"string","$defs":{"a":{"type":"object","properties":{"x":{"type":"string"}},"x-go-name":"Unused"}}}`: `t.json:1:97: /$defs/a/x-go-name: x-go-name "Unused" has no effect: the schema gives neither a field nor a type of its own`,
		`{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}]},"$defs":{"a":{"type":"object","properties":{"x":{"type":"string"}},"x-go-name":"B"},"b":{"type":"object","properties":{"y":{"type":"string"}}}}}`: `t.json:1:158: /$defs/a/x-go-name: x-go-name "B" clashes with the name of another type`,
	} {
		_, _, faults := Render(factsOf(t, map[string]string{"t.json": schema}), Options{Package: "p"})
		require.Len(t, faults, 1, schema)
		_, fault, _ := strings.Cut(faults[0].String(), "/t.json")
		require.Equal(t, want, "t.json"+fault)
	}
}

// TestOtherSchemas: the file of a message does not depend on what other messages there are,
// nor on the order of properties, apart from the order of fields.
func TestOtherSchemas(t *testing.T) {
	schemas := map[string]string{
		"foo.json":          `{"type":"object","properties":{"bar":{"type":"object","properties":{"x":{"type":"string"}}},"kind":{"enum":["a","b"]}}}`,
		"foo_bar.json":      `{"type":"object","properties":{"foo":{"$ref":"foo.json"},"m":{"$ref":"lib/m.json#/$defs/m"}}}`,
		"foo bar kind.json": `{"oneOf":[{"$ref":"foo.json"},{"type":"null"}]}`,
		"lib/m.json":        `{"$defs":{"m":{"type":"object","properties":{"kind":{"enum":["c","d"]}}}}}`,
		"tree.json":         `{"$dynamicAnchor":"node","type":"object","properties":{"kids":{"type":"array","items":{"$dynamicRef":"#node"}}}}`,
		"other tree.json":   `{"$dynamicAnchor":"node","type":"object","properties":{"x":{"type":"string"},"sub":{"$dynamicRef":"#node"}}}`,
	}
	all := render(t, schemas)
	for name := range schemas {
		for file, text := range render(t, map[string]string{name: schemas[name], "foo.json": schemas["foo.json"], "lib/m.json": schemas["lib/m.json"]}) {
			require.Equal(t, string(text), string(all[file]), "%s beside others", file)
		}
	}
	one, _ := compile(t, map[string]string{"t.json": `{"type":"object","properties":{"foo-bar":{"type":"string"},"fooBar":{"type":"integer"},"foo_bar":{"type":"boolean"}},"additionalProperties":false}`}, Options{})
	two, _ := compile(t, map[string]string{"t.json": `{"type":"object","properties":{"foo_bar":{"type":"boolean"},"fooBar":{"type":"integer"},"foo-bar":{"type":"string"}},"additionalProperties":false}`}, Options{})
	require.Equal(t, []string{"type T struct { FooDashBar *string; FooBar *int64; FooUnderscoreBar *bool }"}, declarations(t, one["t_types.go"]))
	require.Equal(t, []string{"type T struct { FooUnderscoreBar *bool; FooBar *int64; FooDashBar *string }"}, declarations(t, two["t_types.go"]))
}

// render gives the files of the types alone.
func render(tb testing.TB, schemas map[string]string) map[string][]byte {
	tb.Helper()
	files, _, faults := Render(factsOf(tb, schemas), Options{Package: "p"})
	require.Empty(tb, faults)
	return files
}

// TestLeadingBack: schemas that lead back to themselves without going down into the value
// have types too, whatever the validator makes of them.
func TestLeadingBack(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","anyOf":[{"$ref":"#"},{"properties":{"a":{"type":"string"}},"additionalProperties":false}]}`,
		`{"type":"array","oneOf":[{"$ref":"#"},{"items":{"type":"string"}}]}`,
		`{"type":"string","oneOf":[{"$ref":"#"},{"enum":["a","b"]}]}`,
		`{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#"},{"$ref":"#/$defs/a"}]}}}`,
		`{"type":"object","properties":{"k":{"const":"x"}},"required":["k"],"oneOf":[{"$ref":"#"},{"properties":{"k":{"const":"y"}}}]}`,
	} {
		require.Len(t, render(t, map[string]string{"t.json": schema}), 1, schema)
	}
}
