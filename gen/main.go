// Command gen compiles the JSON Schemas of a folder into Go: types, validators and a
// registry. It is meant to be run by go generate.
//
//	go run ./gen [-schemas DIR] [-out DIR] [-package NAME] [-default-dialect DRAFT] [-map PREFIX=DIR]… [-assert-format] [-check] [-dump=plan]
//
// Faults in schemas are printed as file:line:column: /pointer: what is wrong, all of them.
// Nothing is written unless the whole run succeeds. Exit codes: 0 done, 1 a schema has faults
// or, with -check, a generated file is stale, 2 wrong usage.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io"
	"maps"
	"os"
	"strings"

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
  go run ./gen -map https://example.com/schemas/=../shared-schemas
`

type options struct {
	load     load.Options
	plan     plan.Options
	out, pkg string
	check    bool
	dump     string
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
	graph, faults := load.Load(o.load)
	p, more := plan.Build(graph, o.plan)
	if faults = append(faults, more...); len(faults) > 0 {
		report(faults.Sorted(), stderr)
		return exitFault
	}
	report(p.Warnings.Sorted(), stderr)
	if o.dump == "plan" {
		if err := p.Dump(stdout); err != nil {
			fmt.Fprintf(stderr, "gen: %v\n", err)
			return exitFault
		}
		return exitDone
	}
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
	models, roots, faults := types.Render(graph, types.Options{Package: o.pkg, Check: func(s *load.Schema) string { return checks[s] }})
	if len(faults) > 0 {
		report(faults, stderr)
		return exitFault
	}
	files, err := emit.Files(p, emit.Options{Package: o.pkg, Types: roots})
	if err != nil {
		fmt.Fprintf(stderr, "gen: %v\n", err)
		return exitFault
	}
	maps.Copy(files, models)
	return output(o, files, len(p.Messages), stderr)
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
	flags.BoolVar(&o.check, "check", false, "write nothing; list stale files and exit 1 if there are any")
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
