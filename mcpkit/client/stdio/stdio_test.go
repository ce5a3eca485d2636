package stdio_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/fakeserver"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
)

// TestMain lets the test binary be the server.
func TestMain(m *testing.M) {
	fakeserver.Main()
	helper()
	os.Exit(m.Run())
}

// heard is what a transport has told.
type heard struct {
	mu       sync.Mutex
	messages []string
	strays   []error
	lost     chan error
	any      chan struct{}
}

// handler listens, to messages of at most this many bytes.
func (h *heard) handler(most int) client.Handler {
	h.lost, h.any = make(chan error, 10), make(chan struct{}, 1000)
	return client.Handler{
		Receive: func(message []byte) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.messages = append(h.messages, string(message))
			h.any <- struct{}{}
		},
		Lost: func(err error) { h.lost <- err },
		Stray: func(err error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.strays = append(h.strays, err)
		},
		MaxMessageBytes: most,
	}
}

// open starts a command, which ends with the test.
func open(t *testing.T, command []string, o stdio.Options, most int) (*stdio.Transport, *heard) {
	t.Helper()
	h := &heard{}
	transport := stdio.New(command, o)
	require.NoError(t, transport.Open(t.Context(), h.handler(most)))
	t.Cleanup(func() { require.NoError(t, transport.Close()) })
	return transport, h
}

func request(method string) client.Outgoing {
	return client.Outgoing{Message: []byte(`{"jsonrpc":"2.0","id":7,"method":"` + method + `"}`), ID: "7", Method: method}
}

const (
	large = 64 << 20
	long  = 30 * time.Second
)

// await waits for one of a transport's news.
func await[T any](t *testing.T, news <-chan T) T {
	t.Helper()
	select {
	case v := <-news:
		return v
	case <-time.After(long):
		require.Fail(t, "nothing came")
		panic("unreachable") //nolint:forbidigo // Fail has ended the test
	}
}

func TestMessagesAndNoise(t *testing.T) {
	t.Parallel()
	transport, h := open(t, fakeserver.Command("noise"), stdio.Options{}, large)
	require.NoError(t, transport.Send(t.Context(), request("ping")))
	for range 3 {
		await(t, h.any)
	}
	require.NoError(t, transport.Close())
	require.NoError(t, transport.Close())
	require.Equal(t, []string{"{ not JSON", "[1]", `{"jsonrpc":"2.0","id":7,"result":{}}`}, h.messages)
	var noise *stdio.NoiseError
	require.Len(t, h.strays, 2, "an empty line is nothing")
	require.ErrorAs(t, h.strays[0], &noise)
	require.Equal(t, "Server listening…", noise.Line)
	require.EqualError(t, h.strays[1], "the server wrote a line to its standard output that is no message: 42")
	require.Empty(t, h.lost, "who closes knows it")
	require.EqualError(t, transport.Send(t.Context(), request("ping")), "the connection to the server was closed")
}

// TestLineBreaksInMessages: a message is a line, whatever stands between its tokens.
func TestLineBreaksInMessages(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	transport, h := open(t, fakeserver.Command("decent"), stdio.Options{Env: append(os.Environ(), "FAKE_LOG="+log)}, large)
	message := "{\"jsonrpc\":\"2.0\",\r\n\"id\":1,\n\"method\":\"ping\"}"
	require.NoError(t, transport.Send(t.Context(), client.Outgoing{Message: []byte(message), ID: "1", Method: "ping"}))
	await(t, h.any)
	sent, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, strings.NewReplacer("\r", " ", "\n", " ").Replace(message)+"\n", string(sent))
}

// TestLimit: a message may have as many bytes as the limit says, and one more ends the session.
func TestLimit(t *testing.T) {
	t.Parallel()
	exact := len(`{"jsonrpc":"2.0","id":7,"result":{}}`)
	transport, h := open(t, fakeserver.Command("decent"), stdio.Options{}, exact)
	require.NoError(t, transport.Send(t.Context(), request("ping")))
	await(t, h.any)

	transport, h = open(t, fakeserver.Command("decent"), stdio.Options{}, exact-1)
	require.NoError(t, transport.Send(t.Context(), request("ping")))
	var tooLarge *stdio.TooLargeError
	require.ErrorAs(t, await(t, h.lost), &tooLarge)
	require.Equal(t, exact-1, tooLarge.Limit)
	require.ErrorAs(t, transport.Send(t.Context(), request("ping")), &tooLarge, "nothing can be sent any more")
	require.Empty(t, h.messages)

	_, h = open(t, []string{os.Args[0], "helper", "endless line"}, stdio.Options{}, 1<<20)
	require.ErrorAs(t, await(t, h.lost), &tooLarge, "a line without an end")
}

// TestLargeMessages: 20 MB in one line each way.
func TestLargeMessages(t *testing.T) {
	t.Parallel()
	transport, h := open(t, fakeserver.Command("giant schema"), stdio.Options{}, large)
	padding := strings.Repeat("x", 20<<20)
	message := `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"x":"` + padding + `"}}`
	require.NoError(t, transport.Send(t.Context(), client.Outgoing{Message: []byte(message), ID: "7", Method: "tools/list"}))
	await(t, h.any)
	require.True(t, json.Valid([]byte(h.messages[0])))
	require.Greater(t, len(h.messages[0]), 20<<20)
}

// TestDeath: the end of the server during a call is known at once, with all that is known of it.
func TestDeath(t *testing.T) {
	t.Parallel()
	command := fakeserver.Command("death")
	transport, h := open(t, command, stdio.Options{}, large)
	require.NoError(t, transport.Send(t.Context(), request("tools/list")))
	var exit *stdio.ExitError
	err := await(t, h.lost)
	require.ErrorAs(t, err, &exit)
	require.Equal(t, &stdio.ExitError{Command: command, Status: 3, Stderr: "out of luck"}, exit)
	require.Contains(t, err.Error(), "fake-mcp-server death` ended with exit status 3; the end of its standard error:\n  out of luck")
	require.ErrorAs(t, transport.Send(t.Context(), request("ping")), &exit)
	require.Empty(t, h.lost, "it is said once")
}

// TestStderr: a server may write as much to its standard error as it likes. The end of it is kept.
func TestStderr(t *testing.T) {
	t.Parallel()
	var all count
	transport, h := open(t, fakeserver.Command("stderr"), stdio.Options{Stderr: &all}, large)
	require.NoError(t, transport.Send(t.Context(), request("tools/list")))
	await(t, h.any)
	require.NoError(t, transport.Close())
	require.Equal(t, count(512<<10), all)
	require.Len(t, transport.Stderr(), 1999, "125 lines, whose last end is cut off")
	require.True(t, strings.HasSuffix(transport.Stderr(), "\n0123456789abcde"))

	transport, h = open(t, fakeserver.Command("stderr, no line"), stdio.Options{}, large)
	require.NoError(t, transport.Send(t.Context(), request("ping")))
	await(t, h.any)
	require.Len(t, transport.Stderr(), 2000)

	transport, h = open(t, fakeserver.Command("death at start"), stdio.Options{}, large)
	require.Error(t, await(t, h.lost))
	require.Equal(t, `no key\a given`, transport.Stderr(), "a terminal rings no bell")
}

// count counts bytes. The transport has ended when it is read.
type count int

func (c *count) Write(p []byte) (int, error) {
	*c += count(len(p))
	return len(p), nil
}

// TestSendToOneWhoDoesNotRead: Send waits no longer than its context.
func TestSendToOneWhoDoesNotRead(t *testing.T) {
	t.Parallel()
	transport, h := open(t, []string{os.Args[0], "helper", "reads nothing"}, stdio.Options{}, large)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	message := client.Outgoing{Message: make([]byte, 1<<20), ID: "1"}
	require.ErrorIs(t, transport.Send(ctx, message), context.DeadlineExceeded)
	require.ErrorIs(t, transport.Send(ctx, message), context.DeadlineExceeded, "the first one is in the way")
	waiting := make(chan error)
	go func() { waiting <- transport.Send(t.Context(), message) }()
	require.NoError(t, transport.Close())
	require.Error(t, await(t, waiting))
	require.Empty(t, h.lost)
}

// TestClosesPipes: a server that closes its input or output but runs on is of no use.
func TestClosesPipes(t *testing.T) {
	t.Parallel()
	for _, which := range []string{"input", "output"} {
		transport, h := open(t, []string{os.Args[0], "helper", "closes " + which}, stdio.Options{}, large)
		await(t, h.any) // it has closed it
		if which == "input" {
			require.Error(t, transport.Send(t.Context(), request("ping")))
		}
		var exit *stdio.ExitError
		require.ErrorAs(t, await(t, h.lost), &exit)
		require.Equal(t, which, exit.Closed)
		require.Contains(t, exit.Error(), " closed its standard "+which+" and wrote nothing to its standard error")
	}
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	for _, c := range []struct {
		command []string
		options stdio.Options
		reason  string
	}{
		{nil, stdio.Options{}, "no command was given"},
		{[]string{""}, stdio.Options{}, "no command was given"},
		{[]string{"no-such-program-xyz", "a b"}, stdio.Options{}, "there is no such program in the folders of PATH; check its name, and that it is installed"},
		{[]string{dir + "/no-such"}, stdio.Options{}, "there is no such file; check its path"},
		{[]string{file("plain", "#!/bin/sh\n", 0o600)}, stdio.Options{}, "the file is not executable; make it so (chmod +x), or give the program that runs it first"},
		{[]string{file("text", "hello", 0o700)}, stdio.Options{}, "the file is no program for this system; a script needs a first line such as #!/usr/bin/env node, or give the program that runs it first"},
		{[]string{file("orphan", "#!/no/such/interpreter\n", 0o700)}, stdio.Options{}, "the program in the first line of the script (#!) is not there; check that it is installed"},
		{[]string{dir}, stdio.Options{}, "is a directory"},
		{[]string{"env"}, stdio.Options{Dir: dir + "/no-such"}, "there is no folder " + dir + "/no-such to run it in"},
		{[]string{"env"}, stdio.Options{Dir: dir + "/plain"}, dir + "/plain is no folder to run it in"},
		{[]string{"env"}, stdio.Options{Env: []string{"PATH=" + dir}}, "there is no such program in the folders of PATH; check its name, and that it is installed"},
		{[]string{"plain"}, stdio.Options{Env: []string{"PATH=" + dir}}, "the file is not executable; make it so (chmod +x), or give the program that runs it first"},
	} {
		h := &heard{}
		transport := stdio.New(c.command, c.options)
		err := transport.Open(t.Context(), h.handler(large))
		var start *stdio.StartError
		require.ErrorAs(t, err, &start, c.reason)
		require.Equal(t, c.reason, start.Reason)
		require.Equal(t, c.command, start.Command)
		require.NoError(t, transport.Close())
		require.Error(t, transport.Send(t.Context(), request("ping")))
	}
	require.EqualError(t, stdio.New([]string{"no-such", "a b", "c"}, stdio.Options{}).Open(t.Context(), client.Handler{}),
		"can't start the server `no-such \"a b\" c`: there is no such program in the folders of PATH; check its name, and that it is installed")
}

// TestWhereItRuns: the folder, the environment and the program that is found with them.
func TestWhereItRuns(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Symlink(os.Args[0], filepath.Join(dir, "server-xyz")))
	for _, program := range []string{"server-xyz", "./server-xyz"} {
		_, h := open(t, []string{program, "helper", "tells"}, stdio.Options{Dir: dir, Env: []string{"PATH=" + dir, "KEY=value"}}, large)
		await(t, h.any)
		require.JSONEq(t, `{"dir":"`+dir+`","env":["PATH=`+dir+`","KEY=value"]}`, h.messages[0])
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	transport, _ := open(t, fakeserver.Command("decent"), stdio.Options{}, large)
	var start *stdio.StartError
	require.ErrorAs(t, transport.Open(t.Context(), client.Handler{}), &start)
	require.Contains(t, start.Reason, "opened before")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, transport.Send(ctx, request("ping")), context.Canceled)
	require.ErrorIs(t, stdio.New(fakeserver.Command("decent"), stdio.Options{}).Open(ctx, client.Handler{}), context.Canceled)
	require.NoError(t, stdio.New(nil, stdio.Options{}).Close(), "it was never opened")
}
