//go:build suite

package trial

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

var drafts = map[string]load.Draft{
	"draft4": load.Draft4, "draft6": load.Draft6, "draft7": load.Draft7, "draft2019-09": load.Draft2019, "draft2020-12": load.Draft2020,
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

func TestOfficialSuite(t *testing.T) {
	root := filepath.Join(suites(t), "json-schema-test-suite")
	for _, draft := range []string{"draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"} {
		for _, part := range []struct {
			name, glob string
			format     bool
		}{{"required", "*.json", false}, {"optional", "optional/*.json", false}, {"format", "optional/format/*.json", true}} {
			t.Run(draft+"/"+part.name, func(t *testing.T) {
				runSuite(t, root, draft, part.glob, part.format)
			})
		}
	}
}

func runSuite(t *testing.T, root, draft, glob string, format bool) {
	paths, err := filepath.Glob(filepath.Join(root, "tests", draft, glob))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	schemas, cases, order := map[string]string{}, map[string]suiteCase{}, []string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var list []suiteCase
		require.NoError(t, json.Unmarshal(data, &list))
		for i, c := range list {
			id := fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(path), ".json"), i)
			schemas[id], cases[id] = string(c.Schema), c
			order = append(order, id)
		}
	}
	compiled := Compile(t, schemas, Options{Default: drafts[draft], AssertFormat: format, Maps: []load.Mapping{{Prefix: "http://localhost:1234/", Dir: filepath.Join(root, "remotes")}}})
	good, total := 0, 0
	var wrong []string
	sort.Strings(order)
	for _, id := range order {
		c := cases[id]
		total += len(c.Tests)
		if faults := compiled.Refused[id]; faults != nil {
			wrong = append(wrong, fmt.Sprintf("REFUSED %s: %s: %v", id, c.Description, faults[0]))
			continue
		}
		var documents []string
		for _, test := range c.Tests {
			documents = append(documents, string(test.Data))
		}
		for i, r := range compiled.Validate(t, id, documents...) {
			if r.Valid == c.Tests[i].Valid && r.Error == "" {
				good++
			} else {
				wrong = append(wrong, fmt.Sprintf("WRONG %s: %s: %s: said %v %s", id, c.Description, c.Tests[i].Description, r.Valid, r.Error))
			}
		}
	}
	t.Logf("passed %d of %d", good, total)
	for _, w := range wrong {
		t.Log(w)
	}
	if good != total {
		t.Fail()
	}
}
