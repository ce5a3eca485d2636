// Package lookaround runs the few patterns that need look-around or back-references, on
// github.com/dlclark/regexp2, a backtracking engine. Generated code imports it only for
// them; every other pattern takes linear time without it.
package lookaround

import (
	"math/bits"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

const (
	// TimeLimit bounds the time for a string of up to 64 KiB; a string of twice that size has
	// twice the time, and so on. Backtracking can take exponential time; a string that is not
	// decided within the limit counts as one that does not match.
	TimeLimit = 100 * time.Millisecond
	// sizeClasses is how often the time is doubled at most.
	sizeClasses = 16
	// stackLimit bounds the memory for one string, in integers. Beyond it a string counts as
	// one that does not match, too.
	stackLimit = 8 << 20
)

// Pattern is an ECMA-262 regular expression under the u flag. It costs nothing until its
// first use.
type Pattern struct {
	// Expr is the expression, written by the compiler of schemas.
	Expr string

	// The time limit belongs to an engine, so there is one for each class of sizes.
	engines [sizeClasses]struct {
		once sync.Once
		*regexp2.Regexp
	}
}

// Match reports whether the expression is found anywhere in s within TimeLimit. A lone
// surrogate in s, in the form that UTF-8 would have for it, counts as one code point.
func (p *Pattern) Match(s string) bool {
	class := min(bits.Len(uint(len(s)>>16)), sizeClasses-1)
	engine := &p.engines[class]
	engine.once.Do(func() {
		engine.Regexp = regexp2.MustCompile(p.Expr, options, regexp2.OptionMaxBacktrackingStackSize(stackLimit))
		engine.MatchTimeout = TimeLimit << class
	})
	matched, err := engine.MatchRunes(runes(s))
	return err == nil && matched
}

// Check reports why the engine refuses an expression, for the compiler of schemas.
func Check(expr string) error {
	_, err := regexp2.Compile(expr, options)
	return err
}

const options = regexp2.ECMAScript | regexp2.Unicode

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
