package jsonrt

// Verdicts that functions remember, by function and token. A recursive schema with a choice
// can come to one value by many ways; without memory that takes time exponential in the
// depth of a document. Remembering costs more than checking as long as every value is met
// once or twice, so it begins only when the number of calls says otherwise, or when faults
// are being collected.

// Recall counts a call of the function with number id. It gives the function's verdict on
// the value at v if that is remembered.
func (c *Checker) Recall(id uint32, v int) (verdict, known bool) {
	c.calls++
	if c.calls <= c.patience {
		return false, false
	}
	if c.loud {
		// Its faults are on the list already.
		key := memoKey{id, uint32(v), c.attempt}
		if c.verdicts[key] {
			return true, true
		}
		c.keep(key, true)
		return false, false
	}
	verdict, known = c.verdicts[memoKey{id, uint32(v), quietly}]
	return verdict, known
}

// Remember keeps the verdict of the function with number id on the value at v, and returns it.
func (c *Checker) Remember(id uint32, v int, verdict bool) bool {
	if c.calls > c.patience && !c.loud {
		c.keep(memoKey{id, uint32(v), quietly}, verdict)
	}
	return verdict
}

func (c *Checker) keep(key memoKey, verdict bool) {
	if c.verdicts == nil {
		c.verdicts = map[memoKey]bool{}
	}
	c.verdicts[key] = verdict
}

// memoKey is a function and a value. Faults are on a list of their own for every attempt at a
// branch, so there the attempt counts too.
type memoKey struct{ id, token, attempt uint32 }

// quietly is the attempt of a call that only wants the verdict.
const quietly = 0

// callsPerToken is how many calls of functions that remember a document may cost, for each of
// its tokens, before they do.
const callsPerToken = 4
