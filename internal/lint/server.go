package lint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/internal/modelapi"
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
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil, &UnreachableError{Text: fmt.Sprintf("can't start %q: there is no such program, or it may not be run", command[0])}
	}
	var cmd *exec.Cmd
	said := &tail{}
	t := &stdio{Stdio: transport.NewStdioWithOptions(command[0], nil, command[1:], transport.WithCommandLogger(silent()),
		transport.WithCommandFunc(func(_ context.Context, name string, _, args []string) (*exec.Cmd, error) {
			cmd = exec.Command(name, args...) //nolint:gosec,noctx // what the person asked for; it is ended below
			cmd.Stderr, cmd.WaitDelay = said, time.Second
			ownGroup(cmd)
			return cmd, nil
		}))}
	tools, err := list(ctx, t)
	started := cmd != nil && cmd.Process != nil
	if err != nil && started {
		killGroup(cmd.Process) // it had its time
	}
	_ = t.Close()
	if started {
		killGroup(cmd.Process)
	}
	if err != nil {
		return nil, &UnreachableError{reason(ctx, err), said.String()}
	}
	return tools, nil
}

// HTTP lists the tools of a server at a URL over streamable HTTP, with these headers beside its
// own. The error is an *UnreachableError.
func HTTP(ctx context.Context, address string, headers map[string]string) ([]modelapi.Tool, error) {
	last := &lastStatus{}
	over, err := transport.NewStreamableHTTP(address, transport.WithHTTPHeaders(headers), transport.WithHTTPLogger(silent()),
		transport.WithHTTPBasicClient(&http.Client{Transport: last}))
	if err != nil {
		return nil, &UnreachableError{Text: "this is no URL of a server"}
	}
	t := &streamable{StreamableHTTP: over}
	tools, err := list(ctx, t)
	status := last.code.Load()
	_ = t.Close()
	if err != nil {
		return nil, &UnreachableError{Text: statusReason(ctx, status, err)}
	}
	return tools, nil
}

// lastStatus keeps the status of the last answer.
type lastStatus struct{ code atomic.Int64 }

func (l *lastStatus) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	l.code.Store(0)
	if err == nil {
		l.code.Store(int64(response.StatusCode))
	}
	return response, err
}

// statusReason says why there is no list where the server answered with a status.
func statusReason(ctx context.Context, status int64, err error) string {
	switch {
	case ctx.Err() != nil || status < http.StatusBadRequest:
		return reason(ctx, err)
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Sprintf("the server wants to know who asks (status %d): send a token with --header 'Authorization: Bearer TOKEN'", status)
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return fmt.Sprintf("no MCP server answers there (status %d); most are served at a path such as /mcp", status)
	}
	return fmt.Sprintf("the server answers with status %d", status)
}

// Served lists the tools of a server in this process, which serve runs until its input ends.
func Served(ctx context.Context, serve func(ctx context.Context, in io.Reader, out io.Writer) error) ([]modelapi.Tool, error) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = out.CloseWithError(serve(ctx, in, out))
	}()
	t := &stdio{Stdio: transport.NewIO(fromServer, toServer, io.NopCloser(strings.NewReader("")))}
	tools, err := list(ctx, t)
	_ = toServer.Close()
	<-ended
	_ = t.Close()
	return tools, err
}

// answers keeps the last answer to a request. mcp-go's types of tools know few of a schema's
// keywords and not its text.
type answers struct{ last *transport.JSONRPCResponse }

func (a *answers) keep(response *transport.JSONRPCResponse, err error) (*transport.JSONRPCResponse, error) {
	a.last = response
	return response, err
}

// kept is the last answer.
func (a *answers) kept() *transport.JSONRPCResponse { return a.last }

// keeping is a transport that keeps the last answer.
type keeping interface {
	transport.Interface
	kept() *transport.JSONRPCResponse
}

// The transports as they are, for mcp-go asks what else they can do.
type (
	stdio struct {
		*transport.Stdio
		answers
	}
	streamable struct {
		*transport.StreamableHTTP
		answers
	}
)

func (t *stdio) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	return t.keep(t.Stdio.SendRequest(ctx, r))
}

func (t *streamable) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	return t.keep(t.StreamableHTTP.SendRequest(ctx, r))
}

// list agrees on a version and asks for all pages of the list of tools.
func list(ctx context.Context, t keeping) ([]modelapi.Tool, error) {
	c := client.NewClient(t)
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ClientInfo = mcp.Implementation{Name: "echo-mcp-lint", Version: "1"}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return nil, refusal("to connect", t.kept(), err)
	}
	var tools []modelapi.Tool
	var request mcp.ListToolsRequest
	for seen := map[mcp.Cursor]bool{}; ; {
		_, err := c.ListToolsByPage(ctx, request)
		answer := t.kept()
		switch {
		case answer != nil && answer.Error != nil && answer.Error.Code == mcp.METHOD_NOT_FOUND:
			return nil, nil // a server without tools
		case answer == nil || answer.Error != nil:
			return nil, refusal("tools/list", answer, err)
		}
		var page struct {
			Tools []struct {
				Name         string          `json:"name"`
				Description  string          `json:"description"`
				InputSchema  json.RawMessage `json:"inputSchema"`
				OutputSchema json.RawMessage `json:"outputSchema"`
			} `json:"tools"`
			NextCursor mcp.Cursor `json:"nextCursor"`
		}
		if err := json.Unmarshal(answer.Result, &page); err != nil {
			return nil, &answerError{"the server's answer to tools/list is not a list of tools"}
		}
		for _, tool := range page.Tools {
			tools = append(tools, modelapi.Tool{Name: tool.Name, Description: tool.Description, Input: tool.InputSchema, Output: tool.OutputSchema})
		}
		switch {
		case page.NextCursor == "":
			return tools, nil
		case seen[page.NextCursor]:
			return nil, &answerError{fmt.Sprintf("the server gives the cursor %q a second time, so its list of tools has no end", page.NextCursor)}
		}
		seen[page.NextCursor] = true
		request.Params.Cursor = page.NextCursor
	}
}

// refusal is the error that the server answered, or else the one that came instead of an answer.
func refusal(what string, answer *transport.JSONRPCResponse, err error) error {
	if answer == nil || answer.Error == nil {
		return err
	}
	return &answerError{fmt.Sprintf("the server refuses %s with error %d: %s", what, answer.Error.Code, printable(answer.Error.Message))}
}

// answerError is an answer that is none.
type answerError struct{ text string }

func (e *answerError) Error() string { return e.text }

// reason says in a person's words why there is no list.
func reason(ctx context.Context, err error) string {
	var (
		answer *answerError
		errno  syscall.Errno
		dns    *net.DNSError
		web    *url.Error
	)
	switch {
	case errors.As(err, &answer):
		return answer.text
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "the server did not answer in time; --timeout gives it more"
	case ctx.Err() != nil:
		return "interrupted"
	case errors.Is(err, transport.ErrTransportClosed), errors.Is(err, syscall.EPIPE), errors.Is(err, os.ErrClosed):
		// What it ended before: reading our message, or answering it.
		return "the server ended before it answered"
	case errors.As(err, &dns):
		return "there is no host " + dns.Name
	case errors.As(err, &errno):
		return "can't connect: " + errno.Error()
	case errors.As(err, &web):
		return "can't connect: " + printable(web.Err.Error())
	}
	return "the server does not answer as an MCP server does"
}

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailBytes is how much of a server's standard error is kept.
const tailBytes = 2000

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

// String is the text by lines, with what a terminal would obey escaped.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range strings.Lines(strings.ToValidUTF8(string(t.text), "�")) {
		lines = append(lines, printable(strings.TrimRight(line, "\r\n")))
	}
	return strings.Join(lines, "\n")
}
