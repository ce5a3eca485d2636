package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// prepareHandOver makes a server that another one replaces, as --hand-over says. Over HTTP the
// context that it returns ends with standard input: so the server never outlives who started it,
// whatever becomes of that.
func (f *serveFlags) prepareHandOver(ctx context.Context, cmd *cobra.Command, o *transport.Options, tools *server.Tools) (context.Context, context.CancelFunc) {
	o.HandOver = true
	tools.Faults = func() string {
		text, err := os.ReadFile(f.handOver)
		if err != nil {
			return "" // there is no such file as long as there is no fault
		}
		return string(text)
	}
	ctx, end := context.WithCancel(ctx)
	if f.addr == "" {
		return ctx, end
	}
	o.Listening = func(addr net.Addr) { fmt.Fprintln(cmd.OutOrStdout(), addr) }
	go func() {
		_, _ = io.Copy(io.Discard, cmd.InOrStdin()) // whatever ends it
		end()
	}()
	return ctx, end
}
