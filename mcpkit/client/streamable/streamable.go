// Package streamable talks to an MCP server over streamable HTTP
// (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http and
// its successor of 2026-07-28).
//
//	transport, err := streamable.New("https://example.com/mcp", streamable.Options{
//		Header: http.Header{"Authorization": {"Bearer " + token}},
//	})
//	session, err := client.Connect(ctx, transport, client.Options{})
package streamable

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/zenlix/echo-mcp/internal/protocol"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// Headers of the protocol.
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerLastID  = "Last-Event-Id"
)

// Options says how to talk to the server. The zero value sends no headers but the protocol's.
type Options struct {
	// Header is sent with each request, such as Authorization. It is sent to the server's own origin
	// only, and never printed. The headers that the protocol sets, such as Accept, stay as they are.
	Header http.Header
	// Client does the requests; its CheckRedirect is not asked. A Timeout of it would end streams. Nil
	// means one that follows the proxy settings of the environment.
	Client *http.Client
}

// Transport talks to a server. It is a client.Transport.
type Transport struct {
	url    *url.URL
	shown  string
	header http.Header
	client *http.Client
	own    *http.Transport // nil if the connections are not this transport's own

	handler client.Handler
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc

	mu      sync.Mutex
	open    bool
	session string             // "" if there is none
	lost    bool               // the server has forgotten it
	version string             // of the session
	listen  context.CancelFunc // ends the stream of the session, nil if there is none
	wanted  map[string]wanted  // by the name of the tool
	tasks   sync.WaitGroup
}

// New is a transport to the server at a URL, which is not contacted yet. A redirect to another path
// of the same origin is followed if it keeps the method (status 307 and 308); one to another origin
// is an *HTTPError that says where to.
func New(address string, o Options) (*Transport, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a server: write it with scheme and host, as in https://example.com/mcp", withoutSecrets(address))
	}
	t := &Transport{url: u, shown: shown(u), header: http.Header{}, wanted: map[string]wanted{}}
	for name, values := range o.Header {
		for _, value := range values {
			if !httpguts.ValidHeaderFieldName(name) {
				return nil, fmt.Errorf("%q is no name of a header", name)
			}
			if !httpguts.ValidHeaderFieldValue(value) {
				return nil, fmt.Errorf("the value of the header %s holds a character that no header may hold, such as a line break", name)
			}
			t.header.Add(name, value)
		}
	}
	t.header.Del("Accept-Encoding") // net/http asks for gzip, and unpacks it, where nobody else does
	t.client = &http.Client{}
	if o.Client != nil {
		*t.client = *o.Client
	} else if usual, ok := http.DefaultTransport.(*http.Transport); ok { // a program may have put another there
		t.own = usual.Clone()
		t.own.MaxIdleConnsPerHost = 16
		t.client.Transport = t.own
	}
	t.client.CheckRedirect = t.follow
	return t, nil
}

// withoutSecrets is what stands before the user and the query of what should be a URL.
func withoutSecrets(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		if _, host, ok := strings.Cut(rest, "@"); ok {
			return scheme + "://" + host
		}
	} else if _, rest, ok := strings.Cut(address, "@"); ok {
		return rest
	}
	return address
}

// follow decides on a redirect: only to the origin that the headers are meant for, and only where
// the message goes along.
func (t *Transport) follow(r *http.Request, via []*http.Request) error {
	status := r.Response.StatusCode
	keeps := status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
	if !keeps || !sameOrigin(r.URL, t.url) || len(via) >= 10 {
		return http.ErrUseLastResponse
	}
	return nil
}

func sameOrigin(a, b *url.URL) bool {
	port := func(u *url.URL) string {
		if p := u.Port(); p != "" {
			return p
		}
		return map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

// Independent says that a request which the server doesn't know harms nothing but itself.
func (t *Transport) Independent() bool { return true }

// Open makes the transport ready. It sends nothing.
func (t *Transport) Open(ctx context.Context, h client.Handler) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx != nil {
		return fmt.Errorf("this transport was opened before; each session needs a new one")
	}
	t.handler, t.open = h, true
	t.ctx, t.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return nil
}

// Close ends what is going on, tells the server that the session is over (for at most five seconds),
// and closes the connections. The error is always nil.
func (t *Transport) Close() error {
	t.mu.Lock()
	if !t.open {
		t.mu.Unlock()
		return nil
	}
	t.open = false
	session, version := t.session, t.version
	t.mu.Unlock()
	t.cancel()
	t.tasks.Wait()
	if session != "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), goodbyeTime)
		defer cancel()
		if r, err := t.request(ctx, http.MethodDelete, nil, session, version); err == nil {
			if response, err := t.client.Do(r); err == nil {
				_ = response.Body.Close() // a server may refuse it: then it ends the session when it likes
			}
		}
	}
	if t.own != nil {
		t.own.CloseIdleConnections()
	}
	return nil
}

// goodbyeTime bounds how long Close waits for the server.
const goodbyeTime = 5 * time.Second

// begin counts something that Close waits for; false says that the transport is closed.
func (t *Transport) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open {
		t.tasks.Add(1)
	}
	return t.open
}

// bound is a context that ends with ctx and with the transport.
func (t *Transport) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(t.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

// Send posts one message. For a request it returns when the answer has come, and whatever came
// before it was handed over. The errors are *HTTPError, *UnreachableError, *AnswerError,
// *TooLargeError, *HeaderError, that of ctx, and one that wraps client.ErrSessionLost where the
// server answers 404 to a session. A reply that says that the server rejects the request is none,
// whatever its status.
func (t *Transport) Send(ctx context.Context, m client.Outgoing) error {
	if !t.begin() {
		return errNotOpen
	}
	defer t.tasks.Done()
	if m.Method == "notifications/cancelled" && m.Version >= protocol.Stateless {
		return nil // the request's stream has ended, which cancels it (basic/patterns/cancellation)
	}
	ctx, cancel := t.bound(ctx)
	defer cancel()
	session := ""
	if m.Version < protocol.Stateless {
		t.mu.Lock()
		if m.Method == "initialize" {
			t.session, t.lost = "", false
			t.stopListening()
		}
		var lost bool
		session, lost = t.session, t.lost
		t.mu.Unlock()
		if lost {
			return client.ErrSessionLost
		}
	}
	r, err := t.request(ctx, http.MethodPost, m.Message, session, m.Version)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if m.Version >= protocol.Stateless && m.Method != "" {
		r.Header.Set(headerMethod, m.Method)
		if m.Name != "" {
			r.Header.Set(headerName, encoded(m.Name))
		}
		if m.Method == "tools/call" {
			if err := t.mirror(r.Header, m); err != nil {
				return err
			}
		}
	}
	response, err := t.client.Do(r)
	if err != nil {
		return t.failed(ctx, err)
	}
	defer func() {
		cancel() // first, as the end of a body of HTTP/2 may wait for others otherwise
		_ = response.Body.Close()
	}()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return t.refused(ctx, response, m, session)
	}
	if m.Method == "initialize" {
		t.mu.Lock()
		t.session = response.Header.Get(headerSession)
		t.mu.Unlock()
	}
	if err := t.answer(ctx, response, m, session); err != nil {
		return err
	}
	if m.Method == "notifications/initialized" && m.Version < protocol.Stateless {
		select {
		case <-t.startListening(session, m.Version):
		case <-time.After(listenTime):
		case <-ctx.Done():
		}
	}
	return nil
}

// request is a request with the headers that all have.
func (t *Transport) request(ctx context.Context, method string, message []byte, session, version string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, t.url.String(), bytes.NewReader(message))
	if err != nil {
		return nil, t.unreachable(err)
	}
	r.Header = t.header.Clone()
	r.Host = r.Header.Get("Host")
	for _, name := range []string{headerSession, headerVersion, headerMethod, headerName, headerLastID} {
		r.Header.Del(name)
	}
	if session != "" {
		r.Header.Set(headerSession, session)
	}
	if version != "" {
		r.Header.Set(headerVersion, version)
	}
	return r, nil
}

// failed is the error of a request that got no answer.
func (t *Transport) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return t.unreachable(err)
}

// encoded is a value as a header can hold it (SEP-2243): visible ASCII as it is, all else as Base64.
func encoded(value string) string {
	const before, after = "=?base64?", "?="
	plain := strings.TrimSpace(value) == value && !(strings.HasPrefix(value, before) && strings.HasSuffix(value, after))
	for i := range len(value) {
		plain = plain && value[i] >= ' ' && value[i] <= '~'
	}
	if plain {
		return value
	}
	return before + base64.StdEncoding.EncodeToString([]byte(value)) + after
}
