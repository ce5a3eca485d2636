package install

import (
	"maps"
	"slices"
)

// form is what an entry looks like in a client's file: how its members are called.
type form struct {
	// kind is the member that names the transport, stdio and http what it says; "" where an
	// entry tells by its other members.
	kind, stdio, http string
	// command and args start the server. Without args the command is a list that holds them.
	command, args string
	// urls are the members for an address that the client reads; the first is written.
	urls []string
	// stale are other members that say how the server is reached, as older versions of the
	// client or other clients write them. One of them may hold all the others.
	stale []string
	// fixed are members that every entry has.
	fixed []member
	// named is the member that repeats the server's name, or "".
	named string
}

// plain is the form of most clients.
var plain = form{command: "command", args: "args", urls: []string{"url"}, stale: []string{"type"}}

// member is one member of an entry.
type member struct {
	name string
	// value is a string, a []string, a bool or, in a file of YAML, an int.
	value any
	// keep says that a value that is there already is the person's choice.
	keep bool
}

// entry gives the members that an entry must have, and the names of those it must not have:
// an entry that starts a program doesn't also lead to an address.
func (f form) entry(s Server) (want []member, drop []string) {
	set := func(name string, value any) { want = append(want, member{name: name, value: value}) }
	kind := f.stdio
	if s.URL != "" {
		kind = f.http
	}
	if f.kind != "" {
		set(f.kind, kind)
	}
	if f.named != "" {
		set(f.named, s.Name)
	}
	switch {
	case s.URL != "":
		set(f.urls[0], s.URL)
	case f.args == "":
		set(f.command, append([]string{s.Command}, s.Args...))
	default:
		set(f.command, s.Command)
		set(f.args, s.Args)
	}
	want = append(want, f.fixed...)
	for _, name := range slices.Concat([]string{f.kind, f.command, f.args}, f.urls, f.stale) {
		if name != "" && !slices.ContainsFunc(want, func(m member) bool { return m.name == name }) {
			drop = append(drop, name)
		}
	}
	return want, drop
}

// read gives the server that an entry leads to; what the entry doesn't say is "".
func (f form) read(has map[string]any) Server {
	all := maps.Clone(has)
	for _, name := range f.stale {
		inner, _ := has[name].(map[string]any)
		maps.Copy(all, inner)
	}
	var s Server
	command := texts(all[f.command])
	if f.args != "" {
		command = append(command, texts(all[f.args])...)
	}
	if len(command) > 0 && all[f.command] != nil {
		s.Command, s.Args = command[0], command[1:]
	}
	for _, name := range f.urls {
		if address, ok := all[name].(string); ok {
			s.URL = address
			break
		}
	}
	return s
}

// texts are the strings of a value that is a string or a list of them.
func texts(value any) []string {
	if text, ok := value.(string); ok {
		return []string{text}
	}
	var all []string
	list, _ := value.([]any)
	for _, item := range list {
		text, _ := item.(string)
		all = append(all, text)
	}
	return all
}

// foreign says what server an entry leads to, if it doesn't start this program.
func (f form) foreign(has map[string]any, o Options) string {
	s := f.read(has)
	if s.Command != "" {
		if o.own(s.Command) {
			return ""
		}
		return "which starts " + s.Command
	}
	if s.URL != "" {
		return "which leads to " + s.URL
	}
	if kind, ok := has[f.kind].(string); ok && kind != f.stdio && kind != f.http {
		return "which is of the type " + kind
	}
	return ""
}

// merged is what an entry must hold after the edit.
func merged(has map[string]any, want []member, drop []string) map[string]any {
	out := map[string]any{}
	for name, value := range has {
		if !slices.Contains(drop, name) {
			out[name] = value
		}
	}
	for _, m := range want {
		out[m.name] = m.data()
	}
	return out
}

// data is the value as a decoder gives it.
func (m member) data() any {
	list, ok := m.value.([]string)
	if !ok {
		return m.value
	}
	items := make([]any, len(list))
	for i, item := range list {
		items[i] = item
	}
	return items
}
