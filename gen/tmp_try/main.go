package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/types"
)

func main() {
	g, ds := load.Load(load.Options{Dir: os.Args[1], Default: load.Draft7})
	if len(ds) > 0 {
		fmt.Println(ds.Error())
	}
	files, _, ds := types.Render(g, types.Options{Package: "generated"})
	if len(ds) > 0 {
		fmt.Println(ds.Error())
		os.Exit(1)
	}
	out := os.Args[2]
	os.MkdirAll(out, 0o755)
	for name, src := range files {
		os.WriteFile(filepath.Join(out, name), src, 0o644)
	}
}
