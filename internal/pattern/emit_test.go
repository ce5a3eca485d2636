package pattern

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestEmitGolden shows the source for one pattern of each kind.
func TestEmitGolden(t *testing.T) {
	var b strings.Builder
	for i, pattern := range []string{
		``, `[]`, `^abc$`, `^x-`, `\.json$`, `foo`,
		`^(true|false)$`, `\.(svg|png)$`,
		`^[a-zA-Z0-9_-]{1,64}$`, `^[^ /]{2,}$`, `^.+$`, `[^\s]`, `^[^]{3}$`,
		`^[A-Z]{2}-[0-9]+$`, `^\$\{[^}]+\}$`, `^-?[1-9][0-9]*px`,
		`^(?!@@)[\w@]+$`, `^(?!variables$|^x-)(?=.*\p{Lu}).+$`,
		`^(a+)+$`, `^\p{L}[\p{L}\d]*$`, "^(['\"]).*`\\1$", `^(?:(?!--)[a-z-])+$`, `^(\w+)-\1$`,
		"a*/\n//go:embed x`\"\u2028" + `\u0000`,
	} {
		p, err := Compile(pattern)
		require.NoError(t, err)
		src, imports := p.Emit(fmt.Sprintf("pattern%d", i))
		formatted, err := format.Source([]byte(src))
		require.NoError(t, err, "%s\n%s", pattern, src)
		fmt.Fprintf(&b, "// %v %s\n%s\n", p.Kind(), strings.Join(imports, " "), strings.TrimSpace(string(formatted)))
		if i > 0 {
			b.WriteByte('\n')
		}
	}
	const golden = "testdata/emit.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "run go test ./internal/pattern -update and review the difference")
}

// TestEmittedCodeMatchesAlike builds the source of every pattern of the table into one
// program and runs it over every string.
func TestEmittedCodeMatchesAlike(t *testing.T) {
	goTool, err := exec.LookPath("go")
	require.NoError(t, err)
	var body strings.Builder
	used := map[string]bool{"encoding/json": true, "os": true}
	var functions []string
	var subjects, want [][]string
	for i, c := range table {
		p, err := Compile(c.pattern)
		require.NoError(t, err)
		fn := fmt.Sprintf("pattern%d", i)
		src, imports := p.Emit(fn)
		body.WriteString(src)
		for _, path := range imports {
			used[path] = true
		}
		if p.Costs() {
			fn = "paid(" + fn + ")"
		}
		functions = append(functions, fn)
		var matched, all []string
		for _, s := range slices.Concat(c.yes, c.no) {
			hex := fmt.Sprintf("%x", s) // JSON would spoil lone surrogates
			all = append(all, hex)
			if p.Match(s) {
				matched = append(matched, hex)
			}
		}
		subjects, want = append(subjects, all), append(want, matched)
	}
	used["encoding/hex"], used[jsonrtPath], used["github.com/zenlix/echo-mcp/gen/jsontape"] = true, true, true
	var program strings.Builder
	program.WriteString("package main\n\nimport (\n")
	for path := range used {
		fmt.Fprintf(&program, "%q\n", path)
	}
	fmt.Fprintf(&program, `)

// paid makes a function of a string out of one that costs.
func paid(matches func(c *jsonrt.Checker, v int, at string) bool) func(string) bool {
	schema := &jsonrt.Schema{Check: func(c *jsonrt.Checker, v int) bool {
		return matches(c, v, "#/pattern") || c.Fail(v, "#", "pattern", "")
	}}
	return func(s string) bool { return schema.Validate(jsontape.AppendQuoted(nil, s)) == nil }
}

func main() {
	functions := []func(string) bool{%s}
	var subjects, matched [][]string
	if err := json.NewDecoder(os.Stdin).Decode(&subjects); err != nil {
		os.Exit(1)
	}
	for i, list := range subjects {
		matched = append(matched, nil)
		for _, s := range list {
			text, _ := hex.DecodeString(s)
			if functions[i](string(text)) {
				matched[i] = append(matched[i], s)
			}
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(matched)
}

`, strings.Join(functions, ", "))
	program.WriteString(body.String())

	// An overlay gives the program a place inside the module without writing there.
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(source, []byte(program.String()), 0o644))
	here, err := os.Getwd()
	require.NoError(t, err)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(here, "emitted", "main.go"): source}})
	require.NoError(t, err)
	overlayFile := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlayFile, overlay, 0o644))
	input, err := json.Marshal(subjects)
	require.NoError(t, err)

	run := exec.Command(goTool, "run", "-overlay", overlayFile, "./emitted")
	run.Stdin = strings.NewReader(string(input))
	run.Stderr = os.Stderr
	out, err := run.Output()
	require.NoError(t, err)
	var got [][]string
	require.NoError(t, json.Unmarshal(out, &got))
	for i, c := range table {
		require.Equal(t, want[i], got[i], c.pattern)
	}
}

// TestEmittedTextIsInert puts into patterns what could break out of a comment or a literal.
func TestEmittedTextIsInert(t *testing.T) {
	for _, evil := range []string{
		"*/ func init() {}", "\n//go:build ignore\n", "`+panic(1)+`", "\"+panic(1)+\"", "\r\nimport \"C\"", "\u2028\u2029\x00\x7f", "\xed\xa0\x80", "%s%d%!",
	} {
		quoted := strings.NewReplacer("*", `\*`, "(", `\(`, ")", `\)`, "{", `\{`, "}", `\}`, "+", `\+`).Replace(evil)
		for _, pattern := range []string{quoted, "^" + quoted + "$", "^" + quoted, "(a+)+" + quoted + "(b|c+)*d", "(?<=x)" + quoted, "^[" + strings.NewReplacer("[", "", "]", "", "-", `\-`).Replace(evil) + "]+$"} {
			p, err := Compile(pattern)
			if err != nil {
				continue // not every text is a class
			}
			src, _ := p.Emit("patternEvil")
			formatted, err := format.Source([]byte("package x\n" + src))
			require.NoError(t, err, "%q\n%s", pattern, src)
			for line := range strings.Lines(string(formatted)) {
				require.False(t, strings.HasPrefix(line, "//go:"), line)
				require.NotContains(t, line, "\r")
			}
			file, err := parser.ParseFile(token.NewFileSet(), "", formatted, 0)
			require.NoError(t, err)
			for name := range file.Scope.Objects {
				require.True(t, strings.HasPrefix(name, "patternEvil"), name)
			}
			require.Empty(t, file.Imports)
		}
	}
}
