package jsontape_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// token is a jsontape.Token with its text, as tests compare it.
type token struct {
	text  string
	next  int
	kind  jsontape.Kind
	flags jsontape.Flags
}

// tokens lists what is on the tape.
func tokens(tape *jsontape.Tape) []token {
	list := []token{}
	for _, k := range tape.Tokens {
		list = append(list, token{string(tape.Data[k.Start:k.End]), int(k.Next), k.Kind, k.Flags})
	}
	return list
}

// reference makes the tokens of a valid document in the plainest way: by recursion, byte
// by byte.
type reference struct {
	text  string
	limit int // indexed depth
	list  []token
}

func referenceTokens(valid string, indexDepth int) []token {
	r := reference{text: valid, limit: indexDepth, list: []token{}}
	r.value(r.space(0), 1)
	return r.list
}

func (r *reference) value(at, depth int) (end int) {
	i := len(r.list)
	k := token{}
	if depth <= r.limit {
		r.list = append(r.list, k)
	}
	end = at + 1
	switch c := r.text[at]; c {
	case '{', '[':
		k.kind = jsontape.Array
		if c == '{' {
			k.kind = jsontape.Object
		}
		for end = r.space(end); r.text[end] != '}' && r.text[end] != ']'; end = r.space(end) {
			if c == '{' {
				end = r.space(r.value(end, depth+1)) // the name
				end = r.space(end + len(":"))
			}
			end = r.space(r.value(end, depth+1))
			if r.text[end] == ',' {
				end = r.space(end + 1)
			}
		}
		end++
	case '"':
		k.kind = jsontape.String
		for ; r.text[end] != '"'; end++ {
			if r.text[end] == '\\' {
				k.flags |= jsontape.Escaped
				end++
			}
			if r.text[end] >= 0x80 {
				k.flags |= jsontape.NonASCII
			}
		}
		end++
	case 'n':
		k.kind = jsontape.Null
		end = at + len("null")
	case 't':
		k.kind = jsontape.True
		end = at + len("true")
	case 'f':
		k.kind = jsontape.False
		end = at + len("false")
	default:
		k.kind = jsontape.Number
		k.flags = jsontape.Integer
		for end = at; end < len(r.text); end++ {
			switch r.text[end] {
			case '-', '+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
				continue
			case '.', 'e', 'E':
				k.flags = 0
				continue
			}
			break
		}
	}
	if depth <= r.limit {
		k.text = r.text[at:end]
		k.next = len(r.list)
		r.list[i] = k
	}
	return end
}

func (r *reference) space(at int) int {
	for at < len(r.text) && (r.text[at] == ' ' || r.text[at] == '\n' || r.text[at] == '\t' || r.text[at] == '\r') {
		at++
	}
	return at
}

// dirty makes the tape hold every wrong thing that an earlier document can leave behind.
func dirty(tape *jsontape.Tape) {
	tape.Tokens = tape.Tokens[:cap(tape.Tokens)]
	for i := range tape.Tokens {
		tape.Tokens[i] = jsontape.Token{Start: 1e9, End: 1e9, Next: 1e9, Kind: 99, Flags: 0xFF}
	}
}

// parse reads a document that must be valid.
func parse(tb testing.TB, text string) *jsontape.Tape {
	tb.Helper()
	tape := new(jsontape.Tape)
	require.NoError(tb, tape.Parse([]byte(text), jsontape.Options{}))
	return tape
}

// syntaxError checks that Parse and Valid refuse the document alike, and leave no tokens.
func syntaxError(tb testing.TB, text string, o jsontape.Options) *jsontape.SyntaxError {
	tb.Helper()
	tape := parse(tb, `[{"left": "over"}]`)
	err := tape.Parse([]byte(text), o)
	var fault *jsontape.SyntaxError
	require.ErrorAs(tb, err, &fault, "%.100q", text)
	require.Empty(tb, tape.Tokens)
	if o == (jsontape.Options{}) {
		require.Equal(tb, err, jsontape.Valid([]byte(text)))
	}
	return fault
}
