package jsonrt

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

// FormatIPv4 decides "ipv4": the dotted-quad of RFC 2673 section 3.2, without leading zeros.
func FormatIPv4(s string) bool {
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is4()
}

// FormatIPv6 decides "ipv6": RFC 4291 section 2.2, without a zone.
func FormatIPv6(s string) bool {
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is6() && address.Zone() == ""
}

// FormatUUID decides "uuid": RFC 4122 section 3, in either case and of any version.
func FormatUUID(s string) bool {
	if len(s) != len("00000000-0000-0000-0000-000000000000") {
		return false
	}
	for i := range len(s) {
		switch i {
		case 8, 13, 18, 23:
			if s[i] != '-' {
				return false
			}
		default:
			if !isHexDigit(s[i]) {
				return false
			}
		}
	}
	return true
}

// FormatRegex decides "regex": an ECMA-262 pattern under the u flag, without the leniencies
// of Annex B.
func FormatRegex(s string) bool { return ecma.Valid(s) }

// FormatEmail decides "email": a Mailbox of RFC 5321 section 4.1.2, with its limits of 64
// and 255 octets. The domain may be an address literal.
func FormatEmail(s string) bool { return mailbox(s, false) }

// FormatIDNEmail decides "idn-email": RFC 6531 section 3.3, which adds all of Unicode beyond
// ASCII to both parts.
func FormatIDNEmail(s string) bool { return utf8.ValidString(s) && mailbox(s, true) }

func mailbox(s string, international bool) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || at > 64 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if strings.HasPrefix(local, `"`) {
		return quotedLocal(local, international) && mailDomain(domain, international)
	}
	start := true // of an atom
	for i := range len(local) {
		switch c := local[i]; {
		case c == '.' && start:
			return false
		case c == '.':
			start = true
		case !isAtext(c) && (!international || c < utf8.RuneSelf):
			return false
		default:
			start = false
		}
	}
	return !start && mailDomain(domain, international)
}

// quotedLocal decides a Quoted-string: graphic ASCII and spaces between quotes, where a
// backslash takes the next one as it is.
func quotedLocal(s string, international bool) bool {
	if len(s) < 2 || s[len(s)-1] != '"' {
		return false
	}
	for s = s[1 : len(s)-1]; s != ""; s = s[1:] {
		c := s[0]
		if c == '\\' {
			if s = s[1:]; s == "" || s[0] < ' ' || s[0] > '~' {
				return false
			}
			continue
		}
		if c == '"' || c < ' ' || c == 0x7F || c >= utf8.RuneSelf && !international {
			return false
		}
	}
	return true
}

// isAtext tells the characters of an atom (RFC 5322 section 3.2.3).
func isAtext(c byte) bool {
	return isDigit(c) || isAlpha(c) || c != 0 && strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) >= 0
}

func mailDomain(s string, international bool) bool {
	if s == "" || len(s) > 255 {
		return false
	}
	if s[0] != '[' {
		return ldhLabels(s, international)
	}
	if s[len(s)-1] != ']' {
		return false
	}
	s = s[1 : len(s)-1]
	const tag = "IPv6:"
	if len(s) > len(tag) && strings.EqualFold(s[:len(tag)], tag) {
		return FormatIPv6(s[len(tag):])
	}
	return FormatIPv4(s)
}

// ldhLabels reports whether s is a sequence of labels with dots between them, each of 1 to
// 63 letters, digits and hyphens and without a hyphen at either end (RFC 1123 section 2.1).
// If international, everything beyond ASCII counts as a letter and a label has no limit.
func ldhLabels(s string, international bool) bool {
	for {
		label, rest, more := strings.Cut(s, ".")
		if label == "" || len(label) > 63 && !international || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; !isAlpha(c) && !isDigit(c) && c != '-' && (!international || c < utf8.RuneSelf) {
				return false
			}
		}
		if !more {
			return true
		}
		s = rest
	}
}

// FormatJSONPointer decides "json-pointer": the string form of RFC 6901 section 3.
func FormatJSONPointer(s string) bool {
	if s != "" && s[0] != '/' {
		return false
	}
	for {
		tilde := strings.IndexByte(s, '~')
		if tilde < 0 {
			return true
		}
		s = s[tilde+1:]
		if s == "" || s[0] != '0' && s[0] != '1' {
			return false
		}
	}
}

// FormatRelativeJSONPointer decides "relative-json-pointer": levels up, if wanted a step
// along an array ("+1"), then a pointer or "#" (draft-bhutton-relative-json-pointer-00
// section 3).
func FormatRelativeJSONPointer(s string) bool {
	n := countDigits(s)
	if n == 0 || n > 1 && s[0] == '0' {
		return false
	}
	s = s[n:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		n = countDigits(s[1:])
		if n == 0 || s[1] == '0' {
			return false
		}
		s = s[1+n:]
	}
	return s == "#" || FormatJSONPointer(s)
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
