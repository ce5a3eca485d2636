package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/zenlix/echo-mcp"

// listed is what `go list -json` says about a package.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string // its own, without those of its tests
	Deps       []string // transitively
}

// goList runs `go list -json` in the root of the module.
func goList(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Standard,Imports,Deps"}, args...)...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, p)
	}
}

// within says whether path is one of the packages of roots or below one. Both are without
// the module's path.
func within(path string, roots ...string) bool {
	for _, r := range roots {
		if path == r || strings.HasPrefix(path, r+"/") {
			return true
		}
	}
	return false
}

// importRules are the rules of direction, by the folder they bind. The longest matching
// folder's rule counts.
var importRules = []struct {
	folder string
	// own lists the folders of this module that its packages may import. They may always
	// import packages of their own folder.
	own []string
	// foreign says which packages outside the module and std they may import: nil is any.
	foreign func(path string) bool
}{
	{"gen/jsontape", nil, nothing},
	{"gen/jsonrt", []string{"gen/jsontape"}, nothing},
	// The run-time package that needs more than std, imported only by generated code that needs
	// it: internationalised host names.
	{"gen/jsonrt/idn", []string{"gen/jsonrt", "gen/jsontape"}, only("golang.org/x/net/idna", "golang.org/x/text")},
	{"generated", []string{"gen/jsonrt", "gen/jsontape"}, nothing},
	{"gen", []string{"gen", "internal/schemafile", "internal/modelapi", "internal/pattern"}, nil},
	{"internal/pattern", []string{"gen/jsonrt"}, nil},
	{"internal/echo", []string{"gen/jsonrt", "gen/jsontape"}, notMCP},
	{"internal/wire", []string{"internal", "gen/jsonrt", "gen/jsontape"}, nil},
	{"internal/runtimeschema", []string{"internal/pattern", "gen/jsonrt", "gen/jsontape"}, only(interpreter)},
	{"internal/web", nil, nothing},
	{"internal/protocol", nil, nothing},
	{"internal/transport", []string{"internal/logs", "internal/oauth", "internal/protocol", "internal/wire", "gen/jsontape", "mcpkit/serve"}, nil},
	{"internal/server", []string{"internal", "gen/jsonrt", "gen/jsontape"}, nil},
	{"mcpkit/serve", nil, nothing},
	{"internal/envelope", []string{"gen/jsonrt", "gen/jsontape"}, nothing},
	{"internal/lines", nil, nothing},
	{"internal/printable", nil, nothing},
	{"internal/process", nil, nothing},
	{"internal/fakeserver", nil, nothing},
	// The client links no package of MCP: mcp-go's types decode what must stay bytes, and pull in
	// net/http. Its transports are packages of their own.
	{"mcpkit/client", []string{"internal/envelope", "internal/lines", "internal/protocol", "gen/jsonrt", "gen/jsontape"}, nothing},
	{"mcpkit/client/stdio", []string{"internal/lines", "internal/printable", "internal/process", "mcpkit/client"}, nothing},
	{"mcpkit/client/streamable", []string{"internal/printable", "internal/protocol", "mcpkit/client", "gen/jsontape"}, only("golang.org/x/net/http/httpguts")},
	{"mcpkit/client/models", []string{"internal/modelapi", "mcpkit/client", "gen/jsontape"}, nothing},
	{"mcpkit/catalog", []string{"internal/runtimeschema", "mcpkit/client", "gen/jsonrt", "gen/jsontape"}, nothing},
	{"mcpkit/extract", []string{"internal/envelope", "gen/jsonrt", "gen/jsontape"}, only("github.com/klauspost/compress", "golang.org/x/sync/semaphore")},
	// Servers of tools link no echo server, and no more foreign packages than these need.
	{"mcpkit/toolkit", []string{"internal/protocol", "internal/runtimeschema", "internal/transport", "internal/wire", "gen/jsonrt", "gen/jsontape", "mcpkit/serve"}, only(
		"github.com/mark3labs/mcp-go", "github.com/invopop/jsonschema", "github.com/go-json-experiment/json",
	)},
}

func nothing(string) bool { return false }

func only(modules ...string) func(string) bool {
	return func(path string) bool { return within(path, modules...) }
}

func notMCP(path string) bool {
	return !within(path, "github.com/mark3labs/mcp-go", "github.com/modelcontextprotocol")
}

func TestImportsGoOneWay(t *testing.T) {
	standard := map[string]bool{}
	for _, p := range goList(t, "std") {
		standard[p.ImportPath] = true
	}
	seen := map[string]bool{}
	for _, p := range goList(t, "./...") {
		path := strings.TrimPrefix(p.ImportPath, modulePath+"/")
		best := -1
		for i, r := range importRules {
			if within(path, r.folder) && (best < 0 || len(r.folder) > len(importRules[best].folder)) {
				best = i
			}
		}
		for _, imported := range p.Imports {
			own, isOwn := strings.CutPrefix(imported, modulePath+"/")
			if isOwn && within(own, "cmd") {
				t.Errorf("%s imports %s: cmd only wires, nobody imports it", path, own)
			}
			if best < 0 {
				continue
			}
			r := importRules[best]
			seen[r.folder] = true
			switch {
			case standard[imported]:
			case isOwn && (within(own, r.folder) || within(own, r.own...)):
			case isOwn:
				t.Errorf("%s imports %s; packages of %s may import only %q of this module", path, own, r.folder, r.own)
			case r.foreign != nil && !r.foreign(imported):
				t.Errorf("%s imports %s, which packages of %s must not", path, imported, r.folder)
			}
		}
	}
	require.NotEmpty(t, seen, "no package fell under any rule: have folders been renamed?")
}

// TestConsumersLinkOnlyStd: whoever imports generated types links nothing but them, the run time
// and the standard library.
func TestConsumersLinkOnlyStd(t *testing.T) {
	linked := map[string]bool{}
	for _, p := range goList(t, "-deps", "./generated") {
		if p.Standard {
			continue
		}
		linked[p.ImportPath] = true
		path, isOwn := strings.CutPrefix(p.ImportPath, modulePath+"/")
		require.True(t, isOwn && within(path, "generated", "gen/jsonrt", "gen/jsontape"), "a consumer of generated types links %s", p.ImportPath)
	}
	require.True(t, linked[modulePath+"/gen/jsonrt"], "looked at the wrong package: %v", linked)
}

// TestClientLinksNoTransport: a program that uses the client in memory, or the fake server in its
// tests, can start no process and open no connection.
func TestClientLinksNoTransport(t *testing.T) {
	linked := map[string]bool{}
	for _, p := range goList(t, "-deps", "./mcpkit/client") {
		linked[p.ImportPath] = true
	}
	require.True(t, linked[modulePath+"/gen/jsontape"], "looked at the wrong package: %v", linked)
	for _, path := range []string{"os/exec", "net/http", "net"} {
		require.False(t, linked[path], "mcpkit/client links %s", path)
	}
}

// TestExtractLinksNoServer: reading recorded messages takes neither a server nor a network.
func TestExtractLinksNoServer(t *testing.T) {
	linked := map[string]bool{}
	for _, p := range goList(t, "-deps", "./mcpkit/extract") {
		linked[p.ImportPath] = true
		require.True(t, notMCP(p.ImportPath), "mcpkit/extract links %s", p.ImportPath)
	}
	require.True(t, linked[modulePath+"/internal/envelope"], "looked at the wrong package: %v", linked)
	for _, path := range []string{modulePath, modulePath + "/internal/transport", modulePath + "/internal/server", "os/exec", "net/http", "net"} {
		require.False(t, linked[path], "mcpkit/extract links %s", path)
	}
}

// TestServerHasNoCompiler: nothing of the compiler is linked into the binary.
func TestServerHasNoCompiler(t *testing.T) {
	packages := goList(t, "./cmd/echo-mcp")
	require.Len(t, packages, 1)
	for _, dep := range packages[0].Deps {
		path, _ := strings.CutPrefix(dep, modulePath+"/")
		require.False(t, within(path, "gen/internal", "github.com/atombender/go-jsonschema"), "the server links %s", dep)
	}
}

// TestServerHasNoInterpreter: the schema interpreter that is linked into the binary is there
// for mcp-go, for the rule that input schemas are valid ones, which is asked at start and by
// lint, and for the schemas of other servers in catalogues. internal/server has the test that mcp-go doesn't use it.
func TestServerHasNoInterpreter(t *testing.T) {
	linked := 0
	for _, p := range goList(t, "-deps", "./cmd/echo-mcp") {
		if within(p.ImportPath, interpreter, "github.com/mark3labs/mcp-go", modulePath+"/internal/modelapi", modulePath+"/internal/runtimeschema") {
			linked++
			continue
		}
		for _, imported := range p.Imports {
			require.False(t, within(imported, interpreter), "%s imports %s", p.ImportPath, imported)
		}
	}
	require.NotZero(t, linked)
	require.Contains(t, read(t, "README.md"), "(mcp-go links one in, santhosh-tekuri/jsonschema, for options that stay off here; `echo-mcp lint` and `echo-mcp catalog` judge other servers' schemas with it.)")
}

const interpreter = "github.com/santhosh-tekuri/jsonschema"
