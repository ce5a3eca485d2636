package toolkit

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// Content is a block of a result: [Text], [Image], [Audio] or [File].
type Content interface {
	// appendTo appends the block as JSON. The error says what the author has forgotten.
	appendTo(pieces []wire.Piece) ([]wire.Piece, error)
}

// Text is text for people and models.
type Text string

// Image is an image. The functions that make one take PNG, JPEG, GIF and WebP.
type Image struct {
	// Data is the file.
	Data []byte
	// MIMEType is its media type, such as "image/png".
	MIMEType string
}

// Audio is a recording. The functions that make one take MP3, WAV, OGG and M4A.
type Audio struct {
	// Data is the file.
	Data []byte
	// MIMEType is its media type, such as "audio/mpeg".
	MIMEType string
}

// File is a file of any type, an embedded resource in the words of MCP. It has Text or Data.
type File struct {
	// URI says where the file comes from. It is required, and need not be one that can be read.
	URI string
	// MIMEType is its media type. "" leaves it out.
	MIMEType string
	// Text is the file where it is text, Data where it is not. Data counts where it is not nil.
	Text string
	Data []byte
}

// FileText makes a file of text. uri is what it is known by, such as "notes:///today.md".
func FileText(uri, mimeType, text string) File {
	return File{URI: uri, MIMEType: mimeType, Text: text}
}

// FileBytes makes a file of bytes.
func FileBytes(uri, mimeType string, data []byte) File {
	if data == nil {
		data = []byte{}
	}
	return File{URI: uri, MIMEType: mimeType, Data: data}
}

// FileBase64 makes a file of bytes in base64 (RFC 4648), with or without "data:…;base64," before
// it. The error says where the text is none.
func FileBase64(uri, mimeType, text string) (File, error) {
	data, given, err := decodeBase64(text)
	if err != nil {
		return File{}, err
	}
	if mimeType == "" {
		mimeType = given
	}
	return FileBytes(uri, mimeType, data), nil
}

func (t Text) appendTo(pieces []wire.Piece) ([]wire.Piece, error) {
	return append(pieces, raw(`{"type":"text","text":"`), escaped(string(t)), raw(`"}`)), nil
}

var errNoMIMEType = errors.New("an image or a recording needs Data and MIMEType")

func (i Image) appendTo(pieces []wire.Piece) ([]wire.Piece, error) {
	return appendMedia(pieces, "image", i.MIMEType, i.Data)
}

func (a Audio) appendTo(pieces []wire.Piece) ([]wire.Piece, error) {
	return appendMedia(pieces, "audio", a.MIMEType, a.Data)
}

func appendMedia(pieces []wire.Piece, kind, mimeType string, data []byte) ([]wire.Piece, error) {
	if mimeType == "" || len(data) == 0 {
		return nil, errNoMIMEType
	}
	return append(pieces, raw(`{"type":"`+kind+`","mimeType":"`), escaped(mimeType), raw(`","data":"`), inBase64(data), raw(`"}`)), nil
}

var errNoURI = errors.New("a file needs a URI")

func (f File) appendTo(pieces []wire.Piece) ([]wire.Piece, error) {
	if f.URI == "" {
		return nil, errNoURI
	}
	return append(f.appendContents(append(pieces, raw(`{"type":"resource","resource":`))), raw(`}`)), nil
}

// appendContents appends the file as the contents of a resource.
func (f File) appendContents(pieces []wire.Piece) []wire.Piece {
	pieces = append(pieces, raw(`{"uri":"`), escaped(f.URI), raw(`"`))
	if f.MIMEType != "" {
		pieces = append(pieces, raw(`,"mimeType":"`), escaped(f.MIMEType), raw(`"`))
	}
	if f.Data != nil {
		return append(pieces, raw(`,"blob":"`), inBase64(f.Data), raw(`"}`))
	}
	return append(pieces, raw(`,"text":"`), escaped(f.Text), raw(`"}`))
}

func raw(text string) wire.Piece { return wire.Piece{Text: []byte(text)} }

func escaped(text string) wire.Piece {
	return wire.Piece{Text: []byte(strings.ToValidUTF8(text, "�")), Escaped: true}
}

func inBase64(data []byte) wire.Piece {
	return wire.Piece{Text: base64.StdEncoding.AppendEncode(make([]byte, 0, base64.StdEncoding.EncodedLen(len(data))), data)}
}

// Result is a result as a tool wants it. A tool that returns one has its content sent as it is; only
// where there is no content, the structured content is sent as text, too. What a tool with an output
// schema returns must have structured content that satisfies it, unless IsError is set: such a
// result is sent as it stands.
type Result struct {
	// Content are the blocks.
	Content []Content
	// Structured is the structured content: a json.RawMessage, or any value that encoding/json
	// encodes. nil is none.
	Structured any
	// IsError says that the tool has failed, and the content why.
	IsError bool
	// Meta is what the result's _meta holds. nil is none.
	Meta map[string]any
}

// Failure is the result of a tool that has failed, for a tool that has more to say than an error:
// its content says why.
func Failure(content ...Content) *Result { return &Result{Content: content, IsError: true} }

// blocks are the contents that a value of a type for content stands for.
func blocks(value any) ([]Content, error) {
	switch v := value.(type) {
	case string:
		return []Content{Text(v)}, nil
	case Content:
		return []Content{v}, nil
	case []string:
		all := make([]Content, len(v))
		for i, text := range v {
			all[i] = Text(text)
		}
		return all, nil
	case []Content:
		return v, nil
	case []Text:
		return contents(v), nil
	case []Image:
		return contents(v), nil
	case []Audio:
		return contents(v), nil
	case []File:
		return contents(v), nil
	case []any:
		all := make([]Content, len(v))
		for i, part := range v {
			switch part := part.(type) {
			case string:
				all[i] = Text(part)
			case Content:
				all[i] = part
			default:
				return nil, errNoContent
			}
		}
		return all, nil
	}
	return nil, errNoContent
}

var errNoContent = errors.New("the result holds something that is neither a string nor content")

func contents[T Content](list []T) []Content {
	all := make([]Content, len(list))
	for i, c := range list {
		all[i] = c
	}
	return all
}

// pieces are the JSON of blocks.
func pieces(content []Content) (p []wire.Piece, err error) {
	p = append(p, raw("["))
	for i, c := range content {
		if i > 0 {
			p = append(p, raw(","))
		}
		if c == nil {
			return nil, errNoContent
		}
		if p, err = c.appendTo(p); err != nil {
			return nil, err
		}
	}
	return append(p, raw("]")), nil
}

// isObject reports whether a document, which is JSON, is an object.
func isObject(data []byte) bool {
	for _, c := range data {
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return c == '{'
	}
	return false
}

// checkJSON is what is wrong with bytes that a tool gives for JSON, nil if nothing.
func checkJSON(data []byte) error { return jsontape.Valid(data) }
