package types

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"maps"
	"slices"
	"sync"
)

// imported are the packages that generated code may use, read from their sources once for all
// tests.
var imported = sync.OnceValue(func() gotypes.Importer {
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

// typeCheck gives what the Go compiler would say against the files, at most ten faults. It is
// what makes it possible to try thousands of schemas: to compile one takes a second.
func typeCheck(files map[string][]byte) (faults []error) {
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := parser.ParseFile(set, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return []error{err}
		}
		parsed = append(parsed, f)
	}
	note := func(err error) {
		if len(faults) < 10 {
			faults = append(faults, err)
		}
	}
	_, err := (&gotypes.Config{Importer: imported(), Error: note}).Check("generated", set, parsed, nil)
	if err != nil && len(faults) == 0 {
		faults = append(faults, err)
	}
	return faults
}
