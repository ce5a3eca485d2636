// Package schemafile turns schema ids into file names and back. An id is the name of its
// file without ".json", and any string can be one: what file systems or Go's module
// archives don't allow in a name stands there as %XX, byte by byte, and so does the percent
// sign. The id a/b is the file a%2Fb.json.
package schemafile

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/module"
)

// Extension is what the name of every schema's file ends with.
const Extension = ".json"

// maxName is the longest name, in bytes, that common file systems take.
const maxName = 255

// Name gives the file name for an id. It fails for an empty one, for one that is not UTF-8,
// and for one whose name would be too long.
func Name(id string) (string, error) {
	if id == "" {
		return "", errors.New("the id is empty")
	}
	if !utf8.ValidString(id) {
		return "", errors.New("the id is not UTF-8")
	}
	var b strings.Builder
	for i, r := range id {
		if plain(r) && (i > 0 || r != '.') { // a dot in front hides a file
			b.WriteRune(r)
			continue
		}
		escape(&b, string(r))
	}
	name := b.String() + Extension
	if module.CheckFilePath(name) != nil { // a name that Windows reserves, such as con
		b.Reset()
		escape(&b, name[:1])
		name = b.String() + name[1:]
	}
	if len(name) > maxName {
		return "", fmt.Errorf("the id makes a file name of more than %d bytes", maxName)
	}
	return name, nil
}

// plain says whether a character stands in names as it is: those of Go's module archives
// (module.CheckFilePath), without the percent sign.
func plain(r rune) bool {
	return r != '%' && (unicode.IsLetter(r) || r >= '0' && r <= '9' || strings.ContainsRune("-_. !#$&()+,=@[]^{}~", r))
}

func escape(b *strings.Builder, text string) {
	for _, c := range []byte(text) {
		fmt.Fprintf(b, "%%%02X", c)
	}
}

// ID gives the id for a file name, which must end with ".json". It fails where a percent
// sign is not followed by two hexadecimal digits, and where what the escapes make is not
// UTF-8.
func ID(name string) (string, error) {
	rest := strings.TrimSuffix(name, Extension)
	if !strings.Contains(rest, "%") {
		return rest, nil
	}
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		if rest[i] != '%' {
			b.WriteByte(rest[i])
			continue
		}
		if i+2 >= len(rest) || !isHex(rest[i+1]) || !isHex(rest[i+2]) {
			return "", errors.New("a percent sign in a schema's file name must begin an escape such as %2F; the sign itself is %25")
		}
		b.WriteByte(hex(rest[i+1])<<4 | hex(rest[i+2]))
		i += 2
	}
	if !utf8.ValidString(b.String()) {
		return "", errors.New("the escapes of the file name don't make UTF-8")
	}
	return b.String(), nil
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f'
}

func hex(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}
