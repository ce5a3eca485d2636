package house_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/zenlix/echo-mcp/internal/echo"
)

// documents are the texts for people.
var documents = []string{
	"README.md", "AGENTS.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/deploy.md", "docs/security.md", "docs/features.md", "docs/clients.md", "docs/dev.md", "docs/lint.md", "skills/echo/SKILL.md",
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// TestDocumentedTargetsExist: README and AGENTS name only targets that the Makefile has,
// and the README names them all.
func TestDocumentedTargetsExist(t *testing.T) {
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):.*## `).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets[m[1]] = true
	}
	require.NotEmpty(t, targets)
	for _, name := range []string{"README.md", "AGENTS.md"} {
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z][a-z0-9-]*)").FindAllStringSubmatch(read(t, name), -1) {
			require.True(t, targets[m[1]], "%s speaks of `make %s`, which the Makefile doesn't have", name, m[1])
		}
	}
	for target := range targets {
		require.Contains(t, read(t, "README.md"), "make "+target, "README.md doesn't mention the target")
	}
}

// TestAgentsIsShort: AGENTS.md is read at the start of every session, so it has a ceiling.
func TestAgentsIsShort(t *testing.T) {
	require.LessOrEqual(t, strings.Count(read(t, "AGENTS.md"), "\n"), 80)
}

// TestReadmeNamesEveryMember: the README's table of tools has a row for each tool, and names
// every member of its answer.
func TestReadmeNamesEveryMember(t *testing.T) {
	for tool, envelope := range map[string]any{
		"list_schemas": echo.SchemaInfo{}, "get_schema": echo.GetEnvelope{}, "echo": echo.EchoEnvelope{},
	} {
		row := regexp.MustCompile("(?m)^\\| `" + tool + "` \\|.*$").FindString(read(t, "README.md"))
		require.NotEmpty(t, row, "README.md has no row for the tool %s", tool)
		for field := range reflect.TypeOf(envelope).Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "error" || name == "ok" && tool != "echo" {
				continue // those of the error's envelope, for which there is a sample
			}
			require.Contains(t, row, "`"+name+"`", tool)
		}
	}
}

// TestContents: the README's table of contents names its sections, all of them, in order.
func TestContents(t *testing.T) {
	readme := read(t, "README.md")
	var sections, listed []string
	for _, m := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(readme, -1) {
		if m[1] != "Licence" {
			sections = append(sections, m[1])
		}
	}
	contents := regexp.MustCompile(`(?m)^\*\*Contents:\*\* .*$`).FindString(readme)
	for _, m := range regexp.MustCompile(`\[([^\]]+)\]\(#([a-z-]+)\)`).FindAllStringSubmatch(contents, -1) {
		listed = append(listed, m[1])
		require.Equal(t, strings.ToLower(strings.ReplaceAll(m[1], " ", "-")), m[2])
	}
	require.Equal(t, sections, listed)
}

// TestDollarIsAShell: in documents "$ " at the start of a line stands before a command of a
// shell and before nothing else.
func TestDollarIsAShell(t *testing.T) {
	for _, name := range documents {
		for _, m := range regexp.MustCompile(`(?m)^\s*\$ (\S+)`).FindAllStringSubmatch(read(t, name), -1) {
			require.Regexp(t, `^(echo-mcp|bin/echo-mcp|make|go|git|curl|docker|kubectl)$`, m[1], name)
		}
	}
}

// TestInstallsByGo: `go install MODULE/cmd/echo-mcp@latest` takes no module that replaces or
// excludes others.
func TestInstallsByGo(t *testing.T) {
	module, err := modfile.Parse("go.mod", []byte(read(t, "go.mod")), nil)
	require.NoError(t, err)
	require.Empty(t, module.Replace)
	require.Empty(t, module.Exclude)
	require.Contains(t, read(t, "README.md"), "go install "+module.Module.Mod.Path+"/cmd/echo-mcp@latest\n")
	require.DirExists(t, root+"/cmd/echo-mcp")
}

// TestHelpListsEveryTarget: `make help` prints each target that the Makefile describes.
func TestHelpListsEveryTarget(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "make", "help")
	cmd.Dir = root
	out, err := cmd.Output()
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`(?m)^(\S+):.*## (.*)$`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		require.Regexp(t, `(?m)^`+m[1]+` +`+regexp.QuoteMeta(m[2])+`$`, string(out))
	}
}

// TestReadmeShowsTheExamples: the README shows each program of examples/ as its file has it.
// UPDATE=1 writes it anew.
func TestReadmeShowsTheExamples(t *testing.T) {
	readme := read(t, "README.md")
	shown := readme
	files, err := filepath.Glob(filepath.Join(root, "examples/*/main.go"))
	require.NoError(t, err)
	require.Len(t, files, 5)
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		require.NoError(t, err)
		begin := "<!-- " + filepath.ToSlash(name) + " -->\n```go\n"
		before, rest, found := strings.Cut(shown, begin)
		require.True(t, found, "the README does not show %s", name)
		_, after, found := strings.Cut(rest, "```\n")
		require.True(t, found)
		shown = before + begin + read(t, name) + "```\n" + after
	}
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(filepath.Join(root, "README.md"), []byte(shown), 0o600))
		return
	}
	require.Equal(t, shown, readme, "the README shows other programs than examples/ has: run UPDATE=1 go test ./internal/house -run TestReadmeShowsTheExamples")
}
