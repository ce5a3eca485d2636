package rawclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Server is a server over HTTP that StartHTTP started.
type Server struct {
	URL    string
	cmd    *exec.Cmd
	stderr log
}

// StartHTTP starts `BINARY serve --http` with further arguments on a free port of the
// loopback interface and waits until it accepts connections.
func StartHTTP(ctx context.Context, binary string, args ...string) (*Server, error) {
	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + addr + "/mcp"}
	s.cmd = exec.CommandContext(ctx, binary, append([]string{"serve", "--http", addr}, args...)...)
	s.cmd.Stderr = &s.stderr
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		if err == nil {
			return s, conn.Close()
		}
		if time.Now().After(deadline) {
			return nil, errors.Join(err, s.Stop())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func freeAddr(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// Stop ends the server as an operator would, with an interrupt, and waits for it to end,
// which must go well.
func (s *Server) Stop() error {
	if err := s.Signal(os.Interrupt); err != nil {
		return err
	}
	return s.Wait()
}

// Signal sends a signal to the server.
func (s *Server) Signal(signal os.Signal) error { return s.cmd.Process.Signal(signal) }

// Said is what the server has written to its standard error.
func (s *Server) Said() string { return s.stderr.String() }

// Wait waits for the server to end, which must go well.
func (s *Server) Wait() error {
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the server ended badly: %w; it said: %s", err, s.stderr.String())
	}
	return nil
}

// Kill ends the server as a power failure would.
func (s *Server) Kill() error {
	if err := s.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = s.cmd.Wait() // it says that the process was killed
	return nil
}

// HTTP is a client of a server over HTTP, with a session where the era has one.
type HTTP struct {
	era     Era
	url     string
	client  *http.Client
	session string
	turned  atomic.Int64
}

// DialHTTP does the handshake with the server at url, if the era has one.
func DialHTTP(ctx context.Context, era Era, url string) (*HTTP, error) {
	h := &HTTP{era: era, url: url, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	if era == Stateless {
		return h, nil
	}
	r, err := h.Post(ctx, initialize, nil)
	if err != nil {
		return nil, err
	}
	if r.Status != http.StatusOK {
		return nil, fmt.Errorf("initialize was answered with status %d: %s", r.Status, excerpt(r.Body))
	}
	h.session = r.Header.Get("Mcp-Session-Id")
	_, err = h.Post(ctx, initialized, nil)
	return h, err
}

// Response is an answer over HTTP. Body is the whole body as it came.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// TurnedAway reports whether the server had no room for the request (429), after the time
// that it wants to be left alone, or when ctx ends.
func (r *Response) TurnedAway(ctx context.Context) bool {
	if r.Status != http.StatusTooManyRequests {
		return false
	}
	seconds, err := strconv.Atoi(r.Header.Get("Retry-After"))
	if err != nil {
		return false
	}
	select {
	case <-time.After(time.Duration(seconds) * time.Second):
	case <-ctx.Done():
	}
	return true
}

// Message is the JSON-RPC message with the given id in a response: its body, or the data of
// one event where the body is an event stream.
func (r *Response) Message(id string) ([]byte, error) {
	var t jsontape.Tape
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") {
		if idOf(&t, r.Body) != id {
			return nil, fmt.Errorf("status %d and no answer to %s: %s", r.Status, id, excerpt(r.Body))
		}
		return r.Body, nil
	}
	for event := range bytes.SplitSeq(r.Body, []byte("\n\n")) {
		// The lines of an event's data are joined by line feeds: that is how an event
		// carries a payload with raw line breaks.
		var data [][]byte
		for line := range bytes.SplitSeq(event, []byte{'\n'}) {
			if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				data = append(data, bytes.TrimPrefix(rest, []byte{' '}))
			}
		}
		if message := bytes.Join(data, []byte{'\n'}); idOf(&t, message) == id {
			return message, nil
		}
	}
	return nil, fmt.Errorf("no event answers %s: %s", id, excerpt(r.Body))
}

// Post sends one message, with further headers. A header Host is the host that the request
// claims to be for.
func (h *HTTP) Post(ctx context.Context, message []byte, headers map[string]string) (*Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", string(h.era))
	if h.era == Stateless {
		// What the request asks for stands in headers too, for those between us.
		var t jsontape.Tape
		if t.Parse(message, jsontape.Options{MaxDepth: 1 << 20, IndexDepth: 3}) == nil {
			if i := t.Lookup("/method"); i >= 0 {
				req.Header.Set("Mcp-Method", t.Str(i))
			}
			if i := t.Lookup("/params/name"); i >= 0 {
				req.Header.Set("Mcp-Name", t.Str(i))
			}
		}
	}
	if h.session != "" {
		req.Header.Set("Mcp-Session-Id", h.session)
	}
	for name, value := range headers {
		if name == "Host" {
			req.Host = value
		} else {
			req.Header.Set(name, value)
		}
	}
	resp, err := h.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return &Response{resp.StatusCode, resp.Header, body}, err
}

// Era implements Conn.
func (h *HTTP) Era() Era { return h.era }

// Ask implements Conn. A request that is turned away is sent again.
func (h *HTTP) Ask(ctx context.Context, id string, request []byte) ([]byte, error) {
	for {
		r, err := h.Post(ctx, request, nil)
		if err != nil {
			return nil, err
		}
		if !r.TurnedAway(ctx) {
			return r.Message(id)
		}
		h.turned.Add(1)
	}
}

// Turned is how often requests of Ask were turned away.
func (h *HTTP) Turned() int64 { return h.turned.Load() }

// Close implements Conn. The server goes on.
func (h *HTTP) Close() error {
	h.client.CloseIdleConnections()
	return nil
}
