package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCatalog: in a module of somebody else, with the command as others get it, the catalogue of a
// server becomes a package by go generate. What is made compiles, is vetted, and calls the server.
func TestCatalog(t *testing.T) {
	m, dir := newMachine(t), t.TempDir()
	m.run(t, dir, "go mod init example.com/till && go get -tool "+modulePath+"/cmd/echo-gen")
	for name, text := range map[string]string{
		"adder/adder.json":       adderCatalog,
		"adder/generate_test.go": "package adder\n\n//go:generate go tool echo-gen -catalog adder.json -out .\n",
		"till/till_test.go":      tillTest,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	require.Contains(t, m.run(t, dir, "go generate ./..."), "echo-gen: 1 tool, 5 files (5 written, 0 removed)\n")
	m.run(t, dir, "go mod tidy && go vet ./... && go test ./...")
	require.Empty(t, m.run(t, dir, "gofmt -l ."))
	require.Empty(t, m.run(t, dir, "go tool echo-gen -check -catalog adder/adder.json -out adder"))

	// The server has changed: CI tells what is stale, and a program that no longer fits fails to build.
	changed := strings.Replace(adderCatalog, `"b":{"type":"integer"}`, `"c":{"type":"integer"}`, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "adder", "adder.json"), []byte(changed), 0o644))
	out, err := m.try(t, dir, "go tool echo-gen -check -catalog adder/adder.json -out adder")
	require.Error(t, err)
	require.Contains(t, out, "adder/add_input_types.go: is stale; run go generate\n")
	m.run(t, dir, "go generate ./...")
	out, err = m.try(t, dir, "go test ./...")
	require.Error(t, err)
	require.Contains(t, out, "unknown field B in struct literal")
}

const adderCatalog = `{"server":{"info":{"name":"adder","version":"1.0.0"}},"items":[
{"type":"tool","name":"add","description":"Adds two numbers.","meta":{},"detail":{
"input":{"json":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a"]}},
"output":{"json":{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}}}}]}`

const tillTest = `package till

import (
	"context"
	"errors"
	"testing"

	"example.com/till/adder"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/typed"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

type numbers struct {
	A int ` + "`json:\"a\"`" + `
	B int ` + "`json:\"b,omitempty\"`" + `
}

type sum struct {
	Sum int ` + "`json:\"sum\"`" + `
}

func TestAdd(t *testing.T) {
	server := toolkit.New(toolkit.Info{Name: "adder", Version: "1.0.0"}, toolkit.Options{})
	err := toolkit.Tool(server, "add", "Adds two numbers.", func(_ context.Context, n numbers) (sum, error) {
		if n.A < 0 {
			return sum{}, errors.New("not below zero")
		}
		return sum{n.A + n.B}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	session, err := client.Connect(t.Context(), client.InMemory(server.Connect), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	add := adder.New(session)
	out, err := add.Add(t.Context(), adder.AddInput{A: 40, B: new(int64(2))})
	if err != nil || out.Sum != 42 {
		t.Fatal(out, err)
	}
	_, err = add.Add(t.Context(), adder.AddInput{A: -1})
	var failed *typed.ToolError
	if !errors.As(err, &failed) || failed.Result.Text() != "not below zero" {
		t.Fatal(err)
	}
}
`
