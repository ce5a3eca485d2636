package jsontape_test

import (
	"errors"
	"fmt"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// The text of each value stays as it was written.
func ExampleTape_Parse() {
	var t jsontape.Tape
	if err := t.Parse([]byte(`{"price": 19.990, "tags": ["new", "\u0041"]}`), jsontape.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", t.Bytes(t.Member(0, "price")))
	tags := t.Member(0, "tags")
	fmt.Println(t.Tokens[tags].Kind, t.Len(tags), t.Str(tags+2))
	// Output:
	// 19.990
	// array 2 A
}

// What is wrong has a place and a reason.
func ExampleTape_Parse_fault() {
	var t jsontape.Tape
	err := t.Parse([]byte(`{"a": 01}`), jsontape.Options{})
	var fault *jsontape.SyntaxError
	if errors.As(err, &fault) {
		fmt.Println(fault.Offset, fault)
	}
	// Output:
	// 7 byte 7: expected a number without leading zeros, found '1' after the first 0
}

func ExampleTape_Members() {
	var t jsontape.Tape
	if err := t.Parse([]byte(`{"id": 1, "items": [true, {"id": 2}]}`), jsontape.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	for name, value := range t.Members(0) {
		fmt.Printf("%s = %s\n", t.Str(name), t.Bytes(value))
	}
	// Output:
	// id = 1
	// items = [true, {"id": 2}]
}

func ExampleTape_Elements() {
	var t jsontape.Tape
	if err := t.Parse([]byte(`[1, [2, 3], 4e400]`), jsontape.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	for i := range t.Elements(0) {
		fmt.Printf("%s %s\n", t.Pointer(i), t.Bytes(i))
	}
	// Output:
	// /0 1
	// /1 [2, 3]
	// /2 4e400
}

func ExampleValid() {
	fmt.Println(jsontape.Valid([]byte(`[1, 2]`)))
	// Output: <nil>
}

func ExamplePosition() {
	fmt.Println(jsontape.Position([]byte("{\n  \"a\": x\n}"), 9))
	// Output: 2 8
}
