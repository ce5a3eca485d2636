package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

func newRPC(p Program) *cobra.Command {
	var notify bool
	t := target{program: p}
	cmd := &cobra.Command{
		Use:   "rpc METHOD [JSON] [TARGET]",
		Short: "Send any request or notification to an MCP server",
		Long: `Send a request with any method to an MCP server, after the usual start of a session, and print
the result byte for byte as the server sent it. JSON is the parameters, an object; @FILE is a
file with them and - standard input. With --notify a notification is sent instead, which has no
answer.

` + targetHelp + listExits,
		Example: `  {program} rpc tools/list
  {program} rpc completion/complete @complete.json -- npx -y @modelcontextprotocol/server-everything
  {program} rpc notifications/roots/list_changed --notify --http https://mcp.example.com/mcp`,
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		args, err := t.split(cmd, args)
		if err != nil {
			return err
		}
		text := ""
		if len(args) == 2 {
			text = args[1]
		}
		params, err := jsonArgument(cmd.InOrStdin(), "JSON", text)
		if err != nil {
			return err
		}
		return t.use(cmd, func(ctx context.Context, s *client.Session) error {
			if notify {
				return s.Notify(ctx, args[0], params)
			}
			result, err := s.Request(ctx, args[0], params)
			if err != nil {
				return err
			}
			o := newOutput(cmd)
			o.json(result)
			return o.Flush()
		})
	})
	cmd.Flags().BoolVar(&notify, "notify", false, "send a notification, and wait for no answer")
	t.register(cmd)
	return cmd
}
