package install

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tailscale/hujson"
)

// PlanRemoval works out how to take the server of a name out of the file of a client: the
// Status is Removed, or Absent where there is nothing to take out. It writes nothing.
// Where a backup of Plan's edit is what the file would be without the entry, the text is
// that backup, byte for byte; else the entry is cut out and all else is copied.
//
// An entry that starts another program is a *ForeignError unless o.Force is set. One that
// leads to an address is taken out: nothing in it says whose it is. Other errors are those
// of Plan.
func PlanRemoval(name string, env Env, server string, o Options) (*Change, error) {
	c, err := find(name, env)
	if err != nil {
		return nil, err
	}
	change, err := c.read(env, o)
	if err != nil {
		return nil, err
	}
	change.Text = change.old
	if change.Status == Created {
		change.Status = Absent
		return change, nil
	}
	body := bytes.TrimPrefix(change.old, []byte(bom))
	root, section, err := c.servers(body)
	if err != nil {
		return nil, &FileError{change.Path, err}
	}
	if _, ok := section[server]; !ok {
		change.Status = Absent
		return change, nil
	}
	has, err := child(section, server)
	if err != nil {
		return nil, &FileError{change.Path, fmt.Errorf("%s: %w", c.section, err)}
	}
	if other := foreign(has); other != "" && has["command"] != nil && !o.Force {
		return nil, &ForeignError{change.Path, server, other, true}
	}
	change.Status = Removed
	if text, ok := c.fromBackup(change, server, has); ok {
		change.Text = text
		return change, nil
	}
	cut := cutJSON
	if c.toml {
		cut = cutTOML
	}
	edited, err := cut(bytes.Clone(body), c.section, server)
	if err != nil {
		return nil, &FileError{change.Path, err}
	}
	after, left, err := c.servers(edited)
	delete(section, server)
	if err != nil || !reflect.DeepEqual(section, left) || !sameBut(root, after, c.section) {
		return nil, &FileError{change.Path, errUnsafe}
	}
	change.Text = slices.Concat(change.old[:len(change.old)-len(body)], edited)
	return change, nil
}

// servers decodes a file and gives its root and the servers in it.
func (c client) servers(body []byte) (root, section map[string]any, err error) {
	if c.toml {
		root, err = decodeTOML(body)
	} else if body, err = orObject(body, c.lax); err == nil {
		root, err = decode(body, c.lax)
	}
	if err != nil {
		return nil, nil, err
	}
	section, err = child(root, c.section)
	return root, section, err
}

// sameBut compares all but the section.
func sameBut(a, b map[string]any, section string) bool {
	a, b = maps.Clone(a), maps.Clone(b)
	delete(a, section)
	delete(b, section)
	return reflect.DeepEqual(a, b)
}

// fromBackup gives the youngest backup without the entry from which an installation makes
// the file as it is now.
func (c client) fromBackup(change *Change, server string, has map[string]any) ([]byte, bool) {
	s := Server{Name: server}
	s.Command, _ = has["command"].(string)
	s.URL, _ = has[c.url].(string)
	args, _ := has["args"].([]any)
	for _, arg := range args {
		text, _ := arg.(string)
		s.Args = append(s.Args, text)
	}
	var found []byte
	ok := false
	for n := 1; ; n++ {
		text, err := os.ReadFile(backupName(change.target, n))
		if err != nil {
			return found, ok
		}
		_, section, err := c.servers(bytes.TrimPrefix(text, []byte(bom)))
		if err != nil || section[server] != nil {
			continue
		}
		if edited, err := c.edit(text, change.Path, s, true); err == nil && bytes.Equal(edited, change.old) {
			found, ok = text, true
		}
	}
}

// cutJSON takes a member of a section out, with its comma or, at the end, the one before.
func cutJSON(text []byte, section, name string) ([]byte, error) {
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	key := func(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }
	root := v.Value.(*hujson.Object)
	at := slices.IndexFunc(root.Members, func(m hujson.ObjectMember) bool { return key(m) == section })
	if at < 0 {
		return nil, errors.New("no " + section)
	}
	value := root.Members[at].Value
	members := value.Value.(*hujson.Object).Members
	i := slices.IndexFunc(members, func(m hujson.ObjectMember) bool { return key(m) == name })
	if i < 0 {
		return nil, errors.New("no " + name)
	}
	comma := func(m hujson.ObjectMember) int { return m.Value.EndOffset + len(m.Value.AfterExtra) }
	last := i == len(members)-1
	start, end := members[i].Name.StartOffset, members[i].Value.EndOffset
	if !last || members[i].Value.AfterExtra != nil {
		end = comma(members[i]) + 1
	}
	// The space before goes with the member, unless a line comment needs its line end.
	before := len(bytes.TrimRight(text[:start], " \t\r\n"))
	after := bytes.TrimLeft(text[end:], " \t\r")
	if !bytes.Contains(text[before:start], []byte("\n")) || bytes.HasPrefix(after, []byte("\n")) {
		start = before
	}
	head := text[:start]
	if last && i > 0 && members[i].Value.AfterExtra == nil {
		at := comma(members[i-1])
		head = slices.Concat(text[:at], text[at+1:start])
	}
	out := slices.Concat(head, text[end:])
	if len(members) > 1 {
		return out, nil
	}
	open, closing := value.StartOffset, value.EndOffset-1-(len(text)-len(out))
	if len(bytes.TrimSpace(out[open+1:closing])) == 0 {
		out = slices.Concat(out[:open+1], out[closing:])
	}
	return out, nil
}

// cutTOML takes out the tables and keys of an entry, and the blank line before each table.
func cutTOML(text []byte, section, name string) ([]byte, error) {
	var p unstable.Parser
	p.Reset(text)
	var (
		cuts  []span
		table []string
		open  bool // the last cut is the table that is read
	)
	ours := func(path []string) bool { return len(path) >= 2 && path[0] == section && path[1] == name }
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
			continue
		}
		var path []string
		at := -1
		for keys := e.Key(); keys.Next(); {
			path = append(path, string(keys.Node().Data))
			if at < 0 {
				at = int(keys.Node().Raw.Offset)
			}
		}
		if e.Kind != unstable.KeyValue {
			table = path
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
		case ours(slices.Concat(table, path)):
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
