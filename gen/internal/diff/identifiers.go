package diff

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// identifiers compares the exported declarations of the generated types.
func identifiers(before, after Version) ([]Change, error) {
	old, err := declared(before.Types)
	if err != nil {
		return nil, err
	}
	now, err := declared(after.Types)
	if err != nil {
		return nil, err
	}
	owner := func(name string) string {
		best, id := "", ""
		for _, v := range []Version{before, after} {
			for _, m := range v.Plan.Messages {
				if rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "Validate"), "Decode"), m.GoName); ok && (rest == "" || !isLetter(rest[0])) && len(m.GoName) > len(best) {
					best, id = m.GoName, m.ID
				}
			}
		}
		return id
	}
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(old)) {
		switch is, there := now[name]; {
		case !there:
			changes = append(changes, Change{owner(name), GoRemoved, name + " (" + old[name] + ")"})
		case is != old[name]:
			changes = append(changes, Change{owner(name), GoChanged, name + " is " + is + " and was " + old[name]})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, there := old[name]; !there {
			changes = append(changes, Change{owner(name), Added, name + " (" + now[name] + ")"})
		}
	}
	return changes, nil
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// declared describes every exported identifier: types by what they are, fields and methods
// as Type.Name.
func declared(files map[string][]byte) (map[string]string, error) {
	list := map[string]string{}
	for name, source := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("the generated file %s: %w", name, err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				declaredFunc(list, decl)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					declaredSpec(list, decl.Tok, spec)
				}
			}
		}
	}
	return list, nil
}

func declaredFunc(list map[string]string, decl *ast.FuncDecl) {
	if !decl.Name.IsExported() {
		return
	}
	name := decl.Name.Name
	if decl.Recv != nil {
		name = strings.TrimPrefix(types.ExprString(decl.Recv.List[0].Type), "*") + "." + name
	}
	list[name] = types.ExprString(decl.Type)
}

func declaredSpec(list map[string]string, tok token.Token, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for i, n := range spec.Names {
			if n.IsExported() {
				list[n.Name] = tok.String()
				if tok == token.CONST && i < len(spec.Values) {
					list[n.Name] += " " + types.ExprString(spec.Values[i])
				}
			}
		}
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return
		}
		s, ok := spec.Type.(*ast.StructType)
		if !ok {
			list[spec.Name.Name] = types.ExprString(spec.Type)
			return
		}
		list[spec.Name.Name] = "struct"
		for _, f := range s.Fields.List {
			for _, n := range f.Names {
				if n.IsExported() {
					list[spec.Name.Name+"."+n.Name] = types.ExprString(f.Type)
				}
			}
		}
	}
}
