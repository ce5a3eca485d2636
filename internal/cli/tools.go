package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/arguments"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// listing is a command that lists what a server has.
type listing struct {
	target target
	json   bool
}

// newListing makes the command. run gets a session and the arguments before "--".
func newListing(p Program, cmd *cobra.Command, asJSON string, run func(ctx context.Context, s *client.Session, o *output, l *listing, args []string) error) *listing {
	l := &listing{target: target{program: p}}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		args, err := l.target.split(cmd, args)
		if err != nil {
			return err
		}
		return l.target.use(cmd, func(ctx context.Context, s *client.Session) error {
			o := newOutput(cmd)
			if err := run(ctx, s, o, l, args); err != nil {
				return err
			}
			return o.Flush()
		})
	})
	cmd.Flags().BoolVar(&l.json, "json", false, asJSON)
	l.target.register(cmd)
	return l
}

// items prints a list: each item byte for byte on a line, or a table.
func items[T any](o *output, asJSON bool, all []T, raw func(T) json.RawMessage, row func(T) []string) {
	var rows [][]string
	for _, item := range all {
		if asJSON {
			o.item(raw(item))
			continue
		}
		rows = append(rows, row(item))
	}
	o.table("", rows)
}

// rawItems is what --json of a list does.
const rawItems = "print one JSON object a line, as the server sent it"

const listExits = "\n\nExit codes:\n  0  good" + targetExits

// aboutItem is what a list says of an item: the first sentence of its description, or else its
// title.
func aboutItem(title, description string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if end := sentenceEnd.FindStringIndex(line); end != nil {
		line = line[:end[0]+1]
	}
	return cmp.Or(line, title)
}

// sentenceEnd is a full stop before another sentence, which "e.g. this" has not.
var sentenceEnd = regexp.MustCompile(`[.!?] \p{Lu}`)

func newTools(p Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools [TOOL] [TARGET]",
		Short: "List the tools of an MCP server, or show one",
		Long: `List the tools of an MCP server. With the name of a tool, show what it is for and the arguments
that it takes.

` + targetHelp + listExits,
		Example: `  {program} tools -- npx -y @modelcontextprotocol/server-everything
  {program} tools --json --http https://mcp.example.com/mcp --header 'Authorization: Bearer TOKEN'
  {program} tools echo`,
	}
	list := newListing(p, cmd, rawItems, func(ctx context.Context, s *client.Session, o *output, l *listing, args []string) error {
		tools, err := s.Tools(ctx)
		if err != nil {
			return err
		}
		if len(args) > 0 {
			tool, err := findTool(tools, args[0])
			if err != nil {
				return err
			}
			if !l.json {
				o.tool(tool)
				return nil
			}
			tools = []client.Tool{tool}
		}
		items(o, l.json, tools, func(t client.Tool) json.RawMessage { return t.Raw }, func(t client.Tool) []string {
			return []string{t.Name, aboutItem(t.Title, t.Description)}
		})
		return nil
	})
	list.target.completeFirst(cmd, toolCompletions)
	return cmd
}

// tool shows a tool.
func (o *output) tool(t client.Tool) {
	o.text(t.Name)
	for _, text := range []string{t.Title, t.Description} {
		if text != "" {
			o.text(text)
		}
	}
	var rows [][]string
	for _, a := range arguments.ReadSchema(t.InputSchema).Arguments() {
		needed := ""
		if a.Required {
			needed = "required"
		}
		rows = append(rows, []string{a.Name, a.Brief(), needed, strings.Join(strings.Fields(a.Description), " ")})
	}
	if len(rows) > 0 {
		o.text("\nArguments:")
	}
	o.table("  ", rows)
}

func newResources(p Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resources [TARGET]",
		Short: "List the resources of an MCP server",
		Long: `List the resources of an MCP server by their URIs, and after them the templates for URIs of
others.

` + targetHelp + listExits,
		Example: `  {program} resources
  {program} resources --json -- npx -y @modelcontextprotocol/server-everything`,
	}
	newListing(p, cmd, rawItems, func(ctx context.Context, s *client.Session, o *output, l *listing, _ []string) error {
		resources, err := s.Resources(ctx)
		if err != nil {
			return err
		}
		templates, err := resourceTemplates(ctx, s)
		if err != nil {
			return err
		}
		var raw []json.RawMessage
		var rows [][]string
		for _, r := range resources {
			raw = append(raw, r.Raw)
			rows = append(rows, []string{r.URI, r.MIMEType, cmp.Or(aboutItem(r.Title, r.Description), r.Name)})
		}
		for _, r := range templates {
			raw = append(raw, r.Raw)
			rows = append(rows, []string{r.URITemplate, r.MIMEType, cmp.Or(aboutItem(r.Title, r.Description), r.Name)})
		}
		if !l.json {
			o.table("", rows)
			return nil
		}
		for _, item := range raw {
			o.item(item)
		}
		return nil
	})
	return cmd
}

// resourceTemplates lists the templates of a server. One that does not have the method, which came
// late to the protocol, has none.
func resourceTemplates(ctx context.Context, s *client.Session) ([]client.ResourceTemplate, error) {
	templates, err := s.ResourceTemplates(ctx)
	var rejected *client.Error
	if errors.As(err, &rejected) && rejected.Code == codeMethodNotFound {
		return nil, nil
	}
	return templates, err
}

// codeMethodNotFound is the code of JSON-RPC for a method that a server does not have.
const codeMethodNotFound = -32601

func newPrompts(p Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "prompts [TARGET]",
		Short: "List the prompts of an MCP server",
		Long: `List the prompts of an MCP server, with the values that they ask for; those in brackets may be
left out.

` + targetHelp + listExits,
		Example: `  {program} prompts
  {program} prompts --json -- npx -y @modelcontextprotocol/server-everything`,
	}
	newListing(p, cmd, rawItems, func(ctx context.Context, s *client.Session, o *output, l *listing, _ []string) error {
		prompts, err := s.Prompts(ctx)
		if err != nil {
			return err
		}
		items(o, l.json, prompts, func(p client.Prompt) json.RawMessage { return p.Raw }, func(p client.Prompt) []string {
			var values []string
			for _, a := range p.Arguments {
				value := a.Name + "="
				if !a.Required {
					value = "[" + value + "]"
				}
				values = append(values, value)
			}
			return []string{p.Name, strings.Join(values, " "), aboutItem(p.Title, p.Description)}
		})
		return nil
	})
	return cmd
}

func newInfo(p Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info [TARGET]",
		Short: "Say what an MCP server is and what it offers",
		Long: `Say what an MCP server calls itself, which version of the protocol was agreed on, what it offers
(its capabilities), and what it tells models about its use.

` + targetHelp + listExits,
		Example: `  {program} info
  {program} info --json --http https://mcp.example.com/mcp`,
	}
	newListing(p, cmd, "print a JSON object", func(_ context.Context, s *client.Session, o *output, l *listing, _ []string) error {
		info := s.Server()
		if l.json {
			o.item(infoJSON(s))
			return nil
		}
		name := strings.TrimSpace(info.Name + " " + info.Version)
		if info.Title != "" && info.Title != info.Name {
			name = fmt.Sprintf("%s (%s)", info.Title, name)
		}
		o.table("", [][]string{{"server", name}, {"protocol", s.ProtocolVersion()}, {"offers", offered(s.Capabilities())}})
		if text := strings.TrimSpace(s.Instructions()); text != "" {
			o.text("\n" + text)
		}
		return nil
	})
	return cmd
}

// infoJSON is what a server says of itself as one object; what it sent is copied.
func infoJSON(s *client.Session) []byte {
	text := jsontape.AppendQuoted([]byte(`{"protocolVersion":`), s.ProtocolVersion())
	if raw := s.Server().Raw; raw != nil {
		text = append(append(text, `,"serverInfo":`...), raw...)
	}
	text = append(append(text, `,"capabilities":`...), s.Capabilities()...)
	if s.Instructions() != "" {
		text = jsontape.AppendQuoted(append(text, `,"instructions":`...), s.Instructions())
	}
	return append(text, '}')
}

// offered lists capabilities, with what each has in brackets: "tools (listChanged), prompts".
func offered(capabilities json.RawMessage) string {
	var t jsontape.Tape
	if t.Parse(capabilities, jsontape.Options{}) != nil {
		return ""
	}
	var all []string
	for i, end := 1, t.Next(0); i < end; i = t.Next(i + 1) {
		section := t.Str(i)
		var parts []string
		if t.Tokens[i+1].Kind == jsontape.Object {
			for j, end := i+2, t.Next(i+1); j < end; j = t.Next(j + 1) {
				if t.Tokens[j+1].Kind != jsontape.False {
					parts = append(parts, t.Str(j))
				}
			}
		}
		if len(parts) > 0 {
			section += " (" + strings.Join(parts, ", ") + ")"
		}
		all = append(all, section)
	}
	return cmp.Or(strings.Join(all, ", "), "nothing")
}
