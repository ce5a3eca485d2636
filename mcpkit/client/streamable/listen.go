package streamable

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync"
	"time"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

const (
	// firstDelay is how long to wait before a stream is resumed where the server doesn't say. It
	// doubles with each try that fails, up to maxDelay.
	firstDelay = time.Second
	maxDelay   = 30 * time.Second
	// minDelay keeps a server that asks for no delay from being asked without a pause.
	minDelay = 10 * time.Millisecond
	// listenTime is how long a session waits for the answer to that stream before it goes on. What a
	// server sends there while nobody listens is lost, with the servers of the official SDK for
	// TypeScript; others answer only when they have something to say.
	listenTime = 500 * time.Millisecond
	// maxTries is how often in a row a stream that holds the reply to a request may fail to resume.
	maxTries = 5
)

// pause is how long to wait before a stream is resumed: what the server asks for, after failures
// more and more.
func pause(asked time.Duration, failures int) time.Duration {
	delay := firstDelay
	if asked >= 0 {
		delay = max(asked, minDelay)
	}
	return max(asked, min(delay<<min(failures, 10), maxDelay))
}

// stream hands on what a stream of events holds, until it has held the reply to the message. If it
// ends before that it is resumed, where the server has given its events ids (before 2026-07-28).
func (t *Transport) stream(ctx context.Context, body io.ReadCloser, m client.Outgoing, session string) error {
	e := newEvents(body, t.handler.MaxMessageBytes)
	defer func() { e.close() }()
	for {
		done, err := t.read(e, m)
		switch {
		case done:
			return nil
		case errors.Is(err, errTooLarge), ctx.Err() != nil:
			return t.broken(ctx, err)
		case e.lastID == "" || m.Version >= stateless:
			return &UnreachableError{URL: t.shown, Reason: "the event stream ended before the reply", Err: err}
		}
		if err := t.resume(ctx, e, session, m.Version); err != nil {
			return err
		}
	}
}

// resume goes on with a stream after the last event that has come.
func (t *Transport) resume(ctx context.Context, e *events, session, version string) error {
	for failures := 0; ; {
		if !wait(ctx, pause(e.retry, failures)) {
			return ctx.Err()
		}
		response, err := t.get(ctx, session, version, e.lastID)
		if err == nil {
			e.goOn(response.Body)
			return nil
		}
		if failures++; final(err) || failures == maxTries || ctx.Err() != nil {
			return fmt.Errorf("the event stream ended before the reply and can't be resumed: %w", err)
		}
	}
}

// final says of the error of get that trying again is of no use.
func final(err error) bool {
	var status *HTTPError
	var strange *AnswerError
	return errors.As(err, &strange) || errors.As(err, &status) && status.Status < http.StatusInternalServerError
}

// read hands on messages until one is the reply to m.
func (t *Transport) read(e *events, m client.Outgoing) (done bool, err error) {
	for {
		message, err := e.next()
		if err != nil {
			return false, err
		}
		if t.receive(message, m) {
			return true, nil
		}
	}
}

// get opens a stream of events, from after an event if an id is given.
func (t *Transport) get(ctx context.Context, session, version, lastID string) (*http.Response, error) {
	r, err := t.request(ctx, http.MethodGet, nil, session, version)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	if lastID != "" {
		r.Header.Set(headerLastID, lastID)
	}
	response, err := t.client.Do(r)
	if err != nil {
		return nil, t.failed(ctx, err)
	}
	header := response.Header.Get("Content-Type")
	if media, _, _ := mime.ParseMediaType(header); response.StatusCode == http.StatusOK && media == "text/event-stream" {
		return response, nil
	}
	defer func() { _ = response.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if response.StatusCode == http.StatusOK {
		return nil, t.strange(response, header, "no event stream: "+beginning(body))
	}
	return nil, t.httpError(response, body)
}

// wait waits; false says that ctx ended before.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// startListening opens the stream on which the server sends what belongs to no request. What it
// gives is closed when the server has answered.
func (t *Transport) startListening(session, version string) <-chan struct{} {
	asked := make(chan struct{})
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.open || t.lost || t.session != session {
		close(asked)
		return asked
	}
	t.stopListening()
	t.version = version
	var ctx context.Context
	ctx, t.listen = context.WithCancel(t.ctx)
	t.tasks.Go(func() { t.listenTo(ctx, session, version, sync.OnceFunc(func() { close(asked) })) })
	return asked
}

// stopListening ends that stream. The caller holds mu.
func (t *Transport) stopListening() {
	if t.listen != nil {
		t.listen()
		t.listen = nil
	}
}

// listenTo reads that stream, and opens it again when it ends. A server that answers with a status
// of 4xx does not offer it, or has forgotten the session: the next request is told.
func (t *Transport) listenTo(ctx context.Context, session, version string, asked func()) {
	defer asked()
	e := newEvents(http.NoBody, t.handler.MaxMessageBytes)
	defer func() { e.close() }()
	for failures := 0; ; failures++ {
		response, err := t.get(ctx, session, version, e.lastID)
		asked()
		if err == nil {
			before := e.lastID
			e.goOn(response.Body)
			_, err = t.read(e, client.Outgoing{})
			if e.lastID != before {
				failures = 0
			}
		}
		if errors.Is(err, errTooLarge) {
			t.handler.Stray(&TooLargeError{URL: t.shown, Limit: t.handler.MaxMessageBytes})
			return
		}
		if final(err) || !wait(ctx, pause(e.retry, failures)) {
			return
		}
	}
}

// forget notes that the server no longer knows a session.
func (t *Transport) forget(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session == session {
		t.session, t.lost = "", true
		t.stopListening()
	}
}
