package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// notices is the text of THIRD-PARTY-NOTICES.txt: the licences and notices of every module
// but this one, word for word. The modules are those of all programs together, each as often
// as it is linked.
func notices(modules []module) []byte {
	byPath := map[string]module{}
	for _, m := range modules {
		if m.version == "" { // this module: its licence lies beside the notices
			continue
		}
		// A program for one platform may link packages, and with them licences, that others don't.
		m.licences = append(slices.Clone(byPath[m.path].licences), m.licences...)
		byPath[m.path] = m
	}
	var all []module
	for _, m := range byPath {
		slices.SortFunc(m.licences, func(a, b licence) int { return cmp.Compare(a.name, b.name) })
		m.licences = slices.CompactFunc(m.licences, func(a, b licence) bool { return a.name == b.name })
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b module) int { return cmp.Compare(a.title(), b.title()) })

	var text bytes.Buffer
	text.WriteString("echo-mcp is under the licence in LICENSE. Its programs hold code of the modules below, each\nunder the licence that follows its name.\n")
	for _, m := range all {
		for _, l := range m.licences {
			fmt.Fprintf(&text, "\n%s\n%s, %s", strings.Repeat("=", 80), m.title(), l.name)
			if len(l.kinds) > 0 {
				fmt.Fprintf(&text, " (%s)", strings.Join(l.kinds, ", "))
			}
			fmt.Fprintf(&text, "\n%s\n\n%s\n", strings.Repeat("=", 80), bytes.TrimSpace(l.text))
		}
	}
	return text.Bytes()
}

// title is how a module is called in the notices.
func (m module) title() string {
	if m.path == stdlib {
		return "Go " + m.version
	}
	return m.path + " " + m.version
}
