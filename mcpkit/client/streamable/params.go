package streamable

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/printable"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// Since 2026-07-28 a tool may ask, by x-mcp-header in its input schema, that arguments stand in
// headers of the call too, so that proxies can see them (SEP-2243).

const (
	annotation   = "x-mcp-header"
	headerPrefix = "Mcp-Param-"
)

// HeaderError says that a tool asks for headers which no client may send. It was not called.
type HeaderError struct {
	// Tool is the name of the tool.
	Tool string
	// Reason says what is wrong with what it asks for.
	Reason string
}

func (e *HeaderError) Error() string {
	return fmt.Sprintf("the tool %q can't be called over HTTP: %s; its server must mend that", printable.Start(e.Tool, maxShown), e.Reason)
}

// parameter is an argument that a tool wants in a header: the names of the members that lead to it,
// and the header's name.
type parameter struct {
	path   []string
	header string
}

// wanted are the headers that a tool wants, or what is wrong with them.
type wanted struct {
	parameters []parameter
	fault      string
}

// learn notes what the tools in a reply to tools/list want in headers.
func (t *Transport) learn(reply []byte) {
	var tape jsontape.Tape
	if tape.Parse(reply, jsontape.Options{MaxDepth: jsontape.DepthCeiling}) != nil {
		return
	}
	list := member(&tape, member(&tape, 0, "result"), "tools")
	if list < 0 || tape.Tokens[list].Kind != jsontape.Array {
		return
	}
	for tool := list + 1; tool < tape.Next(list); tool = tape.Next(tool) {
		name, schema := member(&tape, tool, "name"), member(&tape, tool, "inputSchema")
		if name < 0 || tape.Tokens[name].Kind != jsontape.String || schema < 0 {
			continue
		}
		var w wanted
		if bytes.Contains(tape.Bytes(schema), []byte(annotation)) {
			w.find(&tape, schema, nil, map[string]bool{})
		}
		t.mu.Lock()
		if w.fault != "" || len(w.parameters) > 0 {
			t.wanted[tape.Str(name)] = w
		} else {
			delete(t.wanted, tape.Str(name))
		}
		t.mu.Unlock()
	}
}

// find looks for annotations below a schema, at the members that path leads to.
func (w *wanted) find(tape *jsontape.Tape, schema int, path []string, seen map[string]bool) {
	properties := member(tape, schema, "properties")
	if properties < 0 || tape.Tokens[properties].Kind != jsontape.Object || len(path) > maxLevels {
		return
	}
	for k := properties + 1; k < tape.Next(properties); k = tape.Next(k + 1) {
		here := append(path[:len(path):len(path)], tape.Str(k))
		if a := member(tape, k+1, annotation); a >= 0 {
			header := ""
			if tape.Tokens[a].Kind == jsontape.String {
				header = tape.Str(a)
			}
			switch at := printable.Start(strings.Join(here, "."), maxShown); {
			case !plain(tape, member(tape, k+1, "type")):
				w.fault = fmt.Sprintf("the argument %s, which it wants in a header, is neither a string nor an integer nor a boolean", at)
			case !httpguts.ValidHeaderFieldName(header):
				w.fault = fmt.Sprintf("it wants the argument %s in a header whose name is no name of a header", at)
			case seen[strings.ToLower(header)]:
				w.fault = fmt.Sprintf("it wants two arguments in the header %s%s", headerPrefix, header)
			}
			seen[strings.ToLower(header)] = true
			w.parameters = append(w.parameters, parameter{here, headerPrefix + header})
		}
		w.find(tape, k+1, here, seen)
	}
}

// maxLevels is how deep annotations are looked for.
const maxLevels = 100

// plain says of the type that a schema names that its values fit into a header.
func plain(tape *jsontape.Tape, kind int) bool {
	if kind < 0 {
		return false
	}
	fits := func(i int) bool {
		switch string(tape.Bytes(i)) {
		case `"string"`, `"integer"`, `"boolean"`:
			return true
		}
		return false
	}
	if tape.Tokens[kind].Kind != jsontape.Array {
		return fits(kind)
	}
	for i := kind + 1; i < tape.Next(kind); i = tape.Next(i) {
		if !fits(i) {
			return false
		}
	}
	return tape.Len(kind) > 0
}

// mirror adds the headers that the tool of a call wants. The error is a *HeaderError.
func (t *Transport) mirror(h http.Header, m client.Outgoing) error {
	t.mu.Lock()
	w, known := t.wanted[m.Name]
	t.mu.Unlock()
	if !known {
		return nil
	}
	if w.fault != "" {
		return &HeaderError{m.Name, w.fault}
	}
	var tape jsontape.Tape
	if tape.Parse(m.Message, jsontape.Options{MaxDepth: jsontape.DepthCeiling}) != nil {
		return nil // the server will say so
	}
	arguments := member(&tape, member(&tape, 0, "params"), "arguments")
	for _, p := range w.parameters {
		value := arguments
		for _, name := range p.path {
			value = member(&tape, value, name)
		}
		if text, ok := headerValue(&tape, value); ok {
			h.Set(p.header, text)
		}
	}
	return nil
}

// headerValue is an argument as a header holds it; false for one that is missing, null or of a type
// that no header can hold.
func headerValue(tape *jsontape.Tape, value int) (string, bool) {
	if value < 0 {
		return "", false
	}
	switch token := tape.Tokens[value]; token.Kind {
	case jsontape.String:
		return encoded(tape.Str(value)), true
	case jsontape.True, jsontape.False:
		return string(tape.Bytes(value)), true
	case jsontape.Number:
		text := string(tape.Bytes(value))
		if token.Flags&jsontape.Integer != 0 {
			return text, true
		}
		n, err := strconv.ParseFloat(text, 64)
		return strconv.FormatFloat(n, 'f', -1, 64), err == nil && n == math.Trunc(n)
	case jsontape.Invalid, jsontape.Null, jsontape.Object, jsontape.Array:
	}
	return "", false
}

// member is the value of an object's member, -1 if there is none.
func member(tape *jsontape.Tape, object int, name string) int {
	if object < 0 || tape.Tokens[object].Kind != jsontape.Object {
		return -1
	}
	return tape.Member(object, name)
}
