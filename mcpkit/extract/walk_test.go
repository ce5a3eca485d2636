package extract

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// walk finds the envelopes in one JSON text by encoding/json, as plainly as it can be written.
// It gives schema id and payload of each, in document order.
func walk(text []byte, nesting int) (found [][2]string, isJSON bool) {
	if jsontape.Valid(text) != nil {
		return nil, false
	}
	text = bytes.TrimSpace(text)
	switch text[0] {
	case '[':
		var elements []json.RawMessage
		if json.Unmarshal(text, &elements) != nil {
			return nil, true
		}
		for _, e := range elements {
			more, _ := walk(e, nesting)
			found = append(found, more...)
		}
	case '{':
		names, values := members(text)
		get := func(name string) json.RawMessage {
			for i, n := range names {
				if n == name {
					return values[i]
				}
			}
			return nil
		}
		if id := get("schema_id"); string(get("ok")) == "true" && len(id) > 0 && id[0] == '"' && get("payload") != nil {
			return [][2]string{{unquote(id), string(get("payload"))}}, true
		}
		for _, v := range values {
			more, _ := walk(v, nesting)
			found = append(found, more...)
		}
	case '"':
		if nesting == maxNesting {
			return nil, true
		}
		inside := unquote(text)
		more, is := walk([]byte(inside), nesting+1)
		found = append(found, more...)
		if !is {
			for line := range strings.Lines(inside) {
				more, _ := walk([]byte(strings.TrimPrefix(strings.TrimSpace(line), "data:")), nesting+1)
				found = append(found, more...)
			}
		}
	}
	return found, true
}

// members are the members of an object in their order, repeated ones too.
func members(text []byte) (names []string, values []json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token()
	for d.More() {
		// It replaces lone surrogates, which no name that matters has.
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return names, values
		}
		names, values = append(names, name.(string)), append(values, value)
	}
	return names, values
}

// unquote is the value of a JSON string. encoding/json would replace lone surrogates.
func unquote(text []byte) string { return string(jsontape.AppendUnquoted(nil, text)) }
