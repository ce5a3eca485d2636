// Package names turns the names in schemas into Go identifiers. A Go name depends on the
// schema name alone, never on order or on a counter.
package names

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are written in capitals when they are a whole word, as Go code does.
var initialisms = map[string]bool{
	"api": true, "ascii": true, "cpu": true, "css": true, "dns": true, "eof": true, "html": true, "http": true, "https": true, "id": true,
	"ip": true, "json": true, "mcp": true, "ram": true, "rpc": true, "sql": true, "ssh": true, "tcp": true, "tls": true, "ttl": true, "udp": true,
	"ui": true, "uri": true, "url": true, "utf8": true, "uuid": true, "vm": true, "xml": true, "yaml": true,
}

// Exported gives the exported Go identifier for a name: its words, each with a capital
// letter. A sign before a number becomes Plus or Minus; a name without letters and digits is
// spelled out by its code points. The result is never empty, always starts with an upper-case
// letter and holds no underscore.
func Exported(name string) string {
	var b strings.Builder
	if len(name) > 1 && (name[0] == '+' || name[0] == '-') && '0' <= name[1] && name[1] <= '9' {
		// A sign belongs to the number.
		b.WriteString(map[byte]string{'+': "Plus", '-': "Minus"}[name[0]])
	}
	for _, word := range Words(name) {
		b.WriteString(capital(word))
	}
	s := b.String()
	if s == "" {
		if name == "" {
			return "Empty"
		}
		for _, r := range name {
			fmt.Fprintf(&b, "U%04X", r)
		}
		return b.String()
	}
	return exported(s)
}

// exported puts an X before what does not start with a capital: a digit, or a letter of a
// script without capitals.
func exported(s string) string {
	if r, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(r) {
		return "X" + s
	}
	return s
}

func capital(word string) string {
	if lower := strings.ToLower(word); initialisms[lower] {
		return strings.ToUpper(word)
	}
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}

// Words splits a name at everything that is no letter or digit, and before a capital that
// follows a small letter or digit.
func Words(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = nil
		}
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) || r == utf8.RuneError:
			flush()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && !unicode.IsUpper(word[len(word)-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// FileBase gives the base of a Go file's name, without extension, for a Go identifier. It is
// injective, plain ASCII, and safe from the endings that the go command reads as build
// constraints (_test, _linux, …) because it ends with suffix.
func FileBase(identifier, suffix string) string {
	var b strings.Builder
	for i, r := range identifier {
		switch {
		case 'A' <= r && r <= 'Z':
			if i > 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r + 'a' - 'A')
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			b.WriteRune(r)
		case r == '_':
			b.WriteString("__")
		default:
			if i == 0 {
				b.WriteByte('0') // the go command takes no file name that starts with "-"
			}
			fmt.Fprintf(&b, "-%x-", r)
		}
	}
	return b.String() + "_" + suffix
}

// Message gives the Go name of the message type with this id. Names that the package's own
// functions and variables have, or could have because of another id, get a prefix that no id
// gives.
func Message(id string) string {
	name := Exported(id)
	if name == "Registry" || name == "Decode" || extends(name, "Validate") || extends(name, "Decode") {
		return "Message_" + name
	}
	return name
}

// extends reports whether an exported name is another one with prefix before it.
func extends(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && unicode.IsUpper(r)
}

// File gives the word before the names of everything that is generated from a schema file:
// the message's Go name, or for a shared file those of folder and file with an underscore
// between, so that it is no message's. name is the file's name relative to the schema folder,
// or its URI.
func File(name string) string {
	name = strings.TrimSuffix(name, ".json")
	if !strings.Contains(name, "/") {
		return Message(name)
	}
	if _, rest, isURI := strings.Cut(name, "://"); isURI {
		name = rest
	}
	return Exported(path.Dir(name)) + "_" + Exported(path.Base(name))
}

// spelled names the symbols that occur in names.
var spelled = map[rune]string{
	'_': "Underscore", '-': "Dash", ' ': "Space", '.': "Dot", '/': "Slash", '\\': "Backslash", '$': "Dollar", '@': "At", '+': "Plus",
	'#': "Hash", ':': "Colon", ';': "Semicolon", ',': "Comma", '*': "Star", '&': "And", '%': "Percent", '!': "Bang", '?': "Question",
	'=': "Equals", '<': "Less", '>': "Greater", '|': "Bar", '~': "Tilde", '^': "Caret", '(': "Open", ')': "Close", '"': "Quote",
	'\'': "Apostrophe", '`': "Backquote",
}

// Spelled gives an exported Go identifier in which symbols have left a trace and initialisms
// are as they stand: it keeps apart most names for which Exported gives the same.
func Spelled(name string) string {
	if name == "" {
		return "Empty"
	}
	var b strings.Builder
	word := func(part string) {
		for _, w := range Words(part) {
			r, size := utf8.DecodeRuneInString(w)
			b.WriteRune(unicode.ToUpper(r))
			b.WriteString(w[size:])
		}
	}
	start := 0
	for i, size := 0, 0; i < len(name); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(name[i:])
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			continue
		}
		word(name[start:i])
		start = i + size
		if s := spelled[r]; s != "" {
			b.WriteString(s)
		} else {
			fmt.Fprintf(&b, "U%04X", r)
		}
	}
	word(name[start:])
	return exported(b.String())
}

// Hex gives the exported identifier for a name followed by its bytes in hexadecimal: no two
// names share it.
func Hex(name string) string {
	return fmt.Sprintf("%s_%x", Exported(name), name)
}

// Distinct gives every one of the distinct names an exported identifier of its own, none of
// them in taken. A name gets its plain identifier, Exported, unless another of the names has a
// better claim to it; then it is spelled out, called a Member, or in the end followed by its
// bytes. One whose plain identifier is taken is called a Member. The claim goes to the name with
// the fewest symbols, then to the one that sorts first, so the order of names does not matter and
// a new name that sorts behind takes nothing away.
func Distinct(all []string, taken func(string) bool) map[string]string {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b string) int {
		return cmp.Or(cmp.Compare(symbols(a), symbols(b)), cmp.Compare(a, b))
	})
	result := make(map[string]string, len(all))
	used := map[string]bool{}
	claim := func(form func(string) string) {
		for _, name := range sorted {
			if result[name] != "" {
				continue
			}
			if id := form(name); !used[id] && !taken(id) {
				used[id] = true
				result[name] = id
			}
		}
	}
	claim(Exported)
	claim(func(name string) string {
		if taken(Exported(name)) {
			return Exported(name) // spelling out tells names from each other
		}
		return Spelled(name)
	})
	claim(func(name string) string { return Exported(name) + "Member" })
	claim(Hex)
	return result
}

// symbols counts the runes that Exported drops. No name at all counts as one.
func symbols(name string) int {
	if name == "" {
		return 1
	}
	n := 0
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			n++
		}
	}
	return n
}
