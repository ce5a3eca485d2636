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
		Short:   "Print the version of the program and the commit it was built from",
		Example: "  echo-mcp version\n  echo-mcp version --json",
		Args:    cobra.NoArgs,
	}
	cmd.RunE = does(func(cmd *cobra.Command, _ []string) error {
		v := struct {
			Name    string `json:"name"`
			Version string `json:"version"`
			Commit  string `json:"commit"`
			Go      string `json:"go"`
			Schemas int    `json:"schemas"`
		}{"echo-mcp", buildVersion(), buildCommit(), runtime.Version(), registry.Len()}
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(v)
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine(registry))
		return err
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

// versionLine says on one line what this program is.
func versionLine(registry jsonrt.Registry) string {
	return fmt.Sprintf("echo-mcp %s (commit %s, %s, %d schemas)", buildVersion(), buildCommit(), runtime.Version(), registry.Len())
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

// buildCommit is what the linker was told, else what `go build` found in the checkout, with
// -dirty where files differed from it, else "unknown".
func buildCommit() string {
	var revision, dirty string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = "-dirty"
			}
		}
	}
	return cmp.Or(commit, cmp.Or(revision, "unknown")+dirty)
}
