package types

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUse is a program that does with the types what a consumer and a producer do.
func TestUse(t *testing.T) {
	schemas := map[string]string{
		"event.json": `{"type":"object","properties":{"id":{"type":"string"},"note":{"type":["string","null"]},"body":{"oneOf":[{"$ref":"#/$defs/started"},{"$ref":"#/$defs/failed"}]},
			"port":{"type":["string","integer"]},"point":{"type":"array","prefixItems":[{"type":"string"},{"type":"number"},{"type":"boolean"}],"minItems":1,"items":false},
			"who":{"anyOf":[{"$ref":"#/$defs/person"},{"$ref":"#/$defs/team"}]},"level":{"enum":["low","high"]},"tags":{"type":"array","items":{"type":"string"}}},
			"required":["id","body","tags"],"additionalProperties":{"type":"integer"},
			"$defs":{"started":{"type":"object","properties":{"kind":{"const":"started"},"at":{"type":"string"}},"required":["kind"],"additionalProperties":false},
			"failed":{"type":"object","properties":{"kind":{"const":"failed"},"code":{"type":"integer","minimum":1}},"required":["kind","code"],"additionalProperties":false},
			"person":{"type":"object","properties":{"name":{"type":"string","minLength":1}},"required":["name"]},
			"team":{"type":"object","properties":{"members":{"type":"array","items":{"type":"string"},"minItems":1}},"required":["members"]}}}`,
		"shape.json": `{"oneOf":[{"type":"object","properties":{"type":{"const":"circle"},"r":{"type":"number"}},"required":["type","r"]},{"type":"object","properties":{"type":{"const":"square"},"a":{"type":"number"}},"required":["type","a"]}]}`,
	}
	const program = `package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

func show(v any) {
	data, err := json.Marshal(v)
	fmt.Println(string(data), err)
}

func main() {
	e, err := DecodeEvent([]byte(` + "`" + `{"id":"1","body":{"kind":"failed","code":7},"port":8080,"who":{"name":"Ada"},"tags":[],"point":["a",1.5],"y":4,"x":3,"note":null}` + "`" + `))
	fmt.Println(err)
	switch body := e.Body.(type) {
	case *Event_Started:
		fmt.Println("started")
	case *Event_Failed:
		fmt.Println("failed", body.Code)
	}
	fmt.Println(e.Port.AsInt64())
	fmt.Println(e.Port.AsString())
	person, ok := e.Who.AsPerson()
	fmt.Println(person.Name, ok)
	_, ok = e.Who.AsTeam()
	fmt.Println(ok)
	fmt.Println(e.Point.Item0, *e.Point.Item1, e.Point.Item2 == nil, e.AdditionalProperties, e.Note.IsNull(), e.Level == "", string(e.Who.Raw()))
	show(e)
	e.AdditionalProperties["z"], e.AdditionalProperties["w"] = 6, 5
	delete(e.AdditionalProperties, "y")
	show(e)

	// What a producer leaves out: nil for a required array is [], a constant fills itself in.
	made := Event{ID: "2", Body: &Event_Started{}, Level: Event_Level_High, Note: jsonrt.Some("hi")}
	made.Port.SetString("http")
	made.Who.SetTeam(Event_Team{Members: []string{"a"}})
	show(made)
	show(&made)
	fmt.Println(made.Validate())

	// What is wrong shows when it is encoded or validated, before it is sent.
	var invalid *jsonrt.ValidationError
	fmt.Println(errors.As(Event{ID: "3", Body: &Event_Failed{}}.Validate(), &invalid), invalid)
	show(Event{ID: "4"})
	show(Event{Body: &Event_Started{}, Point: &Event_Point{Item2: new(true)}})
	made.Who.SetPerson(Event_Person{})
	fmt.Println(made.Validate() != nil)
	fmt.Println(Event_Failed{Code: 0}.Validate())
	fmt.Println(json.Unmarshal([]byte(` + "`" + `{"kind":"failed","code":0}` + "`" + `), &Event_Failed{}))
	fmt.Println(json.Unmarshal([]byte(` + "`" + `{"Kind":"started"}` + "`" + `), &Event_Started{}))

	s, err := DecodeShape([]byte(` + "`" + `{"type":"square","a":2,"b":[1.0]}` + "`" + `))
	fmt.Printf("%T %v\n", s.Value, err)
	show(s)
	_, err = DecodeShape([]byte(` + "`" + `{"type":"line"}` + "`" + `))
	fmt.Println(strings.Contains(err.Error(), "circle"))
}
`
	files, _ := compile(t, schemas, Options{})
	files["main.go"] = []byte(program)
	out := run(t, build(t, files), &bytes.Buffer{})
	require.Equal(t, strings.TrimLeft(`
<nil>
failed 7
8080 true
 false
Ada true
false
a 1.5 true map[x:3 y:4] true true {"name":"Ada"}
{"id":"1","note":null,"body":{"kind":"failed","code":7},"port":8080,"point":["a",1.5],"who":{"name":"Ada"},"tags":[],"y":4,"x":3} <nil>
{"id":"1","note":null,"body":{"kind":"failed","code":7},"port":8080,"point":["a",1.5],"who":{"name":"Ada"},"tags":[],"x":3,"w":5,"z":6} <nil>
{"id":"2","note":"hi","body":{"kind":"started"},"port":"http","who":{"members":["a"]},"level":"high","tags":[]} <nil>
{"id":"2","note":"hi","body":{"kind":"started"},"port":"http","who":{"members":["a"]},"level":"high","tags":[]} <nil>
<nil>
true /body/code: must be at least 1
 json: error calling MarshalJSON for type main.Event: /body: a required value is nil
 json: error calling MarshalJSON for type main.Event: /point/1: an element of an array is absent, but a later one is not
true
/code: must be at least 1
/code: must be at least 1
/kind: is required
/Kind: is not allowed here; did you mean "kind"?
*main.Shape_Square <nil>
{"type":"square","a":2,"b":[1.0]} <nil>
true
`, "\n"), string(out))
}
