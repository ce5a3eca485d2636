package extract

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// cut emits what is complete of a full view, and takes apart what is too large for it.
func (s *splitter) cut(b []byte) error {
	base, comma := 0, s.comma
	s.comma = -1
	taken := 0 // how many of s.inside were taken apart
	for {
		if comma >= 0 {
			if err := s.elements(b, base, comma); err != nil {
				return err
			}
			base, comma, s.want = comma+1, -1, wantValue
		}
		if len(b)-base <= s.in.window/2 {
			break
		}
		if taken == len(s.inside) {
			s.inside = s.inside[:0]
			kept, err := s.long(b, base)
			if err != nil || !kept {
				return err
			}
			break
		}
		child := s.inside[taken]
		looks, is := s.looksLikeEnvelope(b, child)
		if looks && len(b)-base < s.options.MaxBytes {
			s.held = child.start
			break
		}
		place, err := s.prefix(b, base, child.start)
		if err != nil {
			return err
		}
		if is {
			if err := s.report(b, child.start, s.tooLarge("a message")); err != nil {
				return err
			}
		}
		if len(s.open) > jsontape.DefaultMaxDepth {
			return s.fault(child.start, fmt.Sprintf("arrays and objects nest more than %d deep", jsontape.DefaultMaxDepth))
		}
		s.push(b, child.start, place)
		base, comma, s.want = child.start+1, child.comma, wantFirst
		taken++
	}
	s.comma = comma
	s.inside = slices.Delete(s.inside, 0, min(taken, len(s.inside)))
	s.drop(base)
	if len(b)-base >= s.size {
		s.size = min(2*s.size, s.options.MaxBytes+s.in.window)
	}
	return nil
}

// long deals with a value, or a name, that fills the view from base on and has no brackets. It
// says whether it is to be kept until it is complete; else it is gone.
func (s *splitter) long(b []byte, base int) (kept bool, err error) {
	room := len(b)-base < s.options.MaxBytes
	if s.str < 0 || s.open[len(s.open)-1].kind == '{' && isBlank(b[base:s.str]) {
		if isBlank(b[base:]) {
			s.drop(len(b))
			return false, nil
		}
		if !room {
			return false, s.fault(base, s.tooLarge("a number or a member name"))
		}
		return true, nil
	}
	text := b[s.str+1:]
	may := candidate(text, s.options.Failures) || hasEscapedLetter(text)
	looks := looksLikeJSON(text) || may
	if looks && room {
		s.held = s.str
		return true, nil
	}
	if _, err := s.prefix(b, base, s.str); err != nil {
		return false, err
	}
	if may {
		if err := s.report(b, s.str, s.tooLarge("a string that may hold a message")); err != nil {
			return false, err
		}
	}
	return false, s.skipString()
}

func (s *splitter) tooLarge(what string) string {
	return fmt.Sprintf("%s of more than %d bytes is not looked into; raise MaxBytes (--max-bytes) for it", what, s.options.MaxBytes)
}

// looksLikeJSON says whether the text of a string begins as an array, an object or a string does.
func looksLikeJSON(text []byte) bool {
	for i, c := range text {
		switch c {
		case ' ':
		case '\\':
			return bytes.HasPrefix(text[i+1:], []byte{'"'}) || bytes.HasPrefix(text[i+1:], []byte("n")) || bytes.HasPrefix(text[i+1:], []byte("u"))
		default:
			return c == '{' || c == '['
		}
	}
	return false
}

// looksLikeEnvelope says whether the object that begins in view may be an envelope, by the names
// of the members that are there, and whether it is one but for its end.
func (s *splitter) looksLikeEnvelope(b []byte, child bracket) (looks, is bool) {
	if b[child.start] != '{' {
		return false, false
	}
	from := child.start + 1
	var ok, id bool
	if child.comma >= 0 {
		s.scratch = append(append(append(s.scratch[:0], '{'), b[from:child.comma]...), '}')
		if s.tape.Parse(s.scratch, jsontape.Options{IndexDepth: 2}) != nil {
			return false, false
		}
		ok, id = s.tape.Member(0, "ok") > 0, s.tape.Member(0, "schema_id") > 0
		looks = ok || id || s.tape.Member(0, "payload") > 0
		from = child.comma + 1
	}
	// The member that is not complete has a name too.
	rest := bytes.TrimLeft(b[from:min(len(b), from+100)], " \t\r\n")
	payload := bytes.HasPrefix(rest, []byte(`"payload"`)) || bytes.HasPrefix(rest, []byte(`"error"`))
	return looks || payload, ok && id && payload
}

// skipString drops the string that s.str is the beginning of, without keeping it, but checks it.
func (s *splitter) skipString() error {
	s.drop(s.str + 1)
	s.rest()
	at := 0
	for {
		b, whole := s.more()
		end, safe := endOfString(b, at)
		if end < 0 && len(b) < s.in.window && !whole {
			at = safe
			s.in.fill(s.in.window)
			continue
		}
		if end >= 0 {
			safe = end
		}
		s.scratch = append(append(append(s.scratch[:0], '"'), b[:safe]...), '"')
		if err := s.piece(pieceText, s.scratch, b, 0, 1, 0); err != nil {
			return err
		}
		if end >= 0 {
			s.drop(end + 1)
			s.rest()
			s.want = wantNext
			return nil
		}
		if whole {
			return s.endsEarly(b)
		}
		s.drop(safe)
		at = 0
	}
}
