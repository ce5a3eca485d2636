package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/zenlix/echo-mcp/internal/printable"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// content writes one part of a result for a person: a text as it stands, anything else as a line
// that says what it is.
func (o *output) content(c client.Content) {
	switch c.Type {
	case "text":
		o.text(c.Text)
	case "image", "audio":
		o.thing(c.Type, c.MIMEType, "", encodedSize(c.Data))
	case "resource_link":
		o.thing("link to a resource", c.MIMEType, cmp.Or(c.URI, c.Name), "")
	case "resource":
		if c.Resource != nil {
			o.resource(*c.Resource)
			return
		}
		o.thing("resource", "", "", "")
	default:
		o.thing("content of the type "+c.Type, "", "", fmt.Sprintf("%d bytes", len(c.Raw)))
	}
}

// resource writes what a resource holds.
func (o *output) resource(r client.ResourceContents) {
	if r.IsText {
		o.text(r.Text)
		return
	}
	o.thing("resource", r.MIMEType, r.URI, encodedSize(r.Blob))
}

// thing writes a line that says what something is: [image, image/png, 1234 bytes].
func (o *output) thing(words ...string) {
	var said []string
	for _, word := range words {
		if word != "" {
			said = append(said, printable.Text(word))
		}
	}
	fmt.Fprintf(o, "[%s]\n", strings.Join(said, ", "))
}

// encodedSize is the size of what stands in base64.
func encodedSize(text string) string {
	return counts(len(strings.TrimRight(text, "="))*3/4, "byte")
}

// rawParts writes the parts of a result that have bytes of their own, without anything between or
// after them.
func (o *output) rawParts(parts []client.Content) error {
	for _, c := range parts {
		switch {
		case c.Type == "text":
			_, _ = o.WriteString(c.Text)
		case c.Resource != nil:
			if err := o.rawResource(*c.Resource); err != nil {
				return err
			}
		case c.Type == "image" || c.Type == "audio":
			data, err := c.Bytes()
			if err != nil {
				return errNotBase64
			}
			_, _ = o.Write(data)
		}
	}
	return nil
}

func (o *output) rawResource(r client.ResourceContents) error {
	data, err := r.Bytes()
	if err != nil {
		return errNotBase64
	}
	_, _ = o.Write(data)
	return nil
}

var errNotBase64 = &exitError{exitUnreachable, errors.New("the server has sent data that is not base64")}
