package emit

import (
	"fmt"
	"go/format"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/comment"
	"github.com/zenlix/echo-mcp/gen/internal/names"
)

// source collects one Go file, call by call. Text from a schema reaches it only through lit
// and comment.
type source struct {
	body    *strings.Builder
	imports map[string]bool
	doc     string // comments before the package clause
}

func newSource() source { return source{body: &strings.Builder{}, imports: map[string]bool{}} }

// P prints one line made of its arguments.
func (s *source) P(parts ...any) {
	s.print(parts...)
	s.body.WriteByte('\n')
}

// print prints without ending the line.
func (s *source) print(parts ...any) {
	for _, p := range parts {
		fmt.Fprint(s.body, p)
	}
}

// use notes an import and gives back its package name.
func (s *source) use(importPath string) string {
	s.imports[importPath] = true
	return path.Base(importPath)
}

// lit makes a Go string literal.
func lit(text string) string { return strconv.Quote(text) }

// comment prints text as one paragraph of a line comment, whatever it holds.
func (s *source) comment(text string) {
	const widest = 100
	line := ""
	for _, word := range strings.Fields(comment.OneLine(text)) {
		if line != "" && len(line)+1+len(word) > widest {
			s.P("// ", line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		s.P("// ", line)
	}
}

// file renders the whole Go file.
func (s *source) file(pkg string, origin string) ([]byte, error) {
	var b strings.Builder
	b.WriteString(names.Header + comment.OneLine(origin) + "; DO NOT EDIT.\n\n" + s.doc + "package " + pkg + "\n\n")
	if len(s.imports) > 0 {
		var std, other []string
		for p := range s.imports {
			if strings.Contains(strings.Split(p, "/")[0], ".") {
				other = append(other, p)
			} else {
				std = append(std, p)
			}
		}
		slices.Sort(std)
		slices.Sort(other)
		b.WriteString("import (\n")
		for _, p := range std {
			b.WriteString(strconv.Quote(p) + "\n")
		}
		if len(std) > 0 && len(other) > 0 {
			b.WriteString("\n")
		}
		for _, p := range other {
			b.WriteString(strconv.Quote(p) + "\n")
		}
		b.WriteString(")\n\n")
	}
	b.WriteString(s.body.String())
	out, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("the generated source for %s is not Go; this is a fault of the generator: %w", origin, err)
	}
	return out, nil
}
