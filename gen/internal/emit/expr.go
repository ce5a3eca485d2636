package emit

import "strings"

// expr is a Go condition: a text, or several conditions that all have to hold, or one of them.
type expr struct {
	text string
	neg  string // the text of its opposite; "" is the text behind a "!"
	op   string // && or ||, between parts
	list []expr
}

// call renders the call of a function.
func call(name string, arguments ...string) expr {
	return expr{text: name + "(" + strings.Join(arguments, ", ") + ")"}
}

// compare renders a comparison.
func compare(left, operator, right string) expr {
	return expr{text: left + " " + operator + " " + right, neg: left + " " + opposite[operator] + " " + right}
}

var opposite = map[string]string{"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}

func and(list ...expr) expr { return chain("&&", list) }

func or(list ...expr) expr { return chain("||", list) }

func chain(op string, list []expr) expr {
	var flat []expr
	for _, e := range list {
		if e.op == op {
			flat = append(flat, e.list...)
		} else {
			flat = append(flat, e)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return expr{op: op, list: flat}
}

// negated is the opposite of a condition.
func negated(e expr) expr {
	if e.op == "" {
		if e.neg == "" {
			return expr{text: "!" + e.text, neg: e.text}
		}
		return expr{text: e.neg, neg: e.text}
	}
	other := expr{op: map[string]string{"&&": "||", "||": "&&"}[e.op]}
	for _, part := range e.list {
		other.list = append(other.list, negated(part))
	}
	return other
}

// not renders the opposite of the condition.
func (e expr) not() string { return negated(e).String() }

// String renders the condition, many lines if there are many parts.
func (e expr) String() string {
	if e.op == "" {
		return e.text
	}
	var b strings.Builder
	for i, part := range e.list {
		if i > 0 {
			b.WriteString(" " + e.op + " ")
		}
		if e.op == "&&" && part.op == "||" {
			b.WriteString("(" + part.String() + ")")
		} else {
			b.WriteString(part.String())
		}
	}
	return b.String()
}
