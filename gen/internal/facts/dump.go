package facts

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// Dump prints the facts for people: a line for each schema with the kinds of value that can satisfy
// it, and below it what an object has to have and what tells the branches of a union apart.
func (f *Facts) Dump(w io.Writer) error {
	list := slices.Clone(f.list)
	slices.SortFunc(list, func(a, b *load.Schema) int {
		if c := strings.Compare(a.File.Name, b.File.Name); c != 0 {
			return c
		}
		return a.Tok - b.Tok
	})
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s  %s\n", s.Location(nil), words(f.Kinds(s)))
		f.dumpMembers(&b, s)
		for i := range s.Keywords {
			k := &s.Keywords[i]
			if k.Go != load.GoUnion {
				continue
			}
			tag := f.Tag(s, k)
			if tag == nil {
				continue
			}
			fmt.Fprintf(&b, "  %s by %q\n", k.Name, tag.Member)
			for i, branch := range tag.Branches {
				fmt.Fprintf(&b, "    %s: %s\n", tag.text(i), branch.Location(nil))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func words(k Kinds) string {
	if k == Any {
		return "anything"
	}
	if k == 0 {
		return "nothing"
	}
	return strings.Join(k.Names(), " ")
}

// text lists the constants of a branch.
func (t *Tag) text(branch int) string {
	if t.Kind == String {
		return fmt.Sprintf("%q", t.Values[branch])
	}
	return fmt.Sprint(t.Values[branch])
}

// dumpMembers prints the members that the schema has say in: those required and those that hold
// one of a few constants.
func (f *Facts) dumpMembers(b *strings.Builder, s *load.Schema) {
	if f.Kinds(s)&Object == 0 {
		return
	}
	for _, p := range f.Properties([]*load.Schema{s}) {
		text := ""
		if p.Required {
			text = " required"
		}
		kinds := f.KindsOf(p.Places)
		for _, kind := range tagKinds {
			if kinds != kind {
				continue
			}
			if values, finite := f.Constants(p.Places, kind); finite {
				t := Tag{Kind: kind, Values: [][]string{values}}
				text += " one of " + t.text(0)
			}
		}
		if text != "" {
			fmt.Fprintf(b, "  member %q%s\n", p.Name, text)
		}
	}
}
