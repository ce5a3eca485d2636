package typecheck_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/typecheck"
)

// TestCheck: each kind of code that the Go compiler refuses is a fault with its place.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name string
		file string
		want []string // how each fault begins
		decl string   // the declaration that the first one lies in
	}{
		{"good", "package p\n\nimport \"github.com/zenlix/echo-mcp/gen/jsonrt\"\n\nvar R = jsonrt.NewRegistry()\n", nil, ""},
		{"syntax", "package p\n\nfunc {\n", []string{"a.go:3:6: expected 'IDENT', found '{'"}, ""},
		{"recursive type", "package p\n\ntype T struct{ next T }\n", []string{"a.go:3:6: invalid recursive type"}, "T"},
		{"unknown name", "package p\n\nfunc f() int { return g() }\n", []string{"a.go:3:23: undefined: g"}, "f"},
		{"unknown name of the run time", "package p\n\nimport \"github.com/zenlix/echo-mcp/gen/jsonrt\"\n\nvar R = jsonrt.Nothing\n", []string{"a.go:5:16: undefined: jsonrt.Nothing"}, ""},
		{"unused import", "package p\n\nimport \"strings\"\n", []string{`a.go:3:8: "strings" imported and not used`}, ""},
		{"unused variable", "package p\n\nfunc f() { x := 1 }\n", []string{"a.go:3:12: declared and not used: x"}, "f"},
		{"repeated case", "package p\n\nfunc f(s string) {\n\tswitch s {\n\tcase \"a\", \"a\":\n\t}\n}\n", []string{"a.go:5:12: duplicate case", "a.go:5:7: \tprevious case"}, "f"},
		{"declared twice, in another file", "package p\n\nvar other int\n", []string{"b.go:3:6: other redeclared", "a.go:3:5: \tother decl"}, "other"},
		{"missing return", "package p\n\nfunc f() int {}\n", []string{"a.go:3:15: missing return"}, "f"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string][]byte{"a.go": []byte(c.file), "b.go": []byte("package p\n\nfunc other() {}\n")}
			faults, err := typecheck.Check(files)
			require.NoError(t, err)
			require.Len(t, faults, len(c.want), "%v", faults)
			for i, want := range c.want {
				require.True(t, strings.HasPrefix(faults[i].String(), want), "%s does not begin with %s", faults[i], want)
			}
			if len(faults) > 0 {
				require.Equal(t, c.decl, faults[0].Decl)
			}
		})
	}
}

// TestAnywhere: the compiler may be started in any folder.
func TestAnywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	faults, err := typecheck.Check(map[string][]byte{"a.go": []byte("package p\n\nimport \"github.com/zenlix/echo-mcp/gen/jsonrt\"\n\nvar R = jsonrt.NewRegistry()\n")})
	require.NoError(t, err)
	require.Empty(t, faults)
}

// TestNoRunTime: an import that is nowhere is told, with what to do.
func TestNoRunTime(t *testing.T) {
	_, err := typecheck.Check(map[string][]byte{"a.go": []byte("package p\n\nimport _ \"github.com/zenlix/echo-mcp/gen/nothing\"\n")})
	require.ErrorContains(t, err, "run this in a module that requires it (go get github.com/zenlix/echo-mcp). The go command says: ")
	require.NotContains(t, err.Error(), "exit status")
}

// TestNoGo: where there is no Go, that is what is told.
func TestNoGo(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := typecheck.Check(map[string][]byte{"a.go": []byte("package p\n\nimport _ \"github.com/zenlix/echo-mcp/gen/jsonrt\"\n")})
	require.EqualError(t, err, "the go command is needed, which is not in the PATH: install Go, or put it there")
}
