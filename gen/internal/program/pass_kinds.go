package program

import (
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// unionsByKind makes a union a switch over the kind of its value wherever that leaves less to try:
// an anyOf of a string and an object, a nullable $ref. For each kind only those branches are left
// that can take it; a single one is not tried but called, so that what is told is the fault of
// the member meant ("/v/a: must be integer") and not that none of the forms fits. What no branch
// takes is told the kinds that are allowed. A union of which something wants to know what it
// evaluates has to try all.
func unionsByKind(p *Program) {
	for _, f := range p.Funcs {
		walk(&f.Body, func(b *Block) {
			for i, op := range *b {
				if u, ok := op.(*Union); ok && !u.Notes {
					(*b)[i] = u.byKind()
				}
			}
		})
	}
}

// instanceKinds are the kinds of token. Integers and other numbers have one.
var instanceKinds = []plan.Types{plan.Null, plan.Boolean, plan.Number, plan.String, plan.Array, plan.Object}

// byKind is the union as a switch, or the union itself where no kind leaves less to try.
func (u *Union) byKind() Op {
	type group struct {
		kinds    plan.Types
		branches []Branch
	}
	var groups []group
	var allowed, none plan.Types
	for _, kind := range instanceKinds {
		if u.Possible&kind == 0 {
			continue
		}
		var left []Branch
		for _, br := range u.Branches {
			if br.Kinds&kind != 0 {
				left = append(left, br)
				allowed |= br.Kinds & kind
			}
		}
		if len(left) == 0 {
			none |= kind
			continue
		}
		same := slices.IndexFunc(groups, func(g group) bool { return slices.Equal(g.branches, left) })
		if same < 0 {
			groups = append(groups, group{branches: left})
			same = len(groups) - 1
		}
		groups[same].kinds |= kind
	}
	if len(groups) == 0 || len(groups) == 1 && len(groups[0].branches) == len(u.Branches) {
		return u
	}
	o := &Kinds{On: u.On}
	for _, g := range groups {
		o.Cases = append(o.Cases, KindCase{g.kinds, u.among(g.branches, g.kinds)})
	}
	if none != 0 {
		o.Default = Block{&Fail{Plain{u.On, u.At, u.Keyword, "must be " + either(allowed.Names())}}}
	}
	return o
}

// among is what is left of the union for values of some kinds, which only these branches can take.
func (u *Union) among(branches []Branch, kinds plan.Types) Block {
	if len(branches) > 1 {
		rest := *u
		rest.Branches, rest.Possible = branches, kinds
		return Block{&rest}
	}
	if only, is := branches[0].Func.IsKind(); is && kinds&^only == 0 {
		return nil
	}
	return Block{&Call{branches[0].Func, u.On}}
}
