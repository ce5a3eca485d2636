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

	// Where any message may come, its id decides the type.
	for _, payload := range []string{`{"title":"Q3","items":[{"index":1,"heading":"Sales"}]}`, `{"title":"Q3"}`} {
		m, err := generated.Decode("report_outline_v1", []byte(payload))
		switch m := m.(type) {
		case generated.ReportOutlineV1:
			fmt.Println(m.Title, len(m.Items))
		case generated.ZenlixAgentStageV1:
			fmt.Println(m.Stage)
		}
		var invalid *jsonrt.ValidationError
		if errors.As(err, &invalid) {
			for _, d := range invalid.Details {
				fmt.Println(d.Path, d.Message)
			}
		}
	}

	// Output:
	// build
	// Q3 1
	// /items is required
}
