package toolkit

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// reflectSchema makes the schema of a Go type. Types are written out in place, since many clients
// follow no reference, unless a type holds itself.
func reflectSchema(t reflect.Type, d *definition, name string) (text json.RawMessage, err error) {
	defer func() {
		// Methods of the author's types, such as JSONSchema, run here.
		if r := recover(); r != nil {
			text, err = nil, d.errorAt(name, "", "the schema of %v can't be made: give one with %s", t, schemaOption(name))
		}
	}()
	v := visitor{d: d, side: name}
	if err := v.visit(t, "", nil); err != nil {
		return nil, err
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Implements(generatedType) {
		return nil, d.errorAt(name, "", "%v is a generated type: name the registry of its package in Options.Types", t)
	}
	if m := mapped(t); m != nil && reflect.DeepEqual(m, &jsonschema.Schema{}) {
		return nil, d.errorAt(name, "", "%v encodes itself, so its schema can't be seen: give it with %s", t, schemaOption(name))
	}
	if name == sideInput && t.Kind() != reflect.Struct && t.Kind() != reflect.Map {
		return nil, d.errorAt(name, "", "the arguments are an object: take a struct or a map, not %v", t)
	}
	if t.Kind() == reflect.Struct && t.NumField() == 0 && mapped(t) == nil && !has(t, schemaMethod) {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil // some clients send a dummy
	}
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: !v.recursive, DoNotReference: !v.recursive, Mapper: mapped}
	schema := r.ReflectFromType(t)
	schema.Version = ""
	p := pointers{definitions: schema.Definitions, output: name == sideOutput}
	p.patch(t, schema)
	if root := schema.Definitions[strings.TrimPrefix(schema.Ref, "#/$defs/")]; root != nil {
		// Clients look for the properties at the root.
		expanded := *root
		expanded.Definitions = schema.Definitions
		schema = &expanded
	}
	if schema.Type == "object" && schema.Properties == nil && schema.AdditionalProperties == nil {
		schema.Properties = jsonschema.NewProperties()
	}
	text, err = json.Marshal(schema)
	if err != nil {
		return nil, d.errorAt(name, "", "the schema of %v can't be written: %v", t, err)
	}
	return text, nil
}

func schemaOption(side string) string {
	if side == sideInput {
		return "InputSchema"
	}
	return "OutputSchema"
}

var (
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	generatedType   = reflect.TypeFor[jsonrt.Message]()
	schemaMethod    = reflect.TypeFor[interface{ JSONSchema() *jsonschema.Schema }]()
)

// has reports whether a type, or a pointer to it, has the methods of an interface.
func has(t, methods reflect.Type) bool {
	return t.Implements(methods) || reflect.PointerTo(t).Implements(methods)
}

// mapped is the schema of types that encoding/json does not encode by their fields, nil for others.
func mapped(t reflect.Type) *jsonschema.Schema {
	switch {
	case has(t, schemaMethod):
		return nil // it says its schema itself
	case t == reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case t == reflect.TypeFor[json.Number]():
		return &jsonschema.Schema{Type: "number"}
	case has(t, jsonMarshaler), has(t, jsonUnmarshaler):
		return &jsonschema.Schema{}
	case has(t, textMarshaler):
		return &jsonschema.Schema{Type: "string"}
	}
	return nil
}

// visitor looks for what JSON can't hold.
type visitor struct {
	d         *definition
	side      string
	recursive bool // a type holds itself
}

// visit looks into a type, whose values stand at a place of the schema. above are the types that
// it is part of.
func (v *visitor) visit(t reflect.Type, at string, above []reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if slices.Contains(above, t) {
		v.recursive = true
		return nil
	}
	if mapped(t) != nil || has(t, schemaMethod) {
		return nil
	}
	above = append(above[:len(above):len(above)], t)
	switch t.Kind() { //nolint:exhaustive // the other kinds are values of JSON
	case reflect.Struct:
		for name, f := range fields(t) {
			if err := v.visit(f.Type, at+"/properties"+string(jsontape.AppendPointerToken(nil, name)), above); err != nil {
				return err
			}
		}
	case reflect.Slice, reflect.Array:
		return v.visit(t.Elem(), at+"/items", above)
	case reflect.Map:
		switch k := t.Key().Kind(); {
		case k == reflect.String, reflect.Int <= k && k <= reflect.Uint64, has(t.Key(), textMarshaler):
			return v.visit(t.Elem(), at+"/additionalProperties", above)
		}
		return v.d.errorAt(v.side, at, "a map with keys of %v is no JSON object: keys must be strings or integers", t.Key())
	case reflect.Interface:
		if v.side == sideInput && t.NumMethod() > 0 {
			return v.d.errorAt(v.side, at, "JSON can't say which %v is meant: take a struct or json.RawMessage", t)
		}
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer, reflect.Uintptr:
		return v.d.errorAt(v.side, at, `%v has no form in JSON: leave the field out with json:"-", or use another type`, t)
	}
	return nil
}

// fields are the fields of a struct that encoding/json knows, by their names in JSON.
func fields(t reflect.Type) func(yield func(string, reflect.StructField) bool) {
	return func(yield func(string, reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			inlined := f.Anonymous && name == ""
			if !f.IsExported() || f.Tag.Get("json") == "-" || inlined {
				continue
			}
			if name == "" {
				name = f.Name
			}
			if !yield(name, f) {
				return
			}
		}
	}
}

// pointers makes schemas say what a pointer is for: a field that need not be there. As an argument
// it may be left out; in a result it is null where it is nil and not left out.
type pointers struct {
	definitions jsonschema.Definitions
	output      bool
	seen        []*jsonschema.Schema
}

func (p *pointers) patch(t reflect.Type, s *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		s = p.definitions[name]
	}
	if s == nil || slices.Contains(p.seen, s) || mapped(t) != nil || has(t, schemaMethod) {
		return
	}
	p.seen = append(p.seen, s)
	switch t.Kind() { //nolint:exhaustive // the other kinds hold no pointers
	case reflect.Slice, reflect.Array:
		if s.Items != nil {
			p.patch(t.Elem(), s.Items)
		}
	case reflect.Map:
		if s.AdditionalProperties != nil {
			p.patch(t.Elem(), s.AdditionalProperties)
		}
	case reflect.Struct:
		for name, f := range fields(t) {
			if s.Properties == nil {
				return
			}
			property, ok := s.Properties.Get(name)
			if !ok {
				continue
			}
			p.patch(f.Type, property)
			if behindPointer(t, f) {
				s.Required = slices.DeleteFunc(s.Required, func(r string) bool { return r == name })
			}
			if f.Type.Kind() != reflect.Pointer || leftOut(f) || slices.Contains(strings.Split(f.Tag.Get("jsonschema"), ","), "required") {
				continue
			}
			if p.output {
				s.Properties.Set(name, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{property, {Type: "null"}}})
			} else {
				s.Required = slices.DeleteFunc(s.Required, func(r string) bool { return r == name })
			}
		}
	}
}

// behindPointer reports whether a field is there only where the struct that it is embedded with is.
func behindPointer(t reflect.Type, f reflect.StructField) bool {
	for _, i := range f.Index[:len(f.Index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// leftOut reports whether a field is left out where it is empty.
func leftOut(f reflect.StructField) bool {
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return slices.ContainsFunc(strings.Split(options, ","), func(o string) bool { return o == "omitempty" || o == "omitzero" })
}
