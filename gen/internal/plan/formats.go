package plan

// FormatFunc is how the run time checks a format.
type FormatFunc struct {
	Package string // below gen/; "" for an unknown format
	Func    string
	Article string // how a message names it: "must be " + Article
}

// Formats are the formats of all drafts. A format is asserted whatever the draft of the
// schema: an author who asks for assertions and writes "uuid" in draft 7 means it. Unknown
// formats are annotations, as the specification says.
var Formats = map[string]FormatFunc{
	"date-time":             {"jsonrt", "FormatDateTime", "a date and time as in RFC 3339, such as 2025-01-31T12:00:00Z"},
	"date":                  {"jsonrt", "FormatDate", "a date as in RFC 3339, such as 2025-01-31"},
	"time":                  {"jsonrt", "FormatTime", "a time with offset as in RFC 3339, such as 12:00:00Z"},
	"duration":              {"jsonrt", "FormatDuration", "an ISO 8601 duration, such as P3DT4H"},
	"email":                 {"jsonrt", "FormatEmail", "an e-mail address"},
	"idn-email":             {"jsonrt", "FormatIDNEmail", "an e-mail address"},
	"hostname":              {"jsonrt/idn", "Hostname", "a host name"},
	"idn-hostname":          {"jsonrt/idn", "IDNHostname", "a host name"},
	"ipv4":                  {"jsonrt", "FormatIPv4", "an IPv4 address, such as 192.0.2.1"},
	"ipv6":                  {"jsonrt", "FormatIPv6", "an IPv6 address, such as 2001:db8::1"},
	"uri":                   {"jsonrt", "FormatURI", "an absolute URI, such as https://example.com/a"},
	"uri-reference":         {"jsonrt", "FormatURIReference", "a URI or a relative reference"},
	"iri":                   {"jsonrt", "FormatIRI", "an absolute IRI"},
	"iri-reference":         {"jsonrt", "FormatIRIReference", "an IRI or a relative reference"},
	"uri-template":          {"jsonrt", "FormatURITemplate", "a URI template (RFC 6570)"},
	"uuid":                  {"jsonrt", "FormatUUID", "a UUID, such as 123e4567-e89b-12d3-a456-426614174000"},
	"json-pointer":          {"jsonrt", "FormatJSONPointer", "a JSON Pointer, such as /a/0"},
	"relative-json-pointer": {"jsonrt", "FormatRelativeJSONPointer", "a relative JSON Pointer, such as 1/a"},
	"regex":                 {"jsonrt", "FormatRegex", "a regular expression (ECMA-262)"},
}

// draft3Formats gives the formats of draft 3 their names since then. Its color is that of CSS and
// its time has no offset: these are annotations.
var draft3Formats = map[string]string{
	"date-time": "date-time", "date": "date", "regex": "regex", "email": "email", "uri": "uri", "ipv6": "ipv6",
	"ip-address": "ipv4", "host-name": "hostname",
}
