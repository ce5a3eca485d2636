package main_test

import (
	"errors"
	"fmt"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
)

// Example is in the README: it shows what a program in Go does with a message.
func Example() {
	stage, err := generated.DecodeZenlixAgentStageV1([]byte(`{"stage":"build","stage_status":"running"}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(stage.Stage)

	_, err = generated.DecodeZenlixAgentStageV1([]byte(`{"stage":"build","stage_status":"runing"}`))
	var invalid *jsonrt.ValidationError
	if errors.As(err, &invalid) {
		for _, d := range invalid.Details {
			fmt.Println(d.Path, d.Message)
		}
	}

	// Output:
	// build
	// /stage_status must be one of "start", "running", "success", "failed"; did you mean "running"?
}
