package transport

import "sync"

// maxRecent is how many keys a recent remembers.
const maxRecent = 10_000

// recent remembers a value for each of the keys that were new last. The zero value
// remembers none yet.
type recent[V any] struct {
	mu     sync.Mutex
	values map[string]V
	ring   []string // the keys, the oldest at next once it is full
	next   int
}

// get returns the value of a key, and whether it is remembered.
func (r *recent[V]) get(key string) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, ok := r.values[key]
	return value, ok
}

// set remembers the value of a key, and forgets the oldest where it is one too many.
func (r *recent[V]) set(key string, value V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.values == nil {
		r.values = make(map[string]V)
	}
	if _, known := r.values[key]; !known {
		if len(r.ring) < maxRecent {
			r.ring = append(r.ring, key)
		} else {
			delete(r.values, r.ring[r.next])
			r.ring[r.next] = key
			r.next = (r.next + 1) % maxRecent
		}
	}
	r.values[key] = value
}
