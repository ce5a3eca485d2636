//go:build suite

package pattern

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const suites = "../../../shared/suites"

// TestOfficialPatterns runs the official suite's tests of patterns: in every draft, the
// strings against "pattern" and the member names against a sole pattern in
// "patternProperties" of a closed object.
func TestOfficialPatterns(t *testing.T) {
	files, err := filepath.Glob(suites + "/json-schema-test-suite/tests/draft*/optional/*-regex.json")
	require.NoError(t, err)
	more, err := filepath.Glob(suites + "/json-schema-test-suite/tests/draft*/pattern.json")
	require.NoError(t, err)
	files = append(files, more...)
	require.NotEmpty(t, files)
	checked := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var groups []struct {
			Schema struct {
				Pattern              string
				PatternProperties    map[string]any
				AdditionalProperties *bool
			}
			Tests []struct {
				Description string
				Data        json.RawMessage
				Valid       bool
			}
		}
		require.NoError(t, json.Unmarshal(data, &groups), file)
		for _, group := range groups {
			pattern := group.Schema.Pattern
			for p := range group.Schema.PatternProperties {
				pattern = p
			}
			if pattern == "" {
				continue // another keyword
			}
			p, err := Compile(pattern)
			require.NoError(t, err, "%s: %s", file, pattern)
			for _, test := range group.Tests {
				var s string
				var object map[string]any
				switch {
				case json.Unmarshal(test.Data, &s) == nil:
					require.Equal(t, test.Valid, p.Match(s), "%s: %s: %s", file, pattern, test.Description)
				case group.Schema.AdditionalProperties != nil && json.Unmarshal(test.Data, &object) == nil:
					for name := range object {
						require.Equal(t, test.Valid, p.Match(name), "%s: %s: %s", file, pattern, test.Description)
					}
				default:
					continue
				}
				checked++
			}
		}
	}
	require.Greater(t, checked, 300)
}

// TestRealPatternsCompile compiles every pattern of every real schema.
func TestRealPatternsCompile(t *testing.T) {
	kinds := map[Kind]int{}
	seen := map[string]bool{}
	var walk func(file string, value any)
	check := func(file, pattern string) {
		if seen[pattern] {
			return
		}
		seen[pattern] = true
		p, err := Compile(pattern)
		require.NoError(t, err, "%s: %s", file, pattern)
		p.Match("abc")
		kinds[p.Kind()]++
	}
	walk = func(file string, value any) {
		switch v := value.(type) {
		case map[string]any:
			if pattern, ok := v["pattern"].(string); ok {
				check(file, pattern)
			}
			if patterns, ok := v["patternProperties"].(map[string]any); ok {
				for pattern := range patterns {
					check(file, pattern)
				}
			}
			for key, sub := range v {
				// Values that are data, not schemas, may hold anything.
				if key != "default" && key != "examples" && key != "enum" && key != "const" && key != "defaultSnippets" {
					walk(file, sub)
				}
			}
		case []any:
			for _, sub := range v {
				walk(file, sub)
			}
		}
	}
	for _, folder := range []string{suites + "/validation-bench", suites + "/schemastore/schemas"} {
		files := 0
		require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".json" || strings.Contains(path, "docs") {
				return err
			}
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			var schema any
			require.NoError(t, json.Unmarshal(data, &schema), path)
			walk(path, schema)
			files++
			return nil
		}))
		require.NotZero(t, files)
	}
	t.Logf("%d patterns: %v", len(seen), kinds)
	require.Less(t, kinds[Backtrack], 5)
}
