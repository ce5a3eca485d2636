package jsonrt

// Verdicts that functions remember, by function and token. A schema with a choice can come to
// one value by many ways; without memory that takes time exponential in the depth of a
// document. Remembering costs more than checking as long as every value is met once or twice,
// so it begins only when the number of calls says otherwise, or when faults are being
// collected.
//
// Its memory is bounded; what finds no room is not remembered, and then the work that a call
// may cost ends it.

// Recall counts a call of the function with number id, which checks the schema at location at.
// It gives the function's verdict on the value at v if that is remembered.
func (c *Checker) Recall(id uint32, v int, at string) (verdict, known bool) {
	c.calls++
	if c.calls <= c.patience {
		return false, false
	}
	if !c.Spend(stepsPerRecall) {
		c.giveUp(v, at)
		return false, true
	}
	if c.loud {
		return true, c.told(memoKey{id, uint32(v), c.attempt})
	}
	return c.verdicts.get(id, v)
}

// Remember keeps the verdict of the function with number id on the value at v, and returns it.
func (c *Checker) Remember(id uint32, v int, verdict bool) bool {
	if c.calls > c.patience && !c.loud && !c.work.over {
		c.verdicts.put(id, v, verdict, len(c.tokens))
	}
	return verdict
}

// told reports whether the faults of a function on a value are on the list already, and notes
// that they will be. When there is no room for more notes, no more faults are looked for.
func (c *Checker) told(key memoKey) bool {
	if _, known := c.verdicts.told[key]; known {
		return true
	}
	if len(c.verdicts.told) == maxTold {
		c.cut = true
		return true
	}
	if c.verdicts.told == nil {
		c.verdicts.told = map[memoKey]struct{}{}
	}
	c.verdicts.told[key] = struct{}{}
	return false
}

const (
	// callsPerToken is how many calls of functions that remember a document may cost, for each
	// of its tokens, before they do.
	callsPerToken = 4
	// stepsPerRecall is what such a call costs from then on, compared with a step of a
	// pattern.
	stepsPerRecall = 4
	// maxTold bounds the memory of collecting faults, to some 3 MiB.
	maxTold = 1 << 16
	// tokensPerPage is for how many tokens one page has the verdicts of one function.
	tokensPerPage = 256
	// freePages and tokensForPage bound the memory of verdicts, to 6 bytes for each token of
	// the document and 256 KiB.
	freePages     = 2048
	tokensForPage = 16
)

// verdicts is the memory.
type verdicts struct {
	pages   []page
	numbers map[pageKey]uint32
	last    pageKey // of the page that was used last
	recent  uint32  // its number plus one
	told    map[memoKey]struct{}
}

// page holds one bit that says whether the verdict is known, and one for the verdict, for each
// of its tokens.
type page struct{ known, verdict [tokensPerPage / 64]uint64 }

type pageKey struct{ id, group uint32 }

// memoKey is a function and a value. Faults are on a list of their own for every attempt at a
// branch of a union, so there the attempt counts too.
type memoKey struct{ id, token, attempt uint32 }

// page finds a page; nil if there is none.
func (m *verdicts) page(id uint32, v int) *page {
	key := pageKey{id, uint32(v / tokensPerPage)}
	if m.recent == 0 || m.last != key {
		number, ok := m.numbers[key]
		if !ok {
			return nil
		}
		m.last, m.recent = key, number+1
	}
	return &m.pages[m.recent-1]
}

func (m *verdicts) get(id uint32, v int) (verdict, known bool) {
	p := m.page(id, v)
	if p == nil {
		return false, false
	}
	word, bit := v%tokensPerPage/64, uint64(1)<<(v%64)
	return p.verdict[word]&bit != 0, p.known[word]&bit != 0
}

func (m *verdicts) put(id uint32, v int, verdict bool, tokens int) {
	p := m.page(id, v)
	if p == nil {
		if len(m.pages) >= freePages+tokens/tokensForPage {
			return
		}
		if m.numbers == nil {
			m.numbers = map[pageKey]uint32{}
		}
		m.numbers[pageKey{id, uint32(v / tokensPerPage)}] = uint32(len(m.pages))
		m.pages = append(m.pages, page{})
		p = &m.pages[len(m.pages)-1]
	}
	word, bit := v%tokensPerPage/64, uint64(1)<<(v%64)
	p.known[word] |= bit
	if verdict {
		p.verdict[word] |= bit
	}
}
