// Package process runs a program that is talked to over its standard input and output, and ends
// it together with everything that it has started.
package process

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	// stepTime is how long Stop waits after SIGTERM, and again after SIGKILL.
	stepTime = 2 * time.Second
	// drainTime is how long a Read waits once the program has ended. All that it wrote is there, so
	// only a process that has left the group and holds the pipe open takes that long.
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
func Start(cmd *exec.Cmd, read func(io.Reader)) (*Child, error) {
	Group(cmd)
	c := &Child{cmd: cmd, exited: make(chan struct{}), done: make(chan struct{})}
	// Wait would close pipes that the command makes for its output with what is still in them, or
	// else wait for whoever holds them.
	var outputs, theirs []*os.File
	defer func() { closeAll(theirs) }()
	pipe := func() (io.Reader, error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		outputs, theirs = append(outputs, r), append(theirs, w)
		return output{r, c.exited}, nil
	}
	stdout, err := pipe()
	if err != nil {
		return nil, err
	}
	reading := []func(){func() { read(stdout) }}
	cmd.Stdout = theirs[0]
	if _, isFile := cmd.Stderr.(*os.File); cmd.Stderr != nil && !isFile {
		w := cmd.Stderr
		stderr, err := pipe()
		if err != nil {
			closeAll(outputs)
			return nil, err
		}
		reading = append(reading, func() { _, _ = io.Copy(w, stderr) })
		cmd.Stderr = theirs[1]
	}
	if c.Stdin, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		closeAll(outputs)
		return nil, err
	}
	c.close = sync.OnceFunc(func() { _ = c.Stdin.Close() })
	var readers sync.WaitGroup
	for _, f := range reading {
		readers.Go(f)
	}
	go c.wait(outputs, &readers)
	return c, nil
}

// wait waits for the end of the program and of what it has started, and for what they wrote.
func (c *Child) wait(outputs []*os.File, readers *sync.WaitGroup) {
	c.err = c.cmd.Wait()
	Kill(c.cmd.Process) // what it has started
	close(c.exited)
	for _, o := range outputs {
		if o.SetReadDeadline(time.Now().Add(drainTime)) != nil {
			// Pipes have no deadlines here.
			late := time.AfterFunc(drainTime, func() { _ = o.Close() })
			defer late.Stop()
		}
	}
	readers.Wait()
	closeAll(outputs)
	close(c.done)
}

// output is an output of the program.
type output struct {
	file   *os.File
	exited <-chan struct{}
}

// Read ends with the program: nobody else's output is waited for. Who reads late misses nothing.
func (o output) Read(p []byte) (int, error) {
	select {
	case <-o.exited:
		_ = o.file.SetReadDeadline(time.Now().Add(drainTime))
	default:
	}
	n, err := o.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = io.EOF
	}
	return n, err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
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
