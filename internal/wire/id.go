package wire

import (
	"bytes"
	"encoding/base64"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// standIn begins the string that stands for an id which mcp-go would not return as it was
// received. What follows is the id's text in base64, so nobody has to remember it.
const standIn = "echo-mcp.id:"

// maxExactInteger is the largest integer up to which float64, which mcp-go decodes ids
// into, has all of them.
const maxExactInteger = 1 << 53

// idFault says why the value at token i can't be an id; "" if it can. JSON-RPC section 4
// advises against null and fractions, MCP forbids null.
func idFault(t *jsontape.Tape, i int) string {
	k := &t.Tokens[i]
	if size := int(k.End - k.Start); size > maxForwardBytes {
		return "the id has " + strconv.Itoa(size) + " bytes, more than the " + strconv.Itoa(maxForwardBytes) + " that it may have"
	}
	if k.Kind == jsontape.String || k.Kind == jsontape.Number && k.Flags&jsontape.Integer != 0 {
		return ""
	}
	if k.Kind == jsontape.Number {
		return "the id must be a string or an integer, written without fraction and exponent"
	}
	return "the id must be a string or an integer, not " + article(k.Kind)
}

// IDKey is the id with this text in a form that can be compared: two texts of one id, such
// as "A" and "\u0041", have one key, and 1 and "1" have two.
func IDKey(text []byte) string {
	if len(text) > 0 && text[0] == '"' {
		return "s" + string(jsontape.AppendUnquoted(nil, text))
	}
	return "n" + string(text)
}

// appendIDCut appends what has to be done to the id at token i before mcp-go sees it.
func appendIDCut(cuts []cut, t *jsontape.Tape, i int) []cut {
	// One that is too long for mcp-go makes the message too large as it is.
	if text := t.Bytes(i); len(text) <= maxForwardBytes && !survives(text, &t.Tokens[i]) {
		return append(cuts, cutToken(t, i, encodeID(text)))
	}
	return cuts
}

// survives reports whether mcp-go returns the id with exactly this text.
func survives(text []byte, k *jsontape.Token) bool {
	switch {
	case k.Kind == jsontape.Number && k.Flags&jsontape.Integer != 0:
		n, err := strconv.ParseInt(string(text), 10, 64)
		return err == nil && -maxExactInteger <= n && n <= maxExactInteger && string(text) != "-0"
	case k.Kind == jsontape.String:
		return k.Flags&(jsontape.Escaped|jsontape.NonASCII) == 0 && !bytes.ContainsAny(text, "<>&") &&
			!bytes.HasPrefix(text[1:], []byte(standIn))
	}
	return true // not an id: mcp-go deals with it
}

// encodeID is the stand-in for the id with this text, as a JSON string.
func encodeID(text []byte) []byte {
	out := make([]byte, 0, len(standIn)+base64.RawURLEncoding.EncodedLen(len(text))+2)
	out = append(append(out, '"'), standIn...)
	return append(base64.RawURLEncoding.AppendEncode(out, text), '"')
}

// decodeID is the text of the id that a stand-in, the text of a JSON string, stands for.
func decodeID(text []byte) (id []byte, ok bool) {
	rest, ok := bytes.CutPrefix(text, []byte(`"`+standIn))
	if !ok {
		return nil, false
	}
	id, err := base64.RawURLEncoding.AppendDecode(nil, rest[:len(rest)-1])
	return id, err == nil
}
