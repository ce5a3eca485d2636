package rawclient

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Stdio is a connection to a server that it started.
type Stdio struct {
	era     Era
	cmd     *exec.Cmd
	writing sync.Mutex
	in      io.WriteCloser
	stderr  log

	mu      sync.Mutex
	waiting map[string]chan []byte
	extra   [][]byte // messages that nobody asked for
	ended   chan struct{}
}

// StartStdio starts a server and does the handshake with it, if the era has one.
func StartStdio(ctx context.Context, era Era, binary string, args ...string) (*Stdio, error) {
	s := &Stdio{era: era, cmd: exec.CommandContext(ctx, binary, args...), waiting: map[string]chan []byte{}, ended: make(chan struct{})}
	s.cmd.Stderr = &s.stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in = in
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.read(out)
	if era == Stateless {
		return s, nil
	}
	if _, err := s.Ask(ctx, "0", initialize); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, s.Send(initialized)
}

// read hands each message to whoever waits for its id, until the server's output ends.
func (s *Stdio) read(out io.Reader) {
	defer close(s.ended)
	var t jsontape.Tape
	for lines := bufio.NewReaderSize(out, 256<<10); ; {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSuffix(line, []byte{'\n'}); len(line) > 0 {
			id := idOf(&t, line)
			s.mu.Lock()
			if answer, ok := s.waiting[id]; ok {
				delete(s.waiting, id)
				answer <- line
			} else {
				s.extra = append(s.extra, line)
			}
			s.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// Era implements Conn.
func (s *Stdio) Era() Era { return s.era }

// Send writes one message, which must not hold a line feed, and waits for nothing.
func (s *Stdio) Send(message []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := s.in.Write(append(bytes.Clone(message), '\n'))
	return err
}

// Ask implements Conn.
func (s *Stdio) Ask(ctx context.Context, id string, request []byte) ([]byte, error) {
	answer := make(chan []byte, 1)
	s.mu.Lock()
	s.waiting[id] = answer
	s.mu.Unlock()
	if err := s.Send(request); err != nil {
		return nil, err
	}
	select {
	case a := <-answer:
		return a, nil
	case <-s.ended:
		return nil, fmt.Errorf("the server ended without an answer to %s; it said: %s", id, s.stderr.String())
	case <-ctx.Done():
		return nil, fmt.Errorf("no answer to %s: %w", id, ctx.Err())
	}
}

// Extra gives the messages so far that answer nothing that was asked.
func (s *Stdio) Extra() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.extra
}

// Close implements Conn: it ends the server's input and waits for the server to end, which
// must go well.
func (s *Stdio) Close() error {
	closing := s.in.Close()
	<-s.ended
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the server ended badly: %w; it said: %s", err, s.stderr.String())
	}
	return closing
}
