package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/arguments"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

const callLong = `Call a tool of an MCP server and print what it returns.

` + targetHelp + `

The arguments are one JSON object, --args, that is sent byte for byte as it is; or single
values, --arg NAME=VALUE, that get the types which the tool's input schema gives them. A value
of a string is the text after =; any other is JSON. "{program} tools TOOL" shows what a tool
takes.

Texts are printed as they are, and images and the like as a line that says what they are. With
--json the whole result is printed, byte for byte as the server sent it; with --raw only what
texts, images and the like hold, decoded and without a line break at the end.

Exit codes:
  0  good
  1  the tool has failed; what it says is printed` + targetExits

// callFlags are the flags of call.
type callFlags struct {
	target    target
	args      string
	values    []string
	json, raw bool
}

func newCall(p Program) *cobra.Command {
	flags := callFlags{target: target{program: p}}
	cmd := &cobra.Command{
		Use:   "call TOOL [TARGET]",
		Short: "Call a tool of an MCP server",
		Long:  callLong,
		Example: `  {program} call list_schemas
  {program} call add --arg a=1 --arg b=2 -- npx -y @modelcontextprotocol/server-everything
  {program} call search --args @query.json --http https://mcp.example.com/mcp
  {program} call create_issue --args - --config .mcp.json --server github < issue.json`,
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		args, err := flags.target.split(cmd, args)
		if err != nil {
			return err
		}
		given, err := jsonArgument(cmd.InOrStdin(), "--args", flags.args)
		if err != nil {
			return err
		}
		return flags.target.use(cmd, func(ctx context.Context, s *client.Session) error {
			return flags.call(ctx, cmd, s, args[0], given)
		})
	})
	f := cmd.Flags()
	f.StringVar(&flags.args, "args", "", "the arguments: `JSON`, @FILE, or - for standard input")
	f.StringArrayVar(&flags.values, "arg", nil, "one argument, `NAME=VALUE` (repeatable)")
	f.BoolVar(&flags.json, "json", false, "print the whole result, byte for byte")
	f.BoolVar(&flags.raw, "raw", false, "print what the parts of the result hold, byte for byte")
	cmd.MarkFlagsMutuallyExclusive("args", "arg")
	cmd.MarkFlagsMutuallyExclusive("json", "raw")
	flags.target.register(cmd)
	flags.target.completeFirst(cmd, toolCompletions)
	must(cmd.RegisterFlagCompletionFunc("arg", flags.target.completeArgument))
	return cmd
}

// call calls the tool.
func (c *callFlags) call(ctx context.Context, cmd *cobra.Command, s *client.Session, name string, given json.RawMessage) error {
	if len(c.values) > 0 {
		var err error
		if given, err = c.typed(ctx, s, name); err != nil {
			return err
		}
	}
	result, err := s.CallTool(ctx, name, given)
	if err != nil {
		return c.target.guess(ctx, err, name, toolNames(s))
	}
	if err := c.print(newOutput(cmd), result); err != nil {
		return err
	}
	if result.IsError {
		return c.target.guess(ctx, &exitError{exitNo, fmt.Errorf("the tool %q has failed", name)}, name, toolNames(s))
	}
	return nil
}

// typed makes the arguments of the values of --arg.
func (c *callFlags) typed(ctx context.Context, s *client.Session, name string) (json.RawMessage, error) {
	tools, err := s.Tools(ctx)
	if err != nil {
		return nil, err
	}
	tool, err := findTool(tools, name)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Errorf("%w; nothing was sent", err)}
	}
	object, err := arguments.ReadSchema(tool.InputSchema).Object(c.values)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Errorf("--arg %w; nothing was sent", err)}
	}
	return object, nil
}

// findTool finds a tool in a list. The error is one of usage.
func findTool(tools []client.Tool, name string) (client.Tool, error) {
	var names []string
	for _, tool := range tools {
		if tool.Name == name {
			return tool, nil
		}
		names = append(names, tool.Name)
	}
	return client.Tool{}, &exitError{exitUsage, errors.New(unknownName("the server has no tool", name, names))}
}

// unknownName says that there is no such name, and what may have been meant.
func unknownName(text, name string, names []string) string {
	text = fmt.Sprintf("%s %q", text, name)
	switch nearest := near.Names(name, names); {
	case len(names) == 0:
		return text + "; it has none"
	case len(nearest) > 0:
		return text + "; did you mean " + strings.Join(nearest, " or ") + "?"
	}
	const most = 20
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s; it has %s and %d more", text, strings.Join(names[:most], ", "), more)
	}
	return text + "; it has " + strings.Join(names, ", ")
}

// guess adds to an error that a name is not one that the server has, if that is so, and what may
// have been meant. Where the server can't be asked any more the error stays as it is.
func (t *target) guess(ctx context.Context, err error, name string, names func(context.Context) (kind string, names []string, err error)) error {
	var rejected *client.Error
	var failed *exitError
	if !errors.As(err, &rejected) && !errors.As(err, &failed) {
		return err
	}
	kind, known, listing := names(ctx)
	if listing != nil {
		return err
	}
	for _, other := range known {
		if other == name {
			return err
		}
	}
	fault := &exitError{exitNo, err}
	errors.As(t.fault(ctx, err), &fault)
	return &exitError{fault.code, fmt.Errorf("%w\n%s", fault.err, unknownName("The server has no "+kind, name, known))}
}

func toolNames(s *client.Session) func(context.Context) (string, []string, error) {
	return func(ctx context.Context) (string, []string, error) {
		var names []string
		tools, err := s.Tools(ctx)
		for _, tool := range tools {
			names = append(names, tool.Name)
		}
		return "tool", names, err
	}
}

// print prints what a tool returned.
func (c *callFlags) print(o *output, r *client.Result) error {
	var err error
	switch {
	case c.json:
		o.json(r.Raw)
	case c.raw:
		err = o.rawParts(r.Content)
	case len(r.Content) == 0 && r.StructuredContent != nil:
		o.json(r.StructuredContent)
	default:
		for _, part := range r.Content {
			o.content(part)
		}
	}
	return errors.Join(err, o.Flush())
}

// jsonArgument is the JSON object that stands on the command line, in @FILE or, for -, on standard
// input, without the space around it; nil for "". The error decides the exit code.
func jsonArgument(stdin io.Reader, what, text string) (json.RawMessage, error) {
	if text == "" {
		return nil, nil
	}
	data, name := []byte(text), what
	if file, is := strings.CutPrefix(text, "@"); is || text == "-" {
		if !is {
			file = text
		}
		err := withFile(file, stdin, func(r io.Reader) (err error) {
			data, err = io.ReadAll(r)
			return err
		})
		if name = file; err != nil {
			return nil, &exitError{exitInput, readFault(file, err)}
		}
	}
	var tape jsontape.Tape
	var fault *jsontape.SyntaxError
	// What is nested deeper than usual is the server's business.
	if errors.As(tape.Parse(data, jsontape.Options{MaxDepth: jsontape.DepthCeiling, IndexDepth: 1}), &fault) {
		line, column := jsontape.Position(data, fault.Offset)
		return nil, &exitError{exitInput, fmt.Errorf("%s:%d:%d: this is not JSON: %s; nothing was sent", name, line, column, fault.Msg)}
	}
	if kind := tape.Tokens[0].Kind; kind != jsontape.Object {
		return nil, &exitError{exitUsage, fmt.Errorf("%s: must be a JSON object, such as '{\"a\":1}', not of the type %s; nothing was sent", name, kind)}
	}
	return bytes.TrimSpace(data), nil
}
