package dev

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/internal/schemafile"
)

// A package of generated code is compiled as a whole, which for sixty schemas takes many times as
// long as for one. So a build after a change leaves the package as it was at the last whole build,
// which is in Go's cache, and compiles what is different into a package of its own. One more file
// in the main package, which only the go command's -overlay option knows of, exchanges the message
// types in the package's Registry before main runs. Nothing of that is ever in the module.
//
// A program may have taken the Registry into another variable before. So the build is only used
// where the program, asked for its schemas, lists one that the same file added: the canary.

// errNotPatched says that the change can't be built in this way.
var errNotPatched = errors.New("the whole program has to be built")

// baseline is what the last whole build was made from.
type baseline struct {
	state state
	// files are copies of the generated files, by the path of the original.
	files map[string]string
}

// patch is the difference between a schemaSet and the last whole build.
type patch struct {
	set     schemaSet
	files   []string // of the schemas, relative to their folder
	removed []string // ids of message types that are no more
	dir     string   // what was generated from files, "" where nothing was
}

// patches gives the difference of every set, if it is one of schemas alone.
func (b *builder) patches(now state) ([]*patch, bool) {
	if b.base == nil || !maps.Equal(b.base.state.sources, now.sources) || !maps.Equal(b.base.state.mapped, now.mapped) {
		return nil, false
	}
	var all []*patch
	for _, set := range b.module.sets {
		if set.out == b.module.main || !within(set.out, b.module.dir) {
			return nil, false // a main package can't be imported
		}
		p := &patch{set: set}
		for _, path := range changes(b.base.state.schemas, now.schemas) {
			name, err := filepath.Rel(set.schemas, path)
			if err != nil || !filepath.IsLocal(name) {
				continue
			}
			if strings.Contains(name, ",") {
				return nil, false // it can't be said which file it is
			}
			if _, there := now.schemas[path]; there {
				p.files = append(p.files, filepath.ToSlash(name))
			} else if id, err := schemafile.ID(filepath.Base(name)); err == nil && name == filepath.Base(name) {
				p.removed = append(p.removed, id)
			}
		}
		if len(p.files)+len(p.removed) > 0 {
			all = append(all, p)
		}
	}
	return all, len(all) > 0
}

// generatePatches generates the packages of patches. Faults of the schemas are not told: what
// generates everything at the same time tells them.
func (b *builder) generatePatches(ctx context.Context, all []*patch) error {
	for i, p := range all {
		if len(p.files) == 0 {
			continue
		}
		dir := filepath.Join(b.tmp, "patch"+strconv.Itoa(i))
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if _, err := b.module.echoGen(ctx, p.set, "-only", strings.Join(p.files, ","), "-out", dir, "-package", patchName(i)); err != nil {
			return errNotPatched
		}
		p.dir = dir
		few, err := b.isSmall(p)
		if err != nil {
			return err
		}
		if !few {
			return errNotPatched
		}
	}
	return nil
}

// isSmall reports whether a patch is less than half of its package. If it isn't, a whole build
// costs about as much, and the patches after it are small again.
func (b *builder) isSmall(p *patch) (bool, error) {
	files, err := goFiles(p.dir)
	whole := 0
	for path := range b.base.files {
		if filepath.Dir(path) == p.set.out {
			whole++
		}
	}
	return 2*len(files) < whole, err
}

// patchName is the name of the package of a patch.
func patchName(i int) string { return "echodevpatch" + strconv.Itoa(i) }

// overlay makes the files for a build with the patches, and gives the path of the one for
// -overlay.
func (b *builder) overlay(all []*patch) (path string, err error) {
	replace := map[string]string{}
	for i, p := range all {
		files, err := goFiles(p.dir)
		if err != nil {
			return "", err
		}
		for _, file := range files {
			replace[filepath.Join(b.module.main, "internal", patchName(i), filepath.Base(file))] = file
			replace[filepath.Join(p.set.out, filepath.Base(file))] = "" // where it is new, it is not there
		}
	}
	// The generated package is what it was, whatever is being written there.
	maps.Copy(replace, b.base.files)
	swap := filepath.Join(b.tmp, "swap.go")
	if err := os.WriteFile(swap, b.swapFile(all), 0o600); err != nil {
		return "", err
	}
	replace[filepath.Join(b.module.main, "zz_echo_mcp_dev.go")] = swap
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path = filepath.Join(b.tmp, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}

// covers reports whether the patches have all that is different in the generated files now, but for
// the list of all message types.
func (b *builder) covers(all []*patch) bool {
	for _, p := range all {
		files, err := goFiles(p.set.out)
		if err != nil {
			return false
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				return false
			}
			kept, known := b.base.files[path]
			if known && same(kept, text) || !known && !bytes.HasPrefix(text, generatedBy) || filepath.Base(path) == registryName {
				continue
			}
			if _, err := os.Stat(filepath.Join(p.dir, filepath.Base(path))); p.dir == "" || err != nil {
				return false
			}
		}
	}
	return true
}

// registryName is the generated file that lists all message types.
const registryName = "registry.go"

// same reports whether a file has this text.
func same(path string, text []byte) bool {
	have, err := os.ReadFile(path)
	return err == nil && bytes.Equal(have, text)
}

// goFiles are the Go files of a folder that are no tests; none where there is no folder.
func goFiles(dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && filepath.Ext(e.Name()) == ".go" && !strings.HasSuffix(e.Name(), "_test.go") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, nil
}

// canaryVariable is the environment variable that has the program list the canaries.
const canaryVariable = "ECHO_MCP_DEV_CANARY"

// swapFile is the file in the main package. Its names are such as nobody else has in mind.
func (b *builder) swapFile(all []*patch) []byte {
	var f bytes.Buffer
	fmt.Fprintf(&f, "package main\n\nimport (\n\techoDevOS \"os\"\n\n\techoDevRT %q\n", runTime)
	for i, p := range all {
		fmt.Fprintf(&f, "\techoDevBase%d %q\n", i, b.module.importPath(p.set.out))
		if p.dir != "" {
			fmt.Fprintf(&f, "\techoDevPatch%d %q\n", i, b.module.importPath(filepath.Join(b.module.main, "internal", patchName(i))))
		}
	}
	f.WriteString(")\n\nfunc init() {\n")
	for i, p := range all {
		patched := "echoDevRT.NewRegistry()"
		if p.dir != "" {
			patched = fmt.Sprintf("echoDevPatch%d.Registry", i)
		}
		fmt.Fprintf(&f, `	{
		patched := %s
		gone := %#v
		for _, s := range patched.Schemas() {
			gone = append(gone, s.ID)
		}
		var canary []*echoDevRT.Schema
		if id := echoDevOS.Getenv(%q); id != "" {
			canary = append(canary, &echoDevRT.Schema{ID: id + %q})
		}
		merged, err := echoDevRT.Merge(echoDevBase%d.Registry.Without(gone...), patched, echoDevRT.NewRegistry(canary...))
		if err != nil {
			panic(err)
		}
		echoDevBase%d.Registry = merged
	}
`, patched, append([]string{}, p.removed...), canaryVariable, patchName(i), i, i)
	}
	f.WriteString("}\n")
	return f.Bytes()
}

// runTime is the import path of the package that generated code calls.
const runTime = "github.com/zenlix/echo-mcp/gen/jsonrt"

// verify reports whether a program serves what the patches have.
func (b *builder) verify(ctx context.Context, program string, all []*patch) bool {
	canary := "canary-" + rand.Text()
	out, err := b.module.run(ctx, b.module.dir, []string{canaryVariable + "=" + canary}, program, "schemas", "--json")
	if err != nil {
		return false
	}
	for i := range all {
		if !bytes.Contains(out, []byte(`"`+canary+patchName(i)+`"`)) {
			return false
		}
	}
	return true
}
