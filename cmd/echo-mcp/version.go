package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

func newVersion(registry jsonrt.Registry) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program",
		Example: "  echo-mcp version\n  echo-mcp version --json",
		Args:    cobra.NoArgs,
	}
	cmd.RunE = does(func(cmd *cobra.Command, _ []string) error {
		v := struct {
			Name    string `json:"name"`
			Version string `json:"version"`
			Go      string `json:"go"`
			Schemas int    `json:"schemas"`
		}{"echo-mcp", buildVersion(), runtime.Version(), registry.Len()}
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(v)
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %s (%s, %d schemas)\n", v.Name, v.Version, v.Go, v.Schemas)
		return err
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

// buildVersion is what the linker was told, else the version of the module that `go
// install` built, else "unknown".
func buildVersion() string {
	var module string
	if info, ok := debug.ReadBuildInfo(); ok {
		module = info.Main.Version
	}
	return cmp.Or(version, module, "unknown")
}
