package jsontape

import (
	"math"
	"strconv"
	"strings"
)

// Pointer is the RFC 6901 pointer to the value at token i. A member name has the pointer
// of its member. The pointer of the root is "". It is found by walking from the root, in
// time linear in the siblings passed on the way.
func (t *Tape) Pointer(i int) string {
	return t.PointerFrom(0, i)
}

// PointerFrom is Pointer relative to the value at token root. It is "" where token i is
// not inside that value.
func (t *Tape) PointerFrom(root, i int) string {
	pointer, _ := t.PointerWithin(root, i, math.MaxInt)
	return pointer
}

// PointerWithin is PointerFrom for a pointer of at most limit bytes. A longer one is not whole:
// it leads to the last value on the way to token i whose pointer is not longer. Text beyond
// the limit costs no memory.
func (t *Tape) PointerWithin(root, i, limit int) (pointer string, whole bool) {
	var dst []byte
	for at := root; i > at && i < t.Next(at); {
		isObject := t.Tokens[at].Kind == Object
		c := at + 1
		for index := 0; ; index++ {
			end := t.Next(c)
			if isObject {
				end = t.Next(end)
			}
			if i < end {
				before := len(dst)
				switch {
				case !isObject:
					dst = strconv.AppendInt(append(dst, '/'), int64(index), 10)
				case len(t.Bytes(c))/longestEscape > limit: // no need to decode it
					return string(dst), false
				default:
					dst = AppendPointerToken(dst, t.Str(c))
					c++
				}
				if len(dst) > limit {
					return string(dst[:before]), false
				}
				break
			}
			c = end
		}
		at = c
	}
	return string(dst), true
}

// longestEscape is how many bytes of a string's text a byte of its value takes at most: \u0041.
const longestEscape = 6

// AppendPointerToken appends "/" and the name to dst, with ~0 for "~" and ~1 for "/"
// (RFC 6901, section 3).
func AppendPointerToken(dst []byte, name string) []byte {
	dst = append(dst, '/')
	for i := range len(name) {
		switch c := name[i]; c {
		case '~':
			dst = append(dst, '~', '0')
		case '/':
			dst = append(dst, '~', '1')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// Lookup is the token of the value that an RFC 6901 pointer leads to, or -1 where there
// is none or the pointer is malformed. Where a name is repeated the first counts. An array
// index has no leading zeros; "-", the element after the last, never exists.
func (t *Tape) Lookup(pointer string) int {
	if len(t.Tokens) == 0 || pointer != "" && pointer[0] != '/' {
		return -1
	}
	at := 0
	for pointer != "" {
		var name string
		name, pointer = cutPointer(pointer[1:])
		if t.Tokens[at].Kind == Array {
			at = t.element(at, name)
		} else if name, ok := unescapePointer(name); ok {
			at = t.Member(at, name)
		} else {
			at = -1
		}
		if at < 0 {
			return -1
		}
	}
	return at
}

// cutPointer splits a pointer without its first slash after its first reference token.
func cutPointer(s string) (name, rest string) {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// unescapePointer decodes ~0 and ~1. It reports false for any other use of "~".
func unescapePointer(s string) (string, bool) {
	if strings.IndexByte(s, '~') < 0 {
		return s, true
	}
	dst := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '~' {
			i++
			switch {
			case i < len(s) && s[i] == '0':
			case i < len(s) && s[i] == '1':
				c = '/'
			default:
				return "", false
			}
		}
		dst = append(dst, c)
	}
	return string(dst), true
}

// element is the token of the array's element with this index in decimal, or -1.
func (t *Tape) element(array int, index string) int {
	if index == "" || len(index) > 1 && index[0] == '0' {
		return -1
	}
	for i := range len(index) {
		if !isDigit(index[i]) {
			return -1
		}
	}
	n, err := strconv.Atoi(index)
	if err != nil {
		return -1 // beyond int, so beyond every array
	}
	for c := array + 1; c < t.Next(array); c = t.Next(c) {
		if n == 0 {
			return c
		}
		n--
	}
	return -1
}
