package typed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

type order struct {
	Article string `json:"article" jsonschema:"minLength=1" jsonschema_description:"What to buy, such as tea"`
	Count   int    `json:"count,omitempty" jsonschema:"minimum=1,maximum=100" jsonschema_description:"1 where it is left out"`
	Wrap    string `json:"wrap,omitempty" jsonschema:"enum=paper,enum=none"`
}

type receipt struct {
	Number int      `json:"number"`
	Lines  []string `json:"lines"`
}

// shop is a server of typed tools. What it is asked for decides whether it keeps its promises.
func shop() (*toolkit.Server, error) {
	s := toolkit.New(toolkit.Info{Name: "shop", Title: "The shop", Version: "1.2.0"}, toolkit.Options{})
	return s, errors.Join(
		toolkit.Tool(s, "place_order", "Places an order.\n\nIt is delivered the same day.", func(_ context.Context, o order) (receipt, error) {
			if o.Article == "moon" {
				return receipt{}, errors.New("the moon is not for sale")
			}
			return receipt{Number: 7, Lines: []string{fmt.Sprintf("%d %s", max(o.Count, 1), o.Article)}}, nil
		}),
		toolkit.Tool(s, "count-stock", "Counts what is there.", func(_ context.Context, in struct {
			Article string `json:"article"`
		},
		) (string, error) {
			return strings.ToUpper(in.Article) + ": 3", nil
		}),
		toolkit.Tool(s, "close", "Closes the shop.", func(context.Context, struct{}) (string, error) { return "closed", nil }),
	)
}

// connect opens a session, which ends with the test.
func connect(t *testing.T, transport client.Transport) *client.Session {
	t.Helper()
	s, err := client.Connect(t.Context(), transport, client.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// TestCatalogIsOfTheShop: the package is made from what the server lists. UPDATE=1 writes the
// catalogue anew; then run go generate at the root.
func TestCatalogIsOfTheShop(t *testing.T) {
	server, err := shop()
	require.NoError(t, err)
	session := connect(t, client.InMemory(server.Connect))
	tools, err := session.Tools(t.Context())
	require.NoError(t, err)
	type schema struct {
		JSON json.RawMessage `json:"json"`
	}
	type detail struct {
		Input  schema  `json:"input"`
		Output *schema `json:"output,omitempty"`
	}
	type item struct {
		Type        string   `json:"type"`
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Meta        struct{} `json:"meta"`
		Detail      detail   `json:"detail"`
	}
	var document struct {
		Server struct {
			Info json.RawMessage `json:"info"`
		} `json:"server"`
		Items []item `json:"items"`
	}
	document.Server.Info = session.Server().Raw
	for _, tool := range tools {
		i := item{Type: "tool", Name: tool.Name, Description: tool.Description, Detail: detail{Input: schema{tool.InputSchema}}}
		if tool.OutputSchema != nil {
			i.Detail.Output = &schema{tool.OutputSchema}
		}
		document.Items = append(document.Items, i)
	}
	text, err := json.MarshalIndent(document, "", "  ")
	require.NoError(t, err)
	const file = "internal/shopmcp/shop.json"
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(file, append(text, '\n'), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(bytes.TrimSpace(want)), string(text))
}
