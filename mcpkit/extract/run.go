package extract

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// run reads r and yields what is found. Reading, looking and yielding are done by goroutines of
// their own, but for a single worker; the pieces of the input are yielded in their order.
func run(r io.Reader, o Options, yield func(Message, error) bool) {
	o.window = cmp.Or(o.window, defaultWindow)
	o.MaxBytes = max(cmp.Or(o.MaxBytes, DefaultMaxBytes), o.window)
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	seed := maphash.MakeSeed()
	out := output{yield: yield}
	if workers == 1 {
		f := newFinder(o, seed)
		var p piece
		out.end(read(r, o, seed, func(next piece) error {
			found := append(p.found[:0], next.found...)
			p = next
			p.found = found
			f.look(&p)
			if !out.give(&p) {
				return errStopped
			}
			return nil
		}))
		return
	}
	pool(r, o, seed, workers, &out)
}

// errStopped is the error of reading for somebody who has left the loop.
var errStopped = errors.New("stopped")

func read(r io.Reader, o Options, seed maphash.Seed, emit func(piece) error) error {
	in := newInput(r, o.window)
	rd := reading{in: in, emit: emit, splitter: &splitter{in: in, emit: emit, options: o, seed: seed}}
	return rd.all()
}

// pool runs the workers.
func pool(r io.Reader, o Options, seed maphash.Seed, workers int, out *output) {
	ctx, cancel := context.WithCancel(context.Background())
	var (
		group sync.WaitGroup
		inMem = int64(3 * workers * o.window)
		room  = semaphore.NewWeighted(inMem)
		work  = make(chan *piece)
		queue = make(chan *piece, 3*workers)
		spare = make(chan *piece, 3*workers+workers)
		err   error // of reading, once queue is closed
	)
	defer group.Wait()
	defer cancel()
	weight := func(p *piece) int64 { return min(int64(len(p.data)), inMem) }

	for range workers {
		group.Go(func() {
			f := newFinder(o, seed)
			for p := range work {
				f.look(p)
				p.ready <- struct{}{}
			}
		})
	}
	group.Go(func() {
		defer close(queue)
		defer close(work)
		err = read(r, o, seed, func(next piece) error {
			if err := room.Acquire(ctx, weight(&next)); err != nil {
				return errStopped
			}
			var p *piece
			select {
			case p = <-spare:
			default:
				p = &piece{ready: make(chan struct{}, 1)}
			}
			next.data = append(p.data[:0], next.data...)
			next.found = append(p.found[:0], next.found...)
			next.ready = p.ready
			*p = next
			for _, to := range []chan *piece{queue, work} {
				select {
				case to <- p:
				case <-ctx.Done():
					return errStopped
				}
			}
			return nil
		})
	})

	idle := func() {
		if o.Idle != nil {
			o.Idle()
		}
	}
	for {
		var p *piece
		select {
		case p = <-queue:
		default:
			idle()
			p = <-queue
		}
		if p == nil {
			break
		}
		select {
		case <-p.ready:
		default:
			idle()
			<-p.ready
		}
		if !out.give(p) {
			return
		}
		room.Release(weight(p))
		if cap(p.data) > 2*o.window {
			p.data = nil // one large piece is no reason to keep its memory
		}
		select {
		case spare <- p:
		default:
		}
	}
	out.end(err)
}

func newFinder(o Options, seed maphash.Seed) *finder {
	return &finder{options: o, seed: seed, names: map[string]string{}}
}

// output yields what pieces hold, less what is known already.
type output struct {
	yield func(Message, error) bool
	sieve sieve
}

// give yields what p holds, and says whether the loop goes on.
func (o *output) give(p *piece) bool {
	for rest := p.found; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].err == nil && rest[0].err == nil && rest[n].record == rest[0].record {
			n++
		}
		for _, f := range o.sieve.sift(rest[:n]) {
			if !o.yield(f.message, f.err) {
				return false
			}
		}
		rest = rest[n:]
	}
	clear(p.found)
	p.found = p.found[:0]
	return true
}

// end yields the error of reading, if there is one.
func (o *output) end(err error) {
	if err != nil && !errors.Is(err, errStopped) {
		o.yield(Message{}, err)
	}
}

// inPieces looks for messages in an array or object too large to be read at once.
func (f *finder) inPieces(depth int, text []byte, s spot) {
	in := newInput(bytes.NewReader(text), f.options.window)
	for len(in.view()) == 0 {
		in.fill(in.window)
	}
	in.drop(len(text) - len(bytes.TrimLeft(text, " \t\r\n")))
	base := f.base
	sp := &splitter{in: in, options: f.options, seed: f.seed, emit: func(p piece) error {
		f.base = base + int(p.offset)
		inside := spot{place: p.place, callID: s.callID, lasting: s.lasting}
		if t := &f.levels[depth].tape; len(p.data) >= len(text) {
			// It could not be taken apart.
			if t.Parse(p.data, jsontape.Options{}) == nil {
				f.value(depth, t, 0, inside)
			}
		} else if p.kind == pieceValue {
			f.json(depth, p.data, inside)
		}
		return nil
	}}
	_ = sp.inner(s.place) // it is JSON, so there is no fault
	f.base = base
}
