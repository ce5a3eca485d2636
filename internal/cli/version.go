package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"
)

func newVersion(p Program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program and the commit it was built from",
		Example: "  {program} version\n  {program} version --json",
		Args:    cobra.NoArgs,
	}
	cmd.RunE = does(func(cmd *cobra.Command, _ []string) error {
		v := struct {
			Name    string `json:"name"`
			Version string `json:"version"`
			Commit  string `json:"commit"`
			Go      string `json:"go"`
			Schemas int    `json:"schemas"`
		}{p.Name, p.version(), buildCommit(), runtime.Version(), p.Registry.Len()}
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(v)
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), p.versionLine())
		return err
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

// versionLine says on one line what this program is.
func (p Program) versionLine() string {
	return fmt.Sprintf("%s %s (commit %s, %s, %s)", p.Name, p.version(), buildCommit(), runtime.Version(), counted(p.Registry.Len()))
}

// version and commit are set by the linker (see the Makefile).
var version, commit string

// version is what the program's author says, else what the linker was told, else the version
// of the module that `go install` built, else "unknown".
func (p Program) version() string {
	var module string
	if info, ok := debug.ReadBuildInfo(); ok {
		module = info.Main.Version
	}
	return cmp.Or(p.Server.Info.Version, version, module, "unknown")
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

func counted(schemas int) string {
	if schemas == 1 {
		return "1 schema"
	}
	return strconv.Itoa(schemas) + " schemas"
}
