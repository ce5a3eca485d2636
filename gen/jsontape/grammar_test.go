package jsontape_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// accepted holds documents for every production of RFC 8259, sections 2 to 7.
var accepted = []string{
	// Section 2: white space, structure, any value at the top.
	`1`, " \t\r\n1\n\r\t ", `[]`, `{}`, `[ ]`, "{\n}", " [ 1 , 2 ] ", " { \"a\" : 1 , \"b\" : 2 } ", "[\t1\t]", "[\r1\r]",
	// Section 3: literals.
	`null`, `true`, `false`, `[null,true,false]`, ` null `, `{"a":null,"b":true,"c":false}`,
	// Section 4: objects. Names may be empty and may repeat.
	`{"":0}`, `{"a":1,"a":2}`, `{"a":{"b":{}}}`, `{"a":[],"b":[{}]}`, `{"\u0061":1}`,
	// Section 5: arrays.
	`[1]`, `[1,2]`, `[[]]`, `[[],[[]]]`, `[{},{"a":[]}]`,
	// Section 6: numbers.
	`0`, `-0`, `7`, `-7`, `10`, `1234567`, `12345678`, `123456789`, `1234567890123456`, `-98765432109876543210`, `0.0`, `0.5`, `-0.5`, `1.25`, `10.0123456789`,
	`1e1`, `1E1`, `1e+1`, `1e-1`, `0e0`, `0E+00`, `1e007`, `1.5e3`, `-1.5E-3`, `1e10000000`, `1e12345678901234567890`, "[" + strings.Repeat("9", 10_000) + "]",
	// Section 7: strings.
	`""`, `"a"`, `"1234567"`, `"12345678"`, `"123456789"`, `"\"\\\/\b\f\n\r\t"`, `"\u0000\u001F\uabCD\uFFFF"`, `"\ud83d\ude00"`, `"\ud800"`, `"\udc00\ud800"`, `"\ud800x"`, `"\ud800\n"`,
	"\"\x7f\"", `"é"`, `"€"`, `"😀"`, "\"\u2028\u2029\ufeff\ufffe\U0010ffff\"", `"/"`, `"1234567\n"`, `"12345678\n"`, `"😀12345678é12345678\"12345678"`, `"éa"`,
}

func TestAccepted(t *testing.T) {
	var tape jsontape.Tape
	for _, text := range accepted {
		// What comes after the value must not matter to how its last bytes are read.
		for _, tail := range []string{"", " ", "\n       ", strings.Repeat(" ", 20)} {
			data := []byte(text + tail)
			require.True(t, json.Valid(data), "%q is no example", text)
			require.NoError(t, jsontape.Valid(data), "%q", data)
			dirty(&tape)
			require.NoError(t, tape.Parse(data, jsontape.Options{}), "%q", data)
			require.Equal(t, referenceTokens(text, 1000), tokens(&tape), "%q", data)
		}
	}
}

// refused holds faults of the grammar. where is the offset.
var refused = []struct {
	text  string
	where int
	msg   string
}{
	{``, 0, `the document is empty: expected a value`},
	{" \n", 2, `the document is empty: expected a value`},
	{`]`, 0, `expected a value, found ']'`},
	{`}`, 0, `expected a value, found '}'`},
	{`,`, 0, `expected a value, found ','`},
	{`:`, 0, `expected a value, found ':'`},
	{`/`, 0, `expected a value, found '/'`},
	{`x`, 0, `expected a value, found 'x'`},
	{`'a'`, 0, `expected a value, found "'"`},
	{"\ufeff{}", 0, `expected a value, found a byte order mark`},
	{"\u00a01", 0, `expected a value, found U+00A0`},
	{"\x001", 0, `expected a value, found U+0000`},
	{"\v1", 0, `expected a value, found U+000B`},
	{"é", 0, `expected a value, found 'é'`},
	{`1 2`, 2, `expected the end of the document after its value, found '2'`},
	{"1\x00", 1, `expected the end of the document after its value, found U+0000`},
	{`{}{}`, 2, `expected the end of the document after its value, found '{'`},
	{`[]]`, 2, `expected the end of the document after its value, found ']'`},
	{`"a",`, 3, `expected the end of the document after its value, found ','`},

	{`tru`, 0, `expected a value, found "tru"`},
	{`trux`, 0, `expected a value, found "trux"`},
	{`True`, 0, `expected a value, found "True"`},
	{`t`, 0, `expected a value, found 't'`},
	{`fals`, 0, `expected a value, found "fals"`},
	{`falsy`, 0, `expected a value, found "falsy"`},
	{`nul`, 0, `expected a value, found "nul"`},
	{`nil`, 0, `expected a value, found "nil"`},
	{`undefined`, 0, `expected a value, found "undefined"`},
	{`[NaN]`, 1, `expected a value or ']' after '[', found "NaN"`},
	{`-Infinity`, 1, `expected a digit after '-' in a number, found "Infinity"`},
	{`[abcdefghijklmnopqrstuvwxyz]`, 1, `expected a value or ']' after '[', found "abcdefghijklmnopqrst"`},
	{`nulll`, 4, `expected the end of the document after its value, found 'l'`},
	{`[truefalse]`, 5, `expected ',' or ']' after an element, found "false"`},
	{`{"a":nullx}`, 9, `expected ',' or '}' after a member, found 'x'`},

	{`[`, 1, `the document ends inside the array that starts at byte 0: expected a value or ']' after '['`},
	{`[,1]`, 1, `expected a value or ']' after '[', found ','`},
	{`[}`, 1, `expected a value or ']' after '[', found '}'`},
	{`[1`, 2, `the document ends inside the array that starts at byte 0: expected ',' or ']' after an element`},
	{`[1 `, 3, `the document ends inside the array that starts at byte 0: expected ',' or ']' after an element`},
	{`[1 2]`, 3, `expected ',' or ']' after an element, found '2'`},
	{`[1:2]`, 2, `expected ',' or ']' after an element, found ':'`},
	{`[1}`, 2, `expected ',' or ']' after an element, found '}'`},
	{`["a" "b"]`, 5, `expected ',' or ']' after an element, found '"'`},
	{`[1,`, 3, `the document ends inside the array that starts at byte 0: expected a value after ','`},
	{`[1,]`, 3, `expected a value after ',', found ']'`},
	{`[1, ,2]`, 4, `expected a value after ',', found ','`},
	{`[[]`, 3, `the document ends inside the array that starts at byte 0: expected ',' or ']' after an element`},
	{`[ [`, 3, `the document ends inside the array that starts at byte 2: expected a value or ']' after '['`},

	{`{`, 1, `the document ends inside the object that starts at byte 0: expected a member name in double quotes or '}' after '{'`},
	{`{]`, 1, `expected a member name in double quotes or '}' after '{', found ']'`},
	{`{,}`, 1, `expected a member name in double quotes or '}' after '{', found ','`},
	{`{a:1}`, 1, `expected a member name in double quotes or '}' after '{', found 'a'`},
	{`{name:1}`, 1, `expected a member name in double quotes or '}' after '{', found "name"`},
	{`{'a':1}`, 1, `expected a member name in double quotes or '}' after '{', found "'"`},
	{`{1:1}`, 1, `expected a member name in double quotes or '}' after '{', found '1'`},
	{`{"a"`, 4, `the document ends inside the object that starts at byte 0: expected ':' after a member name`},
	{`{"a" 1}`, 5, `expected ':' after a member name, found '1'`},
	{`{"a"}`, 4, `expected ':' after a member name, found '}'`},
	{`{"a","b"}`, 4, `expected ':' after a member name, found ','`},
	{`{"a":`, 5, `the document ends inside the object that starts at byte 0: expected a value after ':'`},
	{`{"a":}`, 5, `expected a value after ':', found '}'`},
	{`{"a"::1}`, 5, `expected a value after ':', found ':'`},
	{`{"a":1`, 6, `the document ends inside the object that starts at byte 0: expected ',' or '}' after a member`},
	{`{"a":1]`, 6, `expected ',' or '}' after a member, found ']'`},
	{`{"a":1 "b":2}`, 7, `expected ',' or '}' after a member, found '"'`},
	{`{"a":1;"b":2}`, 6, `expected ',' or '}' after a member, found ';'`},
	{`{"a":1,`, 7, `the document ends inside the object that starts at byte 0: expected a member name in double quotes after ','`},
	{`{"a":1,}`, 7, `expected a member name in double quotes after ',', found '}'`},
	{`{"a":1,,"b":2}`, 7, `expected a member name in double quotes after ',', found ','`},
	{`{"a":[1,{"b":`, 13, `the document ends inside the object that starts at byte 8: expected a value after ':'`},
	{`{"a":1} // end`, 8, `expected the end of the document after its value, found '/'`},

	{`-`, 1, `the document ends too early: expected a digit after '-' in a number`},
	{`[-`, 2, `the document ends inside the array that starts at byte 0: expected a digit after '-' in a number`},
	{`-x`, 1, `expected a digit after '-' in a number, found 'x'`},
	{`--1`, 1, `expected a digit after '-' in a number, found '-'`},
	{`+1`, 0, `expected a value, found '+'`},
	{`.5`, 0, `expected a value, found '.'`},
	{`-.5`, 1, `expected a digit after '-' in a number, found '.'`},
	{`01`, 1, `expected a number without leading zeros, found '1' after the first 0`},
	{`-00`, 2, `expected a number without leading zeros, found '0' after the first 0`},
	{`0000000000`, 1, `expected a number without leading zeros, found '0' after the first 0`},
	{`0x10`, 1, `expected the end of the document after its value, found 'x'`},
	{`1.`, 2, `the document ends too early: expected a digit after '.' in a number`},
	{`[1.]`, 3, `expected a digit after '.' in a number, found ']'`},
	{`1..2`, 2, `expected a digit after '.' in a number, found '.'`},
	{`1.2.3`, 3, `expected the end of the document after its value, found '.'`},
	{`1.e1`, 2, `expected a digit after '.' in a number, found 'e'`},
	{`1e`, 2, `the document ends too early: expected a digit after 'e' in a number`},
	{`1E `, 2, `expected a digit after 'E' in a number, found ' '`},
	{`1e+`, 3, `the document ends too early: expected a digit after '+' in a number`},
	{`1e-x`, 3, `expected a digit after '-' in a number, found 'x'`},
	{`1e1.5`, 3, `expected the end of the document after its value, found '.'`},
	{`1e1e1`, 3, `expected the end of the document after its value, found 'e'`},
	{`1_000`, 1, `expected the end of the document after its value, found '_'`},
	{`1٣`, 1, `expected the end of the document after its value, found '٣'`},

	{`"`, 1, `the document ends inside the string that starts at byte 0`},
	{`"a`, 2, `the document ends inside the string that starts at byte 0`},
	{`"1234567`, 8, `the document ends inside the string that starts at byte 0`},
	{`"12345678`, 9, `the document ends inside the string that starts at byte 0`},
	{`"é`, 3, `the document ends inside the string that starts at byte 0`},
	{`"\`, 2, `the document ends inside the string that starts at byte 0`},
	{`"\"`, 3, `the document ends inside the string that starts at byte 0`},
	{`"\u`, 3, `the document ends inside the string that starts at byte 0`},
	{`"\u00e`, 6, `the document ends inside the string that starts at byte 0`},
	{`{"a`, 3, `the document ends inside the string that starts at byte 1`},
	{`"\x"`, 2, `expected one of "\/bfnrtu after '\' in a string, found 'x'`},
	{`"\'"`, 2, `expected one of "\/bfnrtu after '\' in a string, found "'"`},
	{`"\U0041"`, 2, `expected one of "\/bfnrtu after '\' in a string, found 'U'`},
	{"\"\\\n\"", 2, `expected one of "\/bfnrtu after '\' in a string, found U+000A`},
	{`"\é"`, 2, `expected one of "\/bfnrtu after '\' in a string, found 'é'`},
	{`"\u"`, 3, `expected four hexadecimal digits after '\u' in a string, found '"'`},
	{`"\u00g0"`, 5, `expected four hexadecimal digits after '\u' in a string, found 'g'`},
	{`"\u004"`, 6, `expected four hexadecimal digits after '\u' in a string, found '"'`},
	{`"\u+041"`, 3, `expected four hexadecimal digits after '\u' in a string, found '+'`},
	{`"\u@041"`, 3, `expected four hexadecimal digits after '\u' in a string, found '@'`},
	{`"\u` + "`" + `041"`, 3, "expected four hexadecimal digits after '\\u' in a string, found '`'"},
	{"\"a\nb\"", 2, `expected a control character in a string to be escaped, found U+000A; write "\n"`},
	{"\"\t\"", 1, `expected a control character in a string to be escaped, found U+0009; write "\t"`},
	{"\"12345678\x00\"", 9, `expected a control character in a string to be escaped, found U+0000; write "\u0000"`},
	{"\"\x1f\"", 1, `expected a control character in a string to be escaped, found U+001F; write "\u001f"`},
	{"\"é\x1f\"", 3, `expected a control character in a string to be escaped, found U+001F; write "\u001f"`},
	{"{\"\r\":1}", 2, `expected a control character in a string to be escaped, found U+000D; write "\r"`},
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		require.False(t, json.Valid([]byte(c.text)), "%q is no example", c.text)
		got := syntaxError(t, c.text, jsontape.Options{})
		require.Equal(t, jsontape.SyntaxError{Offset: c.where, Reason: jsontape.ReasonSyntax, Msg: c.msg}, *got, "%q", c.text)
	}
}

func TestSyntaxErrorText(t *testing.T) {
	require.EqualError(t, jsontape.Valid([]byte(`[1,]`)), "byte 3: expected a value after ',', found ']'")
}

// TestEveryByte puts every byte in every place of a document and compares the verdict with
// that of encoding/json, which agrees on ASCII.
func TestEveryByte(t *testing.T) {
	const text = `{"a\n": [1.5e+7, -0, "\u12aF", true, false, null, {"b":{}}], "12345678901": ""}`
	for at := range len(text) {
		for b := range 0x80 {
			data := []byte(text)
			data[at] = byte(b)
			require.Equal(t, json.Valid(data), jsontape.Valid(data) == nil, "%q", data)
			data = append(data[:at], data[at+1:]...)
			require.Equal(t, json.Valid(data), jsontape.Valid(data) == nil, "%q", data)
		}
		require.Error(t, jsontape.Valid([]byte(text[:at])), "cut at %d", at)
	}
}
