// Package lookaround runs the few patterns that need look-around or back-references, on
// github.com/dlclark/regexp2, a backtracking engine. Generated code imports it only for
// them; every other pattern takes linear time without it.
package lookaround

import (
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

const (
	// TimeLimit bounds the time for one string. Backtracking can take exponential time; a
	// string that is not decided within the limit counts as one that does not match.
	TimeLimit = 100 * time.Millisecond
	// stackLimit bounds the memory for one string, in integers. Beyond it a string counts as
	// one that does not match, too.
	stackLimit = 8 << 20
)

// Pattern is an ECMA-262 regular expression under the u flag. It costs nothing until its
// first use.
type Pattern struct {
	// Expr is the expression, written by the compiler of schemas.
	Expr string

	once   sync.Once
	engine *regexp2.Regexp
}

// Match reports whether the expression is found anywhere in s within TimeLimit. A lone
// surrogate in s, in the form that UTF-8 would have for it, counts as one code point.
func (p *Pattern) Match(s string) bool {
	p.once.Do(p.compile)
	matched, err := p.engine.MatchRunes(runes(s))
	return err == nil && matched
}

// Check reports why the engine refuses an expression, for the compiler of schemas.
func Check(expr string) error {
	_, err := regexp2.Compile(expr, options)
	return err
}

const options = regexp2.ECMAScript | regexp2.Unicode

func (p *Pattern) compile() {
	p.engine = regexp2.MustCompile(p.Expr, options, regexp2.OptionMaxBacktrackingStackSize(stackLimit))
	p.engine.MatchTimeout = TimeLimit
}

// The engine is not at home with lone surrogates (some of its searches go through UTF-8), so
// they change places with as many code points at the end of the private use area, in the
// expression and in the string alike.
const (
	FirstSurrogate = 0xD800
	LastSurrogate  = 0xDFFF
	FirstStandIn   = unicode.MaxRune - (LastSurrogate - FirstSurrogate)
)

// runes decodes s for the engine.
func runes(s string) []rune {
	const distance = FirstStandIn - FirstSurrogate
	list := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case size == 1 && r == utf8.RuneError && len(s)-i >= 3 && s[i] == 0xED:
			r, size = distance+(rune(s[i]&0x0F)<<12|rune(s[i+1]&0x3F)<<6|rune(s[i+2]&0x3F)), 3
		case r >= FirstStandIn:
			r -= distance
		}
		list = append(list, r)
		i += size
	}
	return list
}
