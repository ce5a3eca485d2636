package emit

import (
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/program"
)

// ref renders a reference to a value as the Go expression for its token.
func (f *file) ref(r program.Ref) string {
	if r.Value {
		return f.names[r.Var] + "+1"
	}
	return f.names[r.Var]
}

// first renders the token behind that of a value: the first inside it.
func (f *file) first(r program.Ref) string {
	if r.Value {
		return f.names[r.Var] + "+2"
	}
	return f.names[r.Var] + "+1"
}

// cond renders a condition.
func (f *file) cond(c program.Cond) expr {
	switch c := c.(type) {
	case program.IsKind:
		return f.isKind(c)
	case program.IsOneOf:
		return f.isOneOf(c)
	case program.Matches:
		return f.matches(c)
	case program.HasFormat:
		known := plan.Formats[c.Name]
		return call(f.Use(modulePath+known.Package)+"."+known.Func, "c.Name("+f.ref(c.On)+")")
	case program.IsMultiple:
		return call(f.Use(rtPath)+".MultipleOf", "c.Text("+f.ref(c.On)+")", "&"+f.decimal(c.By))
	case program.HasMember:
		return call("c.Has", f.ref(c.On), gosrc.Lit(c.Name))
	case program.MemberIs:
		return compare("c.Tag("+f.ref(c.On)+", "+gosrc.Lit(c.Name)+")", "==", gosrc.Lit(c.Value))
	}
	return expr{}
}

// kindWords are the kinds for which the run time has a word, as a kind of token or a set.
var kindWords = []struct {
	types plan.Types
	name  string
	token bool
}{
	{plan.Null, "Null", true},
	{plan.Boolean, "Boolean", false},
	{plan.Number, "Number", true},
	{plan.String, "String", true},
	{plan.Array, "Array", true},
	{plan.Object, "Object", true},
}

// isKind renders the test of a value's kind.
func (f *file) isKind(c program.IsKind) expr {
	v := f.ref(c.On)
	var set []string
	for _, k := range kindWords {
		switch {
		case c.Kinds == k.types && k.token:
			return compare("c.Kind("+v+")", "==", f.Use(tapePath)+"."+k.name)
		case c.Kinds&k.types == k.types:
			set = append(set, f.Use(rtPath)+"."+k.name)
		}
	}
	var tests []expr
	if len(set) > 0 {
		tests = append(tests, call("c.Is", v, strings.Join(set, "|")))
	}
	if c.Kinds&plan.Number == plan.Integer {
		tests = append(tests, call("c.IsInteger", v))
	}
	return or(tests...)
}

// longestChain is how many conditions stand in one chain of && or ||: gofmt's time for a chain
// grows with its square. mostStrings is how many strings a value is compared with one by one.
const longestChain, mostStrings = 32, 4

// isLong says that constants are cases of a switch rather than conditions.
func isLong(c program.Constants) bool {
	return c.Only && len(c.Strings) > mostStrings || len(c.Strings)+len(c.Others) > longestChain
}

// cases renders a long list of constants as the cases of a switch over a value.
func (f *file) cases(c program.IsOneOf) (value, cases string) {
	if c.Values.Only {
		return "c.StringOrNone(" + f.ref(c.On) + ")", f.list(c.Values.Strings, gosrc.Lit)
	}
	var tests []string
	for _, e := range f.equals(c) {
		tests = append(tests, e.String())
	}
	return "", f.list(tests, func(s string) string { return s })
}

// isOneOf renders the comparison with constants.
func (f *file) isOneOf(c program.IsOneOf) expr { return or(f.equals(c)...) }

// equals renders the comparison with each constant.
func (f *file) equals(c program.IsOneOf) []expr {
	v := f.ref(c.On)
	var tests []expr
	for _, s := range c.Values.Strings {
		tests = append(tests, call("c.StringIs", v, gosrc.Lit(s)))
	}
	for _, text := range c.Values.Others {
		switch text[0] {
		case 'n':
			tests = append(tests, compare("c.Kind("+v+")", "==", f.Use(tapePath)+".Null"))
		case 't':
			tests = append(tests, compare("c.Kind("+v+")", "==", f.Use(tapePath)+".True"))
		case 'f':
			tests = append(tests, compare("c.Kind("+v+")", "==", f.Use(tapePath)+".False"))
		case '[', '{':
			tests = append(tests, call("c.Equals", v, "&"+f.constant(text)))
		default:
			tests = append(tests, call("c.NumberIs", v, gosrc.Lit(text)))
		}
	}
	return tests
}

// matches renders the call of a pattern's function for a string.
func (f *file) matches(c program.Matches) expr {
	v := f.ref(c.On)
	if c.Matcher.Program.Costs() {
		return call(c.Matcher.Name, "c", v, f.location(c.At))
	}
	if c.On.Var == f.named {
		return call(c.Matcher.Name, "name")
	}
	return call(c.Matcher.Name, "c.Name("+v+")")
}

// within renders that a quantity keeps to a limit.
func (f *file) within(of program.Quantity, quantity string, l program.Limit) expr {
	operator := opposite[l.Beyond]
	if of != program.Number {
		return compare(quantity, operator, l.Value)
	}
	rt := f.Use(rtPath)
	if _, err := strconv.ParseInt(l.Value, 10, 64); err == nil {
		return compare(rt+".CompareInt("+quantity+", "+l.Value+")", operator, "0")
	}
	return compare(rt+".CompareNumber("+quantity+", &"+f.decimal(l.Value)+")", operator, "0")
}

// fault renders the call that tells a fault.
func (f *file) fault(fault program.Fault) expr {
	switch t := fault.(type) {
	case program.Plain:
		return call("c.Fail", f.ref(t.On), f.location(t.At), gosrc.Lit(t.Keyword), gosrc.Lit(t.Message))
	case program.NotOneOf:
		if t.Values.Only {
			return call("c.NotOneOf", f.ref(t.On), f.location(t.At), gosrc.Lit(t.Keyword), f.strings(t.At+"/"+t.Keyword, t.Values.Strings))
		}
		var texts []string
		for _, s := range t.Values.Strings {
			texts = append(texts, strconv.Quote(s))
		}
		texts = append(texts, t.Values.Others...)
		return call("c.NotOneOfJSON", f.ref(t.On), f.location(t.At), gosrc.Lit(t.Keyword), f.strings(t.At+"/"+t.Keyword, texts))
	case program.Unknown:
		arguments := []string{f.ref(t.On), f.location(t.At), gosrc.Lit(t.Keyword)}
		if len(t.Known) > 0 {
			at := t.At + "/" + t.Keyword
			if t.Keyword == "additionalProperties" {
				at = t.At + "/properties" // whose names they are
			}
			arguments = append(arguments, f.strings(at, t.Known))
		}
		return call("c.Unknown", arguments...)
	case program.Missing:
		return call("c.Missing", f.ref(t.On), f.location(t.At), gosrc.Lit(t.Name))
	case program.Dependent:
		return call("c.Depends", f.ref(t.On), f.location(t.At), gosrc.Lit(t.Keyword), gosrc.Lit(t.Member), gosrc.Lit(t.Name))
	case program.BadTag:
		name := "c.BadTag"
		if t.Kind != plan.String {
			name = "c.BadTagText"
		}
		return call(name, f.ref(t.On), f.location(t.At), gosrc.Lit(t.Keyword), gosrc.Lit(t.Member), f.strings(t.At+"/"+t.Keyword, t.Values))
	}
	return expr{}
}
