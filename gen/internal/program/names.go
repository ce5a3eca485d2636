package program

import "fmt"

// VarNames are the names of the variables in scope.
type VarNames map[*Var]string

var roleNames = map[Role]string{Argument: "v", Name: "k", Element: "item"}

// Enter names a variable until leave: v, k or item by its role, with a number where another of the
// same role is in scope.
func (n VarNames) Enter(v *Var) (leave func()) {
	same := 1
	for other := range n {
		if other.Role == v.Role {
			same++
		}
	}
	n[v] = roleNames[v.Role]
	if same > 1 {
		n[v] += fmt.Sprint(same)
	}
	return func() { delete(n, v) }
}
