package jsonrt

import (
	"strings"
	"unicode/utf8"
)

// FormatURI decides "uri": a URI of RFC 3986 appendix A, with a scheme.
func FormatURI(s string) bool { return uriReference(s, false, true) }

// FormatURIReference decides "uri-reference": a URI or a relative reference of RFC 3986.
func FormatURIReference(s string) bool { return uriReference(s, false, false) }

// FormatIRI decides "iri": an IRI of RFC 3987 section 2.2, with a scheme.
func FormatIRI(s string) bool { return uriReference(s, true, true) }

// FormatIRIReference decides "iri-reference": an IRI or a relative reference of RFC 3987.
func FormatIRIReference(s string) bool { return uriReference(s, true, false) }

func uriReference(s string, international, absolute bool) bool {
	scheme := schemeLength(s)
	if scheme == 0 && absolute {
		return false
	}
	s = s[scheme:]
	s, fragment, _ := strings.Cut(s, "#")
	path, query, _ := strings.Cut(s, "?")
	chars := uriChars{international: international}
	if !chars.all(fragment, ":@/?") {
		return false
	}
	chars.private = international // RFC 3987: private use only in queries
	if !chars.all(query, ":@/?") {
		return false
	}
	chars.private = false
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		return chars.authority(rest[:end]) && chars.all(rest[end:], ":@/")
	}
	if scheme == 0 {
		// The first segment of a relative path has no colon: it would be a scheme.
		first, _, _ := strings.Cut(path, "/")
		if strings.IndexByte(first, ':') >= 0 {
			return false
		}
	}
	return chars.all(path, ":@/")
}

// schemeLength is the length of the scheme and its colon at the start of s, or 0.
func schemeLength(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case isAlpha(c):
		case i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// uriChars says which characters beyond ASCII a part may hold.
type uriChars struct{ international, private bool }

// all reports whether s holds only unreserved characters, sub-delimiters, percent-encoded
// octets, the further ASCII characters given, and what is allowed beyond ASCII.
func (u uriChars) all(s, further string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case isAlpha(c) || isDigit(c):
			i++
		case c == '%':
			if !percentEncoded(s[i:]) {
				return false
			}
			i += 3
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !u.international || !isUcschar(r) && !(u.private && isPrivate(r)) {
				return false
			}
			i += size
		case strings.IndexByte("-._~!$&'()*+,;=", c) >= 0 || strings.IndexByte(further, c) >= 0:
			i++
		default:
			return false
		}
	}
	return true
}

// authority decides [ userinfo "@" ] host [ ":" port ].
func (u uriChars) authority(s string) bool {
	if at := strings.IndexByte(s, '@'); at >= 0 {
		if !u.all(s[:at], ":") {
			return false
		}
		s = s[at+1:]
	}
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		return end >= 0 && ipLiteral(s[1:end]) && port(s[end+1:])
	}
	host, after := s, ""
	if colon := strings.IndexByte(s, ':'); colon >= 0 {
		host, after = s[:colon], s[colon:]
	}
	return u.all(host, "") && port(after) // an IPv4 address is a registered name, too
}

func port(s string) bool { return s == "" || s[0] == ':' && countDigits(s[1:]) == len(s)-1 }

// ipLiteral decides what stands between the brackets: an IPv6 address, or of a later version.
func ipLiteral(s string) bool {
	if s == "" || s[0]|0x20 != 'v' {
		return FormatIPv6(s)
	}
	version, address, ok := strings.Cut(s[1:], ".")
	if !ok || version == "" || address == "" || strings.IndexByte(address, '%') >= 0 {
		return false
	}
	for i := range len(version) {
		if !isHexDigit(version[i]) {
			return false
		}
	}
	return uriChars{}.all(address, ":")
}

func percentEncoded(s string) bool {
	return len(s) >= 3 && s[0] == '%' && isHexDigit(s[1]) && isHexDigit(s[2])
}

// isUcschar tells ucschar of RFC 3987 section 2.2.
func isUcschar(r rune) bool {
	switch {
	case 0xA0 <= r && r <= 0xD7FF, 0xF900 <= r && r <= 0xFDCF, 0xFDF0 <= r && r <= 0xFFEF:
		return true
	case 0x10000 <= r && r <= 0xDFFFF:
		return r&0xFFFF <= 0xFFFD
	}
	return 0xE1000 <= r && r <= 0xEFFFD
}

// isPrivate tells iprivate of RFC 3987 section 2.2.
func isPrivate(r rune) bool {
	return 0xE000 <= r && r <= 0xF8FF || 0xF0000 <= r && r <= 0x10FFFD && r&0xFFFF <= 0xFFFD
}

// FormatURITemplate decides "uri-template": RFC 6570 section 2, of any level.
func FormatURITemplate(s string) bool {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '{':
			end := strings.IndexByte(s[i:], '}')
			if end < 0 || !templateExpression(s[i+1:i+end]) {
				return false
			}
			i += end + 1
		case c == '%':
			if !percentEncoded(s[i:]) {
				return false
			}
			i += 3
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !isUcschar(r) && !isPrivate(r) {
				return false
			}
			i += size
		case c <= ' ' || c == 0x7F || strings.IndexByte("\"<>\\^`|}", c) >= 0:
			return false
		default:
			i++
		}
	}
	return true
}

// templateExpression decides what stands between braces: an operator if wanted, and
// variables with commas between them.
func templateExpression(s string) bool {
	if s != "" && strings.IndexByte("+#./;?&=,!@|", s[0]) >= 0 {
		s = s[1:]
	}
	for {
		variable, rest, more := strings.Cut(s, ",")
		if !templateVariable(variable) {
			return false
		}
		if !more {
			return true
		}
		s = rest
	}
}

// templateVariable decides a varspec: a name, then "*" or a length of up to four digits.
func templateVariable(s string) bool {
	if name, length, ok := strings.Cut(s, ":"); ok {
		if length == "" || len(length) > 4 || length[0] == '0' || countDigits(length) != len(length) {
			return false
		}
		s = name
	} else {
		s = strings.TrimSuffix(s, "*")
	}
	letter := false // before a dot or the end a letter must stand
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isAlpha(c) || isDigit(c) || c == '_':
			letter = true
			i++
		case c == '%' && percentEncoded(s[i:]):
			letter = true
			i += 3
		case c == '.' && letter:
			letter = false
			i++
		default:
			return false
		}
	}
	return letter
}
