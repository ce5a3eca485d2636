package jsontape

import "iter"

// Elements yields the tokens of the elements of the array at token i, in order. It yields
// nothing where the token is no array, or its elements are not indexed (Options.IndexDepth).
func (t *Tape) Elements(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		k := &t.Tokens[i]
		if k.Kind != Array {
			return
		}
		for c := i + 1; c < int(k.Next) && yield(c); c = t.Next(c) {
		}
	}
}

// Members yields the tokens of name and value of each member of the object at token i, in
// order, also of those whose names repeat. It yields nothing where the token is no object, or
// its members are not indexed (Options.IndexDepth).
func (t *Tape) Members(i int) iter.Seq2[int, int] {
	return func(yield func(name, value int) bool) {
		k := &t.Tokens[i]
		if k.Kind != Object {
			return
		}
		for c := i + 1; c < int(k.Next) && yield(c, c+1); c = t.Next(c + 1) {
		}
	}
}
