package runtimeschema

import (
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// formats are the formats that are checked as generated code checks them, and what a message calls
// a value that has one. The library checks the host names.
var formats = map[string]struct {
	called string
	valid  func(string) bool
}{
	"date-time":             {"a date and time as in RFC 3339, such as 2025-01-31T12:00:00Z", jsonrt.FormatDateTime},
	"date":                  {"a date as in RFC 3339, such as 2025-01-31", jsonrt.FormatDate},
	"time":                  {"a time with offset as in RFC 3339, such as 12:00:00Z", jsonrt.FormatTime},
	"duration":              {"an ISO 8601 duration, such as P3DT4H", jsonrt.FormatDuration},
	"email":                 {"an e-mail address", jsonrt.FormatEmail},
	"idn-email":             {"an e-mail address", jsonrt.FormatIDNEmail},
	"hostname":              {"a host name", nil},
	"idn-hostname":          {"a host name", nil},
	"ipv4":                  {"an IPv4 address, such as 192.0.2.1", jsonrt.FormatIPv4},
	"ipv6":                  {"an IPv6 address, such as 2001:db8::1", jsonrt.FormatIPv6},
	"uri":                   {"an absolute URI, such as https://example.com/a", jsonrt.FormatURI},
	"uri-reference":         {"a URI or a relative reference", jsonrt.FormatURIReference},
	"iri":                   {"an absolute IRI", jsonrt.FormatIRI},
	"iri-reference":         {"an IRI or a relative reference", jsonrt.FormatIRIReference},
	"uri-template":          {"a URI template (RFC 6570)", jsonrt.FormatURITemplate},
	"uuid":                  {"a UUID, such as 123e4567-e89b-12d3-a456-426614174000", jsonrt.FormatUUID},
	"json-pointer":          {"a JSON Pointer, such as /a/0", jsonrt.FormatJSONPointer},
	"relative-json-pointer": {"a relative JSON Pointer, such as 1/a", jsonrt.FormatRelativeJSONPointer},
	"regex":                 {"a regular expression (ECMA-262)", jsonrt.FormatRegex},
}

var errFormat = errors.New("the format is another")

// registerFormats makes a compiler check formats as generated code does.
func registerFormats(c *jsonschema.Compiler) {
	c.AssertFormat()
	for name, f := range formats {
		if f.valid == nil {
			continue
		}
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error {
			if s, ok := v.(string); ok && !f.valid(s) {
				return errFormat
			}
			return nil
		}})
	}
}

// formatName is what a message calls a value of a format.
func formatName(name string) string {
	if f, ok := formats[name]; ok {
		return f.called
	}
	return "of the format " + name
}
