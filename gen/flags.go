package gen

import (
	"errors"
	"flag"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

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
	flags.StringVar(&o.Catalog, "catalog", "", "FILE")
	flags.BoolVar(&o.Strict, "strict", false, "")
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
		if err := recall(flags, o.recordedIn()); err != nil {
			return o, err
		}
	}
	if err := o.checkCatalog(flags); err != nil {
		return o, err
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

// checkCatalog checks the flags that a catalogue changes the meaning of, and names its package.
func (o *options) checkCatalog(flags *flag.FlagSet) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case o.Catalog == "" && given["strict"]:
		return errors.New("-strict is about the tools of a catalogue: give one with -catalog FILE")
	case o.Catalog == "":
		return nil
	case given["schemas"]:
		return errors.New("-schemas and -catalog can't be used together; give one of them")
	case given["only"]:
		return errors.New("-only is about files of schemas and can't be used together with -catalog")
	case !given["out"]:
		return errors.New("-catalog needs a folder for the package, which holds nothing else that echo-gen makes: -out githubmcp")
	case given["package"]:
		return nil
	}
	dir, err := filepath.Abs(o.out)
	if err != nil {
		return err
	}
	o.Package = strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, filepath.Base(dir)))
	if !token.IsIdentifier(o.Package) {
		return fmt.Errorf("-out %s: the name of the folder gives no name for a Go package; give one with -package NAME", o.out)
	}
	return nil
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
