package catalog

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"encoding/json"
	"html/template"
	"strconv"
	"strings"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageHTML)) })

// page is what the template shows.
type page struct {
	Title, Name, Version, Summary, Instructions string
	Policy                                      string
	Style                                       template.CSS
	Script                                      template.JS
	Groups                                      []group
}

type group struct {
	Heading string
	Items   []card
}

// card is one item.
type card struct {
	ID, Name, Title, Description string
	Hints                        []string
	Facts, Faults                []fact
	Sides                        []cardSide
}

type cardSide struct {
	Heading string
	Members []member
	Text    *schemaPart
}

type schemaPart struct{ What, Text string }

// AppendHTML appends the catalogue as one page that a person can read and search. It needs no network
// and no other file, and its Content-Security-Policy allows neither; every text of the server is
// escaped.
func (c *Catalog) AppendHTML(dst []byte) []byte {
	name, title, version := c.Server.Name()
	p := page{
		Title: title, Name: name, Version: version, Summary: c.Summary(), Instructions: c.Server.Instructions,
		Policy: "default-src 'none'; style-src " + sourceHash(pageStyle) + "; script-src " + sourceHash(pageScript) + "; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(pageStyle), Script: template.JS(pageScript),
	}
	if p.Title == "" {
		p.Title, p.Name = name, ""
	}
	if p.Title == "" {
		p.Title = "MCP server"
	}
	for _, t := range types {
		var g group
		for i, item := range c.Items {
			if item.Type == t {
				g.Items = append(g.Items, item.card("item-"+strconv.Itoa(i+1)))
			}
		}
		if g.Items != nil {
			g.Heading = strings.ToUpper(nouns[t][1][:1]) + nouns[t][1][1:]
			p.Groups = append(p.Groups, g)
		}
	}
	b := bytes.NewBuffer(dst)
	_ = pageTemplate().Execute(b, p) // a buffer takes everything, and the template's tests run all of it
	return b.Bytes()
}

// sourceHash is what a Content-Security-Policy calls an inline style or script.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (i *Item) card(id string) card {
	c := card{ID: id, Name: i.Name, Description: i.Description, Hints: i.hints(), Facts: i.facts(), Faults: i.faults()}
	if i.Title != i.Name {
		c.Title = i.Title
	}
	for _, s := range []struct {
		heading, what string
		schema        *Schema
	}{{"Arguments", "the arguments", i.Detail.Input}, {"Result", "the result", i.Detail.Output}} {
		if s.schema == nil {
			continue
		}
		side := cardSide{Heading: s.heading, Members: s.schema.members()}
		if text := s.schema.indented(); text != "" {
			side.Text = &schemaPart{s.what, text}
		}
		c.Sides = append(c.Sides, side)
	}
	return c
}

// maxShown is how much of one schema is shown.
const maxShown = 256 << 10

// indented is the text of a schema for a person.
func (s *Schema) indented() string {
	text := s.Text
	if s.JSON != nil {
		text = string(s.JSON)
		var t jsontape.Tape
		var b bytes.Buffer
		// What nests deep would be nothing but white space.
		if len(text) <= maxShown && t.Parse(s.JSON, jsontape.Options{MaxDepth: 64}) == nil && json.Indent(&b, s.JSON, "", "  ") == nil {
			text = b.String()
		}
	}
	return cut(text, maxShown)
}

// hints are the annotations of a tool that are on (specification 2025-11-25, ToolAnnotations).
func (i *Item) hints() []string {
	var t jsontape.Tape
	if i.Type != Tool || i.Meta.Annotations == nil || t.Parse(i.Meta.Annotations, jsontape.Options{}) != nil {
		return nil
	}
	var hints []string
	for _, h := range []struct{ name, words string }{
		{"readOnlyHint", "read-only"}, {"destructiveHint", "destructive"}, {"idempotentHint", "idempotent"}, {"openWorldHint", "open world"},
	} {
		if at := t.Member(0, h.name); at > 0 && t.Tokens[at].Kind == jsontape.True {
			hints = append(hints, h.words)
		}
	}
	return hints
}
