package dev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// maxLine is how long a line may be here. The server has a limit of its own, and the words for
// what is beyond.
const maxLine = 1 << 30

// greetTime is how long a new server may take until it answers.
const greetTime = time.Minute

// pingID is the id of the request that a new server has to answer before it gets others.
const pingID = `"echo-mcp-dev"`

const (
	methodInitialized  = "notifications/initialized"
	methodAcknowledged = "notifications/subscriptions/acknowledged"
)

// stdioFront is between a client on standard input and output and the servers that come and go. It
// passes lines on as they are. What a new server has to know of the client, it is told as the
// first one was: the same messages, whose answers nobody sees.
type stdioFront struct {
	out    io.Writer
	outMu  sync.Mutex
	parser wire.Parser

	routing sync.Mutex // held while a line is given to a server, and while servers change
	mu      sync.Mutex // guards the rest, and the fields of servers
	current *stdioServer
	waiting [][]byte // lines that came before the first server
	hello   hello
	old     map[*stdioServer]struct{} // servers that still answer what they have read
	died    func(error)               // told when the current server ends by itself
}

// hello is what a client has told of itself.
type hello struct {
	lines   [3][]byte // initialize, notifications/initialized, logging/setLevel; nil without
	version int       // counts the changes
}

// stdioServer is a server on a pipe.
type stdioServer struct {
	*child
	pending  map[string]*pending // requests without an answer, by wire.IDKey
	swallow  map[string]int      // answers that are not for the client, by wire.IDKey
	acks     int                 // acknowledgements that are not for the client
	greeting bool                // nothing that it says is for the client
	greeted  chan struct{}       // gets a value when nothing is left to swallow
	told     int                 // the version of hello that it has
	dead     bool
}

// pending is a request that waits for its answer.
type pending struct {
	id        []byte
	listens   []byte // the request, if it is subscriptions/listen
	cancelled bool
}

func newStdioFront(out io.Writer, died func(error)) *stdioFront {
	return &stdioFront{
		out: out, old: map[*stdioServer]struct{}{}, died: died,
		parser: wire.Parser{MaxDepth: wire.MaxDepthCeiling}, // whatever depth the server takes
	}
}

// serve reads the client's messages until there are no more.
func (f *stdioFront) serve(in io.Reader) error {
	lines := wire.NewLineReader(in, maxLine)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading messages: %w", err)
		}
		if line.TooLong != nil {
			r := wire.Refusal{Code: wire.CodeInvalidRequest, ID: line.TooLong.ID(), Message: fmt.Sprintf("the message is larger than %d bytes", maxLine)}
			f.write(r.AppendTo(nil))
			continue
		}
		f.routing.Lock()
		f.take(line.Data)
		f.routing.Unlock()
		line.Release()
	}
}

// take gives one message of the client to the server that is there. The caller holds routing.
func (f *stdioFront) take(data []byte) {
	f.mu.Lock()
	s := f.current
	if s == nil {
		f.waiting = append(f.waiting, bytes.Clone(data))
		f.mu.Unlock()
		return
	}
	m, _ := f.parser.Parse(data) // what can't be read is for the server to refuse
	if m != nil {
		m.Call.Release()
		f.note(s, m, data)
		if m.Kind == wire.Request && s.dead {
			f.mu.Unlock()
			f.write(lost(m.ID))
			return
		}
	}
	f.mu.Unlock()
	s.send(data)
}

// note keeps what has to be known of a message. The caller holds mu.
func (f *stdioFront) note(s *stdioServer, m *wire.Message, data []byte) {
	keep := func(i int) {
		f.hello.lines[i] = bytes.Clone(data)
		f.hello.version++
		s.told = f.hello.version
	}
	switch {
	case m.Kind == wire.Request && m.Method == wire.MethodInitialize:
		f.hello.lines = [3][]byte{}
		keep(0)
	case m.Kind == wire.Notification && m.Method == methodInitialized:
		keep(1)
	case m.Kind == wire.Request && m.Method == wire.MethodSetLevel:
		keep(2)
	}
	if m.Kind == wire.Request && !s.dead {
		p := &pending{id: bytes.Clone(m.ID)}
		if m.Method == wire.MethodSubscriptionsListen {
			p.listens = bytes.Clone(data)
		}
		s.pending[wire.IDKey(m.ID)] = p
	}
	if m.Cancels != nil {
		delete(s.pending, wire.IDKey(m.Cancels)) // nobody waits for an answer any more
		for old := range f.old {
			if p := old.pending[wire.IDKey(m.Cancels)]; p != nil {
				p.cancelled = true // it can't be told any more
			}
		}
	}
}

// lost is the answer to a request that no server can answer any more.
func lost(id []byte) []byte {
	r := wire.Refusal{Code: wire.CodeInternalError, ID: id, Message: "the server has ended by itself; the terminal of dev says why, and the next change of a file starts it again"}
	return r.AppendTo(nil)
}

// start starts a server that takes the place of the one that is there once it answers: swap.
func (f *stdioFront) start(ctx context.Context, program string, args []string, stderr io.Writer) (server, error) {
	s := &stdioServer{pending: map[string]*pending{}, swallow: map[string]int{}, greeting: true, greeted: make(chan struct{}, 1)}
	c, err := startChild(program, args, stderr, func(stdout io.Reader) { f.read(s, stdout) })
	if err != nil {
		return nil, err
	}
	s.child = c
	go f.bury(s)
	if err := f.greet(ctx, s); err != nil {
		s.kill()
		return nil, err
	}
	return s, nil
}

// greet tells a new server what the client has told, and waits until it has understood.
func (f *stdioFront) greet(ctx context.Context, s *stdioServer) error {
	f.mu.Lock()
	h := f.hello
	s.told = h.version
	lines := append(h.lines[:], []byte(`{"jsonrpc":"2.0","id":`+pingID+`,"method":"ping"}`))
	for _, line := range lines {
		if m, _ := f.parser.Parse(line); line != nil && m != nil && m.Kind == wire.Request {
			s.swallow[wire.IDKey(m.ID)]++
		}
	}
	f.mu.Unlock()
	for _, line := range lines {
		if line != nil {
			s.send(line)
		}
	}
	timeout := time.NewTimer(greetTime)
	defer timeout.Stop()
	select {
	case <-s.greeted:
		return nil
	case <-s.Done():
		return fmt.Errorf("the server ended when it was started: %w", ending(s.Err()))
	case <-timeout.C:
		return errors.New("the server does not answer on standard output: dev needs a program that calls echomcp.Main")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ending words how a program ended.
func ending(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}

// swap lets a new server answer from now on. The old one answers what it has read.
func (f *stdioFront) swap(ctx context.Context, fresh server) error {
	s := fresh.(*stdioServer)
	f.routing.Lock()
	defer f.routing.Unlock()
	for {
		f.mu.Lock()
		if s.told == f.hello.version {
			break
		}
		f.mu.Unlock() // the client has introduced itself meanwhile
		if err := f.greet(ctx, s); err != nil {
			s.kill()
			return err
		}
	}
	old := f.current
	f.current, s.greeting = s, false
	if old != nil && old.dead && f.hello.lines[1] != nil {
		for _, list := range []string{"tools", "resources", "prompts"} { // it could not say so itself
			f.write([]byte(`{"jsonrpc":"2.0","method":"notifications/` + list + `/list_changed"}`))
		}
	}
	var listens [][]byte
	if old != nil {
		f.old[old] = struct{}{}
		for key, p := range old.pending {
			if p.listens != nil && !p.cancelled {
				// It goes on at the new server, and the client sees neither an end nor a beginning.
				delete(old.pending, key)
				old.swallow[key]++
				s.pending[key] = p
				s.acks++
				listens = append(listens, p.listens)
			}
		}
	}
	waiting := f.waiting
	f.waiting = nil
	f.mu.Unlock()
	for _, line := range listens {
		s.send(line)
	}
	for _, line := range waiting {
		f.take(line)
	}
	if old != nil {
		old.retire()
	}
	return nil
}

// send writes one line to the server. Where that fails the server has ended, and bury sees to it.
func (s *stdioServer) send(data []byte) {
	if _, err := s.Stdin.Write(data); err == nil {
		_, _ = s.Stdin.Write([]byte{'\n'})
	}
}

// read passes on what a server says until it ends.
func (f *stdioFront) read(s *stdioServer, stdout io.Reader) {
	lines := wire.NewLineReader(stdout, maxLine)
	for {
		line, err := lines.Next()
		if err != nil {
			return
		}
		if line.TooLong == nil && f.isForClient(s, line.Data) {
			f.write(line.Data)
		}
		line.Release()
	}
}

// isForClient reports whether the client is to get a message of a server, and notes what it
// answers. An answer may be as large and as deep as it likes, which no parser here takes: one
// that is not noticed would be answered a second time when its server goes.
func (f *stdioFront) isForClient(s *stdioServer, data []byte) bool {
	var m wire.Scanner
	m.Scan(data)
	f.mu.Lock()
	defer f.mu.Unlock()
	if m.Method() == "" {
		key := wire.IDKey(m.ID())
		if s.swallow[key] > 0 {
			if s.swallow[key]--; s.swallow[key] == 0 {
				delete(s.swallow, key)
			}
			if s.greeting && len(s.swallow) == 0 {
				tell(s.greeted)
			}
			return false
		}
		p := s.pending[key]
		delete(s.pending, key)
		return p == nil || !p.cancelled
	}
	if m.Method() == methodAcknowledged && s.acks > 0 {
		s.acks--
		return false
	}
	return !s.greeting
}

// bury waits for the end of a server, and answers for it what it leaves unanswered.
func (f *stdioFront) bury(s *stdioServer) {
	<-s.Done()
	f.mu.Lock()
	s.dead = true
	delete(f.old, s)
	orphans := s.pending
	s.pending = map[string]*pending{}
	current := f.current == s
	f.mu.Unlock()
	for _, p := range orphans {
		if !p.cancelled {
			f.write(lost(p.id))
		}
	}
	if current && !s.expected.Load() {
		f.died(ending(s.Err()))
	}
}

// write writes one message to the client. A client that is gone shows where its messages are read.
func (f *stdioFront) write(data []byte) {
	f.outMu.Lock()
	defer f.outMu.Unlock()
	_, _ = f.out.Write(append(data[:len(data):len(data)], '\n'))
}

// stop ends all servers, within the limit.
func (f *stdioFront) stop(limit time.Duration) {
	f.mu.Lock()
	var servers []*stdioServer
	if f.current != nil {
		servers = append(servers, f.current)
	}
	for s := range f.old {
		servers = append(servers, s)
	}
	f.mu.Unlock()
	var all sync.WaitGroup
	for _, s := range servers {
		all.Go(func() { s.stop(limit) })
	}
	all.Wait()
}
