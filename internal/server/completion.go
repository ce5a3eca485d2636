package server

import (
	"context"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// maxCompletions is how many values an answer may have (2025-11-25,
// server/utilities/completion).
const maxCompletions = 100

// completer completes schema ids, of the prompt and of the resource template.
type completer struct{ s *Server }

// CompletePromptArgument implements mcp-go's PromptCompletionProvider.
func (c completer) CompletePromptArgument(ctx context.Context, prompt string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	if prompt != promptEmit || argument.Name != argSchemaID {
		return nothingToComplete(ctx)
	}
	return complete(append([]string{echo.Schemaless}, c.ids()...), argument.Value), nil
}

// CompleteResourceArgument implements mcp-go's ResourceCompletionProvider.
func (c completer) CompleteResourceArgument(ctx context.Context, uri string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	if uri != schemaTemplate || argument.Name != argSchemaID {
		return nothingToComplete(ctx)
	}
	return complete(c.ids(), argument.Value), nil
}

func nothingToComplete(ctx context.Context) (*mcp.Completion, error) {
	return nil, wire.Fail(ctx, &wire.Error{
		Code:    wire.CodeInvalidParams,
		Message: "what can be completed is the argument schema_id of the prompt " + promptEmit + " and of " + schemaTemplate,
	})
}

func (c completer) ids() []string {
	ids := make([]string, 0, c.s.registry.Len())
	for _, schema := range c.s.registry.Schemas() {
		ids = append(ids, schema.ID)
	}
	return ids
}

// complete finds the ids that begin with a value, and after them those that contain it.
// Case doesn't count.
func complete(ids []string, value string) *mcp.Completion {
	value = strings.ToLower(value)
	var begin, contain []string
	for _, id := range ids {
		switch at := strings.Index(strings.ToLower(id), value); {
		case at == 0:
			begin = append(begin, id)
		case at > 0:
			contain = append(contain, id)
		}
	}
	found := slices.Concat(begin, contain)
	shown := found[:min(len(found), maxCompletions)]
	return &mcp.Completion{Values: shown, Total: len(found), HasMore: len(shown) < len(found)}
}
