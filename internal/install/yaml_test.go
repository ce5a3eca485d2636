package install_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/install"
)

// TestYAMLEdits: as TestEdits, for files of YAML as people have them.
func TestYAMLEdits(t *testing.T) {
	entry := func(indent string) string {
		lines := "echo:\n  type: streamable_http\n  name: echo\n  uri: \"http://127.0.0.1:3000/mcp\"\n" + strings.ReplaceAll(gooseRest, "    ", "  ")
		return indent + strings.TrimSuffix(strings.ReplaceAll(lines, "\n", "\n"+indent), indent)
	}
	const mine = "    description: mine\n    enabled: false\n    timeout: 5\n"
	try(t, map[string]change{
		"empty file":     {"goose", overHTTP, "", "extensions:\n" + entry("  ")},
		"only a comment": {"goose", overHTTP, "# mine", "# mine\nextensions:\n" + entry("  ")},
		"a mark and line ends of Windows": {
			"goose", overHTTP, "\uFEFF# mine\r\nA: 1\r\n",
			"\uFEFF" + strings.ReplaceAll("# mine\nA: 1\nextensions:\n"+entry("  "), "\n", "\r\n"),
		},
		"the example of its documentation": {
			"goose", overHTTP,
			"# Model\nactive_provider: anthropic\nproviders:\n  anthropic:\n    enabled: true\nGOOSE_SEARCH_PATHS:\n  - \"/usr/local/bin\"\n\n# Extensions\nextensions:\n  developer:\n    bundled: true\n    type: builtin\n  \n  memory:\n    timeout: 300 # long\n\n# Security\nSECURITY_PROMPT_ENABLED: true\n",
			"# Model\nactive_provider: anthropic\nproviders:\n  anthropic:\n    enabled: true\nGOOSE_SEARCH_PATHS:\n  - \"/usr/local/bin\"\n\n# Extensions\nextensions:\n  developer:\n    bundled: true\n    type: builtin\n  \n  memory:\n    timeout: 300 # long\n" + entry("  ") + "\n# Security\nSECURITY_PROMPT_ENABLED: true\n",
		},
		"no extensions, and a start of the document": {
			"goose", overHTTP, "%YAML 1.1\n---\nA: [1,\n2]\n", "%YAML 1.1\n---\nA: [1,\n2]\nextensions:\n" + entry("  "),
		},
		"deeper indentation, and an extension that is turned off": {
			"goose", overHTTP, "extensions:\n    a:\n        cmd: a\n    # b:\n    #   cmd: b\nZ: 1",
			"extensions:\n    a:\n        cmd: a\n    # b:\n    #   cmd: b\n" + strings.ReplaceAll(strings.ReplaceAll(entry("  "), "    ", "        "), "  echo", "    echo") + "Z: 1\n",
		},
		"nothing in extensions":     {"goose", overHTTP, "extensions: # none\nZ: 1\n", "extensions: # none\n" + entry("  ") + "Z: 1\n"},
		"braces without anything":   {"goose", overHTTP, "extensions: { } # none\nZ: 1\n", "extensions: # none\n" + entry("  ") + "Z: 1\n"},
		"null":                      {"goose", overHTTP, "extensions: ~\n", "extensions:\n" + entry("  ")},
		"an anchor used elsewhere":  {"goose", overHTTP, "a: &a\n  b: 1\nc: *a\n", "a: &a\n  b: 1\nc: *a\nextensions:\n" + entry("  ")},
		"a literal text at the end": {"goose", overHTTP, "A: |\n  # text\n", "A: |\n  # text\nextensions:\n" + entry("  ")},
		"letters beyond ASCII, and quotes": {
			"goose", overHTTP, "\"extensions\":\n  'é': {name: \"ö\", cmd: x}\n", "\"extensions\":\n  'é': {name: \"ö\", cmd: x}\n" + entry("  "),
		},
		"names that are no strings": {"goose", overHTTP, "1: {2: 3, true: x}\nextensions:\n  4: {cmd: a}\n", "1: {2: 3, true: x}\nextensions:\n  4: {cmd: a}\n" + entry("  ")},
		"our entry gets a new path and keeps what is set": {
			"goose", stdio,
			"extensions:\n  echo:\n    name: echo\n    cmd: 'C:\\old\\echo-mcp.exe' # old\n    args:\n      - x # why\n    type: stdio\n" + mine + "    envs: {A: b}\nZ: 1\n",
			"extensions:\n  echo:\n    name: echo\n    cmd: /opt/echo-mcp # old\n    args: [serve]\n    type: stdio\n" + mine + "    envs: {A: b}\nZ: 1\n",
		},
		"our entry moves to an address": {
			"goose", overHTTP,
			"extensions:\n  echo:\n    type: stdio # kind\n    name: echo\n    cmd: /old/echo-mcp\n    args:\n    - serve\n" + mine + "    # remark\n",
			"extensions:\n  echo:\n    type: streamable_http # kind\n    name: echo\n" + mine + "    # remark\n    uri: \"http://127.0.0.1:3000/mcp\"\n",
		},
		"our entry is empty": {"goose", overHTTP, "extensions:\n  echo: {}\n  z:\n", "extensions:\n" + entry("  ") + "  z:\n"},
		"a name in capitals": {
			"goose",
			install.Server{Name: "My_Echo", URL: overHTTP.URL},
			"",
			"extensions:\n" + strings.ReplaceAll(strings.ReplaceAll(entry("  "), "  echo:", "  my_echo:"), "name: echo", "name: My_Echo"),
		},
		"a name that is a word of YAML": {
			"goose",
			install.Server{Name: "true", URL: overHTTP.URL},
			"",
			"extensions:\n" + strings.ReplaceAll(strings.ReplaceAll(entry("  "), "  echo:", "  \"true\":"), "name: echo", "name: \"true\""),
		},
		"a path with every kind of character": {
			"goose",
			install.Server{Name: "echo", Command: "C:\\a b\\#: \"é\"\x7f\\echo-mcp.exe", Args: []string{"serve", "-", "1", "a,b]"}},
			"",
			"extensions:\n  echo:\n    type: stdio\n    name: echo\n    cmd: \"C:\\\\a b\\\\#: \\\"é\\\"\\u007F\\\\echo-mcp.exe\"\n    args: [serve, \"-\", \"1\", \"a,b]\"]\n" + gooseRest,
		},
	})
}

// TestYAMLRefusals: a file that can't be edited safely is named, with the reason and what to
// write by hand, and is not touched.
func TestYAMLRefusals(t *testing.T) {
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for _, c := range "123456789" {
		bomb += "a" + string(c) + ": &a" + string(c) + " [" + strings.Repeat("*a"+string(c-1)+",", 10) + "]\n"
	}
	const byHand = "write this into it by hand:\nextensions:\n  echo:\n    type: stdio\n"
	for name, c := range map[string]struct{ before, says, more string }{
		"a list":                {"- a\n", "it holds no mapping", ""},
		"a text":                {"hello\n", "it holds no mapping", ""},
		"extensions as a list":  {"extensions:\n- a\n", `"extensions" is not an object`, ""},
		"entry as a text":       {"extensions:\n  echo: x\n", `extensions: its member "echo" is not an object`, ""},
		"tab":                   {"extensions:\n  a:\n\tcmd: b\n", "line 3 is indented with a tab", ""},
		"not YAML":              {"a: [1\n", "not YAML: line ", ""},
		"not UTF-8":             {"a: \xff\n", "not written in UTF-8", ""},
		"repeated":              {"extensions: {}\nb: 1\nextensions: {}\n", `line 3: the member name "extensions" is repeated`, ""},
		"repeated deep inside":  {"a:\n- b:\n    c: 1\n    \"c\": 2\n", `line 4: the member name "c" is repeated`, ""},
		"unknown anchor":        {"a: *b\n", "unknown anchor 'b'", ""},
		"anchor in itself":      {"a: &b [*b]\n", "contains itself", ""},
		"bomb":                  {bomb, "excessive aliasing", ""},
		"braces at the root":    {`{"extensions": {}}`, "line 1 is written in braces, which this command can't edit safely", byHand},
		"braces in extensions":  {"a: 1\nextensions: {a: {cmd: b}}\n", "line 2 is written in braces", byHand},
		"braces in our entry":   {"extensions:\n  echo: {cmd: /a/echo-mcp}\n", "line 2 is written in braces", byHand},
		"extensions by alias":   {"a: &a\n  b: {cmd: c}\nextensions: *a\n", "line 3 refers to another part of the file (*a)", byHand},
		"shared by an alias":    {"extensions: &a\n  b: {cmd: c}\nd: *a\n", "unusual way", byHand},
		"merged from elsewhere": {"a: &a {b: {cmd: c}}\nextensions:\n  <<: *a\n  echo:\n    <<: {uri: \"http://a\", x: 1}\n", "unusual way", byHand},
		"unknown version":       {"%YAML 1.2\n---\na: 1\n", "begins with a directive", byHand},
		"two documents":         {"a: 1\n---\nb: 1\n", "more than one document", byHand},
		"end of a document":     {"a: 1\n...\n", "unusual way", byHand},
		"line ends of a Mac":    {"a: 1\rb: 2\r", "line ends other than", byHand},
		"key with a mark":       {"? extensions\n: a: {cmd: b}\n", "more than a name before its value", byHand},
	} {
		t.Run(name, func(t *testing.T) {
			e := env(t, "linux", nil)
			path := file(t, "goose", e, c.before)
			_, err := install.Plan("goose", e, stdio, install.Options{Force: true})
			var bad *install.FileError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, path, bad.Path)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, c.more)
			require.NotContains(t, err.Error(), " yaml:")
			_, err = install.PlanRemoval("goose", e, "echo", install.Options{Force: true})
			if err != nil {
				require.NotContains(t, err.Error(), "write this")
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, c.before, string(text))
		})
	}
}

// TestFixedNames: an extension that is built into Goose is another's, whatever starts it.
func TestFixedNames(t *testing.T) {
	e := env(t, "linux", nil)
	file(t, "goose", e, "extensions:\n  developer:\n    type: builtin\n    name: developer\n")
	named := stdio
	named.Name = "Developer"
	_, err := install.Plan("goose", e, named, install.Options{})
	var foreign *install.ForeignError
	require.ErrorAs(t, err, &foreign)
	require.ErrorContains(t, err, "which is of the type builtin")
	_, err = install.PlanRemoval("goose", e, "developer", install.Options{})
	require.ErrorAs(t, err, &foreign)
}
