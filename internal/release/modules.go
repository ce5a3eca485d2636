package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
)

// stdlib is what the standard library is called in package URLs and by vulnerability
// databases.
const stdlib = "stdlib"

// module is a module of which code is linked into a program, or the standard library.
type module struct {
	path, version string    // the version of the standard library is Go's, without "go"; this module has none
	sha256        string    // go.sum's checksum of its files, in hexadecimal digits; "" for this module and the standard library
	requires      []string  // paths of the modules that its linked code imports, sorted
	licences      []licence // by name of the file
}

// listedPackage is what `go list` says about a linked package.
type listedPackage struct {
	Dir, ImportPath, Root string
	Standard              bool
	Imports               []string
	Module                struct{ Path, Version, Dir string }
}

// listPackages lists the packages of the program for the platform that env names.
func listPackages(ctx context.Context, root string, env []string) ([]listedPackage, error) {
	out, err := command(ctx, root, env, "go", "list", "-deps", "-json=Dir,ImportPath,Root,Standard,Imports,Module", "./"+program)
	if err != nil {
		return nil, err
	}
	var all []listedPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("what go list prints: %w", err)
		}
		all = append(all, p)
	}
}

// listedModule is what the packages of a module say about it.
type listedModule struct {
	version, dir       string
	packages, requires map[string]bool // folders of its packages, paths of other modules
}

// listModules sorts packages by their modules' paths.
func listModules(packages []listedPackage, goVersion string) map[string]listedModule {
	modules := map[string]listedModule{}
	owners := map[string]string{}
	for _, p := range packages {
		path, m := p.Module.Path, listedModule{version: p.Module.Version, dir: p.Module.Dir}
		if p.Standard {
			path, m = stdlib, listedModule{version: goVersion, dir: p.Root}
		}
		owners[p.ImportPath] = path
		if _, ok := modules[path]; !ok {
			m.packages, m.requires = map[string]bool{}, map[string]bool{}
			modules[path] = m
		}
		// All of the standard library that is linked is under Go's own licence. One of its
		// folders, crypto/internal/boring, has another for what only other builds link.
		if !p.Standard {
			modules[path].packages[p.Dir] = true
		}
	}
	for _, p := range packages {
		from := owners[p.ImportPath]
		for _, imported := range p.Imports {
			// The standard library imports what it has a copy of, under the path of the original.
			if to := owners[imported]; to != "" && to != from && from != stdlib {
				modules[from].requires[to] = true
			}
		}
	}
	return modules
}

// linked are the modules of a program: this module first, then the standard library, then
// the others by path. What they are comes from the program itself; the packages say where
// their files are and which needs which. It is an error if the two differ, if a module is
// replaced by something that go.sum can't vouch for, or if a licence is missing or isn't
// accepted.
func linked(info *debug.BuildInfo, packages []listedPackage) ([]module, error) {
	goVersion, _, _ := strings.Cut(strings.TrimPrefix(info.GoVersion, "go"), " ")
	modules := []module{{path: info.Main.Path}, {path: stdlib, version: goVersion}}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			return nil, fmt.Errorf("%s is replaced by %s: take the replace line out of go.mod, or require the other", dep.Path, dep.Replace.Path)
		}
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(dep.Sum, "h1:"))
		if err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("%s %s has the checksum %q, which is none of go.sum's kind: run go mod tidy", dep.Path, dep.Version, dep.Sum)
		}
		modules = append(modules, module{path: dep.Path, version: dep.Version, sha256: hex.EncodeToString(sum)})
	}
	listed := listModules(packages, goVersion)
	for i := range modules {
		m := &modules[i]
		l, ok := listed[m.path]
		if !ok || l.version != m.version {
			return nil, fmt.Errorf("the program holds %s %s, go list says %q: build again, go.mod has changed meanwhile", m.path, m.version, l.version)
		}
		delete(listed, m.path)
		m.requires = slices.Sorted(maps.Keys(l.requires))
		var err error
		if m.licences, err = readLicences(l.dir, slices.Collect(maps.Keys(l.packages))); err != nil {
			return nil, fmt.Errorf("%s %s: %w", m.path, m.version, err)
		}
	}
	if len(listed) > 0 {
		return nil, fmt.Errorf("go list names %q, which the program doesn't hold: build again, go.mod has changed meanwhile", slices.Sorted(maps.Keys(listed)))
	}
	return modules, nil
}
