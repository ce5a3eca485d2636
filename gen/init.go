package gen

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/scaffold"
)

// initHelp is the text of init -help. In it COMMAND stands for how echo-gen is called.
const initHelp = `Usage: COMMAND init DIR [-module PATH] [-package NAME]

Writes into DIR what a module for message types of your own begins with: a schema, the package
that it is compiled into, a server of five lines, a test, a Makefile, AGENTS.md and a workflow
for CI. Where DIR is a module already, what is missing is added: nothing is overwritten, and
go.mod gets only what it lacks.

  -module PATH              the path of a new module, such as example.com/msgs; a module that is
                            there keeps its own
  -package NAME             the name of the generated package and of its folder (default messages)

What the schemas mean is decided by the flags of the go:generate line in DIR/NAME/generate_test.go;
COMMAND -help lists them.

Examples:
  COMMAND init msgs -module example.com/msgs
  COMMAND init .
`

// newInitFlags declares the flags of init, which set o.
func newInitFlags(o *scaffold.Options) *flag.FlagSet {
	flags := flag.NewFlagSet("init", flag.ContinueOnError)
	flags.StringVar(&o.Module, "module", "", "PATH")
	flags.StringVar(&o.Package, "package", "messages", "NAME")
	return flags
}

// initialize runs echo-gen init: it writes a module for message types, and says on stdout what it
// added, what it left alone, and what to do next.
func initialize(args []string, stdout, stderr io.Writer) int {
	o, err := parseInit(args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, strings.ReplaceAll(initHelp, "COMMAND", calledAs()))
		return exitDone
	case err != nil:
		return usage(stderr, " init", err)
	}
	report, err := scaffold.Write(o)
	for _, line := range report.Added {
		fmt.Fprintf(stdout, "added       %s\n", text(line))
	}
	for _, line := range report.Left {
		fmt.Fprintf(stdout, "left alone  %s\n", text(line))
	}
	if err != nil {
		return fail(stderr, err)
	}
	fmt.Fprint(stdout, "\nNext:\n")
	if o.Dir != "." {
		fmt.Fprintf(stdout, "  cd %s\n", folderWord(o.Dir))
	}
	for _, command := range report.Next {
		fmt.Fprintf(stdout, "  %s\n", command)
	}
	return exitDone
}

// parseInit reads the command line of init.
func parseInit(args []string) (scaffold.Options, error) {
	o := scaffold.Options{Version: published()}
	folders, err := arguments(newInitFlags(&o), args)
	if err != nil {
		return o, err
	}
	if len(folders) > 1 {
		return o, fmt.Errorf("init takes one folder; remove %q", folders[1])
	}
	if len(folders) == 0 || folders[0] == "" {
		return o, errors.New("init needs the folder of the module: init DIR -module example.com/msgs, where . is this folder")
	}
	o.Dir = folders[0]
	return o, o.Check()
}

// published is the version of this module, if it was fetched as such, which another module can
// require. What was built from a clone has none.
func published() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != scaffold.Module || info.Main.Sum == "" {
		return ""
	}
	return info.Main.Version
}

func text(line scaffold.Line) string {
	if line.Note == "" {
		return line.File
	}
	return line.File + " (" + line.Note + ")"
}

// folderWord writes a folder as an argument of cd: no flag, and quoted where a shell would take
// it apart.
func folderWord(s string) string {
	if strings.HasPrefix(s, "-") {
		s = "./" + s
	}
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+:@%,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
