package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// TestInit makes modules by the command as others get it: from a module proxy, on a machine that
// has Go and nothing else.
func TestInit(t *testing.T) {
	m := newMachine(t)
	t.Run("in an empty folder", m.emptyFolder)
	t.Run("in a module", m.inModule)
}

// emptyFolder: a team gets a module whose commands all work, whose CI is green, and whose CI
// turns red when a message type breaks.
func (m machine) emptyFolder(t *testing.T) {
	parent := t.TempDir()
	out := m.run(t, parent, "go run "+modulePath+"/cmd/echo-gen@latest init 'my msgs' --module example.com/my-msgs2/v3")
	require.Contains(t, out, "\nNext:\n  cd 'my msgs'\n  go mod tidy\n  go generate ./messages\n  go test ./...\n  go run . schemas\n")
	dir := filepath.Join(parent, "my msgs")
	require.Contains(t, read(t, dir, "go.mod"), "require "+modulePath+" "+version+"\n")

	m.run(t, dir, "go mod tidy && go generate ./... && go test ./...")
	require.Empty(t, m.run(t, dir, "gofmt -l ."))
	require.Regexp(t, `(?m)^hello_v1\s`, m.run(t, dir, "go run . schemas"))
	require.Contains(t, m.run(t, dir, "go tool echo-gen -help"), "Usage: go tool echo-gen [flags]\n")
	require.Contains(t, m.run(t, dir, "go tool echo-gen -version"), "echo-gen "+version+" (go")
	for _, target := range []string{"help", "generate", "test", "check"} {
		m.run(t, dir, "make "+target)
	}

	m.commit(t, dir, "git init -q -b main")
	m.run(t, dir, "git clone -q --bare . ../origin && git remote add origin ../origin && git fetch -q origin")
	ci(t, m, dir)
	m.run(t, dir, "make diff")

	// A schema that brings in all of the run time needs nothing but go generate.
	const everything = `{"properties": {"host": {"format": "idn-hostname"}, "twice": {"pattern": "^(.+)\\1$"}, "n": {"multipleOf": 0.01}}}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "schemas", "everything_v1.json"), []byte(everything), 0o644))
	m.run(t, dir, "go generate ./... && go test ./...")
	require.Contains(t, read(t, dir, "messages/everything_v1_schema.go"), `"github.com/zenlix/echo-mcp/gen/jsonrt/idn"`)
	out = m.run(t, dir, "make diff")
	require.Contains(t, out, "everything_v1: added: message type everything_v1\n")

	schema := filepath.Join(dir, "schemas", "hello_v1.json")
	require.NoError(t, os.WriteFile(schema, []byte(strings.Replace(read(t, dir, "schemas/hello_v1.json"), `"minLength": 1`, `"minLength": 5`, 1)), 0o644))
	steps := workflow(t, dir)
	out, err := m.try(t, dir, steps["The generated code is fresh"])
	require.Error(t, err)
	require.Contains(t, out, "messages/hello_v1_schema.go: is stale; run go generate\n")
	m.run(t, dir, "go generate ./...")
	m.run(t, dir, steps["The generated code is fresh"])
	out, err = m.try(t, dir, steps["No message type breaks"])
	require.Error(t, err)
	require.Contains(t, out, "hello_v1: refused now: /to: minLength is 5 and was 1\n")
}

// inModule: a module that is there keeps what it has, and gets the rest.
func (m machine) inModule(t *testing.T) {
	dir := t.TempDir()
	m.run(t, dir, "go mod init example.com/shop && go get -tool "+modulePath+"/cmd/echo-gen")
	for name, text := range map[string]string{
		"main.go":                     "package main\n\nfunc main() {}\n",
		"makefile":                    "all:\n\ttrue\n",
		"schemas/order_v1.json":       `{"type": "object", "properties": {"id": {"type": "string"}}}`,
		"messages/note.txt":           "kept\n",
		".github/workflows/test.yaml": "on: push\n",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	before := tree(t, dir)

	require.Equal(t, strings.Join([]string{
		"added       messages/doc.go",
		"added       messages/generate_test.go",
		"added       cmd/messages-server/main.go",
		"added       AGENTS.md",
		"added       .github/workflows/ci.yml",
		"left alone  go.mod (has all it needs)",
		"left alone  schemas (has message types already)",
		"left alone  makefile",
		"",
		"Next:",
		"  go mod tidy",
		"  go generate ./messages",
		"  go test ./...",
		"  go run ./cmd/messages-server schemas",
		"",
	}, "\n"), m.run(t, dir, "go tool echo-gen init ."))
	after := tree(t, dir)
	for name, text := range before {
		require.Equal(t, text, after[name], name)
	}

	m.run(t, dir, "go mod tidy && go generate ./... && go test ./...")
	require.Regexp(t, `(?m)^order_v1\s`, m.run(t, dir, "go run ./cmd/messages-server schemas"))
	m.commit(t, dir, "git init -q -b main")
	m.run(t, dir, "git remote add origin . && git fetch -q origin")
	ci(t, m, dir)

	again := tree(t, dir)
	require.NotContains(t, m.run(t, dir, "go tool echo-gen init ."), "added")
	require.Equal(t, again, tree(t, dir))
}

// commit commits all files of a new repository.
func (m machine) commit(t *testing.T, dir, create string) {
	t.Helper()
	m.run(t, dir, create+" && git add . && git -c user.name=A -c user.email=a@example.com commit -q -m first")
}

// workflow gives the commands of a module's workflow, by the names of its steps.
func workflow(t *testing.T, dir string) map[string]string {
	t.Helper()
	var file struct {
		Jobs map[string]struct {
			Steps []struct{ Name, Run string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, dir, ".github/workflows/ci.yml")), &file))
	steps := map[string]string{}
	for _, job := range file.Jobs {
		for _, step := range job.Steps {
			if step.Run != "" {
				steps[step.Name] = step.Run
			}
		}
	}
	require.Len(t, steps, 3)
	return steps
}

// ci runs the commands of a module's workflow.
func ci(t *testing.T, m machine, dir string) {
	t.Helper()
	for _, line := range workflow(t, dir) {
		m.run(t, dir, line)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(text)
}

// tree gives all files below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(dir, path)
			files[name] = read(t, dir, name)
		}
		return err
	}))
	return files
}
