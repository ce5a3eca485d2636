package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/printable"
	"github.com/zenlix/echo-mcp/mcpkit/catalog"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

var catalogLong = `Write down what an MCP server offers as one document: its tools, resources, resource templates
and prompts, each with its schemas byte for byte as the server sent them. The same server gives
the same bytes, so the document can be kept and compared. Its schema is mcp_catalog_v1.

` + strings.Replace(targetHelp, "--self, or nothing            ", "--self                        ", 1) + `

Instead of a server, --from takes definitions: a file (or "-", or the JSON itself) with any of
the lists tools, resources, resourceTemplates and prompts as servers send them; or a catalogue
that was written before.

What is printed:

  --json         the document; also without a flag, unless standard output is a terminal
  --markdown     the catalogue as Markdown
  --html FILE    one page to read and search, which needs no network; "-" is standard output
  --diff OLD     what has changed since OLD, a catalogue or definitions as for --from; with
                 --json one object a line. A change is breaking where a caller who relied on
                 OLD may fail: a tool is gone, an argument is newly required, a type or limit
                 of one is narrower, a property of a result is gone.

Without a flag a terminal gets a summary.

A schema that can't be used has an error in the document, anything odd a warning. Neither is in
the way of the rest; --strict makes the exit code 1 of them, and lists them.

Exit codes:
  0  good
  1  --strict: there is an error or a warning; --diff: a change is breaking` + targetExits

// catalogFlags are the flags of catalog.
type catalogFlags struct {
	target         target
	from           string
	json, markdown bool
	html, diff     string
	strict         bool
}

func newCatalog(p Program) *cobra.Command {
	flags := &catalogFlags{target: target{program: p}}
	cmd := &cobra.Command{
		Use:   "catalog [TARGET]",
		Short: "Write down what an MCP server offers, or what has changed",
		Long:  catalogLong,
		Example: `  {program} catalog -- npx -y @modelcontextprotocol/server-everything
  {program} catalog --json --self > catalog.json
  {program} catalog --html catalog.html --http https://mcp.example.com/mcp
  {program} catalog --diff catalog.json --config .mcp.json --server github`,
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		if _, err := flags.target.split(cmd, args); err != nil {
			return err
		}
		if err := flags.check(cmd); err != nil {
			return &exitError{exitUsage, err}
		}
		// What can be wrong with the older catalogue is said before a server is asked.
		var older *catalog.Catalog
		if flags.diff != "" {
			var err error
			if older, err = readCatalog(flags.diff, cmd.InOrStdin()); err != nil {
				return &exitError{exitInput, err}
			}
		}
		c, err := flags.read(cmd)
		if err != nil {
			return err
		}
		return flags.print(cmd, c, older)
	})
	f := cmd.Flags()
	f.StringVar(&flags.from, "from", "", "take the definitions, or the catalogue, in `FILE` instead of a server's")
	f.BoolVar(&flags.json, "json", false, "print the document; with --diff, one JSON object for each change")
	f.BoolVar(&flags.markdown, "markdown", false, "print Markdown")
	f.StringVar(&flags.html, "html", "", "write a page to `FILE`")
	f.StringVar(&flags.diff, "diff", "", "print what has changed since `OLD`, a file with a catalogue or definitions")
	f.BoolVar(&flags.strict, "strict", false, "exit with 1 where an item has an error or a warning")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown", "html")
	cmd.MarkFlagsMutuallyExclusive("diff", "markdown")
	cmd.MarkFlagsMutuallyExclusive("diff", "html")
	flags.target.register(cmd)
	f.Lookup("self").Usage = "speak to {program} itself" // nothing else means it here
	return cmd
}

// check says what is wrong with the command line, beside the target.
func (c *catalogFlags) check(cmd *cobra.Command) error {
	from := cmd.Flags().Changed("from")
	switch {
	case from && c.target.given():
		return errors.New("catalog looks at one thing: give --from, or a server")
	case !from && !c.target.given():
		return fmt.Errorf("name a server: %s -- COMMAND …, or --http URL, or --config FILE --server NAME, or --self; or give definitions with --from FILE", cmd.CommandPath())
	case from && c.from == "":
		return errors.New("--from is empty; give a file, or the JSON itself")
	case cmd.Flags().Changed("html") && c.html == "":
		return errors.New("--html is empty; give the file to write")
	case cmd.Flags().Changed("diff") && c.diff == "":
		return errors.New("--diff is empty; give the file of the older catalogue")
	case c.from == "-" && c.diff == "-":
		return errors.New("--from and --diff can't both read standard input")
	}
	return nil
}

// read makes the catalogue.
func (c *catalogFlags) read(cmd *cobra.Command) (made *catalog.Catalog, err error) {
	if c.from != "" {
		made, err = readCatalog(c.from, cmd.InOrStdin())
		if err != nil {
			return nil, &exitError{exitInput, err}
		}
		return made, nil
	}
	err = c.target.use(cmd, func(ctx context.Context, s *client.Session) error {
		made, err = catalog.Extract(ctx, s)
		return err
	})
	return made, err
}

// readCatalog reads a catalogue, or makes one of definitions, from a file, standard input ("-") or
// the text of the JSON itself.
func readCatalog(name string, stdin io.Reader) (*catalog.Catalog, error) {
	var data []byte
	if text := strings.TrimSpace(name); strings.HasPrefix(text, "{") {
		data, name = []byte(text), "the JSON of the command line"
	} else {
		err := withFile(name, stdin, func(in io.Reader) (err error) {
			data, err = io.ReadAll(in)
			return err
		})
		if err != nil {
			return nil, readFault(name, err)
		}
	}
	if name == "-" {
		name = "standard input"
	}
	c, err := parseCatalog(data)
	var syntax *jsontape.SyntaxError
	if errors.As(err, &syntax) {
		line, column := jsontape.Position(data, syntax.Offset)
		return nil, fmt.Errorf("%s:%d:%d: %s", name, line, column, syntax.Msg)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// parseCatalog reads a catalogue, which has items, or makes one of definitions.
func parseCatalog(data []byte) (*catalog.Catalog, error) {
	var t jsontape.Tape
	if err := t.Parse(data, jsontape.Options{MaxDepth: jsontape.DepthCeiling, IndexDepth: 2}); err != nil {
		return nil, err
	}
	if t.Member(0, "items") >= 0 {
		return catalog.Parse(data)
	}
	d, err := catalog.ParseDefinitions(data)
	if err != nil {
		return nil, err
	}
	return catalog.Compose(d)
}

// print prints what was asked for, and a summary to standard error.
func (c *catalogFlags) print(cmd *cobra.Command, made, older *catalog.Catalog) error {
	o := newOutput(cmd)
	stderr := cmd.ErrOrStderr()
	var breaking int
	switch {
	case older != nil:
		breaking = c.changes(o, stderr, catalog.Diff(older, made))
	case c.markdown:
		o.text(string(made.AppendMarkdown(nil)))
	case c.html == "-":
		_, _ = o.Write(made.AppendHTML(nil)) // Flush says what went wrong
	case c.html != "":
		if err := os.WriteFile(c.html, made.AppendHTML(nil), 0o666); err != nil { //nolint:gosec // a page for everyone, less what the umask takes
			return &exitError{exitInput, fmt.Errorf("--html %s: can't be written: %w", c.html, errors.Unwrap(err))}
		}
	case c.json || !o.terminal:
		document := made.AppendJSON(nil)
		if o.terminal {
			document = []byte(visible(string(document)))
		}
		_, _ = o.Write(document)
	default:
		o.catalog(made)
	}
	if err := o.Flush(); err != nil {
		return err
	}
	faults, warnings := made.Faults()
	if c.strict {
		for _, problem := range problems(made) {
			fmt.Fprintln(stderr, problem)
		}
	}
	if older == nil && (!o.terminal || c.strict || c.html != "") {
		fmt.Fprintln(stderr, made.Summary())
	}
	if breaking > 0 || c.strict && faults+warnings > 0 {
		return &exitError{code: exitNo}
	}
	return nil
}

// changes prints what has changed and returns how many of the changes are breaking.
func (c *catalogFlags) changes(o *output, stderr io.Writer, changes []catalog.Change) (breaking int) {
	for _, change := range changes {
		kind := "changed"
		if change.Breaking {
			breaking++
			kind = "breaking"
		}
		if c.json {
			var line bytes.Buffer
			e := json.NewEncoder(&line)
			e.SetEscapeHTML(false)
			_ = e.Encode(change) // strings and a boolean
			o.text(line.String())
			continue
		}
		fmt.Fprintf(o, "%s: %s\n", kind, printable.Text(change.String()))
	}
	if len(changes) == 0 {
		fmt.Fprintln(stderr, "nothing has changed")
	} else {
		fmt.Fprintf(stderr, "%s, %d of them breaking\n", counts(len(changes), "change"), breaking)
	}
	return breaking
}

// catalog prints the summary of a catalogue for a person.
func (o *output) catalog(c *catalog.Catalog) {
	name, title, version := c.Server.Name()
	head := strings.TrimSpace(cmp.Or(title, name) + " " + version)
	if head != "" {
		head += ": "
	}
	o.text(head + c.Summary())
	headings := map[catalog.Type]string{catalog.Tool: "Tools", catalog.Resource: "Resources", catalog.ResourceTemplate: "Resource templates", catalog.Prompt: "Prompts"}
	for _, t := range []catalog.Type{catalog.Tool, catalog.Resource, catalog.ResourceTemplate, catalog.Prompt} {
		var rows [][]string
		for _, item := range c.Items {
			if item.Type != t {
				continue
			}
			rows = append(rows, []string{cmp.Or(item.Detail.URI, item.Detail.URITemplate, item.Name), cmp.Or(aboutItem(item.Title, item.Description), item.Name)})
		}
		if rows != nil {
			o.text("\n" + headings[t])
			o.table("  ", rows)
		}
	}
	if all := problems(c); len(all) > 0 {
		o.text("\nErrors and warnings\n  " + strings.Join(all, "\n  "))
	}
}

// problems are the errors and warnings of all items, each with its item.
func problems(c *catalog.Catalog) []string {
	var all []string
	for _, item := range c.Items {
		for _, problem := range item.Problems() {
			all = append(all, printable.Text(fmt.Sprintf("%s %s: %s", item.Type, item.Name, problem)))
		}
	}
	return all
}
