package main

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
	"github.com/zenlix/echo-mcp/internal/schemafile"
)

// meanings are the flags that decide what the generated code means. They are recorded in the
// output, so that -check needs none of them: it asks whether the output is what it claims to
// be. A -map is not recorded, for it names a folder of one machine.
var meanings = []string{"default-dialect", "assert-format", "exact-numbers"}

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

// recall sets the flags that are recorded in the output and were not given.
func recall(flags *flag.FlagSet, out string) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	data, err := schemafile.Read(os.DirFS(out), emit.RegistryName, mostOutput)
	if errors.Is(err, os.ErrNotExist) {
		return nil // everything is missing; -check says so
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(out, emit.RegistryName), err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		recorded, ok := strings.CutPrefix(lines.Text(), emit.FlagsPrefix)
		if !ok {
			continue
		}
		for _, text := range strings.Fields(recorded) {
			name, value, _ := strings.Cut(strings.TrimPrefix(text, "-"), "=")
			if given[name] || flags.Lookup(name) == nil {
				continue
			}
			if err := flags.Set(name, value); err != nil {
				return fmt.Errorf("%s records the flag %s: %w", filepath.Join(out, emit.RegistryName), text, err)
			}
		}
		return nil
	}
	return nil
}
