package schemafile_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"

	"github.com/zenlix/echo-mcp/internal/schemafile"
)

func TestNames(t *testing.T) {
	for id, want := range map[string]string{
		"zenlix-agent-stage-v1": "zenlix-agent-stage-v1.json",
		"a b":                   "a b.json",
		"über v1":               "über v1.json",
		"ключ":                  "ключ.json",
		"a/b":                   "a%2Fb.json",
		"a%2Fb":                 "a%252Fb.json",
		`\`:                     "%5C.json",
		"..":                    "%2E..json",
		".git":                  "%2Egit.json",
		"con":                   "%63on.json",
		"x.json":                "x.json.json",
		"tab\t\x00":             "tab%09%00.json",
		"😀":                     "%F0%9F%98%80.json",
		"https://e.x/s?a*":      "https%3A%2F%2Fe.x%2Fs%3Fa%2A.json",
	} {
		name, err := schemafile.Name(id)
		require.NoError(t, err)
		require.Equal(t, want, name)
	}
	for _, id := range []string{"", "\xff", strings.Repeat("x", 251), strings.Repeat("/", 84)} {
		_, err := schemafile.Name(id)
		require.Error(t, err, id)
	}
	for _, name := range []string{"100%.json", "%2.json", "%zz.json", "a%2.json", "%ff.json"} {
		_, err := schemafile.ID(name)
		require.Error(t, err, name)
	}
	id, err := schemafile.ID("a%2fb.json")
	require.NoError(t, err)
	require.Equal(t, "a/b", id)
}

// FuzzNames: every id that has a name comes back from it, and the name travels.
func FuzzNames(f *testing.F) {
	for _, id := range []string{"a", "a/b", "con", "nul.x", "..", " ", "%", "e\u0301", "aux.b"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		name, err := schemafile.Name(id)
		if err != nil {
			require.True(t, id == "" || !utf8.ValidString(id) || len(id) > 80)
			return
		}
		require.NoError(t, module.CheckFilePath(name))
		back, err := schemafile.ID(name)
		require.NoError(t, err)
		require.Equal(t, id, back)
	})
}
