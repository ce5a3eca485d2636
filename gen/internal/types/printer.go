package types

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// printer prints the Go file with the types of a schema file.
type printer struct {
	*gosrc.Source
	file  *load.File
	texts map[string]string // the texts that are constants of the file, by name
}

func newPrinter(file *load.File) *printer {
	p := &printer{gosrc.New(), file, map[string]string{}}
	p.Use("encoding/json")
	p.Use("github.com/zenlix/echo-mcp/gen/jsonrt")
	return p
}

// longText is up to how many bytes a text stands wherever it is needed. A longer one, the value of
// a constant say, is a constant of the file: decoding and encoding need it, in each type that has it.
const longText = 256

// lit is the Go expression for a text of the schema.
func (p *printer) lit(text string) string {
	if len(text) <= longText {
		return gosrc.Lit(text)
	}
	h := fnv.New64a()
	h.Write([]byte(p.file.Name + "\x00" + text))
	name := fmt.Sprintf("text_%016x", h.Sum64())
	p.texts[name] = text
	return name
}

// jsonLit is lit for a member name as it stands in JSON.
func (p *printer) jsonLit(name string) string { return p.lit(string(jsontape.AppendQuoted(nil, name))) }

// declareTexts declares the constants that lit has named.
func (p *printer) declareTexts() {
	for _, name := range slices.Sorted(maps.Keys(p.texts)) {
		p.P("const ", name, " = ", gosrc.Lit(p.texts[name]))
		p.P()
	}
}
