package toolkit

import (
	"bytes"
	"encoding"
	stdjson "encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Arguments that were checked stand on a tape: most Go types can be filled from there, without that
// the text is read again, which was the largest part of a call. What a filler can't do, of a type or
// of a value, is left to the decoder of package json, which says what is wrong, too.

// filler fills a value from token i of a tape. It reports whether it could.
type filler func(v reflect.Value, t *jsontape.Tape, i int) bool

// newFiller makes the filler of a type, nil if there is none: of structs, slices, pointers, strings,
// booleans and numbers, and of what consists of them. above are the types that it is part of.
func newFiller(goType reflect.Type, above []reflect.Type) filler {
	for _, other := range above {
		if other == goType {
			return nil
		}
	}
	for _, own := range []reflect.Type{
		reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[json.UnmarshalerFrom](), reflect.TypeFor[encoding.TextUnmarshaler](),
	} {
		if goType.Implements(own) || reflect.PointerTo(goType).Implements(own) {
			return nil
		}
	}
	above = append(above[:len(above):len(above)], goType)
	switch goType.Kind() { //nolint:exhaustive // the others are left to the decoder
	case reflect.Struct:
		return structFiller(goType, above)
	case reflect.Slice:
		return sliceFiller(goType, above)
	case reflect.Pointer:
		return pointerFiller(goType, above)
	case reflect.String:
		if goType == reflect.TypeFor[stdjson.Number]() {
			return nil
		}
		return fillString
	case reflect.Bool:
		return fillBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fillInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fillUint
	case reflect.Float32, reflect.Float64:
		return fillFloat
	}
	return nil
}

func structFiller(goType reflect.Type, above []reflect.Type) filler {
	type field struct {
		index int
		fill  filler
	}
	fields := make(map[string]field)
	for i := range goType.NumField() {
		f := goType.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case f.Anonymous, options != "" && options != "omitempty" && options != "omitzero", strings.ContainsAny(name, `'"\`):
			return nil
		case !f.IsExported(), tag == "-":
			continue
		case name == "":
			name = f.Name
		}
		fill := newFiller(f.Type, above)
		if _, twice := fields[name]; fill == nil || twice {
			return nil
		}
		fields[name] = field{i, fill}
	}
	return func(v reflect.Value, t *jsontape.Tape, i int) bool {
		if t.Tokens[i].Kind != jsontape.Object {
			return false
		}
		for c := i + 1; c < t.Next(i); c = t.Next(c + 1) {
			raw := t.Bytes(c)
			f, known := fields[string(raw[1:len(raw)-1])]
			if !known && bytes.IndexByte(raw, '\\') >= 0 {
				f, known = fields[t.Str(c)]
			}
			if known && !f.fill(v.Field(f.index), t, c+1) {
				return false
			}
		}
		return true
	}
}

func sliceFiller(goType reflect.Type, above []reflect.Type) filler {
	if goType.Elem().Kind() == reflect.Uint8 {
		return nil // base64
	}
	fill := newFiller(goType.Elem(), above)
	if fill == nil {
		return nil
	}
	return func(v reflect.Value, t *jsontape.Tape, i int) bool {
		switch t.Tokens[i].Kind {
		case jsontape.Null:
			v.SetZero()
			return true
		case jsontape.Array:
		default:
			return false
		}
		n := t.Len(i)
		v.Set(reflect.MakeSlice(goType, n, n))
		for c, at := i+1, 0; c < t.Next(i); c, at = t.Next(c), at+1 {
			if !fill(v.Index(at), t, c) {
				return false
			}
		}
		return true
	}
}

func pointerFiller(goType reflect.Type, above []reflect.Type) filler {
	fill := newFiller(goType.Elem(), above)
	if fill == nil {
		return nil
	}
	return func(v reflect.Value, t *jsontape.Tape, i int) bool {
		if t.Tokens[i].Kind == jsontape.Null {
			v.SetZero()
			return true
		}
		v.Set(reflect.New(goType.Elem()))
		return fill(v.Elem(), t, i)
	}
}

func fillString(v reflect.Value, t *jsontape.Tape, i int) bool {
	if t.Tokens[i].Kind != jsontape.String {
		return false
	}
	raw := t.Bytes(i)
	if bytes.IndexByte(raw, '\\') < 0 {
		v.SetString(string(raw[1 : len(raw)-1]))
		return true
	}
	// An escape may be half of a character, which the decoder refuses.
	if bytes.Contains(raw, []byte(`\ud`)) || bytes.Contains(raw, []byte(`\uD`)) {
		return false
	}
	v.SetString(t.Str(i))
	return true
}

func fillBool(v reflect.Value, t *jsontape.Tape, i int) bool {
	k := t.Tokens[i].Kind
	v.SetBool(k == jsontape.True)
	return k == jsontape.True || k == jsontape.False
}

func fillInt(v reflect.Value, t *jsontape.Tape, i int) bool {
	n, err := strconv.ParseInt(string(t.Bytes(i)), 10, v.Type().Bits())
	v.SetInt(n)
	return err == nil && t.Tokens[i].Kind == jsontape.Number
}

func fillUint(v reflect.Value, t *jsontape.Tape, i int) bool {
	n, err := strconv.ParseUint(string(t.Bytes(i)), 10, v.Type().Bits())
	v.SetUint(n)
	return err == nil && t.Tokens[i].Kind == jsontape.Number
}

func fillFloat(v reflect.Value, t *jsontape.Tape, i int) bool {
	n, err := strconv.ParseFloat(string(t.Bytes(i)), v.Type().Bits())
	v.SetFloat(n)
	return err == nil && t.Tokens[i].Kind == jsontape.Number
}
