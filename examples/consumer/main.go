// Command consumer reads results of the tool echo, one a line, as a client has recorded them, and
// says what the messages in them tell.
//
//	consumer < results.jsonl
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if err := tell(os.Stdout, lines.Bytes()); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// tell tells of one result.
func tell(w io.Writer, line []byte) error {
	result, err := client.ParseEmitted(line)
	var refused *client.CallError
	switch {
	case errors.As(err, &refused) && refused.Code == client.CodeSchemaValidationFailed:
		return fmt.Errorf("the agent sent a %s with %d faults", refused.SchemaID, len(refused.Details))
	case err != nil:
		return err
	}
	message, err := generated.Decode(result.SchemaID, result.Payload)
	if err != nil {
		return err
	}
	switch m := message.(type) {
	case generated.ZenlixAgentStageV1:
		fmt.Fprintf(w, "stage %s: %s\n", m.Stage, m.StageStatus)
	case generated.ReportOutlineV1:
		fmt.Fprintf(w, "outline %q with %d sections\n", m.Title, len(m.Items))
	default:
		fmt.Fprintf(w, "a message of type %s\n", m.SchemaID())
	}
	return nil
}
