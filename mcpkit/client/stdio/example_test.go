package stdio_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
)

func Example() {
	ctx := context.Background()
	command := []string{os.Args[0], "helper", "go-sdk"} // such as npx -y @modelcontextprotocol/server-everything
	session, err := client.Connect(ctx, stdio.New(command, stdio.Options{}), client.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	result, err := session.CallTool(ctx, "greet", []byte(`{"name":"Ada"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text())
	// Output: Hello Ada
}

func ExampleStartError() {
	transport := stdio.New([]string{"no-such-server"}, stdio.Options{})
	_, err := client.Connect(context.Background(), transport, client.Options{})
	var start *stdio.StartError
	if errors.As(err, &start) {
		fmt.Println(start.Reason)
	}
	// Output: there is no such program in the folders of PATH; check its name, and that it is installed
}
