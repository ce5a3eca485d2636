package emit

import (
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// strings renders a list of strings as arguments of a variadic call. A long list becomes a
// package-level variable: as arguments it would take stack in every call of the function.
func (f *file) strings(at string, list []string) string {
	const few = 8
	if len(list) <= few {
		return f.list(list, gosrc.Lit)
	}
	name := plan.ValueName("list", at)
	f.value(name, func() { f.P("var ", name, " = []string{", f.list(list, gosrc.Lit), "}") })
	return name + "..."
}

// value prints a package-level value behind the functions, once.
func (f *file) value(name string, print func()) {
	if f.values[name] {
		return
	}
	f.values[name] = true
	f.after = append(f.after, func() {
		print()
		f.P()
	})
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

// decimal names the package-level constant for an exact number.
func (f *file) decimal(text string) string {
	name := "decimal" + plan.Prefix(f.unit.schemaFile) + "_" + strings.NewReplacer("-", "m", "+", "", ".", "p").Replace(text)
	if len(text) > 40 {
		name = plan.ValueName("decimal", f.unit.schemaFile.Name+"#"+text)
	}
	f.value(name, func() { f.P("var ", name, " = ", f.Use(rtPath), ".MustDecimal(", gosrc.Lit(text), ")") })
	return name
}

// constant names the package-level value for an array or object that is compared with.
func (f *file) constant(text string) string {
	name := plan.ValueName("value", f.unit.schemaFile.Name+"#"+text)
	f.value(name, func() { f.P("var ", name, " = ", f.Use(rtPath), ".Constant{Text: ", gosrc.Lit(text), "}") })
	return name
}
