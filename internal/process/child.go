// Package process runs a program that is talked to over its standard input and output, and ends
// it together with everything that it has started.
package process

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	// stepTime is how long Stop waits after SIGTERM, and again after SIGKILL.
	stepTime = 2 * time.Second
	// drainTime is how long what a program that has ended wrote is still read. All of it is there,
	// so only a process that has left the group and holds the pipe open takes that long.
	drainTime = time.Second
)

// Child is a running program. It ends when its standard input does, as servers over stdio do, so
// it does not outlive this process.
type Child struct {
	// Stdin is the program's standard input. A Write fails when the program has ended.
	Stdin io.WriteCloser

	cmd    *exec.Cmd
	exited chan struct{} // closed when the program has ended
	done   chan struct{} // closed when all that it wrote was read, too
	err    error         // of its end; to be read after exited
	close  func()        // closes Stdin, once
}

// Start starts a command in a group of its own, with its standard input and output connected to
// the Child. cmd.Stdin and cmd.Stdout must be nil, and so must the context of cmd. If cmd.Stderr
// is no *os.File, what the program writes there is copied to it. read is called in a goroutine of
// its own and reads the standard output to its end; what it leaves unread stops the program.
func Start(cmd *exec.Cmd, read func(*Child, io.Reader)) (*Child, error) {
	Group(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	c := &Child{Stdin: stdin, cmd: cmd, exited: make(chan struct{}), done: make(chan struct{})}
	c.close = sync.OnceFunc(func() { _ = stdin.Close() })
	// Wait would close the pipes that the command makes itself, with what is still in them, or
	// else wait for whoever holds them.
	var outputs pipes
	defer outputs.closeWriters()
	stdout, err := outputs.add()
	if err != nil {
		_ = stdin.Close()
		return nil, err
	}
	cmd.Stdout = outputs.writers[0]
	reading := []func(){func() { read(c, stdout) }}
	if w := cmd.Stderr; w != nil {
		if _, isFile := w.(*os.File); !isFile {
			stderr, err := outputs.add()
			if err != nil {
				_ = stdin.Close()
				outputs.closeReaders()
				return nil, err
			}
			cmd.Stderr = outputs.writers[1]
			reading = append(reading, func() { _, _ = io.Copy(w, stderr) })
		}
	}
	if err := cmd.Start(); err != nil {
		outputs.closeReaders()
		return nil, err // it has closed stdin
	}
	var readers sync.WaitGroup
	for _, f := range reading {
		readers.Go(f)
	}
	go c.wait(&readers, outputs.closeReaders)
	return c, nil
}

// wait waits for the end of the program and of what it has started, and for what they wrote.
func (c *Child) wait(readers *sync.WaitGroup, closeReaders func()) {
	c.err = c.cmd.Wait()
	Kill(c.cmd.Process) // what it has started
	close(c.exited)
	late := time.AfterFunc(drainTime, closeReaders)
	readers.Wait()
	late.Stop()
	closeReaders()
	close(c.done)
}

// Exited is closed when the program has ended.
func (c *Child) Exited() <-chan struct{} { return c.exited }

// Done is closed when the program has ended and all that it wrote was read.
func (c *Child) Done() <-chan struct{} { return c.done }

// Err says how the program ended, nil if with exit status 0. It may be called after Exited.
func (c *Child) Err() error { return c.err }

// Ending says how the program ended: its exit status, or -1 with the name of the signal that ended
// it. It may be called after Exited.
func (c *Child) Ending() (status int, signalName string) {
	return c.cmd.ProcessState.ExitCode(), signal(c.cmd.ProcessState)
}

// CloseInput lets the program answer what it has read, and end. It does not wait for that.
func (c *Child) CloseInput() { c.close() }

// Kill ends the program at once, and what it has started. It does not wait for that.
func (c *Child) Kill() {
	if c.running() {
		Kill(c.cmd.Process)
	}
	c.close()
}

// running says that the program has not ended. When it has, wait sees to the others of its group.
func (c *Child) running() bool {
	select {
	case <-c.exited:
		return false
	default:
		return true
	}
}

// Stop ends the program: it closes its standard input, after grace it sends SIGTERM where the
// system has signals, after two more seconds SIGKILL. It waits for the end and for what the
// program wrote; false says that the system has not ended it in time.
func (c *Child) Stop(grace time.Duration) bool {
	// A Write that the program doesn't take holds Close up where pipes have no deadlines.
	go c.close()
	if c.endsWithin(grace) {
		return true
	}
	if c.running() {
		Terminate(c.cmd.Process)
	}
	if c.endsWithin(stepTime) {
		return true
	}
	c.Kill()
	return c.endsWithin(stepTime)
}

func (c *Child) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.done:
		return true
	case <-timer.C:
		return false
	}
}

// pipes are what a program writes to and this process reads from.
type pipes struct{ readers, writers []*os.File }

func (p *pipes) add() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.readers, p.writers = append(p.readers, r), append(p.writers, w)
	return r, nil
}

func (p *pipes) closeReaders() { closeAll(p.readers) }

// closeWriters closes the ends that the program has of its own.
func (p *pipes) closeWriters() { closeAll(p.writers) }

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // a second time it says that it is closed
	}
}
