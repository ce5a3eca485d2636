//go:build suite

package trial

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// drafts are the folders of the suite, in the order of the support table.
var drafts = []struct {
	name  string
	draft load.Draft
}{
	{"draft3", load.Draft3},
	{"draft4", load.Draft4},
	{"draft6", load.Draft6},
	{"draft7", load.Draft7},
	{"draft2019-09", load.Draft2019},
	{"draft2020-12", load.Draft2020},
	{"v1", load.V1},
}

// parts are what each of them is made of. In v1 the formats are not optional.
func parts(draft load.Draft) []part {
	formats := "optional/format/*.json"
	list := []part{{"required", "*.json", false}, {"optional", "optional/*.json", false}}
	if draft == load.V1 {
		formats = "format/*.json"
		list = append(list, part{"proposals", "proposals/*/*.json", false})
	}
	return append(list, part{"format", formats, true})
}

type part struct {
	name, glob string
	format     bool
}

// suiteCase is one case of the official suite: a schema and its tests.
type suiteCase struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// suites is the folder of the test data, beside the project.
func suites(t *testing.T) string {
	dir := filepath.Join(Root(t), "..", "shared", "suites")
	_, err := os.Stat(dir)
	require.NoError(t, err, "the suites are missing; they belong beside the project")
	return dir
}

// known reads the accepted failures: lines of "case: reason".
func known(t *testing.T) map[string]string {
	data, err := os.ReadFile(filepath.Join(Root(t), "gen", "internal", "trial", "known.txt"))
	require.NoError(t, err)
	list := map[string]string{}
	for _, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ": ")
		require.True(t, ok, "a line of known.txt without a reason: %s", line)
		list[name] = reason
	}
	return list
}

// tally is what one part of the suite came to.
type tally struct{ good, total int }

func TestOfficialSuite(t *testing.T) {
	root := filepath.Join(suites(t), "json-schema-test-suite")
	accepted := known(t)
	met := map[string]bool{}
	table := map[string]map[string]tally{}
	for _, d := range drafts {
		table[d.name] = map[string]tally{}
		for _, part := range parts(d.draft) {
			result, failures := runSuite(t, root, d.name, d.draft, part.glob, part.format)
			table[d.name][part.name] = result
			for name, why := range failures {
				if accepted[name] == "" {
					t.Errorf("%s: %s", name, why)
				}
				met[name] = true
			}
		}
	}
	for name := range accepted {
		if !met[name] {
			t.Errorf("%s is listed in known.txt but passes: take it out", name)
		}
	}
	writeSupport(t, table)
}

// runSuite runs one part of one draft. Failures are named by file, case and test.
func runSuite(t *testing.T, root, draft string, read load.Draft, glob string, format bool) (tally, map[string]string) {
	paths, err := filepath.Glob(filepath.Join(root, "tests", draft, filepath.FromSlash(glob)))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	schemas, cases, titles := map[string]string{}, map[string]suiteCase{}, map[string]string{}
	var order []string
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var list []suiteCase
		require.NoError(t, json.Unmarshal(data, &list))
		name, err := filepath.Rel(filepath.Join(root, "tests"), path)
		require.NoError(t, err)
		for i, c := range list {
			id := fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(path), ".json"), i)
			schemas[id], cases[id], titles[id] = string(c.Schema), c, filepath.ToSlash(name)+" / "+c.Description
			order = append(order, id)
		}
	}
	compiled := Compile(t, schemas, Options{Default: read, AssertFormat: format, Maps: []load.Mapping{{Prefix: "http://localhost:1234/", Dir: filepath.Join(root, "remotes")}}})
	var result tally
	failures := map[string]string{}
	for _, id := range order {
		c := cases[id]
		var documents []string
		for _, test := range c.Tests {
			documents = append(documents, string(test.Data))
		}
		var answers []Result
		faults := compiled.Refused[id]
		if faults == nil {
			answers = compiled.Validate(t, id, documents...)
		}
		for i, test := range c.Tests {
			result.total++
			name := strings.ReplaceAll(titles[id]+" / "+test.Description, ": ", "; ")
			switch {
			case faults != nil:
				failures[name] = "the schema is refused: " + faults[0].Message
			case answers[i].Valid != test.Valid || answers[i].Error != "":
				failures[name] = fmt.Sprintf("said %v %s", answers[i].Valid, answers[i].Error)
			default:
				result.good++
			}
		}
	}
	t.Logf("%s %s: passed %d of %d", draft, glob, result.good, result.total)
	return result, failures
}
