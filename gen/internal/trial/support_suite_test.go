//go:build suite

package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	supportBegin = "<!-- support table: written by make suite -->\n"
	supportEnd   = "<!-- end of support table -->\n"
)

// writeSupport compares the support table in the README with what the suite came to. With
// UPDATE=1 it writes the table.
func writeSupport(t *testing.T, table map[string]map[string]tally) {
	var b strings.Builder
	b.WriteString("| draft | required tests | optional tests | format tests (`-assert-format`) |\n|---|---|---|---|\n")
	for _, d := range drafts {
		draft := d.name
		fmt.Fprintf(&b, "| %s ", strings.TrimPrefix(draft, "draft"))
		for _, part := range []string{"required", "optional", "format"} {
			fmt.Fprintf(&b, "| %d of %d ", table[draft][part].good, table[draft][part].total)
		}
		b.WriteString("|\n")
	}
	fmt.Fprintf(&b, "\nThe proposals for v1: %d of %d.\n", table["v1"]["proposals"].good, table["v1"]["proposals"].total)
	path := filepath.Join(Root(t), "README.md")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(data), supportBegin)
	require.True(t, ok, "README.md has no support table to write")
	have, after, ok := strings.Cut(rest, supportEnd)
	require.True(t, ok, "the support table in README.md has no end")
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(path, []byte(before+supportBegin+b.String()+supportEnd+after), 0o644))
		return
	}
	require.Equal(t, b.String(), have, "the support table in README.md is not what the suite came to; run UPDATE=1 make suite")
}
