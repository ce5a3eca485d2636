package pattern

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const jsonrtPath = "github.com/zenlix/echo-mcp/gen/jsonrt"

// Emit writes Go source: a function fn(s string) bool that reports whether the pattern
// matches somewhere in s, and whatever it needs, named after fn. Where the pattern Costs it is
// fn(c *jsonrt.Checker, v int, at string) bool, for the string at token v and a location of the
// schema. imports lists the import
// paths that the source uses, sorted. The pattern's text reaches the source only in quoted
// literals and in one-line comments that hold no control character.
func (p *Program) Emit(fn string) (src string, imports []string) {
	e := emitter{imports: map[string]bool{}}
	subject := "s"
	if p.Costs() {
		subject = "the string at v"
	}
	e.p("// %s reports whether %s matches the pattern %s.", fn, subject, comment(p.pattern))
	e.program(p, fn)
	for path := range e.imports {
		imports = append(imports, path)
	}
	slices.Sort(imports)
	return e.String(), imports
}

type emitter struct {
	strings.Builder
	imports map[string]bool
}

func (e *emitter) p(format string, args ...any) {
	fmt.Fprintf(e, format+"\n", args...)
}

// comment shows a pattern in a comment, on one line and not too long.
func comment(pattern string) string {
	const limit = 200
	if utf8.RuneCountInString(pattern) > limit {
		pattern = string([]rune(pattern)[:limit]) + "…"
	}
	for _, r := range pattern {
		if !unicode.IsGraphic(r) || r == utf8.RuneError || r == '`' {
			return strconv.QuoteToGraphic(pattern)
		}
	}
	return "`" + pattern + "`"
}

func (e *emitter) program(p *Program, fn string) {
	if p.kind == RE2 || p.kind == Look || p.kind == Backtrack {
		name := "Pattern"
		if p.kind != RE2 {
			name = "LookPattern"
		}
		e.imports[jsonrtPath] = true
		e.p("func %s(c *jsonrt.Checker, v int, at string) bool { return %sExpr.Match(c, v, at) }\n", fn, fn)
		e.p("var %sExpr = jsonrt.%s{Expr: %s}\n", fn, name, quote(p.expr))
		return
	}
	if expr, ok := e.expression(p); ok {
		e.p("func %s(s string) bool { return %s }\n", fn, expr)
		return
	}
	if p.Costs() {
		e.costly(p, fn)
	} else {
		e.plain(p, fn)
	}
	for i, c := range p.parts {
		if _, ok := e.expression(c.program); !ok {
			e.program(c.program, fmt.Sprintf("%sPart%d", fn, i+1))
		}
	}
}

// costly writes a conjunction of which some parts cost.
func (e *emitter) costly(p *Program, fn string) {
	e.imports[jsonrtPath] = true
	e.p("func %s(c *jsonrt.Checker, v int, at string) bool {", fn)
	if !slices.ContainsFunc(p.parts, func(c part) bool { return !c.program.Costs() }) {
		e.p("return %s\n}\n", strings.Join(e.parts(p, fn), " && "))
		return
	}
	e.p("s := c.Name(v)\nreturn %s\n}\n", strings.Join(e.parts(p, fn), " && "))
}

// plain writes a function of the string alone.
func (e *emitter) plain(p *Program, fn string) {
	e.p("func %s(s string) bool {", fn)
	switch p.kind {
	case OneOf:
		e.p("switch s {\ncase %s:\nreturn true\n}\nreturn false", strings.Join(quoteAll(p.literals), ", "))
	case Class:
		e.class(&p.class)
	case Sequence:
		e.steps(p.steps, p.end)
	case All:
		e.p("return %s", strings.Join(e.parts(p, fn), " && "))
	case Always, Never, Equal, Prefix, Suffix, Contains, RE2, Look, Backtrack:
	}
	e.p("}\n")
}

// parts gives the terms of a conjunction; those that are no simple expressions are calls of
// functions of their own.
func (e *emitter) parts(p *Program, fn string) []string {
	var terms []string
	for i, c := range p.parts {
		term, ok := e.expression(c.program)
		switch {
		case c.program.Costs():
			term = fmt.Sprintf("%sPart%d(c, v, at)", fn, i+1)
		case !ok:
			term = fmt.Sprintf("%sPart%d(s)", fn, i+1)
		case strings.Contains(term, "||"), c.negate && strings.Contains(term, "=="):
			term = "(" + term + ")"
		}
		if c.negate {
			term = "!" + term
		}
		terms = append(terms, term)
	}
	return terms
}

// expression gives the program as an expression over s, if it is simple enough.
func (e *emitter) expression(p *Program) (expr string, ok bool) {
	switch p.kind {
	case Always:
		return "true", true
	case Never:
		return "false", true
	case Equal:
		return "s == " + quote(p.literals[0]), true
	case Prefix, Suffix, Contains, OneOf:
		call := "strings.Contains"
		switch {
		case p.begin && p.end:
			return "", false
		case p.begin:
			call = "strings.HasPrefix"
		case p.end:
			call = "strings.HasSuffix"
		}
		e.imports["strings"] = true
		var calls []string
		for _, l := range p.literals {
			calls = append(calls, call+"(s, "+quote(l)+")")
		}
		return strings.Join(calls, " || "), true
	case Class, Sequence, All, RE2, Look, Backtrack:
	}
	return "", false
}

func (e *emitter) class(c *class) {
	if c.whole {
		good, bad := e.length(c)
		if len(c.set) == 1 && c.set[0] == anything[0] {
			e.p("return %s", strings.Join(good, " && "))
			return
		}
		if len(bad) > 0 {
			e.p("if %s {\nreturn false\n}", strings.Join(bad, " || "))
		}
	}
	if !c.whole && len(c.set.complement()) == 0 {
		e.p("return s != \"\"")
		return
	}
	if uniform(c.set) {
		e.p("for i := range len(s) {\nif c := s[i]; %s {", condition(c.set, "c", !c.whole))
	} else {
		e.p("for _, c := range s {\nif %s {", condition(c.set, "c", !c.whole))
	}
	e.p("return %t\n}\n}\nreturn %t", !c.whole, c.whole)
}

// length gives the conditions on the length of a string whose code points are all in the
// class, and their opposites.
func (e *emitter) length(c *class) (good, bad []string) {
	length := "len(s)"
	if c.min == 1 && c.max == unlimited {
		return []string{`s != ""`}, []string{`s == ""`}
	}
	if c.min == 0 && c.max == unlimited {
		return nil, nil
	}
	if c.set.contains(utf8.RuneSelf) || !uniform(c.set) {
		e.imports[jsonrtPath] = true
		e.p("n := jsonrt.Length(s)")
		length = "n"
	}
	add := func(is, not string, n int) {
		good = append(good, fmt.Sprintf("%s %s %d", length, is, n))
		bad = append(bad, fmt.Sprintf("%s %s %d", length, not, n))
	}
	if c.min == c.max {
		add("==", "!=", c.min)
		return good, bad
	}
	if c.min > 0 {
		add(">=", "<", c.min)
	}
	if c.max != unlimited {
		add("<=", ">", c.max)
	}
	return good, bad
}

func (e *emitter) steps(steps []step, whole bool) {
	counted := false
	for i, s := range steps {
		last := i == len(steps)-1
		if s.literal != "" {
			e.literal(s.literal, last, whole)
			continue
		}
		e.p("// %s", comment(re2Set(s.set)+quantifier(s.min, s.max)))
		switch {
		case s.min == 1 && s.max == 1:
			e.p("if s == \"\" || %s {\nreturn false\n}\ns = s[1:]", condition(s.set, "s[0]", false))
		case s.min == 0 && s.max == 1:
			e.p("if s != \"\" && %s {\ns = s[1:]\n}", group(condition(s.set, "s[0]", true)))
		default:
			assign := "="
			if !counted {
				assign, counted = ":=", true
			}
			limit := ""
			if s.max != unlimited {
				limit = fmt.Sprintf(" && n < %d", s.max)
			}
			e.p("n %s 0\nfor n < len(s)%s && %s {\nn++\n}", assign, limit, group(condition(s.set, "s[n]", true)))
			switch {
			case s.min == 1:
				e.p("if n == 0 {\nreturn false\n}")
			case s.min > 1:
				e.p("if n < %d {\nreturn false\n}", s.min)
			}
			e.p("s = s[n:]")
		}
		if last && whole {
			e.p(`return s == ""`)
		} else if last {
			e.p("return true")
		}
	}
}

// literal writes the step that takes a literal off s.
func (e *emitter) literal(text string, last, whole bool) {
	if last && whole {
		e.p("return s == %s", quote(text))
		return
	}
	e.imports["strings"] = true
	if last {
		e.p("return strings.HasPrefix(s, %s)", quote(text))
		return
	}
	e.p("if !strings.HasPrefix(s, %s) {\nreturn false\n}\ns = s[%d:]", quote(text), len(text))
}

func group(condition string) string {
	if strings.Contains(condition, "||") {
		return "(" + condition + ")"
	}
	return condition
}

// condition writes a test whether the variable v is in s, or is not.
func condition(s set, v string, in bool) string {
	if other := s.complement(); len(other) < len(s) {
		s, in = other, !in
	}
	if len(s) == 0 {
		return strconv.FormatBool(!in)
	}
	var terms []string
	for _, r := range s {
		lo, hi := quoteRune(r.lo), quoteRune(r.hi)
		var term string
		switch {
		case r.lo == r.hi && in:
			term = fmt.Sprintf("%s == %s", v, lo)
		case r.lo == r.hi:
			term = fmt.Sprintf("%s != %s", v, lo)
		case r.lo == 0 && in:
			term = fmt.Sprintf("%s <= %s", v, hi)
		case r.lo == 0:
			term = fmt.Sprintf("%s > %s", v, hi)
		case r.hi == unicode.MaxRune && in:
			term = fmt.Sprintf("%s >= %s", v, lo)
		case r.hi == unicode.MaxRune:
			term = fmt.Sprintf("%s < %s", v, lo)
		case in:
			term = fmt.Sprintf("%s <= %s && %s <= %s", lo, v, v, hi)
		default:
			term = fmt.Sprintf("(%s < %s || %s < %s)", v, lo, hi, v)
		}
		terms = append(terms, term)
	}
	if in {
		return strings.Join(terms, " || ")
	}
	return strings.Join(terms, " && ")
}

func quoteRune(r rune) string {
	if r == utf8.RuneSelf || !unicode.IsGraphic(r) && r > unicode.MaxASCII {
		return fmt.Sprintf("%#x", r)
	}
	return strconv.QuoteRune(r)
}

// quote writes a Go string literal, raw where that reads better.
func quote(s string) string {
	if strings.ContainsRune(s, '\\') && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

func quoteAll(list []string) []string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return quoted
}
