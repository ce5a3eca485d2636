package jsonrt_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// decodeOne decodes one document with one method of the Decoder: alone and, with the same outcome,
// as a part of another document.
func decodeOne[T any](t *testing.T, document string, decode func(*jsonrt.Decoder, int) T) (T, string) {
	t.Helper()
	d, err := jsonrt.Parse([]byte(document))
	require.NoError(t, err)
	v := decode(d, 0)
	err = d.Close()

	tape, root := within(t, document)
	var part T
	_, errOfPart := partOf(func(d *jsonrt.Decoder) { part = decode(d, 0) }).DecodeTape(t.Context(), tape, root)
	require.Equal(t, err, errOfPart)
	require.Equal(t, jsonOf(t, v), jsonOf(t, part))
	if err == nil {
		return v, ""
	}
	var misfit *jsonrt.DecodeError
	require.ErrorAs(t, err, &misfit)
	require.Empty(t, misfit.Path)
	return v, misfit.Message
}

// within is the tape of a document that holds the given one, and its token there.
func within(t *testing.T, document string) (*jsontape.Tape, int) {
	t.Helper()
	tape := new(jsontape.Tape)
	require.NoError(t, tape.Parse([]byte(`{"a":["x",{"b":null}],"part": `+document+` ,"z":{"y":"\n"}}`), jsontape.Options{}))
	return tape, tape.Member(0, "part")
}

// partOf is a schema that takes everything, decoded by a function.
func partOf(decode func(*jsonrt.Decoder)) *jsonrt.Schema {
	return &jsonrt.Schema{
		ID: "part", Check: func(*jsonrt.Checker, int) bool { return true },
		Message: func(d *jsonrt.Decoder) jsonrt.Message { decode(d); return text("") },
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// TestDecodePart: every method of a Decoder counts tokens from the document's own, wherever that
// stands on its tape.
func TestDecodePart(t *testing.T) {
	const document = `{"s":"plain","e":"esc\u0061ped","n":[1.50,2,-3.0e1,true,null,[]],"tag":"t","c":1.0,"more":{"b":1,"a":2},"o":[1]}`
	walk := func(seen *[]any) func(*jsonrt.Decoder) {
		return func(d *jsonrt.Decoder) {
			mark := d.Mark()
			first, end := d.Members(0)
			for m := first; m < end; m = d.Next(m + 1) {
				v := m + 1
				*seen = append(*seen, m, strings.Clone(d.Name(m)), d.Key(m), d.Kind(v), string(d.Raw(v)), d.Len(v), string(d.Union(v).Raw()), d.ExtraKey(m))
				switch d.Name(m) {
				case "s", "e", "tag":
					*seen = append(*seen, d.String(v), *d.StringPtr(v))
				case "n":
					e := d.First(v)
					*seen = append(*seen, d.ArrayLen(v), d.Number(e), d.Float64(e), *d.Float64Ptr(e))
					e = d.Next(e)
					*seen = append(*seen, d.Int64(e), d.Uint64(e), *d.Int64Ptr(e))
					e = d.Next(e)
					*seen = append(*seen, d.Int64(e))
					e = d.Next(e)
					*seen = append(*seen, d.Bool(e), *d.BoolPtr(e))
					e = d.Next(e)
					*seen = append(*seen, d.IsNull(e), d.Null(e))
				case "c":
					*seen = append(*seen, jsonrt.ConstantOf(d, v, "1", int64(1)))
				case "o":
					d.Bool(d.First(v))
					*seen = append(*seen, d.Misfit(m), d.Misfit(m))
				}
			}
			*seen = append(*seen, end, d.Order(mark), strings.Clone(d.Tag(0, "tag")), d.Tag(0, "none"))
			d.Missing(0, "s", "tag")
		}
	}
	var alone, inside []any
	d, err := jsonrt.Parse([]byte(document))
	require.NoError(t, err)
	walk(&alone)(d)
	require.NoError(t, d.Close())

	tape, root := within(t, document)
	_, err = partOf(walk(&inside)).DecodeTape(t.Context(), tape, root)
	require.NoError(t, err)
	for i := range tape.Data {
		tape.Data[i] = '?' // nothing that was decoded is a view of it
	}
	require.Equal(t, alone, inside)

	for want, fail := range map[string]func(*jsonrt.Decoder){
		"/n/3: must be integer, found boolean": func(d *jsonrt.Decoder) { d.Int64(d.Next(d.Next(d.Next(d.First(6))))) },
		"/e: is not allowed here":              func(d *jsonrt.Decoder) { d.Unknown(3) },
		`lacks the member "q"`:                 func(d *jsonrt.Decoder) { d.Missing(0, "s", "q") },
		"/s: must be 1":                        func(d *jsonrt.Decoder) { jsonrt.ConstantOf(d, 2, "1", 0) },
		"/n: must have at least 7 items":       func(d *jsonrt.Decoder) { d.AtLeast(6, 7) },
		`/s: says which form the object has, but there is none of this name`: func(d *jsonrt.Decoder) { d.UnknownTag(0, "s") },
	} {
		tape, root := within(t, document)
		_, err := partOf(fail).DecodeTape(t.Context(), tape, root)
		require.EqualError(t, err, want)
	}
}

func TestDecodeIntegers(t *testing.T) {
	for _, test := range []struct {
		text          string
		signed        int64
		signedFault   string
		unsigned      uint64
		unsignedFault string
		number        float64
		numberFault   string
	}{
		{"0", 0, "", 0, "", 0, ""},
		{"-0", 0, "", 0, "", math.Copysign(0, -1), ""},
		{"-0.0e5", 0, "", 0, "", math.Copysign(0, -1), ""},
		{"1", 1, "", 1, "", 1, ""},
		{"1.0", 1, "", 1, "", 1, ""},
		{"10e-1", 1, "", 1, "", 1, ""},
		{"0.1e1", 1, "", 1, "", 1, ""},
		{"-12.50E+2", -1250, "", 0, "does not fit uint64", -1250, ""},
		{"9223372036854775807", math.MaxInt64, "", math.MaxInt64, "", 0, "does not fit float64, which would round the integer"},
		{"9223372036854775808", 0, "does not fit int64", 1 << 63, "", 0, "does not fit float64, which would round the integer"},
		{"-9223372036854775808", math.MinInt64, "", 0, "does not fit uint64", 0, "does not fit float64, which would round the integer"},
		{"-9223372036854775809", 0, "does not fit int64", 0, "does not fit uint64", 0, "does not fit float64, which would round the integer"},
		{"922337203685477580.70e1", math.MaxInt64, "", math.MaxInt64, "", 0, "does not fit float64, which would round the integer"},
		{"18446744073709551615", 0, "does not fit int64", math.MaxUint64, "", 0, "does not fit float64, which would round the integer"},
		{"18446744073709551616", 0, "does not fit int64", 0, "does not fit uint64", 0, "does not fit float64, which would round the integer"},
		{"1e20", 0, "does not fit int64", 0, "does not fit uint64", 1e20, ""},
		{"1e10000000", 0, "does not fit int64", 0, "does not fit uint64", 0, "does not fit float64"},
		{"1e99999999999999999999", 0, "does not fit int64", 0, "does not fit uint64", 0, "does not fit float64"},
		{"0e99999999999999999999", 0, "", 0, "", 0, ""},
		{"1.5", 0, "must be integer", 0, "must be integer", 1.5, ""},
		{"1e-99999999999999999999", 0, "must be integer", 0, "must be integer", 0, ""},
		{"0.1000000000000000055511151231257827", 0, "must be integer", 0, "must be integer", 0.1, ""},
		{`"1"`, 0, "must be integer, found string", 0, "must be integer, found string", 0, "must be number, found string"},
		{"null", 0, "must be integer, found null", 0, "must be integer, found null", 0, "must be number, found null"},
	} {
		signed, fault := decodeOne(t, test.text, (*jsonrt.Decoder).Int64)
		require.Equal(t, test.signedFault, fault, test.text)
		require.Equal(t, test.signed, signed, test.text)
		unsigned, fault := decodeOne(t, test.text, (*jsonrt.Decoder).Uint64)
		require.Equal(t, test.unsignedFault, fault, test.text)
		require.Equal(t, test.unsigned, unsigned, test.text)
		number, fault := decodeOne(t, test.text, (*jsonrt.Decoder).Float64)
		require.Equal(t, test.numberFault, fault, test.text)
		if fault == "" {
			require.Equal(t, math.Float64bits(test.number), math.Float64bits(number), test.text)
		}
	}
}

// FuzzDecodeIntegers compares with math/big.
func FuzzDecodeIntegers(f *testing.F) {
	for _, seed := range []string{"0", "-1", "1.0", "10e-1", "9223372036854775807", "18446744073709551616", "1e19", "0.00001e5", "123456789012345678901234567890e-20", "5e-324"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n big.Rat
		if jsontape.Valid([]byte(text)) != nil || strings.Trim(text, "-+.eE0123456789") != "" || len(text) > 40 {
			return
		}
		if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 4 {
			return // big.Rat would compute it
		}
		_, ok := n.SetString(text)
		require.True(t, ok)
		signed, fault := decodeOne(t, text, (*jsonrt.Decoder).Int64)
		require.Equal(t, n.IsInt() && n.Num().IsInt64(), fault == "", text)
		if fault == "" {
			require.Equal(t, n.Num().Int64(), signed, text)
		}
		unsigned, fault := decodeOne(t, text, (*jsonrt.Decoder).Uint64)
		require.Equal(t, n.IsInt() && n.Num().IsUint64(), fault == "", text)
		if fault == "" {
			require.Equal(t, n.Num().Uint64(), unsigned, text)
		}
	})
}

// TestDecodeSharesNothing: what was decoded does not change with the document.
func TestDecodeSharesNothing(t *testing.T) {
	for _, filler := range []int{0, 50_000} { // strings of small and of large documents are kept differently
		document := []byte(`["plain","esc\u0061ped",{"a":1},` + strings.Repeat(" ", filler) + `true]`)
		d, err := jsonrt.Parse(document)
		require.NoError(t, err)
		a, b, p, raw, union := d.String(1), d.String(2), d.StringPtr(1), d.Raw(3), d.Union(3)
		require.NoError(t, d.Close())
		for i := range document {
			document[i] = 'x'
		}
		require.Equal(t, []string{"plain", "escaped", "plain", `{"a":1}`, `{"a":1}`}, []string{a, b, *p, string(raw), string(union.Raw())})
		raw = append(raw, "more"...)
		require.Equal(t, `{"a":1}`, string(union.Raw()), "appending to one raw value must not reach the next")
		_ = raw
	}
}

func TestDecodeErrors(t *testing.T) {
	_, err := jsonrt.Parse([]byte(`{"a":`))
	var syntax *jsontape.SyntaxError
	require.ErrorAs(t, err, &syntax)

	_, err = jsonrt.Parse([]byte(`{"a":{"b":1,"\u0062":2}}`))
	var repeated *jsonrt.RepeatedNameError
	require.ErrorAs(t, err, &repeated)
	require.Equal(t, "/a/b", repeated.Path)

	d, err := jsonrt.Parse([]byte(`{"a":[1,"x",2.5]}`))
	require.NoError(t, err)
	d.Int64(5)
	d.Int64(4) // only the first fault is told
	require.EqualError(t, d.Close(), `/a/2: must be integer`)
}

func TestDecodeAllocations(t *testing.T) {
	document := []byte(`{"a":1,"b":true,"c":"","d":1.5}`)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		d, err := jsonrt.Parse(document)
		if err != nil {
			t.Fatal(err)
		}
		for m, end := d.Members(0); m < end; m = d.Next(m + 1) {
			switch d.Name(m) {
			case "a":
				d.Int64(m + 1)
			case "b":
				d.Bool(m + 1)
			case "c":
				d.String(m + 1)
			case "d":
				d.Float64(m + 1)
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}), "a document without strings to keep costs nothing")
}

func TestOptional(t *testing.T) {
	type pair struct {
		A jsonrt.Optional[string] `json:"a,omitzero"`
		B jsonrt.NullValue        `json:"b"`
	}
	for _, text := range []string{`{"b":null}`, `{"a":null,"b":null}`, `{"a":"","b":null}`, `{"a":"x","b":null}`} {
		var p pair
		require.NoError(t, json.Unmarshal([]byte(text), &p))
		data, err := json.Marshal(p)
		require.NoError(t, err)
		require.Equal(t, text, string(data))
	}
	require.Error(t, json.Unmarshal([]byte(`{"a":1}`), &pair{}))
	require.Error(t, json.Unmarshal([]byte(`{"b":1}`), &pair{}))

	some := jsonrt.Some("x")
	value, ok := some.Get()
	require.True(t, ok)
	require.Equal(t, "x", value)
	require.False(t, some.IsNull())
	require.False(t, some.IsZero())
	null := jsonrt.NullOf[string]()
	_, ok = null.Get()
	require.False(t, ok)
	require.True(t, null.IsNull())
	require.False(t, null.IsZero())
	require.True(t, jsonrt.Optional[string]{}.IsZero())
}

func TestEncoder(t *testing.T) {
	for want, encode := range map[string]func(*jsonrt.Encoder){
		`[]`: func(e *jsonrt.Encoder) { e.Array(); e.End(']') },
		`{"a":[1,true,null],"b":"\"\u0001\ud800é"}`: func(e *jsonrt.Encoder) {
			e.Object()
			e.Member(`"a"`)
			e.Array()
			e.Int64(1)
			e.Bool(true)
			e.Null()
			e.End(']')
			e.Name("b")
			e.String("\"\x01\xed\xa0\x80é")
			e.End('}')
		},
		`[0,1.5,1e-07,1e+21,-0,18446744073709551615,1E400,0]`: func(e *jsonrt.Encoder) {
			e.Array()
			e.Float64(0)
			e.Float64(1.5)
			e.Float64(1e-7)
			e.Float64(1e21)
			e.Float64(math.Copysign(0, -1))
			e.Uint64(math.MaxUint64)
			e.Number("1E400")
			e.Number("")
			e.End(']')
		},
		`[1,1.0,[],[]]`: func(e *jsonrt.Encoder) {
			e.Array()
			e.ConstantNumber("1.0", "1")
			e.ConstantNumber("", "1.0")
			e.ConstantRaw(nil, "[]")
			e.ConstantRaw(json.RawMessage("[ ]"), "[]")
			e.End(']')
		},
		`[null,{ }]`: func(e *jsonrt.Encoder) { e.Array(); e.Raw(nil); e.Raw(json.RawMessage(`{ }`)); e.End(']') },
	} {
		e := jsonrt.NewEncoder()
		encode(e)
		data, err := e.AppendTo(nil)
		require.NoError(t, err)
		require.Equal(t, want, string(data))
		require.NoError(t, jsontape.Valid(data))
	}
	for want, encode := range map[string]func(*jsonrt.Encoder){
		"JSON has no number NaN":                      func(e *jsonrt.Encoder) { e.Float64(math.NaN()) },
		"JSON has no number +Inf":                     func(e *jsonrt.Encoder) { e.Float64(math.Inf(1)) },
		`the json.Number "1,2" is not a JSON number`:  func(e *jsonrt.Encoder) { e.Number("1,2") },
		`the json.Number "true" is not a JSON number`: func(e *jsonrt.Encoder) { e.Number("true") },
		`the json.Number "1 " is not a JSON number`:   func(e *jsonrt.Encoder) { e.Number("1 ") },
		`/a~1b/1: must be the constant 2; a value that is not set stands for it`: func(e *jsonrt.Encoder) {
			e.Object()
			e.Name("a/b")
			e.Array()
			e.Raw(json.RawMessage(`{ "x" : ["]",{}] }`))
			e.ConstantNumber("3", "2")
		},
		`must be the constant [1]; a value that is not set stands for it`: func(e *jsonrt.Encoder) { e.ConstantRaw(json.RawMessage(`[1,1]`), "[1]") },
		`/a: a required value is nil`:                                     func(e *jsonrt.Encoder) { e.Object(); e.Member(`"a"`); e.Missing() },
		`/a: the json.Number "x" is not a JSON number`: func(e *jsonrt.Encoder) {
			e.Object()
			e.Name("a")
			e.Number("x")
			e.Missing() // only the first error is told
		},
	} {
		e := jsonrt.NewEncoder()
		encode(e)
		data, err := e.AppendTo([]byte("kept"))
		require.EqualError(t, err, want)
		require.Equal(t, "kept", string(data))
	}
	e := jsonrt.NewEncoder()
	e.Raw(json.RawMessage(`{`))
	_, err := e.AppendTo(nil)
	var syntax *jsontape.SyntaxError
	require.ErrorAs(t, err, &syntax)
}

func TestUnion(t *testing.T) {
	var u jsonrt.Union
	require.True(t, u.IsZero())
	_, err := json.Marshal(u)
	require.Error(t, err)
	require.NoError(t, json.Unmarshal([]byte(` [1, "a"] `), &u))
	require.Equal(t, `[1, "a"]`, string(u.Raw()))
	_, ok := jsonrt.As(u, jsonrt.String, nil, (*jsonrt.Decoder).String)
	require.False(t, ok)
	n, ok := jsonrt.As(u, jsonrt.Array, nil, func(d *jsonrt.Decoder, i int) int64 { return d.Int64(d.First(i)) })
	require.True(t, ok)
	require.Equal(t, int64(1), n)
	_, ok = jsonrt.As(u, jsonrt.Array, func(*jsonrt.Checker, int) bool { return false }, func(d *jsonrt.Decoder, i int) int64 { return 1 })
	require.False(t, ok, "a value that fails the check is not of the type")
	u.SetNull()
	require.True(t, u.IsNull())
	require.False(t, u.IsZero())
	bad := jsonrt.UnionOf(func(e *jsonrt.Encoder) { e.Float64(math.NaN()) })
	_, err = json.Marshal(bad)
	require.ErrorContains(t, err, "JSON has no number NaN")
	require.False(t, errors.Is(err, errors.ErrUnsupported))
}
