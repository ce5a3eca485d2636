// Command load keeps a built server busy over stdio and HTTP at the same time, with payloads
// of mixed sizes, and checks that every one comes back byte for byte:
//
//	go run ./internal/load [-for 20s] [-conns 4] [-inflight 8] [-seed 1] BINARY
//
// It prints what was done and exits with 1 if an answer was lost or altered.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
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
	flags.IntVar(&l.conns, "conns", 4, "connections of each kind: servers on stdio, sessions over HTTP")
	flags.IntVar(&l.inflight, "inflight", 8, "calls at the same time on each connection")
	flags.Uint64Var(&l.seed, "seed", 1, "seed of the payloads")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 {
		fmt.Fprintln(stderr, "usage: load [flags] BINARY")
		return 2
	}
	l.binary = flags.Arg(0)
	counts, err := l.run(ctx)
	fmt.Fprintf(stdout, "load: %d calls and %.1f MB each way in %s over %d stdio and %d HTTP connections\n",
		counts.calls, float64(counts.bytes)/1e6, l.time, l.conns, l.conns)
	if err != nil {
		fmt.Fprintln(stderr, "load:", err)
		return 1
	}
	fmt.Fprintln(stdout, "load: nothing lost, nothing altered")
	return 0
}

// load is what to do.
type load struct {
	binary   string
	time     time.Duration
	conns    int
	inflight int
	seed     uint64
}

// counts is what was done.
type counts struct {
	calls, bytes int64
}

// run opens all connections, keeps them busy and closes them. The error joins those of all
// connections.
func (l *load) run(ctx context.Context) (counts, error) {
	server, err := rawclient.StartHTTP(ctx, l.binary)
	if err != nil {
		return counts{}, err
	}
	var (
		mu    sync.Mutex
		total counts
		errs  []error
		all   sync.WaitGroup
	)
	deadline := time.Now().Add(l.time)
	for i := range 2 * l.conns {
		all.Go(func() {
			done, err := l.connection(ctx, server.URL, i, deadline)
			mu.Lock()
			defer mu.Unlock()
			total.calls += done.calls
			total.bytes += done.bytes
			errs = append(errs, err)
		})
	}
	all.Wait()
	if total.calls == 0 {
		errs = append(errs, errors.New("no call was made"))
	}
	return total, errors.Join(append(errs, server.Stop())...)
}

// connection is one connection from its handshake to its end: on stdio where number is
// even, over HTTP where it is odd, of either era.
func (l *load) connection(ctx context.Context, url string, number int, deadline time.Time) (counts, error) {
	var (
		conn rawclient.Conn
		err  error
		kind = "stdio"
		era  = rawclient.Handshake
	)
	if number/2%2 == 1 {
		era = rawclient.Stateless
	}
	if number%2 == 0 {
		conn, err = rawclient.StartStdio(ctx, era, l.binary, "serve")
	} else {
		kind = "HTTP"
		conn, err = rawclient.DialHTTP(ctx, era, url)
	}
	if err != nil {
		return counts{}, fmt.Errorf("%s connection %d: %w", kind, number, err)
	}
	var (
		mu    sync.Mutex
		total counts
		errs  []error
		all   sync.WaitGroup
	)
	for worker := range l.inflight {
		all.Go(func() {
			random := rand.New(rand.NewPCG(l.seed, uint64(number*l.inflight+worker)))
			for n := 0; time.Now().Before(deadline); n++ {
				size, err := call(ctx, conn, strconv.Itoa(1+worker+n*l.inflight), random)
				mu.Lock()
				if err != nil {
					errs = append(errs, fmt.Errorf("%s connection %d: %w", kind, number, err))
					mu.Unlock()
					return
				}
				total.calls++
				total.bytes += int64(size)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return total, errors.Join(append(errs, conn.Close())...)
}

// call echoes one payload and gives its size.
func call(ctx context.Context, conn rawclient.Conn, id string, random *rand.Rand) (int, error) {
	schema, payload := message(random)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return len(payload), rawclient.CallEcho(ctx, conn, id, schema, payload)
}
