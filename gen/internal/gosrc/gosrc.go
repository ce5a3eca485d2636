// Package gosrc prints Go source. All files that the compiler writes come from it: it collects the
// declarations of a file call by call, works out which imports they use, puts the header before them
// and formats the file, once.
//
// Text of a schema reaches Go only through Lit, Text and Comment, and through package names, which makes
// identifiers of it.
package gosrc

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/comment"
	"github.com/zenlix/echo-mcp/gen/internal/names"
)

// Source is one Go file that is being printed.
type Source struct {
	// Doc holds the comments before the package clause, lines that begin with //.
	Doc     string
	body    *strings.Builder
	imports map[string]bool
}

// New is an empty file.
func New() *Source { return &Source{body: &strings.Builder{}, imports: map[string]bool{}} }

// P prints a line made of its operands, each as fmt.Print prints it.
func (s *Source) P(parts ...any) {
	s.Print(parts...)
	s.body.WriteByte('\n')
}

// Print is P without the end of the line.
func (s *Source) Print(parts ...any) {
	for _, p := range parts {
		if text, ok := p.(string); ok {
			s.body.WriteString(text)
			continue
		}
		fmt.Fprint(s.body, p)
	}
}

// Use makes a package known to the file and gives the name by which code speaks of it, the last
// element of its path. The file imports the package if its code does speak of it.
func (s *Source) Use(importPath string) string {
	s.imports[importPath] = true
	return path.Base(importPath)
}

// Comment prints text as a line comment, whatever it holds: its lines, broken where they are long.
// An empty text prints nothing.
func (s *Source) Comment(text string) {
	if text = comment.Text(text); text == "" {
		return
	}
	for _, line := range comment.Lines(text) {
		s.P(line)
	}
}

// Capture gives what print prints, which does not become part of the file.
func (s *Source) Capture(print func()) string {
	before := s.body
	s.body = &strings.Builder{}
	print()
	text := s.body.String()
	s.body = before
	return text
}

// Printed is what was printed so far, but for Doc.
func (s *Source) Printed() string { return s.body.String() }

// Lit is a literal for text: in backquotes where it would need escapes and shows what it is.
func Lit(text string) string {
	if strings.ContainsAny(text, `"\`) && strconv.CanBackquote(text) && !strings.ContainsFunc(text, hidden) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// hidden reports whether a reader would not see a character for what it is.
func hidden(r rune) bool { return r != '\t' && !strconv.IsPrint(r) }

// Text is a literal for a text of many lines, which a reviewer can read if possible.
func Text(text string) string {
	if strconv.CanBackquote(strings.ReplaceAll(text, "\n", "")) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// File is the whole file, formatted. origin says what it was made from. It fails where what was
// printed is no Go, which is a fault of the caller.
func (s *Source) File(pkg, origin string) ([]byte, error) {
	head := names.Header + comment.OneLine(origin) + "; DO NOT EDIT.\n\n" + s.Doc
	clause := "package " + pkg + "\n"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", head+clause+"\n"+s.body.String(), parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the generated source for %s is not Go; this is a fault of the generator: %w", origin, err)
	}
	var body strings.Builder
	if err := format.Node(&body, set, file); err != nil {
		return nil, err
	}
	// The imports are known only now. Their declaration is put where it belongs as gofmt would write
	// it, so that the file is neither parsed nor formatted again.
	head, rest, _ := strings.Cut(body.String(), "\n"+clause)
	out := head + "\n" + clause + importDecl(s.used(file))
	if rest = strings.Trim(rest, "\n"); rest != "" {
		out += "\n" + rest + "\n"
	}
	return []byte(out), nil
}

// used lists the packages that the file's code speaks of, sorted. The names of packages are not
// used for anything else in generated code.
func (s *Source) used(file *ast.File) []string {
	byName := map[string]string{}
	for p := range s.imports {
		byName[path.Base(p)] = p
	}
	var used []string
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := selector.X.(*ast.Ident); ok && byName[x.Name] != "" {
				used = append(used, byName[x.Name])
				delete(byName, x.Name)
			}
		}
		return true
	})
	slices.Sort(used)
	return used
}

// importDecl declares the imports: those of the standard library first.
func importDecl(paths []string) string {
	var groups [2]string
	for _, p := range paths {
		group := 0
		if host, _, _ := strings.Cut(p, "/"); strings.Contains(host, ".") {
			group = 1
		}
		groups[group] += "\t" + strconv.Quote(p) + "\n"
	}
	between := ""
	switch {
	case groups[0]+groups[1] == "":
		return ""
	case groups[0] != "" && groups[1] != "":
		between = "\n"
	}
	return "\nimport (\n" + groups[0] + between + groups[1] + ")\n"
}
