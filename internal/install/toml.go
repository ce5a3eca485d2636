package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFile is a file of TOML. It is edited line by line: the entry is a table of its own,
// which is appended where it is missing.
type tomlFile struct{}

func (tomlFile) empty(any) bool { return false }

func (tomlFile) change(text []byte, path []string, has map[string]any, want []member, drop []string) ([]byte, error) {
	newline := newlineOf(text)
	header, lines, found := findTable(text, path)
	switch {
	case found:
		return editTable(text, header, lines, has, want, drop, newline), nil
	case len(has) > 0:
		return nil, &unsafeError{"its entry is an inline table or has dotted keys"}
	}
	return appendTable(text, path, want, newline), nil
}

func (tomlFile) decode(text []byte) (map[string]any, error) {
	root := map[string]any{}
	err := toml.Unmarshal(text, &root)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return nil, fmt.Errorf("not TOML: line %d, column %d: %s%s", line, column, strings.TrimPrefix(at.Error(), "toml: "), correct)
	}
	if err != nil {
		return nil, fmt.Errorf("not TOML: %w%s", err, correct)
	}
	return root, nil
}

// findTable finds the header of the table at a path and the lines of each key of its table.
func findTable(text []byte, at []string) (header span, lines map[string]span, found bool) {
	var p unstable.Parser
	p.Reset(text)
	lines = map[string]span{}
	inside := false
	for p.NextExpression() {
		e := p.Expression()
		var path []string
		start := -1
		for keys := e.Key(); keys.Next(); {
			path = append(path, string(keys.Node().Data))
			if start < 0 {
				start = int(keys.Node().Raw.Offset)
			}
		}
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			inside = e.Kind == unstable.Table && slices.Equal(path, at)
			if inside {
				header, found = lineSpan(text, start), true
			}
		case unstable.KeyValue:
			if inside && len(path) == 1 {
				lines[path[0]] = valueSpan(text, start)
			}
		default: // comments and the values inside
		}
	}
	return header, lines, found
}

// lineSpan is the line of an offset with its line end.
func lineSpan(text []byte, at int) span {
	s := span{bytes.LastIndexByte(text[:at], '\n') + 1, len(text)}
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		s.end = at + i + 1
	}
	return s
}

// valueSpan is the lines of a key and its value, which may take several: as many as make
// TOML together.
func valueSpan(text []byte, at int) span {
	s := lineSpan(text, at)
	for s.end < len(text) {
		if toml.Unmarshal(text[s.start:s.end], &map[string]any{}) == nil {
			break
		}
		s.end = lineSpan(text, s.end).end
	}
	return s
}

// editTable writes the keys that are wanted over their lines, takes those away that are
// not, and puts the missing ones below the header.
func editTable(text []byte, header span, lines map[string]span, has map[string]any, want []member, drop []string, newline string) []byte {
	var edits []edit
	missing := ""
	for _, m := range want {
		s, ok := lines[m.name]
		switch {
		case !ok:
			missing += keyValue(m) + newline
		case !reflect.DeepEqual(has[m.name], m.data()):
			line := text[s.start:s.end]
			indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
			edits = append(edits, edit{s, string(indent) + keyValue(m) + lastComment(line) + newline})
		}
	}
	if missing != "" {
		if !bytes.HasSuffix(text[:header.end], []byte("\n")) {
			missing = newline + missing
		}
		edits = slices.Insert(edits, 0, edit{span{header.end, header.end}, missing}) // before a key on the next line
	}
	for _, name := range drop {
		if s, ok := lines[name]; ok {
			edits = append(edits, edit{s, ""})
		}
	}
	return splice(text, edits)
}

// lastComment is the comment at the end of a key's lines, with a space before it.
func lastComment(line []byte) string {
	p := unstable.Parser{KeepComments: true}
	p.Reset(line)
	comment := ""
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.Comment {
			comment = " " + string(e.Data)
		}
		for n := e.Next(); n != nil; n = n.Next() {
			if n.Kind == unstable.Comment {
				comment = " " + string(n.Data)
			}
		}
	}
	return strings.TrimRight(comment, "\r\n")
}

// appendTable adds the table at the end of the file.
func appendTable(text []byte, path []string, want []member, newline string) []byte {
	out := bytes.Clone(text)
	if len(out) > 0 {
		if !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, newline...)
		}
		out = append(out, newline...)
	}
	keys := make([]string, len(path))
	for i, name := range path {
		keys[i] = key(name)
	}
	out = append(out, "["+strings.Join(keys, ".")+"]"+newline...)
	for _, m := range want {
		out = append(out, keyValue(m)+newline...)
	}
	return out
}

func keyValue(m member) string { return key(m.name) + " = " + inline(m.value, quote) }

// key quotes a key unless it is a bare one (TOML 1.0, section Keys).
func key(name string) string {
	bare := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !bare(r) }) < 0 {
		return name
	}
	return quote(name)
}

// quote makes a basic string of TOML, which YAML reads too: JSON's escapes are among theirs, but for DEL, which
// JSON leaves as it is.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007F`)
}

// cut takes out the tables and keys of an entry, and the blank line before each table.
func (tomlFile) cut(text []byte, path []string) ([]byte, error) {
	var p unstable.Parser
	p.Reset(text)
	var (
		cuts  []span
		table []string
		open  bool // the last cut is the table that is read
	)
	ours := func(keys []string) bool { return len(keys) >= len(path) && slices.Equal(keys[:len(path)], path) }
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
			continue
		}
		var names []string
		at := -1
		for keys := e.Key(); keys.Next(); {
			names = append(names, string(keys.Node().Data))
			if at < 0 {
				at = int(keys.Node().Raw.Offset)
			}
		}
		if e.Kind != unstable.KeyValue {
			table = names
			if open = ours(table); open {
				s := lineSpan(text, at)
				s.start = blankBefore(text, s.start)
				cuts = append(cuts, s)
			}
			continue
		}
		switch {
		case open:
			cuts[len(cuts)-1].end = valueSpan(text, at).end
		case ours(slices.Concat(table, names)):
			cuts = append(cuts, valueSpan(text, at))
		}
	}
	var out []byte
	done := 0
	for _, c := range cuts {
		if c.start > done {
			out = append(out, text[done:c.start]...)
		}
		done = c.end
	}
	return append(out, text[done:]...), nil
}

// blankBefore is the start of the blank line before a line, or that line's own.
func blankBefore(text []byte, at int) int {
	rest := bytes.TrimSuffix(bytes.TrimSuffix(text[:at], []byte("\n")), []byte("\r"))
	if len(rest) < at && (len(rest) == 0 || bytes.HasSuffix(rest, []byte("\n"))) {
		return len(rest)
	}
	return at
}
