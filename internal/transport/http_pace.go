package transport

import (
	"container/list"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// transfers are the bodies being received and the answers being sent: what is in memory and
// waits for a client. Each has to keep a least pace. Where others find no room, a slow one
// gives way before that: nobody holds what others need by taking his time.
type transfers struct {
	bodyLimit   int   // of bodies at a time
	smallLimit  int64 // of their bytes that wire.Room doesn't count
	answerLimit int64 // of the bytes of answers at a time

	mu              sync.Mutex
	bodies, answers list.List // of *transfer, the first begun first
	small           int64     // bytes of bodies that wire.Room doesn't count
	unread          int64     // bytes of answers
}

// smallBody is how much of each message wire.Room doesn't count.
const smallBody = 64 << 10

// slowTransfer is how long a transfer may last before it can be asked to give way. A large
// message of a client that is not slow is through by then.
const slowTransfer = 10 * time.Second

// transfer is one of them.
type transfer struct {
	all     *transfers
	begun   time.Time
	limit   func(time.Time) error // sets the time limit of the client
	held    atomic.Int64          // bytes
	answer  int64                 // how many of them are an answer's
	small   int64                 // how many of them wire.Room doesn't count; guarded by all.mu
	group   *list.List
	place   *list.Element // in group
	gaveWay bool          // guarded by all.mu
}

// receive begins to receive a body. Of too many the one that was begun first gives way.
func (all *transfers) receive(limit func(time.Time) error) *transfer {
	t := &transfer{all: all, begun: time.Now(), limit: limit, group: &all.bodies}
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.bodies.Len() >= all.bodyLimit {
		all.firstGivesWay()
	}
	t.place = t.group.PushBack(t)
	return t
}

// firstGivesWay ends the body that was begun first, of those that are not ended yet. The
// caller holds mu.
func (all *transfers) firstGivesWay() {
	for e := all.bodies.Front(); e != nil; e = e.Next() {
		if t := e.Value.(*transfer); !t.gaveWay {
			t.giveWay()
			return
		}
	}
}

// came notes that n more bytes of a body are there, and returns how many there are. Of too
// many the body that was begun first gives way.
func (t *transfer) came(n int) (held int64) {
	held = t.held.Add(int64(n))
	if n == 0 || held-int64(n) >= smallBody {
		return held
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	more := min(held, smallBody) - t.small
	t.small += more
	if t.all.small += more; t.all.small > t.all.smallLimit {
		t.all.firstGivesWay()
	}
	return held
}

// send begins to send an answer of so many bytes to a message of so many. It returns nil
// where answers that clients don't take leave no room for it.
func (all *transfers) send(limit func(time.Time) error, answer, message int) *transfer {
	t := &transfer{all: all, begun: time.Now(), limit: limit, group: &all.answers, answer: int64(answer)}
	t.held.Store(int64(answer) + int64(message))
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.answers.Len() > 0 && all.unread+t.answer > all.answerLimit {
		return nil
	}
	all.unread += t.answer
	t.place = t.group.PushBack(t)
	return t
}

// makeRoom lets the slow transfer give way that holds most.
func (all *transfers) makeRoom() {
	all.mu.Lock()
	defer all.mu.Unlock()
	var most *transfer
	held := int64(0)
	slow := time.Now().Add(-slowTransfer)
	for _, group := range []*list.List{&all.bodies, &all.answers} {
		for e := group.Front(); e != nil; e = e.Next() {
			if t := e.Value.(*transfer); t.begun.Before(slow) && !t.gaveWay && t.held.Load() > held {
				most, held = t, t.held.Load()
			}
		}
	}
	if most != nil {
		most.giveWay()
	}
}

// giveWay ends what waits for the client. The caller holds all.mu.
func (t *transfer) giveWay() {
	t.gaveWay = true
	// A writer without deadlines (a recorder in a test) has no slow client either.
	_ = t.limit(time.Unix(1, 0))
}

// extend gives the client so much more time.
func (t *transfer) extend(d time.Duration) {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if !t.gaveWay {
		_ = t.limit(time.Now().Add(d)) // as in giveWay
	}
}

// end ends the transfer and reports whether it had to give way.
func (t *transfer) end() (gaveWay bool) {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	t.group.Remove(t.place)
	t.all.unread -= t.answer
	t.all.small -= t.small
	return t.gaveWay
}

// pacedBody is the body of a request. Its client has to send so many bytes in each period,
// or all that are left: who trickles is not waited for, who is slow may send as much as
// anybody.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	pace    pace
	all     *transfers
	whole   func() // is told when the last byte is there

	under    *transfer // while it is read
	read     bool      // somebody has begun to
	mark     int64     // what had come when the period began
	ended    bool      // with EOF or an error
	complete bool      // with EOF
	gaveWay  bool
}

// pace is how fast a client has to be: bytes in each period, after which it has so long to
// take the answer.
type pace struct {
	bytes  int64
	period time.Duration
	write  time.Duration
}

// Read implements io.Reader.
func (b *pacedBody) Read(p []byte) (int, error) {
	if b.ended {
		return b.ReadCloser.Read(p) // says so again
	}
	if !b.read {
		b.read = true
		b.under = b.all.receive(b.control.SetReadDeadline)
		b.under.extend(b.pace.period)
	}
	n, err := b.ReadCloser.Read(p)
	got := b.under.came(n)
	switch {
	case err != nil:
		b.end(err == io.EOF) // io.Reader says that it is this
	case got-b.mark >= b.pace.bytes:
		b.mark = got
		b.under.extend(b.pace.period)
	}
	return n, err
}

// end is called once the body is there, or will not be. Where it failed the time limit
// stays: net/http reads on for a while after the answer, and must not wait for what never
// comes.
func (b *pacedBody) end(complete bool) {
	if b.ended {
		return
	}
	b.ended, b.complete = true, complete
	if b.under != nil {
		b.gaveWay = b.under.end()
	}
	if complete {
		_ = b.control.SetReadDeadline(time.Time{}) // as in giveWay
		b.whole()
	}
	_ = b.control.SetWriteDeadline(time.Now().Add(b.pace.write))
}
