package gen

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/compiler"
	"github.com/zenlix/echo-mcp/gen/internal/fileerror"
	"github.com/zenlix/echo-mcp/gen/internal/names"
	"github.com/zenlix/echo-mcp/internal/schemafile"
)

// mostOutput is how long a file in the output folder may be to be looked at.
const mostOutput = 1 << 30

// output writes the files, or compares them with what is there.
func output(o options, now *compiler.Result, stderr io.Writer) int {
	files := now.Files()
	old, err := existing(o.out)
	if err != nil {
		return fail(stderr, err)
	}
	var changed, foreign, superfluous []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		have, there := old[name]
		switch {
		case there && !names.Ours(have):
			foreign = append(foreign, filepath.Join(o.out, name))
		case !there || !bytes.Equal(have, files[name]):
			changed = append(changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if files[name] == nil && names.Ours(old[name]) {
			superfluous = append(superfluous, name)
		}
	}
	if len(foreign) > 0 {
		fmt.Fprintf(stderr, "echo-gen: would overwrite %s, which it did not make; move it away or choose another -out\n", strings.Join(foreign, ", "))
		return exitFault
	}
	if o.check && !slices.ContainsFunc(slices.Collect(maps.Values(old)), names.Ours) {
		fmt.Fprintf(stderr, "echo-gen: %s holds nothing that echo-gen made; name the folder of the generated package with -out, or run go generate\n", o.out)
		return exitFault
	}
	if o.check {
		return stale(o, old, changed, superfluous, stderr)
	}
	if len(changed) > 0 {
		faults, err := now.Prove()
		if err != nil {
			return fail(stderr, fmt.Errorf("the generated code cannot be type-checked, so nothing was written: %w", err))
		}
		if len(faults) > 0 {
			report(faults, stderr)
			return exitFault
		}
	}
	if err := write(o.out, files, changed, superfluous); err != nil {
		return fail(stderr, fileerror.Word(o.out, err))
	}
	made := count(len(now.Plan.Messages), "message type")
	if o.Catalog != "" {
		made = count(now.Tools, "tool")
	}
	fmt.Fprintf(stderr, "echo-gen: %s, %s (%d written, %d removed)\n", made, count(len(files), "file"), len(changed), len(superfluous))
	if len(superfluous) > 0 && generatedBeside(o.out) {
		fmt.Fprintf(stderr, "echo-gen: if go generate now says that it can't open %s, all is well: it looks for the go:generate lines of a file that is gone. A line in a file whose name ends in _test.go is read last, and avoids that\n", superfluous[0])
	}
	return exitDone
}

// generatedBeside says whether go generate runs this for a line in a file of the folder written to,
// and has that folder's files still to read: it reads tests last.
func generatedBeside(out string) bool {
	file := os.Getenv("GOFILE")
	if file == "" || strings.HasSuffix(file, "_test.go") {
		return false
	}
	here, err := filepath.Abs(".")
	there, err2 := filepath.Abs(out)
	return err == nil && err2 == nil && here == there
}

// count says how many things there are.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// stale lists the files that are not what the schemas give.
func stale(o options, old map[string][]byte, changed, superfluous []string, stderr io.Writer) int {
	for _, name := range changed {
		what := "is stale"
		if _, there := old[name]; !there {
			what = "is missing"
		}
		fmt.Fprintf(stderr, "%s: %s; run go generate\n", filepath.ToSlash(filepath.Join(o.out, name)), what)
	}
	for _, name := range superfluous {
		fmt.Fprintf(stderr, "%s: has no schema any more; run go generate\n", filepath.ToSlash(filepath.Join(o.out, name)))
	}
	if len(changed)+len(superfluous) > 0 {
		return exitFault
	}
	return exitDone
}

// existing reads the Go files of the output folder. A folder that is not there has none.
func existing(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, fileerror.Word(dir, err)
	}
	old := map[string][]byte{}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".go" {
			continue
		}
		data, err := schemafile.Read(os.DirFS(dir), e.Name(), mostOutput)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, e.Name()), err)
		}
		old[e.Name()] = data
	}
	return old, nil
}

// write puts every changed file in place by renaming a finished copy, so that no half-written
// file is ever seen.
func write(dir string, files map[string][]byte, changed, superfluous []string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range changed {
		temp, err := os.CreateTemp(dir, ".echo-gen-*")
		if err != nil {
			return err
		}
		defer os.Remove(temp.Name()) // without effect once it is renamed
		_, err = temp.Write(files[name])
		if closeErr := temp.Close(); err == nil {
			err = closeErr
		}
		if err == nil {
			err = os.Chmod(temp.Name(), 0o644)
		}
		if err == nil {
			err = os.Rename(temp.Name(), filepath.Join(dir, name))
		}
		if err != nil {
			return err
		}
	}
	for _, name := range superfluous {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
