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

// recall sets the flags that were not given to what the output records, its package's name
// included. Without an output nothing is recorded.
func recall(flags *flag.FlagSet, out string) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	name := filepath.Join(out, emit.RegistryName)
	data, err := schemafile.Read(os.DirFS(out), emit.RegistryName, mostOutput)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !names.Ours(data) {
		return nil // output refuses to overwrite it
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		recorded, found := strings.CutPrefix(lines.Text(), emit.FlagsPrefix)
		pkg, isPackage := strings.CutPrefix(lines.Text(), "package ")
		switch {
		case isPackage:
			recorded = "-package=" + pkg
		case !found:
			continue
		}
		for _, text := range strings.Fields(recorded) {
			flagName, value, _ := strings.Cut(strings.TrimPrefix(text, "-"), "=")
			if given[flagName] || flags.Lookup(flagName) == nil {
				continue
			}
			if err := flags.Set(flagName, value); err != nil {
				return fmt.Errorf("%s records the flag %s, which this version doesn't know: run go generate", name, text)
			}
		}
		if found {
			return nil
		}
	}
	return nil
}
