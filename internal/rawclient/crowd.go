package rawclient

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
)

// Crowd is clients of a server over HTTP at url, of both eras of the protocol in turn, that
// call echo at the same time.
type Crowd struct {
	URL            string
	Clients, Calls int // how many clients, and how many calls each of them makes
	Schema         string
	// Payload makes the payload of a call, whose number it gets.
	Payload func(number int) string
	// Half is called once, when half of the calls are answered. The others go on meanwhile.
	Half func()
}

// Run makes the calls. It returns how many were answered, and what was wrong with those that
// did not come back byte for byte.
func (c *Crowd) Run(ctx context.Context) (answered int64, err error) {
	var (
		count   atomic.Int64
		mu      sync.Mutex
		errs    []error
		clients sync.WaitGroup
	)
	note := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	}
	for n := range c.Clients {
		clients.Go(func() {
			conn, err := DialHTTP(ctx, []Era{Handshake, Stateless}[n%2], c.URL)
			if err != nil {
				note(err)
				return
			}
			defer conn.Close()
			for i := range c.Calls {
				number := n*c.Calls + i
				id := strconv.Itoa(number)
				if err := CallEcho(ctx, conn, id, c.Schema, []byte(c.Payload(number))); err != nil {
					note(fmt.Errorf("client %d: %w", n, err))
				}
				if count.Add(1) == int64(c.Clients*c.Calls/2) {
					c.Half()
				}
			}
		})
	}
	clients.Wait()
	return count.Load(), errors.Join(errs...)
}
