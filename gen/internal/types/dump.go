package types

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// Dump prints the Go types of a graph for people: a line for each type, in the order of the files
// that Render prints, with a line for each field or variant below it.
func Dump(w io.Writer, known *facts.Facts, o Options) error {
	_, units := derive(known, o)
	var files []*load.File
	for f := range units {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b *load.File) int { return strings.Compare(a.Name, b.Name) })
	var b strings.Builder
	for _, f := range files {
		u := units[f]
		u.sort()
		for _, n := range u.types {
			n.dump(&b)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// dump prints one type.
func (n *named) dump(b *strings.Builder) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s  %s  %s\n", n.name, n.members[0].Location(nil), n.describe())
	for _, f := range n.fields {
		fmt.Fprintf(b, "  %s %s  %q", f.name, f.typ.held(f.holder()), f.json)
		if f.required {
			b.WriteString(" required")
		}
		if f.soft {
			b.WriteString(" where it fits")
		}
		b.WriteByte('\n')
	}
	if n.extra != nil {
		fmt.Fprintf(b, "  others %s\n", n.extra.held(n.extra.element()))
	}
	for _, v := range n.variants {
		if n.shape == shapeSum {
			fmt.Fprintf(b, "  %q: %s\n", v.values, v.typ.expr())
		} else {
			fmt.Fprintf(b, "  %s: %s\n", v.label, v.typ.expr())
		}
	}
}

// describe says what kind of type it is.
func (n *named) describe() string {
	switch n.shape {
	case shapeStruct:
		return "struct"
	case shapeEnum:
		return fmt.Sprintf("one of %q", n.values)
	case shapeAlias:
		return n.under.expr()
	case shapeBox:
		return "around " + n.under.held(n.under.element())
	case shapeSum:
		return fmt.Sprintf("a variant by %q", n.tag.Member)
	case shapeUnion:
		return "one of several"
	case shapeTuple:
		return "tuple"
	}
	return ""
}
