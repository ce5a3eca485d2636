package transport

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// Lists in pages (2025-11-25, server/utilities/pagination).
//
// mcp-go could cut them, but its last page has a cursor where it is full, its cursor is the name of
// an item, so that resources of the same name get lost between two pages, and it takes any base64 for
// a cursor. So mcp-go makes the whole list and it is cut here.
//
// A cursor is the key of the last item on a page, which no other item of its list has. The next page
// begins behind that key, whatever came or went in the meantime. A sum in front of the key shows
// that the cursor is one of that list. It is the same in every process of a server, so that any
// replica, and the process after this one, can go on with a list.

// methods of lists.
var lists = []string{
	string(mcp.MethodToolsList), string(mcp.MethodPromptsList), string(mcp.MethodResourcesList), string(mcp.MethodResourcesTemplatesList),
}

func isList(method string) bool { return slices.Contains(lists, method) }

// pageHooks cuts lists into pages.
func (s *Server) pageHooks(hooks *mcpserver.Hooks) {
	// mcp-go would look for the place that the cursor stands for.
	hooks.AddBeforeListTools(func(_ context.Context, _ any, r *mcp.ListToolsRequest) { r.Params.Cursor = "" })
	hooks.AddBeforeListPrompts(func(_ context.Context, _ any, r *mcp.ListPromptsRequest) { r.Params.Cursor = "" })
	hooks.AddBeforeListResources(func(_ context.Context, _ any, r *mcp.ListResourcesRequest) { r.Params.Cursor = "" })
	hooks.AddBeforeListResourceTemplates(func(_ context.Context, _ any, r *mcp.ListResourceTemplatesRequest) { r.Params.Cursor = "" })

	hooks.AddAfterListTools(func(ctx context.Context, _ any, _ *mcp.ListToolsRequest, r *mcp.ListToolsResult) {
		r.Tools, r.NextCursor = page(ctx, s, r.Tools, func(t mcp.Tool) string { return t.Name })
	})
	hooks.AddAfterListPrompts(func(ctx context.Context, _ any, _ *mcp.ListPromptsRequest, r *mcp.ListPromptsResult) {
		r.Prompts, r.NextCursor = page(ctx, s, r.Prompts, func(p mcp.Prompt) string { return p.Name })
	})
	hooks.AddAfterListResources(func(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, r *mcp.ListResourcesResult) {
		r.Resources, r.NextCursor = page(ctx, s, r.Resources, func(r mcp.Resource) string { return r.Name + "\x00" + r.URI })
	})
	hooks.AddAfterListResourceTemplates(func(ctx context.Context, _ any, _ *mcp.ListResourceTemplatesRequest, r *mcp.ListResourceTemplatesResult) {
		r.ResourceTemplates, r.NextCursor = page(ctx, s, r.ResourceTemplates, func(t mcp.ResourceTemplate) string { return t.Name + "\x00" + t.URITemplate.Raw() })
	})
}

// page gives the items of a list that are on the page which the message in ctx asks for, and the
// cursor of the next page, "" if this is the last.
func page[T any](ctx context.Context, s *Server, items []T, key func(T) string) ([]T, mcp.Cursor) {
	m := wire.MessageFrom(ctx)
	if m == nil {
		return items, ""
	}
	slices.SortFunc(items, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	if last, ok := positionOf(m); ok {
		i, found := slices.BinarySearchFunc(items, last, func(item T, last string) int { return strings.Compare(key(item), last) })
		if found {
			i++
		}
		items = items[i:]
	}
	if len(items) <= s.options.PageSize {
		return items, ""
	}
	items = items[:s.options.PageSize]
	return items, newCursor(m.Method, key(items[len(items)-1]))
}

// newCursor makes the cursor of the page that begins behind a key.
func newCursor(method, key string) mcp.Cursor {
	return mcp.Cursor(base64.RawURLEncoding.EncodeToString(append(sumOf(method, key), key...)))
}

// sumOf is what a cursor begins with.
func sumOf(method, key string) []byte {
	return binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(method+"\x00"+key)))
}

// positionOf is the key behind which the page begins that a message asks for. It is false where the
// message has no cursor, or one that is not of the list.
func positionOf(m *wire.Message) (key string, ok bool) {
	if m.Cursor == nil {
		return "", false
	}
	cursor, err := base64.RawURLEncoding.DecodeString(string(jsontape.AppendUnquoted(nil, m.Cursor)))
	if err != nil || len(cursor) < crc32.Size {
		return "", err == nil && len(cursor) == 0 // the first page
	}
	key = string(cursor[crc32.Size:])
	return key, string(cursor[:crc32.Size]) == string(sumOf(m.Method, key))
}
