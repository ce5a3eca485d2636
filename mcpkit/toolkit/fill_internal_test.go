package toolkit

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/generated"
)

// filled has all that a filler fills.
type filled struct {
	S     string   `json:"s"`
	Odd   string   `json:"ä b"`
	Named string   // by its own name
	B     bool     `json:"b,omitempty"`
	I     int8     `json:"i"`
	U     uint16   `json:"u,omitzero"`
	F     float32  `json:"f"`
	P     **string `json:"p"`
	L     [][]int  `json:"l"`
	Inner []struct {
		X *float64 `json:"x"`
	} `json:"inner"`
	Skipped string `json:"-"`
	hidden  string
}

// TestFiller: what is filled from a tape is what the decoder makes of the same text, and what is left
// to the decoder is what it has to refuse or to look at.
func TestFiller(t *testing.T) {
	t.Parallel()
	fill := newFiller(reflect.TypeFor[filled](), nil)
	require.NotNil(t, fill)
	for text, want := range map[string]bool{
		`{}`: true,
		`{"s":"a\n\u00e4\\","ä b":"x","\u0073kipped":"no","Named":"n","b":true,"i":-128,"u":65535,"f":1.5e3}`: true,
		`{"p":"x","l":[[1,-0],[],null],"inner":[{"x":1e2},{"x":null},{}],"hidden":"no","-":"no","S":"other"}`: true,
		`{"\u0073":"by an escaped name","p":null,"l":null,"inner":[]}`:                                        true,
		`{"i":128}`: false, `{"u":-1}`: false, `{"i":1.0}`: false, `{"f":1e39}`: false, `{"s":"\ud83d\ude00"}`: false, `{"s":"\uD800"}`: false,
		`{"s":null}`: false, `{"b":null}`: false, `{"i":"1"}`: false, `{"inner":{}}`: false, `{"l":[[null]]}`: false, `[]`: false,
	} {
		var tape jsontape.Tape
		require.NoError(t, tape.Parse([]byte(text), jsontape.Options{}))
		var got, decoded filled
		ok := fill(reflect.ValueOf(&got).Elem(), &tape, 0)
		require.Equal(t, want, ok, text)
		if ok {
			require.NoError(t, decode([]byte(text), &decoded, decoding))
			require.Equal(t, decoded, got, text)
			require.Empty(t, got.hidden)
		}
	}
	for _, other := range []reflect.Type{
		reflect.TypeFor[any](), reflect.TypeFor[map[string]int](), reflect.TypeFor[[]byte](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[json.Number](),
		reflect.TypeFor[struct{ T time.Time }](), reflect.TypeFor[struct{ filled }](), reflect.TypeFor[struct {
			N int `json:"n,string"`
		}](), reflect.TypeFor[chain](), reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"a"`}, {Name: "B", Type: reflect.TypeFor[int](), Tag: `json:"a"`},
		}),
	} {
		require.Nil(t, newFiller(other, nil), "%v is left to the decoder", other)
	}
}

// TestReadOnce: arguments of a generated type are decoded from the tape of the message, whose text
// is not read a second time.
func TestReadOnce(t *testing.T) {
	t.Parallel()
	s := New(Info{Name: "t"}, Options{Types: generated.Registry})
	input, err := s.newInput(reflect.TypeFor[generated.ReportOutlineV1](), &definition{name: "t"})
	require.NoError(t, err)
	decode := decoder[generated.ReportOutlineV1](input)
	var tape jsontape.Tape
	const outline = `{"title":"A","items":[{"index":1,"heading":"B"}]}`
	require.NoError(t, tape.Parse([]byte(`{"arguments":`+outline+`}`), jsontape.Options{}))
	fromTape, err := decode(t.Context(), nil, &tape, 2)
	require.NoError(t, err)
	fromText, err := decode(t.Context(), []byte(outline), nil, 0)
	require.NoError(t, err)
	require.Equal(t, fromText, fromTape)
}

// chain is a type that holds itself.
type chain struct {
	Next *chain `json:"next"`
}

// FuzzFiller: a filler and the decoder agree on every text.
func FuzzFiller(f *testing.F) {
	for _, seed := range []string{`{"s":"a","i":1,"l":[[1]],"inner":[{"x":1}]}`, `{"u":1e2,"f":-0.0}`, `{"s":"\u0000\"","p":"\/"}`} {
		f.Add(seed)
	}
	fill := newFiller(reflect.TypeFor[filled](), nil)
	f.Fuzz(func(t *testing.T, text string) {
		var tape jsontape.Tape
		if tape.Parse([]byte(text), jsontape.Options{}) != nil || tape.RepeatedName(0) >= 0 {
			return
		}
		var got, decoded filled
		if fill(reflect.ValueOf(&got).Elem(), &tape, 0) {
			require.NoError(t, decode([]byte(text), &decoded, decoding), text)
			require.Equal(t, decoded, got, text)
		}
	})
}
