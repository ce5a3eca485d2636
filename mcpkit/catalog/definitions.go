package catalog

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Definitions are what a server sends about itself and what it offers, as it sends it.
type Definitions struct {
	// Info (serverInfo) and Capabilities are JSON objects, nil where they are not known: the
	// capabilities are then what the lists imply.
	Info, Capabilities json.RawMessage
	Instructions       string
	// The definitions, as tools/list and so on give them. Nil is a list that is not there, which
	// implies no capability; an empty one does.
	Tools, Resources, ResourceTemplates, Prompts []json.RawMessage
}

// DefinitionsError says why a text holds no definitions.
type DefinitionsError struct {
	// Pointer leads to the place in the text.
	Pointer string
	// Message says what is wrong there.
	Message string
}

// Error gives the place and what is wrong.
func (e *DefinitionsError) Error() string {
	if e.Pointer == "" {
		return e.Message
	}
	return e.Pointer + ": " + e.Message
}

// members are the members that ParseDefinitions reads.
var members = []string{"server", "info", "serverInfo", "capabilities", "instructions", "tools", "resources", "resourceTemplates", "prompts"}

// ParseDefinitions reads definitions from one JSON object with any of the lists tools, resources,
// resourceTemplates and prompts, as the server's answers have them. Beside them, or in an object
// server, there may be info (or serverInfo), capabilities and instructions. Other members are not
// looked at. The error is a *jsontape.SyntaxError or a *DefinitionsError. The definitions share the
// memory of data.
func ParseDefinitions(data []byte) (Definitions, error) {
	var d Definitions
	var t jsontape.Tape
	if err := t.Parse(data, jsontape.Options{MaxDepth: jsontape.DepthCeiling}); err != nil {
		return d, err
	}
	if t.Tokens[0].Kind != jsontape.Object {
		return d, &DefinitionsError{"", `must be an object with lists, such as {"tools":[…],"prompts":[…]}`}
	}
	if i := t.RepeatedMember(0); i >= 0 {
		return d, &DefinitionsError{t.Pointer(i), "is there twice"}
	}
	if err := d.about(&t, 0); err != nil {
		return d, err
	}
	if i := t.Member(0, "server"); i >= 0 {
		if t.Tokens[i].Kind != jsontape.Object {
			return d, &DefinitionsError{"/server", "must be an object with info, capabilities and instructions"}
		}
		if err := d.about(&t, i); err != nil {
			return d, err
		}
	}
	for _, list := range []struct {
		name string
		into *[]json.RawMessage
	}{{"tools", &d.Tools}, {"resources", &d.Resources}, {"resourceTemplates", &d.ResourceTemplates}, {"prompts", &d.Prompts}} {
		i := t.Member(0, list.name)
		if i < 0 || t.Tokens[i].Kind == jsontape.Null {
			continue
		}
		if t.Tokens[i].Kind != jsontape.Array {
			return d, &DefinitionsError{"/" + list.name, "must be a list of definitions"}
		}
		*list.into = make([]json.RawMessage, 0, t.Len(i))
		for e := i + 1; e < t.Next(i); e = t.Next(e) {
			*list.into = append(*list.into, t.Bytes(e))
		}
	}
	for i := 1; i < len(t.Tokens); i = t.Next(i + 1) {
		name := t.Str(i)
		if nearest := near.Names(name, members); !slices.Contains(members, name) && len(nearest) > 0 {
			return d, &DefinitionsError{t.Pointer(i), fmt.Sprintf("is not known; did you mean %q?", nearest[0])}
		}
	}
	return d, nil
}

// about reads what is said about the server in the object at token o.
func (d *Definitions) about(t *jsontape.Tape, o int) error {
	for _, part := range []struct {
		name string
		into *json.RawMessage
	}{{"info", &d.Info}, {"serverInfo", &d.Info}, {"capabilities", &d.Capabilities}} {
		i := t.Member(o, part.name)
		if i < 0 || t.Tokens[i].Kind == jsontape.Null {
			continue
		}
		if t.Tokens[i].Kind != jsontape.Object {
			return &DefinitionsError{t.Pointer(i), "must be an object"}
		}
		*part.into = t.Bytes(i)
	}
	if i := t.Member(o, "instructions"); i >= 0 && t.Tokens[i].Kind != jsontape.Null {
		if t.Tokens[i].Kind != jsontape.String {
			return &DefinitionsError{t.Pointer(i), "must be a string"}
		}
		d.Instructions = t.Str(i)
	}
	return nil
}
