// Package ecma parses regular expressions as ECMA-262 (2025, section 22.2.1) defines them
// under the u flag, the dialect of JSON Schema. It only parses: the schema compiler turns the
// tree into something that Go can run, and the format "regex" wants the verdict alone.
package ecma

// Op says what a Node stands for.
type Op uint8

// The kinds of Node.
const (
	Empty     Op = iota // nothing; matches everywhere
	Char                // one code point: Char
	Any                 // . without the s flag: any code point but a line terminator
	Class               // one code point of a set: Items, Negate
	Start               // ^
	End                 // $
	Boundary            // \b, or \B with Negate
	Group               // ( … ): Sub[0]; Index 0 if it does not capture
	Look                // look-ahead, or look-behind with Behind: Sub[0], Negate
	Backref             // \1 or \k<name>: Indexes
	Concat              // Sub one after the other
	Alternate           // one of Sub
	Repeat              // Sub[0] from Min to Max times
)

// Unlimited is the Max of a Repeat without an upper bound. Larger counts than it are taken
// for it.
const Unlimited = 1<<31 - 1

// Flags are the modifiers in force at a node: (?i: … ), (?m: … ), (?s: … ).
type Flags uint8

// The modifiers. Only groups set them, because a JSON Schema pattern has no flags of its own
// besides u.
const (
	IgnoreCase Flags = 1 << iota
	Multiline
	DotAll
)

// Node is a part of a regular expression.
type Node struct {
	Op       Op
	Flags    Flags
	Negate   bool // Class, Boundary, Look
	Behind   bool // Look
	Lazy     bool // Repeat
	Char     rune
	Min, Max int    // Repeat
	Index    int    // Group: its number from 1, or 0
	Name     string // Group and Backref, where it has one
	Indexes  []int  // Backref: the groups meant; several only where a name is used twice
	Items    []Item // Class
	Sub      []*Node
	Pos      int // offset in the pattern
}

// Item is one part of a Class: the range Lo to Hi, or what Escape stands for.
type Item struct {
	Lo, Hi rune
	// Escape is 0 for a range, else the letter of \d, \D, \s, \S, \w, \W, \p or \P.
	Escape byte
	// Property and Value are the parts of \p{Property=Value}; a lone value or a binary
	// property has only Property. They are known names.
	Property, Value string
}

// Regexp is a parsed regular expression.
type Regexp struct {
	Root *Node
	// Groups is the number of capturing groups.
	Groups int
	// Lenient says that the u grammar refused the pattern and Annex B was needed to read it.
	Lenient bool
}

// SyntaxError says why a pattern can't be read.
type SyntaxError struct {
	// Offset is the position in the pattern, in bytes.
	Offset int
	Msg    string
}

func (e *SyntaxError) Error() string { return e.Msg }
