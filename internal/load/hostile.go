package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"time"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// hostile are the clients that don't behave. What they do must harm nobody else.
type hostile struct {
	url, binary string
	seed        uint64
}

// request is a whole HTTP request for an echo, as bytes, and where it goes.
func (h hostile) request(id, schema string, payload []byte) (addr string, request []byte, err error) {
	u, err := url.Parse(h.url)
	if err != nil {
		return "", nil, err
	}
	body := rawclient.Stateless.Echo(id, schema, payload)
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"Mcp-Protocol-Version: %s\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\nContent-Length: %d\r\n\r\n",
		u.Path, u.Host, rawclient.Stateless, len(body))
	return u.Host, append([]byte(head), body...), nil
}

func dial(ctx context.Context, addr string) (*net.TCPConn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return conn.(*net.TCPConn), nil
}

// breakOff sends a request, or a part of one, and hangs up without reading an answer.
func (h hostile) breakOff(ctx context.Context, deadline time.Time, number uint64) (counts, error) {
	random := rand.New(rand.NewPCG(h.seed, number))
	done := counts{}
	for time.Now().Before(deadline) {
		schema, payload := messageOf(random, 100+random.IntN(300_000))
		addr, request, err := h.request("1", schema, payload)
		if err != nil {
			return done, err
		}
		conn, err := dial(ctx, addr)
		if err != nil {
			return done, err
		}
		part := request
		if random.IntN(2) == 0 {
			part = request[:random.IntN(len(request))]
		}
		_, err = conn.Write(part)
		if random.IntN(2) == 0 {
			err = errors.Join(err, conn.SetLinger(0)) // by reset
		}
		if err := errors.Join(err, conn.Close()); err != nil {
			return done, err
		}
		done.brokenOff++
		pause(ctx, 5*time.Millisecond)
	}
	return done, nil
}

// halfOpen keeps connections on which a request has begun and doesn't go on.
func (h hostile) halfOpen(ctx context.Context, deadline time.Time, number uint64) (done counts, err error) {
	random := rand.New(rand.NewPCG(h.seed, number))
	for range 16 {
		_, payload := messageOf(random, 50_000)
		addr, request, err := h.request("1", "__schemaless__", payload)
		if err != nil {
			return done, err
		}
		conn, err := dial(ctx, addr)
		if err != nil {
			return done, err
		}
		defer conn.Close()
		if _, err := conn.Write(request[:1+random.IntN(len(request)-1)]); err != nil {
			return done, err
		}
		done.halfOpen++
	}
	pause(ctx, time.Until(deadline))
	return done, nil
}

// slow takes big answers in small bites, and gets them whole all the same.
func (h hostile) slow(ctx context.Context, deadline time.Time, number uint64) (done counts, err error) {
	random := rand.New(rand.NewPCG(h.seed, number))
	for n := 1; time.Now().Before(deadline); n++ {
		id := strconv.Itoa(n)
		schema, payload := messageOf(random, 1_000_000)
		addr, request, err := h.request(id, schema, payload)
		if err != nil {
			return done, err
		}
		if err := h.readSlowly(ctx, addr, request, func(answer []byte) error {
			return rawclient.CheckEcho(answer, schema, payload)
		}, id); err != nil {
			return done, err
		}
		done.slow++
	}
	return done, nil
}

func (h hostile) readSlowly(ctx context.Context, addr string, request []byte, check func([]byte) error, id string) error {
	conn, err := dial(ctx, addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetReadBuffer(16 << 10); err != nil {
		return err
	}
	if _, err := conn.Write(request); err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReaderSize(bites{conn}, 16<<10), nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	r := &rawclient.Response{Status: resp.StatusCode, Header: resp.Header, Body: body}
	if r.TurnedAway(ctx) {
		return h.readSlowly(ctx, addr, request, check, id)
	}
	message, err := r.Message(id)
	if err != nil {
		return err
	}
	return check(message)
}

// bites gives at most 16 KB each 5 ms.
type bites struct{ r io.Reader }

func (b bites) Read(p []byte) (int, error) {
	time.Sleep(5 * time.Millisecond)
	return b.r.Read(p[:min(len(p), 16<<10)])
}

// midLine starts servers on stdio and goes away in the middle of a line. The call before it
// must be answered, and the server must end.
func (h hostile) midLine(ctx context.Context, deadline time.Time, number uint64) (done counts, err error) {
	random := rand.New(rand.NewPCG(h.seed, number))
	for time.Now().Before(deadline) {
		schema, payload := messageOf(random, 20_000)
		call := append(rawclient.Stateless.Echo("1", schema, payload), '\n')
		input := append(bytes.Clone(call), call[:1+random.IntN(len(call)-2)]...)
		ending, cancel := context.WithTimeout(ctx, time.Minute)
		cmd := exec.CommandContext(ending, h.binary, "serve", "--log-level", "error")
		cmd.Stdin = bytes.NewReader(input)
		out, err := cmd.Output()
		cancel()
		if err != nil {
			return done, fmt.Errorf("the server ended badly: %w", err)
		}
		for line := range bytes.Lines(out) {
			if bytes.Contains(line[:min(len(line), 40)], []byte(`"id":1,`)) {
				if err := rawclient.CheckEcho(line, schema, payload); err != nil {
					return done, err
				}
				done.midLine++
			}
		}
		pause(ctx, 100*time.Millisecond)
	}
	return done, nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
