// Command oddserver builds the server with other schemas than the module's, for the tests in
// JavaScript:   go run ./internal/e2e/oddserver SCHEMAS OUT
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/zenlix/echo-mcp/internal/e2e"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "oddserver:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("wanted SCHEMAS OUT, got %q", args)
	}
	schemas, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	return e2e.Build(context.Background(), ".", schemas, args[1])
}
