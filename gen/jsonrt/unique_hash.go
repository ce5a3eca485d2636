package jsonrt

import (
	"bytes"
	"hash/maphash"
	"math/bits"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// hasher gives equal hashes for values that Equal calls equal, under a key of its own.
type hasher struct {
	tape *jsontape.Tape
	seed maphash.Seed
	key  [2]uint64
}

func newHasher(t *jsontape.Tape) hasher {
	seed := maphash.MakeSeed()
	return hasher{t, seed, [2]uint64{maphash.String(seed, "a"), maphash.String(seed, "b")}}
}

// mix joins two hashes; the order matters.
func (h *hasher) mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^h.key[0], b^h.key[1])
	return high ^ low
}

// shallow hashes a scalar by its value, an array or object only by its number of tokens.
func (h *hasher) shallow(i int) uint64 {
	token := &h.tape.Tokens[i]
	switch token.Kind {
	case jsontape.Number:
		return h.number(h.tape.Data[token.Start:token.End])
	case jsontape.String:
		return h.text(i)
	case jsontape.Array, jsontape.Object, jsontape.Null, jsontape.False, jsontape.True, jsontape.Invalid:
	}
	return h.mix(uint64(token.Kind), uint64(token.Next)-uint64(i))
}

// value hashes a value whole.
func (h *hasher) value(i int) uint64 {
	token := &h.tape.Tokens[i]
	end := int(token.Next)
	hash := uint64(token.Kind)
	switch token.Kind {
	case jsontape.Array:
		for i++; i < end; i = int(h.tape.Tokens[i].Next) {
			hash = h.mix(hash, h.value(i))
		}
	case jsontape.Object:
		for i++; i < end; i = int(h.tape.Tokens[i+1].Next) {
			hash += h.mix(h.text(i), h.value(i+1)) // a sum, for the order doesn't matter
		}
	case jsontape.Null, jsontape.False, jsontape.True, jsontape.Number, jsontape.String, jsontape.Invalid:
		return h.shallow(i)
	}
	return h.mix(hash, uint64(token.Kind))
}

func (h *hasher) number(text []byte) uint64 {
	n := parseNumber(text)
	var hash uint64
	if n.digits.len() <= maxFastDigits {
		hash = n.digits.uint64()
	} else {
		var digits maphash.Hash
		digits.SetSeed(h.seed)
		_, _ = digits.Write(n.digits.head) // never fails, as the package says
		_, _ = digits.Write(n.digits.tail)
		hash = digits.Sum64()
	}
	if n.negative {
		hash = ^hash
	}
	if n.magnitude.wide != "" {
		return h.mix(hash, maphash.String(h.seed, n.magnitude.wide))
	}
	return h.mix(hash, uint64(n.magnitude.small))
}

// text hashes a string or a member name, after unescaping.
func (h *hasher) text(i int) uint64 {
	text := quotedText(h.tape, i)
	if h.tape.Tokens[i].Flags&jsontape.Escaped == 0 {
		return maphash.Bytes(h.seed, text)
	}
	var hash maphash.Hash
	hash.SetSeed(h.seed)
	for {
		plain := bytes.IndexByte(text, '\\')
		if plain < 0 {
			_, _ = hash.Write(text)
			return hash.Sum64()
		}
		_, _ = hash.Write(text[:plain])
		r, size := unescape(text[plain:])
		var buffer [4]byte
		_, _ = hash.Write(appendRune(buffer[:0], r))
		text = text[plain+size:]
	}
}
