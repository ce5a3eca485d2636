package types

import "strings"

// comment prints the doc comment of a type.
func (u *unit) comment(p *printer, n *named) {
	where := oneLine(n.members[0].Location(u.file))
	switch {
	case n.isMessage():
		p.P("// ", n.name, " is the message type ", quoted(oneLine(n.id)), ".")
	default:
		p.P("// ", n.name, " follows ", where, ".")
	}
	if text := describe(n.members); text != "" {
		p.P("//")
		p.comment(text)
	}
	switch n.shape {
	case shapeSum:
		p.P("//")
		p.P("// It is one of these, told apart by the member ", quoted(oneLine(n.tag)), ":")
		p.P("//")
		for _, v := range n.variants {
			p.P("//   - *", v.typ.expr(), " (", oneLine(strings.Join(v.values, ", ")), ")")
		}
	case shapeUnion:
		p.P("//")
		p.comment("It holds one of several types of value; the As methods say which. Raw gives the value as it is.")
	case shapeStruct, shapeEnum, shapeAlias, shapeBox, shapeTuple:
	}
}

// comment prints text that is fit for a comment, wrapped.
func (p *printer) comment(text string) {
	for line := range strings.SplitSeq(wrap(text), "\n") {
		p.P(strings.TrimRight("// "+line, " "))
	}
}

// oneLine is text from a schema, fit for a place within a line of a comment.
func oneLine(s string) string { return strings.ReplaceAll(commentText(s), "\n", " ") }

// wrap breaks lines after 90 characters, at spaces.
func wrap(text string) string {
	const width = 90
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for len(line) > width {
			at := strings.LastIndexByte(line[:width], ' ')
			if at <= 0 {
				if at = strings.IndexByte(line, ' '); at <= 0 {
					break
				}
			}
			lines = append(lines, line[:at])
			line = line[at+1:]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
