package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// busy makes calls on a connection until the deadline, several at the same time, and then
// ends it.
func (l *load) busy(ctx context.Context, conn rawclient.Conn, inflight int, deadline time.Time, number uint64) (counts, error) {
	var (
		mu    sync.Mutex
		total counts
		errs  []error
		all   sync.WaitGroup
	)
	for worker := range inflight {
		all.Go(func() {
			random := rand.New(rand.NewPCG(l.seed, number<<32|uint64(worker)))
			for n := 0; time.Now().Before(deadline); n++ {
				done, err := call(ctx, conn, strconv.Itoa(1+worker+n*inflight), random)
				mu.Lock()
				total.add(done)
				if err != nil {
					errs = append(errs, err)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return total, errors.Join(append(errs, conn.Close())...)
}

// call makes one call: nine in ten are good.
func call(ctx context.Context, conn rawclient.Conn, id string, random *rand.Rand) (counts, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if random.IntN(10) == 0 {
		return badCall(ctx, conn, id, random)
	}
	schema, payload := message(random)
	if err := rawclient.CallEcho(ctx, conn, id, schema, payload); err != nil {
		return counts{}, err
	}
	return counts{good: 1, bytes: int64(len(payload))}, nil
}

// badCall makes a call that must be refused, and checks how.
func badCall(ctx context.Context, conn rawclient.Conn, id string, random *rand.Rand) (counts, error) {
	mark := strconv.FormatUint(random.Uint64(), 36)
	schema, payload, want := stageSchema, `{"stage":"a","`+mark+`":1}`, `"path":"/`+mark+`"`
	switch random.IntN(4) {
	case 0:
		schema, want = mark, `"code":"SCHEMA_NOT_FOUND"`
	case 1:
		payload, want = `{"stage":"a","stage":"`+mark+`"}`, `"code":"INVALID_REQUEST"`
	case 2: // big, and wrong at its very end
		_, big := messageOf(random, 200_000)
		payload = strings.TrimSuffix(string(big), "}") + `,"` + mark + `":1}`
	}
	answer, err := conn.Ask(ctx, id, conn.Era().Echo(id, schema, []byte(payload)))
	if err != nil {
		return counts{}, err
	}
	structured, _, err := rawclient.Envelope(answer)
	if err != nil {
		return counts{}, err
	}
	if !strings.HasPrefix(string(structured), `{"ok":false,`) || !strings.Contains(string(structured), want) {
		return counts{}, fmt.Errorf("call %s: a bad payload was not refused with %s: %.300s", id, want, structured)
	}
	return counts{bad: 1}, nil
}
