package cli

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/arguments"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// completionTime is how long a shell waits for a server that is asked for what can follow.
const completionTime = 5 * time.Second

// nothing is the completion where nothing can follow that is known.
func nothing() ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// ask asks the target for what can follow, where the words before name one. What goes wrong is
// silent, as a shell completes nothing then.
func (t *target) ask(cmd *cobra.Command, f func(ctx context.Context, s *client.Session) []cobra.Completion) ([]cobra.Completion, cobra.ShellCompDirective) {
	if t.check(cmd, false) != nil {
		return nothing()
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	cmd.SetErr(io.Discard)
	session, err := t.connect(ctx, cmd)
	if err != nil {
		return nothing()
	}
	defer session.Close()
	return f(ctx, session), cobra.ShellCompDirectiveNoFileComp
}

// completeFirst completes the first argument of a command by what the target has. After "--" the
// words are those of another command.
func (t *target) completeFirst(cmd *cobra.Command, list func(ctx context.Context, s *client.Session) []cobra.Completion) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		switch {
		case t.startsCommand():
			return nil, cobra.ShellCompDirectiveDefault
		case len(args) > 0:
			return nothing()
		}
		return t.ask(cmd, list)
	}
}

// startsCommand says that the word to complete is one of the command that starts a server: it
// stands after "--". Cobra parses the words once with another "--" at their end, so its count of
// those before the first can't tell.
func (t *target) startsCommand() bool {
	before := t.program.args[:max(0, len(t.program.args)-1)]
	return slices.Contains(before, "--")
}

func toolCompletions(ctx context.Context, s *client.Session) []cobra.Completion {
	var all []cobra.Completion
	tools, _ := s.Tools(ctx)
	for _, tool := range tools {
		all = append(all, completion(tool.Name, aboutItem(tool.Title, tool.Description)))
	}
	return all
}

func resourceCompletions(ctx context.Context, s *client.Session) []cobra.Completion {
	var all []cobra.Completion
	resources, _ := s.Resources(ctx)
	for _, r := range resources {
		all = append(all, completion(r.URI, aboutItem(r.Title, r.Description)))
	}
	return all
}

// completion is a word with what it is about, without what would end the line in which a shell
// gets it.
func completion(word, about string) cobra.Completion {
	plain := func(text string) string { return strings.Join(strings.Fields(visible(text)), " ") }
	return cobra.CompletionWithDesc(plain(word), plain(about))
}

// completeArgument completes NAME=VALUE by the input schema of the tool.
func (t *target) completeArgument(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nothing()
	}
	space := cobra.ShellCompDirectiveNoFileComp
	found, directive := t.ask(cmd, func(ctx context.Context, s *client.Session) []cobra.Completion {
		tools, _ := s.Tools(ctx)
		tool, _ := findTool(tools, args[0])
		declared := arguments.ReadSchema(tool.InputSchema).Arguments()
		name, _, valued := strings.Cut(typed, "=")
		var all []cobra.Completion
		for _, a := range declared {
			switch {
			case !valued:
				all = append(all, completion(a.Name+"=", a.Description))
				space = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
			case a.Name == name:
				for _, value := range a.Choices() {
					all = append(all, completion(name+"="+value, ""))
				}
			}
		}
		return all
	})
	return found, directive | space
}

// completePrompt completes the name of a prompt, and after it the names of its arguments.
func (t *target) completePrompt(cmd *cobra.Command) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if t.startsCommand() {
			return nil, cobra.ShellCompDirectiveDefault
		}
		space := cobra.ShellCompDirectiveNoFileComp
		found, directive := t.ask(cmd, func(ctx context.Context, s *client.Session) []cobra.Completion {
			var all []cobra.Completion
			prompts, _ := s.Prompts(ctx)
			for _, p := range prompts {
				name, value, valued := strings.Cut(typed, "=")
				switch {
				case len(args) == 0:
					all = append(all, completion(p.Name, aboutItem(p.Title, p.Description)))
				case p.Name == args[0] && valued:
					all = append(all, valuesOf(ctx, s, p.Name, name, value)...)
				case p.Name == args[0]:
					space = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
					for _, a := range p.Arguments {
						all = append(all, completion(a.Name+"=", a.Description))
					}
				}
			}
			return all
		})
		return found, directive | space
	}
}

// valuesOf asks a server for the values that an argument of a prompt can have
// (https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion).
func valuesOf(ctx context.Context, s *client.Session, prompt, name, value string) []cobra.Completion {
	if !s.Offers("completions") {
		return nil
	}
	params := jsontape.AppendQuoted([]byte(`{"ref":{"type":"ref/prompt","name":`), prompt)
	params = jsontape.AppendQuoted(append(params, `},"argument":{"name":`...), name)
	params = append(jsontape.AppendQuoted(append(params, `,"value":`...), value), "}}"...)
	result, err := s.Request(ctx, "completion/complete", params)
	var answer struct {
		Completion struct {
			Values []string `json:"values"`
		} `json:"completion"`
	}
	if err != nil || json.Unmarshal(result, &answer) != nil {
		return nil
	}
	var all []cobra.Completion
	for _, value := range answer.Completion.Values {
		all = append(all, completion(name+"="+value, ""))
	}
	return all
}
