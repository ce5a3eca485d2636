package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestDocumentedFlags: every flag and command of the program that a document names is there.
func TestDocumentedFlags(t *testing.T) {
	flags, commands := map[string]bool{"help": true}, map[string]bool{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		commands[cmd.Name()] = true
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(odd().newRoot())

	// Lines with flags of other programs; in docs/clients.md those are a client's row.
	otherPrograms := regexp.MustCompile(`(docker|kubectl|systemctl|sha256sum|COPY|echo-gen|echo-gen@latest) |^\| (mcporter|MCP Inspector|mcp-remote|mcp-proxy|supergateway) \|`)
	seen := 0
	for _, pattern := range []string{"../../README.md", "../../docs/*.md", "../../docs/deploy/*", "../../skills/*/SKILL.md"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for line := range strings.Lines(string(text)) {
				if otherPrograms.MatchString(line) {
					continue
				}
				for _, m := range regexp.MustCompile("(?:^|[\\s`(-])--([a-z][a-z0-9-]+)").FindAllStringSubmatch(line, -1) {
					seen++
					require.True(t, flags[m[1]], "%s speaks of --%s: %s", file, m[1], line)
				}
				for _, m := range regexp.MustCompile("(?:^|[|`] ?|/)echo-mcp ([a-z]+)").FindAllStringSubmatch(line, -1) {
					require.True(t, commands[m[1]], "%s speaks of echo-mcp %s", file, m[1])
				}
			}
		}
	}
	require.Greater(t, seen, 20)
}
