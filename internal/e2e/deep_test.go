//go:build linux

package e2e_test

import (
	"bufio"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/e2e"
	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// nests are documents that nest as deep as may be, valid and not.
func nests(depth int) map[string]string {
	nest := func(open, middle, end string, levels int) string {
		n := depth / levels
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	return map[string]string{
		"arrays":           nest(`[`, ``, `]`, 1),
		"arrays, a fault":  nest(`[`, `7`, `]`, 1),
		"objects":          strings.Repeat(`{"":`, depth-1) + `{}` + strings.Repeat(`}`, depth-1),
		"objects, a fault": nest(`{"a":`, `"x"`, `}`, 1),
		"children":         nest(`{"children":[`, ``, `]}`, 2),
		"steps":            nest(`{"tool":"a","duration_ms":1,"outcome":{"status":"skipped"},"steps":[`, ``, `]}`, 2),
	}
}

// TestDeepest: the deepest document that any flag allows does not end the process, whatever
// the schema asks at each level, and takes the stack that transport.Options.Memory counts.
func TestDeepest(t *testing.T) {
	deep := filepath.Join(t.TempDir(), "deep")
	require.NoError(t, e2e.Build(t.Context(), "../..", "internal/e2e/testdata/deep", deep))
	for program, schemas := range map[string][]string{
		binary: {"tool_run_report_v1", "report_outline_v1"},
		deep:   {"plain", "one_of", "logic", "dynamic"},
	} {
		for _, schema := range schemas {
			for name, text := range nests(transport.MaxDepthCeiling) {
				cmd := exec.CommandContext(t.Context(), program, "validate", "--schema", schema, "--max-depth", "100000")
				cmd.Stdin = strings.NewReader(text)
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				if errors.As(err, &exit) {
					require.Equal(t, 1, exit.ExitCode(), "%s, %s: %.2000s", schema, name, out)
				} else {
					require.NoError(t, err, "%s, %s: %.2000s", schema, name, out)
				}
			}
		}
		cmd := exec.CommandContext(t.Context(), program, "serve", "--max-depth", "100000")
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		answers := bufio.NewReader(out)
		for _, schema := range schemas {
			for name, text := range nests(transport.MaxDepthCeiling) {
				_, err := in.Write(append(rawclient.Echo("1", schema, []byte(text)), '\n'))
				require.NoError(t, err, "%s, %s", schema, name)
				answer, err := answers.ReadBytes('\n')
				require.NoError(t, err, "%s, %s", schema, name)
				require.Contains(t, string(answer), `"structuredContent":{"ok":`, "%s, %s", schema, name)
			}
		}
		require.Less(t, process{cmd}.peak(t), transport.MaxDepthCeiling*1280+80<<20)
		require.NoError(t, in.Close())
		require.NoError(t, waitAtMost(cmd, time.Minute))
	}
}
