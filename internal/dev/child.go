package dev

import (
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/zenlix/echo-mcp/internal/process"
)

// child is a running server. It ends when its standard input does, so it never outlives this
// process, whatever becomes of that.
type child struct {
	*process.Child
	// expected says that its end is no surprise.
	expected atomic.Bool
}

// startChild starts a program. read reads its standard output to the end, in a goroutine.
func startChild(program string, args []string, stderr io.Writer, read func(stdout io.Reader)) (*child, error) {
	cmd := exec.Command(program, args...) //nolint:noctx // it ends with its input
	cmd.Stderr = stderr
	c, err := process.Start(cmd, read)
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	return &child{Child: c}, nil
}

// retire lets the child answer what it has read, and end.
func (c *child) retire() {
	c.expected.Store(true)
	c.CloseInput()
}

// kill ends the child at once.
func (c *child) kill() {
	c.expected.Store(true)
	c.Kill()
}

// stop retires the child and waits for its end. After the limit it is killed.
func (c *child) stop(limit time.Duration) {
	c.retire()
	select {
	case <-c.Done():
	case <-time.After(limit):
		c.kill()
		select {
		case <-c.Done():
		case <-time.After(killTime): // what it said waits for a client that does not read
		}
	}
}

// killTime is how long the system may take to end a child that was killed.
const killTime = time.Second
