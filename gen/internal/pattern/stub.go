package pattern

import (
	"regexp"
	"strconv"
)

type Program struct{ src string }

func Compile(src string) (*Program, error) { _, err := regexp.Compile(src); return &Program{src}, err }
func (p *Program) Always() bool            { return p.src == "" }
func (p *Program) Emit(fn string) (string, []string) {
	return "var re" + fn + " = regexp.MustCompile(" + strconv.Quote(p.src) + ")\nfunc " + fn + "(s string) bool { return re" + fn + ".MatchString(s) }\n", []string{"regexp"}
}
