// Package names turns the names in schemas into Go identifiers. A Go name depends on the
// schema name alone, never on order or on a counter.
package names

import (
	"fmt"
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
// letter. A name without letters and digits is spelled out by its code points. The result is
// never empty and always starts with an upper-case letter.
func Exported(name string) string {
	var b strings.Builder
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
	if r, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(r) {
		// A digit, or a letter of a script without capitals.
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
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "-%x-", r)
		}
	}
	return b.String() + "_" + suffix
}
