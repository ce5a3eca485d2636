package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// longestChain is how many conditions stand in one chain of && or ||.
const longestChain = 32

// positive turns a test that fails into one that holds.
func positive(test string) string {
	if rest, ok := strings.CutPrefix(test, "!"); ok {
		return rest
	}
	return strings.Replace(test, " != ", " == ", 1)
}

// enum prints enum and const.
func (f *file) enum(c *plan.Enum, v string) {
	const few = 4
	fault := f.notOneOf(c, v)
	if c.Only && len(c.Strings) > few {
		f.P("switch c.StringOrNone(", v, ") {")
		f.P("case ", f.list(c.Strings, lit), ":")
		f.P("default:")
		f.P("if !", fault, " {")
		f.P("return false")
		f.P("}")
		f.P("}")
		return
	}
	var tests []string
	for _, s := range c.Strings {
		tests = append(tests, "!c.StringIs("+v+", "+lit(s)+")")
	}
	for _, text := range c.Others {
		switch text[0] {
		case 'n':
			tests = append(tests, "c.Kind("+v+") != "+f.use(tapePath)+".Null")
		case 't':
			tests = append(tests, "c.Kind("+v+") != "+f.use(tapePath)+".True")
		case 'f':
			tests = append(tests, "c.Kind("+v+") != "+f.use(tapePath)+".False")
		case '[', '{':
			tests = append(tests, "!c.Equals("+v+", &"+f.constant(text)+")")
		default:
			tests = append(tests, "!c.NumberIs("+v+", "+lit(text)+")")
		}
	}
	if len(tests) > longestChain {
		// Behind a switch the tests are a list: gofmt's time for a chain of && grows with its square.
		f.P("switch {")
		f.P("case ", f.list(tests, positive), ":")
		f.P("default:")
		f.P("if !", fault, " {")
		f.P("return false")
		f.P("}")
		f.P("}")
		return
	}
	f.P("if ", strings.Join(tests, " && "), " && !", fault, " {")
	f.P("return false")
	f.P("}")
}

func (f *file) notOneOf(c *plan.Enum, v string) string {
	if c.Only {
		return fmt.Sprintf("c.NotOneOf(%s, %s, %s, %s)", v, f.location(c.At), lit(c.Keyword), f.strings(c.At+"/"+c.Keyword, c.Strings))
	}
	var texts []string
	for _, s := range c.Strings {
		texts = append(texts, strconv.Quote(s))
	}
	texts = append(texts, c.Others...)
	return fmt.Sprintf("c.NotOneOfJSON(%s, %s, %s, %s)", v, f.location(c.At), lit(c.Keyword), f.strings(c.At+"/"+c.Keyword, texts))
}

// strings renders a list of strings as arguments of a variadic call. A long list becomes a
// package-level variable: as arguments it would take stack in every call of the function.
func (f *file) strings(at string, list []string) string {
	const few = 8
	if len(list) <= few {
		return f.list(list, lit)
	}
	name := plan.ValueName("list", at)
	if !f.values[name] {
		f.values[name] = true
		f.after = append(f.after, func() {
			f.P("var ", name, " = []string{", f.list(list, lit), "}")
			f.P()
		})
	}
	return name + "..."
}

// list renders a list, many lines if it is long.
func (f *file) list(list []string, render func(string) string) string {
	const widest = 110
	var b strings.Builder
	width := 0
	for i, s := range list {
		text := render(s)
		if i > 0 {
			b.WriteByte(',')
			if width += len(text); width > widest {
				b.WriteByte('\n')
				width = 0
			}
		}
		b.WriteString(text)
	}
	return b.String()
}

func (f *file) bound(c *plan.Bound, v string) {
	operator, words := "", ""
	switch exclusive := c.Draft4 != "" || strings.HasPrefix(c.Keyword, "exclusive"); {
	case strings.HasSuffix(strings.ToLower(c.Keyword), "minimum") && exclusive:
		operator, words = "<=", "must be greater than "
	case strings.HasSuffix(strings.ToLower(c.Keyword), "minimum"):
		operator, words = "<", "must be at least "
	case exclusive:
		operator, words = ">=", "must be less than "
	default:
		operator, words = ">", "must be at most "
	}
	rt := f.use(rtPath)
	condition := ""
	if limit, err := strconv.ParseInt(c.Limit, 10, 64); err == nil {
		condition = fmt.Sprintf("%s.CompareInt(c.Text(%s), %d) %s 0", rt, v, limit, operator)
	} else {
		condition = fmt.Sprintf("%s.CompareNumber(c.Text(%s), &%s) %s 0", rt, v, f.decimal(c.Limit), operator)
	}
	f.failIf(condition, v, c.At, c.Keyword, words+c.Limit)
}

// decimal names the package-level constant for an exact number.
func (f *file) decimal(text string) string {
	name := "decimal" + plan.Prefix(f.unit.schemaFile) + "_" + strings.NewReplacer("-", "m", "+", "", ".", "p").Replace(text)
	if len(text) > 40 {
		name = plan.ValueName("decimal", f.unit.schemaFile.Name+"#"+text)
	}
	if !f.values[name] {
		f.values[name] = true
		f.after = append(f.after, func() {
			f.P("var ", name, " = ", f.use(rtPath), ".MustDecimal(", lit(text), ")")
			f.P()
		})
	}
	return name
}

// constant names the package-level value for an array or object that is compared with.
func (f *file) constant(text string) string {
	name := plan.ValueName("value", f.unit.schemaFile.Name+"#"+text)
	if !f.values[name] {
		f.values[name] = true
		f.after = append(f.after, func() {
			f.P("var ", name, " = ", f.use(rtPath), ".Constant{Text: ", lit(text), "}")
			f.P()
		})
	}
	return name
}

func (f *file) length(c *plan.Length, v string) {
	operator, message := "<", "must have at least "+plural(c.N, "character", "characters")
	switch {
	case c.Keyword == "maxLength":
		operator, message = ">", "must have at most "+plural(c.N, "character", "characters")
		if c.N == 0 {
			message = "must be empty"
		}
	case c.N == 1:
		message = "must not be empty"
	}
	f.failIf(fmt.Sprintf("c.Runes(%s) %s %d", v, operator, c.N), v, c.At, c.Keyword, message)
}

func (f *file) count(c *plan.Count, v string) {
	one, many := "item", "items"
	if c.Looks() == plan.Object {
		one, many = "member", "members"
	}
	operator, message := "<", "must have at least "+plural(c.N, one, many)
	switch {
	case strings.HasPrefix(c.Keyword, "max"):
		operator, message = ">", "must have at most "+plural(c.N, one, many)
		if c.N == 0 {
			message = "must be empty"
		}
	case c.N == 1:
		message = "must not be empty"
	}
	f.failIf(fmt.Sprintf("c.Len(%s) %s %d", v, operator, c.N), v, c.At, c.Keyword, message)
}
