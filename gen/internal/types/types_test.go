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
			[]string{"type T interface { json.Marshaler; isT(); encode(e *jsonrt.Encoder) }", "type T_BC struct { Kind T_BCKind; N *int64 }", "type T_BCKind string", "type T_A struct { Kind string; S *string }"},
		},
		"what holds for all variants is in each": {
			`{"type":"object","properties":{"id":{"type":"string"},"kind":{"enum":["a","b"]}},"required":["id","kind"],
			"oneOf":[{"properties":{"kind":{"const":"a"},"s":{"type":"string"}}},{"properties":{"kind":{"const":"b"},"n":{"type":"integer"}}}]}`,
			[]string{
				"type T interface { json.Marshaler; isT(); encode(e *jsonrt.Encoder) }",
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
