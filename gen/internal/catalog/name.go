package catalog

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Names in the package
//
// A tool gives a method; the types of its arguments and its result are called after that, with
// Input and Output behind, and the types inside them have an underscore. The methods of prompts
// begin with Prompt, their arguments' types end in Arguments, and the constants of resources begin
// with Resource. Which name a tool has depends on the names of all tools, but never on their order;
// nor does the order of the output, for many servers list their tools in another one every time.

// standard are the methods that go vet expects to be those of the standard library's interfaces
// (golang.org/x/tools/go/analysis/passes/stdmethods), whatever their receiver is.
var standard = []string{
	"Format", "GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "Peek", "ReadByte", "ReadFrom", "ReadRune", "Scan", "Seek",
	"UnmarshalJSON", "UnmarshalXML", "UnreadByte", "UnreadRune", "WriteByte", "WriteTo",
}

// name gives all items their Go names, and the schemas their documents.
func (c *Catalog) name() {
	slices.SortFunc(c.Tools, func(a, b *Tool) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(c.Prompts, func(a, b *Prompt) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(c.Resources, func(a, b *Resource) int { return cmp.Compare(a.URI, b.URI) })
	var tools []string
	for _, t := range c.Tools {
		tools = append(tools, t.Name)
	}
	methods := names.Distinct(tools, func(id string) bool { return slices.Contains(standard, id) })
	taken := map[string]bool{}
	for _, t := range c.Tools {
		t.GoName = short(methods[t.Name])
		t.Input = c.document(t, t.input, "input")
		if t.output.token >= 0 {
			t.Output = c.document(t, t.output, "output")
		} else {
			t.Why = t.output.reason
		}
		taken[t.GoName], taken[t.GoName+"Input"], taken[t.GoName+"Output"] = true, true, true
	}

	var prompts []string
	for _, p := range c.Prompts {
		prompts = append(prompts, "prompt "+p.Name)
	}
	methods = names.Distinct(prompts, func(id string) bool { return taken[id] })
	for _, p := range c.Prompts {
		p.GoName = methods["prompt "+p.Name]
		taken[p.GoName+"Arguments"] = true
		var arguments []string
		for _, a := range p.Arguments {
			arguments = append(arguments, a.Name)
		}
		fields := names.Distinct(arguments, func(string) bool { return false })
		for i, a := range p.Arguments {
			p.Arguments[i].GoName = fields[a.Name]
		}
	}

	// A resource's name need not be its own; its URI is.
	count := map[string]int{}
	for _, r := range c.Resources {
		count[r.Name]++
		count[r.URI]++
	}
	word := func(r *Resource) string {
		if r.Name == "" || r.Name != r.URI && count[r.Name] > 1 {
			return "resource " + r.URI
		}
		return "resource " + r.Name
	}
	var resources []string
	for _, r := range c.Resources {
		resources = append(resources, word(r))
	}
	constants := names.Distinct(resources, func(id string) bool { return taken[id] })
	for _, r := range c.Resources {
		r.GoName = constants[word(r)]
	}
}

// short cuts a name that would make the name of a file too long, and adds digits of its hash.
func short(name string) string {
	const longest = 200 // file systems take 255 bytes
	if len(names.FileBase(name+"Output", "schema.go")) <= longest {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	cut := []rune(name)
	for len(names.FileBase(string(cut)+"_01234567Output", "schema.go")) > longest {
		cut = cut[:len(cut)-1]
	}
	return fmt.Sprintf("%s_%x", string(cut), sum[:4])
}

// document makes a document of a schema of a tool.
func (c *Catalog) document(t *Tool, s schema, which string) *load.Document {
	d := &load.Document{ID: shown(t.Name) + " " + which, GoName: t.GoName + "Input", Role: "what the tool " + shown(t.Name) + " takes", Data: []byte(noSchema)}
	if which == "output" {
		d.GoName, d.Role, d.Received = t.GoName+"Output", "what the tool "+shown(t.Name)+" answers", true
	}
	d.Path = "the " + which + " schema of " + shown(t.Name)
	if s.token >= 0 {
		d.Data = c.tape.Bytes(s.token)
	}
	if !d.Received {
		d.Data = c.object(s.token, d.Data)
	}
	return d
}

// object is the text of an input schema that says what the protocol says anyway: arguments are an
// object. Many servers leave that out, and the Go type would be one of any JSON value. It stands at
// the end, so that all else stays in its place.
func (c *Catalog) object(at int, text []byte) []byte {
	const says = `"type":"object"}`
	switch {
	case at < 0:
		return text
	case c.tape.Tokens[at].Kind == jsontape.True:
		return []byte(noSchema)
	case c.tape.Tokens[at].Kind != jsontape.Object || c.member(at, "type") >= 0:
		return text
	}
	text = slices.Clone(text[:len(text)-1])
	if c.tape.Len(at) > 0 {
		text = append(text, ',')
	}
	return append(text, says...)
}
