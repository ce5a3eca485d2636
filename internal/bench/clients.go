package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// turnTime is about how long a server is kept busy in one of its turns. They are short: a
// machine that others use too changes its speed from one second to the next, and what is
// compared has to be measured at one speed.
const turnTime = 75 * time.Millisecond

// turnsARound is how many turns of small payloads a round has. Large ones take longer than a
// turn anyway.
const turnsARound = 4

// ender ends a connection, and the server with it.
type ender func() error

// asker sends a request and reads the answer to its end. It gives the answer's length, and
// the answer itself where keep is set: to keep it would cost time.
type asker func(request []byte, keep bool) (length int, answer []byte, err error)

// contestant is a tool of a server.
type contestant struct{ binary, tool string }

// request is a call of the tool with a payload of about so many bytes. Tools called echo take any
// payload, the others take an outline.
func (c contestant) request(size int) (request []byte, payload int) {
	arguments := outlineOf(size)
	if payload = len(arguments); c.tool == "echo" {
		events := eventsOf(size)
		arguments, payload = `{"schema_id":"events_07","payload":`+events+`}`, len(events)
	}
	return []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + c.tool + `","arguments":` + arguments + `}}`), payload
}

// calls gives, for each contestant, the time of a call in its best turn.
func calls(ctx context.Context, contestants []contestant, transport string, size, rounds int) ([]time.Duration, error) {
	open := openStdio
	if transport == "http" {
		open = openHTTP
	}
	asks := make([]func(keep bool) ([]byte, error), len(contestants))
	for i, c := range contestants {
		ask, end, err := open(ctx, c.binary)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.binary, err)
		}
		defer end() //nolint:errcheck // the figures are in by then
		request, payload := c.request(size)
		asks[i] = func(keep bool) ([]byte, error) {
			length, answer, err := ask(request, keep)
			if err == nil && length < 2*payload {
				err = fmt.Errorf("an answer of %d bytes to a payload of %d", length, payload)
			}
			return answer, err
		}
		answer, err := asks[i](true)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.binary, err)
		}
		if !bytes.Contains(answer, []byte(`"structuredContent":{`)) || bytes.Contains(answer, []byte(`"isError":true`)) {
			return nil, fmt.Errorf("%s did not echo: %.300s", c.binary, answer)
		}
	}
	all := make([][]time.Duration, len(contestants))
	turns := rounds
	if size < 100_000 {
		turns *= turnsARound
	}
	for range turns {
		for i, ask := range asks {
			calls := 0
			start := time.Now()
			for time.Since(start) < turnTime {
				if _, err := ask(false); err != nil {
					return nil, fmt.Errorf("%s: %w", contestants[i].binary, err)
				}
				calls++
			}
			all[i] = append(all[i], time.Since(start)/time.Duration(calls))
		}
	}
	best := make([]time.Duration, len(all))
	for i, times := range all {
		best[i] = slices.Min(times)
	}
	return best, nil
}

const (
	initialize  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// openStdio starts a server on stdio and does the handshake.
func openStdio(ctx context.Context, binary string) (asker, ender, error) {
	_, ask, end, err := startStdio(ctx, binary)
	return ask, end, err
}

// startStdio is openStdio that gives the process too.
func startStdio(ctx context.Context, binary string) (*os.Process, asker, ender, error) {
	cmd := exec.CommandContext(ctx, binary)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, nil, err
	}
	lines := bufio.NewReaderSize(out, 256<<10)
	ask := func(request []byte, keep bool) (length int, answer []byte, err error) {
		line := append(request[:len(request):len(request)], '\n')
		sent := make(chan error, 1)
		go func() {
			_, err := in.Write(line)
			sent <- err
		}()
		for {
			piece, err := lines.ReadSlice('\n')
			length += len(piece)
			if keep {
				answer = append(answer, piece...)
			}
			switch {
			case err == nil:
				return length, answer, <-sent
			case !errors.Is(err, bufio.ErrBufferFull):
				return 0, nil, err
			}
		}
	}
	end := func() error {
		closing := in.Close()
		_, err := io.Copy(io.Discard, out)
		return errors.Join(closing, err, cmd.Wait())
	}
	if _, _, err := ask([]byte(initialize), false); err != nil {
		return nil, nil, nil, errors.Join(err, end())
	}
	_, err = io.WriteString(in, initialized+"\n")
	return cmd.Process, ask, end, err
}

// openHTTP starts a server on a free port of the loopback interface and does the handshake.
func openHTTP(ctx context.Context, binary string) (asker, ender, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, binary, "serve", "--http", addr)
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	end := func() error { return errors.Join(cmd.Process.Kill(), ignoreKill(cmd.Wait())) }
	session := ""
	ask := func(request []byte, keep bool) (length int, answer []byte, err error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/mcp", bytes.NewReader(request))
		if err != nil {
			return 0, nil, err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, nil, err
		}
		defer resp.Body.Close()
		if session == "" {
			session = resp.Header.Get("Mcp-Session-Id")
		}
		if resp.StatusCode >= http.StatusBadRequest {
			return 0, nil, errors.New(resp.Status)
		}
		if keep {
			answer, err = io.ReadAll(resp.Body)
			return len(answer), answer, err
		}
		n, err := io.Copy(io.Discard, resp.Body)
		return int(n), nil, err
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		_, _, err = ask([]byte(initialize), false)
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			return nil, nil, errors.Join(err, end())
		}
		time.Sleep(10 * time.Millisecond)
	}
	if _, _, err = ask([]byte(initialized), false); err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return ask, end, nil
}

func ignoreKill(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

// atRest gives, for each server, the median time from its start to the answer to initialize,
// and the median of what it then has in memory, in kB. Where the system has no /proc the
// memory can't be read.
func atRest(ctx context.Context, binaries []string, rounds int) ([]time.Duration, []int, error) {
	times := make([][]time.Duration, len(binaries))
	sizes := make([][]int, len(binaries))
	for range rounds {
		for i, binary := range binaries {
			start := time.Now()
			process, _, end, err := startStdio(ctx, binary)
			if err != nil {
				return nil, nil, err
			}
			times[i] = append(times[i], time.Since(start))
			size, err := resident(process.Pid)
			if err := errors.Join(err, end()); err != nil {
				return nil, nil, err
			}
			sizes[i] = append(sizes[i], size)
		}
	}
	var startup []time.Duration
	var memory []int
	for i := range binaries {
		startup = append(startup, median(times[i]))
		memory = append(memory, median(sizes[i]))
	}
	return startup, memory, nil
}

// resident gives what a process has in memory, in kB.
func resident(pid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		var kb int
		if n, err := fmt.Sscanf(line, "VmRSS: %d kB", &kb); n == 1 && err == nil {
			return kb, nil
		}
	}
	return 0, errors.New("the process has no VmRSS")
}
