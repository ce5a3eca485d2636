package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// state is what the server's /metrics say about what it holds.
type state struct {
	goroutines, heap, collections int64
}

// How much more than before may stay: the runtime's own goroutines come and go, and buffers
// are kept for the next call.
const (
	moreGoroutines = 4
	moreHeap       = 32_000_000
)

// settle waits until the server is at rest: until three collections of garbage have passed,
// which small calls make it do (what pools hold goes with the second), and its memory and
// goroutines are back to those of floor. A zero floor is nothing to come back to.
func settle(ctx context.Context, url string, floor state) (state, error) {
	first, err := read(ctx, url)
	if err != nil {
		return state{}, err
	}
	conn, err := rawclient.DialHTTP(ctx, rawclient.Stateless, url)
	if err != nil {
		return state{}, err
	}
	payload := []byte(`"` + strings.Repeat("x", 100_000) + `"`)
	now := first
	for deadline := time.Now().Add(time.Minute); ; {
		if err := rawclient.CallEcho(ctx, conn, "1", "__schemaless__", payload); err != nil {
			return now, err
		}
		if err := conn.Close(); err != nil { // or its own goroutines would count
			return now, err
		}
		if now, err = read(ctx, url); err != nil {
			return now, err
		}
		resting := floor == state{} || now.goroutines <= floor.goroutines+moreGoroutines && now.heap <= floor.heap+moreHeap
		if resting && now.collections >= first.collections+3 {
			return now, nil
		}
		if time.Now().After(deadline) {
			return now, fmt.Errorf("a minute after the load the server holds %s and %d goroutines, before it %s and %d",
				megabytes(now.heap), now.goroutines, megabytes(floor.heap), floor.goroutines)
		}
	}
}

// read gets the metrics on a connection of its own.
func read(ctx context.Context, mcp string) (state, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(mcp, "/mcp")+"/metrics", nil)
	if err != nil {
		return state{}, err
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return state{}, err
	}
	defer resp.Body.Close()
	var s state
	wanted := map[string]*int64{"go_goroutines": &s.goroutines, "go_memstats_heap_alloc_bytes": &s.heap, "go_gc_duration_seconds_count": &s.collections}
	found := 0
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if to := wanted[name]; to != nil {
			f, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return state{}, err
			}
			*to = int64(f)
			found++
		}
	}
	if found != len(wanted) {
		return state{}, fmt.Errorf("/metrics gives %d of the %d figures that are needed", found, len(wanted))
	}
	return s, lines.Err()
}
