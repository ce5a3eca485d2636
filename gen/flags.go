package gen

import (
	"errors"
	"flag"
	"fmt"
	"go/token"
	"path"
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
	types   bool
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
	flags.StringVar(&o.Package, "package", "", "NAME")
	flags.Var(&roots{options: o}, "root", "FILE#POINTER")
	flags.Func("only", "FILE,…", func(value string) error {
		o.Only = strings.Split(value, ",")
		if slices.Contains(o.Only, "") {
			return errors.New("must be names of files in the schema folder, such as hello_v1.json,common/money.json")
		}
		return nil
	})
	flags.StringVar(&o.dialect, "default-dialect", load.Draft2020.String(), "DIALECT")
	flags.Var(&pairs{set: func(uri string, d load.Draft) error {
		if o.Load.Dialects == nil {
			o.Load.Dialects = map[string]load.Draft{}
		}
		o.Load.Dialects[strings.TrimSuffix(uri, "#")] = d
		return nil
	}, example: "https://example.com/dialect=draft7"}, "dialect", "URI=DIALECT")
	flags.Var(&pairs{set: func(pattern string, d load.Draft) error {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%s is no pattern for names of files: * stands for any characters, ? for one", pattern)
		}
		o.Load.DialectOf = append(o.Load.DialectOf, load.FileDialect{Pattern: pattern, Draft: d})
		return nil
	}, example: "typebox-*=draft7"}, "dialect-of", "FILES=DIALECT")
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
	flags.BoolVar(&o.types, "types", true, "")
	flags.BoolVar(&o.check, "check", false, "")
	flags.StringVar(&o.diff, "diff", "", "DIR|git:REV")
	flags.StringVar(&o.dump, "dump", "", "STAGE")
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
	o.NoTypes = !o.types
	if o.Package == "" {
		o.Package = packageFor(o.out)
		if !isPackage(o.Package) {
			return o, fmt.Errorf("the folder %s gives no name for a Go package; give one with -package, such as -package messages", o.out)
		}
	}
	if !isPackage(o.Package) {
		return o, fmt.Errorf("-package %q: must be a name for a Go package, such as messages", o.Package)
	}
	if o.diff == gitPrefix {
		return o, errors.New("-diff git: needs a revision, such as git:origin/main")
	}
	if o.dump != "" && !slices.Contains(compiler.Stages(), o.dump) {
		return o, fmt.Errorf("-dump %s: must be one of %s", o.dump, strings.Join(compiler.Stages(), ", "))
	}
	return o, nil
}

// checkCatalog checks the flags that can't be used with a catalogue, and the one that it needs.
func (o *options) checkCatalog(flags *flag.FlagSet) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case o.Catalog == "":
		return nil
	case given["schemas"]:
		return errors.New("-schemas and -catalog can't be used together; give one of them")
	case given["only"], given["root"], given["dialect-of"]:
		name := "only"
		for _, other := range []string{"root", "dialect-of"} {
			if given[other] {
				name = other
			}
		}
		return fmt.Errorf("-%s is about files of schemas and can't be used together with -catalog", name)
	case !o.types:
		return errors.New("-types=false and -catalog can't be used together: the methods of the tools take and give types")
	case !given["out"]:
		return errors.New("-catalog needs a folder for the package, which holds nothing else that echo-gen makes: -out githubmcp")
	}
	return nil
}

// packageFor is the name of the package in a folder where nobody gave another one: that of the
// folder, or what of it can stand in a name.
func packageFor(out string) string {
	if abs, err := filepath.Abs(out); err == nil {
		out = abs
	}
	name := filepath.Base(out)
	if isPackage(name) {
		return name
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name))
}

func isPackage(name string) bool { return token.IsIdentifier(name) && name != "_" }

// roots is the flag for definitions that are message types; it may be repeated.
type roots struct {
	list    []string
	options *options
}

// String gives the values as the output records them.
func (r *roots) String() string { return strings.Join(r.list, ",") }

// Set reads one value, or several with commas between them.
func (r *roots) Set(value string) error {
	for _, one := range strings.Split(value, ",") {
		file, pointer, ok := strings.Cut(one, "#")
		if !ok || file == "" || !strings.HasPrefix(pointer, "/") || strings.ContainsFunc(one, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
			return errors.New("must be a file in the schema folder and a pointer to a definition, without spaces, such as common/mcp.json#/$defs/Tool; * stands for all: common/mcp.json#/$defs/*")
		}
		r.options.Load.Roots = append(r.options.Load.Roots, load.Root{File: file, Pointer: pointer})
		r.list = append(r.list, one)
	}
	return nil
}

// pairs is a flag that may be repeated; its values end in = and a dialect.
type pairs struct {
	list    []string
	example string
	set     func(name string, d load.Draft) error
}

// String gives the values as the output records them.
func (p *pairs) String() string { return strings.Join(p.list, ",") }

// Set reads one value, or several with commas between them.
func (p *pairs) Set(value string) error {
	for _, one := range strings.Split(value, ",") {
		at := strings.LastIndex(one, "=")
		if at <= 0 || strings.ContainsFunc(one, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
			return fmt.Errorf("must be such as %s, without spaces", p.example)
		}
		d, ok := load.ParseDraft(one[at+1:])
		if !ok {
			return fmt.Errorf("%q is no dialect: it must be one of %s", one[at+1:], strings.Join(load.DraftNames(), ", "))
		}
		if err := p.set(one[:at], d); err != nil {
			return err
		}
		p.list = append(p.list, one)
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
