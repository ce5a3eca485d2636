package lint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os/exec"
	"syscall"

	"github.com/zenlix/echo-mcp/internal/modelapi"
	"github.com/zenlix/echo-mcp/internal/printable"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

// UnreachableError says why a server gave no list of tools.
type UnreachableError struct {
	// Text is the reason, with what to do about it.
	Text string
	// Stderr is the end of what a server that was started wrote to its standard error.
	Stderr string
}

func (e *UnreachableError) Error() string { return e.Text }

// Command starts a server, lists its tools over stdio and ends it, with all processes that it
// has started where the system knows groups of processes. ctx bounds all of it but the end,
// which takes a few seconds at most. The error is an *UnreachableError.
func Command(ctx context.Context, command []string) ([]modelapi.Tool, error) {
	t := stdio.New(command, stdio.Options{})
	tools, err := list(ctx, t)
	if err != nil {
		return nil, &UnreachableError{reason(ctx, err), t.Stderr()}
	}
	return tools, nil
}

// HTTP lists the tools of a server at a URL over streamable HTTP, with these headers beside its
// own. The error is an *UnreachableError.
func HTTP(ctx context.Context, address string, headers map[string]string) ([]modelapi.Tool, error) {
	header := http.Header{}
	for name, value := range headers {
		header.Set(name, value)
	}
	t, err := streamable.New(address, streamable.Options{Header: header})
	if err != nil {
		return nil, &UnreachableError{Text: err.Error()}
	}
	tools, err := list(ctx, t)
	if err != nil {
		return nil, &UnreachableError{Text: reason(ctx, err)}
	}
	return tools, nil
}

// Served lists the tools of a server in this process, which connect runs until its input ends.
func Served(ctx context.Context, connect func(context.Context) io.ReadWriteCloser) ([]modelapi.Tool, error) {
	return list(ctx, client.InMemory(connect))
}

// list agrees on a version and asks for all pages of the list of tools.
func list(ctx context.Context, t client.Transport) ([]modelapi.Tool, error) {
	// ctx alone bounds the requests.
	session, err := client.Connect(ctx, t, client.Options{Name: "echo-mcp-lint", Version: "1", Timeout: -1})
	if err != nil {
		return nil, err
	}
	defer func() { _ = session.Close() }()
	listed, err := session.Tools(ctx)
	var refused *client.Error
	if errors.As(err, &refused) && refused.Code == methodNotFound {
		return nil, nil // a server without tools
	}
	var tools []modelapi.Tool
	for _, tool := range listed {
		tools = append(tools, modelapi.Tool{Name: tool.Name, Description: tool.Description, Input: tool.InputSchema, Output: tool.OutputSchema})
	}
	return tools, err
}

// reason says in a person's words why there is no list.
func reason(ctx context.Context, err error) string {
	var (
		start    *stdio.StartError
		refused  *client.Error
		page     *client.PageError
		protocol *client.ProtocolError
		status   *streamable.HTTPError
		dns      *net.DNSError
		errno    syscall.Errno
		lost     *streamable.UnreachableError
	)
	switch {
	case errors.As(err, &refused):
		method := refused.Method
		if method != listMethod {
			method = "to connect"
		}
		return fmt.Sprintf("the server refuses %s with error %d: %s", method, refused.Code, printable.Text(refused.Message))
	case errors.As(err, &page) && !page.Repeated:
		return fmt.Sprintf("the server's list of tools has more than %d pages", page.Pages)
	case errors.As(err, &page):
		return fmt.Sprintf("the server gives the cursor %q a second time, so its list of tools has no end", page.Cursor)
	case errors.As(err, &protocol) && protocol.Method == listMethod:
		return "the server's answer to tools/list is not a list of tools"
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "the server did not answer in time; --timeout gives it more"
	case ctx.Err() != nil:
		return "interrupted"
	case errors.As(err, &start):
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return fmt.Sprintf("can't start %q: there is no such program, or it may not be run", start.Command[0])
		}
		return fmt.Sprintf("can't start %q: %s", start.Command[0], start.Reason)
	case errors.As(err, &status):
		return statusReason(status.Status)
	case errors.As(err, &dns):
		return "there is no host " + dns.Name
	case errors.As(err, &errno):
		return "can't connect: " + errno.Error()
	case errors.As(err, &lost):
		return "can't connect: " + lost.Reason
	case errors.Is(err, client.ErrLost):
		return "the server ended before it answered"
	}
	return "the server does not answer as an MCP server does"
}

const (
	listMethod     = "tools/list"
	methodNotFound = -32601 // JSON-RPC 2.0, section 5.1
)

// statusReason says why there is no list where the server answered with a status.
func statusReason(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Sprintf("the server wants to know who asks (status %d): send a token with --header 'Authorization: Bearer TOKEN'", status)
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return fmt.Sprintf("no MCP server answers there (status %d); most are served at a path such as /mcp", status)
	}
	return fmt.Sprintf("the server answers with status %d", status)
}
