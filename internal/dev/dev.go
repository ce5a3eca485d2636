// Package dev is the loop of an author: it watches the schemas of a module, and when they change
// it generates, builds and exchanges the server, while clients stay connected.
//
// The process that runs it is only a front: what answers is the module's own program, which it
// starts anew after each change (stdio.go, http.go). How a change of one schema among many is
// built without compiling the others is told in overlay.go.
package dev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Options say what to run.
type Options struct {
	// Program is the name of the program, for messages.
	Program string
	// Dir is the folder to look for the module from.
	Dir string
	// Main is the folder or import path of the main package. "" means the one that there is.
	Main string
	// Flags are the flags of the command serve that the servers get.
	Flags []string
	// Listener takes the clients of HTTP. nil means that the client is on In and Out.
	Listener net.Listener
	In       io.Reader
	Out      io.Writer
	// Err gets what there is to tell, as JSON objects with JSON, and the logs of servers.
	Err  io.Writer
	JSON bool
	// Fallback is a program that stands in where none can be built yet. Every call of a tool gets
	// the faults as its answer.
	Fallback string
	// StopTime is how long a server may take to end.
	StopTime time.Duration
}

// front is what clients are connected to.
type front interface {
	// start starts a server, which gets nothing of clients yet.
	start(ctx context.Context, program string, args []string, stderr io.Writer) (server, error)
	// swap lets it answer from now on, in the place of the last one.
	swap(ctx context.Context, s server) error
	// stop ends all servers.
	stop(limit time.Duration)
}

// server is a running server, as its front knows it.
type server any

// engine is the loop at work.
type engine struct {
	Options
	builder   *builder
	scanner   *scanner
	terminal  *terminal
	front     front
	faultFile string
	args      []string // of servers
	running   server   // nil until the first
}

// Run runs the loop until the client on stdio ends its input, or ctx ends. Result nil, a
// *UsageError if there is nothing to run here, or why clients can't be served.
func Run(ctx context.Context, o Options) error {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	m, err := findModule(ctx, dir, o.Main)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "echo-mcp-dev-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	e := &engine{
		Options:   o,
		scanner:   &scanner{module: m},
		terminal:  newTerminal(o.Err, o.Program, o.JSON),
		faultFile: filepath.Join(tmp, "faults"),
	}
	e.Dir = dir
	e.builder = &builder{module: m, tmp: tmp, shown: e.shown}
	e.args = slices.Concat([]string{"serve", "--hand-over", e.faultFile}, o.Flags)

	ctx, end := context.WithCancel(ctx)
	defer end()
	died := make(chan error, 1)
	tellDied := func(err error) {
		select {
		case died <- err:
		default:
		}
	}
	served := make(chan error, 1)
	if o.Listener == nil {
		f := newStdioFront(o.Out, tellDied)
		e.front = f
		go func() { served <- f.serve(o.In) }()
	} else {
		f := newHTTPFront(tellDied)
		e.front = f
		go func() { served <- f.serve(ctx, o.Listener, o.Err) }()
	}
	defer e.front.stop(o.StopTime)
	e.introduce()
	return e.loop(ctx, served, died)
}

// introduce says what is watched, where clients find the server, and how to leave.
func (e *engine) introduce() {
	var schemas []string
	for _, set := range e.builder.module.sets {
		schemas = append(schemas, e.shown(set.schemas))
	}
	slices.Sort(schemas)
	schemas = slices.Compact(schemas)
	text := fmt.Sprintf("watching %s and the Go files of %s", strings.Join(schemas, ", "), e.builder.module.path)
	e.terminal.say(plain, event{Event: "watching", Files: schemas, Message: text})
	where := event{Event: "serving", Message: "serving MCP on standard input and output; Ctrl-C or the end of input ends it"}
	if e.Listener != nil {
		where.URL = mcpURL(e.Listener)
		where.Message = "serving MCP at " + where.URL + "; Ctrl-C ends it"
	}
	e.terminal.say(plain, where)
}

// shown is a path as people see it.
func (e *engine) shown(path string) string {
	if rel, err := filepath.Rel(e.Dir, path); err == nil {
		return rel
	}
	return path
}

// attempt is a run of all that follows a change.
type attempt struct {
	cancel context.CancelFunc
	done   chan outcome
}

type outcome struct {
	built   *built
	running server
	err     error
	// standIn is a program to tell of the error where there is no server yet: that of the last
	// schemas without faults, whose generated files are there. "" where it can't be built.
	standIn string
}

// loop makes an attempt after each change. An attempt that is under way when the next change comes
// is given up.
func (e *engine) loop(ctx context.Context, served <-chan error, died <-chan error) error {
	w := e.watch(ctx)
	defer func() { w.stop() }()
	tried := e.scanner.scan()
	begun := time.Now()
	current := e.attempt(ctx, tried)
	defer func() {
		if current != nil {
			current.cancel()
			<-current.done
		}
	}()
	var ended <-chan error // of a client, once it is not the first attempt any more that it waits for
	for {
		var done chan outcome
		if current != nil {
			done = current.done
		}
		if e.running != nil || current == nil {
			ended = served
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case err := <-died:
			e.terminal.say(red, event{Event: "ended", Message: "the server has ended by itself (" + err.Error() + "); the next change of a file starts it again"})
		case result := <-done:
			current.cancel()
			current = nil
			e.conclude(ctx, result, begun)
		case <-w.C:
			now := e.scanner.scan()
			if now.equal(tried) {
				continue
			}
			begun = time.Now()
			if current != nil {
				current.cancel()
				if result := <-current.done; result.running != nil {
					e.conclude(ctx, result, begun)
				}
			}
			files := now.changed(tried)
			for i, path := range files {
				files[i] = e.shown(path)
			}
			e.terminal.changed(files)
			if !maps.Equal(now.sources, tried.sources) {
				if e.reread(ctx) {
					w.stop()
					w = e.watch(ctx)
					now = e.scanner.scan()
				}
			}
			tried = now
			current = e.attempt(ctx, now)
		}
	}
}

// watch watches all folders of the module and of the schemas.
func (e *engine) watch(ctx context.Context) *watcher {
	m := e.builder.module
	dirs := []string{m.dir}
	for _, set := range m.sets {
		dirs = append(dirs, set.schemas)
		dirs = append(dirs, set.maps...)
	}
	w := watch(ctx, dirs...)
	if w.Polling != nil {
		e.terminal.say(yellow, event{Event: "polling", Message: "the system does not tell of changes (" + w.Polling.Error() + "), so files are looked at four times a second"})
	}
	return w
}

// reread reads again what the Go files say of the schemas, and reports whether that is something
// else now. What can't be used is not taken over: building says what is wrong.
func (e *engine) reread(ctx context.Context) bool {
	m, err := findModule(ctx, e.Dir, e.Main)
	if err != nil || slices.EqualFunc(m.sets, e.builder.module.sets, schemaSet.equal) && m.main == e.builder.module.main {
		return false
	}
	e.builder.module, e.scanner.module, e.builder.base = m, m, nil
	return true
}

// attempt makes a program of the files and starts it, in a goroutine.
func (e *engine) attempt(ctx context.Context, now state) *attempt {
	ctx, cancel := context.WithCancel(ctx)
	a := &attempt{cancel, make(chan outcome, 1)}
	first := e.running == nil
	go func() {
		var o outcome
		if o.built, o.err = e.builder.build(ctx, now); o.err == nil {
			o.running, o.err = e.exchange(ctx, o.built.program)
		}
		if o.err != nil && first && ctx.Err() == nil {
			o.standIn, _ = e.builder.goBuild(ctx) // there may be nothing that can be built
		}
		a.done <- o
	}()
	return a
}

// exchange starts a program and lets it answer from now on.
func (e *engine) exchange(ctx context.Context, program string) (server, error) {
	s, err := e.front.start(ctx, program, e.args, e.Err)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(e.faultFile); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if err := e.front.swap(ctx, s); err != nil {
		return nil, err
	}
	return s, nil
}

// conclude tells how an attempt went. After one that failed the last server goes on, and answers
// every call with the faults.
func (e *engine) conclude(ctx context.Context, o outcome, begun time.Time) {
	switch {
	case o.err == nil:
		e.running = o.running
		e.terminal.ready(o.built, time.Since(begun))
		return
	case ctx.Err() != nil || errors.Is(o.err, context.Canceled):
		return
	}
	var faults FaultsError
	if !errors.As(o.err, &faults) {
		faults = FaultsError{o.err.Error()}
	}
	e.terminal.faults(faults)
	if err := e.writeFaults(faults); err != nil {
		e.terminal.say(red, event{Event: "error", Message: err.Error()})
	}
	if e.running != nil {
		return
	}
	for _, program := range []string{o.standIn, e.Fallback} {
		if program == "" {
			continue
		}
		s, err := e.front.start(ctx, program, e.args, e.Err)
		if err == nil {
			err = e.front.swap(ctx, s)
		}
		if err == nil {
			e.running = s
			return
		}
		e.terminal.say(red, event{Event: "error", Message: err.Error()})
	}
}

// mostFaults is how many faults are told at a time.
const mostFaults = 10

// writeFaults has all tool calls answered with faults.
func (e *engine) writeFaults(faults FaultsError) error {
	var b strings.Builder
	b.WriteString("The server can't be made from the schemas and the Go code as they are now. It answers again as soon as this is mended:")
	for i, fault := range faults {
		if i == mostFaults {
			fmt.Fprintf(&b, "\nand %d more", len(faults)-i)
			break
		}
		b.WriteString("\n" + fault)
	}
	temp := e.faultFile + ".new"
	if err := os.WriteFile(temp, []byte(b.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, e.faultFile)
}
