package wire

import "sync/atomic"

// smallMessage is how large a message may be that needs no room: messages like these are
// bounded well enough by their number, and large ones must not keep them out.
const smallMessage = 64 << 10

// Room bounds how many bytes all messages have that are held at a time. Only what was
// received counts, not what a client says that it will send.
type Room struct {
	limit int64
	used  atomic.Int64
}

// NewRoom makes room for limit bytes.
func NewRoom(limit int64) *Room { return &Room{limit: limit} }

// Used is how many bytes are taken.
func (r *Room) Used() int64 { return r.used.Load() }

// enter takes what a message that has size bytes by now takes beyond cost, which it has
// taken before and which it brings up to date. It returns false, and takes nothing, where
// there is no room for it.
func (r *Room) enter(cost *int, size int) bool {
	if r == nil || size <= smallMessage {
		return true
	}
	more := int64(size - *cost)
	if r.used.Add(more) > r.limit {
		r.used.Add(-more)
		return false
	}
	*cost = size
	return true
}

// leave gives back what a message took.
func (r *Room) leave(cost int) {
	if r != nil && cost > 0 {
		r.used.Add(-int64(cost))
	}
}
