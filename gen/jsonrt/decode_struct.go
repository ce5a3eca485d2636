package jsonrt

import (
	"slices"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Missing notes which of the required names the object at token i lacks.
func (d *Decoder) Missing(i int, names ...string) {
	if d.message != "" || d.tokens[i].Kind != jsontape.Object {
		return
	}
	for _, name := range names {
		if d.member(i, name) < 0 {
			d.Fail(i, "lacks the member "+quote(name))
			return
		}
	}
}

// Mark is where the names of the members without a field begin that ExtraKey gives from now
// on.
func (d *Decoder) Mark() int { return len(d.extras) }

// ExtraKey is Key for a member without a field. Order gives the names back.
//
//go:noinline
func (d *Decoder) ExtraKey(m int) string {
	name := d.own(m)
	d.extras = append(d.extras, name)
	return name
}

// Order gives the names since mark in the order of the document; nil where they are sorted,
// because that is the order that encoding takes by itself.
func (d *Decoder) Order(mark int) []string {
	names := d.extras[mark:]
	d.extras = d.extras[:mark]
	if slices.IsSorted(names) {
		return nil
	}
	return slices.Clone(names)
}

// AtLeast notes a fault where the array at token i has fewer elements.
func (d *Decoder) AtLeast(i, fewest int) {
	if d.tokens[i].Kind == jsontape.Array && d.Len(i) < fewest {
		d.Fail(i, "must have at least "+strconv.Itoa(fewest)+" items")
	}
}

// Misfit takes back the fault that the member whose name is at token m has just given, and
// reports whether there was one.
//
//go:noinline
func (d *Decoder) Misfit(m int) bool {
	if d.message == "" || d.failed < m {
		return false
	}
	d.failed, d.message = 0, ""
	return true
}

// Tag is the string that the member name of the object at token i holds; "" where there is
// none. It is valid as long as what Name gives.
func (d *Decoder) Tag(i int, name string) string {
	if m := d.member(i, name); m >= 0 && d.tokens[m].Kind == jsontape.String {
		return d.tape.Str(d.root + m)
	}
	return ""
}

// TagText is Tag for a member that holds a boolean or an integer, as ScalarText gives it.
func (d *Decoder) TagText(i int, name string) string {
	if m := d.member(i, name); m >= 0 {
		if text, ok := ScalarText(d.tape.Bytes(d.root + m)); ok {
			return text
		}
	}
	return ""
}

// UnknownTag notes that the member name of the object at token i names no variant.
func (d *Decoder) UnknownTag(i int, name string) {
	if d.tokens[i].Kind != jsontape.Object {
		d.want(i, "object")
		return
	}
	if m := d.member(i, name); m >= 0 {
		d.Fail(m, "says which form the object has, but there is none of this name")
		return
	}
	d.Missing(i, name)
}
