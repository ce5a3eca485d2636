package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/internal/pattern"
)

// Options say how to read the schemas.
type Options struct {
	// AssertFormat makes every known format an assertion. Otherwise only a dialect that
	// requires the format-assertion vocabulary does.
	AssertFormat bool
}

// Build plans the checks of every message type of the graph, and of everything they refer to.
// Where it finds faults the plan must not be used.
func Build(known *facts.Facts, o Options) (*Plan, load.Diagnostics) {
	g := known.Graph
	b := &builder{options: o, facts: known, rules: rules(), funcs: map[funcKey]*Func{}, matchers: map[matcherKey]*Matcher{}, hinted: map[*load.Schema]bool{}}
	p := &Plan{}
	b.messageNames(g)
	for _, m := range g.Messages {
		p.Messages = append(p.Messages, Message{ID: m.ID, GoName: m.GoName(), Schema: m.Schema})
	}
	b.dynamicNames()
	b.maxFuncs = fewFuncs + funcsForEach*b.schemas
	for i := range p.Messages {
		p.Messages[i].Func = b.function(p.Messages[i].Schema)
	}
	b.breakCycles(p)
	if len(b.faults) > 0 {
		return nil, b.blamed(g)
	}
	p.Funcs, p.Warnings = b.order, append(p.Warnings, b.warnings...)
	b.optimize(p)
	p.Funcs = sortFuncs(p)
	nameFuncs(p)
	return p, nil
}

type builder struct {
	options  Options
	facts    *facts.Facts
	rules    []map[load.Check]rule
	schemas  int // that the messages reach
	maxFuncs int
	faults   load.Diagnostics
	warnings load.Diagnostics
	hinted   map[*load.Schema]bool // whose discriminator was warned of
	funcs    map[funcKey]*Func
	order    []*Func
	matchers map[matcherKey]*Matcher
	dynamic  map[string]bool // the dynamic anchors that some reference looks for
	// What holds where the builder is: see scope and collect.
	scope   scope
	collect Collect
}

// funcKey tells functions apart: a schema is checked in different ways where dynamic
// references inside it lead to different places, and where somebody needs to know what it
// evaluated.
type funcKey struct {
	schema  *load.Schema
	scope   string
	collect Collect
}

// A schema has at most a function for each way to collect. Only where dynamic references
// multiply it has more: the plan may have so many functions, and these for each schema.
const fewFuncs, funcsForEach = 1000, 8

type matcherKey struct {
	file   *load.File
	source string
}

func (b *builder) fault(d load.Diagnostic) { b.faults = append(b.faults, d) }

// messageNames refuses two ids that give one Go name.
func (b *builder) messageNames(g *load.Graph) {
	first := map[string]*load.Message{}
	for _, m := range g.Messages {
		name := m.GoName()
		if other := first[name]; other != nil {
			b.fault(load.Diagnostic{Path: m.Schema.File.Path, Message: "the id gives the Go name " + name + ", and so does " + other.Schema.File.Path + "; rename one of the files"})
			continue
		}
		first[name] = m
	}
}

// breakCycles finds functions that lead back to themselves without going down into the
// instance: no value could ever be checked against them. Where the root of a message does, the
// message is refused. Deeper down, where a payload may well never get to, the place becomes one
// that nothing satisfies, and the owner of the schema gets a warning: real schemas have
// such places.
func (b *builder) breakCycles(p *Plan) {
	const (
		open = 1
		done = 2
	)
	const message = "this schema leads back to itself without going down into the instance, so nothing can be checked against it"
	state := map[*Func]int{}
	atRoot := true
	var visit func(f *Func)
	visit = func(f *Func) {
		switch state[f] {
		case done:
			return
		case open:
			d := f.Schema.File.At(f.Schema.Tok, message)
			if atRoot {
				b.fault(d)
			} else {
				d.Message = "warning: " + message + "; whatever gets here is refused"
				p.Warnings = append(p.Warnings, d)
			}
			f.Node = &Node{Schema: f.Schema, At: location(f.Schema), Types: Any, Never: true, Why: Reason{Message: "cannot be checked: the schema refers to itself without end here; the payload is not to blame, tell the owner of the schema"}}
			return
		}
		state[f] = open
		samePlace(f.Node, visit)
		state[f] = done
	}
	for _, m := range p.Messages {
		visit(m.Func)
	}
	atRoot = false
	for _, f := range b.order {
		visit(f)
	}
}

// blamed adds to the faults the messages that refer to a file with faults, and sorts them.
func (b *builder) blamed(g *load.Graph) load.Diagnostics {
	faults := b.faults
	for _, m := range g.Messages {
		files := map[string]bool{}
		for s := range facts.Reachable(m) {
			files[s.File.Path] = true
		}
		var met load.Diagnostics
		for _, d := range b.faults {
			if files[d.Path] {
				met = append(met, d)
			}
		}
		faults = append(faults, load.Blame(m, met)...)
	}
	return faults.Sorted()
}

// location names a schema with its file: "x.json#/properties/a".
func location(s *load.Schema) string { return s.Location(nil) }

// function gives the function for a schema that is referred to, planning it on first use.
func (b *builder) function(s *load.Schema) *Func {
	defer b.enter(s)()
	key := b.key(s)
	if f := b.funcs[key]; f != nil {
		return f
	}
	f := b.newFunc(s)
	if len(b.order) > b.maxFuncs {
		f.Node = &Node{Schema: s, At: location(s), Types: Any}
		return f
	}
	f.Node = b.plan(s)
	return f
}

func (b *builder) key(s *load.Schema) funcKey { return funcKey{s, b.scope.key(), b.collect} }

func (b *builder) newFunc(s *load.Schema) *Func {
	f := &Func{Schema: s, Collect: b.collect, scope: b.scope}
	b.funcs[b.key(s)] = f
	b.order = append(b.order, f)
	if len(b.order) == b.maxFuncs {
		b.fault(s.File.At(s.Tok, "the dynamic references of this schema multiply: it would need more than %d functions; use fewer dynamic anchors, or plain references", b.maxFuncs))
	}
	return f
}

// node plans a subschema where it stands: as a plain node if it is simple, else as a call.
func (b *builder) node(s *load.Schema) *Node {
	defer b.enter(s)()
	if f := b.funcs[b.key(s)]; f != nil {
		return b.call(s, f)
	}
	if len(b.order) >= b.maxFuncs {
		return &Node{Schema: s, At: location(s), Types: Any}
	}
	n := b.plan(s)
	if simple(n) {
		return n
	}
	f := b.funcs[b.key(s)]
	if f == nil {
		// Otherwise planning the inside came back to this schema by a reference.
		f = b.newFunc(s)
		f.Node = n
	}
	return b.call(s, f)
}

// inside plans a subschema that applies to a part of the value: nobody needs to know what it
// evaluates there.
func (b *builder) inside(s *load.Schema) *Node {
	defer b.without()()
	return b.node(s)
}

func (b *builder) call(s *load.Schema, f *Func) *Node {
	return &Node{Schema: s, At: location(s), Types: Any, Checks: []Check{&Call{Func: f}}}
}

// branch plans a subschema that has to be tried, and so needs a function.
func (b *builder) branch(s *load.Schema) (*Node, *Func) {
	n := b.node(s)
	if f := n.Call(); f != nil {
		return n, f
	}
	defer b.enter(s)()
	f := b.funcs[b.key(s)]
	if f == nil {
		f = b.newFunc(s)
		f.Node = n
	}
	return n, f
}

// simple reports whether a node is checked in a few lines and may stand inside another one.
func simple(n *Node) bool {
	if len(n.Checks) > 3 {
		return false
	}
	for _, c := range n.Checks {
		switch c := c.(type) {
		case *Enum:
			if len(c.Strings)+len(c.Others) > 8 {
				return false
			}
		case *Bound, *Multiple, *Length, *Pattern, *Format, *Count, *Unique, *Call:
		case *Items:
			if c.Mark || len(c.Prefix) > 0 || c.Rest != nil && (!simple(c.Rest) || hasItems(c.Rest)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func hasItems(n *Node) bool {
	return slices.ContainsFunc(n.Checks, func(c Check) bool { _, ok := c.(*Items); return ok })
}

// plan plans one schema.
func (b *builder) plan(s *load.Schema) *Node {
	n := &Node{Schema: s, At: location(s), Types: Any}
	if s.Bool != nil {
		if !*s.Bool {
			n.Never, n.Why = true, Reason{Message: "is not allowed here"}
		}
		return n
	}
	b.types(s, n)
	last, end := b.unevaluated(s, n)
	for _, family := range b.rules {
		for i := range s.Keywords {
			k := &s.Keywords[i]
			if rule, ok := family[k.Check]; ok && n.Types&rule.looks != 0 {
				rule.plan(b, s, k, n)
			}
		}
	}
	end()
	frame(n, last)
	return n
}

// matcher compiles a pattern that stands at token tok of s's file.
func (b *builder) matcher(s *load.Schema, tok int) *Matcher {
	source := s.File.Tape.Str(tok)
	key := matcherKey{s.File, source}
	if m := b.matchers[key]; m != nil {
		return m
	}
	program, err := pattern.Compile(source)
	if err != nil {
		at := ""
		var inside *pattern.Error
		if errors.As(err, &inside) {
			at = fmt.Sprintf(" at character %d of the pattern", inside.Column)
		}
		b.fault(s.File.At(tok, "the pattern cannot be compiled: %v%s", err, at))
	}
	m := &Matcher{Source: source, Schema: s, Program: program}
	b.matchers[key] = m
	return m
}

// sortFuncs puts the functions in the order in which a reader of the files meets them.
func sortFuncs(p *Plan) []*Func {
	funcs := slices.Clone(p.Funcs)
	slices.SortStableFunc(funcs, func(a, b *Func) int {
		if c := strings.Compare(a.Schema.File.Name, b.Schema.File.Name); c != 0 {
			return c
		}
		return a.Schema.Tok - b.Schema.Tok
	})
	return funcs
}
