package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// slow is a registry whose schema "slow" takes until it is released.
type slow struct {
	jsonrt.Registry
	entered chan struct{} // gets a value when a check has begun
	release chan struct{}
}

func newSlow() *slow {
	s := &slow{entered: make(chan struct{}, 1000), release: make(chan struct{})}
	s.Registry = jsonrt.NewRegistry(&jsonrt.Schema{ID: "slow", Source: "{}", Check: func(*jsonrt.Checker, int) bool {
		s.entered <- struct{}{}
		<-s.release
		return true
	}})
	return s
}

func echoCall(id int, schema, payload string) string {
	return string(rawclient.Echo(strconv.Itoa(id), schema, []byte(payload)))
}

// run serves an input that is there from the start.
func run(t *testing.T, s *server.Server, in io.Reader) (lines []string, err error) {
	t.Helper()
	var out bytes.Buffer
	err = s.ServeStdio(t.Context(), in, &out)
	for line := range strings.Lines(out.String()) {
		require.True(t, strings.HasSuffix(line, "\n"))
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return lines, err
}

func TestStdioEndOfInput(t *testing.T) {
	t.Parallel()
	input := []string{"", initialize, " \t\r", initialized}
	for i := range 500 {
		input = append(input, echoCall(i, echo.Schemaless, fmt.Sprintf(`{"n":%d}`, i)))
	}
	for _, end := range []string{"\n", "", "\n\n"} {
		lines, err := run(t, server.New(testRegistry(), transport.Options{}, server.Tools{}), strings.NewReader(strings.Join(input, "\n")+end))
		require.NoError(t, err)
		require.Len(t, lines, 501, "one answer for each request")
		require.Contains(t, lines[0], `"id":"init"`, "nothing overtakes initialize")
		seen := map[string]bool{}
		for _, l := range lines[1:] {
			a := read(t, l)
			require.Equal(t, `{"ok":true,"schema_id":"__schemaless__","payload":{"n":`+string(a.ID)+`}}`, string(a.Result.StructuredContent))
			seen[string(a.ID)] = true
		}
		require.Len(t, seen, 500)
	}
}

func TestStdioNothing(t *testing.T) {
	t.Parallel()
	for _, input := range []string{"", "\n", "\n \n\t\r\n", initialized + "\n", `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, `{"jsonrpc":"2.0","method":"absent"}`} {
		lines, err := run(t, server.New(testRegistry(), transport.Options{}, server.Tools{}), strings.NewReader(input))
		require.NoError(t, err)
		require.Empty(t, lines, input)
	}
}

func TestStdioInputFails(t *testing.T) {
	t.Parallel()
	lines, err := run(t, server.New(testRegistry(), transport.Options{}, server.Tools{}), io.MultiReader(strings.NewReader(ping+"\n"+ping), iotest.ErrReader(io.ErrClosedPipe)))
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.Len(t, lines, 1, "what was read whole is answered")
}

// brokenPipe is an output that nobody reads any more.
type brokenPipe struct{ after int }

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// TestStdioOutputFails: the server ends although its input goes on.
func TestStdioOutputFails(t *testing.T) {
	t.Parallel()
	for after := range 3 {
		in, requests := io.Pipe()
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			for i := 0; ; i++ {
				if _, err := io.WriteString(requests, echoCall(i, echo.Schemaless, "1")+"\n"); err != nil {
					return
				}
			}
		}()
		err := server.New(testRegistry(), transport.Options{}, server.Tools{}).ServeStdio(t.Context(), in, &brokenPipe{after})
		require.ErrorIs(t, err, io.ErrClosedPipe)
		require.NoError(t, in.Close())
		<-sent
	}
}

func TestStdioTooLarge(t *testing.T) {
	t.Parallel()
	const limit = 10_000
	long := strings.Repeat("x", limit)
	s := server.New(testRegistry(), transport.Options{MaxMessageBytes: limit}, server.Tools{})
	fits := echoCall(1, echo.Schemaless, `"`+long[:limit-len(echoCall(1, echo.Schemaless, `""`))]+`"`)
	require.Len(t, fits, limit)

	c := startStdio(t, t.Context(), s)
	require.False(t, read(t, c.ask(t, fits)).Result.IsError)

	e := readFailure(t, c.ask(t, fits+" "))
	require.Equal(t, echo.CodeInvalidRequest, e.Code)
	require.Equal(t, "the message is larger than 10000 bytes, the limit of this server", e.Message)

	a := read(t, c.ask(t, `{"jsonrpc":"2.0","method":"ping","params":{"x":"`+long+`"},"id":9007199254740993}`))
	require.Equal(t, -32600, a.Error.Code)
	require.Equal(t, `9007199254740993`, string(a.ID))
	require.Contains(t, a.Error.Message, "the limit of this server")

	a = read(t, c.ask(t, long+long))
	require.Equal(t, `null`, string(a.ID))

	// A notification gets no answer whatever its size.
	require.Contains(t, c.ask(t, `{"jsonrpc":"2.0","method":"x","params":{"x":"`+long+`"}}`+"\n"+ping), `"id":"ping"`)

	modern := strings.Replace(fits, `"params":{`, `"params":{"_meta":`+modernMeta+`,`, 1)
	a = read(t, c.ask(t, modern))
	require.True(t, a.Result.IsError)
	require.Equal(t, "complete", a.Result.ResultType, "the answer is of the caller's protocol version")
}

// TestStdioConcurrent: calls run at the same time and each gets its own answer.
func TestStdioConcurrent(t *testing.T) {
	t.Parallel()
	c := startStdio(t, t.Context(), server.New(testRegistry(), transport.Options{}, server.Tools{}))
	c.ask(t, initialize)
	var senders sync.WaitGroup
	for i := range 100 {
		senders.Go(func() { c.send(t, echoCall(i, "any", fmt.Sprintf(`{"n":%d,"x":"%s"}`, i, strings.Repeat("y", i*100)))) })
	}
	seen := map[string]bool{}
	for range 100 {
		a := read(t, c.next(t))
		n, err := strconv.Atoi(string(a.ID))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf(`{"ok":true,"schema_id":"any","payload":{"n":%d,"x":"%s"}}`, n, strings.Repeat("y", n*100)), string(a.Result.StructuredContent))
		seen[string(a.ID)] = true
	}
	senders.Wait()
	require.Len(t, seen, 100)
}

// TestStdioOvertakes: a quick answer does not wait for a slow one.
func TestStdioOvertakes(t *testing.T) {
	t.Parallel()
	r := newSlow()
	c := startStdio(t, t.Context(), server.New(r.Registry, transport.Options{}, server.Tools{}))
	c.send(t, echoCall(1, "slow", "1"))
	<-r.entered
	require.Contains(t, c.ask(t, ping), `"id":"ping"`)
	close(r.release)
	require.Contains(t, c.next(t), `"id":1,`)
}

// TestStdioCancel: a cancelled request gets no answer, whether it runs or waits, and
// nobody else suffers.
func TestStdioCancel(t *testing.T) {
	t.Parallel()
	r := newSlow()
	c := startStdio(t, t.Context(), server.New(r.Registry, transport.Options{}, server.Tools{}))
	cancel := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"test"}}`
	}
	c.send(t, echoCall(1, "slow", "1"), strings.Replace(echoCall(1, "slow", "2"), `"id":1`, `"id":"1"`, 1),
		strings.Replace(echoCall(1, "slow", "3"), `"id":1`, `"id":9007199254740993`, 1))
	for range 3 {
		<-r.entered
	}
	c.send(t, cancel(`1`), cancel(`9007199254740993`), cancel(`77`), cancel(`null`), cancel(`{}`),
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	require.Contains(t, c.ask(t, ping), `"id":"ping"`)
	close(r.release)
	require.Contains(t, c.next(t), `"id":"1","result"`)
	require.NoError(t, c.in.Close())
	require.NoError(t, c.result(t))
	require.Empty(t, c.lines)
}

// TestStdioStop: when the context ends, what was read is answered although the input is
// still open.
func TestStdioStop(t *testing.T) {
	t.Parallel()
	r := newSlow()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c := startStdio(t, ctx, server.New(r.Registry, transport.Options{}, server.Tools{}))
	c.send(t, echoCall(1, "slow", "1"))
	<-r.entered
	stop()
	time.AfterFunc(50*time.Millisecond, func() { close(r.release) })
	require.Contains(t, c.next(t), `"id":1,"result"`)
	require.NoError(t, c.result(t))
}

// TestStdioStopLimit: a call that does not end keeps nobody from stopping.
func TestStdioStopLimit(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*stdioClient, context.CancelFunc){
		"stop":         func(_ *stdioClient, stop context.CancelFunc) { stop() },
		"end of input": func(c *stdioClient, _ context.CancelFunc) { _ = c.in.Close() },
	} {
		r := newSlow()
		ctx, stop := context.WithCancel(t.Context())
		c := startStdio(t, ctx, server.New(r.Registry, transport.Options{DrainTimeout: 50 * time.Millisecond}, server.Tools{}))
		c.send(t, echoCall(1, "slow", "1"))
		<-r.entered
		end(c, stop)
		require.ErrorIs(t, c.result(t), transport.ErrDrain, name)
		close(r.release)
		stop()
	}
}

// TestStdioStopBlocked: neither a client that does not read nor one that does not write
// keeps the server from stopping.
func TestStdioStopBlocked(t *testing.T) {
	t.Parallel()
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- server.New(testRegistry(), transport.Options{DrainTimeout: 50 * time.Millisecond}, server.Tools{}).ServeStdio(ctx, in, out)
	}()
	_, err := io.WriteString(requests, initialize+"\n")
	require.NoError(t, err)
	_, err = answers.Read(make([]byte, 1))
	require.NoError(t, err)
	stop()
	require.ErrorIs(t, <-ended, transport.ErrDrain)
	require.NoError(t, answers.Close())
	require.NoError(t, in.Close())
}

func TestStdioSlowReader(t *testing.T) {
	t.Parallel()
	answers, out := io.Pipe()
	input := strings.Repeat(echoCall(1, "any", `"`+strings.Repeat("x", 1000)+`"`)+"\n", 30)
	ended := make(chan error, 1)
	go func() {
		ended <- server.New(testRegistry(), transport.Options{DrainTimeout: 2 * time.Second}, server.Tools{}).ServeStdio(t.Context(), strings.NewReader(input), out)
		_ = out.Close()
	}()
	reader := bufio.NewReaderSize(answers, 16)
	lines := 0
	for {
		_, err := reader.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		lines++
		time.Sleep(90 * time.Millisecond)
	}
	require.Equal(t, 30, lines, "who reads slowly, but reads, gets every answer")
	require.NoError(t, <-ended)
}

// TestStdioNotifications: a notification goes out before the answer that was made after it.
func TestStdioNotifications(t *testing.T) {
	t.Parallel()
	r := newSlow()
	s := server.New(r.Registry, transport.Options{}, server.Tools{})
	c := startStdio(t, t.Context(), s)
	c.ask(t, initialize)
	for i := range 20 {
		c.send(t, echoCall(i, "slow", "1"))
		<-r.entered
		s.Notify("notifications/test", map[string]any{"x": 1})
		r.release <- struct{}{}
		require.Equal(t, `{"jsonrpc":"2.0","method":"notifications/test","params":{"x":1}}`, c.next(t))
		require.Contains(t, c.next(t), `"result"`)
	}
	s.Notify("notifications/test", map[string]any{"x": 1})
	require.Contains(t, c.next(t), `notifications/test`, "also when nobody asks")
}

// TestStdioBackpressure: the server reads no more than it may hold, and goes on when the
// answers are read.
func TestStdioBackpressure(t *testing.T) {
	t.Parallel()
	const limit = 300_000
	r := newSlow()
	c := startStdio(t, t.Context(), server.New(r.Registry, transport.Options{MaxMessageBytes: limit}, server.Tools{}))
	message := func(id int) string { return echoCall(id, "slow", `"`+strings.Repeat("x", limit-1000)+`"`) }
	sent := make(chan int)
	go func() {
		for i := range 20 {
			c.send(t, message(i))
			sent <- i
		}
		close(sent)
	}()
	last := 0
	for idle := false; !idle; {
		select {
		case last = <-sent:
		case <-time.After(300 * time.Millisecond):
			idle = true
		}
	}
	require.Less(t, last, 10, "at most four messages are under way, and a few on their way")
	close(r.release)
	for range sent { //nolint:revive // until all are sent
	}
	for range 20 {
		c.next(t)
	}
}

func TestStdioTwoAtOnce(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{}, server.Tools{})
	a, b := startStdio(t, t.Context(), s), startStdio(t, t.Context(), s)
	require.Contains(t, a.ask(t, initialize), `"result"`)
	require.Contains(t, b.ask(t, initialize), `"result"`)
	require.Contains(t, a.ask(t, ping), `"result"`)
}
