package gen

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/compiler"
)

// TestOutputCompiles: code that does not compile is never put in anybody's way. The fault is
// the compiler's, says so, and names the schema; what stood there before stays.
func TestOutputCompiles(t *testing.T) {
	dir := t.TempDir()
	schemas, out := filepath.Join(dir, "schemas"), filepath.Join(dir, "out")
	require.NoError(t, os.Mkdir(schemas, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(schemas, "note.json"), []byte(`{"type": "object", "properties": {"a": {"type": "object", "required": ["b"]}}}`), 0o644))
	o, err := parse([]string{"-schemas", schemas, "-out", out})
	require.NoError(t, err)
	good, faults, err := compiler.Compile(o.Options)
	require.NoError(t, err)
	require.Empty(t, faults)
	var told bytes.Buffer
	require.Equal(t, exitDone, output(o, good, &told), told.String())
	before, err := existing(out)
	require.NoError(t, err)

	for _, c := range []struct{ file, old, new, place, fault string }{
		{"note_schema.go", "func checkNoteA(c *jsonrt.Checker, v int) bool {", "func checkNoteA(c *jsonrt.Checker, v int) bool {\nunused := 1\n", "note.json:1:40: /properties/a: ", "declared and not used: unused, in checkNoteA\n"},
		{"note_types.go", "type Note struct {", "type Note struct {\nNext Note\n", "note.json:1:1: ", ", in Note\n"},
		{"registry.go", "jsonrt.NewRegistry(", "jsonrt.NoRegistry(", "registry.go: ", "undefined: jsonrt.NoRegistry\n"},
	} {
		t.Run(c.file, func(t *testing.T) {
			bad, _, err := compiler.Compile(o.Options)
			require.NoError(t, err)
			files := bad.Checks
			if files[c.file] == nil {
				files = bad.Types
			}
			require.Contains(t, string(files[c.file]), c.old)
			files[c.file] = bytes.Replace(files[c.file], []byte(c.old), []byte(c.new), 1)
			told.Reset()
			require.Equal(t, exitFault, output(o, bad, &told))
			require.Contains(t, told.String(), c.place+"the Go made from this schema does not compile, which is a fault of the compiler and not of the schema; nothing was written. Please report it")
			require.Contains(t, told.String(), c.fault)
			after, err := existing(out)
			require.NoError(t, err)
			require.Equal(t, before, after)
		})
	}
}
