package plan

// use is something that a check applies: a node that stands inside it, a function that it calls, or
// a pattern; to the same value as the check, or to a part of that.
type use struct {
	// One of these, or none where there is nothing.
	node    *Node
	fn      *Func
	matcher *Matcher

	part bool
}

func here(nodes ...*Node) []use {
	var list []use
	for _, n := range nodes {
		list = append(list, use{node: n})
	}
	return list
}

func within(nodes ...*Node) []use {
	list := here(nodes...)
	for i := range list {
		list[i].part = true
	}
	return list
}

func (*Enum) uses() []use     { return nil }
func (*Bound) uses() []use    { return nil }
func (*Multiple) uses() []use { return nil }
func (*Length) uses() []use   { return nil }
func (*Format) uses() []use   { return nil }
func (*Count) uses() []use    { return nil }
func (*Unique) uses() []use   { return nil }
func (*Depends) uses() []use  { return nil }
func (*Frame) uses() []use    { return nil }

func (c *Pattern) uses() []use { return []use{{matcher: c.Matcher}} }

func (c *Items) uses() []use { return append(within(c.Prefix...), within(c.Rest)...) }

func (c *Contains) uses() []use { return []use{{fn: c.ItemFunc, part: true}} }

func (c *Members) uses() []use {
	list := within(c.Rest, c.Names)
	for _, f := range c.Fields {
		list = append(list, within(f.Node)...)
	}
	for _, p := range c.Patterns {
		list = append(append(list, within(p.Node)...), use{matcher: p.Matcher, part: true})
	}
	return list
}

func (c *DependsSchema) uses() []use { return here(c.Node) }

func (c *Union) uses() []use {
	var list []use
	for _, br := range c.Branches {
		list = append(list, use{fn: br.Func})
	}
	return list
}

func (c *Not) uses() []use { return []use{{fn: c.Func}} }

func (c *If) uses() []use { return append(here(c.Then, c.Else), use{fn: c.Func}) }

func (c *Both) uses() []use { return here(c.Node) }

func (c *Call) uses() []use { return []use{{fn: c.Func}} }

func (c *Unevaluated) uses() []use { return within(c.Node) }

// eachNode calls visit for n and the nodes inside it, without following calls.
func eachNode(n *Node, visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, c := range n.Checks {
		for _, u := range c.uses() {
			eachNode(u.node, visit)
		}
	}
}

// eachCall calls visit for the functions that n and the nodes inside it call.
func eachCall(n *Node, visit func(*Func)) {
	eachNode(n, func(n *Node) {
		for _, c := range n.Checks {
			for _, u := range c.uses() {
				if u.fn != nil {
					visit(u.fn)
				}
			}
		}
	})
}

// samePlace visits the functions that n applies to its own value.
func samePlace(n *Node, visit func(*Func)) {
	if n == nil {
		return
	}
	for _, c := range n.Checks {
		for _, u := range c.uses() {
			switch {
			case u.part:
			case u.fn != nil:
				visit(u.fn)
			default:
				samePlace(u.node, visit)
			}
		}
	}
}
