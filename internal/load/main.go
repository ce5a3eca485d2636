// Command load keeps a built server busy over stdio and HTTP at the same time and checks
// every answer:
//
//	go run ./internal/load [-for 20s] [-conns 8] [-inflight 4] [-pipelined 32] [-seed 1] BINARY
//
// Good clients send payloads from 100 bytes to 5 MB, good ones that must come back byte for
// byte and bad ones that must be refused with the right fault. At the same time bad clients
// break off, stop in the middle of a request, or read slowly. When all have gone, the
// server's memory and goroutines must be back to what they were.
//
// Only loopback addresses are used. It prints what was done and exits with 1 if an answer
// was lost, mixed or altered, or if something stayed behind.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var l load
	flags.DurationVar(&l.time, "for", 20*time.Second, "how long calls are started")
	flags.IntVar(&l.conns, "conns", 8, "connections over HTTP")
	flags.IntVar(&l.inflight, "inflight", 4, "calls at the same time on each of them")
	flags.IntVar(&l.pipelined, "pipelined", 32, "calls at the same time on each connection over stdio")
	flags.Uint64Var(&l.seed, "seed", 1, "seed of the payloads")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 {
		fmt.Fprintln(stderr, "usage: load [flags] BINARY")
		return 2
	}
	l.binary = flags.Arg(0)
	counts, err := l.run(ctx)
	fmt.Fprintf(stdout, "load: %s over %d HTTP connections and %d on stdio: %d good calls (%.1f MB each way), %d bad ones refused, %d turned away to come again\n",
		l.time, l.conns, len(eras), counts.good, float64(counts.bytes)/1e6, counts.bad, counts.turnedAway)
	fmt.Fprintf(stdout, "load: meanwhile %d requests broken off, %d left half sent, %d answers read slowly, %d stdio servers left in mid-line\n",
		counts.brokenOff, counts.halfOpen, counts.slow, counts.midLine)
	fmt.Fprintf(stdout, "load: heap %s before and %s after, goroutines %d and %d\n",
		megabytes(counts.before.heap), megabytes(counts.after.heap), counts.before.goroutines, counts.after.goroutines)
	if err != nil {
		fmt.Fprintln(stderr, "load:", err)
		return 1
	}
	fmt.Fprintln(stdout, "load: nothing lost, nothing mixed, nothing altered, nothing left behind")
	return 0
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// load is what to do.
type load struct {
	binary    string
	time      time.Duration
	conns     int
	inflight  int
	pipelined int
	seed      uint64
}

// counts is what was done.
type counts struct {
	good, bad, bytes, turnedAway       int64
	brokenOff, halfOpen, slow, midLine int64
	before, after                      state
}

func (c *counts) add(o counts) {
	c.good += o.good
	c.bad += o.bad
	c.bytes += o.bytes
	c.turnedAway += o.turnedAway
	c.brokenOff += o.brokenOff
	c.halfOpen += o.halfOpen
	c.slow += o.slow
	c.midLine += o.midLine
}

// eras are the eras of the protocol: each connection has one of them, in turn.
var eras = []rawclient.Era{rawclient.Handshake, rawclient.Stateless}

// run opens all connections, keeps them busy and closes them. The error joins those of all
// clients.
func (l *load) run(ctx context.Context) (counts, error) {
	// However slow the machine is, this ends.
	ctx, cancel := context.WithTimeout(ctx, l.time+3*time.Minute)
	defer cancel()
	server, err := rawclient.StartHTTP(ctx, l.binary, "--log-level", "error")
	if err != nil {
		return counts{}, err
	}
	total := counts{}
	if total.before, err = settle(ctx, server.URL, state{}); err != nil {
		return total, errors.Join(err, server.Stop())
	}
	clients := l.clients(server.URL)
	var (
		mu   sync.Mutex
		errs []error
		all  sync.WaitGroup
	)
	deadline := time.Now().Add(l.time)
	for i, c := range clients {
		all.Go(func() {
			done, err := c.run(ctx, deadline, uint64(i))
			mu.Lock()
			defer mu.Unlock()
			total.add(done)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", c.name, err))
			}
		})
	}
	all.Wait()
	if min(total.good, total.bad, total.brokenOff, total.halfOpen, total.slow, total.midLine) == 0 {
		errs = append(errs, errors.New("some kind of client did nothing"))
	}
	if total.after, err = settle(ctx, server.URL, total.before); err != nil {
		errs = append(errs, err)
	}
	return total, errors.Join(append(errs, server.Stop())...)
}

// client is one of those that run at the same time. number makes its payloads its own.
type client struct {
	name string
	run  func(ctx context.Context, deadline time.Time, number uint64) (counts, error)
}

func (l *load) clients(url string) []client {
	var all []client
	for i := range l.conns {
		era := eras[i%len(eras)]
		all = append(all, client{fmt.Sprintf("HTTP connection %d (%s)", i, era), func(ctx context.Context, deadline time.Time, number uint64) (counts, error) {
			conn, err := rawclient.DialHTTP(ctx, era, url)
			if err != nil {
				return counts{}, err
			}
			done, err := l.busy(ctx, conn, l.inflight, deadline, number)
			done.turnedAway = conn.Turned()
			return done, err
		}})
	}
	for _, era := range eras {
		all = append(all, client{"stdio " + string(era), func(ctx context.Context, deadline time.Time, number uint64) (counts, error) {
			conn, err := rawclient.StartStdio(ctx, era, l.binary, "serve", "--log-level", "error")
			if err != nil {
				return counts{}, err
			}
			done, err := l.busy(ctx, conn, l.pipelined, deadline, number)
			if extra := conn.Extra(); len(extra) > 0 {
				err = errors.Join(err, fmt.Errorf("%d messages that answer nothing", len(extra)))
			}
			return done, err
		}})
	}
	h := hostile{url: url, binary: l.binary, seed: l.seed}
	return append(all,
		client{"breaking off", h.breakOff},
		client{"half-open", h.halfOpen},
		client{"slow reader", h.slow},
		client{"second slow reader", h.slow},
		client{"stdio in mid-line", h.midLine},
	)
}
