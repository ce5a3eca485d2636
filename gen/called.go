package gen

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/zenlix/echo-mcp/gen/internal/scaffold"
)

// calledAs is what to type to run the command again, for help and advice: its name where it is
// installed, else by way of the module around the current folder, which has it as a tool or is
// its own.
func calledAs() string {
	const name = "echo-gen"
	if isInstalled(name) {
		return name
	}
	dir, err := os.Getwd()
	if err != nil {
		return name
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		file, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			continue
		}
		module, err := modfile.Parse("go.mod", file, nil)
		switch {
		case err != nil:
		case module.Module != nil && module.Module.Mod.Path == scaffold.Module:
			return "go run ./cmd/" + name
		case slices.ContainsFunc(module.Tool, func(t *modfile.Tool) bool { return t.Path == scaffold.Tool }):
			return "go tool " + name
		}
		return name
	}
	return name
}

// isInstalled says whether the running program is what the shell finds under a name.
func isInstalled(name string) bool {
	found, err := exec.LookPath(name)
	if err != nil {
		return false
	}
	running, err := os.Executable()
	if err != nil {
		return false
	}
	a, err := os.Stat(found)
	if err != nil {
		return false
	}
	b, err := os.Stat(running)
	return err == nil && os.SameFile(a, b)
}
