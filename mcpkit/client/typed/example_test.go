package typed_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/typed"
	"github.com/zenlix/echo-mcp/mcpkit/client/typed/internal/shopmcp"
)

// The package shopmcp is what echo-gen makes from the catalogue of a server: a method for each tool.
// The server is in the same program here; one in a program of its own, or behind a URL, is called in
// the same way.
func Example() {
	server, err := shop()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	session, err := client.Connect(ctx, client.InMemory(server.Connect), client.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()

	shop := shopmcp.New(session)
	receipt, err := shop.PlaceOrder(ctx, shopmcp.PlaceOrderInput{Article: "tea", Count: new(int64(2))})
	fmt.Println(receipt.Number, receipt.Lines, err)

	_, err = shop.PlaceOrder(ctx, shopmcp.PlaceOrderInput{Article: "tea", Count: new(int64(0))})
	fmt.Println(err)

	_, err = shop.PlaceOrder(ctx, shopmcp.PlaceOrderInput{Article: "moon"})
	if failed, ok := errors.AsType[*typed.ToolError](err); ok {
		fmt.Println(failed.Result.Text())
	}
	// Output:
	// 7 [2 tea] <nil>
	// the tool place_order was not called, as it does not take these arguments: /count: must be at least 1
	// the moon is not for sale
}
