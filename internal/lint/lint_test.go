package lint_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/lint"
	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// write writes files into a new folder and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// TestFiles: of a folder its own *.json are looked at, and what can't be is named.
func TestFiles(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"b.json": `{}`, "a.json": ` true`, "notes.md": "", "common/c.json": `{}`, "empty/d.md": "", "bad/e.json": "{\n  \"a\": x\n}", "x.schema": `{}`,
	})
	files, err := lint.Files([]string{dir, filepath.Join(dir, "x.schema")})
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f.Name))
	}
	require.Equal(t, []string{"a.json", "b.json", "x.schema"}, names)
	for path, want := range map[string]string{
		"none":  "none: can't be read: no such file or directory",
		"empty": "there are no files *.json in this folder",
		"bad":   "e.json:2:8: this is not JSON: ",
	} {
		_, err := lint.Files([]string{filepath.Join(dir, path)})
		var input *lint.InputError
		require.ErrorAs(t, err, &input)
		require.Contains(t, err.Error(), want)
	}
}

// TestFilePlaces: findings in a file have its lines and columns, in the order of the text.
func TestFilePlaces(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"a.json": "{\n  \"properties\": {\n    \"é\": {\"type\": \"array\"}, \"m\": {\"$ref\": \"common/m.json#/x\"},\n    \"n\": {\"$ref\": \"common/none.json\"}\n  },\n  \"type\": \"object\", \"anyOf\": []\n}", "common/m.json": `{}`,
	})
	files, err := lint.Files([]string{filepath.Join(dir, "a.json")})
	require.NoError(t, err)
	var got []string
	for _, f := range files[0].Lint(modelapi.Options{}) {
		require.Empty(t, f.ToolName)
		require.Equal(t, files[0].Name, f.File)
		got = append(got, strings.Join([]string{f.Rule.ID, f.Pointer, at(f)}, " "))
	}
	require.Equal(t, []string{
		"property-name /properties/é 3:5", "array-items /properties/é 3:10", "ref /properties/m/$ref 3:43",
		"ref-target /properties/n/$ref 4:19", "ref /properties/n/$ref 4:19", "root-composition /anyOf 6:21", "dialect /anyOf 6:30",
	}, got)
}

func at(f lint.Finding) string {
	text, err := json.Marshal([]int{f.Line, f.Column})
	if err != nil {
		panic(err) //nolint:forbidigo // two numbers
	}
	return strings.ReplaceAll(strings.Trim(string(text), "[]"), ",", ":")
}

// TestMend: a file is mended in rounds, keeps its permissions and what can't be mended.
func TestMend(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a.json": "{\n  \"type\": [\"object\"],\n  \"anyOf\": [{\"type\": \"array\"}]\n}\n"})
	require.NoError(t, os.Chmod(filepath.Join(dir, "a.json"), 0o640))
	files, err := lint.Files([]string{dir})
	require.NoError(t, err)
	require.Equal(t, 3, files[0].Mend(modelapi.Options{}))
	require.NoError(t, files[0].Write())
	text, err := os.ReadFile(filepath.Join(dir, "a.json"))
	require.NoError(t, err)
	require.Equal(t, "{\n  \"type\": \"object\",\n  \"properties\": {},\n  \"anyOf\": [{\"type\": \"array\", \"items\": {}}]\n}\n", string(text))
	info, err := os.Stat(filepath.Join(dir, "a.json"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	require.Zero(t, files[0].Mend(modelapi.Options{}))
	found := files[0].Lint(modelapi.Options{})
	require.Len(t, found, 1)
	require.Equal(t, "root-composition", found[0].Rule.ID)
}

// hostile are tools whose names and schemas would move a terminal's cursor.
func hostile() []lint.Finding {
	return lint.Tools([]modelapi.Tool{
		{Name: "clean\x1b[2J", Input: []byte(`{"type":"object","properties":{"\u001b[1m":{"type":"string"},"a":{"type":"array"},"b":{"type":"array"},"c":{"type":"array"},"d":{"type":"array"},"e":{"type":"array"}}}`)},
		{Name: "out", Input: []byte(`{"type":"object","properties":{}}`), Output: []byte(`{"type":"object","properties":{"x":{"type":"text"}}}`)},
		{Name: "out", Input: []byte(`{"type":"object","properties":{}}`)},
	}, modelapi.Options{})
}

// TestPrintText: each place is a line, many alike are counted, and each rule says once who
// objects, what to do and where that is written. Nothing in it is for a terminal to obey.
func TestPrintText(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, lint.PrintText(&out, hostile()))
	require.Equal(t, `tools/list: error: several tools are called "out" [list-names]
clean\x1b[2J: error: the name may have only letters, digits, _ and -, and begins with a letter or _ [name-characters]
clean\x1b[2J: error: /properties/\x1b[1m: the property "\x1b[1m" has a name that is not of 1 to 64 letters, digits, _, . and - [property-name]
clean\x1b[2J: error: /properties/a: this array has no items [array-items]
clean\x1b[2J: error: /properties/b: this array has no items [array-items]
clean\x1b[2J: error: /properties/c: this array has no items [array-items]
clean\x1b[2J: error: and 2 more such places [array-items]
out: error: output schema /properties/x/type: "type": "text" is not valid in draft 2020-12 [output-valid]

list-names (Anthropic API, OpenAI API)
  The API refuses every request: names of tools must be unique.
  Give each tool its own name.
  https://github.com/XSpoonAi/spoon-core/pull/16
`, first(out.String(), 13))
	require.Equal(t, 1, strings.Count(out.String(), "\narray-items (OpenAI API, VS Code)\n"))
	require.NotContains(t, out.String(), "\x1b")
	require.NotContains(t, out.String(), "--fix", "a server's tools can't be edited")
}

// first are the first lines of a text.
func first(text string, lines int) string {
	return strings.Join(strings.SplitAfter(text, "\n")[:lines], "")
}

func TestPrintJSON(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, lint.PrintJSON(&out, hostile()))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, len(hostile()))
	require.NotContains(t, out.String(), "\x1b")
	var row map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &row))
	require.Equal(t, "output-valid", row["rule"])
	require.Equal(t, "error", row["level"])
	require.Equal(t, "out", row["tool"])
	require.Equal(t, "output schema", row["subject"])
	require.Equal(t, "/properties/x/type", row["pointer"])
	require.Equal(t, false, row["fixable"])
	require.Contains(t, row["sources"], "https://github.com/anomalyco/opencode/issues/21591")
	for _, member := range []string{"message", "clients", "effect", "remedy"} {
		require.NotEmpty(t, row[member], member)
	}
	require.NotContains(t, row, "file")
}

func TestPrintSARIF(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a b.json": `{"type":"object"}`})
	files, err := lint.Files([]string{dir})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, lint.PrintSARIF(&out, append(files[0].Lint(modelapi.Options{}), hostile()...), "echo-mcp", "v1"))
	type place struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine, StartColumn int }
		}
		LogicalLocations []struct{ FullyQualifiedName string }
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Rules []struct{ ID, HelpURI string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []place
			}
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &log))
	require.Equal(t, "2.1.0", log.Version)
	require.Len(t, log.Runs, 1)
	run := log.Runs[0]
	require.Len(t, run.Results, 1+len(hostile()))
	for _, r := range run.Results {
		require.Equal(t, r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID)
		require.Len(t, r.Locations, 1)
		require.NotEmpty(t, r.Message.Text)
	}
	physical := run.Results[0].Locations[0].PhysicalLocation
	require.True(t, strings.HasSuffix(physical.ArtifactLocation.URI, "/a%20b.json"), physical.ArtifactLocation.URI)
	require.Equal(t, 1, physical.Region.StartColumn)
	require.Equal(t, "tools/list", run.Results[1].Locations[0].LogicalLocations[0].FullyQualifiedName)
	last := run.Results[len(run.Results)-1]
	require.Equal(t, "out output/properties/x/type", last.Locations[0].LogicalLocations[0].FullyQualifiedName)
	out.Reset()
	require.NoError(t, lint.PrintSARIF(&out, nil, "echo-mcp", ""))
	require.Contains(t, out.String(), `"results": []`)
	require.Contains(t, out.String(), `"rules": []`)
}
