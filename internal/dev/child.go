package dev

import (
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// child is a running server. It ends when its standard input does, so it never outlives this
// process, whatever becomes of that.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	// expected says that its end is no surprise.
	expected atomic.Bool
	done     chan struct{} // closed at its end, when all that it said was read
	err      error         // of its end; to be read after done
	close    func()        // closes stdin, once
}

// startChild starts a program. read reads its standard output to the end, in a goroutine.
func startChild(program string, args []string, stderr io.Writer, read func(*child)) (*child, error) {
	cmd := exec.Command(program, args...) //nolint:noctx // it ends with its input
	cmd.Stderr = stderr
	ownGroup(cmd)
	c := &child{cmd: cmd, done: make(chan struct{})}
	var err error
	if c.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.stdout, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	c.close = sync.OnceFunc(func() { _ = c.stdin.Close() })
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	go func() {
		read(c)
		c.err = cmd.Wait()
		close(c.done)
	}()
	return c, nil
}

// retire lets the child answer what it has read, and end.
func (c *child) retire() {
	c.expected.Store(true)
	c.close()
}

// kill ends the child at once.
func (c *child) kill() {
	c.expected.Store(true)
	_ = c.cmd.Process.Kill() // an error says that it has ended
	c.close()
}

// stop retires the child and waits for its end. After the limit it is killed.
func (c *child) stop(limit time.Duration) {
	c.retire()
	select {
	case <-c.done:
	case <-time.After(limit):
		c.kill()
		select {
		case <-c.done:
		case <-time.After(killTime): // what it said waits for a client that does not read
		}
	}
}

// killTime is how long the system may take to end a child that was killed.
const killTime = time.Second
