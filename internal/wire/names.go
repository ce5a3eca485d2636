package wire

import (
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// The names that structure a message. mcp-go decodes with encoding/json, for which METHOD,
// "\u006dethod" and paramſ are the same names; another reader of the same bytes, a proxy
// say, sees other names. No message may mean two things, so those spellings are refused.
var (
	messageNames  = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	paramsNames   = []string{"name", "arguments", "_meta"}
	argumentNames = []string{"schema_id", "payload"}
)

// members looks for the names among the members of the object at token obj and puts the
// token of each value found into the place of the same index. It returns the first fault:
// a name that is there twice, or a member that passes for one of the names but isn't
// spelled like it.
func members(t *jsontape.Tape, obj int, names []string, values []*int) (fault string) {
	for i := obj + 1; i < t.Next(obj); i = t.Next(i + 1) {
		k, exact := match(t, i, names)
		switch {
		case k < 0:
		case !exact:
			if fault == "" {
				fault = "the member name " + clip(t.Bytes(i)) + ` can be taken for "` + names[k] + `": write it exactly so, or leave it out`
			}
		case *values[k] != 0:
			if fault == "" {
				fault = `the member "` + names[k] + `" is there twice: keep one of the two`
			}
		default:
			*values[k] = i + 1
		}
	}
	return fault
}

// longestEscape is how many bytes one character of a name can be written with: \u212a.
const longestEscape = 6

// match is the index of the name that the member name at token i is (exact) or passes for;
// -1 if it is none of them.
func match(t *jsontape.Tape, i int, names []string) (k int, exact bool) {
	text := t.Bytes(i)
	text = text[1 : len(text)-1]
	flags := t.Tokens[i].Flags
	for k, n := range names {
		if string(text) == n {
			return k, true
		}
		if flags&(jsontape.Escaped|jsontape.NonASCII) == 0 && len(text) != len(n) || len(text) > longestEscape*len(n) {
			continue
		}
		if strings.EqualFold(t.Str(i), n) {
			return k, false
		}
	}
	return -1, false
}

// count is how many members of the object at token obj have exactly this name.
func count(t *jsontape.Tape, obj int, name string) int {
	n := 0
	for i := obj + 1; i < t.Next(obj); i = t.Next(i + 1) {
		if len(t.Bytes(i)) <= longestEscape*len(name)+len(`""`) && t.Str(i) == name {
			n++
		}
	}
	return n
}

// maxQuoted is how much of a caller's text a message quotes.
const maxQuoted = 80

// clip shortens text that comes from a caller for use in a message.
func clip[T string | []byte](s T) string {
	if len(s) <= maxQuoted {
		return string(s)
	}
	return strings.ToValidUTF8(string(s[:maxQuoted]), "") + "…"
}

// article names a kind with its article: "a string", "an object", "null".
func article(k jsontape.Kind) string {
	switch k {
	case jsontape.Null:
		return "null"
	case jsontape.Object, jsontape.Array:
		return "an " + k.String()
	case jsontape.Invalid, jsontape.False, jsontape.True, jsontape.Number, jsontape.String:
	}
	return "a " + k.String()
}
