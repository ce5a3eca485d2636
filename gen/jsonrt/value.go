package jsonrt

import (
	"sync"
	"unsafe"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// GeneratedV3 is named by generated code. It gets a new name whenever generated code has to
// be made anew to fit this package.
const GeneratedV3 = 1

// Types is a set of JSON types.
type Types uint16

// The types of an instance. Integer is no type of its own here: see Checker.IsInteger.
const (
	Null    Types = 1 << jsontape.Null
	Boolean Types = 1<<jsontape.False | 1<<jsontape.True
	Number  Types = 1 << jsontape.Number
	String  Types = 1 << jsontape.String
	Array   Types = 1 << jsontape.Array
	Object  Types = 1 << jsontape.Object
)

// Kind is the kind of the value at v.
func (c *Checker) Kind(v int) jsontape.Kind { return c.tokens[v].Kind }

// Next is the token after the value at v and everything inside it.
func (c *Checker) Next(v int) int { return int(c.tokens[v].Next) }

// Name is the decoded member name, or string value, at v. It is valid as long as the walk.
func (c *Checker) Name(v int) string {
	k := &c.decoded[v]
	return c.texts[k.Flags&jsontape.Escaped][k.Start+1 : k.End-1]
}

// decode makes the strings of the document ready for Name. Those without an escape are views
// into the document, the first text. Those with one are decoded into the second text, once,
// and a copy of the tokens says where. So Name needs no branch, which lets the compiler
// inline it (every member name of a document passes by), and nothing is allocated once the
// memory is warm.
func (c *Checker) decode(root int) {
	c.decoded = c.tokens
	c.texts[0] = unsafe.String(unsafe.SliceData(c.data), len(c.data))
	if !c.tape.HasEscapes() {
		return
	}
	end := c.Next(root)
	c.copied, c.buffer = append(c.copied[:0], c.tokens[:end]...), c.buffer[:0]
	for v := root; v < end; v++ {
		k := &c.copied[v]
		if k.Kind == jsontape.String && k.Flags&jsontape.Escaped != 0 {
			start := uint32(len(c.buffer))
			c.buffer = append(jsontape.AppendUnquoted(append(c.buffer, '"'), c.data[k.Start:k.End]), '"')
			k.Start, k.End = start, uint32(len(c.buffer))
		}
	}
	c.decoded = c.copied
	c.texts[jsontape.Escaped] = unsafe.String(unsafe.SliceData(c.buffer), len(c.buffer))
}

// Is reports whether the value at v has one of types.
func (c *Checker) Is(v int, types Types) bool {
	return types&(1<<c.tokens[v].Kind) != 0
}

// Len is the number of elements of an array, or of members of an object.
func (c *Checker) Len(v int) int { return c.tape.Len(v) }

// Has reports whether the value at v is an object with a member name.
func (c *Checker) Has(v int, name string) bool {
	return c.tokens[v].Kind == jsontape.Object && c.tape.Member(v, name) >= 0
}

// Tag is the string that the member name of the object at v holds. Where there is none it is a
// string that no constant of a schema equals.
func (c *Checker) Tag(v int, name string) string {
	if c.tokens[v].Kind == jsontape.Object {
		if m := c.tape.Member(v, name); m >= 0 && c.tokens[m].Kind == jsontape.String {
			return c.Name(m)
		}
	}
	return noString
}

// TagText is Tag for a member that holds a boolean or an integer, as ScalarText gives it.
func (c *Checker) TagText(v int, name string) string {
	if c.tokens[v].Kind == jsontape.Object {
		if m := c.tape.Member(v, name); m >= 0 {
			if k := &c.tokens[m]; k.Flags&jsontape.Integer != 0 && k.End-k.Start <= maxFastDigits && c.data[k.Start] != '-' {
				return c.texts[0][k.Start:k.End] // as nearly every one is written
			}
			if text, ok := ScalarText(c.Text(m)); ok {
				return text
			}
		}
	}
	return noString
}

// noString is what no decoded JSON string equals: it is not UTF-8.
const noString = "\xff"

// StringOrNone is the decoded string at v. For a value of another type it is a string that no
// constant of a schema equals.
func (c *Checker) StringOrNone(v int) string {
	if c.tokens[v].Kind != jsontape.String {
		return noString
	}
	return c.Name(v)
}

// StringIs reports whether the value at v is the string s.
func (c *Checker) StringIs(v int, s string) bool {
	return c.tokens[v].Kind == jsontape.String && c.Name(v) == s
}

// NumberIs reports whether the value at v is the number that the JSON text stands for.
func (c *Checker) NumberIs(v int, text string) bool {
	return c.tokens[v].Kind == jsontape.Number && EqualNumber(c.Text(v), []byte(text))
}

// Equals reports whether the value at v equals a constant of the schema.
func (c *Checker) Equals(v int, constant *Constant) bool {
	return Equal(c.tape, v, constant.parsed(), 0)
}

// Constant is an array or object that a schema compares with. It is parsed on first use.
type Constant struct {
	Text string
	once sync.Once
	tape jsontape.Tape
}

func (k *Constant) parsed() *jsontape.Tape {
	k.once.Do(func() {
		// The text was cut out of a schema file that has been parsed with the same limits.
		if err := k.tape.Parse([]byte(k.Text), jsontape.Options{}); err != nil {
			panic("jsonrt: a constant of a schema is not JSON: " + err.Error()) //nolint:forbidigo // cannot happen, see above
		}
	})
	return &k.tape
}

// Text is the exact text of the value at v.
func (c *Checker) Text(v int) []byte {
	k := &c.tokens[v]
	return c.data[k.Start:k.End]
}

// IsInteger reports whether the value at v is a number without a fractional part, however it
// is written: 1, 1.0 and 10e-1 are integers (JSON Schema validation 2020-12, section 6.1.1).
func (c *Checker) IsInteger(v int) bool {
	return c.tokens[v].Flags&jsontape.Integer != 0 || c.isIntegral(v)
}

func (c *Checker) isIntegral(v int) bool {
	return c.tokens[v].Kind == jsontape.Number && IsInteger(c.Text(v))
}

// Runes is the length of the string at v in code points.
func (c *Checker) Runes(v int) int {
	if k := c.tokens[v]; k.Flags&(jsontape.Escaped|jsontape.NonASCII) == 0 {
		return int(k.End-k.Start) - 2
	}
	return RuneCount(c.tape, v)
}

// Quiet makes the checks that follow give a verdict only. The result goes to Restore.
func (c *Checker) Quiet() (loud bool) {
	loud = c.loud
	c.loud = false
	return loud
}

// Restore ends what Quiet began.
func (c *Checker) Restore(loud bool) { c.loud = loud }
