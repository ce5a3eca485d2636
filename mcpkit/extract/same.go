package extract

import "slices"

const (
	// remembered is how many messages are remembered, so that another record of one is known.
	remembered = 1024
	// apart is how many calls, and places for each, are told apart for one message.
	apart = 64
)

// sieve lets each message through once, however often it is recorded.
type sieve struct {
	records memory // of messages in one line or document
	calls   memory // of messages with lasting call ids
	order   []int
}

// sift keeps, of messages that came in one piece, those that are new.
func (s *sieve) sift(group []found) []found {
	// What comes from a string is closer to what the server wrote, so it comes first.
	s.order = s.order[:0]
	for i := range group {
		s.order = append(s.order, i)
	}
	slices.SortStableFunc(s.order, func(a, b int) int {
		return boolToInt(group[b].level > 0) - boolToInt(group[a].level > 0)
	})
	for _, i := range s.order {
		if g := &group[i]; g.identified && !s.isNew(g) {
			g.message = Message{}
			g.known = true
		}
	}
	return slices.DeleteFunc(group, func(g found) bool { return g.known })
}

func (s *sieve) isNew(g *found) bool {
	if !s.records.get(mix(uint64(g.record), g.value, 0)).add(g.call, g.place) {
		return false
	}
	return !g.lasting || s.calls.get(mix(g.call, g.value, 1)).add(g.call, g.place)
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// memory holds the tallies of the last messages.
type memory struct {
	tallies map[uint64]*tally
	keys    []uint64 // in the order in which they came, as a ring
	next    int
}

// get gives the tally of a message, a new one if it is not remembered.
func (m *memory) get(key uint64) *tally {
	if t, ok := m.tallies[key]; ok {
		return t
	}
	if m.tallies == nil {
		m.tallies = make(map[uint64]*tally, remembered)
	}
	t := new(tally)
	if len(m.keys) < remembered {
		m.keys = append(m.keys, key)
	} else {
		t = m.tallies[m.keys[m.next]]
		delete(m.tallies, m.keys[m.next])
		*t = tally{calls: t.calls[:0], none: call{places: t.none.places[:0]}}
		m.keys[m.next] = key
		m.next = (m.next + 1) % remembered
	}
	m.tallies[key] = t
	return t
}

// tally counts how often one message was recorded, and how often it was emitted at least: a call
// as often as it is found at one and the same place, and different calls add up. What belongs to
// no call may be another record of those.
type tally struct {
	calls []call
	none  call
	sum   int // of all calls
	told  int
}

type call struct {
	id     uint64
	places []place
	most   int // at one place
}

type place struct {
	id uint64
	n  int
}

// add counts one more record and says whether it is one more message.
func (t *tally) add(id, at uint64) bool {
	if id == 0 {
		t.none.add(at)
	} else {
		i := slices.IndexFunc(t.calls, func(c call) bool { return c.id == id })
		if i < 0 {
			if len(t.calls) == apart {
				t.calls = slices.Delete(t.calls, 0, 1)
			}
			t.calls = append(t.calls, call{id: id})
			i = len(t.calls) - 1
		}
		if t.calls[i].add(at) {
			t.sum++
		}
	}
	if n := max(t.sum, t.none.most); n > t.told {
		t.told = n
		return true
	}
	return false
}

// add says whether it is now one more at one place than it was anywhere.
func (c *call) add(at uint64) bool {
	i := slices.IndexFunc(c.places, func(p place) bool { return p.id == at })
	if i < 0 {
		if len(c.places) == apart {
			c.places = slices.Delete(c.places, 0, 1)
		}
		c.places = append(c.places, place{id: at})
		i = len(c.places) - 1
	}
	c.places[i].n++
	if c.places[i].n > c.most {
		c.most = c.places[i].n
		return true
	}
	return false
}
