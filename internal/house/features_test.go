package house_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFeaturesNameTests: docs/features.md has the rows E1 to E41, T1 to T35, M1 to M58 and C1 to C34,
// in order. Each quotes an assertion that stands in the code of the test that it names, and that
// no other row claims; a test named after a row is in that row. docs/security.md has a test for each threat. All tests
// exist.
func TestFeaturesNameTests(t *testing.T) {
	rows, claimed := map[string]int{}, map[string]bool{}
	for line := range strings.Lines(read(t, "docs/features.md")) {
		letter := featureRow.FindStringSubmatch(line)
		if letter == nil {
			continue
		}
		number, err := strconv.Atoi(letter[2])
		require.NoError(t, err)
		require.Equal(t, rows[letter[1]]+1, number, line)
		rows[letter[1]] = number
		row := letter[1] + letter[2]
		columns := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), "|"), " | ")
		require.Len(t, columns, 4, line)
		require.Equal(t, "| "+row, columns[0])
		quoted := assertedBy.FindStringSubmatch(columns[2])
		require.NotNil(t, quoted, "row %s names no assertion: `assertion` in `test`", row)
		require.False(t, claimed[columns[2]], "row %s has the assertion of another row", row)
		claimed[columns[2]] = true
		require.NoError(t, asserts(testCode(t, quoted[2]), quoted[1]), "row %s", row)
		for _, m := range backquoted.FindAllStringSubmatch(columns[3], -1) {
			require.NotEmpty(t, testCode(t, m[1]))
		}
	}
	require.Equal(t, map[string]int{"E": 41, "T": 35, "M": 58, "C": 34}, rows)

	files, err := filepath.Glob(filepath.Join(root, "mcpkit/toolkit/*_test.go"))
	require.NoError(t, err)
	catalogue, err := filepath.Glob(filepath.Join(root, "mcpkit/catalog/*_test.go"))
	require.NoError(t, err)
	require.NotEmpty(t, catalogue)
	for _, file := range append(append(files, catalogue...), filepath.Join(root, "internal/e2e/features_test.go")) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		folder, err := filepath.Rel(root, filepath.Dir(file))
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func (Test([ETMC][0-9]+)[A-Z]\w*)\(`).FindAllStringSubmatch(string(text), -1) {
			require.Regexp(t, `(?m)^\| `+m[2]+` \| .* in `+"`"+folder+" "+m[1]+"` ", read(t, "docs/features.md"), "%s is not what its row names", m[1])
		}
	}

	threats := 0
	_, table, found := strings.Cut(read(t, "docs/security.md"), "| threat | answer | test |\n|---|---|---|\n")
	require.True(t, found)
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		threats++
		columns := strings.Split(strings.TrimSpace(line), " | ")
		names := backquoted.FindAllStringSubmatch(columns[len(columns)-1], -1)
		require.NotEmpty(t, names, line)
		for _, m := range names {
			if !strings.HasPrefix(m[1], "make ") { // the Makefile's targets have a test of their own
				require.NotEmpty(t, testCode(t, m[1]))
			}
		}
	}
	require.Greater(t, threats, 10)
}

var (
	featureRow = regexp.MustCompile(`^\| ([ETMC])([0-9]+) `)
	backquoted = regexp.MustCompile("`([^`]+)`")
	assertedBy = regexp.MustCompile("^`([^`]+)` in `([^`]+)`$")
)

// asserts says whether code, that of a test without its comments, makes an assertion: that
// is at least twelve characters of it, which say more than that there is no error.
func asserts(code, assertion string) error {
	switch {
	case len(assertion) < 12, strings.Contains(assertion, "NoError(t, err"), strings.HasPrefix(assertion, "func "):
		return fmt.Errorf("%q says nothing about a promise", assertion)
	case !strings.Contains(code, assertion):
		return fmt.Errorf("the test doesn't assert %q", assertion)
	}
	return nil
}

// TestAssertionsAreLookedFor: a row can't be satisfied by a test that only exists, by a
// comment, or by words that every test has.
func TestAssertionsAreLookedFor(t *testing.T) {
	code := testCode(t, "internal/house TestAssertionsAreLookedFor")
	require.NoError(t, asserts(code, `require.Error(t, asserts(code`))
	// Nothing but a comment says this.
	require.Error(t, asserts(code, "Nothing but "+"a comment"), "a comment")
	require.Error(t, asserts(code, "require.NoError(t, err)"))
	require.Error(t, asserts(code, "require"))
	require.Error(t, asserts(testCode(t, "internal/house TestAgentsIsShort"), `require.Error(t, asserts(code`), "another test's")
	require.NotContains(t, testCode(t, "names.txtar"), "\n#")
}

// testCode gives the code of a test without comments: of a Go test its function, of a test in
// JavaScript what follows its title up to the next test, of a script the whole.
func testCode(t *testing.T, name string) string {
	t.Helper()
	if strings.HasSuffix(name, ".txtar") {
		path := scriptPath(t, name)
		require.NotEmpty(t, path, "there is no script %s", name)
		return regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(read(t, path), "")
	}
	if file, title, isJS := strings.Cut(name, ".test.mjs: "); isJS {
		_, code, found := strings.Cut(read(t, "internal/e2e/"+file+".test.mjs"), `test("`+title+`"`)
		require.True(t, found, "there is no test %s", name)
		code, _, _ = strings.Cut(code, "test(\"")
		return regexp.MustCompile(`(?m)^\s*//.*\n`).ReplaceAllString(code, "")
	}
	folder, function, isGo := strings.Cut(name, " ")
	require.True(t, isGo, "what test is %q?", name)
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		if code := functionCode(t, file, function); code != "" {
			return code
		}
	}
	t.Fatalf("there is no test %s in %s", function, folder)
	return ""
}

// functionCode gives a function's source without comments, "" where the file has no such function.
func functionCode(t *testing.T, file, function string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	if !strings.Contains(string(text), "\nfunc "+function+"(") {
		return ""
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.ParseComments)
	require.NoError(t, err)
	at := func(pos token.Pos) int { return set.Position(pos).Offset }
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Name.Name != function {
			continue
		}
		var code strings.Builder
		from := at(f.Pos())
		for _, c := range parsed.Comments {
			if c.Pos() > f.Pos() && c.End() < f.End() {
				code.Write(text[from:at(c.Pos())])
				from = at(c.End())
			}
		}
		code.Write(text[from:at(f.End())])
		return code.String()
	}
	return ""
}

// scriptPath finds a script by its name, "" where there is none.
func scriptPath(t *testing.T, name string) string {
	t.Helper()
	path := ""
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(p, "testdata/script/"+name) {
			path = p
		}
		return err
	})
	require.NoError(t, err)
	return path
}

// TestSkillExplainsEveryCode: the agent's instructions and the README have a row for each
// error code, and for none that doesn't exist.
func TestSkillExplainsEveryCode(t *testing.T) {
	var codes []string
	for _, m := range regexp.MustCompile(`Code = "([A-Z_]+)"`).FindAllStringSubmatch(read(t, "internal/echo/failure.go"), -1) {
		codes = append(codes, m[1])
	}
	require.Len(t, codes, 5)
	for _, document := range []string{"skills/echo/SKILL.md", "README.md"} {
		var rows []string
		for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\|").FindAllStringSubmatch(read(t, document), -1) {
			rows = append(rows, m[1])
		}
		require.ElementsMatch(t, codes, rows, document)
	}
}

// TestSkillSaysAppend: what was emitted is never changed; that is for the agent to keep to.
func TestSkillSaysAppend(t *testing.T) {
	skill := read(t, "skills/echo/SKILL.md")
	require.Contains(t, skill, "never change an emitted one")
	require.Regexp(t, `^---\nname: echo\ndescription: .{50,}\n---\n`, skill)
}
