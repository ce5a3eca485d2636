package gen

import (
	"errors"
	"flag"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/compiler"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// options are what the command line asks for.
type options struct {
	compiler.Options
	out     string // the folder to write to
	dialect string
	check   bool
	dump    string
	diff    string
	version bool
}

// instead are the flags that ask for something else than files. At most one can be given.
var instead = []string{"check", "diff", "dump"}

// newFlags declares the flags, which set o. A flag's usage is the word for its value.
func newFlags(o *options) *flag.FlagSet {
	flags := flag.NewFlagSet("echo-gen", flag.ContinueOnError)
	flags.StringVar(&o.Load.Dir, "schemas", "schemas", "DIR")
	flags.StringVar(&o.out, "out", "generated", "DIR")
	flags.StringVar(&o.Package, "package", "generated", "NAME")
	flags.Func("only", "FILE,…", func(value string) error {
		o.Only = strings.Split(value, ",")
		if slices.Contains(o.Only, "") {
			return errors.New("must be names of files in the schema folder, such as hello_v1.json,common/money.json")
		}
		return nil
	})
	flags.StringVar(&o.dialect, "default-dialect", load.Draft2020.String(), "DIALECT")
	flags.Func("map", "PREFIX=DIR", func(value string) error {
		prefix, dir, ok := strings.Cut(value, "=")
		if !ok || prefix == "" || dir == "" {
			return errors.New("must be PREFIX=DIR, such as https://example.com/schemas/=../shared")
		}
		o.Load.Maps = append(o.Load.Maps, load.Mapping{Prefix: prefix, Dir: dir})
		return nil
	})
	flags.BoolVar(&o.AssertFormat, "assert-format", false, "")
	flags.BoolVar(&o.ExactNumbers, "exact-numbers", false, "")
	flags.BoolVar(&o.check, "check", false, "")
	flags.StringVar(&o.diff, "diff", "", "DIR|git:REV")
	flags.StringVar(&o.dump, "dump", "", "plan")
	flags.BoolVar(&o.version, "version", false, "")
	return flags
}

// parse reads the command line. errHelp is its error where help was asked for; all others say
// what to change, for a person.
func parse(args []string) (options, error) {
	var o options
	flags := newFlags(&o)
	rest, err := arguments(flags, args)
	if err != nil {
		return o, err
	}
	if len(rest) > 0 {
		return o, unexpected(flags, rest[0])
	}
	if o.version {
		return o, nil
	}
	given, err := insteadOfFiles(flags)
	if err != nil {
		return o, err
	}
	if given != "" {
		if err := recall(flags, o.out); err != nil {
			return o, err
		}
	}
	o.Flags = meaning(flags)
	draft, ok := load.ParseDraft(o.dialect)
	if !ok {
		return o, fmt.Errorf("-default-dialect %s: must be one of %s", o.dialect, strings.Join(load.DraftNames(), ", "))
	}
	o.Load.Default = draft
	if !token.IsIdentifier(o.Package) || o.Package == "_" {
		return o, fmt.Errorf("-package %q: must be a name for a Go package, such as messages", o.Package)
	}
	if o.diff == gitPrefix {
		return o, errors.New("-diff git: needs a revision, such as git:origin/main")
	}
	if o.dump != "" && o.dump != "plan" {
		return o, fmt.Errorf("-dump %s: must be plan", o.dump)
	}
	return o, nil
}

// insteadOfFiles gives the flag that asks for something else than files, "" where none does.
func insteadOfFiles(flags *flag.FlagSet) (string, error) {
	var given []string
	for _, name := range instead {
		if f := flags.Lookup(name); f.Value.String() != f.DefValue {
			given = append(given, name)
		}
	}
	switch len(given) {
	case 0:
		return "", nil
	case 1:
		return given[0], nil
	}
	return "", fmt.Errorf("-%s can't be used together; give one of them", strings.Join(given, " and -"))
}
