// Package stdio runs an MCP server as a program and talks to it over its standard input and output
// (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio).
//
//	session, err := client.Connect(ctx, stdio.New([]string{"npx", "-y", "some-server"}, stdio.Options{}), client.Options{})
package stdio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zenlix/echo-mcp/internal/lines"
	"github.com/zenlix/echo-mcp/internal/printable"
	"github.com/zenlix/echo-mcp/internal/process"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// Options says how the program is run. The zero value runs it as this process is run.
type Options struct {
	// Env is its environment, as "NAME=value". Nil means that of this process. If it has a PATH, the
	// program is looked for there.
	Env []string
	// Dir is the folder it runs in. "" means that of this process. A program that is named by a
	// relative path is looked for from there.
	Dir string
	// Stderr gets what the program writes to its standard error, as it comes. Nil drops it, but for
	// the end, which errors show. A Write that takes long holds the program up.
	Stderr io.Writer
}

const (
	// closeTime is how long Close waits for the program to end once its standard input is closed.
	closeTime = 2 * time.Second
	// exitTime is how long a program that has closed a pipe gets to end, so that the error can name
	// its exit status.
	exitTime = 500 * time.Millisecond
)

var (
	errNotOpen = errors.New("the server was not started")
	errClosed  = errors.New("the connection to the server was closed")
)

// Transport runs a server. It is a client.Transport.
type Transport struct {
	command []string
	options Options
	tail    printable.Tail

	handler client.Handler
	child   *process.Child
	writes  chan write
	opened  atomic.Bool
	closing atomic.Bool
	stop    func() // ends the program, once
	kill    chan struct{}
	killing sync.Once
	ending  sync.Once
	over    chan struct{} // closed when nothing more can come
	err     error         // why; to be read after over
	tasks   sync.WaitGroup
}

// write is a line on its way to the program.
type write struct {
	line []byte
	done chan error // has room for one
}

// New is a transport that runs a command, a program and its arguments, when it is opened. The
// program is found as a shell finds it; there is no shell between.
//
// Where the system has process groups it gets one of its own: what it starts ends with it, a Ctrl-C
// on the terminal does not reach it, and it can't ask there for a password.
func New(command []string, options Options) *Transport {
	return &Transport{command: command, options: options, writes: make(chan write), over: make(chan struct{}), kill: make(chan struct{})}
}

// Open starts the program. The error is a *StartError. A Transport is opened once.
func (t *Transport) Open(ctx context.Context, h client.Handler) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.opened.Swap(true) {
		return &StartError{Command: t.command, Reason: "this transport was opened before; each session needs a new one"}
	}
	cmd, err := t.find()
	if err != nil {
		return err
	}
	t.handler = h
	cmd.Stderr = &t.tail
	if t.options.Stderr != nil {
		cmd.Stderr = io.MultiWriter(&t.tail, t.options.Stderr)
	}
	ready := make(chan struct{})
	t.child, err = process.Start(cmd, func(stdout io.Reader) {
		<-ready
		t.read(stdout)
	})
	if err != nil {
		return t.startError(err)
	}
	t.stop = sync.OnceFunc(func() { t.child.Stop(closeTime) })
	close(ready)
	t.tasks.Go(t.write)
	t.tasks.Go(func() {
		select {
		case <-t.kill:
			t.child.Kill()
		case <-t.child.Done():
		}
	})
	t.tasks.Go(func() {
		<-t.child.Done()
		status, signal := t.child.Ending()
		t.end(&ExitError{Command: t.command, Status: status, Signal: signal, Stderr: t.Stderr()})
	})
	return nil
}

// Send writes one message to the program. It returns when the system has taken all of it, or when
// ctx or the program has ended; then nobody knows whether the program has read the message. Line
// breaks between the tokens of the message are sent as spaces, for a line is a message here. The
// error is that of ctx, or says why nothing more will come, such as an *ExitError.
func (t *Transport) Send(ctx context.Context, m client.Outgoing) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.child == nil {
		return errNotOpen
	}
	w := write{line: lines.Frame(m.Message), done: make(chan error, 1)}
	select {
	case t.writes <- w:
	case <-t.over:
		return t.err
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-w.done:
		return err
	case <-t.over:
		return t.err
	case <-ctx.Done():
		return ctx.Err() // the rest of the line is written before the next one
	}
}

// Close closes the program's standard input, which tells it to end. After two seconds it sends
// SIGTERM, after two more SIGKILL, to the program and to what it has started. It waits for the end;
// no process stays. The error is always nil.
func (t *Transport) Close() error {
	if t.child == nil {
		return nil
	}
	t.closing.Store(true)
	t.end(errClosed)
	t.stop()
	t.tasks.Wait()
	return nil
}

// Kill ends the program at once, with what it has started: for one that has had its time, so that
// Close need not wait for it. It may be called at any time; before Open, the program ends as soon as
// it has started.
func (t *Transport) Kill() { t.killing.Do(func() { close(t.kill) }) }

// Stderr is the end of what the program has written to its standard error: the last 2,000 bytes,
// by lines, with what a terminal would obey escaped.
func (t *Transport) Stderr() string { return t.tail.String() }

// write writes lines, one after the other, until nothing more can come.
func (t *Transport) write() {
	for {
		select {
		case w := <-t.writes:
			_, err := t.child.Stdin.Write(w.line)
			if err != nil {
				t.inputClosed()
				err = t.err
			}
			w.done <- err
		case <-t.over:
			return
		}
	}
}

// inputClosed ends the session when the program doesn't read any more: most often because it has
// ended, which is the better reason to give.
func (t *Transport) inputClosed() {
	select {
	case <-t.over:
	case <-time.After(exitTime):
		t.end(&ExitError{Command: t.command, Closed: "input", Status: -1, Stderr: t.Stderr()})
		t.tasks.Go(t.stop)
	}
}

// read passes on what the program says, until it ends or breaks the rules.
func (t *Transport) read(stdout io.Reader) {
	err := lines.Read(stdout, t.handler.MaxMessageBytes, func(line []byte) {
		if first := bytes.TrimLeft(line, " \t\r")[0]; first == '{' || first == '[' {
			t.handler.Receive(line)
			return
		}
		t.handler.Stray(&NoiseError{Line: printable.Start(string(line[:min(len(line), maxShown+1)]), maxShown)})
	})
	var tooLarge *lines.TooLongError
	if errors.As(err, &tooLarge) {
		t.end(&TooLargeError{Command: t.command, Limit: tooLarge.Limit})
		t.tasks.Go(t.stop)
		return
	}
	select {
	case <-t.child.Exited():
	case <-t.over:
	case <-time.After(exitTime):
		t.end(&ExitError{Command: t.command, Closed: "output", Status: -1, Stderr: t.Stderr()})
		t.tasks.Go(t.stop)
	}
}

// end says once that nothing more will come, and why.
func (t *Transport) end(err error) {
	t.ending.Do(func() {
		t.err = err
		close(t.over)
		if !t.closing.Load() {
			t.handler.Lost(err)
		}
	})
}
