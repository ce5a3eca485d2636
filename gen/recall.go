package gen

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/emit"
	"github.com/zenlix/echo-mcp/gen/internal/names"
	"github.com/zenlix/echo-mcp/internal/schemafile"
)

// meanings are the flags that decide what the generated code means. They are recorded in the
// output, so that nobody has to repeat them: -check asks whether the output is what it claims
// to be, -diff and -dump speak of the same meaning. A -map is not recorded, for it names a
// folder of one machine.
var meanings = []string{"default-dialect", "dialect", "dialect-of", "root", "assert-format", "exact-numbers", "types"}

// meaning renders the flags that differ from their defaults, as a person would type them.
func meaning(flags *flag.FlagSet) string {
	var list []string
	for _, name := range meanings {
		if f := flags.Lookup(name); f.Value.String() != f.DefValue {
			list = append(list, "-"+name+"="+f.Value.String())
		}
	}
	return strings.Join(list, " ")
}

// recordedIn is the file of the output that records the flags.
func (o *options) recordedIn() string {
	if o.Catalog != "" {
		return filepath.Join(o.out, emit.ClientName)
	}
	return filepath.Join(o.out, emit.RegistryName)
}

// checkOutput refuses a folder that holds what echo-gen made of something else: of schemas where
// there is a catalogue now, or the other way round. Its files would be taken for superfluous.
func (o *options) checkOutput() error {
	other, advice := emit.ClientName, "made from a catalogue: name it with -catalog FILE, or choose another -out"
	if o.Catalog != "" {
		other, advice = emit.RegistryName, "made from a folder of schemas; choose another -out"
	}
	data, err := schemafile.Read(os.DirFS(o.out), other, mostOutput)
	if err == nil && names.Ours(data) {
		return fmt.Errorf("%s holds a package that echo-gen has %s", o.out, advice)
	}
	return nil // whatever else is wrong there, output tells of it
}

// recall sets the flags that were not given to what the file records, its package's name
// included. Without the file nothing is recorded.
func recall(flags *flag.FlagSet, name string) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	data, err := schemafile.Read(os.DirFS(filepath.Dir(name)), filepath.Base(name), mostOutput)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !names.Ours(data) {
		return nil // output refuses to overwrite it
	}
	// Only the first line of a sort counts: what stands further down may be text of others.
	hasFlags, hasPackage := false, false
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan() && !(hasFlags && hasPackage); {
		recorded, isFlags := strings.CutPrefix(lines.Text(), emit.FlagsPrefix)
		pkg, isPackage := strings.CutPrefix(lines.Text(), "package ")
		switch {
		case isPackage && !hasPackage:
			hasPackage, recorded = true, "-package="+pkg
		case isFlags && !hasFlags:
			hasFlags = true
		default:
			continue
		}
		for _, text := range strings.Fields(recorded) {
			flagName, value, _ := strings.Cut(strings.TrimPrefix(text, "-"), "=")
			if given[flagName] || flags.Lookup(flagName) == nil || flagName == "catalog" {
				continue
			}
			if err := flags.Set(flagName, value); err != nil {
				return fmt.Errorf("%s records the flag %s, which this version doesn't know: run go generate", name, text)
			}
		}
	}
	return nil
}
