package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

func newRead(p Program) *cobra.Command {
	var asJSON, raw bool
	t := target{program: p}
	cmd := &cobra.Command{
		Use:   "read URI [TARGET]",
		Short: "Read a resource of an MCP server",
		Long: `Read a resource of an MCP server and print what it holds: a text as it is, anything else as a
line that says what it is. With --raw it is written as it is, decoded and without a line break
at the end. "{program} resources" lists the resources.

` + targetHelp + listExits,
		Example: `  {program} read schema://{schema}
  {program} read --raw file:///logo.png --http https://mcp.example.com/mcp > logo.png`,
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		args, err := t.split(cmd, args)
		if err != nil {
			return err
		}
		return t.use(cmd, func(ctx context.Context, s *client.Session) error {
			result, err := s.ReadResource(ctx, args[0])
			if err != nil {
				return t.guess(ctx, err, args[0], resourceNames(s))
			}
			o := newOutput(cmd)
			if asJSON {
				o.json(result.Raw)
				return o.Flush()
			}
			for _, r := range result.Contents {
				if !raw {
					o.resource(r)
				} else if fault := o.rawResource(r); fault != nil {
					err = fault
				}
			}
			return errors.Join(err, o.Flush())
		})
	})
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print the whole result, byte for byte")
	f.BoolVar(&raw, "raw", false, "write what the resource holds, byte for byte")
	cmd.MarkFlagsMutuallyExclusive("json", "raw")
	t.register(cmd)
	t.completeFirst(cmd, resourceCompletions)
	return cmd
}

func resourceNames(s *client.Session) func(context.Context) (string, []string, error) {
	return func(ctx context.Context) (string, []string, error) {
		// A URI that follows a template is in no list.
		if templates, err := resourceTemplates(ctx, s); err != nil || len(templates) > 0 {
			return "", nil, errors.New("not known")
		}
		var uris []string
		resources, err := s.Resources(ctx)
		for _, r := range resources {
			uris = append(uris, r.URI)
		}
		return "resource", uris, err
	}
}

func newPrompt(p Program) *cobra.Command {
	var asJSON bool
	t := target{program: p}
	cmd := &cobra.Command{
		Use:   "prompt NAME [ARGUMENT=VALUE…] [TARGET]",
		Short: "Print a prompt of an MCP server with values filled in",
		Long: `Print a prompt of an MCP server with values filled in. Where it has several messages each is
printed below who says it. "{program} prompts" lists the prompts and the values they ask for.

` + targetHelp + listExits,
		Example: `  {program} prompt emit schema_id={schema}
  {program} prompt review language=Go --config .mcp.json --server team`,
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		args, err := t.split(cmd, args)
		if err != nil {
			return err
		}
		values := map[string]string{}
		for _, arg := range args[1:] {
			name, value, ok := strings.Cut(arg, "=")
			if !ok || name == "" {
				return &exitError{exitUsage, fmt.Errorf("%q: must be a name, = and a value, such as language=Go", arg)}
			}
			if _, twice := values[name]; twice {
				return &exitError{exitUsage, fmt.Errorf("%s is given twice", name)}
			}
			values[name] = value
		}
		return t.use(cmd, func(ctx context.Context, s *client.Session) error {
			result, err := s.GetPrompt(ctx, args[0], values)
			if err != nil {
				return t.guess(ctx, err, args[0], promptNames(s))
			}
			o := newOutput(cmd)
			o.prompt(result, asJSON)
			return o.Flush()
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole result, byte for byte")
	t.register(cmd)
	t.completePrompt(cmd)
	return cmd
}

// prompt writes the messages of a prompt, or the result as it came.
func (o *output) prompt(r *client.PromptResult, asJSON bool) {
	if asJSON {
		o.json(r.Raw)
		return
	}
	for i, m := range r.Messages {
		if i > 0 {
			o.text("")
		}
		if len(r.Messages) > 1 {
			o.thing(m.Role)
		}
		o.content(m.Content)
	}
}

func promptNames(s *client.Session) func(context.Context) (string, []string, error) {
	return func(ctx context.Context) (string, []string, error) {
		var names []string
		prompts, err := s.Prompts(ctx)
		for _, p := range prompts {
			names = append(names, p.Name)
		}
		return "prompt", names, err
	}
}
