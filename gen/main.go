// Command gen compiles the JSON Schemas of a folder into Go: types, validators and a
// registry. It is meant to be run by go generate.
//
//	go run ./gen [-schemas DIR] [-out DIR] [-package NAME] [-default-dialect DRAFT] [-map PREFIX=DIR]… [-assert-format] [-exact-numbers] [-check] [-dump=plan] [-diff OLD_DIR]
//
// Faults in schemas are printed as file:line:column: /pointer: what is wrong, all of them.
// Nothing is written unless the whole run succeeds. Exit codes: 0 done, 1 a schema has faults
// with -check a generated file is stale, or with -diff a change breaks something, 2 wrong usage.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io"
	"os"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/bundle"
	"github.com/zenlix/echo-mcp/gen/internal/diff"
	"github.com/zenlix/echo-mcp/gen/internal/emit"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/types"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const (
	exitDone  = 0
	exitFault = 1
	exitUsage = 2
)

const help = `Usage: go run ./gen [flags]

Compiles every JSON Schema of a folder into Go types, validators and a registry.

One file of the folder is one message type; its name without .json is the schema id.
Sub-folders hold shared definitions for $ref. Nothing is fetched and nothing outside
the folder is read, except behind -map.

Flags:
`

const example = `
Example:
  go run ./gen -schemas schemas -out generated -assert-format
  go run ./gen -check            # what CI runs: fails if a generated file is stale
  go run ./gen -dump=plan        # prints what the validators check, writes nothing
  go run ./gen -diff ../main/schemas   # what a change would break
  go run ./gen -map https://example.com/schemas/=../shared-schemas
`

type options struct {
	load     load.Options
	plan     plan.Options
	out, pkg string
	types    types.Options
	meaning  string // the flags that decide what the schemas mean, as recorded in the output
	check    bool
	dump     string
	diff     string
}

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		fmt.Fprintf(stderr, "gen: %v; run go run ./gen -help for the flags\n", err)
		return exitUsage
	}
	now, faults, err := compile(o, o.load.Dir)
	if err != nil {
		fmt.Fprintf(stderr, "gen: %v\n", err)
		return exitFault
	}
	if len(faults) > 0 {
		report(faults, stderr)
		return exitFault
	}
	report(now.plan.Warnings.Sorted(), stderr)
	switch {
	case o.dump == "plan":
		if err := now.plan.Dump(stdout); err != nil {
			fmt.Fprintf(stderr, "gen: %v\n", err)
			return exitFault
		}
		return exitDone
	case o.diff != "":
		return difference(o, now, stdout, stderr)
	}
	return output(o, now, stderr)
}

// compiled is what becomes of a schema folder.
type compiled struct {
	plan           *plan.Plan
	checks, models map[string][]byte // Go files
}

// compile runs all passes over the schemas in dir. Only where neither faults nor an error
// come back, the result may be used.
func compile(o options, dir string) (compiled, load.Diagnostics, error) {
	o.load.Dir = dir
	graph, faults := load.Load(o.load)
	p, more := plan.Build(graph, o.plan)
	bundles, clashes, warnings := bundle.All(graph)
	if faults = append(append(faults, more...), clashes...); len(faults) > 0 {
		return compiled{}, faults.Sorted(), nil
	}
	p.Warnings = append(append(p.Warnings, graph.Warnings...), warnings...)
	checks := map[*load.Schema]string{}
	for _, f := range p.Funcs {
		switch _, several := checks[f.Schema]; {
		case f.Collect != 0:
		case several:
			checks[f.Schema] = "" // each for a dynamic scope; by itself the schema has none of them
		default:
			checks[f.Schema] = f.Name
		}
	}
	o.types.Package = o.pkg
	o.types.Check = func(s *load.Schema) string { return checks[s] }
	models, roots, faults := types.Render(graph, o.types)
	if len(faults) > 0 {
		return compiled{}, faults, nil
	}
	files, err := emit.Files(p, emit.Options{Package: o.pkg, Types: roots, Bundles: bundles, Flags: o.meaning})
	return compiled{plan: p, checks: files, models: models}, nil, err
}

// difference prints what changed since the schemas in o.diff, one change a line.
func difference(o options, now compiled, stdout, stderr io.Writer) int {
	before, faults, err := compile(o, o.diff)
	var changes []diff.Change
	if err == nil && len(faults) == 0 {
		changes, err = diff.Compare(diff.Version{Plan: before.plan, Types: before.models}, diff.Version{Plan: now.plan, Types: now.models})
	}
	if err != nil {
		fmt.Fprintf(stderr, "gen: %v\n", err)
		return exitFault
	}
	if len(faults) > 0 {
		report(faults, stderr)
		return exitFault
	}
	code := exitDone
	for _, c := range changes {
		fmt.Fprintf(stdout, "%s: %s: %s\n", c.Schema, c.Kind, c.Text)
		if c.Kind.Breaking() {
			code = exitFault
		}
	}
	return code
}

func parse(args []string, stdout io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.load.Dir, "schemas", "schemas", "the `folder` of the schemas")
	flags.StringVar(&o.out, "out", "generated", "the `folder` to write to; files of its own making that are no longer needed are removed")
	flags.StringVar(&o.pkg, "package", "generated", "`name` of the generated package")
	dialect := flags.String("default-dialect", load.Draft2020.String(), "the `draft` of schemas without $schema: "+strings.Join(load.DraftNames(), ", "))
	flags.Func("map", "answer references to URIs below `PREFIX=DIR` from a folder; may be repeated", func(value string) error {
		prefix, dir, ok := strings.Cut(value, "=")
		if !ok || prefix == "" || dir == "" {
			return errors.New("want PREFIX=DIR")
		}
		o.load.Maps = append(o.load.Maps, load.Mapping{Prefix: prefix, Dir: dir})
		return nil
	})
	flags.BoolVar(&o.plan.AssertFormat, "assert-format", false, "make format an assertion; by default it is an annotation, as the specification says")
	flags.BoolVar(&o.types.ExactNumbers, "exact-numbers", false, "make every number in Go a json.Number, which keeps the digits as written")
	flags.StringVar(&o.diff, "diff", "", "compare with the schemas in the `folder`, an older version: print which old messages may be refused now and which Go identifiers changed, write nothing, exit 1 if something breaks")
	flags.BoolVar(&o.check, "check", false, "write nothing; list stale files and exit 1 if there are any. Flags not given are those that the files were made with, -map excepted")
	flags.StringVar(&o.dump, "dump", "", "print a `pass` instead of writing files: plan")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, help)
			flags.SetOutput(stdout)
			flags.PrintDefaults()
			fmt.Fprint(stdout, example)
		}
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.check {
		if err := recall(flags, o.out); err != nil {
			return o, err
		}
	}
	o.meaning = meaning(flags)
	draft, ok := load.ParseDraft(*dialect)
	if !ok {
		return o, fmt.Errorf("-default-dialect %q is not known; use one of %s", *dialect, strings.Join(load.DraftNames(), ", "))
	}
	o.load.Default = draft
	if !token.IsIdentifier(o.pkg) {
		return o, fmt.Errorf("-package %q is not a Go package name", o.pkg)
	}
	if o.dump != "" && o.dump != "plan" {
		return o, fmt.Errorf("-dump %q is not known; use plan", o.dump)
	}
	return o, nil
}

// report prints all faults, one a line; on a terminal each with its line of the file.
func report(faults load.Diagnostics, stderr io.Writer) {
	withSource := isTerminal(stderr)
	for _, d := range faults {
		fmt.Fprintln(stderr, d)
		if withSource && d.Line > 0 && strings.TrimSpace(d.Source) != "" {
			fmt.Fprintf(stderr, "%6d | %s\n", d.Line, strings.TrimSpace(d.Source))
		}
	}
}

// isTerminal reports whether w is a terminal: a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
