package catalog

import (
	"strings"
	"unicode"
)

// AppendMarkdown appends the catalogue as Markdown (CommonMark with tables, as GitHub has it), for
// people. Texts of the server are shown as they are: none of them can add a heading, a link or HTML.
func (c *Catalog) AppendMarkdown(dst []byte) []byte {
	var b strings.Builder
	name, title, version := c.Server.Name()
	if title == "" {
		title = name
	}
	if title == "" {
		title = "MCP server"
	}
	b.WriteString("# " + plain(title) + "\n\n")
	if name != "" {
		b.WriteString(code(strings.TrimSpace(name+" "+version)) + ": ")
	}
	b.WriteString(c.Summary() + ".\n")
	if c.Server.Instructions != "" {
		b.WriteString("\n" + paragraphs(c.Server.Instructions))
	}
	for _, t := range types {
		first := true
		for _, item := range c.Items {
			if item.Type != t {
				continue
			}
			if first {
				heading := nouns[t][1]
				b.WriteString("\n## " + strings.ToUpper(heading[:1]) + heading[1:] + "\n")
				first = false
			}
			item.markdown(&b)
		}
	}
	return append(dst, b.String()...)
}

func (i *Item) markdown(b *strings.Builder) {
	b.WriteString("\n### " + code(i.Name))
	if i.Title != "" && i.Title != i.Name {
		b.WriteString(" " + plain(i.Title))
	}
	b.WriteString("\n")
	if i.Description != "" {
		b.WriteString("\n" + paragraphs(i.Description))
	}
	facts, faults := i.facts(), i.faults()
	if len(facts)+len(faults) > 0 {
		b.WriteString("\n")
	}
	for _, fact := range facts {
		b.WriteString("- " + fact.Label + ": " + code(fact.Value) + "\n")
	}
	for _, f := range faults {
		b.WriteString("- **" + f.Label + "**: " + plain(f.Value) + "\n")
	}
	table(b, "argument", i.Detail.Input)
	table(b, "result", i.Detail.Output)
}

// fact is something about an item, with what it is.
type fact struct{ Label, Value string }

// facts are the URI and the like.
func (i *Item) facts() []fact {
	var facts []fact
	add := func(label, value string) {
		if value != "" {
			facts = append(facts, fact{label, value})
		}
	}
	add("URI", i.Detail.URI)
	add("URI template", i.Detail.URITemplate)
	add("media type", i.Detail.MIMEType)
	if i.Detail.Size != nil {
		add("size", count(int(*i.Detail.Size), "byte", "bytes"))
	}
	add("user interface", cut(string(i.Detail.UI), 2000))
	return facts
}

// faults are the errors and the warnings.
func (i *Item) faults() []fact {
	var facts []fact
	if s := i.Detail.Input; s != nil && s.Error != "" {
		facts = append(facts, fact{"Error", "the input schema can't be used: " + s.Error})
	}
	if s := i.Detail.Output; s != nil && s.Error != "" {
		facts = append(facts, fact{"Error", "the output schema can't be used: " + s.Error})
	}
	for _, w := range i.Warnings {
		facts = append(facts, fact{"Warning", w})
	}
	return facts
}

// table writes the members of a schema.
func table(b *strings.Builder, what string, s *Schema) {
	members := s.members()
	if members == nil {
		return
	}
	b.WriteString("\n| " + what + " | type | required | description |\n|---|---|---|---|\n")
	for _, m := range members {
		required := ""
		if m.Required {
			required = "yes"
		}
		about := m.Description
		if m.Limits != "" {
			about = strings.TrimSpace(about + " (" + m.Limits + ")")
		}
		b.WriteString("| " + cell(code(m.Name)) + " | " + cell(code(m.Type)) + " | " + required + " | " + plain(about) + " |\n")
	}
}

// cell is code as it stands in a table, where "|" ends a cell even inside of code.
func cell(code string) string { return strings.ReplaceAll(code, "|", `\|`) }

// code is text as code, on one line (CommonMark, section 6.1).
func code(text string) string {
	text = oneLine(text)
	if text == "" {
		return "` `"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

// oneLine is text without line breaks, control characters and those that turn the direction of
// what follows.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, text)), " ")
}

// plain is text on one line in which nothing has a meaning.
func plain(text string) string { return escapes.Replace(oneLine(text)) }

var escapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"#", `\#`, "|", `\|`, "~", `\~`, "!", `\!`, "://", "&#58;//", "@", "&#64;", "www.", "www&#46;",
)

// paragraphs keeps the lines of a text.
func paragraphs(text string) string {
	var b strings.Builder
	var lines []string // of the paragraph that is read
	end := func() {
		if lines != nil {
			b.WriteString(strings.Join(lines, "\\\n") + "\n\n") // "\" at the end is a hard line break
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = plain(line)
		if line == "" {
			end()
			continue
		}
		// What would begin a list, or underline a heading.
		if strings.ContainsRune("-+=:", rune(line[0])) {
			line = `\` + line
		} else if n := len(line) - len(strings.TrimLeft(line, "0123456789")); n > 0 && n < len(line) && (line[n] == '.' || line[n] == ')') {
			line = line[:n] + `\` + line[n:]
		}
		lines = append(lines, line)
	}
	end()
	return strings.TrimSuffix(b.String(), "\n")
}
