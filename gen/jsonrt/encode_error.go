package jsonrt

import (
	"errors"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// EncodeError says which part of a Go value cannot be encoded. MarshalJSON and Validate of
// generated types return it; json.Marshal wraps it.
type EncodeError struct {
	// Path is the RFC 6901 pointer to the place in the document that would have come out.
	Path string
	// Err says what is wrong: "a required value is nil".
	Err error
}

func (e *EncodeError) Error() string {
	if e.Path == "" {
		return e.Err.Error()
	}
	return e.Path + ": " + e.Err.Error()
}

// Unwrap is Err.
func (e *EncodeError) Unwrap() error { return e.Err }

// failure is the error of the value that would come next after written. An error that has a
// place, from a value that was encoded by itself, keeps it below that.
func failure(written []byte, err error) *EncodeError {
	path := nextPointer(written)
	if inner := (*EncodeError)(nil); errors.As(err, &inner) {
		return &EncodeError{Path: path + inner.Path, Err: inner.Err}
	}
	return &EncodeError{Path: path, Err: err}
}

// level is an array or object that is not closed.
type level struct {
	name  []byte // of an object: the quoted name of the member begun, or nil
	index int    // of an array: the elements that have a comma after them
	array bool
}

// nextPointer is the pointer to the value that would come next after the beginning of a
// document. It is worked out when it is needed, so that values that encode pay nothing for it.
func nextPointer(written []byte) string {
	var open []level
	for i := 0; i < len(written); i++ {
		switch c := written[i]; c {
		case '{', '[':
			open = append(open, level{array: c == '['})
		case '}', ']':
			open = open[:len(open)-1]
		case ',':
			top := &open[len(open)-1]
			top.index++
			top.name = nil
		case '"':
			end := stringEnd(written, i)
			if end < len(written) && written[end] == ':' {
				open[len(open)-1].name = written[i:end]
			}
			i = end - 1
		}
	}
	if n := len(open) - 1; n >= 0 && written[len(written)-1] != '[' && written[len(written)-1] != ',' {
		open[n].index++
		if written[len(written)-1] != ':' {
			open[n].name = nil
		}
	}
	var path strings.Builder
	for _, l := range open {
		switch {
		case l.array:
			path.WriteString("/" + strconv.Itoa(l.index))
		case l.name != nil:
			path.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(unquote(l.name)))
		}
	}
	return path.String()
}

// stringEnd is the index after the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// unquote is the string that a JSON string stands for.
func unquote(quoted []byte) string {
	var t jsontape.Tape
	if t.Parse(quoted, jsontape.Options{}) != nil {
		return ""
	}
	return strings.Clone(t.Str(0))
}
