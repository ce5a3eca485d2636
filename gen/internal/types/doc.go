package types

import (
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/comment"
	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
)

// comment prints the doc comment of a type.
func (u *unit) comment(p *printer, n *named) {
	where := comment.OneLine(n.members[0].Location(u.file))
	switch {
	case n.isMessage() && u.file.Document != nil:
		p.P("// ", n.name, " is ", comment.OneLine(u.file.Document.Role), ".")
	case n.isMessage():
		p.P("// ", n.name, " is the message type ", gosrc.Lit(comment.OneLine(n.id)), ".")
	default:
		p.P("// ", n.name, " follows ", where, ".")
	}
	if text := describe(n.members); text != "" {
		p.P("//")
		p.Comment(text)
	}
	switch n.shape {
	case shapeSum:
		p.P("//")
		p.P("// It is one of these, told apart by the member ", gosrc.Lit(comment.OneLine(n.tag.Member)), ":")
		p.P("//")
		for _, v := range n.variants {
			p.P("//   - *", v.typ.expr(), " (", comment.OneLine(strings.Join(v.values, ", ")), ")")
		}
	case shapeUnion:
		p.P("//")
		p.Comment("It holds one of several types of value; the As methods say which. Raw gives the value as it is.")
	case shapeStruct, shapeEnum, shapeAlias, shapeBox, shapeTuple:
	}
}
