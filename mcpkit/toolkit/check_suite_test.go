//go:build suite

package toolkit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const suite = "../../../shared/suites/json-schema-test-suite/tests"

// otherwise are the files of the official suite some of whose verdicts are others here, with the
// reason. A file in which all are the suite's must not be here.
var otherwise = map[string]string{
	"draft4/optional/zeroTerminatedFloats.json": "1.0 is an integer in every dialect, as the later ones have it",
	"draft7/optional/content.json":              "contentMediaType and contentEncoding are annotations, as the later dialects have it",
	"draft2020-12/format.json":                  "formats are checked, as they are in generated types of this module",
}

// TestOfficialSuite: schemas that come at run time mean what the official suite says, in each
// dialect. A schema that refers to another document is refused when its tool is added.
func TestOfficialSuite(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for draft, dialect := range map[string]string{
		"draft4": "http://json-schema.org/draft-04/schema#", "draft6": "http://json-schema.org/draft-06/schema#", "draft7": "http://json-schema.org/draft-07/schema#",
		"draft2019-09": "https://json-schema.org/draft/2019-09/schema", "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
	} {
		for _, pattern := range []string{"*.json", "optional/*.json"} {
			files, err := filepath.Glob(filepath.Join(suite, draft, pattern))
			require.NoError(t, err)
			require.NotEmpty(t, files)
			for _, file := range files {
				name, err := filepath.Rel(suite, file)
				require.NoError(t, err)
				good, wrong := runSuite(t, file, dialect)
				if otherwise[name] != "" {
					seen[name] = true
					require.NotEmpty(t, wrong, "%s: all is as the suite has it now: take it off the list", name)
					continue
				}
				require.Empty(t, wrong, name)
				require.Positive(t, good, name)
			}
		}
	}
	require.Len(t, seen, len(otherwise))
}

// runSuite runs one file. wrong are the tests with another verdict.
func runSuite(t *testing.T, file, dialect string) (good int, wrong []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var groups []struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Description string
			Data        json.RawMessage
			Valid       bool
		}
	}
	require.NoError(t, json.Unmarshal(text, &groups))
	for _, g := range groups {
		source := string(g.Schema)
		if rest, ok := strings.CutPrefix(source, "{"); ok && !strings.Contains(source, `"$schema"`) {
			source = `{"$schema":"` + dialect + `"` + strings.TrimSuffix(","+rest, ",}")
			if strings.TrimSpace(rest) == "}" {
				source = `{"$schema":"` + dialect + `"}`
			}
		}
		s, err := compile(&definition{name: "t"}, sideInput, []byte(source))
		if err != nil {
			require.ErrorContains(t, err, "nothing is loaded", "%s: %s", file, g.Description)
			good++
			continue
		}
		for _, test := range g.Tests {
			if err := s.Validate(test.Data); (err == nil) != test.Valid {
				wrong = append(wrong, g.Description+": "+test.Description)
				continue
			}
			good++
		}
	}
	return good, wrong
}
