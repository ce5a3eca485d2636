package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// No goroutine of a session outlives its Close.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// soon is longer than anything takes that is not to wait for a time-out.
const soon = 20 * time.Second

// server is a scripted server. It keeps what it was sent, and what the session has reported.
type server struct {
	// answers are the answers by method; a method that has none gets the ordinary one.
	answers map[string]func(client.Call) (json.RawMessage, error)

	mu       sync.Mutex
	messages []string
	strays   []error
}

func (s *server) transport() client.Transport {
	return client.Fake(func(c client.Call) (json.RawMessage, error) {
		s.mu.Lock()
		s.messages = append(s.messages, string(c.Message))
		s.mu.Unlock()
		if answer := s.answers[c.Method]; answer != nil {
			return answer(c)
		}
		return nil, nil
	})
}

// sent are the messages that the server got.
func (s *server) sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.messages...)
}

// reported are the errors that OnStray got.
func (s *server) reported() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]error(nil), s.strays...)
}

// independent is a transport whose requests stand alone, as those of HTTP.
type independent struct{ client.Transport }

func (independent) Independent() bool { return true }

// connect opens a session, which ends with the test.
func connect(t *testing.T, s *server, o client.Options) *client.Session {
	t.Helper()
	session, err := client.Connect(t.Context(), s.transport(), s.reporting(o))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, session.Close()) })
	return session
}

func (s *server) reporting(o client.Options) client.Options {
	o.OnStray = func(err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.strays = append(s.strays, err)
	}
	return o
}

// result is an answer that is always the same.
func result(text string) func(client.Call) (json.RawMessage, error) {
	return func(client.Call) (json.RawMessage, error) { return json.RawMessage(text), nil }
}

// refuse is an answer that is an error.
func refuse(code int, message string) func(client.Call) (json.RawMessage, error) {
	return func(client.Call) (json.RawMessage, error) {
		return nil, &client.Error{Code: code, Message: message}
	}
}

// raw sends messages in which $ID is the id of the request, and nothing else.
func raw(messages ...string) func(client.Call) (json.RawMessage, error) {
	return func(c client.Call) (json.RawMessage, error) {
		for _, m := range messages {
			c.Send([]byte(strings.ReplaceAll(m, "$ID", c.ID)))
		}
		return nil, client.ErrNoReply
	}
}

// eventually waits for what another goroutine brings about.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(soon); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not come about: %s", what)
		}
	}
}

// silent is an answer that never comes.
func silent(c client.Call) (json.RawMessage, error) { return nil, client.ErrNoReply }

// timeout checks that an error is a time-out of a method.
func requireTimeout(t *testing.T, err error, method string) *client.TimeoutError {
	t.Helper()
	var timeout *client.TimeoutError
	require.ErrorAs(t, err, &timeout)
	require.Equal(t, method, timeout.Method)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	return timeout
}

// requireStray checks that one report, and only one, says something.
func requireStray(t *testing.T, s *server, reason string) {
	t.Helper()
	eventually(t, "a report of "+reason, func() bool { return len(s.reported()) > 0 })
	reports := s.reported()
	require.Len(t, reports, 1, "%v", errors.Join(reports...))
	require.ErrorContains(t, reports[0], reason)
}
