package house_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFeaturesNameTests: docs/features.md has the rows E1 to E41, each with tests, and
// docs/security.md a test for each threat; all of them exist.
func TestFeaturesNameTests(t *testing.T) {
	row := 0
	for line := range strings.Lines(read(t, "docs/features.md")) {
		if !strings.HasPrefix(line, "| E") {
			continue
		}
		row++
		require.True(t, strings.HasPrefix(line, "| E"+strconv.Itoa(row)+" |"), "row %d is missing: %s", row, line)
		checkTests(t, line)
	}
	require.Equal(t, 41, row)

	threats := 0
	_, table, found := strings.Cut(read(t, "docs/security.md"), "| threat | answer | test |\n|---|---|---|\n")
	require.True(t, found)
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		threats++
		checkTests(t, line)
	}
	require.Greater(t, threats, 10)
}

// checkTests looks up the tests in the last column of a table's row.
func checkTests(t *testing.T, line string) {
	t.Helper()
	columns := strings.Split(strings.TrimSpace(line), " | ")
	names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(columns[len(columns)-1], -1)
	require.NotEmpty(t, names, line)
	for _, m := range names {
		name := m[1]
		folder, function, isGo := strings.Cut(name, " ")
		file, title, isJS := strings.Cut(name, ".test.mjs: ")
		switch {
		case strings.HasPrefix(name, "make "): // the Makefile's targets have a test of their own
		case strings.HasSuffix(name, ".txtar"):
			require.True(t, scriptExists(t, name), "there is no script %s", name)
		case isJS:
			require.Contains(t, read(t, "internal/e2e/"+file+".test.mjs"), `test("`+title+`"`)
		case isGo:
			require.True(t, testExists(t, folder, function), "there is no test %s in %s", function, folder)
		default:
			t.Errorf("what test is %q?", name)
		}
	}
}

func scriptExists(t *testing.T, name string) bool {
	t.Helper()
	found := false
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		found = found || strings.HasSuffix(path, "testdata/script/"+name)
		return err
	})
	require.NoError(t, err)
	return found
}

func testExists(t *testing.T, folder, function string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(text), "\nfunc "+function+"(") {
			return true
		}
	}
	return false
}

// TestSkillExplainsEveryCode: the agent's instructions have a row for each error code, and
// for none that doesn't exist.
func TestSkillExplainsEveryCode(t *testing.T) {
	var codes, rows []string
	for _, m := range regexp.MustCompile(`Code = "([A-Z_]+)"`).FindAllStringSubmatch(read(t, "internal/echo/failure.go"), -1) {
		codes = append(codes, m[1])
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\|").FindAllStringSubmatch(read(t, "skills/echo/SKILL.md"), -1) {
		rows = append(rows, m[1])
	}
	require.Len(t, codes, 5)
	require.ElementsMatch(t, codes, rows)
}

// TestSkillSaysAppend: what was emitted is never changed; that is for the agent to keep to.
func TestSkillSaysAppend(t *testing.T) {
	skill := read(t, "skills/echo/SKILL.md")
	require.Contains(t, skill, "never change an emitted one")
	require.Regexp(t, `^---\nname: echo\ndescription: .{50,}\n---\n`, skill)
}
