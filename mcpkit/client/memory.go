package client

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/zenlix/echo-mcp/internal/lines"
)

// InMemory is a transport to a server in this program: connect is the method Connect of an
// echomcp.Server or a toolkit.Server, or anything else that reads and writes messages, one a line.
// Its context ends with the session.
//
//	s, err := client.Connect(ctx, client.InMemory(server.Connect), client.Options{})
func InMemory(connect func(context.Context) io.ReadWriteCloser) Transport {
	return &memory{connect: connect, ended: make(chan struct{})}
}

type memory struct {
	connect func(context.Context) io.ReadWriteCloser
	conn    io.ReadWriteCloser
	cancel  context.CancelFunc
	ended   chan struct{} // closed when the reader has returned
	closing sync.Once
	writing sync.Mutex
}

func (t *memory) Open(_ context.Context, h Handler) error {
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel, t.conn = cancel, t.connect(ctx)
	go func() {
		defer close(t.ended)
		err := lines.Read(t.conn, h.MaxMessageBytes, h.Receive)
		if errors.Is(err, io.ErrClosedPipe) {
			err = nil
		}
		h.Lost(err)
	}()
	return nil
}

func (t *memory) Send(_ context.Context, m Outgoing) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	_, err := t.conn.Write(lines.Frame(m.Message))
	return err
}

func (t *memory) Close() error {
	if t.conn == nil {
		return nil // it was not opened
	}
	var err error
	t.closing.Do(func() {
		err = t.conn.Close()
		t.cancel()
		<-t.ended
	})
	return err
}
