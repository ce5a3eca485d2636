package gen

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/scaffold"
)

// TestHelp: help names every flag with its default, fits a line of 100 columns however the
// command is called, and has none of the flag package's words.
func TestHelp(t *testing.T) {
	text := helpText("go run ./cmd/echo-gen")
	for line := range strings.Lines(text + strings.ReplaceAll(initHelp, "COMMAND", "go run ./cmd/echo-gen")) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 100, line)
	}
	require.NotRegexp(t, `\b(string|value|bool|func|nil)\b|COMMAND|DIALECTS`, text)
	require.NotRegexp(t, `\b(string|value|bool|func|nil)\b`, initHelp)
	for _, name := range load.DraftNames() {
		require.Contains(t, text, name)
	}
	var (
		o    options
		init scaffold.Options
	)
	listsAll(t, text, newFlags(&o))
	listsAll(t, initHelp, newInitFlags(&init))
}

// listsAll fails where a help doesn't list exactly the flags that there are.
func listsAll(t *testing.T, text string, flags *flag.FlagSet) {
	t.Helper()
	listed := regexp.MustCompile(`(?m)^  -([a-z-]+)`).FindAllStringSubmatch(text, -1)
	flags.VisitAll(func(f *flag.Flag) {
		heading := "  -" + f.Name
		if f.Usage != "" {
			heading += " " + f.Usage
		}
		_, about, found := strings.Cut(text, "\n"+heading+" ")
		require.True(t, found, heading)
		about, _, _ = strings.Cut(about, "\n  -")
		if !isSwitch(f) && f.DefValue != "" {
			require.Contains(t, about, "(default "+f.DefValue+")", f.Name)
		}
		listed = listed[1:]
	})
	require.Empty(t, listed, "help has flags that don't exist")
}

// TestCalledAs: advice names the command as it can be run here.
func TestCalledAs(t *testing.T) {
	dir, installed, another := t.TempDir(), t.TempDir(), t.TempDir()
	running, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(running, filepath.Join(installed, "echo-gen")))
	require.NoError(t, os.WriteFile(filepath.Join(another, "echo-gen"), nil, 0o755))
	inside := filepath.Join(dir, "schemas")
	require.NoError(t, os.Mkdir(inside, 0o755))
	t.Chdir(inside)
	for _, c := range []struct{ module, want string }{
		{"module example.com/msgs\n\ngo 1.26\n\ntool github.com/zenlix/echo-mcp/cmd/echo-gen\n", "go tool echo-gen"},
		{"module example.com/msgs\n\ntool golang.org/x/tools/cmd/stringer\n", "echo-gen"},
		{"module github.com/zenlix/echo-mcp\n", "go run ./cmd/echo-gen"},
		{"no module\n", "echo-gen"},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(c.module), 0o644))
		t.Setenv("PATH", "")
		require.Equal(t, c.want, calledAs(), c.module)
		t.Setenv("PATH", another)
		require.Equal(t, c.want, calledAs(), c.module)
		t.Setenv("PATH", installed)
		require.Equal(t, "echo-gen", calledAs(), c.module)
	}
}
