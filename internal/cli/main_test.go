package cli

import (
	"bytes"
	"context"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/internal/fakeserver"
)

// TestMain lets the test binary act as the program, and as the program with odd schemas.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"echo-mcp":     func() { runAs(Program{Name: ours, Registry: generated.Registry}) },
		"echo-mcp-odd": func() { runAs(odd()) },
		"fake-mcp":     func() { os.Exit(fakeserver.Run(os.Args[1], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func runAs(p Program) {
	os.Exit(p.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// odd is the program over odd schemas.
func odd() Program { return Program{Name: ours, Registry: oddRegistry()} }

func TestScripts(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local listener
	require.NoError(t, err)
	t.Cleanup(func() { _ = busy.Close() })
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("BUSY", busy.Addr().String())
			env.Setenv("GORACE", os.Getenv("GORACE"))
			return nil
		},
	})
}

// oddRegistry has ids that no file system, shell or terminal likes. Each schema allows
// strings only.
func oddRegistry() jsonrt.Registry {
	var schemas []*jsonrt.Schema
	for _, id := range []string{"a b", "über v1", "__proto__", "-x", "a/b", "tab\tbed"} {
		schemas = append(schemas, &jsonrt.Schema{
			ID:          id,
			Description: "Odd:\n" + id,
			Source:      " {\"type\": \"string\"} \n\n",
			Check: func(c *jsonrt.Checker, v int) bool {
				return c.Kind(v) == jsontape.String || c.Fail(v, "#", "type", "must be string")
			},
		})
	}
	return jsonrt.NewRegistry(schemas...)
}

// TestEveryCommandHasAnExample walks all commands, also those that cobra adds.
func TestEveryCommandHasAnExample(t *testing.T) {
	seen := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		seen++
		require.NotEmpty(t, cmd.Short, cmd.CommandPath())
		require.True(t, strings.HasPrefix(cmd.Example, "  echo-mcp") || strings.Contains(cmd.Example, cmd.CommandPath()), cmd.CommandPath())
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(odd().newRoot())
	require.Greater(t, seen, 7)
}

// TestNoGlobalState: two programs in one process don't see each other's flags.
func TestNoGlobalState(t *testing.T) {
	for _, want := range []string{"{\"schema_id\":\"-x\"", "-x "} {
		args := []string{"schemas"}
		if want[0] == '{' {
			args = append(args, "--json")
		}
		var out, errs bytes.Buffer
		require.Equal(t, exitOK, odd().Run(t.Context(), args, strings.NewReader(""), &out, &errs))
		require.True(t, strings.HasPrefix(out.String(), want), out.String())
		require.Empty(t, errs.String())
	}
}

// TestUndecidedIsNoAnswer: where a verdict would cost too much, validate says so with the exit
// code of input that it can do nothing with.
func TestUndecidedIsNoAnswer(t *testing.T) {
	endless := jsonrt.NewRegistry(&jsonrt.Schema{ID: "endless", Check: func(c *jsonrt.Checker, v int) bool {
		for c.Step(v, "endless.json#/pattern") {
		}
		return true
	}})
	var out, errs bytes.Buffer
	require.Equal(t, exitInput, Program{Name: ours, Registry: endless}.Run(t.Context(), []string{"validate", "--schema", "endless"}, strings.NewReader(`"x"`), &out, &errs))
	require.Equal(t, "-:1:1: can't be decided: checking this against #/pattern takes more work than one document may cost\n", out.String())
	require.Contains(t, errs.String(), "1 undecided")
}
